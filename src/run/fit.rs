//! One learner on one table: encoding in, model out.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::evaluate::score;
use super::{Fitted, RowCounts};
use crate::encode::{Encoder, Labels, Parts, Problem, Thresholds, Vocabulary};
use crate::error::{Code, Error, Result};
use crate::learn::{Config, Progress, Training};
use crate::numeric::order::map_of;
use crate::table::Table;
use crate::tree::Model;

/// Which tree of a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The one the parameters stand for now, thresholds exactly where they are: for watching.
    Current,
    /// The best one so far, thresholds tidied: for keeping.
    Best,
}

/// A learner at work.
pub struct Fit {
    config: Config,
    vocabulary: Vocabulary,
    encoder: Encoder,
    training: Box<dyn Training>,
    /// File values of the rows trained on (P × N), for the counts in each node.
    trained_values: DMatrix<f32>,
    trained_labels: Labels,
    rows: RowCounts,
}

impl Fit {
    /// Encodes the rows as the learner wants them and begins its training.
    pub fn start(table: &Table, problem: &Problem, parts: &Parts, config: &Config, seed: u32) -> Result<Fit> {
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
                "No column is left to learn from: every usable column has a single value on the training rows.",
                "Use more rows, another seed, or other columns.",
            ));
        }
        let trained_values = vocabulary.values(table, problem, &train);
        let valid_values = vocabulary.values(table, problem, &valid);
        let seen = vocabulary.values(table, problem, &parts.train_and_valid());
        let encoder = Encoder::fit(&vocabulary.features, &trained_values, &seen, wants);
        let trained_labels = problem.labels.select(&train);
        let train_design = Arc::new(encoder.design(&trained_values, trained_labels.clone()));
        let valid_design = Arc::new(encoder.design(&valid_values, problem.labels.select(&valid)));
        let checked = config.clone().check(&train_design)?;
        let training = checked.start(train_design, valid_design, u64::from(seed));
        let rows = RowCounts { train: train.len(), valid: valid.len(), test: parts.test.len() };
        Ok(Fit { config: config.clone(), vocabulary, encoder, training, trained_values, trained_labels, rows })
    }

    /// A small piece of the training.
    pub fn step(&mut self) -> Progress {
        self.training.step()
    }

    /// Where the training is.
    pub fn progress(&self) -> Progress {
        self.training.progress()
    }

    /// Rows by part, as this learner uses them.
    pub fn rows(&self) -> RowCounts {
        self.rows
    }

    /// A model in the space of the file.
    pub fn model(&self, problem: &Problem, which: Which) -> Model {
        let (tree, thresholds) = match which {
            Which::Current => (self.training.current(), Thresholds::Exact),
            // The greedy tree's midpoints are kept as scikit-learn would have them.
            Which::Best if matches!(self.config, Config::Cart(_)) => (self.training.best(), Thresholds::Exact),
            Which::Best => (self.training.best(), Thresholds::Tidy),
        };
        let tree = self.encoder.decode(&tree, thresholds);
        let features = self.vocabulary.features.len();
        let values = self.trained_values.as_slice().chunks_exact(features);
        let stats = match &self.trained_labels {
            Labels::Classes { label, classes } => tree.class_stats(values.zip(label.iter().copied()), *classes),
            Labels::Values(targets) => tree.value_stats(values.zip(targets.iter().copied())),
        };
        Model {
            features: self.vocabulary.features.clone(),
            target: problem.target.clone(),
            tree,
            post_transform: self.training.post_transform(),
            stats,
        }
    }

    /// The best model so far, scored on every part.
    pub fn finish(&self, table: &Table, problem: &Problem, parts: &Parts, stop_reason: &'static str) -> Fitted {
        let model = self.model(problem, Which::Best);
        let all = parts.train_and_valid();
        let trained = if self.config.wants().validation { &parts.train } else { &all };
        let valid: &[usize] = if self.config.wants().validation { &parts.valid } else { &[] };
        let scored = |(part, rows): (&'static str, &[usize])| {
            let values = self.vocabulary.values(table, problem, rows);
            (part, score(&model, &values, &problem.labels.select(rows)))
        };
        let metrics = map_of([("train", trained.as_slice()), ("valid", valid), ("test", &parts.test)].map(scored));
        let progress = self.progress();
        let stop_reason = progress.stop.map_or(stop_reason, |stop| stop.as_str());
        Fitted { config: self.config.clone(), model, metrics, rows: self.rows, progress, stop_reason }
    }
}
