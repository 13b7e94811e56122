//! Training a model of a benchmark.

use espalier::encode::{Parts, Problem};
use espalier::error::Error;
use espalier::learn::Config;
use espalier::run::{Fit, Fitted, STOPPED};
use espalier::table::Table;

use super::super::interrupt;
use super::super::models::{Kind, Model};
use super::tuned;

/// The depth of `cart` here, as in the papers' comparisons.
pub const CART_DEPTH: u32 = 10;

/// Trains a model that is one tree on the parts; none if the user asked to stop.
pub fn fit(
    model: &Model,
    table: &Table,
    problem: &Problem,
    parts: &Parts,
    seed: u32,
    metric: &str,
) -> Result<Option<Fitted>, Error> {
    if model.kind != Kind::Tuned {
        return train(&model.config, table, problem, parts, seed);
    }
    match tuned::choose(&model.config, table, problem, parts, seed, metric)? {
        Some(config) => train(&config, table, problem, parts, seed),
        None => Ok(None),
    }
}

/// One training to its end; none if the user asked to stop.
pub fn train(
    config: &Config,
    table: &Table,
    problem: &Problem,
    parts: &Parts,
    seed: u32,
) -> Result<Option<Fitted>, Error> {
    let mut fit = Fit::start(table, problem, parts, config, seed)?;
    while fit.step().stop.is_none() {
        if interrupt::asked() {
            return Ok(None);
        }
    }
    Ok(Some(fit.finish(table, problem, parts, STOPPED)))
}
