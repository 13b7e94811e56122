//! Why the two trees differ, or do not: how much the first cut decides.
//!
//! A tree is its first cut and what is grown below. Each can come from the greedy learner or from the gradient one, which gives
//! four trees of equal depth on the same rows; their scores say whether it was the first cut that cost, the growth, or neither.

use super::compare::main_score;
use super::cuts::Outcomes;
use super::rows::Rows;
use super::{Fit, Run, STOPPED, baseline_config};
use crate::encode::{Labels, Parts};
use crate::error::{Code, Error, Result};
use crate::export::words;
use crate::learn::{Config, Value};
use crate::numeric::order::first_largest;
use crate::tree::{FeatureKind, Model};

/// The first cut of a tree, as a greedy learner sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstCut {
    /// The condition in the file's words; empty if the tree is a single leaf.
    pub condition: String,
    /// What it takes off the impurity at once, per training row: Gini impurity, or variance.
    pub gain: f64,
    /// How many cuts of one column promise more at once, plus one.
    pub rank: usize,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// CART's first cut.
    pub cart: FirstCut,
    /// The gradient tree's first cut.
    pub gradient: FirstCut,
    /// Cuts of one column that the training rows allow.
    pub cuts: usize,
    /// Accuracy or R² on the held-out rows: greedy first cut with greedy and with gradient growth below, then the gradient tree's
    /// first cut with greedy and with gradient growth below.
    pub scores: [f64; 4],
    /// Rows held out: test rows, or validation rows where there are none.
    pub rows: usize,
}

/// Explains the difference between the greedy tree of a run and `gradient`, a tree that the run's learner made of the same rows.
pub fn why(run: &Run, gradient: &Model) -> Result<Why> {
    let Some(cart) = run.baseline() else {
        return Err(Error::new(Code::BadRequest, "CART was not compared with anything.", "Choose another learner."));
    };
    let judges = if run.parts.test.is_empty() { &run.parts.valid } else { &run.parts.test };
    if judges.is_empty() {
        return Err(Error::new(
            Code::TooFewRows,
            "No rows are held out, so nothing can be said about why one tree is better.",
            "Set a share of test rows.",
        ));
    }
    let greedy = baseline_config(&run.config)?.unwrap_or_else(|| run.config.clone());
    let train = run.rows_of(gradient, &run.parts.train);
    let (gains, cuts) = all_gains(gradient, &train);
    let first = |model: &Model| {
        let rows = run.rows_of(model, &run.parts.train);
        let gain = gain_of(model, &rows);
        // A cut is not beaten by itself, whatever rounding makes of its gain.
        let rank = gains.iter().filter(|&&other| other > gain * (1.0 + 1e-9)).count() + 1;
        FirstCut { condition: words::condition(model, 0), gain, rank }
    };
    let whole = |model: &Model| main_score(model, &run.rows_of(model, judges));
    let grown = |root: &Model, config: &Config| score_below(run, root, config, judges);
    Ok(Why {
        cart: first(&cart.model),
        gradient: first(gradient),
        cuts,
        scores: [whole(&cart.model), grown(&cart.model, &run.config)?, grown(gradient, &greedy)?, whole(gradient)],
        rows: judges.len(),
    })
}

/// What a model's first cut takes off the impurity of rows.
fn gain_of(model: &Model, rows: &Rows) -> f64 {
    let all: Vec<usize> = (0..rows.len()).collect();
    let left = |row: usize| model.tree.path_of(rows.row(row)).nth(1) == Some(1);
    Outcomes::new(&rows.labels).gain(&all, &left)
}

/// The gains of all cuts that test one column. Words are put in the order of the target's mean among their rows; with several
/// classes each is parted from the rest.
fn all_gains(model: &Model, rows: &Rows) -> (Vec<f64>, usize) {
    let all: Vec<usize> = (0..rows.len()).collect();
    let outcomes = Outcomes::new(&rows.labels);
    let mut gains = vec![];
    for (feature, described) in model.features.iter().enumerate() {
        let column = rows.column(feature);
        match &described.kind {
            FeatureKind::Numerical { .. } => {
                outcomes.sweep(&all, &|row| f64::from(column[row]), &mut |_, gain| gains.push(gain));
            }
            FeatureKind::Categorical { categories } => match means(&column, &rows.labels, categories.len()) {
                Some(means) => {
                    let value = |row: usize| if column[row] >= 0.0 { means[column[row] as usize] } else { f64::NAN };
                    outcomes.sweep(&all, &value, &mut |_, gain| gains.push(gain));
                }
                None => {
                    gains.extend(
                        (0..categories.len()).map(|word| outcomes.gain(&all, &|row| column[row] == word as f32)),
                    );
                }
            },
        }
    }
    let cuts = gains.len();
    (gains, cuts)
}

