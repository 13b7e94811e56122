//! From parameters to the one tree type.

use super::Parameters;
use super::forward::Choices;
use crate::encode::Design;
use crate::tree::topology::{leaves_of_complete, left_child, right_child, splits_of_complete};
use crate::tree::{Leaf, Node, Split, Tree};

/// What a leaf's row of outputs means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    /// Logits.
    Scores,
    /// A number in units of the target's deviation from its mean.
    Value {
        /// The target's mean.
        mean: f64,
        /// The target's deviation.
        deviation: f64,
    },
}

impl Meaning {
    /// A leaf from its raw outputs (C).
    pub fn leaf(&self, outputs: &[f32]) -> Leaf {
        match *self {
            Meaning::Scores => Leaf::Scores(outputs.to_vec()),
            Meaning::Value { mean, deviation } => Leaf::Constant((mean + deviation * f64::from(outputs[0])) as f32),
        }
    }
}

/// The complete tree the parameters stand for.
///
/// The forward pass goes left if `x < T` and a [`Tree`] if `x <= t`, so t is the largest f32 below T: the same test for
/// every f32. A missing value compares with nothing and goes right, as in the forward pass.
pub fn complete(parameters: &Parameters<f32>, meaning: Meaning) -> Tree {
    let choices = Choices::new(parameters);
    let splits = (0..splits_of_complete(parameters.depth)).map(|node| Node::Split {
        split: Split::Numerical { feature: choices.feature(node), threshold: choices.threshold(node).next_down() },
        left: left_child(node),
        right: right_child(node),
        default_left: false,
    });
    let leaves =
        (0..leaves_of_complete(parameters.depth)).map(|leaf| Node::Leaf(meaning.leaf(parameters.leaf_row(leaf))));
    Tree::new(splits.chain(leaves).collect()).expect("heap order is a tree")
}

/// The tree without what no training sample uses: a leaf that none reaches was never taught, so its answer means nothing.
pub fn pruned(parameters: &Parameters<f32>, meaning: Meaning, train: &Design) -> Tree {
    complete(parameters, meaning).without_empty_branches(train.rows()).without_idle_splits()
}
