//! Whether and how a node is split, and the summaries of both sides.

use std::sync::Arc;

use super::Config;
use super::criterion::Outcomes;
use super::search::{BestSplit, best_split};
use crate::encode::Design;
use crate::numeric::slices::{Slice, at_once};

/// The statistics of a node's samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The number of samples.
    pub rows: usize,
    /// Their weight.
    pub weight: f64,
    /// Their impurity under the criterion.
    pub impurity: f64,
    /// Their weighted class shares (C), or their mean, median or quantile (1).
    pub answer: Vec<f64>,
}

/// A split with its two sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Halves {
    /// The split.
    pub best: BestSplit,
    /// The samples that go left.
    pub left: Summary,
    /// The samples that go right.
    pub right: Summary,
}

/// The rules by which nodes are split, with the samples.
pub struct Splitter {
    config: Config,
    design: Arc<Design>,
    outcomes: Outcomes,
    /// Weight of all samples.
    weight: f64,
}

impl Splitter {
    /// The rules of a configuration that was checked against the design.
    pub fn new(config: Config, design: Arc<Design>) -> Self {
        let outcomes = Outcomes::new(&design.y, &config);
        let all: Vec<u32> = (0..design.samples() as u32).collect();
        let weight = outcomes.weight(&outcomes.sums(&all));
        Splitter { config, design, outcomes, weight }
    }

    /// The statistics of some samples; there is at least one.
    pub fn summary(&self, samples: &[u32]) -> Summary {
        let sums = self.outcomes.sums(samples);
        let (impurity, answer) = self.outcomes.summary(samples, &sums);
        Summary { rows: samples.len(), weight: self.outcomes.weight(&sums), impurity, answer }
    }

    /// Splits a node's samples; none if the node is a leaf. `samples` are in ascending order. After a split
    /// the left ones stand before the right ones, each side in ascending order.
    ///
    /// A split without a gain is made if it is the best one: the gain may come further down, as in XOR. Only
    /// `features`, in ascending order, are tried.
    pub fn split(&self, samples: &mut [u32], depth: u32, node: &Summary, features: &[usize]) -> Option<Halves> {
        at_once(self.split_in_slices(samples, depth, node, features, &mut Slice::default()))
    }

    /// The same in slices.
    pub async fn split_in_slices(
        &self,
        samples: &mut [u32],
        depth: u32,
        node: &Summary,
        features: &[usize],
        slice: &mut Slice,
    ) -> Option<Halves> {
        let min_samples_leaf = self.config.min_samples_leaf as usize;
        let too_few = node.rows < (self.config.min_samples_split as usize).max(2 * min_samples_leaf);
        if depth >= self.config.depth || too_few || node.impurity <= f64::EPSILON {
            return None;
        }
        let best = best_split(&self.design, &self.outcomes, samples, features, min_samples_leaf, slice).await?;
        let boundary = self.partition(samples, &best);
        slice.spend(2 * samples.len()).await;
        let (left, right) = samples.split_at(boundary);
        let (left, right) = (self.summary(left), self.summary(right));
        slice.spend(2 * samples.len()).await;
        let kept = (right.weight * right.impurity + left.weight * left.impurity) / node.weight;
        // No split increases the impurity. A negative gain is a rounding error, and must not stop a split
        // without a gain.
        let improvement = (node.weight / self.weight * (node.impurity - kept)).max(0.0);
        // The margin is scikit-learn's: a decrease that misses the limit by a rounding error passes.
        (improvement + f64::EPSILON >= self.config.min_impurity_decrease).then_some(Halves { best, left, right })
    }

    /// Moves the samples that go left to the front without changing either side's order; returns their
    /// number.
    fn partition(&self, samples: &mut [u32], best: &BestSplit) -> usize {
        let split = best.split();
        let mut right = Vec::new();
        let mut left = 0;
        for at in 0..samples.len() {
            let sample = samples[at];
            if split.goes_left(self.design.row(sample as usize)).unwrap_or(best.default_left) {
                samples[left] = sample;
                left += 1;
            } else {
                right.push(sample);
            }
        }
        samples[left..].copy_from_slice(&right);
        left
    }
}
