//! One experiment from a table to a scored model: the path that the command line and the page share.
//!
//! A [`Run`] draws the parts, grows the greedy baseline, and then trains the chosen learner, both step by step. It is
//! driven from outside, like the learners: the caller decides how many steps to take, watches the clock if there is
//! one, and may finish at any time with the best tree so far.

mod apply;
mod cluster;
mod compare;
mod csv_field;
mod cuts;
mod decide;
mod document;
mod evaluate;
mod fit;
mod frames;
mod marks;
mod rows;
mod rule;
mod why;

use std::sync::Arc;

use crate::error::Result;
use crate::export;
use crate::learn::{self, Config, Found, Kept, Moment, NodeChoice, Plan, Progress, Value};
use crate::numeric::order::map_of;
use crate::table::Table;
use crate::tree::{Decision, Model, Tree};

#[doc(inline)]
pub use crate::encode::{Labels, Parts, Problem, Selection, Shares, Task};
pub use apply::{Applied, apply, predictions_csv};
pub use cluster::{ClusterRun, ClusterSettings, Clustered};
pub use decide::Constant;
pub use evaluate::Metrics;
pub use rule::{Costs, Rule};

pub(crate) use apply::first_row;
pub(crate) use compare::{GRID, deciding_metric, importance};

#[doc(hidden)]
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
pub use cluster::Yardstick;
#[doc(hidden)]
pub use {
    apply::Answers,
    compare::{judged, map},
    document::kept,
    evaluate::{predictions, score_answers},
    fit::{Extra, Fit, Which},
    frames::{Frame, Frames},
    marks::marks,
    rows::{Rows, compared, threshold},
    why::{FirstCut, Why, why},
};

/// Everything that decides the result.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Target, task and ignored columns.
    pub selection: Selection,
    /// Sizes of the parts.
    pub shares: Shares,
    /// A column that says `train`, `valid` or `test` for each row, instead of a random draw. It is not used as a feature.
    pub split_column: Option<String>,
    /// The learner with the hyper-parameters set by hand and the recipe of the others.
    pub learner: learn::Settings,
    /// Which class trees answer.
    pub answers: Rule,
    /// The seed of the draw and of the learner.
    pub seed: u32,
}

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
    /// Scores by part. The greedy baseline trains on training and validation rows together and has no `valid` part. Where a
    /// last stage learned from the validation rows too, `valid` is the score of the tree before that.
    pub metrics: Metrics,
    /// For learners whose tree is read hard only in the end, the scores of the relaxed model before that: the difference is
    /// what hardening cost. Empty for others.
    pub relaxed: Metrics,
    /// λ of the shrinkage of the class shares: the one that the validation rows prefer, or the least without such rows. None
    /// for numbers.
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
    growing: Option<Box<Fit>>,
    baseline: Option<Fitted>,
    fit: Fit,
}

/// The reason given when the caller ends a training that had not ended by itself.
pub const STOPPED: &str = "stopped";

impl Settings {
    /// Learns a target column with GradTree under the default recipe, with seed 0 and every other setting as the program
    /// has it by default. The fields are open to be changed.
    pub fn new(target: impl Into<String>) -> Settings {
        Settings {
            selection: Selection { target: target.into(), task: Task::Auto, ignore: vec![], positive: None },
            shares: Shares::default(),
            split_column: None,
            learner: learn::Settings::default(),
            answers: Rule::default(),
            seed: 0,
        }
    }
}

impl Run {
    /// Checks the settings against the table, draws the parts and fits the greedy baseline.
    pub fn start(table: Arc<Table>, settings: Settings) -> Result<Run> {
        let mut run = Run::alone(table, settings)?;
        run.fit_baseline()?;
        Ok(run)
    }

