//! The start of a descent at a greedy tree: its planes, pruning scores and answers as numbers of θ.

use super::answers::NodeSums;
use super::greedy::Greedy;
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::predictor::Predictor;
use crate::learn::relaxed::paper::pruning::ends;
use crate::learn::relaxed::paper::samples::{Goal, Samples};

/// Writes a greedy tree into θ: its planes, and η = −1 below nodes without a plane.
///
/// The predictor sums, along a path, by how much each node's answer differs from its parent's. A hidden layer
/// keeps its random start.
pub fn begin_at(shape: &Shape, tree: &Greedy, samples: &Samples, theta: &mut [f64]) {
    theta[..shape.eta_at()].copy_from_slice(&tree.planes);
    for t in (0..shape.inner()).filter(|&t| !tree.splits[t]) {
        theta[shape.eta_at() + 2 * t + 1] = -1.0;
        theta[shape.eta_at() + 2 * t + 2] = -1.0;
    }
    if shape.predictor == Predictor::Mlp {
        return;
    }
    let mut sums = NodeSums::new(shape.nodes(), &samples.goal);
    sums.add(samples, &ends(shape, theta, &tree.splits, samples));
    let (answers, width, c) = (sums.answers(1.0), samples.goal.answers(), shape.outputs);
    let raw = |t: usize| -> Vec<f64> {
        let answer = &answers[t * width..(t + 1) * width];
        let log = |share: f64| libm::log(share.max(1e-3));
        match &samples.goal {
            Goal::Classes { classes: 2, .. } => vec![log(answer[1]) - log(answer[0])],
            Goal::Classes { .. } => answer.iter().map(|&share| log(share)).collect(),
            Goal::Numbers { .. } => answer.to_vec(),
        }
    };
    let at = shape.predictor_at();
    theta[at..].iter_mut().for_each(|number| *number = 0.0);
    for t in 1..shape.nodes() {
        let (own, above) = (raw(t), raw((t - 1) / 2));
        for k in 0..c {
            theta[at + t * c + k] = own[k] - above[k];
        }
    }
    let (end, root) = (theta.len(), raw(0));
    theta[end - c..].copy_from_slice(&root);
}
