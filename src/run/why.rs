//! Why the two trees differ, or do not: how much the first cut decides.
//!
//! A tree is its first cut and what is grown below. Each can come from CART or from the chosen learner, which
//! gives four trees of equal depth on the same rows; their scores say whether it was the first cut that cost,
//! the growth, or neither. What the chosen learner keeps below a cut may be a greedy tree too, so each of the
//! four says who really grew it.

use super::compare::deciding_metric;
use super::cuts::Outcomes;
use super::fit::{Fit, Sources, TargetFit};
use super::rows::Rows;
use super::settings::baseline_settings;
use super::{Fitted, Run, STOPPED, kept};
use crate::encode::{Labels, Parts};
use crate::error::{Code, Error, Result};
use crate::export::{self, words};
use crate::learn::{Config, Kept, Start, Value};
use crate::tree::{Decision, FeatureKind, Model};

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
    /// The metric that decides, on the held-out rows: CART's first cut with what CART and with what the
    /// chosen learner makes below it, then the same for the first cut of the chosen learner's tree.
    pub scores: [f64; 4],
    /// That metric.
    pub metric: &'static str,
    /// Two standard errors of the difference between the two whole trees: a smaller difference can be chance.
    pub noise: f64,
    /// Who grew each of the four below its first cut, or the whole of it: where the tree, or the tree on
    /// either side, came from.
    pub growers: [String; 4],
    /// Rows held out: test rows, or validation rows where there are none.
    pub rows: usize,
}

