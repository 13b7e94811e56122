//! The random start: planes, biases that divide the samples evenly, pruning scores, the predictor.

use super::parameters::Shape;
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

/// θ at the start: weights uniform in ±1/√F, biases by [`even_bias`], the predictor as linear layers begin.
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

/// Biases so that samples divide evenly. From the root down, `b_t` is minus the mean of `w_t·x` over the
/// samples that reach t under the biases set above it; where no sample arrives the mean is over all samples.
///
/// Every node then has samples on both sides, as far as the samples differ.
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
