//! `--model forest`: a random forest as a yardstick. It is scored like the others, but has no single tree to
//! write or to draw.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use espalier::encode::{Design, Encoder, Labels, Parts, Problem, Vocabulary};
use espalier::error::Error;
use espalier::learn::forest::ForestGrowth;
use espalier::learn::{self, Config, Work};
use espalier::metrics::Scores;
use espalier::run::{Run, score_answers};
use espalier::table::Table;
use espalier::tree::{Decision, Tree};

use super::deadline::{self, Deadline};
use super::failure::Failure;
use super::progress::{Label, Progress};
use super::report::{Report, Seconds, Size};
use super::time_left::TimeLeft;
use super::{files, interrupt, layout, report, train};

/// The forest's name on the command line.
pub const KEY: &str = "forest";

/// Trees in a forest.
const TREES: usize = 100;
/// Rows that a tree predicts between two checks of the clock.
const VOTES: usize = 10_000;

/// Scores on the training and the test rows, and the size.
pub struct Grown {
    pub train: Scores,
    pub test: Scores,
    /// Nodes and leaves of all trees, and the depth of the deepest.
    pub size: Size,
    /// Number of parameters of all trees.
    pub parameters: usize,
    /// Number of trees grown.
    pub trees: usize,
    /// Why growing ended.
    pub stop_reason: &'static str,
}

/// Rows with the sums of the trees' predictions for them.
struct Voted {
    design: Arc<Design>,
    /// The numbers of a prediction, row after row.
    sums: Vec<f64>,
    width: usize,
}

impl Voted {
    fn new(design: Arc<Design>) -> Voted {
        let width = if let Labels::Classes { classes, .. } = &design.y { *classes } else { 1 };
        Voted { sums: vec![0.0; width * design.samples()], width, design }
    }

    /// Adds a tree's predictions; an error if it is stopped in between.
    fn add(
        &mut self,
        tree: &Tree,
        stop: &mut dyn FnMut(f64) -> Option<&'static str>,
        share: f64,
    ) -> Result<(), &'static str> {
        for (at, sums) in self.sums.chunks_mut(VOTES * self.width).enumerate() {
            let rows = (at * VOTES..).map(|row| self.design.row(row)).take(sums.len() / self.width);
            let leaves = tree.leaves_of(rows.clone());
            for ((sums, row), leaf) in sums.chunks_exact_mut(self.width).zip(rows).zip(leaves) {
                sums.iter_mut().zip(tree.output(leaf as usize, row)).for_each(|(sum, answer)| *sum += answer);
            }
            stop(share).map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    /// The scores of the mean of this many trees.
    fn scores(&self, trees: usize, decision: &Decision) -> Scores {
        if self.design.samples() == 0 {
            return Scores::new();
        }
        let mean = |sums: &[f64]| sums.iter().map(|sum| sum / trees as f64).collect::<Vec<f64>>();
        let answers: Vec<Vec<f64>> = self.sums.chunks_exact(self.width).map(mean).collect();
        score_answers(&answers, &self.design.y, decision)
    }
}

/// Grows a forest on training and validation rows, encoded as for CART. Every tree predicts all rows once it
/// is grown, so that a stopped forest is scored with the trees it has. `stop` is called between small pieces
/// of work with the share that is done, and returns the reason to stop.
pub fn grow(
    table: &Table,
    problem: &Problem,
    parts: &Parts,
    decision: &Decision,
    seed: u32,
    stop: &mut dyn FnMut(f64) -> Option<&'static str>,
) -> Result<Grown, Error> {
    let rows = parts.train_and_valid();
    let vocabulary = Vocabulary::fit(table, problem, &rows);
    let values = vocabulary.values(table, problem, &rows);
    let labels = problem.labels.select(&rows);
    let wants = Config::new("cart")?.wants();
    let encoder = Encoder::fit(&vocabulary.features, &values, &labels, &values, &wants, u64::from(seed));
    let train = Arc::new(encoder.design(&values, labels));
    Config::new("cart")?.check(&train)?;
    let test_values = vocabulary.values(table, problem, &parts.test);
    let test = Arc::new(encoder.design(&test_values, problem.labels.select(&parts.test)));
    let mut growth = ForestGrowth::new(train.clone(), TREES, u64::from(seed));
    let mut voted = [Voted::new(train), Voted::new(test)];
    // A tree counts once it has predicted all rows; the previous sums are kept in case it is stopped in
    // between.
    let (mut counted, mut stop_reason) = (0, "grown");
    'growing: loop {
        let more = growth.step();
        while counted < growth.trees().len() {
            let before = voted.each_ref().map(|part| if counted == 0 { vec![] } else { part.sums.clone() });
            for part in &mut voted {
                let stopping = &mut |share| if counted == 0 { None } else { stop(share) };
                if let Err(reason) = part.add(&growth.trees()[counted], stopping, growth.share()) {
                    voted.iter_mut().zip(before).for_each(|(part, sums)| part.sums = sums);
                    stop_reason = reason;
                    break 'growing;
                }
            }
            counted += 1;
        }
        if !more {
            break;
        }
        if let Some(reason) = stop(growth.share()) {
            stop_reason = reason;
            break;
        }
    }
    let mut trees = growth.so_far().into_trees();
    if counted == 0 {
        voted.iter_mut().for_each(|part| part.add(&trees[0], &mut |_| None, 0.0).unwrap_or_default());
        counted = 1;
    }
    trees.truncate(counted);
    let sum = |of: fn(&Tree) -> usize| trees.iter().map(of).sum();
    let depth = trees.iter().map(|tree| tree.depth()).max().unwrap_or(0);
    let size = Size { nodes: sum(|tree| tree.size()), leaves: sum(|tree| tree.leaves()), depth };
    let [train, test] = voted.map(|part| part.scores(counted, decision));
    let parameters = sum(|tree| tree.parameters());
    Ok(Grown { train, test, size, parameters, trees: counted, stop_reason })
}

