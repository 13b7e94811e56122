//! The forward pass: hard choices and hard decisions.

use super::Parameters;
use crate::numeric::Real;
use crate::tree::topology::{left_child, right_child, splits_of_complete};

/// What the passes need of I and T: the chosen feature of each inner node and its threshold, side by side.
#[derive(Debug, Clone)]
pub struct Choices<R> {
    /// (N) feature and threshold per inner node, heap order.
    nodes: Vec<(usize, R)>,
    /// (N) whether the choice leads by so much that its entmax is one-hot and has no gradient.
    locked: Vec<bool>,
}

impl<R: Real> Choices<R> {
    /// The choices of these parameters.
    pub fn new(parameters: &Parameters<R>) -> Self {
        let splits = splits_of_complete(parameters.depth);
        let mut choices = Choices { nodes: vec![(0, R::ZERO); splits], locked: vec![false; splits] };
        (0..splits).for_each(|node| choices.refresh(parameters, node));
        choices
    }

    /// Follows the parameters of a node after they have moved: `argmax_j I_ij`, the first of equals.
    pub fn refresh(&mut self, parameters: &Parameters<R>, node: usize) {
        let row = node * parameters.features..(node + 1) * parameters.features;
        let scores = &parameters.split_index[row.clone()];
        let (mut best, mut second) = (0, None);
        for (j, &score) in scores.iter().enumerate().skip(1) {
            if score > scores[best] {
                second = Some(scores[best]);
                best = j;
            } else if second.is_none_or(|second| score > second) {
                second = Some(score);
            }
        }
        self.nodes[node] = (best, parameters.split_threshold[row][best]);
        self.locked[node] = second.is_none_or(|second| scores[best] - second >= R::from_f64(2.0));
    }

    /// Whether the choice of node `node` has no gradient any more.
    pub fn locked(&self, node: usize) -> bool {
        self.locked[node]
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
