//! From planes to the hard tree that everything else reads.

use crate::encode::Labels;
use crate::learn::get::kernel::blocks::{Blocks, Truth};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::tree::{Leaf, Node, Split, Tree};

/// How the target was scaled: `y = least + range · scaled`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TargetScale {
    /// The least training target.
    pub least: f64,
    /// Greatest less least, or 1 where they are equal.
    pub range: f64,
}

impl TargetScale {
    /// A target as it is.
    pub const NONE: TargetScale = TargetScale { least: 0.0, range: 1.0 };

    /// From the least of some labels to the greatest; classes are not scaled.
    pub fn of(labels: &Labels) -> TargetScale {
        let Labels::Values(values) = labels else { return TargetScale::NONE };
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        TargetScale { least, range: if range > 0.0 && range.is_finite() { range } else { 1.0 } }
    }

    /// Label `i`, scaled.
    pub fn truth(self, labels: &Labels, i: usize) -> Truth {
        match labels {
            Labels::Values(values) => {
                Truth { value: (values[i] - self.least) / self.range, class: 0, weight: 1.0 }
            }
            Labels::Classes { label, .. } => Truth { value: 0.0, class: label[i], weight: 1.0 },
        }
    }
}

/// The splits of a complete tree, and leaves that answer with their own position from left to right.
///
/// BatchSums in a tree run in f64 over the listed features, in training in f32 over all: a sample within rounding
/// of a plane may fall on the other side. So leaves are fitted after this, on the routes of the tree itself.
pub fn skeleton(tree: &Parameters<f32>, features: usize) -> Tree {
    let splits = tree.nodes();
    let mut nodes: Vec<Node> = (0..splits).map(|t| split(tree.plane(t), features, t)).collect();
    nodes.extend((0..=splits).map(|leaf| Node::Leaf(Leaf::Constant(leaf as f32))));
    Tree::new(nodes).expect("a complete tree is a tree")
}

/// The leaf of a row in a skeleton.
pub fn leaf_of(skeleton: &Tree, row: &[f32]) -> u32 {
    skeleton.output(skeleton.leaf_of(row), row)[0] as u32
}

/// Node `t` of heap order: `a·x <= b` goes left.
fn split(plane: &[f32], features: usize, t: usize) -> Node {
    let used: Vec<usize> = (0..features).filter(|&j| plane[j] != 0.0).collect();
    let threshold = f64::from(plane[features]);
    let (mut left, mut right) = (2 * t + 1, 2 * t + 2);
    let split = match used[..] {
        // One column alone is an ordinary split: x <= b/a, or x >= b/a with the sides exchanged.
        [feature] => {
            let bound = -threshold / f64::from(plane[feature]);
            let bound = bound.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
            let threshold = if plane[feature] < 0.0 {
                crate::tree::round_down(bound)
            } else {
                std::mem::swap(&mut left, &mut right);
                let below = crate::tree::round_down(bound);
                if f64::from(below) == bound { below.next_down() } else { below }
            };
            Split::Numerical { feature, threshold }
        }
        _ => Split::Oblique {
            weights: used.iter().map(|&j| -plane[j]).collect(),
            missing_values: vec![0.0; used.len()],
            features: used,
            threshold,
        },
    };
    // No value is missing in the design, so no side is the better guess.
    Node::Split { split, left, right, default_left: true }
}

/// The leaf of each sample in a skeleton.
pub fn skeleton_routes(skeleton: &Tree, blocks: &Blocks<f32>) -> Vec<u32> {
    (0..blocks.samples()).map(|i| leaf_of(skeleton, &blocks.sample(i)[..blocks.features()])).collect()
}

/// A skeleton whose leaves answer in the target's own units. `of` has the answer of each leaf, counted from
/// left to right.
pub fn with_answers<'a>(
    skeleton: &Tree,
    of: impl Fn(usize) -> &'a [f64],
    answer: Answer,
    scale: TargetScale,
) -> Tree {
    let filled = skeleton.nodes().iter().map(|node| match node {
        Node::Leaf(Leaf::Constant(position)) => Node::Leaf(leaf(of(*position as usize), answer, scale)),
        other => other.clone(),
    });
    Tree::new(filled.collect()).expect("the shape is unchanged")
}

fn leaf(numbers: &[f64], answer: Answer, scale: TargetScale) -> Leaf {
    let unscaled = |y: f64| (scale.least + scale.range * y) as f32;
    match answer {
        Answer::Constant => Leaf::Constant(unscaled(numbers[0])),
        Answer::Classes(_) => Leaf::Scores(numbers.iter().map(|&share| share as f32).collect()),
        Answer::Linear => {
            let (constant, slopes) = numbers.split_last().expect("a constant stands last");
            let slopes: Vec<f32> = slopes.iter().map(|&k| (k * scale.range) as f32).collect();
            let used: Vec<usize> = (0..slopes.len()).filter(|&j| slopes[j] != 0.0).collect();
            if used.is_empty() {
                return Leaf::Constant(unscaled(*constant));
            }
            Leaf::Linear {
                constant: unscaled(*constant),
                coefficients: used.iter().map(|&j| slopes[j]).collect(),
                missing_values: vec![0.0; used.len()],
                features: used,
                // Set when the tree is decoded, where all targets are known.
                bounds: None,
            }
        }
    }
}
