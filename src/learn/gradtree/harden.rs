//! From parameters to the one tree type.

use super::Parameters;
use super::answers::Answers;
use super::forward::Choices;
use super::grow::Grown;
use crate::encode::Design;
use crate::learn::NodeChoice;
use crate::numeric::simplex::entmax15_root;
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
    /// A number in the target's units; logits stay.
    pub fn value(&self, raw: f64) -> f64 {
        match *self {
            Meaning::Scores => raw,
            Meaning::Value { mean, deviation } => mean + deviation * raw,
        }
    }

    /// A leaf from its raw outputs (C).
    pub fn leaf(&self, outputs: &[f32]) -> Leaf {
        match *self {
            Meaning::Scores => Leaf::Scores(outputs.to_vec()),
            Meaning::Value { mean, deviation } => Leaf::Constant((mean + deviation * f64::from(outputs[0])) as f32),
        }
    }

    /// The raw outputs (C) of a leaf.
    pub fn raw_outputs(&self, leaf: &Leaf) -> Vec<f32> {
        match (leaf, *self) {
            (Leaf::Scores(scores), _) => scores.clone(),
            (Leaf::Constant(value), Meaning::Value { mean, deviation }) => {
                vec![((f64::from(*value) - mean) / deviation) as f32]
            }
            _ => unreachable!("a gradient tree has scores or constants"),
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

/// The tree without what no training sample uses: a leaf that none reaches was never taught, so its answer means nothing. Also
/// the node of the complete tree that each of its nodes comes from.
pub fn pruned_traced(parameters: &Parameters<f32>, meaning: Meaning, train: &Design) -> (Tree, Vec<usize>) {
    let (tree, reached) = complete(parameters, meaning).without_empty_branches_traced(train.rows());
    let (tree, kept) = tree.without_idle_splits_traced();
    (tree, kept.into_iter().map(|at| reached[at]).collect())
}

/// The same tree alone.
pub fn pruned(parameters: &Parameters<f32>, meaning: Meaning, train: &Design) -> Tree {
    pruned_traced(parameters, meaning, train).0
}

/// A threshold above every value: all samples go left, and so far away that no gradient is left.
const OUT_OF_REACH: f32 = f32::MAX / 4.0;

/// The parameters that stand for a tree of numerical splits; none for a single leaf. A split's own feature leads the others
/// by `lead`; where the tree has a leaf above the last level, the splits below it are out of reach and stay so.
pub fn start_from(tree: &Tree, features: usize, meaning: Meaning, lead: f64) -> Option<Parameters<f32>> {
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
                parameters.leaf[row].copy_from_slice(&meaning.raw_outputs(leaf));
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

/// A grown tree whose nodes of `leaf` are leaves.
pub fn tree_of(nodes: &[Grown], leaf: &[bool], answers: &Answers) -> Tree {
    let mut sources = vec![0];
    let mut tree = Vec::new();
    while let Some(&source) = sources.get(tree.len()) {
        let node = &nodes[source];
        tree.push(match node.children {
            Some(children) if !leaf[source] => {
                let left = sources.len();
                sources.extend(children);
                let split = Split::Numerical { feature: node.feature, threshold: node.threshold.next_down() };
                Node::Split { split, left, right: left + 1, default_left: false }
            }
            _ => Node::Leaf(answers.leaf(&node.sums)),
        });
    }
    Tree::new(tree).expect("what has grown is a tree").without_idle_splits()
}

/// Features shown of a choice.
const LEADING: usize = 4;

/// How the splits of a tree choose their features. `sources` are their nodes in the complete tree.
pub fn choices_of(parameters: &Parameters<f32>, tree: &Tree, sources: &[usize]) -> Vec<NodeChoice> {
    let features = parameters.features;
    let mut root = vec![0.0; features];
    let splits =
        tree.nodes().iter().zip(sources).enumerate().filter(|(_, (node, _))| matches!(node, Node::Split { .. }));
    splits
        .map(|(node, (_, &source))| {
            entmax15_root(&parameters.split_index[source * features..(source + 1) * features], &mut root);
            // Few are shown and few have a share, so the largest are found one by one.
            let mut leading: Vec<(usize, f32)> = vec![];
            while leading.len() < LEADING {
                let rest = (0..features).filter(|&j| root[j] > 0.0 && leading.iter().all(|(known, _)| *known != j));
                let Some(next) = rest.reduce(|best, j| if root[j] > root[best] { j } else { best }) else { break };
                leading.push((next, root[next] * root[next]));
            }
            NodeChoice { node, locked: leading.len() == 1, leading }
        })
        .collect()
}
