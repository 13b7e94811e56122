//! `espalier train`: trains one model on a file, next to the greedy tree.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueHint;
use espalier::export::{self, Rules};
use espalier::run::{Constant, Fitted, Run, apply, kept, predictions_csv};

use super::deadline::{self, Deadline};
use super::failure::Failure;
use super::layout::{self, Align};
use super::options::Options;
use super::progress::Progress;
use super::report::{self, Report, Seconds};
use super::{cluster, drive, files, forest, interrupt};

/// Train one model; without --tree and --report, print a summary
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub options: Options,
    /// The learner: gradtree, get, get-linear, relaxed, cart, or forest as a yardstick [default: gradtree;
    /// relaxed for clustering]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Write the tree with its proof rows
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    pub tree: Option<PathBuf>,
    /// Write the tree's predictions for every row of the file
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath)]
    pub predictions: Option<PathBuf>,
    /// With --task clustering: a column of labels to score the clusters by; the training does not see it
    #[arg(long, value_name = "COL")]
    pub label: Option<String>,
    /// With --task clustering: the columns that the tree learns to predict from the others [default: chosen
    /// by a rule]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub regress: Vec<String>,
}

/// Trains and writes the requested files.
pub fn run(args: &Args) -> Result<(), Failure> {
    let begun = Instant::now();
    let options = &args.options;
    if options.task == cluster::TASK {
        return cluster::run(args);
    }
    if args.label.is_some() || !args.regress.is_empty() {
        return Err(Failure::Input("--label and --regress are for --task clustering.".into()));
    }
    if args.model.as_deref() == Some(forest::KEY) {
        return forest::run(args);
    }
    let data = options.data();
    let outputs = [args.tree.as_deref(), options.report.as_deref(), args.predictions.as_deref()];
    files::check_outputs(&[data], &outputs)?;
    options.shares().check()?;
    let learner = options.configured(args.model.as_deref().unwrap_or("gradtree"))?;

    let bytes = files::read(data)?;
    let asked = options.ask(&bytes)?;
    let read = begun.elapsed();
    let settings = options.settings(&asked.selection, learner, options.seed)?;
    let deadline = Deadline::begin(deadline::system, options.budget);
    let mut run = Run::alone(Arc::new(asked.table), settings).map_err(Failure::in_file(data))?;
    let encode = deadline.elapsed();

    // The input is valid from here on, so output on stderr does not get in the way of an error message.
    interrupt::listen();
    let mut progress = Progress::new(options.progress);
    asked.notes.iter().chain(&run.problem().warnings).for_each(|note| progress.note(note));
    let mut reserve =
        drive::baseline(&mut run, deadline, encode, &mut progress).map_err(Failure::in_file(data))?;
    let (fitted, train) = drive::train(&mut run, &mut reserve, options.threads, &mut progress);
    let alone = run.gradient_with(fitted.stop_reason, &mut |extra, rows| reserve.has_time_for(extra, rows));
    let seconds = seconds(read, encode, train, begun.elapsed());
    reserve.verdict(encode).iter().for_each(|line| progress.note(line));
    let left_out = reserve.left_out();

    if let Some(path) = &args.tree {
        files::write(path, &export::write(&run.document(&fitted))?)?;
    }
    if let Some(path) = &options.report {
        files::write(
            path,
            &report::json(
                &Report::new(data, &run, &fitted, seconds).beside(alone.as_ref()).without(&left_out),
            ),
        )?;
    }
    if let Some(path) = &args.predictions {
        let records = run.table().records();
        let applied = apply(&fitted.model, records).map_err(Failure::in_file(data))?;
        applied.warnings.iter().for_each(|warning| progress.note(warning));
        files::write(path, &predictions_csv(&fitted.model, records, &applied.predictions))?;
    }
    if args.tree.is_none() && options.report.is_none() {
        files::print(&summary(&run, &fitted, alone.as_ref(), seconds))?;
    }
    Ok(())
}

/// Times for a report.
pub fn seconds(read: Duration, encode: Duration, train: Duration, total: Duration) -> Seconds {
    let [read, encode, train, total] = [read, encode, train, total].map(|time| time.as_secs_f64());
    Seconds { read, encode, train, total }
}

