//! CART with absolute and pinball loss, compared with the trees of scikit-learn and of an exhaustive search
//! (made by `tests/golden/generate/make_cart_losses.py`).
//!
//! Under these losses different splits are often equally good, for instance all splits of a pair of samples.
//! So each stored tree is followed node by node. Our split of the same samples must have the loss of the
//! stored one, and must be that one if no other has the same loss.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::cart::{CartTraining, Config};
use espalier::learn::greedy::exact::Splitter;
use espalier::learn::{RegressionLoss, Training};
use espalier::numeric::pinball::Pinball;
use espalier::tree::{Node, round_down};
use nalgebra::DMatrix;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    loss: String,
    quantile: f64,
    params: Params,
    x: Vec<Vec<f64>>,
    y: Vec<f64>,
    nodes: Vec<Stored>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    max_depth: Option<u32>,
    min_samples_split: Option<u32>,
    min_samples_leaf: Option<u32>,
    min_impurity_decrease: Option<f64>,
    ccp_alpha: Option<f64>,
}

/// A node in pre-order; −1 for the children of a leaf.
#[derive(Deserialize)]
struct Stored {
    feature: i64,
    threshold: f64,
    left: i64,
    right: i64,
    rows: usize,
    impurity: f64,
    value: f64,
}

impl Case {
    fn config(&self) -> Config {
        let (params, usual) = (&self.params, Config::default());
        Config {
            depth: params.max_depth.unwrap_or(32),
            loss: if self.loss == "absolute" { RegressionLoss::Absolute } else { RegressionLoss::Quantile },
            quantile: self.quantile,
            min_samples_split: params.min_samples_split.unwrap_or(usual.min_samples_split),
            min_samples_leaf: params.min_samples_leaf.unwrap_or(usual.min_samples_leaf),
            min_impurity_decrease: params.min_impurity_decrease.unwrap_or(0.0),
            ccp_alpha: params.ccp_alpha.unwrap_or(0.0),
            ..usual
        }
    }

    fn design(&self) -> Arc<Design> {
        let x = DMatrix::from_fn(self.x[0].len(), self.x.len(), |feature, row| self.x[row][feature] as f32);
        Arc::new(Design { x, y: Labels::Values(self.y.clone()) })
    }

    /// The lowest loss of a constant on some rows, from the definition.
    fn loss(&self, rows: &[u32]) -> f64 {
        let pinball = self.config().rules().pinball.expect("no case is of the squared error");
        let values: Vec<f64> = rows.iter().map(|&row| self.y[row as usize]).collect();
        let losses = values.iter().map(|&answer| values.iter().map(|&y| pinball.loss(y, answer)).sum());
        losses.fold(f64::INFINITY, f64::min)
    }

    fn sides(&self, rows: &[u32], feature: usize, threshold: f32) -> (Vec<u32>, Vec<u32>) {
        rows.iter().partition(|&&row| self.x[row as usize][feature] as f32 <= threshold)
    }

    fn loss_of_cut(&self, rows: &[u32], feature: usize, threshold: f32) -> f64 {
        let (left, right) = self.sides(rows, feature, threshold);
        self.loss(&left) + self.loss(&right)
    }

