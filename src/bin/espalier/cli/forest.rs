//! `--model forest`: a random forest as a yardstick. It is scored like the others, but has no one tree to write or to draw.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use espalier::encode::{Encoder, Parts, Problem, Vocabulary};
use espalier::error::Error;
use espalier::learn::forest::Forest;
use espalier::learn::{Config, Settings};
use espalier::metrics::Scores;
use espalier::run::{Run, score_answers};
use espalier::table::Table;
use espalier::tree::Decision;

use super::failure::Failure;
use super::report::{Report, Seconds, Size};
use super::{files, interrupt, layout, report, train};

/// What the forest is called on the command line.
pub const KEY: &str = "forest";

/// Trees in a forest.
const TREES: usize = 100;

/// Scores on the rows trained on and on the test rows, and the number of nodes.
pub struct Grown {
    pub train: Scores,
    pub test: Scores,
    /// Nodes and leaves of all trees, and the depth of the deepest.
    pub size: Size,
    /// Numbers that all trees are made of.
    pub parameters: usize,
}

/// Grows a forest on training and validation rows, encoded as CART wants them.
pub fn grow(table: &Table, problem: &Problem, parts: &Parts, decision: &Decision, seed: u32) -> Result<Grown, Error> {
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
        score_answers(&answers, &design.y, decision)
    };
    let test = if test.samples() > 0 { score(&test) } else { Scores::new() };
    let train = score(&train);
    let trees = forest.into_trees();
    let sum = |of: fn(&espalier::tree::Tree) -> usize| trees.iter().map(of).sum();
    let depth = trees.iter().map(|tree| tree.depth()).max().unwrap_or(0);
    let size = Size { nodes: sum(|tree| tree.size()), leaves: sum(|tree| tree.leaves()), depth };
    Ok(Grown { train, test, size, parameters: sum(|tree| tree.parameters()) })
}

impl Report {
    /// The report of a forest on the parts of a run.
    pub fn of_forest(file: &std::path::Path, run: &Run, grown: Grown, seconds: Seconds) -> Report {
        let mut report = Report::of_file(file, run, KEY);
        report.rows.train += std::mem::take(&mut report.rows.valid);
        report.metrics = BTreeMap::from([("train", grown.train), ("valid", Scores::new()), ("test", grown.test)]);
        report.config = BTreeMap::from([("trees", TREES.into())]);
        Report { seconds, tree: grown.size, stop_reason: "grown", ..report }
    }
}

/// Refuses hyper-parameters, of which the forest has none.
pub fn check(parameters: &[(&str, espalier::learn::Value)]) -> Result<(), Failure> {
    match parameters.first() {
        Some((key, _)) => Err(Failure::Input(format!(
            "The forest has no hyper-parameter \"{key}\": it is a yardstick of {TREES} trees as published. Leave it out, or choose another model."
        ))),
        None => Ok(()),
    }
}

/// `espalier train --model forest`.
pub fn run(args: &train::Args) -> Result<(), Failure> {
    let (begun, options) = (Instant::now(), &args.options);
    for (flag, file) in [("--tree", &args.tree), ("--predictions", &args.predictions)] {
        if file.is_some() {
            let message = format!(
                "A forest has no one tree, so {flag} has nothing to write. Ask for --report, or choose a model that is one tree, such as get."
            );
            return Err(Failure::Input(message));
        }
    }
    check(&options.hyper_parameters())?;
    let data = options.data();
    files::check_outputs(&[data], &[options.report.as_deref()])?;
    options.shares().check()?;
    let asked = options.ask(&files::read(data)?)?;
    let (read, encoding) = (begun.elapsed(), Instant::now());
    let settings = options.settings(&asked.selection, Settings::new("cart")?, options.seed)?;
    let run = Run::alone(Arc::new(asked.table), settings).map_err(Failure::in_file(data))?;
    let encode = encoding.elapsed();
    interrupt::listen();
    let growing = Instant::now();
    let grown =
        grow(run.table(), run.problem(), run.parts(), run.decision(), options.seed).map_err(Failure::in_file(data))?;
    let seconds = train::seconds(read, encode, growing.elapsed(), begun.elapsed());
    let report = Report::of_forest(data, &run, grown, seconds);
    match &options.report {
        Some(path) => files::write(path, &report::json(&report)),
        None => files::print(&summary(&report)),
    }
}

fn summary(report: &Report) -> String {
    let mut text = format!("{TREES} trees of {} nodes in all\n\n", report.tree.nodes);
    for part in ["train", "test"] {
        let scores = report.metrics.get(part).into_iter().flatten();
        let scores: Vec<String> = scores.map(|(name, score)| format!("{name} {}", layout::score(*score))).collect();
        if !scores.is_empty() {
            text.push_str(&format!("{part}: {}\n", scores.join(", ")));
        }
    }
    text
}
