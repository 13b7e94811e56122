//! What training minimises: the mean loss of the predictor plus the norm of the pruning scores.

use super::parameters::Shape;
use super::traversal::Version;

/// An objective, as one batch sees it.
pub trait Objective {
    /// The version of the relaxation.
    fn version(&self) -> Version;

    /// κ of the isotonic problem for this many samples; none for no pruning, when every a is 1.
    fn kappa(&self, samples: usize) -> Option<f64>;

    /// Derivative of what is added to the mean loss by a_t, the same for every node but the root; 0 as
    /// published.
    fn a_bar(&self) -> f64 {
        0.0
    }

    /// Adds the derivative of what is added to the mean loss by θ to `gradient`.
    fn add_gradient(&self, shape: &Shape, theta: &[f64], gradient: &mut [f64]);
}

/// The published objective: `mean_i loss(f(z_i), y_i) + λ |η|_∞`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// The version of the relaxation.
    pub version: Version,
    /// κ: 1 in version A, λ in version B; none for no pruning.
    pub kappa: Option<f64>,
    /// λ in version A; 0 in version B, which adds nothing to the loss.
    pub lambda: f64,
}

impl Objective for Published {
    fn version(&self) -> Version {
        self.version
    }

    fn kappa(&self, _: usize) -> Option<f64> {
        self.kappa
    }

    /// The subgradient `λ sign(η_m)` at the first m with the largest |η_m|.
    fn add_gradient(&self, shape: &Shape, theta: &[f64], gradient: &mut [f64]) {
        if self.lambda == 0.0 {
            return;
        }
        let eta = shape.eta(theta);
        let largest = (1..eta.len()).fold(0, |best, t| if eta[t].abs() > eta[best].abs() { t } else { best });
        if eta[largest] != 0.0 {
            gradient[shape.eta_at() + largest] += self.lambda * eta[largest].signum();
        }
    }
}
