//! θ: all that is learned in one list, so that one optimiser moves it.

use super::predictor::Predictor;
use super::traversal::Planes;

/// The sizes of a tree. θ holds weights w (N × F), biases b (N), pruning scores η (T), then the predictor's
/// numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// D.
    pub depth: usize,
    /// F.
    pub features: usize,
    /// C.
    pub outputs: usize,
    /// What reads the traversal.
    pub predictor: Predictor,
}

impl Shape {
    /// N = 2^D − 1.
    pub fn inner(&self) -> usize {
        (1 << self.depth) - 1
    }

    /// T = 2^(D+1) − 1.
    pub fn nodes(&self) -> usize {
        (2 << self.depth) - 1
    }

    /// Where b begins.
    pub fn bias_at(&self) -> usize {
        self.inner() * self.features
    }

    /// Where η begins.
    pub fn eta_at(&self) -> usize {
        self.bias_at() + self.inner()
    }

    /// Where the predictor begins.
    pub fn predictor_at(&self) -> usize {
        self.eta_at() + self.nodes()
    }

    /// The length of θ.
    pub fn numbers(&self) -> usize {
        self.predictor_at() + self.predictor.numbers(self.features, self.nodes(), self.outputs)
    }

    /// The planes of θ.
    pub fn planes<'a>(&self, theta: &'a [f64], scale: f64) -> Planes<'a> {
        let (weights, bias) = (&theta[..self.bias_at()], &theta[self.bias_at()..self.eta_at()]);
        Planes { weights, bias, features: self.features, scale }
    }

    /// η of θ.
    pub fn eta<'a>(&self, theta: &'a [f64]) -> &'a [f64] {
        &theta[self.eta_at()..self.predictor_at()]
    }
}
