//! The way of a row through grown nodes.

use super::HistogramNode;
use crate::learn::greedy::cut_back;

impl HistogramNode {
    /// The child that a row goes to; none below a leaf.
    pub fn below(&self, row: &[f32]) -> Option<usize> {
        let (cut, [left, right]) = self.branches()?;
        // A missing value is in the first bin, so it goes left.
        Some(if row[cut.feature] >= cut.threshold { right } else { left })
    }
}

/// Where a row ends in a tree whose nodes of `leaf` are leaves.
pub fn leaf_of(nodes: &[HistogramNode], leaf: &[bool], row: &[f32]) -> usize {
    let mut at = 0;
    while let (Some(next), false) = (nodes[at].below(row), leaf[at]) {
        at = next;
    }
    at
}

/// Cost-complexity pruning: which nodes are leaves when a leaf costs `alpha` times the root.
pub fn pruned(nodes: &[HistogramNode], alpha: f64) -> Vec<bool> {
    cut_back(nodes, alpha * nodes[0].summary.cost, |node| node.cost)
}
