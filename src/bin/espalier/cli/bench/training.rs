//! Trains a model of a benchmark.

use espalier::encode::{Parts, Problem};
use espalier::error::Error;
use espalier::learn::Config;
use espalier::run::{Fit, Fitted, STOPPED, Sources, TargetFit};
use espalier::table::Table;

use super::super::interrupt;
use super::super::models::{Kind, Model};
use super::protocol::Protocol;
use super::tuned;

/// The depth of `cart` in benchmarks, as in the papers' comparisons.
pub const CART_DEPTH: u32 = 10;

/// Trains a single-tree model on a split; `None` if the user asked to stop.
pub fn fit(
    model: &Model,
    table: &Table,
    problem: &Problem,
    parts: &Parts,
    seed: u32,
    protocol: &Protocol,
) -> Result<Option<Fitted>, Error> {
    let config = model.learner.resolve(&problem.labels);
    if model.kind != Kind::Tuned {
        return train(&config, table, problem, parts, seed, protocol);
    }
    match tuned::choose(&config, table, problem, parts, seed, protocol)? {
        Some(config) => train(&config, table, problem, parts, seed, protocol),
        None => Ok(None),
    }
}

/// Runs one training to its end; `None` if the user asked to stop.
pub fn train(
    config: &Config,
    table: &Table,
    problem: &Problem,
    parts: &Parts,
    seed: u32,
    protocol: &Protocol,
) -> Result<Option<Fitted>, Error> {
    let decision = protocol.answers.decide_for(problem, parts)?;
    let from = Sources { table, problem, parts, decision: &decision };
    let mut fit = TargetFit::start(from, config, seed)?;
    while fit.encoded_mut().training.step().stop.is_none() {
        if interrupt::asked() {
            return Ok(None);
        }
    }
    Ok(Some(fit.finish(from, STOPPED, &mut |_, _| true)))
}
