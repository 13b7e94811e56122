//! A random forest on the rows of a benchmark: a yardstick only, since it has no one tree to export.

use std::sync::Arc;

use espalier::encode::{Encoder, Labels, Parts, Problem, Vocabulary};
use espalier::error::Error;
use espalier::learn::Config;
use espalier::learn::forest::Forest;
use espalier::metrics::{Scores, classification, regression};
use espalier::table::Table;

/// Trees in a forest.
const TREES: usize = 100;

/// Scores on the rows trained on and on the test rows, and the number of nodes.
pub struct Grown {
    pub train: Scores,
    pub test: Scores,
    pub nodes: usize,
}

/// Grows a forest on training and validation rows, encoded as CART wants them.
pub fn grow(table: &Table, problem: &Problem, parts: &Parts, seed: u32) -> Result<Grown, Error> {
    let rows = parts.train_and_valid();
    let vocabulary = Vocabulary::fit(table, problem, &rows);
    let values = vocabulary.values(table, problem, &rows);
    let labels = problem.labels.select(&rows);
    let wants = Config::new("cart")?.wants();
    let encoder = Encoder::fit(&vocabulary.features, &values, &labels, &values, &wants, u64::from(seed));
    let train = Arc::new(encoder.design(&values, labels));
    Config::new("cart")?.check(&train)?;
    let forest = Forest::grow(train.clone(), TREES, u64::from(seed));
    let test_values = vocabulary.values(table, problem, &parts.test);
    let test = encoder.design(&test_values, problem.labels.select(&parts.test));
    let score = |design: &espalier::encode::Design| {
        let answers: Vec<Vec<f64>> = design.rows().map(|row| forest.answer(row)).collect();
        match &design.y {
            Labels::Classes { label, classes } => classification(label, &answers, *classes),
            Labels::Values(truth) => regression(truth, &answers.iter().map(|answer| answer[0]).collect::<Vec<f64>>()),
        }
    };
    Ok(Grown { train: score(&train), test: score(&test), nodes: forest.size() })
}
