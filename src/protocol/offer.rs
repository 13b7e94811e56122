//! What the engine offers: learners with their hyper-parameters, and export formats.

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
    /// One line about it.
    pub help: String,
    /// Its hyper-parameters apart from depth and seed.
    pub params: Vec<ParamInfo>,
    /// The depth it starts with.
    pub default_depth: u32,
    /// The greatest depth it takes.
    pub max_depth: u32,
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
    /// Its value when nobody says otherwise.
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
