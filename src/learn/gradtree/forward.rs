//! The forward pass: hard choices and hard decisions.

use super::Parameters;
use crate::numeric::Real;
use crate::tree::topology::{left_child, right_child, splits_of_complete};

/// What the forward pass needs of I and T: the chosen feature of each inner node and its threshold, side by side.
#[derive(Debug, Clone)]
pub struct Choices<R> {
    /// (N) feature and threshold per inner node, heap order.
    nodes: Vec<(usize, R)>,
}

impl<R: Real> Choices<R> {
    /// The choices of these parameters.
    pub fn new(parameters: &Parameters<R>) -> Self {
        let mut choices = Choices { nodes: vec![(0, R::ZERO); splits_of_complete(parameters.depth)] };
        choices.refresh(parameters);
        choices
    }

    /// Follows the parameters after they have moved: `argmax_j I_ij`, the first of equals.
    pub fn refresh(&mut self, parameters: &Parameters<R>) {
        let rows = parameters.split_index.chunks_exact(parameters.features);
        let thresholds = parameters.split_threshold.chunks_exact(parameters.features);
        for ((choice, scores), thresholds) in self.nodes.iter_mut().zip(rows).zip(thresholds) {
            let mut best = 0;
            for (j, &score) in scores.iter().enumerate().skip(1) {
                if score > scores[best] {
                    best = j;
                }
            }
            *choice = (best, thresholds[best]);
        }
    }

    /// The feature that node `node` tests.
    pub fn feature(&self, node: usize) -> usize {
        self.nodes[node].0
    }

    /// The threshold that node `node` tests it against.
    pub fn threshold(&self, node: usize) -> R {
        self.nodes[node].1
    }

    /// z = T − x of the chosen feature at `node`. Positive is left; a value on the threshold goes right.
    ///
    /// * `x` (F)  a sample
    pub fn margin(&self, node: usize, x: &[R]) -> R {
        let (feature, threshold) = self.nodes[node];
        threshold - x[feature]
    }

    /// The child of `node` that a sample goes to.
    fn child(&self, node: usize, x: &[R]) -> usize {
        let (feature, threshold) = self.nodes[node];
        if x[feature] < threshold { left_child(node) } else { right_child(node) }
    }

    /// The leaf (from 0, left to right) that a sample reaches from `node` on, which may be a leaf itself.
    pub fn leaf_below(&self, mut node: usize, x: &[R]) -> usize {
        while node < self.nodes.len() {
            node = self.child(node, x);
        }
        node - self.nodes.len()
    }

    /// The nodes a sample visits, root first, and the leaf it reaches.
    ///
    /// * `path` (D)  out
    pub fn walk(&self, x: &[R], path: &mut [usize]) -> usize {
        let mut node = 0;
        for step in path.iter_mut() {
            *step = node;
            node = self.child(node, x);
        }
        node - self.nodes.len()
    }

    /// The leaves that a sample reaches when it is sent left, and right, at a node of its path, and decides freely below.
    /// `leaf` is the one it really reaches; one of the two is that one.
    pub fn detour(&self, node: usize, x: &[R], leaf: usize) -> (usize, usize) {
        let (left, right) = (left_child(node), right_child(node));
        if self.child(node, x) == left { (leaf, self.leaf_below(right, x)) } else { (self.leaf_below(left, x), leaf) }
    }
}
