//! Predictions and scores of a model.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use crate::encode::Labels;
use crate::learn::Config;
use crate::metrics::{self, Scores};
use crate::numeric::pinball::Pinball;
use crate::tree::{Decision, Model, Prediction};

/// Scores by part: `train`, `valid`, `test`.
pub type Metrics = BTreeMap<&'static str, Scores>;

/// The model's answers for rows of file values (P × N).
pub fn predictions(model: &Model, values: &DMatrix<f32>) -> Vec<Prediction> {
    let features = values.nrows();
    (0..values.ncols()).map(|i| model.predict(&values.as_slice()[i * features..(i + 1) * features])).collect()
}

/// The model's scores on rows of file values.
pub(crate) fn score(model: &Model, values: &DMatrix<f32>, labels: &Labels) -> Scores {
    let answers: Vec<Vec<f64>> = predictions(model, values).into_iter().map(|answer| answer.values).collect();
    score_answers(&answers, labels, &model.decision)
}

/// Adds the loss that a quantile was fitted by, where one was asked for; the absolute error is among the
/// scores anyway.
pub(crate) fn with_pinball(
    scores: Scores,
    config: &Config,
    model: &Model,
    values: &DMatrix<f32>,
    labels: &Labels,
) -> Scores {
    match (config.pinball(), labels) {
        (Some(pinball), Labels::Values(truth)) if pinball != Pinball::ABSOLUTE => {
            let predicted: Vec<f64> =
                predictions(model, values).into_iter().map(|answer| answer.values[0]).collect();
            metrics::with_pinball(scores, truth, &predicted, pinball)
        }
        _ => scores,
    }
}

/// The scores of answers: one list of probabilities, or a number, per row. The rule says which class is
/// answered.
pub fn score_answers(answers: &[Vec<f64>], labels: &Labels, decision: &Decision) -> Scores {
    match labels {
        Labels::Classes { label, classes } => metrics::classification(label, answers, decision, *classes),
        Labels::Values(truth) => {
            let predicted: Vec<f64> = answers.iter().map(|answer| answer[0]).collect();
            metrics::regression(truth, &predicted)
        }
    }
}
