//! Machine-readable reports. The keys are stable: other programs rely on them.

use std::collections::BTreeMap;
use std::path::Path;

use espalier::export::Kept;
use espalier::learn::{Config, Recipe, Settings, Value};
use espalier::run::{Aim, Extra, Fitted, Run, kept};
use espalier::tree::Tree;
use serde::Serialize;

use super::models::{Kind, Model};

/// One trained model.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The program's version.
    pub espalier: &'static str,
    /// The file.
    pub data: Data,
    /// `classification`, `regression` or `clustering`.
    pub task: &'static str,
    /// The learner's key; in a comparison the whole spec of the model.
    pub model: String,
    /// The seed of the split and of the learner.
    pub seed: u32,
    /// Rows by part, as the learner used them.
    pub rows: Rows,
    /// Wall-clock times.
    pub seconds: Seconds,
    /// The answer rule; `None` for regression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// Scores by part, then by metric.
    pub metrics: BTreeMap<&'static str, BTreeMap<&'static str, f64>>,
    /// The same for the relaxed model before hardening, for learners that have one: the difference is the
    /// cost of hardening.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub relaxed_metrics: BTreeMap<&'static str, BTreeMap<&'static str, f64>>,
    /// The size of the tree.
    pub tree: Size,
    /// The final value of every hyper-parameter.
    pub config: BTreeMap<&'static str, serde_json::Value>,
    /// The recipe for hyper-parameters that were not set by hand; a forest has only one.
    pub recipe: &'static str,
    /// Hyper-parameters that were set by hand.
    pub said: BTreeMap<&'static str, serde_json::Value>,
    /// Why the training ended.
    pub stop_reason: &'static str,
    /// The parts that the budget left no time for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<&'static str>,
    /// Where the tree came from; null for a forest.
    pub kept: Option<Kept>,
    /// The best tree of descent alone, if the result is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gradient: Option<Gradient>,
}

/// A second tree next to the result: the best one of descent alone.
#[derive(Debug, Clone, Serialize)]
pub struct Gradient {
    /// Where it came from.
    pub kept: Kept,
    /// Scores by part, then by metric.
    pub metrics: BTreeMap<&'static str, BTreeMap<&'static str, f64>>,
    /// Its size.
    pub tree: Size,
}

/// The file that a model was trained on.
#[derive(Debug, Clone, Serialize)]
pub struct Data {
    /// Its path as given.
    pub file: String,
    /// Data rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

/// Rows by part.
#[derive(Debug, Clone, Serialize)]
pub struct Rows {
    /// Trained on.
    pub train: usize,
    /// For early stopping.
    pub valid: usize,
    /// For the test score.
    pub test: usize,
}

/// Wall-clock times.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Seconds {
    /// Reading the file and inferring its columns.
    pub read: f64,
    /// Splitting and encoding the rows.
    pub encode: f64,
    /// Training steps.
    pub train: f64,
    /// From the start of reading to the scored model.
    pub total: f64,
}

/// The answer rule.
#[derive(Debug, Clone, Serialize)]
pub struct Answers {
    /// The requested rule: `auto`, `likeliest`, `balanced` or `costs`.
    pub asked: &'static str,
    /// The rule used for these classes: `likeliest`, `balanced` or `costs`.
    pub rule: &'static str,
    /// For two classes, the share of the second above which it is predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The metric by which trees are compared.
    pub metric: &'static str,
    /// Test scores of the best constant prediction.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub constant: BTreeMap<&'static str, f64>,
}

impl Answers {
    fn of(run: &Run) -> Option<Answers> {
        let Aim::Target { answers, .. } = &run.settings().aim else { return None };
        let decision = run.decision();
        (!run.problem().target.classes().is_empty()).then(|| Answers {
            asked: answers.as_str(),
            rule: decision.as_str(),
            threshold: decision.threshold(),
            metric: decision.metric(),
            constant: run.constant().map(|constant| constant.scores).unwrap_or_default(),
        })
    }
}

/// The size of a tree.
#[derive(Debug, Clone, Serialize)]
pub struct Size {
    /// Splits and leaves.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Edges from the root to the deepest leaf.
    pub depth: usize,
}

/// Several trained models.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// One report per model and seed.
    pub runs: Vec<Report>,
    /// One entry per model.
    pub summary: Vec<Summary>,
}

/// One model over all its seeds.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The whole spec of the model, as in the list.
    pub model: String,
    /// The learner's key.
    pub learner: &'static str,
    /// The hyper-parameters that were set by hand, by key.
    pub said: BTreeMap<&'static str, serde_json::Value>,
    /// The recipe for the others; `None` for a forest, which has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<&'static str>,
    /// Number of seeds.
    pub seeds: usize,
    /// Scores by part, then by metric.
    pub metrics: BTreeMap<&'static str, BTreeMap<&'static str, Spread>>,
    /// The size of the tree.
    pub tree: BTreeMap<&'static str, Spread>,
    /// Training time.
    pub seconds: Spread,
}

/// Mean and standard deviation over runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation; `None` for a single run.
    pub deviation: Option<f64>,
    /// Number of runs with this score; a metric may be undefined in some.
    pub runs: usize,
}