    /// The same without the baseline, for a caller that times the learner by itself or trains the greedy one anyway.
    pub fn alone(table: Arc<Table>, mut settings: Settings) -> Result<Run> {
        if let Some(column) = &settings.split_column {
            table.position(column)?;
            settings.selection.ignore.push(column.clone());
        }
        let mut problem = Problem::new(&table, &settings.selection)?;
        let parts = match &settings.split_column {
            Some(name) => {
                let column = table.position(name)?;
                Parts::from_words(problem.rows.iter().map(|&row| (table.line(row), table.cell(row, column))))?
            }
            None => Parts::draw(&problem.labels, settings.shares, u64::from(settings.seed))?,
        };
        if parts.test.is_empty() {
            let warning = "No rows are left for a test, so nothing here says how well the trees do on new rows.";
            problem.warnings.push(warning.into());
        }
        let decision = settings.answers.decide_for(&problem, &parts)?;
        let config = settings.learner.resolve(&problem.labels);
        let fit = Fit::start(&table, &problem, &parts, &config, &decision, settings.seed)?;
        if fit.synthetic() > 0 {
            problem.warnings.push(format!(
                "The classes are uneven, so {} synthetic rows stand beside the {} training rows of the file; no count and no \
                 score includes them. Set resample to none to train without.",
                fit.synthetic(),
                fit.rows().train
            ));
        }
        Ok(Run { table, problem, parts, settings, config, decision, growing: None, baseline: None, fit })
    }

    /// Fits the greedy baseline; does nothing if the learner itself is the greedy one.
    pub fn fit_baseline(&mut self) -> Result<()> {
        self.begin_baseline()?;
        while self.step_baseline().is_some_and(|progress| progress.stop.is_none()) {}
        self.end_baseline(STOPPED);
        Ok(())
    }

    /// Whether a greedy tree can stand beside the learner's: it cannot if the learner itself is the greedy one.
    pub fn has_baseline(&self) -> bool {
        !matches!(self.config, Config::Cart(_))
    }

    /// Encodes the rows for the greedy baseline, which [`Run::step_baseline`] then grows; does nothing if the learner
    /// itself is the greedy one.
    pub fn begin_baseline(&mut self) -> Result<()> {
        if let Some(baseline) = baseline_settings(&self.config)? {
            let config = baseline.resolve(&self.problem.labels);
            let (table, problem, parts) = (&self.table, &self.problem, &self.parts);
            let fit = Fit::start(table, problem, parts, &config, &self.decision, self.settings.seed)?;
            self.growing = Some(Box::new(fit));
        }
        Ok(())
    }

    /// A small piece of the baseline; none if there is no baseline that grows.
    pub fn step_baseline(&mut self) -> Option<Progress> {
        self.growing.as_mut().map(|fit| fit.step())
    }

    /// Scores the baseline as it stands. `stop_reason` is given where it is not fully grown.
    pub fn end_baseline(&mut self, stop_reason: &'static str) {
        if let Some(fit) = self.growing.take() {
            self.baseline = Some(fit.finish(&self.table, &self.problem, &self.parts, stop_reason));
        }
    }

    /// A small piece of the training. Does nothing once it has ended.
    pub fn step(&mut self) -> Progress {
        self.fit.step()
    }

    /// Where the training is.
    pub fn progress(&self) -> Progress {
        self.fit.progress()
    }

    /// Epochs from one frame of the film to the next, at least: see [`Training::epochs_per_frame`](crate::learn::Training::epochs_per_frame).
    pub(crate) fn epochs_per_frame(&self) -> usize {
        self.fit.epochs_per_frame()
    }

    /// The independent units of the training, if it has any: they may run elsewhere.
    #[doc(hidden)]
    pub fn plan(&self) -> Option<Arc<dyn Plan>> {
        self.fit.plan()
    }

    /// Gives away a unit that has not begun: see [`Training::lend`].
    #[doc(hidden)]
    pub fn lend(&mut self) -> Option<u32> {
        self.fit.lend()
    }

    /// Whether a tree reads columns of this training's design matrix only: it may come from elsewhere.
    pub(crate) fn holds(&self, tree: &Tree) -> bool {
        self.fit.holds(tree)
    }

    /// Takes back a unit with what it found elsewhere, or without.
    #[doc(hidden)]
    pub fn take(&mut self, index: u32, found: Option<Found>) {
        self.fit.take(index, found);
    }

    /// How the splits of [`Run::current`] choose their columns, leading ones first.
    pub fn choices(&self) -> Vec<NodeChoice> {
        self.fit.choices()
    }

