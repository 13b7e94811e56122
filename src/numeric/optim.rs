//! Optimisers: they turn a gradient into a step.

use std::ops::Range;

use super::Real;

/// Adam (Kingma and Ba, 2015) as in Keras: ε is outside the bias correction, `θ ← θ − lr · √(1−β₂ᵗ)/(1−β₁ᵗ) ·
/// m / (√v + ε)`.
///
/// Keras stores the learning rate and both β in f32, even if the parameters are f64. This does the same;
/// otherwise the two would drift apart by 3e-10 a step.
#[derive(Debug, Clone)]
pub struct Adam<R> {
    rate: f64,
    /// β₁ᵗ and β₂ᵗ.
    powers: [f64; 2],
    m: Vec<R>,
    v: Vec<R>,
}

impl<R: Real> Adam<R> {
    /// Decay rate of the mean gradient.
    pub const BETA_1: f32 = 0.9;
    /// Decay rate of the mean squared gradient.
    pub const BETA_2: f32 = 0.999;
    /// ε of Keras; PyTorch uses 1e-8, in another place.
    pub const EPSILON: f64 = 1e-7;

    /// Creates an optimiser for a number of parameters, with a learning rate.
    pub fn new(parameters: usize, rate: f64) -> Self {
        let rate = f64::from(rate as f32);
        Adam { rate, powers: [1.0; 2], m: vec![R::ZERO; parameters], v: vec![R::ZERO; parameters] }
    }

    /// Updates all parameters. Those without a gradient move too, by the momentum of earlier ones.
    pub fn step(&mut self, theta: &mut [R], gradient: &[R]) {
        debug_assert!(theta.len() == self.m.len() && gradient.len() == self.m.len());
        let rate = self.advance();
        self.update(rate, 0..theta.len(), theta, gradient);
    }

    /// Counts a step and returns its learning rate with the bias corrections.
    pub(super) fn advance(&mut self) -> R {
        let (beta_1, beta_2) = (f64::from(Self::BETA_1), f64::from(Self::BETA_2));
        self.powers[0] *= beta_1;
        self.powers[1] *= beta_2;
        R::from_f64(self.rate * (1.0 - self.powers[1]).sqrt() / (1.0 - self.powers[0]))
    }

    /// Updates the parameters of a range; `theta` and `gradient` hold only these.
    pub(super) fn update(&mut self, rate: R, range: Range<usize>, theta: &mut [R], gradient: &[R]) {
        let (beta_1, beta_2) = (f64::from(Self::BETA_1), f64::from(Self::BETA_2));
        let (rest_1, rest_2) = (R::from_f64(1.0 - beta_1), R::from_f64(1.0 - beta_2));
        let (beta_1, beta_2) = (R::from_f64(beta_1), R::from_f64(beta_2));
        let epsilon = R::from_f64(Self::EPSILON);
        let moments = self.m[range.clone()].iter_mut().zip(&mut self.v[range]);
        for ((theta, &g), (m, v)) in theta.iter_mut().zip(gradient).zip(moments) {
            *m = beta_1 * *m + rest_1 * g;
            *v = beta_2 * *v + rest_2 * (g * g);
            *theta -= rate * *m / (v.sqrt() + epsilon);
        }
    }

    /// Updates the parameters of a range that have no gradient: the same result as [`Adam::update`] with
    /// zeros.
    pub(super) fn coast(&mut self, rate: R, range: Range<usize>, theta: &mut [R]) {
        let (beta_1, beta_2) = (R::from_f64(f64::from(Self::BETA_1)), R::from_f64(f64::from(Self::BETA_2)));
        let epsilon = R::from_f64(Self::EPSILON);
        let moments = self.m[range.clone()].iter_mut().zip(&mut self.v[range]);
        for (theta, (m, v)) in theta.iter_mut().zip(moments) {
            *m = beta_1 * *m;
            *v = beta_2 * *v;
            *theta -= rate * *m / (v.sqrt() + epsilon);
        }
    }

