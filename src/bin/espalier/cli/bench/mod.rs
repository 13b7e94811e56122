//! `espalier bench`: every model on every dataset of a folder over several seeds, by one protocol.

mod cluster;
mod manifest;
mod protocol;
mod results;
mod schedule;
mod statistics;
mod table;
mod training;
mod tuned;

use std::path::PathBuf;

use clap::ValueHint;
use espalier::learn::Value;

use super::failure::Failure;
use super::models::{self, Rules};
use super::options::parse_setting;
use super::{files, interrupt, options, report};
use protocol::{Judge, Protocol};

/// Score models on the datasets of a folder, over several seeds
///
/// The folder has a MANIFEST.csv that lists each dataset with its file, task, target and categorical columns.
/// Datasets whose name ends in -full are skipped unless they are named in --only. The result does not depend
/// on --threads.
#[derive(clap::Args)]
pub struct Args {
    /// classification (macro F1 on a fifth of the rows), regression (R² on a quarter), or clustering
    /// (dendrogram purity; each dataset's target is used only for scoring)
    #[arg(value_name = "TASK")]
    task: String,
    /// The folder with the datasets and their MANIFEST.csv
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    data: PathBuf,
    /// Datasets to run, by name [default: all of the task]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    only: Vec<String>,
    /// Models as NAME[@RECIPE][:key=value]…, such as gradtree@published:depth=4. Names: the learners (cart
    /// has depth 10 here), cart-tuned, and forest (a hundred trees, as a yardstick). Recipes: espalier and
    /// published
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "cart,cart-tuned,gradtree")]
    models: Vec<String>,
    /// Number of seeds: S, S+1, …
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    seeds: u32,
    /// The first seed
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
    seed: u32,
    /// Rows to score: the test rows, or with valid a part of the others, so that ideas can be tried without
    /// the test rows
    #[arg(long, value_enum, default_value_t = Judge::Test)]
    judge: Judge,
    /// Which class models predict: auto, likeliest, balanced or costs:…, as for train
    #[arg(long, value_name = "RULE", default_value = "auto")]
    answers: String,
    /// A hyper-parameter for every model that has it; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_setting)]
    set: Vec<(String, Value)>,
    /// With clustering: the columns to predict from the others, by name or by number from 1, in every dataset
    /// [default: chosen by a rule]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    regress: Vec<String>,
    /// Number of trainings that run at the same time
    #[arg(
        long,
        value_name = "T",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    threads: u32,
    /// Write the scores of every seed
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,
    /// Print nothing to stderr while it runs
    #[arg(long)]
    quiet: bool,
}

/// Runs the benchmark, prints the table and writes the scores.
pub fn run(args: &Args) -> Result<(), Failure> {
    files::check_outputs(&[], &[args.json.as_deref()])?;
    if args.task == super::cluster::TASK {
        return cluster::run(args);
    }
    if !args.regress.is_empty() {
        return Err(Failure::Input("--regress is for clustering.".into()));
    }
    let protocol = Protocol::new(&args.task, args.judge, options::rule(&args.answers)?)?;
    let common: Vec<(&str, Value)> =
        args.set.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    let rules = Rules { tuned: true, cart_depth: Some(training::CART_DEPTH), recipe: None, common: &common };
    let models = models::parse(&args.models, &rules)?;
    let last = args.seed.checked_add(args.seeds - 1).ok_or_else(|| {
        Failure::Input(format!(
            "{} seeds from {} on go beyond the largest seed, {}.",
            args.seeds,
            args.seed,
            u32::MAX
        ))
    })?;
    let datasets = manifest::datasets(&args.data, protocol.task, &args.only)?;
    interrupt::listen();
    let seeds: Vec<u32> = (args.seed..=last).collect();
    let outcome = schedule::run(&datasets, &models, &seeds, &protocol, args.threads, args.quiet);
    let names: Vec<String> = models.iter().map(|model| model.name.clone()).collect();
    let results = results::Results::new(&protocol, &datasets, names, &outcome.scored);
    if let Some(path) = &args.json {
        files::write(path, &report::json(&results))?;
    }
    files::print(&table::markdown(&results))?;
    outcome.failures.into_iter().next().map_or(Ok(()), Err)
}
