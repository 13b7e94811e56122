//! CART with depth, minimum rows per leaf and pruning chosen by validation.

use espalier::encode::{Labels, Parts, Problem};
use espalier::error::Error;
use espalier::learn::{Config, Value};
use espalier::table::Table;

use super::protocol::Protocol;
use super::training::train;

const DEPTHS: [f64; 4] = [4.0, 7.0, 10.0, 14.0];
const LEAST_ROWS: [f64; 2] = [1.0, 10.0];
/// Costs of a leaf as shares of the impurity of all rows, so that they mean the same for any target.
const LEAF_COSTS: [f64; 4] = [0.0, 0.001, 0.003, 0.01];

/// The settings whose tree, grown on the training rows, has the best score on the validation rows. Ties go to
/// the tree with the fewest nodes, then to the first. `None` if the user asked to stop.
pub fn choose(
    config: &Config,
    table: &Table,
    problem: &Problem,
    parts: &Parts,
    seed: u32,
    protocol: &Protocol,
) -> Result<Option<Config>, Error> {
    let inner = Parts { train: parts.train.clone(), valid: vec![], test: parts.valid.clone() };
    let impurity = impurity(&problem.labels.select(&parts.train));
    let mut best: Option<(f64, usize, Config)> = None;
    for depth in DEPTHS {
        for rows in LEAST_ROWS {
            for cost in LEAF_COSTS {
                let mut candidate = config.clone();
                let settings = [("depth", depth), ("min_samples_leaf", rows), ("ccp_alpha", cost * impurity)];
                settings.iter().try_for_each(|(key, value)| candidate.set(key, &Value::Number(*value)))?;
                let Some(fitted) = train(&candidate, table, problem, &inner, seed, protocol)? else {
                    return Ok(None);
                };
                let score = fitted.metrics["test"].get(protocol.metric).copied().unwrap_or(f64::NEG_INFINITY);
                let nodes = fitted.model.tree.size();
                if best.as_ref().is_none_or(|(s, n, _)| score > *s || score == *s && nodes < *n) {
                    best = Some((score, nodes, candidate));
                }
            }
        }
    }
    Ok(best.map(|(_, _, config)| config))
}

/// Gini impurity of classes, variance of numbers.
fn impurity(labels: &Labels) -> f64 {
    let n = labels.len() as f64;
    match labels {
        Labels::Classes { label, classes } => {
            let count = |class: u32| label.iter().filter(|&&label| label == class).count() as f64;
            1.0 - (0..*classes as u32).map(|class| (count(class) / n) * (count(class) / n)).sum::<f64>()
        }
        Labels::Values(values) => {
            let mean = values.iter().sum::<f64>() / n;
            values.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / n
        }
    }
}
