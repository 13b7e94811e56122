//! The numbers of a complete oblique tree.

use serde::{Deserialize, Serialize};

pub use crate::learn::get::settings::Answer;
use crate::numeric::Real;

/// A complete tree of depth D over F features: planes `a_t·x <= b_t` in heap order, N = 2^D − 1, and leaves
/// from left to right, L = 2^D.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameters<R> {
    /// D.
    pub depth: usize,
    /// Numbers per plane, F + 1 rounded up to a multiple of 4.
    pub width: usize,
    /// What the leaves answer with.
    pub answer: Answer,
    /// N × width; row t is `(−a_t, b_t, 0…)`, so that its product with `(x, 1, 0…)` is `U_t = b_t − a_t·x`,
    /// at least 0 on the left.
    pub planes: Vec<R>,
    /// L numbers `h_l`; or L × width, row l being `(k_l, h_l, 0…)`; or L × C costs `−ln p_lc` of each class.
    pub leaves: Vec<R>,
}

impl<R> Parameters<R> {
    /// Whether both have the same numbers to learn.
    pub fn is_shaped_like(&self, other: &Parameters<R>) -> bool {
        let shape = |tree: &Parameters<R>| {
            (tree.depth, tree.width, tree.answer, tree.planes.len(), tree.leaves.len())
        };
        shape(self) == shape(other)
    }
}

impl<R: Real> Parameters<R> {
    /// All zero.
    pub fn zeros(depth: usize, width: usize, answer: Answer) -> Self {
        let leaves = 1 << depth;
        Parameters {
            depth,
            width,
            answer,
            planes: vec![R::ZERO; (leaves - 1) * width],
            leaves: vec![R::ZERO; leaves * answer.numbers(width)],
        }
    }

    /// N.
    pub fn nodes(&self) -> usize {
        (1 << self.depth) - 1
    }

    /// `(−a_t, b_t, 0…)`.
    pub fn plane(&self, node: usize) -> &[R] {
        &self.planes[node * self.width..(node + 1) * self.width]
    }

    /// The same, to be changed.
    pub fn plane_mut(&mut self, node: usize) -> &mut [R] {
        &mut self.planes[node * self.width..(node + 1) * self.width]
    }

    /// The numbers of leaf `l`.
    pub fn leaf(&self, leaf: usize) -> &[R] {
        let numbers = self.answer.numbers(self.width);
        &self.leaves[leaf * numbers..(leaf + 1) * numbers]
    }

    /// The same, to be changed.
    pub fn leaf_mut(&mut self, leaf: usize) -> &mut [R] {
        let numbers = self.answer.numbers(self.width);
        &mut self.leaves[leaf * numbers..(leaf + 1) * numbers]
    }

    /// Whether all are numbers.
    pub fn is_finite(&self) -> bool {
        self.planes.iter().chain(&self.leaves).all(|x| x.is_finite())
    }

    /// The leaf of a sample `x` (F + 1 values, the last one 1): left where `U_t >= 0`.
    pub fn route(&self, x: &[R]) -> usize {
        let nodes = self.nodes();
        let mut at = 0;
        while at < nodes {
            let mut score = R::ZERO;
            for (&w, &x) in self.plane(at).iter().zip(x) {
                score += w * x;
            }
            at = 2 * at + 1 + usize::from(score < R::ZERO);
        }
        at - nodes
    }

    /// Copies `depth` levels and the leaves below node `source` of another tree to below node `at` of this
    /// one.
    fn graft(&mut self, at: usize, from: &Parameters<R>, source: usize, depth: usize) {
        // Level by level: the nodes below one are adjacent in heap order.
        for level in 0..=depth {
            let (to, read) = (((at + 1) << level) - 1, ((source + 1) << level) - 1);
            for node in 0..1usize << level {
                if level == depth {
                    let (leaf, other) = (to + node - self.nodes(), read + node - from.nodes());
                    self.leaf_mut(leaf).copy_from_slice(from.leaf(other));
                } else {
                    self.plane_mut(to + node).copy_from_slice(from.plane(read + node));
                }
            }
        }
    }

    /// The subtree below `node`, itself a complete tree.
    pub fn subtree(&self, node: usize) -> Parameters<R> {
        let level = (node + 1).ilog2() as usize;
        let mut part = Parameters::zeros(self.depth - level, self.width, self.answer);
        part.graft(0, self, node, self.depth - level);
        part
    }

    /// The first `levels` levels, with leaves of 0.
    pub fn top(&self, levels: usize) -> Parameters<R> {
        let mut top = Parameters::zeros(levels, self.width, self.answer);
        let numbers = top.planes.len();
        top.planes.copy_from_slice(&self.planes[..numbers]);
        top
    }

    /// Puts a tree of the right depth in the place of the subtree below `node`.
    pub fn put(&mut self, node: usize, part: &Parameters<R>) {
        self.graft(node, part, 0, part.depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subtree_taken_out_and_put_back_changes_nothing() {
        let mut tree = Parameters::<f64>::zeros(3, 4, Answer::Linear);
        tree.planes.iter_mut().enumerate().for_each(|(i, x)| *x = i as f64);
        tree.leaves.iter_mut().enumerate().for_each(|(i, x)| *x = 1000.0 + i as f64);
        for node in 0..7 {
            let part = tree.subtree(node);
            let mut copy = tree.clone();
            copy.put(node, &part);
            assert_eq!(copy, tree);
        }
        // Node 2 is the root's right child: its children are 5 and 6, its leaves the last four.
        let part = tree.subtree(2);
        assert_eq!((part.plane(0), part.plane(2)), (tree.plane(2), tree.plane(6)));
        assert_eq!(part.leaf(0), tree.leaf(4));
        let mut emptied = tree.clone();
        emptied.put(2, &Parameters::zeros(2, 4, Answer::Linear));
        assert!(emptied.plane(5).iter().chain(emptied.leaf(7)).all(|&x| x == 0.0));
        assert_eq!((emptied.plane(1), emptied.leaf(3)), (tree.plane(1), tree.leaf(3)));
    }
}
