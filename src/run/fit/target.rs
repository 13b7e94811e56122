//! A learner on the rows of a target.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::{Encoded, Sources};
use crate::encode::{Design, Encoder, Labels, Vocabulary, resampled};
use crate::error::{Code, Error, Result};
use crate::learn::{Columns, Config, Size};
use crate::run::RowCounts;
use crate::tree::Bounds;

/// A learner of a target at work.
pub struct TargetFit {
    pub(super) encoded: Encoded,
    /// The training rows encoded as new rows are; none if the learner was given just that.
    pub(super) as_new: Option<Design>,
    /// File values of the training and validation rows (P × N): for the counts in each node, and for the
    /// scores.
    pub(super) seen: DMatrix<f32>,
    pub(super) seen_labels: Labels,
    /// Which of them are validation rows.
    pub(super) held_out: Vec<bool>,
    /// How far the formulas of leaves may go: by the targets of the training rows, and of those that are
    /// counted.
    pub(super) bounds: [Option<Bounds>; 2],
    /// Training samples that are rows of no file.
    pub(super) synthetic: usize,
}

impl TargetFit {
    /// Encodes the rows as the learner wants them and begins its training.
    pub fn start(from: Sources<'_>, config: &Config, seed: u32) -> Result<TargetFit> {
        let Sources { table, problem, parts, .. } = from;
        let wants = config.wants();
        let (train, valid) = if wants.validation {
            (parts.train.clone(), parts.valid.clone())
        } else {
            (parts.train_and_valid(), vec![])
        };
        let vocabulary = Vocabulary::fit(table, problem, &train);
        if vocabulary.features.is_empty() {
            return Err(Error::new(
                Code::NoFeatures,
                "No column is left to learn from: every usable column has a single value on the training \
                 rows.",
                "Use more rows, another seed, or other columns.",
            ));
        }
        // Cells are read once: the parts are picked from the values of all rows.
        let both = parts.train_and_valid();
        let seen = vocabulary.values(table, problem, &both);
        let [trained_values, valid_values] = [&train, &valid].map(|rows| picked(&seen, &both, rows));
        let seed = u64::from(seed);
        let trained_labels = problem.labels.select(&train);
        let encoder =
            Encoder::fit(&vocabulary.features, &trained_values, &trained_labels, &seen, &wants, seed);
        let as_new = encoder.design(&trained_values, trained_labels.clone());
        let trained = encoder.training_design(&trained_values, trained_labels.clone());
        let trained = resampled(trained.as_ref().unwrap_or(&as_new), wants.resample, seed).or(trained);
        let (train_design, as_new) = match trained {
            Some(trained) => (Arc::new(trained), Some(as_new)),
            None => (Arc::new(as_new), None),
        };
        let valid_design = Arc::new(encoder.design(&valid_values, problem.labels.select(&valid)));
        let checked = config.clone().check(&train_design)?;
        config.check_valid(valid_design.samples())?;
        let synthetic = train_design.samples() - train.len();
        let columns = Columns { apart: encoder.apart(), feature: encoder.features() };
        let size = Size {
            train: train_design.samples(),
            valid: valid_design.samples(),
            features: train_design.features(),
        };
        let training = checked.start_with(columns, train_design, valid_design, seed);
        let seen_labels = problem.labels.select(&both);
        let held_out = both.iter().map(|row| valid.binary_search(row).is_ok()).collect();
        let bounds = [bounds(&trained_labels), bounds(&seen_labels)];
        let rows = RowCounts { train: train.len(), valid: valid.len(), test: parts.test.len() };
        let encoded = Encoded { config: config.sized(size), vocabulary, encoder, training, rows };
        Ok(TargetFit { encoded, as_new, seen, seen_labels, held_out, bounds, synthetic })
    }

    /// Rows by part, as this learner uses them.
    pub fn rows(&self) -> RowCounts {
        self.encoded.rows
    }

    /// How many synthetic samples were added to the training rows. They are in no count and no score.
    pub fn synthetic(&self) -> usize {
        self.synthetic
    }
}

/// The values of some of the rows whose values a matrix has (P × N): of `all`, in their order, which ascends
/// unless `rows` is `all`.
pub(super) fn picked(values: &DMatrix<f32>, all: &[usize], rows: &[usize]) -> DMatrix<f32> {
    if rows == all {
        return values.clone();
    }
    let mut picked = DMatrix::zeros(values.nrows(), rows.len());
    let mut next = 0;
    for (row, mut to) in rows.iter().zip(picked.column_iter_mut()) {
        if all.get(next) != Some(row) {
            next = all.binary_search(row).expect("the row is one of them");
        }
        to.copy_from(&values.column(next));
        next += 1;
    }
    picked
}

/// None for classes.
fn bounds(labels: &Labels) -> Option<Bounds> {
    match labels {
        Labels::Classes { .. } => None,
        Labels::Values(targets) => Bounds::around(targets.iter().copied()),
    }
}
