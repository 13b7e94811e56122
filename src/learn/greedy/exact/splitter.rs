//! Whether and how a node is split, and the summaries of both sides.

use std::sync::Arc;

use super::SplitRules;
use super::criterion::Outcomes;
use super::search::{BestSplit, best_split};
use crate::encode::Design;
use crate::learn::greedy::grower::{Halves, partition};
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

/// The rules by which nodes are split, with the samples.
pub struct Splitter {
    rules: SplitRules,
    design: Arc<Design>,
    outcomes: Outcomes,
    /// Weight of all samples.
    weight: f64,
}

impl Splitter {
    /// For rules that were checked against the design.
    pub fn new(rules: SplitRules, design: Arc<Design>) -> Self {
        let outcomes = Outcomes::new(&design.y, &rules);
        let all: Vec<u32> = (0..design.samples() as u32).collect();
        let weight = outcomes.weight(&outcomes.sums(&all));
        Splitter { rules, design, outcomes, weight }
    }

    /// The most levels of splits.
    pub(super) fn depth(&self) -> u32 {
        self.rules.depth
    }

    /// The number of columns.
    pub(super) fn features(&self) -> usize {
        self.design.features()
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
    pub fn split(
        &self,
        samples: &mut [u32],
        depth: u32,
        node: &Summary,
        features: &[usize],
    ) -> Option<Halves<BestSplit, Summary>> {
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
    ) -> Option<Halves<BestSplit, Summary>> {
        let min_samples_leaf = self.rules.min_samples_leaf as usize;
        let too_few = node.rows < (self.rules.min_samples_split as usize).max(2 * min_samples_leaf);
        if depth >= self.rules.depth || too_few || node.impurity <= f64::EPSILON {
            return None;
        }
        let best =
            best_split(&self.design, &self.outcomes, samples, features, min_samples_leaf, slice).await?;
        let split = best.split();
        let goes_left = |row: &[f32]| split.goes_left(row).unwrap_or(best.default_left);
        let boundary = partition(samples, |sample| goes_left(self.design.row(sample as usize)));
        slice.spend(2 * samples.len()).await;
        let (left, right) = samples.split_at(boundary);
        let (left, right) = (self.summary(left), self.summary(right));
        slice.spend(2 * samples.len()).await;
        let kept = (right.weight * right.impurity + left.weight * left.impurity) / node.weight;
        // No split increases the impurity. A negative gain is a rounding error, and must not stop a split
        // without a gain.
        let improvement = (node.weight / self.weight * (node.impurity - kept)).max(0.0);
        // The margin is scikit-learn's: a decrease that misses the limit by a rounding error passes.
        (improvement + f64::EPSILON >= self.rules.min_impurity_decrease).then_some(Halves {
            cut: best,
            boundary,
            left,
            right,
        })
    }
}