/// The summary for human readers: rows, scores next to those of the greedy tree and of descent alone, size,
/// origin of the tree, why the training ended, and the tree.
fn summary(run: &Run, fitted: &Fitted, alone: Option<&Fitted>, seconds: Seconds) -> String {
    let rows = fitted.rows;
    let mut text = format!(
        "{} rows: {} to train on, {} for validation, {} to test\n\n",
        rows.train + rows.valid + rows.test,
        rows.train,
        rows.valid,
        rows.test
    );
    let key = fitted.config.key();
    let alone_name = format!("{key}, descent alone");
    let mut models = vec![(key, fitted)];
    models.extend(alone.map(|alone| (alone_name.as_str(), alone)));
    models.extend(run.baseline().map(|greedy| (greedy.config.key(), greedy)));
    text.push_str(&scores(&models));
    text.push_str(&format!("\n{}\n", kept(&fitted.kept).sentence()));
    if let Some(alone) = alone {
        text.push_str(&format!("Descent alone: {}.\n", kept(&alone.kept).origin()));
    } else if fitted.kept.is_descent_alone() {
        text.push_str("This is a tree of descent alone, without a greedy start or distillation.\n");
    }
    if let Some(line) = hardening(fitted) {
        text.push_str(&line);
    }
    if let Some(line) = rule(run) {
        text.push_str(&line);
    }
    if run.baseline().is_some() {
        text.push_str("\ncart trains on the training and validation rows together.\n");
    }
    text.push_str(&format!(
        "\nEnded: {} after {} steps, {} s in training, {} s in all\n\n",
        fitted.stop_reason,
        fitted.progress.step,
        layout::seconds(seconds.train),
        layout::seconds(seconds.total)
    ));
    text.push_str(&Rules(&fitted.model).to_string());
    text
}

/// The answer rule with its reason, and the score of a constant prediction.
fn rule(run: &Run) -> Option<String> {
    let mut line = format!("\nWhat counts: {}", run.rule_sentence()?);
    if let Some(Constant { class, scores }) = run.constant() {
        let metric = run.decision().metric();
        let score = scores.get(metric).map(|&score| layout::score(score))?;
        line.push_str(&format!(" Always answering {class} has a test {metric} of {score}."));
    }
    Some(line + "\n")
}

/// What hardening a relaxed tree cost, on the test rows or else on the training rows.
fn hardening(fitted: &Fitted) -> Option<String> {
    let part =
        ["test", "train"].into_iter().find(|part| fitted.relaxed.get(part).is_some_and(|s| !s.is_empty()))?;
    let metric = ["accuracy", "r2"].into_iter().find(|metric| fitted.relaxed[part].contains_key(metric))?;
    let [soft, hard] =
        [&fitted.relaxed, &fitted.metrics].map(|metrics| metrics.get(part)?.get(metric).copied());
    let (soft, hard) = (layout::score(soft?), layout::score(hard?));
    Some(format!(
        "\nBefore hardening, the relaxed tree had a {part} {metric} of {soft}; the tree has {hard}.\n"
    ))
}

/// A line per model and part with rows.
fn scores(models: &[(&str, &Fitted)]) -> String {
    let mut names: Vec<&str> = models
        .iter()
        .flat_map(|(_, model)| model.metrics.values().flat_map(|part| part.keys().copied()))
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut header = vec![("model", Align::Left), ("part", Align::Left)];
    header.extend(names.iter().map(|&name| (name, Align::Right)));
    header.extend(["nodes", "leaves", "depth"].map(|name| (name, Align::Right)));
    let mut rows = vec![];
    for (called, model) in models {
        let tree = &model.model.tree;
        let size = [tree.size(), tree.leaves(), tree.depth()].map(|number| number.to_string());
        for part in ["train", "valid", "test"] {
            let Some(scores) = model.metrics.get(part).filter(|scores| !scores.is_empty()) else { continue };
            let mut row = vec![(*called).to_owned(), part.to_owned()];
            row.extend(
                names.iter().map(|name| scores.get(name).map_or("–".into(), |&score| layout::score(score))),
            );
            row.extend(size.clone());
            rows.push(row);
        }
    }
    layout::table(&header, &rows)
}
