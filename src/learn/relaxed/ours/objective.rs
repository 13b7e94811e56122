//! The published objective with penalties that lead to a tree that can be read hard. Each is 0 or off as
//! published.

use crate::learn::relaxed::paper::objective::{Objective, Published};
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::traversal::Version;

/// The published objective and what is added to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalised {
    /// The published part.
    pub published: Published,
    /// Whether κ counts for each sample, so that a batch and the whole training set prune alike.
    pub per_sample: bool,
    /// λ of `λ Σ_t a_t` over all nodes but the root: the charge for each node that is kept.
    pub charge: f64,
    /// Half of this times the squared norm of the predictor, constants too.
    pub ridge: f64,
    /// This times the sum of the absolute plane weights.
    pub l1: f64,
}

impl Objective for Penalised {
    fn version(&self) -> Version {
        self.published.version
    }

    fn kappa(&self, samples: usize) -> Option<f64> {
        let times = if self.per_sample { samples.max(1) as f64 } else { 1.0 };
        self.published.kappa(samples).map(|kappa| kappa * times)
    }

    fn a_bar(&self) -> f64 {
        self.charge
    }

    fn add_gradient(&self, shape: &Shape, theta: &[f64], gradient: &mut [f64]) {
        self.published.add_gradient(shape, theta, gradient);
        let at = shape.predictor_at();
        for (g, p) in gradient[at..].iter_mut().zip(&theta[at..]) {
            *g += self.ridge * p;
        }
        if self.l1 > 0.0 {
            for (g, w) in gradient[..shape.bias_at()].iter_mut().zip(theta) {
                *g += self.l1 * f64::from(i8::from(*w > 0.0) - i8::from(*w < 0.0));
            }
        }
    }
}
