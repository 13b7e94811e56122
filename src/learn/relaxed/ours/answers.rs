//! The answers of the hard tree's leaves: means over their samples, shrunk towards the answers above.
//!
//! Hierarchical shrinkage (Agarwal, Tan, Ronen, Singh and Yu, ICML 2022) as GET has it:
//! `v_child = v_parent + (mean_child − mean_parent) / (1 + λ/n_parent)`.

use crate::learn::relaxed::paper::samples::{Goal, Samples};

/// Strengths of shrinkage that validation chooses from.
pub const STRENGTHS: [f64; 6] = [0.3, 1.0, 3.0, 10.0, 30.0, 100.0];

/// NodeSums over the samples that reach each node of a complete tree, in heap order.
#[derive(Debug, Clone)]
pub struct NodeSums {
    /// Numbers of a truth.
    width: usize,
    /// T × width.
    sums: Vec<f64>,
    /// What the samples count together (T).
    counts: Vec<f64>,
}

impl NodeSums {
    /// Of no sample yet.
    pub fn new(nodes: usize, goal: &Goal) -> NodeSums {
        let width = goal.answers();
        NodeSums { width, sums: vec![0.0; nodes * width], counts: vec![0.0; nodes] }
    }

    /// Adds samples; `leaf` is the node each of them ends at.
    pub fn add(&mut self, samples: &Samples, leaf: &[u32]) {
        for (i, &leaf) in leaf.iter().enumerate() {
            let mut t = leaf as usize;
            loop {
                self.counts[t] += samples.add_truth(i, &mut self.sums[t * self.width..(t + 1) * self.width]);
                if t == 0 {
                    break;
                }
                t = (t - 1) / 2;
            }
        }
    }

    /// The answers of all nodes (T × width) for a strength. A node without samples answers as its parent.
    pub fn answers(&self, lambda: f64) -> Vec<f64> {
        let width = self.width;
        let mean = |t: usize, k: usize| {
            self.sums[t * width + k] / if self.counts[t] > 0.0 { self.counts[t] } else { 1.0 }
        };
        let mut answers: Vec<f64> = (0..width).map(|k| mean(0, k)).collect();
        for t in 1..self.counts.len() {
            let parent = (t - 1) / 2;
            let share = if self.counts[t] > 0.0 { 1.0 / (1.0 + lambda / self.counts[parent]) } else { 0.0 };
            for k in 0..width {
                let answer = answers[parent * width + k] + share * (mean(t, k) - mean(parent, k));
                answers.push(answer);
            }
        }
        answers
    }

    /// The loss of [`shown_loss`] on the samples that were added, without asking where each of them ends:
    /// sums of targets are enough.
    pub fn shown_loss(&self, answers: &[f64], kept: &[bool], samples: &Samples) -> f64 {
        let is_leaf = |t: usize| !kept.get(t).is_some_and(|&kept| kept) && (t == 0 || kept[(t - 1) / 2]);
        let mut sum = 0.0;
        for t in (0..self.counts.len()).filter(|&t| is_leaf(t)) {
            let range = t * self.width..(t + 1) * self.width;
            for (k, (&answer, &truths)) in answers[range.clone()].iter().zip(&self.sums[range]).enumerate() {
                sum += match &samples.goal {
                    Goal::Classes { weight, .. } => truths / weight[k] * log_loss(answer),
                    Goal::Numbers { .. } => {
                        (answer * self.counts[t] - 2.0 * truths) * answer / self.width as f64
                    }
                };
            }
        }
        if let Goal::Numbers { values, outputs } = &samples.goal {
            sum += values.iter().map(|y| y * y).sum::<f64>() / *outputs as f64;
        }
        sum / samples.len().max(1) as f64
    }

    /// Of the splits that are kept those that are worth it: the subtree with the root's split that has the
    /// least loss on these samples plus `charge` for each node but the root. It is found exactly, from the
    /// leaves up.
    pub fn worth(&self, kept: &[bool], classes: bool, charge: f64) -> Vec<bool> {
        let total = self.counts[0].max(f64::MIN_POSITIVE);
        let leaf: Vec<f64> = (0..self.counts.len()).map(|t| self.leaf_loss(t, classes) / total).collect();
        let mut least = leaf.clone();
        let mut worth = kept.to_vec();
        for t in (0..kept.len()).rev().filter(|&t| kept[t]) {
            let split = least[2 * t + 1] + least[2 * t + 2] + 2.0 * charge;
            worth[t] = t == 0 || split < leaf[t];
            if worth[t] {
                least[t] = split;
            }
        }
        for t in 1..kept.len() {
            worth[t] &= worth[(t - 1) / 2];
        }
        worth
    }

