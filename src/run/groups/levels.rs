//! A tree's levels and the numbers of its leaves.

use crate::tree::{Leaf, Node, Tree};

/// The same tree with its leaves numbered from 1; every node stays where it is.
pub(super) fn relabelled(tree: &Tree) -> Tree {
    let mut leaves = 0u32;
    let nodes = tree.nodes().iter().map(|node| match node {
        Node::Leaf(_) => {
            leaves += 1;
            Node::Leaf(Leaf::Constant(leaves as f32))
        }
        split => split.clone(),
    });
    Tree::new(nodes.collect()).expect("the shape is unchanged")
}

/// A tree cut off below a depth, its leaves numbered from 1, left to right.
pub(super) fn numbered(tree: &Tree, depth: usize) -> Tree {
    fn copy(tree: &Tree, at: usize, levels: usize, next: &mut u32, nodes: &mut Vec<Node>) -> usize {
        let place = nodes.len();
        match &tree.nodes()[at] {
            Node::Split { split, left, right, default_left } if levels > 0 => {
                nodes.push(Node::Leaf(Leaf::Constant(0.0)));
                let left = copy(tree, *left, levels - 1, next, nodes);
                let right = copy(tree, *right, levels - 1, next, nodes);
                nodes[place] = Node::Split { split: split.clone(), left, right, default_left: *default_left };
            }
            _ => {
                *next += 1;
                nodes.push(Node::Leaf(Leaf::Constant(*next as f32)));
            }
        }
        place
    }
    let mut nodes = vec![];
    copy(tree, 0, depth, &mut 0, &mut nodes);
    Tree::new(nodes).expect("a part of a tree is a tree")
}

/// The node above each; the root's is itself.
pub(super) fn parents(tree: &Tree) -> Vec<usize> {
    let mut parent = vec![0; tree.size()];
    for (id, node) in tree.nodes().iter().enumerate() {
        if let Node::Split { left, right, .. } = node {
            (parent[*left], parent[*right]) = (id, id);
        }
    }
    parent
}
