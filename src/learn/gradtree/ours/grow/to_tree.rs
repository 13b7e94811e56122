//! From grown nodes to the one tree type.

use super::answers::LeafAnswers;
use super::samples::GrownNode;
use crate::tree::{Node, Split, Tree};

/// A grown tree whose nodes of `leaf` are leaves.
pub fn tree_of(nodes: &[GrownNode], leaf: &[bool], answers: &LeafAnswers) -> Tree {
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
