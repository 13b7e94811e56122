//! One experiment from a table to a scored model: the path that the command line and the page share.
//!
//! A [`Run`] draws the parts, grows the greedy baseline, and then trains the chosen learner, both step by
//! step. It learns a target, or groups of rows without one ([`Aim`]). It is driven from outside, like the
//! learners: the caller decides how many steps to take, watches the clock if there is one, and may finish at
//! any time with the best tree so far.

mod apply;
mod baseline;
mod compare;
mod csv_field;
mod cuts;
mod decide;
mod document;
mod evaluate;
mod fit;
mod frames;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
mod groups;
mod marks;
mod models;
mod rows;
mod rule;
mod settings;
mod target;
mod why;

use std::sync::Arc;

use crate::error::Result;
#[cfg(all(target_arch = "wasm32", not(feature = "study")))]
use crate::error::{Code, Error};
use crate::learn::{Config, Kept, Progress, Training};
use crate::table::Table;
use crate::tree::{Decision, Feature, Model, Node, Tree};

#[doc(inline)]
pub use crate::encode::{Labels, Parts, Problem, Selection, Shares, Task};
pub use apply::{Applied, apply, predictions_csv};
pub use decide::Constant;
pub use evaluate::Metrics;
pub use rule::{Costs, Rule};
pub use settings::{Aim, Settings};

pub(crate) use apply::first_row;
pub(crate) use compare::{GRID, deciding_metric, importance};

#[doc(hidden)]
pub use {
    apply::Answers,
    compare::{judged, map},
    document::kept,
    evaluate::{predictions, score_answers},
    fit::{Extra, Fit, Sources, TargetFit},
    frames::{Frame, Frames},
    marks::marks,
    rows::{Rows, compared, threshold},
    settings::configure,
    why::{FirstCut, Why, why},
};

/// How many rows each part has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowCounts {
    /// Rows trained on.
    pub train: usize,
    /// Rows for early stopping.
    pub valid: usize,
    /// Rows for the test score.
    pub test: usize,
}

/// A model with its scores.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The learner with every hyper-parameter, as it ran.
    pub config: Config,
    /// The model, in the space of the file.
    pub model: Model,
    /// Scores by part. The greedy baseline trains on training and validation rows together and has no `valid`
    /// part. Where a last stage learned from the validation rows too, `valid` is the score of the tree before
    /// that. Of groups: `r2`, the share of the predicted columns' variance that they explain, and
    /// `dendrogram_purity` where a label was named; the part `all` has every row.
    pub metrics: Metrics,
    /// For learners whose tree is read hard only in the end, the scores of the relaxed model before that: the
    /// difference is what hardening cost. Empty for others.
    pub relaxed: Metrics,
    /// λ of the shrinkage of the class shares: the one that the validation rows prefer, or the least without
    /// such rows. None for numbers.
    pub shrinkage: Option<f64>,
    /// Rows by part, as this learner used them.
    pub rows: RowCounts,
    /// Where the training ended.
    pub progress: Progress,
    /// Where the tree came from.
    pub kept: Kept,
    /// Why it ended.
    pub stop_reason: &'static str,
}

/// What k-means comes to on the rows of a run without a target.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Yardstick {
    /// As of a [`Fitted`]. Its groups see the predicted columns too, which flatters `r2`.
    pub metrics: Metrics,
    /// Groups that a row is in.
    pub leaves: usize,
}

/// An experiment under way.
pub struct Run {
    table: Arc<Table>,
    problem: Problem,
    parts: Parts,
    settings: Settings,
    /// The learner with every hyper-parameter: what the settings come to for this target.
    config: Config,
    /// What the answer rule is for these classes: the same for every tree of the run.
    decision: Decision,
    /// The baseline while it grows.
    growing: Option<Box<TargetFit>>,
    baseline: Option<Fitted>,
    fit: Box<dyn Fit>,
}

/// The reason given when the caller ends a training that had not ended by itself.
pub const STOPPED: &str = "stopped";

impl Run {
    /// Checks the settings against the table, draws the parts and fits the greedy baseline, if there is one.
    pub fn start(table: Arc<Table>, settings: Settings) -> Result<Run> {
        let mut run = Run::alone(table, settings)?;
        run.fit_baseline()?;
        Ok(run)
    }

    /// The same without the baseline, for a caller that times the learner by itself or trains the greedy one
    /// anyway.
    pub fn alone(table: Arc<Table>, settings: Settings) -> Result<Run> {
        match settings.aim {
            Aim::Target { .. } => target::begin(table, settings),
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Aim::Groups { .. } => groups::begin(table, settings),
            #[cfg(all(target_arch = "wasm32", not(feature = "study")))]
            Aim::Groups { .. } => {
                let message = "Groups without a target are in the page's second module.";
                Err(Error::new(Code::BadRequest, message, "Reload the page, or name a target."))
            }
        }
    }

    /// A small piece of the training. Does nothing once it has ended.
    pub fn step(&mut self) -> Progress {
        self.training_mut().step()
    }

    /// Where the training is.
    pub fn progress(&self) -> Progress {
        self.training().progress()
    }

    /// The training.
    #[doc(hidden)]
    pub fn training(&self) -> &dyn Training {
        &*self.fit.encoded().training
    }

    /// The training, for a caller that lends its units.
    #[doc(hidden)]
    pub fn training_mut(&mut self) -> &mut dyn Training {
        &mut *self.fit.encoded_mut().training
    }

    /// Whether a tree reads columns of this training's design matrix only: it may come from elsewhere.
    pub(crate) fn holds(&self, tree: &Tree) -> bool {
        let columns = self.fit.encoded().encoder.columns();
        tree.nodes().iter().flat_map(Node::features).all(|&column| column < columns)
    }

    /// What is to be learned.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The learner with every hyper-parameter.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The parts.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Rows by part, as the learner uses them.
    pub fn rows(&self) -> RowCounts {
        self.fit.encoded().rows
    }

    /// The columns that splits may read.
    pub(crate) fn features(&self) -> &[Feature] {
        &self.fit.encoded().vocabulary.features
    }

    /// Hierarchical k-means to a depth on the same rows, as a yardstick for groups; none where there is a
    /// target.
    #[doc(hidden)]
    pub fn yardstick(&self, depth: usize) -> Option<Yardstick> {
        self.fit.yardstick(self.sources(), depth)
    }
}
