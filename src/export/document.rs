//! All that a downloaded tree carries: the model, how good it is, where it comes from, and its proof.
//!
//! Nothing here depends on the clock, the machine or the file's name, so the same file, settings and seed give the same bytes.

use std::collections::BTreeMap;

use super::{Kept, verification};
use crate::tree::Model;

/// Scores by part (`train`, `valid`, `test`), then by metric name.
pub type Parts = BTreeMap<String, BTreeMap<String, f64>>;

/// A model with its history and its proof.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The program that wrote it.
    pub generator: Generator,
    /// The model.
    pub model: Model,
    /// How good it is.
    pub metrics: Metrics,
    /// How it was made; none when the file does not say.
    pub training: Option<Training>,
    /// What it was made from; none when the file does not say.
    pub data: Option<DataInfo>,
    /// Made-up rows with the answers they must get.
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

/// How good a model is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metrics {
    /// The model's own scores.
    pub tree: Parts,
    /// The scores of the greedy tree on the same rows.
    pub baseline: Option<Parts>,
}

/// How a model was made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Training {
    /// The learner's key.
    pub algorithm: String,
    /// Every hyper-parameter, as it ran.
    pub config: BTreeMap<String, Setting>,
    /// The recipe of those that were not set by hand; none in files that do not say.
    pub recipe: Option<String>,
    /// Those that were set by hand; none in files that do not say.
    pub said: Option<BTreeMap<String, Setting>>,
    /// The seed of the split and of the learner.
    pub seed: u64,
    /// Share of all rows by part.
    pub shares: BTreeMap<String, f64>,
    /// Rows by part.
    pub rows: BTreeMap<String, u64>,
    /// Steps the learner took.
    pub steps: u64,
    /// The epoch the tree was taken at; none for learners without epochs.
    pub best_epoch: Option<u64>,
    /// Why the training ended.
    pub stop_reason: String,
    /// λ of the shrinkage of class shares towards the nodes above; none for numbers and in files that do not say.
    pub shrinkage: Option<f64>,
    /// Where the tree came from; none when the file does not say.
    pub kept: Option<Kept>,
}

/// A hyper-parameter's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// A switch.
    Flag(bool),
    /// A whole or real number.
    Number(f64),
    /// One of several words.
    Word(String),
}

/// What a model was made from. The file's name is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataInfo {
    /// Data rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// SHA-256 of the file's bytes, in lower-case hexadecimal, if it is known.
    pub sha256: Option<String>,
    /// The field separator.
    pub delimiter: String,
    /// The encoding.
    pub encoding: String,
}

/// A made-up row with the answer it must get.
#[derive(Debug, Clone, PartialEq)]
pub struct ProofRow {
    /// One cell per feature, as text.
    pub cells: Vec<String>,
    /// The leaf it falls into.
    pub leaf: usize,
    /// The leaf's outputs before the output transform; these are the same bits everywhere.
    pub output: Vec<f64>,
    /// One probability per class; empty where `output` is already the answer.
    pub probabilities: Vec<f64>,
}

impl Document {
    /// A document for a model, with fresh proof rows.
    pub fn new(model: Model, metrics: Metrics, training: Option<Training>, data: Option<DataInfo>) -> Document {
        let verification = verification::proof_rows(&model);
        let generator =
            Generator { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        Document { generator, model, metrics, training, data, verification }
    }
}
