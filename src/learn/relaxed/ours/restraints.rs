//! What the stages forbid a step of the descent to move.

use crate::learn::relaxed::paper::descent::Additions;
use crate::learn::relaxed::paper::parameters::Shape;

/// Restraints on a step.
#[derive(Debug, Clone)]
pub struct Restraints {
    /// The first numbers of θ that rest: all planes after a greedy start, for some epochs; else 0.
    pub rest: usize,
    /// 1 for each number of θ that may move, else 0; none before planes are settled.
    free: Option<Vec<f64>>,
    /// Pruning variables of at most this are 0 once they are frozen.
    prune_below: f64,
}

impl Restraints {
    /// No restraints yet, except the bound of frozen pruning variables.
    pub fn new(prune_below: f64) -> Restraints {
        Restraints { rest: 0, free: None, prune_below }
    }

    /// Of the plane weights only those with a 1 may move from now on (N × F).
    pub fn free_only(&mut self, shape: &Shape, weights: &[f64]) {
        let mut free = vec![1.0; shape.numbers()];
        free[..shape.bias_at()].copy_from_slice(weights);
        self.free = Some(free);
    }

    /// Whether planes are settled on their columns.
    pub fn settled(&self) -> bool {
        self.free.is_some()
    }
}

impl Additions for Restraints {
    fn change_gradient(&self, gradient: &mut [f64]) {
        gradient[..self.rest].fill(0.0);
        if let Some(free) = &self.free {
            gradient.iter_mut().zip(free).for_each(|(g, free)| *g *= free);
        }
    }

    /// The optimiser's averages of earlier gradients must not move a weight that is settled at 0.
    fn change_theta(&self, theta: &mut [f64]) {
        if let Some(free) = &self.free {
            theta.iter_mut().zip(free).for_each(|(w, free)| *w *= free);
        }
    }

    fn change_pruning(&self, a: &mut [f64]) {
        a.iter_mut().filter(|a| **a <= self.prune_below).for_each(|a| *a = 0.0);
    }
}
