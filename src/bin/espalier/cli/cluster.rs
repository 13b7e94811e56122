//! `espalier train --task clustering`: a hierarchy of the rows without a target.

use std::sync::Arc;
use std::time::Instant;

use espalier::error::quoted;
use espalier::export::{self, Rules};
use espalier::run::{Aim, Fitted, Run, STOPPED, Settings, apply, kept, predictions_csv};

use super::deadline::{self, Deadline};
use super::failure::Failure;
use super::layout::{self, Align};
use super::options::target_column;
use super::progress::{Label, Progress};
use super::report::{self, Report};
use super::train::{Args, seconds};
use super::{files, interrupt};

/// The name of the task.
pub const TASK: &str = "clustering";

/// Trains and writes the requested files.
pub fn run(args: &Args) -> Result<(), Failure> {
    let begun = Instant::now();
    let options = &args.options;
    let data = options.data();
    let outputs = [args.tree.as_deref(), options.report.as_deref(), args.predictions.as_deref()];
    files::check_outputs(&[data], &outputs)?;
    options.shares().check()?;
    for (given, name) in
        [(options.target.is_some(), "--target"), (options.split_column.is_some(), "--split-column")]
    {
        if given {
            let instead =
                "--label COL scores the clusters by a column, --regress A,B names the columns to predict";
            return Err(Failure::Input(format!("{name} has no meaning for clustering: {instead}.")));
        }
    }
    let learner = options.configured(args.model.as_deref().unwrap_or("relaxed"))?;

    let (table, ignore) = options.read(&files::read(data)?)?;
    let name = |asked: &String| target_column(&table, asked).map_err(Failure::in_file(data));
    let predicted = args.regress.iter().map(name).collect::<Result<_, _>>()?;
    let aim = Aim::Groups { ignore, predicted, label: args.label.as_ref().map(name).transpose()? };
    let settings = Settings { aim, shares: options.shares(), learner, seed: options.seed };
    let read = begun.elapsed();
    let deadline = Deadline::begin(deadline::system, options.budget);
    let notes = table.warnings();
    let mut run = Run::alone(Arc::new(table), settings).map_err(Failure::in_file(data))?;
    let encode = deadline.elapsed();

    interrupt::listen();
    let mut progress = Progress::new(options.progress);
    notes.iter().for_each(|note| progress.note(note));
    if args.regress.is_empty() {
        let chosen: Vec<String> = run.problem().target.predicted().iter().map(|name| quoted(name)).collect();
        progress.note(&format!("The tree learns to predict {} from the other columns.", chosen.join(", ")));
    }
    let label = Label { model: run.config().key(), seed: options.seed };
    let start = Instant::now();
    let deadline = deadline.with_reserve(encode);
    let stop_reason = loop {
        if let Some(reason) = deadline.over() {
            break reason;
        }
        let now = run.step();
        if now.stop.is_some() {
            break STOPPED;
        }
        progress.step(label, &now, start.elapsed());
    };
    let spent = start.elapsed();
    let clustered = run.finish(stop_reason);
    progress.done(label, &clustered.progress, spent, clustered.stop_reason);
    let seconds = seconds(read, encode, spent, begun.elapsed());

    if let Some(path) = &args.tree {
        files::write(path, &export::write(&run.document(&clustered))?)?;
    }
    if let Some(path) = &options.report {
        let report = Report::new(data, &run, &clustered, seconds);
        files::write(path, &report::json(&report))?;
    }
    if let Some(path) = &args.predictions {
        let records = run.table().records();
        let applied = apply(&clustered.model, records).map_err(Failure::in_file(data))?;
        files::write(path, &predictions_csv(&clustered.model, records, &applied.predictions))?;
    }
    if args.tree.is_none() && options.report.is_none() {
        files::print(&summary(&run, &clustered))?;
    }
    Ok(())
}

/// The summary for human readers: how much the clusters explain, their sizes, and the tree with the
/// distinguishing features of each branch.
fn summary(run: &Run, clustered: &Fitted) -> String {
    let tree = &clustered.model.tree;
    let mut text = format!(
        "{} rows in {} clusters, {} levels; learned by predicting {}\n\n",
        run.table().rows(),
        tree.leaves(),
        tree.depth(),
        run.problem().target.predicted().join(", ")
    );
    let mut names: Vec<&str> = clustered.metrics.values().flat_map(|scores| scores.keys().copied()).collect();
    names.sort_unstable();
    names.dedup();
    let mut header = vec![("part", Align::Left)];
    header.extend(names.iter().map(|&name| (name, Align::Right)));
    let rows: Vec<Vec<String>> = ["train", "valid", "test", "all"]
        .into_iter()
        .filter_map(|part| {
            let scores = clustered.metrics.get(part)?;
            let cells =
                names.iter().map(|name| scores.get(name).map_or("–".into(), |&score| layout::score(score)));
            Some(std::iter::once(part.to_owned()).chain(cells).collect())
        })
        .collect();
    text.push_str(&layout::table(&header, &rows));
    text.push_str(&format!("\n{}\n\n", kept(&clustered.kept).sentence()));
    text.push_str(&Rules(&clustered.model).to_string());
    text
}
