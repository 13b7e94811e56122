//! The way back from a tree to parameters, so that gradient descent can begin at a greedy tree.

use crate::learn::gradtree::paper::{OutputUnits, Parameters};
use crate::tree::topology::{left_child, right_child, splits_of_complete};
use crate::tree::{Leaf, Node, Split, Tree};

/// A threshold above every value: all samples go left, and so far away that no gradient is left.
const OUT_OF_REACH: f32 = f32::MAX / 4.0;

/// The parameters that stand for a tree of numerical splits; none for a single leaf. A split's own feature
/// leads the others by `lead`; where the tree has a leaf above the last level, the splits below it are out of
/// reach and stay so.
pub(super) fn parameters_of(
    tree: &Tree,
    features: usize,
    units: OutputUnits,
    lead: f64,
) -> Option<Parameters<f32>> {
    let depth = tree.depth();
    let outputs = match tree.nodes().iter().find(|node| matches!(node, Node::Leaf(_)))? {
        Node::Leaf(Leaf::Scores(scores)) => scores.len(),
        _ => 1,
    };
    if depth == 0 {
        return None;
    }
    let mut parameters = Parameters::zeros(depth, features, outputs);
    let splits = splits_of_complete(depth);
    // Position in the tree and in the complete tree.
    let mut waiting = vec![(0, 0)];
    while let Some((at, place)) = waiting.pop() {
        let next = match &tree.nodes()[at] {
            Node::Split { split: Split::Numerical { feature, threshold }, left, right, .. } => {
                parameters.split_index[place * features + feature] = lead as f32;
                parameters.split_threshold[place * features + feature] = threshold.next_up();
                [*left, *right]
            }
            Node::Leaf(leaf) if place >= splits => {
                let row = (place - splits) * outputs..(place - splits + 1) * outputs;
                parameters.leaf[row].copy_from_slice(&units.raw_outputs(leaf));
                continue;
            }
            Node::Leaf(_) => {
                parameters.split_index[place * features] = lead as f32;
                parameters.split_threshold[place * features] = OUT_OF_REACH;
                [at, at]
            }
            Node::Split { .. } => unreachable!("greedy starts have numerical splits"),
        };
        waiting.extend([(next[0], left_child(place)), (next[1], right_child(place))]);
    }
    Some(parameters)
}
