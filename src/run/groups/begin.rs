//! The begin of a run without a target.

use std::sync::Arc;

use super::GroupsFit;
use super::scores::Predicted;
use super::targets;
use crate::encode::{Encoder, Labels, Parts, Problem, Vocabulary};
use crate::error::{Code, Error, Result, quoted};
use crate::learn::relaxed::RelaxedPlan;
use crate::learn::relaxed::ours::context::Context;
use crate::learn::relaxed::paper::samples::{Goal, Samples, Units};
use crate::learn::{Columns, Config, Recipe, Sequence, Size, TargetKind};
use crate::run::fit::Encoded;
use crate::run::{Aim, RowCounts, Run, Settings};
use crate::table::Table;
use crate::tree::{Decision, Target};

/// What a cluster tree's answer is called.
const NAME: &str = "cluster";

/// Chooses the columns to predict, draws the parts and begins.
pub(in crate::run) fn begin(table: Arc<Table>, settings: Settings) -> Result<Run> {
    let Aim::Groups { ignore, predicted: named, label } = &settings.aim else {
        unreachable!("the caller has looked at the aim")
    };
    let config = settings.learner.resolve(TargetKind::Number);
    let Config::Relaxed(relaxed) = &config else {
        let message = format!("{} cannot cluster rows.", quoted(settings.learner.key()));
        return Err(Error::new(Code::BadTask, message, "Choose the model relaxed, or name a target."));
    };
    for name in ignore.iter().chain(label).chain(named) {
        table.position(name)?;
    }
    if table.rows() < 4 {
        let message = format!("The file has {} rows, and a hierarchy needs at least 4.", table.rows());
        return Err(Error::new(Code::TooFewRows, message, "Use a file with more rows."));
    }
    let seed = u64::from(settings.seed);
    let parts = Parts::draw(&Labels::Values(vec![0.0; table.rows()]), settings.shares, seed)?;
    let unused = |name: &String| ignore.contains(name) || label.as_ref() == Some(name);
    let (problem, predicted) = problem(&table, &parts, &unused, named)?;
    let vocabulary = Vocabulary::fit(&table, &problem, &parts.train);
    if vocabulary.features.is_empty() {
        let message = "No column is left to divide the rows by: every usable column has a single value.";
        return Err(Error::new(Code::NoFeatures, message, "Use more rows or other columns."));
    }
    let seen = vocabulary.values(&table, &problem, &problem.rows);
    let trained = seen.select_columns(&parts.train);
    let labels = problem.labels.select(&parts.train);
    let encoder = Encoder::fit(&vocabulary.features, &trained, &labels, &seen, &relaxed.wants(), seed);
    let samples = |rows: &[usize]| {
        let design = encoder.design(&seen.select_columns(rows), problem.labels.select(rows));
        let outputs = predicted.outputs;
        let values = &predicted.values;
        let values =
            rows.iter().flat_map(|&i| values[i * outputs..(i + 1) * outputs].iter().copied()).collect();
        Samples { design: Arc::new(design), goal: Goal::Numbers { values, outputs } }
    };
    let (train, valid) = (samples(&parts.train), samples(&parts.valid));
    relaxed.check(&train.design)?;
    let size = Size {
        train: train.design.samples(),
        valid: valid.design.samples(),
        features: train.design.features(),
    };
    let columns = Columns { apart: encoder.apart(), feature: encoder.features() };
    let context = relaxed.context(&columns, train, valid, Units { centre: 0.0, scale: 1.0 }, seed);
    // Groups should not depend on luck, so every descent begins at a greedy tree, but for the published ones.
    let greedy = if settings.learner.recipe() == Recipe::Published { context.greedy } else { u32::MAX };
    let training = Box::new(Sequence::new(Arc::new(RelaxedPlan::of(Context { greedy, ..context }))));
    let rows = RowCounts { train: parts.train.len(), valid: parts.valid.len(), test: parts.test.len() };
    let encoded = Encoded { config: config.sized(size), vocabulary, encoder, training, rows };
    let fit = Box::new(GroupsFit { encoded, predicted, label: label.clone(), seed });
    let decision = Decision::Likeliest;
    Ok(Run { table, problem, parts, settings, config, decision, growing: None, baseline: None, fit })
}

/// Which columns are predicted, with their values, and from which others.
fn problem(
    table: &Table,
    parts: &Parts,
    unused: &dyn Fn(&String) -> bool,
    named: &[String],
) -> Result<(Problem, Predicted)> {
    let columns = table.columns();
    let usable: Vec<usize> =
        (0..columns.len()).filter(|&at| columns[at].usable() && !unused(&columns[at].name)).collect();
    let targets = targets::choose(table, &usable, named, &parts.train)?;
    let inputs: Vec<usize> = usable.iter().copied().filter(|column| !targets.contains(column)).collect();
    if inputs.is_empty() {
        let message = "No column is left to divide the rows by: all that can be used are predicted.";
        return Err(Error::new(
            Code::NoFeatures,
            message,
            "Name fewer columns to predict, or use more columns.",
        ));
    }
    let (values, outputs) = targets::values(table, &targets, &parts.train);
    let names = targets.iter().map(|&at| columns[at].name.clone()).collect();
    let problem = Problem {
        target: Target::Clusters { name: NAME.into(), columns: names },
        target_column: targets[0],
        columns: inputs,
        rows: (0..table.rows()).collect(),
        labels: Labels::Values(values.chunks_exact(outputs).map(|row| row[0]).collect()),
        warnings: vec![],
    };
    Ok((problem, Predicted { columns: targets, values, outputs }))
}