    /// Decays the moments of a range by steps in which its parameters had no gradient and were not moved.
    pub(super) fn age(&mut self, range: Range<usize>, steps: u32) {
        let power = |beta: f32| R::from_f64(libm::pow(f64::from(beta), f64::from(steps)));
        let (beta_1, beta_2) = (power(Self::BETA_1), power(Self::BETA_2));
        self.m[range.clone()].iter_mut().for_each(|m| *m = beta_1 * *m);
        self.v[range].iter_mut().for_each(|v| *v = beta_2 * *v);
    }
}

/// Quasi-hyperbolic Adam (Ma and Yarats, 2019): every step mixes the plain gradient with its mean, `θ ← θ −
/// lr (ν₁ m + (1−ν₁) g) / (√(ν₂ v + (1−ν₂) g²) + ε)`.
///
/// The means use running weights, `W ← 1 + β W` and `m ← (1 − 1/W) m + g/W`, in place of Adam's bias
/// correction.
#[derive(Debug, Clone)]
pub struct QhAdam<R> {
    /// W₁ and W₂.
    weights: [f64; 2],
    m: Vec<R>,
    v: Vec<R>,
}

impl<R: Real> QhAdam<R> {
    /// ν₁ and ν₂.
    pub const NU: [f64; 2] = [0.7, 1.0];
    /// β₁ and β₂.
    pub const BETA: [f64; 2] = [0.995, 0.998];
    /// ε.
    pub(crate) const EPSILON: f64 = 1e-8;

    /// Creates an optimiser for a number of parameters.
    pub fn new(parameters: usize) -> Self {
        QhAdam { weights: [0.0; 2], m: vec![R::ZERO; parameters], v: vec![R::ZERO; parameters] }
    }

    /// Updates all parameters with a learning rate.
    pub fn step(&mut self, theta: &mut [R], gradient: &[R], rate: f64) {
        debug_assert!(theta.len() == self.m.len() && gradient.len() == self.m.len());
        for (weight, beta) in self.weights.iter_mut().zip(Self::BETA) {
            *weight = 1.0 + beta * *weight;
        }
        let [new_1, new_2] = self.weights.map(|weight| R::from_f64(1.0 / weight));
        let [old_1, old_2] = self.weights.map(|weight| R::from_f64(1.0 - 1.0 / weight));
        let [nu_1, nu_2] = Self::NU.map(R::from_f64);
        let [rest_1, rest_2] = Self::NU.map(|nu| R::from_f64(1.0 - nu));
        let (rate, epsilon) = (R::from_f64(rate), R::from_f64(Self::EPSILON));
        for (((theta, &g), m), v) in theta.iter_mut().zip(gradient).zip(&mut self.m).zip(&mut self.v) {
            *m = old_1 * *m + new_1 * g;
            *v = old_2 * *v + new_2 * (g * g);
            *theta -= rate * (nu_1 * *m + rest_1 * g) / ((nu_2 * *v + rest_2 * (g * g)).sqrt() + epsilon);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn adam_finds_the_bottom_of_a_bowl_and_drifts_without_gradient() {
        let mut adam = Adam::new(2, 0.05);
        let mut theta = [3.0f64, -2.0];
        for _ in 0..2000 {
            let gradient = [2.0 * (theta[0] - 1.0), 20.0 * theta[1]];
            adam.step(&mut theta, &gradient);
        }
        assert!((theta[0] - 1.0).abs() < 1e-3 && theta[1].abs() < 1e-3, "{theta:?}");

        let mut adam = Adam::new(1, 0.1);
        let mut theta = [0.0f32];
        adam.step(&mut theta, &[1.0]);
        let after_one = theta[0];
        adam.step(&mut theta, &[0.0]);
        assert!(theta[0] < after_one);
    }
}
