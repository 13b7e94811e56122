//! What the engine offers: learners with their hyper-parameters, recipes, and export formats.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ParamValue;

/// A learner, as the form shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LearnerInfo {
    /// The key used in settings and on the command line.
    pub key: String,
    /// The name people read.
    pub name: String,
    /// What it does under the recipe `espalier`.
    pub help: String,
    /// What it does as published.
    pub published: String,
    /// Its hyper-parameters apart from depth and seed.
    pub params: Vec<ParamInfo>,
    /// Its depth under the first recipe, before the target is known.
    pub default_depth: u32,
    /// The greatest depth it takes.
    pub max_depth: u32,
    /// Whether only the page's larger module trains it.
    pub larger: bool,
    /// Whether it can group rows without a target.
    pub groups: bool,
    /// Whether its greedy start has teachers and weights of its own, so that its losses cannot be compared
    /// with those of random starts.
    pub greedy_apart: bool,
    /// Whether its tree is scored a second time, before it is read hard.
    pub scored_twice: bool,
    /// What one of its independent trainings is called, `start` or `restart`; empty where it has only one.
    pub unit: String,
}

/// A hyper-parameter, as the form shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ParamInfo {
    /// The key used in settings and on the command line.
    pub key: String,
    /// One line of help.
    pub help: String,
    /// Its value under the first recipe, before the target is known.
    pub default: ParamValue,
    /// Least value of a number.
    pub min: Option<f64>,
    /// Greatest value of a number.
    pub max: Option<f64>,
    /// Whether a number must be whole.
    pub whole: bool,
    /// The words of a choice; empty for numbers and switches.
    pub choices: Vec<String>,
}

/// A recipe, as the form shows it: what gives the hyper-parameters that are not set by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecipeInfo {
    /// The key used in settings and on the command line.
    pub key: String,
    /// One line about it.
    pub help: String,
}

/// What a learner is trained with under a recipe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResolvedInfo {
    /// The learner's key.
    pub model: String,
    /// The recipe's key.
    pub recipe: String,
    /// Every hyper-parameter by key, `depth` among them. Where 0 leaves one to the number of rows, it is 0.
    pub values: BTreeMap<String, ParamValue>,
}

/// An export format, as the menu shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormatInfo {
    /// The key used in requests and on the command line.
    pub key: String,
    /// The name people read.
    pub name: String,
}