    /// The loss of the samples at a node if all are answered alike: cross-entropy, or squared error without
    /// the squares of the targets, which are the same for every tree.
    fn leaf_loss(&self, t: usize, classes: bool) -> f64 {
        let (sums, count) = (&self.sums[t * self.width..(t + 1) * self.width], self.counts[t]);
        if count <= 0.0 {
            return 0.0;
        }
        let of = |sum: f64| match classes {
            true if sum > 0.0 => -sum * libm::log(sum / count),
            true => 0.0,
            false => -sum * sum / count / self.width as f64,
        };
        sums.iter().map(|&sum| of(sum)).sum()
    }
}

/// What a sample loses whose class has this probability. As in the scores, none counts as nearer to 0 than
/// the bound.
fn log_loss(probability: f64) -> f64 {
    const CLIP: f64 = 1e-15;
    -libm::log(probability.clamp(CLIP, 1.0 - CLIP))
}

/// The mean log loss of samples that end at some nodes, or their squared error, every sample counting the
/// same.
pub fn shown_loss(answers: &[f64], samples: &Samples, leaf: &[u32]) -> f64 {
    let width = samples.goal.answers();
    let of = |i: usize| {
        let answer = &answers[leaf[i] as usize * width..][..width];
        match &samples.goal {
            Goal::Classes { label, .. } => log_loss(answer[label[i] as usize]),
            Goal::Numbers { values, .. } => {
                let y = &values[i * width..(i + 1) * width];
                answer.iter().zip(y).map(|(a, y)| (a - y) * (a - y)).sum::<f64>() / width as f64
            }
        }
    };
    (0..leaf.len()).map(of).sum::<f64>() / leaf.len().max(1) as f64
}

/// The mean loss of samples that end at some nodes: squared error, or how often the likeliest class is wrong
/// plus a hundredth of the cross-entropy, which decides where errors are equal.
pub fn hard_loss(answers: &[f64], samples: &Samples, leaf: &[u32]) -> f64 {
    let width = samples.goal.answers();
    let of = |i: usize| {
        let answer = &answers[leaf[i] as usize * width..][..width];
        match &samples.goal {
            Goal::Classes { label, .. } => {
                let class = label[i] as usize;
                let wrong = crate::numeric::order::first_largest(answer) != class;
                f64::from(u8::from(wrong)) - 0.01 * libm::log(answer[class].max(1e-6))
            }
            Goal::Numbers { values, .. } => {
                let y = &values[i * width..(i + 1) * width];
                answer.iter().zip(y).map(|(a, y)| (a - y) * (a - y)).sum::<f64>() / width as f64
            }
        }
    };
    let total: f64 = (0..leaf.len()).map(|i| samples.weight(i)).sum();
    (0..leaf.len()).map(|i| samples.weight(i) * of(i)).sum::<f64>() / if total > 0.0 { total } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{Design, Labels};
    use nalgebra::DMatrix;
    use std::sync::Arc;

    #[test]
    fn the_loss_from_sums_is_that_of_the_samples() {
        let design = Arc::new(Design { x: DMatrix::zeros(1, 9), y: Labels::Values(vec![0.0; 9]) });
        let label = vec![0, 1, 2, 0, 0, 1, 2, 2, 2];
        let classes = Goal::Classes { label, classes: 3, weight: vec![0.5, 2.0, 1.25] };
        let numbers =
            Goal::Numbers { values: (0..18).map(|i| f64::from(i * i % 7) - 3.0).collect(), outputs: 2 };
        // A root whose left child splits again: samples end at nodes 2, 3 and 4.
        let (kept, leaf) = ([true, true, false], [2, 3, 4, 4, 3, 2, 2, 4, 3]);
        for goal in [classes, numbers] {
            let samples = Samples { design: design.clone(), goal };
            let mut sums = NodeSums::new(7, &samples.goal);
            sums.add(&samples, &leaf);
            let answers = sums.answers(3.0);
            let (fast, slow) =
                (sums.shown_loss(&answers, &kept, &samples), shown_loss(&answers, &samples, &leaf));
            assert!((fast - slow).abs() < 1e-12 && slow > 0.1, "{fast} {slow}");
        }
    }
}
