//! The content of a downloaded tree: the model, its scores, its origin and its proof rows.
//!
//! Nothing here depends on the clock, the machine or the file's name, so the same file, settings and seed
//! give the same bytes.

use std::collections::BTreeMap;

use super::{Kept, verification};
use crate::tree::Model;

/// Scores by part (`train`, `valid`, `test`), then by metric name.
pub type Parts = BTreeMap<String, BTreeMap<String, f64>>;

/// A model with its origin and its proof rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The program that wrote it.
    pub generator: Generator,
    /// The model.
    pub model: Model,
    /// Its scores.
    pub metrics: Metrics,
    /// How it was trained; `None` if the file does not say.
    pub training: Option<Training>,
    /// The data it was trained on; `None` if the file does not say.
    pub data: Option<DataInfo>,
    /// Constructed rows with the predictions they must get.
    pub verification: Vec<ProofRow>,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Scores of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metrics {
    /// The model's own scores.
    pub tree: Parts,
    /// The scores of the greedy tree on the same rows.
    pub baseline: Option<Parts>,
}

/// How a model was trained.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Training {
    /// The learner's key.
    pub algorithm: String,
    /// The final value of every hyper-parameter.
    pub config: BTreeMap<String, Setting>,
    /// The recipe for hyper-parameters that were not set by hand; `None` if the file does not say.
    pub recipe: Option<String>,
    /// Hyper-parameters that were set by hand; `None` if the file does not say.
    pub said: Option<BTreeMap<String, Setting>>,
    /// The seed of the split and of the learner.
    pub seed: u64,
    /// Share of all rows by part.
    pub shares: BTreeMap<String, f64>,
    /// Rows by part.
    pub rows: BTreeMap<String, u64>,
    /// Steps the learner took.
    pub steps: u64,
    /// The epoch of the tree; `None` for learners without epochs.
    pub best_epoch: Option<u64>,
    /// Why the training ended.
    pub stop_reason: String,
    /// λ of the shrinkage of class shares towards the parent nodes; `None` for regression and if the file
    /// does not say.
    pub shrinkage: Option<f64>,
    /// Where the tree came from; `None` if the file does not say.
    pub kept: Option<Kept>,
}

/// A hyper-parameter's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// A switch.
    Flag(bool),
    /// An integer or a real number.
    Number(f64),
    /// One of several words.
    Word(String),
}

/// The data a model was trained on. The file's name is not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataInfo {
    /// Data rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// SHA-256 of the file's bytes in lower-case hexadecimal, if known.
    pub sha256: Option<String>,
    /// The delimiter.
    pub delimiter: String,
    /// The encoding.
    pub encoding: String,
}

/// A constructed row with the prediction it must get.
#[derive(Debug, Clone, PartialEq)]
pub struct ProofRow {
    /// One cell per feature, as text.
    pub cells: Vec<String>,
    /// The leaf it reaches.
    pub leaf: usize,
    /// The leaf's outputs before the output transform; these have the same bits everywhere.
    pub output: Vec<f64>,
    /// One probability per class; empty if `output` is already final.
    pub probabilities: Vec<f64>,
}

impl Document {
    /// Creates a document for a model, with new proof rows.
    pub fn new(
        model: Model,
        metrics: Metrics,
        training: Option<Training>,
        data: Option<DataInfo>,
    ) -> Document {
        let verification = verification::proof_rows(&model);
        let generator = Generator {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Document { generator, model, metrics, training, data, verification }
    }
}
