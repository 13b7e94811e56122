//! Why the two trees differ, or do not: how much the first cut decides.
//!
//! A tree is its first cut and what is grown below. Each can come from CART or from the chosen learner, which gives
//! four trees of equal depth on the same rows; their scores say whether it was the first cut that cost, the growth, or
//! neither. What the chosen learner keeps below a cut may be a greedy tree too, so each of the four says who really
//! grew it.

use super::compare::main_score;
use super::cuts::Outcomes;
use super::rows::Rows;
use super::{Fit, Fitted, Run, STOPPED, baseline_settings, kept};
use crate::encode::{Labels, Parts};
use crate::error::{Code, Error, Result};
use crate::export::{self, words};
use crate::learn::{Config, Kept, Start, Value};
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
    /// The first cut of the chosen learner's tree.
    pub gradient: FirstCut,
    /// Cuts of one column that the training rows allow.
    pub cuts: usize,
    /// Accuracy or R² on the held-out rows: CART's first cut with what CART and with what the chosen learner makes
    /// below it, then the same for the first cut of the chosen learner's tree.
    pub scores: [f64; 4],
    /// Who grew each of the four below its first cut, or the whole of it: where the tree, or the tree on either side,
    /// came from.
    pub growers: [String; 4],
    /// Rows held out: test rows, or validation rows where there are none.
    pub rows: usize,
}

/// Explains the difference between the greedy tree of a run and `gradient`, a tree that the run's learner made of the
/// same rows; `kept` says where that came from.
pub fn why(run: &Run, gradient: &Model, kept: Option<&export::Kept>) -> Result<Why> {
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
    let greedy = baseline_settings(&run.config)?;
    let greedy = greedy.map_or_else(|| run.config.clone(), |greedy| greedy.resolve(&run.problem.labels));
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
    let below_cart = below(run, &cart.model, &run.config, judges)?;
    let below_gradient = below(run, gradient, &greedy, judges)?;
    let own = kept.map_or_else(|| run.config.key().to_owned(), export::Kept::origin);
    Ok(Why {
        cart: first(&cart.model),
        gradient: first(gradient),
        cuts,
        scores: [whole(&cart.model), below_cart.score, below_gradient.score, whole(gradient)],
        growers: ["CART".into(), below_cart.grower(), below_gradient.grower(), own],
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

/// A tree with the first cut of another one, and below it what a learner makes of the rows of either side.
struct Below {
    score: f64,
    /// Where the trees on the left and on the right came from; none where a side has too few rows for a tree.
    sides: Vec<Option<Kept>>,
}

impl Below {
    /// Who grew it, as few words as both sides need.
    fn grower(&self) -> String {
        let side = |came: &Option<Kept>| match came {
            Some(Kept { start: Start::Cart, gradient_epochs: 0, taught: 0, .. }) => "CART".into(),
            Some(of) => kept(of).origin(),
            None => "one answer".into(),
        };
        let mut sides: Vec<String> = self.sides.iter().map(side).collect();
        sides.dedup();
        match &sides[..] {
            [left, right] => format!("left: {left}; right: {right}"),
            _ => sides.concat(),
        }
    }
}

fn below(run: &Run, root: &Model, config: &Config, judges: &[usize]) -> Result<Below> {
    let depth = config.params().into_iter().find(|param| param.key == "depth");
    let depth = match depth.map(|param| param.value) {
        Some(Value::Number(depth)) => depth,
        _ => return Ok(Below { score: f64::NAN, sides: vec![] }),
    };
    let mut shallower = config.clone();
    shallower.set("depth", &Value::Number((depth - 1.0).max(1.0)))?;
    let side = |rows: &[usize], left: bool| -> Vec<usize> {
        let read = run.rows_of(root, rows);
        let goes = |i: usize| root.tree.path_of(read.row(i)).nth(1) == Some(1);
        (0..rows.len()).filter(|&i| goes(i) == left).map(|i| rows[i]).collect()
    };
    let (mut right, mut squares, mut sides) = (0.0, 0.0, vec![]);
    for left in [true, false] {
        let parts = Parts { train: side(&run.parts.train, left), valid: side(&run.parts.valid, left), test: vec![] };
        let asked = side(judges, left);
        if asked.is_empty() {
            continue;
        }
        let labels = run.problem.labels.select(&asked);
        let (answers, kept) = answers(run, &parts, depth > 1.0, &shallower, &asked);
        sides.push(kept);
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
    let score = match run.problem.labels.select(judges) {
        Labels::Classes { .. } => right / judges.len() as f64,
        Labels::Values(values) => {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            1.0 - squares / values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>()
        }
    };
    Ok(Below { score, sides })
}

/// What a learner that knows only the rows of one side answers there, and where its tree came from; a single leaf where
/// it can learn nothing.
fn answers(run: &Run, parts: &Parts, split: bool, config: &Config, asked: &[usize]) -> (Vec<f64>, Option<Kept>) {
    let fit = if split && parts.train.len() > 1 {
        Fit::start(&run.table, &run.problem, parts, config, &run.decision, run.settings.seed).ok()
    } else {
        None
    };
    let Some(mut fit) = fit else {
        return (vec![usual(&run.problem.labels.select(&parts.train_and_valid())); asked.len()], None);
    };
    while fit.step().stop.is_none() {}
    let Fitted { model, kept, .. } = fit.finish(&run.table, &run.problem, parts, STOPPED);
    let rows = run.rows_of(&model, asked);
    let answer = |i: usize| {
        let answer = model.predict(rows.row(i));
        answer.class.map_or(answer.values[0], |class| class as f64)
    };
    ((0..rows.len()).map(answer).collect(), Some(kept))
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
