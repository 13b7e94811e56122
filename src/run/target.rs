//! The begin of a run that learns a target.

use std::sync::Arc;

use super::fit::{Sources, TargetFit};
use super::{Aim, Run, Settings};
use crate::encode::{Parts, Problem};
use crate::error::Result;
use crate::table::Table;

/// Checks the settings against the table, draws the parts and begins the training.
pub(super) fn begin(table: Arc<Table>, mut settings: Settings) -> Result<Run> {
    let Aim::Target { selection, split_column, answers } = &mut settings.aim else {
        unreachable!("the caller has looked at the aim")
    };
    if let Some(column) = split_column {
        table.position(column)?;
        selection.ignore.push(column.clone());
    }
    let mut problem = Problem::new(&table, selection)?;
    let parts = match split_column {
        Some(name) => {
            let column = table.position(name)?;
            Parts::from_words(problem.rows.iter().map(|&row| (table.line(row), table.cell(row, column))))?
        }
        None => Parts::draw(&problem.labels, settings.shares, u64::from(settings.seed))?,
    };
    if parts.test.is_empty() {
        let warning = "No rows are left for a test, so nothing here says how well the trees do on new rows.";
        problem.warnings.push(warning.into());
    }
    let decision = answers.decide_for(&problem, &parts)?;
    let config = settings.learner.resolve(&problem.labels);
    let from = Sources { table: &table, problem: &problem, parts: &parts, decision: &decision };
    let fit = TargetFit::start(from, &config, settings.seed)?;
    if fit.synthetic() > 0 {
        problem.warnings.push(format!(
            "The classes are uneven, so {} synthetic rows stand beside the {} training rows of the file; no \
             count and no score includes them. Set resample to none to train without.",
            fit.synthetic(),
            fit.rows().train
        ));
    }
    let fit = Box::new(fit);
    Ok(Run { table, problem, parts, settings, config, decision, growing: None, baseline: None, fit })
}
