//! From planes and kept splits to the hard tree that everything else reads.
//!
//! In version A a sample's traversal is positive on one path only, which the signs of its scores choose, so
//! reading the tree hard moves no sample. What hardening costs: a leaf answers with one number, where the
//! relaxed tree weighs how far a sample is from the planes on its path.
//!
//! A row with `s = 0` goes right in the text; here `value <= threshold` goes left, so the threshold is one
//! step of f64 below.

use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::samples::{Goal, Units};
use crate::tree::{Leaf, Node, Split, Tree, round_down};

/// The splits that are kept, and leaves that answer with their own position in heap order. NodeSums in a tree run
/// over f32 weights, so leaves are fitted after this, on the routes of the tree itself. Beside it the
/// position of each node in heap order.
pub fn skeleton(shape: &Shape, theta: &[f64], kept: &[bool]) -> (Tree, Vec<usize>) {
    let mut nodes = vec![];
    // Positions in heap order; each node appends its children, so the list is breadth-first.
    let mut heap = vec![0usize];
    while nodes.len() < heap.len() {
        let t = heap[nodes.len()];
        if t < kept.len() && kept[t] {
            let (left, right) = (heap.len(), heap.len() + 1);
            heap.extend([2 * t + 1, 2 * t + 2]);
            nodes.push(split(shape, theta, t, left, right));
        } else {
            nodes.push(Node::Leaf(Leaf::Constant(t as f32)));
        }
    }
    (Tree::new(nodes).expect("kept splits form a tree"), heap)
}

/// The position in heap order of the leaf a row of a skeleton falls into.
pub fn heap_leaf(skeleton: &Tree, row: &[f32]) -> u32 {
    skeleton.output(skeleton.leaf_of(row), row)[0] as u32
}

/// Node `t`: `w·x + b < 0` goes left.
fn split(shape: &Shape, theta: &[f64], t: usize, mut left: usize, mut right: usize) -> Node {
    let f = shape.features;
    let weights: Vec<f32> = theta[t * f..(t + 1) * f].iter().map(|&w| w as f32).collect();
    let bias = theta[shape.bias_at() + t];
    let used: Vec<usize> = (0..f).filter(|&j| weights[j] != 0.0).collect();
    let split = match used[..] {
        // One column alone is an ordinary split: x < −b/w, or x > −b/w with the sides exchanged.
        [feature] => {
            let bound = (-bias / f64::from(weights[feature])).clamp(f64::from(f32::MIN), f64::from(f32::MAX));
            let below = round_down(bound);
            let threshold = if weights[feature] < 0.0 {
                std::mem::swap(&mut left, &mut right);
                below
            } else if f64::from(below) == bound {
                below.next_down()
            } else {
                below
            };
            Split::Numerical { feature, threshold }
        }
        _ => Split::Oblique {
            weights: used.iter().map(|&j| weights[j]).collect(),
            missing_values: vec![0.0; used.len()],
            features: used,
            threshold: (-bias).next_down(),
        },
    };
    // No value is missing in the design, so no side is the better guess.
    Node::Split { split, left, right, default_left: true }
}

/// A skeleton with answers (T × width) in the target's own units.
pub fn with_answers(skeleton: &Tree, answers: &[f64], goal: &Goal, units: Units) -> Tree {
    let width = goal.answers();
    let filled = skeleton.nodes().iter().map(|node| match node {
        Node::Leaf(Leaf::Constant(heap)) => {
            let numbers = &answers[*heap as usize * width..][..width];
            Node::Leaf(match goal {
                Goal::Classes { .. } => Leaf::Scores(numbers.iter().map(|&share| share as f32).collect()),
                Goal::Numbers { outputs: 1, .. } => {
                    Leaf::Constant((units.centre + units.scale * numbers[0]) as f32)
                }
                // Several numbers are of clusters, which are told apart by all of them.
                Goal::Numbers { .. } => Leaf::Scores(numbers.iter().map(|&number| number as f32).collect()),
            })
        }
        other => other.clone(),
    });
    Tree::new(filled.collect()).expect("the shape is unchanged")
}