    /// The number of splits with the same loss as the stored one.
    fn equals(&self, rows: &[u32], loss: f64) -> usize {
        let least = self.config().min_samples_leaf as usize;
        let mut equals = 0;
        for feature in 0..self.x[0].len() {
            for &row in rows {
                let threshold = self.x[row as usize][feature] as f32;
                let (left, right) = self.sides(rows, feature, threshold);
                let allowed = left.len() >= least && right.len() >= least;
                equals += usize::from(allowed && near(self.loss(&left) + self.loss(&right), loss));
            }
        }
        equals
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string("tests/golden/cart_losses.json").unwrap();
    serde_json::from_str::<File>(&text).unwrap().cases
}

#[test]
fn splits_answers_and_losses_are_those_of_the_stored_trees() {
    let (mut checked, mut unique, mut whole) = (0, 0, 0);
    for (number, case) in cases().iter().enumerate() {
        let (config, design) = (case.config(), case.design());
        config.check(&design).unwrap();
        let splitter = Splitter::new(config.rules(), design.clone());
        let features: Vec<usize> = (0..design.features()).collect();
        let mut tie_free = true;
        let mut waiting = vec![(0usize, 0u32, (0..case.y.len() as u32).collect::<Vec<u32>>())];
        while let Some((at, depth, rows)) = waiting.pop() {
            let stored = &case.nodes[at];
            let summary = splitter.summary(&rows);
            let name = format!("case {number}, node {at}");
            assert_eq!(summary.rows, stored.rows, "{name}");
            assert!(
                near(summary.impurity, stored.impurity),
                "{name}: {} {}",
                summary.impurity,
                stored.impurity
            );
            assert!(near(summary.answer[0], stored.value), "{name}: {} {}", summary.answer[0], stored.value);
            if stored.left < 0 {
                continue;
            }
            let (feature, threshold) = (stored.feature as usize, round_down(stored.threshold));
            let halves =
                splitter.split(&mut rows.clone(), depth, &summary, &features).expect("it is split there");
            let loss = case.loss_of_cut(&rows, feature, threshold);
            let ours = case.loss_of_cut(&rows, halves.cut.feature, round_down(halves.cut.threshold));
            assert!(near(loss, ours), "{name}: {loss} there, {ours} here");
            assert!(near(-halves.cut.score, ours), "{name}: the search has {} for {ours}", -halves.cut.score);
            checked += 1;
            if case.equals(&rows, loss) == 1 {
                unique += 1;
                assert_eq!(
                    (halves.cut.feature, round_down(halves.cut.threshold)),
                    (feature, threshold),
                    "{name}"
                );
            } else {
                tie_free = false;
            }
            let (left, right) = case.sides(&rows, feature, threshold);
            waiting
                .extend([(stored.left as usize, depth + 1, left), (stored.right as usize, depth + 1, right)]);
        }
        let mut growth = CartTraining::new(&config, design);
        while growth.step().stop.is_none() {}
        if tie_free {
            whole += 1;
            let leaves = |values: &mut Vec<f32>| values.sort_by(f32::total_cmp);
            let mut ours: Vec<f32> = vec![];
            for node in growth.best().nodes() {
                if let Node::Leaf(leaf) = node {
                    ours.push(leaf.output(&[])[0] as f32);
                }
            }
            let mut theirs: Vec<f32> =
                case.nodes.iter().filter(|n| n.left < 0).map(|n| n.value as f32).collect();
            leaves(&mut ours);
            leaves(&mut theirs);
            assert_eq!(ours, theirs, "case {number}: the whole tree");
        }
    }
    assert!(
        checked > 150 && unique > 60 && whole >= 3,
        "{checked} splits, {unique} unique, {whole} whole trees"
    );
}

#[test]
fn missing_values_go_where_the_loss_is_least() {
    let nan = f32::NAN;
    let x = [1.0, 2.0, 3.0, 4.0, nan, nan, 5.0, 6.0];
    let design = |y: &[f64]| {
        Arc::new(Design { x: DMatrix::from_fn(1, x.len(), |_, row| x[row]), y: Labels::Values(y.to_vec()) })
    };
    let config = Config { loss: RegressionLoss::Absolute, ..Config::default() };
    let best = |y: &[f64]| {
        let splitter = Splitter::new(config.rules(), design(y));
        let mut rows: Vec<u32> = (0..8).collect();
        let summary = splitter.summary(&rows);
        splitter.split(&mut rows, 0, &summary, &[0]).unwrap().cut
    };
    let low = best(&[0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 9.0, 9.0]);
    assert_eq!((low.threshold, low.default_left, low.score), (3.5, true, 0.0));
    let high = best(&[0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 9.0, 9.0]);
    assert_eq!((high.threshold, high.default_left, high.score), (3.5, false, 0.0));
    let apart = best(&[0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0]);
    assert_eq!((apart.threshold, apart.default_left, apart.score), (f64::from(f32::MAX), false, 0.0));
}

#[test]
fn losses_that_do_not_fit_are_refused() {
    let classes = Design { x: DMatrix::zeros(1, 2), y: Labels::Classes { label: vec![0, 1], classes: 2 } };
    let values = Design { x: DMatrix::zeros(1, 2), y: Labels::Values(vec![0.0, 1.0]) };
    let with = |loss, quantile| Config { loss, quantile, ..Config::default() };
    let message = |config: Config, design: &Design| config.check(design).unwrap_err().message;
    assert!(message(with(RegressionLoss::Absolute, 0.5), &classes).contains("\"absolute\" is for numbers"));
    assert!(message(with(RegressionLoss::Quantile, 0.9), &classes).contains("\"quantile\" is for numbers"));
    assert!(message(with(RegressionLoss::Squared, 0.9), &values).contains("0.9 has no use"));
    let criterion = espalier::learn::cart::Criterion::SquaredError;
    let both = Config { criterion, ..with(RegressionLoss::Absolute, 0.5) };
    assert!(message(both, &values).contains("contradicts the loss"));
    assert!(with(RegressionLoss::Quantile, 0.9).check(&values).is_ok());
    assert_eq!(with(RegressionLoss::Quantile, 0.9).rules().pinball, Some(Pinball::of(0.9)));
}
