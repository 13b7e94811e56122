//! Hierarchical k-means on the same rows, as a yardstick for groups.

use super::{ClusterRun, explained, purity_of};
use crate::encode::{Design, Encoder, Problem, Vocabulary};
use crate::learn::kmeans::Bisection;
use crate::numeric::order::map_of;
use crate::run::Metrics;

/// What k-means comes to.
#[derive(Debug, Clone)]
pub struct Yardstick {
    /// As of a [`super::Clustered`]. Its groups see the predicted columns too, which flatters `r2`.
    pub metrics: Metrics,
    /// Groups that a row is in.
    pub leaves: usize,
}

impl ClusterRun {
    /// Divides the rows by all usable columns, encoded alike, down to a depth.
    pub fn yardstick(&self, depth: usize) -> Yardstick {
        let columns = self.problem.columns.iter().chain(&self.targets).copied().collect();
        let problem = Problem { columns, ..self.problem.clone() };
        let all: Vec<usize> = (0..problem.rows.len()).collect();
        let vocabulary = Vocabulary::fit(&self.table, &problem, &self.parts.train);
        let values = vocabulary.values(&self.table, &problem, &all);
        let trained = values.select_columns(&self.parts.train);
        let labels = problem.labels.select(&self.parts.train);
        let wants = self.config.wants();
        let encoder = Encoder::fit(&vocabulary.features, &trained, &labels, &values, &wants, self.settings.seed.into());
        let design = encoder.design(&values, problem.labels.clone());
        let part = &self.parts.train;
        let trained = Design { x: design.x.select_columns(part), y: design.y.select(part) };
        let tree = Bisection::fit(&trained, depth, u64::from(self.settings.seed));
        let leaf: Vec<usize> = design.rows().map(|x| tree.leaf_of(x)).collect();
        let parent: Vec<usize> = (0..tree.nodes()).map(|t: usize| t.saturating_sub(1) / 2).collect();
        let labels = self.settings.label.as_ref().map(|name| self.labels(name));
        let scored = |(part, rows): (&'static str, &[usize])| {
            let mut scores = map_of(explained(self, &leaf, rows).map(|r2| ("r2", r2)));
            if let Some((label, classes)) = &labels
                && let Some(purity) = purity_of(&parent, &leaf, label, *classes, rows)
            {
                scores.insert("dendrogram_purity", purity);
            }
            (part, scores)
        };
        let metrics = map_of(self.scored_parts(&all).into_iter().filter(|(_, rows)| !rows.is_empty()).map(scored));
        let mut seen = vec![false; tree.nodes()];
        leaf.iter().for_each(|&leaf| seen[leaf] = true);
        Yardstick { metrics, leaves: seen.into_iter().filter(|&seen| seen).count() }
    }
}
