//! Everything that decides the result of a run.

use super::Rule;
use crate::encode::{Selection, Shares, Task};
use crate::error::Result;
use crate::learn::{self, Config, Value};

/// Everything that decides the result.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What is learned.
    pub aim: Aim,
    /// Sizes of the parts.
    pub shares: Shares,
    /// The learner with the hyper-parameters set by hand and the recipe of the others.
    pub learner: learn::Settings,
    /// The seed of the draw and of the learner.
    pub seed: u32,
}

/// What a run learns.
#[derive(Debug, Clone, PartialEq)]
pub enum Aim {
    /// To answer a target column.
    Target {
        /// Target, task and ignored columns.
        selection: Selection,
        /// A column that says `train`, `valid` or `test` for each row, instead of a random draw. It is not
        /// used as a feature.
        split_column: Option<String>,
        /// Which class trees answer.
        answers: Rule,
    },
    /// To divide the rows into groups without a target.
    Groups {
        /// Columns that must not be used.
        ignore: Vec<String>,
        /// Columns to predict from the others; none to have them chosen.
        predicted: Vec<String>,
        /// A column of labels that the result is scored by. The training does not see it.
        label: Option<String>,
    },
}

impl From<Selection> for Aim {
    /// To answer a target under the default answer rule, with parts drawn at random.
    fn from(selection: Selection) -> Aim {
        Aim::Target { selection, split_column: None, answers: Rule::default() }
    }
}

impl Settings {
    /// Learns a target column with GradTree under the default recipe, with seed 0 and every other setting as
    /// the program has it by default. The fields are open to be changed.
    pub fn new(target: impl Into<String>) -> Settings {
        let selection = Selection { target: target.into(), task: Task::Auto, ignore: vec![], positive: None };
        let (shares, learner) = (Shares::default(), learn::Settings::default());
        Settings { aim: selection.into(), shares, learner, seed: 0 }
    }
}

/// The greedy learner, set to the depth of another one; none if that is the greedy one.
pub(super) fn baseline_settings(config: &Config) -> Result<Option<learn::Settings>> {
    if matches!(config, Config::Cart(_)) {
        return Ok(None);
    }
    let mut baseline = learn::Settings::new("cart")?;
    if let Some(depth) = config.params().into_iter().find(|param| param.key == "depth") {
        baseline.set("depth", &depth.value)?;
    }
    if config.pinball().is_some() {
        // The greedy tree beside a learner minimises the same loss.
        for param in config.params().into_iter().filter(|param| ["loss", "quantile"].contains(&param.key)) {
            baseline.set(param.key, &param.value)?;
        }
    }
    Ok(Some(baseline))
}

/// Sets hyper-parameters by hand; of one key the last counts.
#[doc(hidden)]
pub fn configure<'a>(
    learner: &mut learn::Settings,
    values: impl IntoIterator<Item = (&'a str, Value)>,
) -> Result<()> {
    values.into_iter().try_for_each(|(key, value)| learner.set(key, &value))
}
