//! Two finished trees on the same rows: where each row ends in either, what either answers, and which columns
//! matter.

use super::Run;
use super::evaluate::score;
use super::rows::Rows;
use crate::encode::Labels;
use crate::numeric::order::first_largest;
use crate::numeric::random::Random;
use crate::tree::{Feature, FeatureKind, Model, Prediction};

/// Rows of each part that are looked at, at most.
const MOST_ROWS: usize = 50_000;

/// Rows on which the worth of a column is measured, at most.
const MOST_SHUFFLED: usize = 4_000;

/// Cells along each side of a map.
pub(crate) const GRID: usize = 64;

/// Points shown on a map, at most.
const MOST_POINTS: usize = 800;

/// Where every row ends in two trees: for each row its part (0 training, 1 validation, 2 test), its outcome,
/// the leaf in the one and the other tree, their answers, and its position in the file. Classes are counted
/// from 0. The test rows come last and are complete up to 50,000.
pub fn judged(run: &Run, one: &Model, other: &Model) -> Vec<f32> {
    let parts = run.parts();
    let mut numbers = vec![];
    for (part, rows) in [&parts.train, &parts.valid, &parts.test].into_iter().enumerate() {
        let rows = &thinned(rows, MOST_ROWS);
        let (a, b) = (run.rows_of(one, rows), run.rows_of(other, rows));
        for i in 0..rows.len() {
            let (x, y) = (one.predict(a.row(i)), other.predict(b.row(i)));
            numbers.extend([
                part as f32,
                outcome(&a, i),
                x.leaf as f32,
                y.leaf as f32,
                said(&x),
                said(&y),
                run.problem().rows[rows[i]] as f32,
            ]);
        }
    }
    numbers
}

/// What each column of a model is worth on the test rows (on the training rows without any): by how much the
/// deciding metric gets worse when the column's values are shuffled among the rows. Only columns that the
/// tree reads are listed.
pub(crate) fn importance(run: &Run, model: &Model) -> Vec<(String, f64)> {
    let parts = run.parts();
    let rows = thinned(if parts.test.is_empty() { &parts.train } else { &parts.test }, MOST_SHUFFLED);
    let mut read = vec![false; model.features.len()];
    for node in model.tree.nodes() {
        node.features().iter().for_each(|&feature| read[feature] = true);
    }
    let mut sample = run.rows_of(model, &rows);
    let whole = deciding_score(model, &sample);
    let mut worth = vec![];
    for (feature, described) in model.features.iter().enumerate().filter(|(feature, _)| read[*feature]) {
        let column = sample.column(feature);
        let mut dealt = column.clone();
        // A stream of its own for each column, so that one column's worth does not depend on which others
        // there are.
        Random::stream(u64::from(run.settings().seed), &described.name).shuffle(&mut dealt);
        dealt.iter().enumerate().for_each(|(i, &value)| sample.set(i, feature, value));
        worth.push((described.name.clone(), whole - deciding_score(model, &sample)));
        column.iter().enumerate().for_each(|(i, &value)| sample.set(i, feature, value));
    }
    worth
}

/// The metric that decides between trees: by the answer rule, or R² of numbers.
pub(crate) fn deciding_metric(model: &Model) -> &'static str {
    if model.target.classes().is_empty() { "r2" } else { model.decision.metric() }
}

/// The deciding metric of a model on some rows; a cost counts below zero, so that more is always better.
fn deciding_score(model: &Model, rows: &Rows) -> f64 {
    let metric = deciding_metric(model);
    let value = score(model, rows.values(), &rows.labels).get(metric).copied().unwrap_or(f64::NAN);
    if metric == "cost" { -value } else { value }
}

/// The answers of two trees over the plane of two columns, every other column at its median or most frequent
/// word.
///
/// First the range of either column (x least, x greatest, y least, y greatest), then `GRID`² answers of the
/// one tree and as many of the other, a line of equal y after another from the least, then three numbers for
/// each point shown: x, y and outcome. The words of a column stand at 0, 1, … in the order of the one tree,
/// each in the middle of a band as wide as one. None if a model does not know one of the columns.
pub fn map(run: &Run, one: &Model, other: &Model, x: &str, y: &str) -> Option<Vec<f32>> {
    let rows = thinned(&run.parts().train, MOST_POINTS);
    let sample = run.rows_of(one, &rows);
    let place = |model: &Model, name: &str| model.features.iter().position(|feature| feature.name == name);
    let range = |feature: usize| match &one.features[feature].kind {
        FeatureKind::Numerical { min, max, .. } => (*min, *max),
        FeatureKind::Categorical { categories } => (-0.5, categories.len() as f32 - 0.5),
    };
    let (at_x, at_y) = (place(one, x)?, place(one, y)?);
    let ((x0, x1), (y0, y1)) = (range(at_x), range(at_y));
    let mut numbers = vec![x0, x1, y0, y1];
    for model in [one, other] {
        let (column, line) = (place(model, x)?, place(model, y)?);
        let mut row = usual_row(model, &run.rows_of(model, &rows));
        let along = |low: f32, high: f32, step: usize| low + (high - low) * (step as f32 + 0.5) / GRID as f32;
        let across: Vec<f32> =
            (0..GRID).map(|step| as_read(one, at_x, model, column, along(x0, x1, step))).collect();
        let upwards: Vec<f32> =
            (0..GRID).map(|step| as_read(one, at_y, model, line, along(y0, y1, step))).collect();
        for cell in 0..GRID * GRID {
            row[column] = across[cell % GRID];
            row[line] = upwards[cell / GRID];
            numbers.push(said(&model.predict(&row)));
        }
    }
    for i in 0..sample.len() {
        numbers.extend([sample.row(i)[at_x], sample.row(i)[at_y], outcome(&sample, i)]);
    }
    Some(numbers)
}

/// A place on the map as a model reads it: a number is itself, a word has its own place in each model, since
/// the two have not learned from the same rows.
fn as_read(one: &Model, at: usize, model: &Model, feature: usize, value: f32) -> f32 {
    match &one.features[at].kind {
        FeatureKind::Numerical { .. } => value,
        FeatureKind::Categorical { categories } => {
            let word = categories.get(value.round() as usize).or(categories.last());
            word.map_or(f32::NAN, |word| model.features[feature].parse(word))
        }
    }
}

/// The median of every number and the most frequent word of every other column.
fn usual_row(model: &Model, rows: &Rows) -> Vec<f32> {
    let usual = |(feature, described): (usize, &Feature)| match &described.kind {
        FeatureKind::Numerical { quartiles, .. } => quartiles[1],
        FeatureKind::Categorical { categories } => {
            let mut counts = vec![0.0; categories.len()];
            rows.column(feature)
                .into_iter()
                .filter(|&word| word >= 0.0)
                .for_each(|word| counts[word as usize] += 1.0);
            first_largest(&counts) as f32
        }
    };
    model.features.iter().enumerate().map(usual).collect()
}

/// The outcome of row `i` as one number.
fn outcome(rows: &Rows, i: usize) -> f32 {
    match &rows.labels {
        Labels::Classes { label, .. } => label[i] as f32,
        Labels::Values(values) => values[i] as f32,
    }
}

/// A model's answer as one number.
fn said(answer: &Prediction) -> f32 {
    answer.class.map_or_else(|| answer.values[0] as f32, |class| class as f32)
}

/// At most `most` of the rows, evenly spaced.
pub(super) fn thinned(rows: &[usize], most: usize) -> Vec<usize> {
    let every = rows.len().div_ceil(most).max(1);
    rows.iter().copied().step_by(every).collect()
}