    /// How much of each node of [`Run::current`] is kept, for learners that prune while they learn.
    pub fn keeping(&self) -> Vec<f32> {
        self.fit.keeping()
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
        self.fit.rows()
    }

    /// The greedy tree at the same depth on the same rows; none if the learner itself is the greedy one.
    pub fn baseline(&self) -> Option<&Fitted> {
        self.baseline.as_ref()
    }

    /// The model the parameters stand for now, with thresholds exactly where they are.
    pub fn current(&self) -> Model {
        self.fit.model(&self.problem, Which::Current)
    }

    /// The model of a tree that a unit passed through elsewhere.
    fn passed_model(&self, moment: &Moment) -> Model {
        self.fit.passed_model(&self.problem, moment)
    }

    /// How its splits chose their columns.
    fn passed_choices(&self, moment: &Moment) -> Vec<NodeChoice> {
        self.fit.passed_choices(moment)
    }

    /// The tree of a frame with the words around it.
    pub(crate) fn frame_model(&self, frame: &Frame) -> Model {
        self.fit.model_around(&self.problem, frame.tree.clone(), frame.stats.clone())
    }

    /// Scores of a model of this run on the validation and the test rows; parts without rows are left out.
    pub fn scores(&self, model: &Model) -> export::Parts {
        let parts = [("valid", &self.parts.valid), ("test", &self.parts.test)];
        let scored = parts.into_iter().filter(|(_, rows)| !rows.is_empty()).map(|(part, rows)| {
            let rows = self.rows_of(model, rows);
            (part, evaluate::score(model, rows.values(), &rows.labels))
        });
        document::owned(&map_of(scored))
    }

    /// Some rows of the problem (positions in it) as a model of this run reads them.
    #[doc(hidden)]
    pub fn rows_of(&self, model: &Model, rows: &[usize]) -> Rows {
        Rows::read(self, &model.features, rows)
    }

    /// At most `most` of the training rows, evenly spaced, as a model of this run reads them.
    pub(crate) fn sample_of(&self, model: &Model, most: usize) -> Rows {
        self.rows_of(model, &compare::thinned(&self.parts.train, most))
    }

    /// The best model so far, scored. `stop_reason` is given where the training has not ended by itself.
    pub fn finish(&self, stop_reason: &'static str) -> Fitted {
        self.finish_with(stop_reason, &mut |_, _| true)
    }

    /// The same with only those extras that are wanted, which is asked with the number of rows that the extra looks at. The
    /// scores on the test rows are always there.
    #[doc(hidden)]
    pub fn finish_with(&self, stop_reason: &'static str, wanted: &mut dyn FnMut(Extra, usize) -> bool) -> Fitted {
        self.fit.finish_with(self.sources(), stop_reason, wanted)
    }

    /// Makes the best model so far and lets go of it, for a caller that measures how long that takes.
    #[doc(hidden)]
    pub fn rehearse(&self) {
        std::hint::black_box(self.fit.model(&self.problem, Which::Best));
    }

    /// The best model that descent alone has made so far, scored; none where that is the result itself, and where
    /// nothing started at random.
    pub fn gradient(&self, stop_reason: &'static str) -> Option<Fitted> {
        self.gradient_with(stop_reason, &mut |_, _| true)
    }

    /// The same if it is wanted, which is asked where there is such a model.
    #[doc(hidden)]
    pub fn gradient_with(
        &self,
        stop_reason: &'static str,
        wanted: &mut dyn FnMut(Extra, usize) -> bool,
    ) -> Option<Fitted> {
        self.fit.alone_with(self.sources(), stop_reason, wanted)
    }

    fn sources(&self) -> fit::Sources<'_> {
        fit::Sources { table: &self.table, problem: &self.problem, parts: &self.parts }
    }
}

/// The greedy learner, set to the depth of another one; none if that is the greedy one.
fn baseline_settings(config: &Config) -> Result<Option<learn::Settings>> {
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
pub fn configure<'a>(learner: &mut learn::Settings, values: impl IntoIterator<Item = (&'a str, Value)>) -> Result<()> {
    values.into_iter().try_for_each(|(key, value)| learner.set(key, &value))
}