/// Checks the clock and Ctrl-C while a forest grows, and shows its progress.
pub fn watch<'a>(
    seed: u32,
    deadline: Deadline,
    progress: &'a mut Progress,
) -> impl FnMut(f64) -> Option<&'static str> + use<'a> {
    let (start, mut left) = (Instant::now(), TimeLeft::default());
    move |share| {
        if progress.is_due() {
            let phase = Work::Greedy.into();
            let now = learn::Progress {
                step: (share * TREES as f64) as u64,
                restarts: 1,
                share,
                phase,
                ..Default::default()
            };
            progress.set_left(left.say(share, start.elapsed(), deadline.left()));
            progress.step(Label { model: KEY, seed }, &now, start.elapsed());
        }
        deadline.over()
    }
}

impl Report {
    /// The report of a forest on the parts of a run.
    pub fn of_forest(file: &std::path::Path, run: &Run, grown: Grown, seconds: Seconds) -> Report {
        let mut report = Report::of_file(file, run, KEY);
        report.rows.train += std::mem::take(&mut report.rows.valid);
        report.metrics =
            BTreeMap::from([("train", grown.train), ("valid", Scores::new()), ("test", grown.test)]);
        report.config = BTreeMap::from([("trees", grown.trees.into())]);
        Report { seconds, tree: grown.size, stop_reason: grown.stop_reason, ..report }
    }
}

/// Refuses hyper-parameters, because the forest has none.
pub fn check(parameters: &[(&str, learn::Value)]) -> Result<(), Failure> {
    match parameters.first() {
        Some((key, _)) => Err(Failure::Input(format!(
            "The forest has no hyper-parameter \"{key}\": it is a yardstick of {TREES} trees as published. \
             Leave it out, or choose another model."
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
                "A forest has no single tree, so {flag} has nothing to write. \
                 Ask for --report, or choose a model that is one tree, such as get."
            );
            return Err(Failure::Input(message));
        }
    }
    check(&options.hyper_parameters())?;
    // The recipe must be valid, although it does not change a forest; CART sets how rows are encoded.
    let learner = options.learner("cart")?;
    let data = options.data();
    files::check_outputs(&[data], &[options.report.as_deref()])?;
    options.shares().check()?;
    let asked = options.ask(&files::read(data)?)?;
    let (read, deadline) = (begun.elapsed(), Deadline::begin(deadline::system, options.budget));
    let settings = options.settings(&asked.selection, learner, options.seed)?;
    let run = Run::alone(Arc::new(asked.table), settings).map_err(Failure::in_file(data))?;
    let encode = deadline.elapsed();
    interrupt::listen();
    let growing = Instant::now();
    let mut progress = Progress::new(options.progress);
    // The rows are encoded once more, and scoring takes about as long as that.
    let mut stop = watch(options.seed, deadline.with_reserve(encode / 2), &mut progress);
    let grown = grow(run.table(), run.problem(), run.parts(), run.decision(), options.seed, &mut stop)
        .map_err(Failure::in_file(data))?;
    drop(stop);
    progress.clear();
    deadline.lateness().iter().for_each(|line| progress.note(line));
    let trees = grown.trees;
    let seconds = train::seconds(read, encode, growing.elapsed(), begun.elapsed());
    let report = Report::of_forest(data, &run, grown, seconds);
    match &options.report {
        Some(path) => files::write(path, &report::json(&report)),
        None => files::print(&summary(&report, trees)),
    }
}

fn summary(report: &Report, trees: usize) -> String {
    let mut text =
        format!("{trees} trees of {} nodes in total; ended: {}\n\n", report.tree.nodes, report.stop_reason);
    for part in ["train", "test"] {
        let scores = report.metrics.get(part).into_iter().flatten();
        let scores: Vec<String> =
            scores.map(|(name, score)| format!("{name} {}", layout::score(*score))).collect();
        if !scores.is_empty() {
            text.push_str(&format!("{part}: {}\n", scores.join(", ")));
        }
    }
    text
}
