//! From parameters to the one tree type, and the pruning that the paper does after training: what no training
//! sample reaches is cut.

use super::Parameters;
use super::forward::HardSplits;
use super::units::OutputUnits;
use crate::encode::Design;
use crate::learn::NodeChoice;
use crate::numeric::simplex::entmax15_root;
use crate::tree::topology::{leaves_of_complete, left_child, right_child, splits_of_complete};
use crate::tree::{Node, Split, Tree};

/// The complete tree the parameters stand for.
///
/// The forward pass goes left if `x < T` and a [`Tree`] if `x <= t`, so t is the largest f32 below T: the
/// same test for every f32. A missing value compares with nothing and goes right, as in the forward pass.
pub fn complete(parameters: &Parameters<f32>, units: OutputUnits) -> Tree {
    let hard = HardSplits::new(parameters);
    let splits = (0..splits_of_complete(parameters.depth)).map(|node| Node::Split {
        split: Split::Numerical { feature: hard.feature(node), threshold: hard.threshold(node).next_down() },
        left: left_child(node),
        right: right_child(node),
        default_left: false,
    });
    let leaves = (0..leaves_of_complete(parameters.depth))
        .map(|leaf| Node::Leaf(units.leaf(parameters.leaf_row(leaf))));
    Tree::new(splits.chain(leaves).collect()).expect("heap order is a tree")
}

/// The tree without what no training sample reaches: such a leaf has had no gradient, so its answer means
/// nothing. Also the node of the complete tree that each of its nodes comes from.
pub fn pruned_traced(parameters: &Parameters<f32>, units: OutputUnits, train: &Design) -> (Tree, Vec<usize>) {
    let (tree, reached) = complete(parameters, units).without_empty_branches_traced(train.rows());
    let (tree, kept) = tree.without_idle_splits_traced();
    (tree, kept.into_iter().map(|at| reached[at]).collect())
}

/// The same tree alone.
pub fn pruned(parameters: &Parameters<f32>, units: OutputUnits, train: &Design) -> Tree {
    pruned_traced(parameters, units, train).0
}

/// Features shown of a choice.
const LEADING: usize = 4;

/// How the splits of a tree choose their features. `sources` are their nodes in the complete tree.
pub fn choices_of(parameters: &Parameters<f32>, tree: &Tree, sources: &[usize]) -> Vec<NodeChoice> {
    let features = parameters.features;
    let mut root = vec![0.0; features];
    let splits = tree
        .nodes()
        .iter()
        .zip(sources)
        .enumerate()
        .filter(|(_, (node, _))| matches!(node, Node::Split { .. }));
    splits
        .map(|(node, (_, &source))| {
            entmax15_root(&parameters.split_index[source * features..(source + 1) * features], &mut root);
            // Few are shown and few have a share, so the largest are found one by one.
            let mut leading: Vec<(usize, f32)> = vec![];
            while leading.len() < LEADING {
                let rest =
                    (0..features).filter(|&j| root[j] > 0.0 && leading.iter().all(|(known, _)| *known != j));
                let Some(next) = rest.reduce(|best, j| if root[j] > root[best] { j } else { best }) else {
                    break;
                };
                leading.push((next, root[next] * root[next]));
            }
            NodeChoice { node, locked: leading.len() == 1, leading }
        })
        .collect()
}