impl Report {
    /// The report of a trained model.
    pub fn new(file: &Path, run: &Run, fitted: &Fitted, seconds: Seconds) -> Report {
        let tree = &fitted.model.tree;
        Report {
            rows: Rows { train: fitted.rows.train, valid: fitted.rows.valid, test: fitted.rows.test },
            seconds,
            metrics: fitted.metrics.clone(),
            relaxed_metrics: fitted.relaxed.clone(),
            tree: Size::of(tree),
            kept: Some(kept(&fitted.kept)),
            config: config(&fitted.config),
            recipe: run.settings().learner.recipe().as_str(),
            said: said(&run.settings().learner),
            stop_reason: fitted.stop_reason,
            ..Report::of_file(file, run, fitted.config.key())
        }
    }

    /// A report with only what is known before training.
    pub fn of_file(file: &Path, run: &Run, model: &'static str) -> Report {
        let parts = run.parts();
        Report {
            espalier: env!("CARGO_PKG_VERSION"),
            data: Data {
                file: file.display().to_string(),
                rows: run.table().rows(),
                columns: run.table().columns().len(),
            },
            task: run.problem().target.task(),
            model: model.to_owned(),
            seed: run.settings().seed,
            rows: Rows { train: parts.train.len(), valid: parts.valid.len(), test: parts.test.len() },
            seconds: Seconds::default(),
            answers: Answers::of(run),
            metrics: BTreeMap::new(),
            relaxed_metrics: BTreeMap::new(),
            tree: Size { nodes: 0, leaves: 0, depth: 0 },
            config: BTreeMap::new(),
            // A forest, the only model without a recipe, is as published.
            recipe: Recipe::Published.as_str(),
            said: BTreeMap::new(),
            stop_reason: "",
            left_out: vec![],
            kept: None,
            gradient: None,
        }
    }

    /// Adds the best tree of descent alone.
    pub fn beside(self, gradient: Option<&Fitted>) -> Report {
        let gradient = gradient.map(|fitted| Gradient {
            kept: kept(&fitted.kept),
            metrics: fitted.metrics.clone(),
            tree: Size::of(&fitted.model.tree),
        });
        Report { gradient, ..self }
    }
}

impl Report {
    /// Adds the parts that there was no time for.
    pub fn without(self, left_out: &[Extra]) -> Report {
        Report { left_out: left_out.iter().map(|extra| extra.words()).collect(), ..self }
    }
}

impl Size {
    /// Of one tree.
    pub fn of(tree: &Tree) -> Size {
        Size { nodes: tree.size(), leaves: tree.leaves(), depth: tree.depth() }
    }
}

impl Comparison {
    /// Summarises runs. Models are in the order of the list; those without a run are left out.
    pub fn new(runs: Vec<Report>, models: &[Model]) -> Comparison {
        let mut summary = vec![];
        for model in models {
            let own: Vec<&Report> = runs.iter().filter(|run| run.model == model.name).collect();
            if !own.is_empty() {
                summary.push(Summary::new(model, &own));
            }
        }
        Comparison { runs, summary }
    }
}

impl Summary {
    fn new(model: &Model, runs: &[&Report]) -> Summary {
        let mut metrics: BTreeMap<&'static str, BTreeMap<&'static str, Spread>> = BTreeMap::new();
        for run in runs {
            for (&part, scores) in &run.metrics {
                for &name in scores.keys() {
                    let values = runs.iter().filter_map(|run| run.metrics.get(part)?.get(name).copied());
                    metrics.entry(part).or_default().entry(name).or_insert_with(|| Spread::of(values));
                }
            }
        }
        let size = |of: fn(&Size) -> usize| Spread::of(runs.iter().map(|run| of(&run.tree) as f64));
        Summary {
            model: model.name.clone(),
            learner: model.key(),
            said: said(&model.learner),
            recipe: (model.kind == Kind::Learner).then(|| model.learner.recipe().as_str()),
            seeds: runs.len(),
            metrics,
            tree: BTreeMap::from([
                ("nodes", size(|tree| tree.nodes)),
                ("leaves", size(|tree| tree.leaves)),
                ("depth", size(|tree| tree.depth)),
            ]),
            seconds: Spread::of(runs.iter().map(|run| run.seconds.train)),
        }
    }
}

impl Spread {
    /// The spread of at least one number.
    fn of(values: impl Iterator<Item = f64>) -> Spread {
        let values: Vec<f64> = values.collect();
        let runs = values.len();
        let mean = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt());
        Spread { mean, deviation, runs }
    }
}

/// Every hyper-parameter.
pub fn config(config: &Config) -> BTreeMap<&'static str, serde_json::Value> {
    config.params().into_iter().map(|param| (param.key, setting(param.value))).collect()
}

/// The hyper-parameters set by hand.
pub fn said(learner: &Settings) -> BTreeMap<&'static str, serde_json::Value> {
    learner.said().iter().map(|(key, value)| (*key, setting(value.clone()))).collect()
}

/// A hyper-parameter's value; whole numbers have no decimal point.
fn setting(value: Value) -> serde_json::Value {
    match value {
        Value::Flag(flag) => flag.into(),
        Value::Number(number) if number.fract() == 0.0 && (0.0..1e15).contains(&number) => {
            (number as u64).into()
        }
        Value::Number(number) => number.into(),
        Value::Choice(word) => word.into(),
    }
}

/// The text of a JSON file.
pub fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain fields are always JSON");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_a_deviation_from_two_runs_on() {
        assert_eq!(Spread::of([2.0].into_iter()), Spread { mean: 2.0, deviation: None, runs: 1 });
        let spread = Spread::of([1.0, 2.0, 3.0].into_iter());
        assert_eq!(spread, Spread { mean: 2.0, deviation: Some(1.0), runs: 3 });
    }
}
