//! Groups of rows without a target: some columns are predicted from the others, and the tree that does so is
//! kept.
//!
//! The columns to predict are chosen without any label ([`targets::choose`]); splits read the others. Levels
//! are cut where validation rows, again without a label, are predicted best. A column of labels may be named,
//! for a score only.

mod begin;
mod describe;
mod levels;
mod scores;
mod targets;
mod yardstick;

pub(super) use begin::begin;

use levels::{numbered, parents, relabelled};
use nalgebra::DMatrix;
use scores::Predicted;

use super::fit::{Encoded, Fit, Sources, Wanted};
use super::{Fitted, Metrics, Yardstick};
use crate::encode::Thresholds;
use crate::tree::{Model, Node, NodeStats, Tree};

/// A learner that divides rows without a target.
struct GroupsFit {
    encoded: Encoded,
    predicted: Predicted,
    /// The column of labels that the groups are scored by.
    label: Option<String>,
    seed: u64,
}

impl Fit for GroupsFit {
    fn encoded(&self) -> &Encoded {
        &self.encoded
    }

    fn encoded_mut(&mut self) -> &mut Encoded {
        &mut self.encoded
    }

    /// The rows of each node are counted, but not described.
    fn shown(&self, from: Sources<'_>, tree: &Tree) -> Model {
        let tree = relabelled(&self.encoded.in_file(tree, Thresholds::Exact));
        let mut rows = vec![0; tree.size()];
        leaves(&tree, &self.file_values(from)).into_iter().for_each(|leaf| rows[leaf] += 1);
        for (id, node) in tree.nodes().iter().enumerate().rev() {
            if let Node::Split { left, right, .. } = node {
                rows[id] = rows[*left] + rows[*right];
            }
        }
        let stats = rows.into_iter().map(|rows| NodeStats { rows, ..NodeStats::default() }).collect();
        self.encoded.model_around(from, tree, stats)
    }

    #[cfg(any(test, not(target_arch = "wasm32")))]
    fn best(&self, from: Sources<'_>) -> Model {
        self.described(from).0
    }

    fn finish(&self, from: Sources<'_>, stop_reason: &'static str, _: Wanted<'_>) -> Fitted {
        let Encoded { config, training, rows, .. } = &self.encoded;
        let (model, leaf) = self.described(from);
        let progress = training.progress();
        Fitted {
            config: config.clone(),
            metrics: self.scores(from, &parents(&model.tree), &leaf),
            relaxed: Metrics::new(),
            model,
            shrinkage: None,
            rows: *rows,
            stop_reason: progress.stop.map_or(stop_reason, |stop| stop.as_str()),
            kept: training.kept(),
            progress,
        }
    }

    fn yardstick(&self, from: Sources<'_>, depth: usize) -> Option<Yardstick> {
        Some(self.bisected(from, depth))
    }
}

impl GroupsFit {
    /// The file values of all rows (P × N).
    fn file_values(&self, from: Sources<'_>) -> DMatrix<f32> {
        let all: Vec<usize> = (0..from.problem.rows.len()).collect();
        self.encoded.vocabulary.values(from.table, from.problem, &all)
    }

    /// The best hierarchy so far with what distinguishes its nodes, and the leaf of each row.
    fn described(&self, from: Sources<'_>) -> (Model, Vec<usize>) {
        let file = self.file_values(from);
        let decoded = self.encoded.in_file(&self.encoded.training.best(), Thresholds::Tidy);
        let tree = numbered(&decoded, self.best_depth(from, &decoded, &file));
        let leaf = leaves(&tree, &file);
        let stats = self.stats(from, &tree, &leaf);
        (self.encoded.model_around(from, tree, stats), leaf)
    }

    /// How many levels predict the validation rows best, at least one; of equals the fewest.
    fn best_depth(&self, from: Sources<'_>, tree: &Tree, file: &DMatrix<f32>) -> usize {
        let parts = from.parts;
        let judges = if parts.valid.is_empty() { &parts.train } else { &parts.valid };
        let mut best = (f64::NEG_INFINITY, 1);
        for depth in 1..=tree.depth() {
            let leaf = leaves(&numbered(tree, depth), file);
            let r2 = self.predicted.explained(&parts.train, &leaf, judges).unwrap_or(f64::NEG_INFINITY);
            if r2 > best.0 {
                best = (r2, depth);
            }
        }
        best.1
    }

    /// Rows of the whole file at each node, and what distinguishes them.
    fn stats(&self, from: Sources<'_>, tree: &Tree, leaf: &[usize]) -> Vec<NodeStats> {
        let mut rows: Vec<Vec<usize>> = vec![vec![]; tree.size()];
        leaf.iter().enumerate().for_each(|(i, &leaf)| rows[leaf].push(i));
        for (id, node) in tree.nodes().iter().enumerate().rev() {
            if let Node::Split { left, right, .. } = node {
                rows[id] = [rows[*left].as_slice(), &rows[*right]].concat();
            }
        }
        let columns =
            from.problem.columns.iter().chain(&self.predicted.columns).copied().collect::<Vec<usize>>();
        let described = describe::nodes(from.table, &columns, &rows);
        let stats = rows.iter().zip(described);
        stats
            .map(|(rows, description)| NodeStats { rows: rows.len(), description, ..NodeStats::default() })
            .collect()
    }
}

/// The leaf of every row of file values (P × N).
fn leaves(tree: &Tree, file: &DMatrix<f32>) -> Vec<usize> {
    (0..file.ncols()).map(|i| tree.leaf_of(file.column(i).as_slice())).collect()
}
