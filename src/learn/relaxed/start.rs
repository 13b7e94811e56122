//! Where a descent begins: random planes whose constants divide the samples evenly, or a greedy tree.

use super::answers::Sums;
use super::greedy::Greedy;
use super::harden::ends;
use super::parameters::Shape;
use super::predictor::Predictor;
use super::samples::{Goal, Samples};
use super::traversal::dot;
use crate::encode::Design;
use crate::numeric::random::Random;

/// How pruning scores begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scores {
    /// Uniform in (−1, 1), as published.
    Uniform,
    /// All alike.
    Level(f64),
}

/// Weights uniform in ±1/√F, constants by [`even_bias`], the predictor as linear layers begin.
pub fn parameters(shape: &Shape, design: &Design, scores: Scores, random: &mut Random) -> Vec<f64> {
    let bound = 1.0 / (shape.features.max(1) as f64).sqrt();
    let mut theta: Vec<f64> = (0..shape.bias_at()).map(|_| random.uniform_in(-bound, bound)).collect();
    let bias = even_bias(shape, &theta, design);
    theta.extend(bias);
    for _ in 0..shape.nodes() {
        theta.push(match scores {
            Scores::Uniform => random.uniform_in(-1.0, 1.0),
            Scores::Level(level) => level,
        });
    }
    for at in 0..shape.numbers() - shape.predictor_at() {
        let bound = shape.predictor.start_bound(at, shape.features, shape.nodes(), shape.outputs);
        theta.push(if bound > 0.0 { random.uniform_in(-bound, bound) } else { 0.0 });
    }
    theta
}

/// Puts a greedy tree into the list of all that is learned: its planes, pruning scores that leave nothing below nodes without
/// a plane, and a predictor that adds up, along a path, by how much each node's answer differs from its parent's.
pub fn begin_at(shape: &Shape, tree: &Greedy, samples: &Samples, theta: &mut [f64]) {
    theta[..shape.eta_at()].copy_from_slice(&tree.planes);
    for t in (0..shape.inner()).filter(|&t| !tree.splits[t]) {
        theta[shape.eta_at() + 2 * t + 1] = -1.0;
        theta[shape.eta_at() + 2 * t + 2] = -1.0;
    }
    if shape.predictor == Predictor::Mlp {
        return;
    }
    let mut sums = Sums::new(shape.nodes(), &samples.goal);
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

/// From the root down, `b_t = −` mean of `w_t·x` over the samples that reach t under the constants set before; for a node that
/// none reaches the mean over all. Every node then has samples on both sides, as far as the samples differ.
pub fn even_bias(shape: &Shape, weights: &[f64], design: &Design) -> Vec<f64> {
    let (inner, f) = (shape.inner(), shape.features);
    let mut bias = vec![0.0; inner];
    let mut at = vec![0usize; design.samples()];
    let mut begin = 0;
    for level in 0..shape.depth {
        let width = 1 << level;
        let mut sums = vec![(0.0, 0usize); width];
        for (i, &t) in at.iter().enumerate() {
            let sum = &mut sums[t - begin];
            sum.0 += dot(&weights[t * f..(t + 1) * f], design.row(i));
            sum.1 += 1;
        }
        for (k, (sum, count)) in sums.into_iter().enumerate() {
            let t = begin + k;
            let mean = if count > 0 {
                sum / count as f64
            } else {
                let all = design.rows().map(|x| dot(&weights[t * f..(t + 1) * f], x)).sum::<f64>();
                all / design.samples().max(1) as f64
            };
            bias[t] = -mean;
        }
        for (i, t) in at.iter_mut().enumerate() {
            let s = dot(&weights[*t * f..(*t + 1) * f], design.row(i)) + bias[*t];
            *t = 2 * *t + if s < 0.0 { 1 } else { 2 };
        }
        begin += width;
    }
    bias
}