/// Explains the difference between the greedy tree of a run and `gradient`, a tree that the run's learner
/// made of the same rows; `kept` says where that came from.
pub fn why(run: &Run, gradient: &Model, kept: Option<&export::Kept>) -> Result<Why> {
    let Some(cart) = run.baseline() else {
        return Err(Error::new(
            Code::BadRequest,
            "CART was not compared with anything.",
            "Choose another learner.",
        ));
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
    let truth = run.problem.labels.select(judges);
    let merits = |answers: &[f64]| merits(&run.decision, &truth, answers);
    let whole = |model: &Model| merits(&said(model, &run.rows_of(model, judges)));
    let (of_cart, of_gradient) = (whole(&cart.model), whole(gradient));
    let below_cart = below(run, &cart.model, &run.config, judges)?;
    let below_gradient = below(run, gradient, &greedy, judges)?;
    let own = kept.map_or_else(|| run.config.key().to_owned(), export::Kept::origin);
    Ok(Why {
        cart: first(&cart.model),
        gradient: first(gradient),
        cuts,
        scores: [
            mean(&of_cart),
            mean(&merits(&below_cart.answers)),
            mean(&merits(&below_gradient.answers)),
            mean(&of_gradient),
        ],
        metric: deciding_metric(gradient),
        noise: 2.0 * standard_error(&of_cart, &of_gradient),
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

/// The gains of all cuts that test one column. Words are put in the order of the target's mean among their
/// rows; with several classes each is parted from the rest.
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
                    let value =
                        |row: usize| if column[row] >= 0.0 { means[column[row] as usize] } else { f64::NAN };
                    outcomes.sweep(&all, &value, &mut |_, gain| gains.push(gain));
                }
                None => {
                    gains.extend(
                        (0..categories.len())
                            .map(|word| outcomes.gain(&all, &|row| column[row] == word as f32)),
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
    /// Its answer for every row that judges: a class or a number.
    answers: Vec<f64>,
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
        _ => return Ok(Below { answers: vec![f64::NAN; judges.len()], sides: vec![] }),
    };
    let mut shallower = config.clone();
    shallower.set("depth", &Value::Number((depth - 1.0).max(1.0)))?;
    // Positions in `rows` of those that go to a side.
    let places = |rows: &[usize], left: bool| -> Vec<usize> {
        let read = run.rows_of(root, rows);
        let goes = |i: usize| root.tree.path_of(read.row(i)).nth(1) == Some(1);
        (0..rows.len()).filter(|&i| goes(i) == left).collect()
    };
    let side = |rows: &[usize], left: bool| places(rows, left).into_iter().map(|i| rows[i]).collect();
    let (mut all, mut sides) = (vec![f64::NAN; judges.len()], vec![]);
    for left in [true, false] {
        let parts =
            Parts { train: side(&run.parts.train, left), valid: side(&run.parts.valid, left), test: vec![] };
        let places = places(judges, left);
        if places.is_empty() {
            continue;
        }
        let asked: Vec<usize> = places.iter().map(|&i| judges[i]).collect();
        let (answers, kept) = answers(run, &parts, depth > 1.0, &shallower, &asked);
        sides.push(kept);
        places.into_iter().zip(answers).for_each(|(i, answer)| all[i] = answer);
    }
    Ok(Below { answers: all, sides })
}

/// What a learner that knows only the rows of one side answers there, and where its tree came from; a single
/// leaf where it can learn nothing.
fn answers(
    run: &Run,
    parts: &Parts,
    split: bool,
    config: &Config,
    asked: &[usize],
) -> (Vec<f64>, Option<Kept>) {
    let from = Sources { parts, ..run.sources() };
    let fit = if split && parts.train.len() > 1 {
        TargetFit::start(from, config, run.settings.seed).ok()
    } else {
        None
    };
    let Some(mut fit) = fit else {
        let labels = run.problem.labels.select(&parts.train_and_valid());
        return (vec![usual(&labels, &run.decision); asked.len()], None);
    };
    while fit.encoded_mut().training.step().stop.is_none() {}
    let Fitted { model, kept, .. } = fit.finish(from, STOPPED, &mut |_, _| true);
    (said(&model, &run.rows_of(&model, asked)), Some(kept))
}

/// A model's answers: classes, counted from 0, or numbers.
fn said(model: &Model, rows: &Rows) -> Vec<f64> {
    let answer = |i: usize| {
        let answer = model.predict(rows.row(i));
        answer.class.map_or(answer.values[0], |class| class as f64)
    };
    (0..rows.len()).map(answer).collect()
}

/// The class that the rule answers where nothing but its share is known, or the mean.
fn usual(labels: &Labels, decision: &Decision) -> f64 {
    match labels {
        Labels::Classes { .. } => {
            let shares: Vec<f64> = labels.counts().into_iter().map(|count| count as f64).collect();
            decision.class(&shares) as f64
        }
        Labels::Values(values) => mean(values),
    }
}

/// What each row's answer contributes to the deciding metric, which is their mean.
fn merits(decision: &Decision, truth: &Labels, answers: &[f64]) -> Vec<f64> {
    match truth {
        Labels::Classes { label, .. } => {
            let counts = truth.counts();
            let occurring = counts.iter().filter(|&&count| count > 0).count() as f64;
            let merit = |(&class, &answer): (&u32, &f64)| {
                let right = f64::from(u8::from(f64::from(class) == answer));
                match decision {
                    Decision::Likeliest => right,
                    Decision::Balanced { .. } => {
                        right * label.len() as f64 / (occurring * counts[class as usize] as f64)
                    }
                    Decision::Costs { costs } => costs[class as usize][answer as usize],
                }
            };
            label.iter().zip(answers).map(merit).collect()
        }
        Labels::Values(values) => {
            let middle = mean(values);
            let spread = values.iter().map(|value| (value - middle) * (value - middle)).sum::<f64>();
            let scale = values.len() as f64 / spread;
            values
                .iter()
                .zip(answers)
                .map(|(truth, said)| 1.0 - (truth - said) * (truth - said) * scale)
                .collect()
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard error of the mean difference between two lists.
fn standard_error(one: &[f64], other: &[f64]) -> f64 {
    let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
    let middle = mean(&differences);
    let squares = differences.iter().map(|value| (value - middle) * (value - middle)).sum::<f64>();
    let rows = differences.len() as f64;
    (squares / (rows * (rows - 1.0).max(1.0))).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merits_are_what_the_answer_rule_counts() {
        let truth = Labels::Classes { label: vec![0, 0, 0, 1], classes: 2 };
        let answers = [0.0, 0.0, 1.0, 1.0];
        assert_eq!(mean(&merits(&Decision::Likeliest, &truth, &answers)), 0.75);
        let balanced = mean(&merits(&Decision::balanced(&[3, 1]), &truth, &answers));
        assert!((balanced - (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
        let costs = Decision::Costs { costs: vec![vec![0.0, 2.0], vec![9.0, 0.0]] };
        assert_eq!(mean(&merits(&costs, &truth, &answers)), 0.5);
        let numbers = Labels::Values(vec![1.0, 2.0, 3.0]);
        assert_eq!(mean(&merits(&Decision::Likeliest, &numbers, &[1.0, 2.0, 3.0])), 1.0);
        assert!(mean(&merits(&Decision::Likeliest, &numbers, &[2.0; 3])).abs() < 1e-12);
    }

    #[test]
    fn a_side_without_a_tree_answers_by_the_rule_too() {
        let labels = Labels::Classes { label: vec![0, 0, 0, 1], classes: 2 };
        assert_eq!(usual(&labels, &Decision::Likeliest), 0.0);
        assert_eq!(usual(&labels, &Decision::balanced(&[90, 10])), 1.0);
    }

    #[test]
    fn equal_trees_have_no_noise() {
        assert_eq!(standard_error(&[1.0, 0.0, 1.0], &[1.0, 0.0, 1.0]), 0.0);
        assert!((standard_error(&[1.0, 0.0], &[0.0, 0.0]) - 0.5).abs() < 1e-12);
    }
}