/// The target's mean for each word; none for more than two classes, which have no order.
fn means(column: &[f32], labels: &Labels, words: usize) -> Option<Vec<f64>> {
    let mut sums = vec![(0.0, 0.0); words];
    for (row, &word) in column.iter().enumerate().filter(|(_, word)| **word >= 0.0) {
        let (rows, sum) = &mut sums[word as usize];
        *rows += 1.0;
        *sum += match labels {
            Labels::Classes { classes, .. } if *classes > 2 => return None,
            Labels::Classes { label, .. } => f64::from(label[row]),
            Labels::Values(values) => values[row],
        };
    }
    // Words without rows have no place in the order and part nothing.
    Some(sums.into_iter().map(|(rows, sum)| if rows > 0.0 { sum / rows } else { f64::NAN }).collect())
}

/// The score of a tree with `root`'s first cut, and below it what a learner grows on the rows of either side.
fn score_below(run: &Run, root: &Model, config: &Config, judges: &[usize]) -> Result<f64> {
    let depth = config.params().into_iter().find(|param| param.key == "depth");
    let Some(Value::Number(depth)) = depth.map(|param| param.value) else { return Ok(f64::NAN) };
    let mut below = config.clone();
    below.set("depth", &Value::Number((depth - 1.0).max(1.0)))?;
    let side = |rows: &[usize], left: bool| -> Vec<usize> {
        let read = run.rows_of(root, rows);
        let goes = |i: usize| root.tree.path_of(read.row(i)).nth(1) == Some(1);
        (0..rows.len()).filter(|&i| goes(i) == left).map(|i| rows[i]).collect()
    };
    let (mut right, mut squares) = (0.0, 0.0);
    for left in [true, false] {
        let parts = Parts { train: side(&run.parts.train, left), valid: side(&run.parts.valid, left), test: vec![] };
        let asked = side(judges, left);
        if asked.is_empty() {
            continue;
        }
        let labels = run.problem.labels.select(&asked);
        let answers = answers(run, &parts, depth > 1.0, &below, &asked);
        match &labels {
            Labels::Classes { label, .. } => {
                right += label.iter().zip(&answers).filter(|(truth, said)| f64::from(**truth) == **said).count() as f64;
            }
            Labels::Values(values) => {
                squares +=
                    values.iter().zip(&answers).map(|(truth, said)| (truth - said) * (truth - said)).sum::<f64>();
            }
        }
    }
    Ok(match run.problem.labels.select(judges) {
        Labels::Classes { .. } => right / judges.len() as f64,
        Labels::Values(values) => {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            1.0 - squares / values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>()
        }
    })
}

/// What a learner that knows only the rows of one side answers there; a single leaf where it can learn nothing.
fn answers(run: &Run, parts: &Parts, split: bool, config: &Config, asked: &[usize]) -> Vec<f64> {
    let fit = if split && parts.train.len() > 1 {
        Fit::start(&run.table, &run.problem, parts, config, &run.decision, run.settings.seed).ok()
    } else {
        None
    };
    let Some(mut fit) = fit else {
        return vec![usual(&run.problem.labels.select(&parts.train_and_valid())); asked.len()];
    };
    while fit.step().stop.is_none() {}
    let model = fit.finish(&run.table, &run.problem, parts, STOPPED).model;
    let rows = run.rows_of(&model, asked);
    (0..rows.len())
        .map(|i| {
            let answer = model.predict(rows.row(i));
            answer.class.map_or(answer.values[0], |class| class as f64)
        })
        .collect()
}

/// The most frequent class, or the mean.
fn usual(labels: &Labels) -> f64 {
    match labels {
        Labels::Classes { label, classes } => {
            let mut counts = vec![0.0; *classes];
            label.iter().for_each(|&class| counts[class as usize] += 1.0);
            first_largest(&counts) as f64
        }
        Labels::Values(values) => values.iter().sum::<f64>() / values.len().max(1) as f64,
    }
}
