//! Which samples are near to each other: those in the same leaf of a tree.

use crate::learn::get::kernel::blocks::Blocks;
use crate::tree::{Node, Tree};

/// A sample has at least so many neighbours: those in its leaf, or below the next node above it that has as
/// many.
const NEIGHBOURS: usize = 20;
/// Which samples are near to each other, as a tree sees it.
pub(super) struct Neighbours {
    /// The samples below each node.
    below: Vec<Vec<u32>>,
    /// The lowest node above each sample that has enough of them.
    node: Vec<usize>,
}

impl Neighbours {
    /// The neighbours among some samples.
    pub(super) fn new(tree: &Tree, blocks: &Blocks<f32>) -> Self {
        let mut parent = vec![0; tree.size()];
        for (at, node) in tree.nodes().iter().enumerate() {
            if let Node::Split { left, right, .. } = node {
                (parent[*left], parent[*right]) = (at, at);
            }
        }
        let mut below = vec![vec![]; tree.size()];
        let row = |i: usize| &blocks.sample(i)[..blocks.features()];
        let mut node: Vec<usize> = (0..blocks.samples()).map(|i| tree.leaf_of(row(i))).collect();
        for (i, &leaf) in node.iter().enumerate() {
            let mut at = leaf;
            below[at].push(i as u32);
            while at > 0 {
                at = parent[at];
                below[at].push(i as u32);
            }
        }
        for at in &mut node {
            while *at > 0 && below[*at].len() < NEIGHBOURS {
                *at = parent[*at];
            }
        }
        Neighbours { below, node }
    }

    /// The neighbours of sample `i`, itself included.
    pub(super) fn of(&self, i: usize) -> &[u32] {
        &self.below[self.node[i]]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{line, stump};
    use super::*;

    #[test]
    fn a_sample_alone_in_its_leaf_has_the_neighbours_of_the_node_above() {
        let near = Neighbours::new(&stump(0.05, [0.0, 1.0]), &line(50));
        assert_eq!((near.of(0).len(), near.of(49).len()), (50, 47));
    }
}
