//! Hierarchical shrinkage: every node of the finished tree has an answer, drawn towards its parent's; the
//! fewer samples a node has, the more.
//!
//! A leaf of few samples overfits. Hierarchical shrinkage (Agarwal, Tan, Ronen, Singh and Yu, ICML 2022)
//! takes `v_child = v_parent + (mean_child − mean_parent) / (1 + λ/n_parent)` from the root down. Class
//! shares are drawn alike. A linear leaf is its parent's model plus a ridge fit of what that leaves over, so
//! that λ leads from a model per leaf to one for all. The route stays hard and the tree stays one tree; only
//! the numbers in its leaves change. Both λ and how many levels are kept are chosen on validation samples.

use crate::learn::get::kernel::blocks::{Blocks, Truth};
use crate::learn::get::paper::parameters::Answer;
use crate::numeric::solve::LeastSquares;

/// Answers of all nodes of a complete tree, in heap order, for one λ.
#[derive(Debug, Clone)]
pub(crate) struct Answers {
    /// Nodes and leaves (N + L), each a number, shares (C), or coefficients and constant (F + 1).
    pub nodes: Vec<Vec<f64>>,
}

/// Strengths that are tried on validation samples.
pub(crate) fn strengths(answer: Answer) -> &'static [f64] {
    match answer {
        Answer::Constant | Answer::Classes(_) => &[0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0],
        Answer::Linear => &[0.01, 0.1, 1.0, 10.0, 100.0],
    }
}

/// The answers of all nodes. `route` is the leaf of each sample.
pub(crate) fn answers(
    blocks: &Blocks<f32>,
    route: &[u32],
    depth: usize,
    answer: Answer,
    lambda: f64,
) -> Answers {
    let nodes = (1usize << depth) - 1;
    let mut below: Vec<Vec<u32>> = vec![vec![]; 2 * nodes + 1];
    for (i, &leaf) in route.iter().enumerate() {
        below[nodes + leaf as usize].push(i as u32);
    }
    for t in (0..nodes).rev() {
        // In the order of the leaves, so that sums have one order.
        let [left, right] = [2 * t + 1, 2 * t + 2].map(|child| below[child].clone());
        below[t] = [left, right].concat();
    }
    match answer {
        Answer::Linear => linear(blocks, &below, lambda),
        Answer::Constant => means(&below, lambda, 1, |i, sum| {
            let Truth { value, weight, .. } = blocks.truth(i);
            sum[0] += weight * value;
            weight
        }),
        Answer::Classes(classes) => means(&below, lambda, classes, |i, sum| {
            let Truth { class, weight, .. } = blocks.truth(i);
            sum[class as usize] += weight;
            weight
        }),
    }
}

fn means(below: &[Vec<u32>], lambda: f64, numbers: usize, add: impl Fn(usize, &mut [f64]) -> f64) -> Answers {
    let mean = |samples: &Vec<u32>| {
        let (mut sum, mut weight) = (vec![0.0; numbers], 0.0);
        samples.iter().for_each(|&i| weight += add(i as usize, &mut sum));
        sum.iter_mut().for_each(|sum| *sum /= if weight > 0.0 { weight } else { 1.0 });
        (sum, weight)
    };
    let plain: Vec<(Vec<f64>, f64)> = below.iter().map(mean).collect();
    let mut nodes: Vec<Vec<f64>> = plain.iter().map(|(mean, _)| mean.clone()).collect();
    for t in 1..below.len() {
        let parent = (t - 1) / 2;
        let share = if below[t].is_empty() { 0.0 } else { 1.0 / (1.0 + lambda / plain[parent].1) };
        nodes[t] =
            (0..numbers).map(|k| nodes[parent][k] + (plain[t].0[k] - plain[parent].0[k]) * share).collect();
    }
    Answers { nodes }
}

fn linear(blocks: &Blocks<f32>, below: &[Vec<u32>], lambda: f64) -> Answers {
    let features = blocks.features();
    let mut normal = LeastSquares::new(blocks.summable());
    let mut nodes: Vec<Vec<f64>> = vec![];
    // A pseudo-sample counts as much as a sample of mean variance, which min-max scaled columns have around
    // 1/20.
    let rho = 0.05 * lambda;
    for (t, samples) in below.iter().enumerate() {
        let zero = vec![0.0; features + 1];
        let parent = if t == 0 { &zero } else { &nodes[(t - 1) / 2] };
        let rest = |&i: &u32| {
            let x = blocks.sample(i as usize);
            let answer: f64 = x.iter().zip(parent).map(|(&x, k)| f64::from(x) * k).sum();
            let truth = blocks.truth(i as usize);
            (x, truth.value - answer, truth.weight)
        };
        // Far fewer samples than coefficients say little about slopes, and cost as much to solve.
        let (ridge, least) = ([1e-8, rho], if t == 0 { 0.0 } else { 0.25 });
        let step = normal.fit(|| samples.iter().map(rest), ridge, least, 0.0);
        // The ridge draws slopes; what the samples leave over on average is drawn here.
        let weight: f64 = samples.iter().map(|&i| blocks.truth(i as usize).weight).sum();
        let share = if t == 0 || weight == 0.0 { 1.0 } else { weight / (weight + lambda.min(1.0)) };
        nodes.push(parent.iter().zip(step).map(|(parent, step)| parent + share * step).collect());
    }
    Answers { nodes }
}

impl Answers {
    /// Mean loss of each number of levels kept, 0 to D: squared error, or how often the likeliest class is
    /// wrong plus a hundredth of the cross-entropy, which decides where errors are equal.
    pub(crate) fn losses(
        &self,
        blocks: &Blocks<f32>,
        route: &[u32],
        depth: usize,
        answer: Answer,
    ) -> Vec<f64> {
        let nodes = (1usize << depth) - 1;
        let mut losses = vec![0.0; depth + 1];
        for (i, &leaf) in route.iter().enumerate() {
            let (x, truth) = (blocks.sample(i), blocks.truth(i));
            for (kept, loss) in losses.iter_mut().enumerate() {
                let node = ((nodes + leaf as usize + 1) >> (depth - kept)) - 1;
                *loss += loss_of(&self.nodes[node], x, &truth, answer);
            }
        }
        losses.iter_mut().for_each(|loss| *loss /= route.len().max(1) as f64);
        losses
    }
}

fn loss_of(numbers: &[f64], x: &[f32], truth: &Truth, answer: Answer) -> f64 {
    match answer {
        Answer::Constant => (truth.value - numbers[0]) * (truth.value - numbers[0]),
        Answer::Linear => {
            let r = truth.value - x.iter().zip(numbers).map(|(&x, k)| f64::from(x) * k).sum::<f64>();
            r * r
        }
        Answer::Classes(_) => {
            let share = numbers[truth.class as usize];
            let likeliest = crate::numeric::order::first_largest(numbers);
            f64::from(u8::from(likeliest != truth.class as usize)) - 0.01 * libm::log(share.max(1e-6))
        }
    }
}
