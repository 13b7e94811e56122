//! Hierarchical k-means on the same rows, as a yardstick for groups.

use super::GroupsFit;
use crate::encode::{Design, Encoder, Problem, Vocabulary};
use crate::learn::kmeans::Bisection;
use crate::run::Yardstick;
use crate::run::fit::Sources;

impl GroupsFit {
    /// Divides the rows by all usable columns, encoded alike, down to a depth.
    pub(super) fn bisected(&self, from: Sources<'_>, depth: usize) -> Yardstick {
        let Sources { table, parts, .. } = from;
        let columns = from.problem.columns.iter().chain(&self.predicted.columns).copied().collect();
        let problem = Problem { columns, ..from.problem.clone() };
        let all: Vec<usize> = (0..problem.rows.len()).collect();
        let vocabulary = Vocabulary::fit(table, &problem, &parts.train);
        let values = vocabulary.values(table, &problem, &all);
        let trained = values.select_columns(&parts.train);
        let labels = problem.labels.select(&parts.train);
        let wants = self.encoded.config.wants();
        let encoder = Encoder::fit(&vocabulary.features, &trained, &labels, &values, &wants, self.seed);
        let design = encoder.design(&values, problem.labels.clone());
        let trained = Design { x: design.x.select_columns(&parts.train), y: design.y.select(&parts.train) };
        let tree = Bisection::fit(&trained, depth, self.seed);
        let leaf: Vec<usize> = design.rows().map(|x| tree.leaf_of(x)).collect();
        let parent: Vec<usize> = (0..tree.nodes()).map(|t: usize| t.saturating_sub(1) / 2).collect();
        let mut seen = vec![false; tree.nodes()];
        leaf.iter().for_each(|&leaf| seen[leaf] = true);
        let leaves = seen.into_iter().filter(|&seen| seen).count();
        Yardstick { metrics: self.scores(from, &parent, &leaf), leaves }
    }
}
