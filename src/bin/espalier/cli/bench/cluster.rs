//! `espalier bench clustering`: purity of hierarchies that were built without labels, compared with
//! hierarchical k-means.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use espalier::encode::{Shares, Task};
use espalier::learn;
use espalier::run::{Aim, Metrics, Run, Settings};
use serde::Serialize;

use super::super::failure::{Failure, say};
use super::super::options::target_column;
use super::super::{files, interrupt, report};
use super::{Args, manifest};

/// One model on one dataset: a number per seed.
#[derive(Debug, Default, Serialize)]
struct Series {
    /// Dendrogram purity of the test rows.
    test: Vec<f64>,
    /// Dendrogram purity of all rows.
    all: Vec<f64>,
    depth: Vec<usize>,
    leaves: Vec<usize>,
    seconds: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct Results {
    espalier: &'static str,
    task: &'static str,
    protocol: &'static str,
    datasets: Vec<Dataset>,
}

#[derive(Debug, Serialize)]
struct Dataset {
    name: String,
    n: usize,
    p: usize,
    targets: Vec<String>,
    models: BTreeMap<&'static str, Series>,
}

const PROTOCOL: &str = "random, 20 % of all rows for the test and 20 % for validation; \
    columns to predict and levels are chosen \
                        without labels; k-means has the levels of the relaxed tree";
const GIVEN: &str = "random, 20 % of all rows for the test and 20 % for validation; \
    columns to predict are given by \
                     name, levels are chosen without labels; k-means has the levels of the relaxed tree";

/// Runs the benchmark, prints the table and writes the scores.
pub fn run(args: &Args) -> Result<(), Failure> {
    let protocol = if args.regress.is_empty() { PROTOCOL } else { GIVEN };
    let datasets = manifest::datasets(&args.data, Task::Classification, &args.only)?;
    interrupt::listen();
    let mut results = vec![];
    for dataset in &datasets {
        let loaded = dataset.load()?;
        let table = Arc::new(loaded.table.clone());
        let name = |asked: &String| {
            target_column(&table, asked).map_err(|error| Failure::Input(format!("{}: {error}", dataset.name)))
        };
        let regress: Vec<String> = args.regress.iter().map(name).collect::<Result<_, _>>()?;
        let (n, p) = dataset.shape;
        let mut entry =
            Dataset { name: dataset.name.clone(), n, p, targets: vec![], models: BTreeMap::new() };
        for seed in args.seed..args.seed.saturating_add(args.seeds) {
            if interrupt::asked() {
                break;
            }
            let mut learner = learn::Settings::new("relaxed")?;
            args.set.iter().try_for_each(|(key, value)| learner.set(key, value))?;
            let aim = Aim::Groups {
                ignore: vec![],
                predicted: regress.clone(),
                label: Some(dataset.target.clone()),
            };
            let settings = Settings { aim, shares: Shares::default(), learner, seed };
            let begun = Instant::now();
            let mut run = match Run::alone(table.clone(), settings) {
                Ok(run) => run,
                Err(error) => {
                    say(&format!("{}: {error}", dataset.name));
                    break;
                }
            };
            entry.targets = run.problem().target.predicted().to_vec();
            let clustered = run.complete();
            let purity = |part| purity(&clustered.metrics, part);
            let series = entry.models.entry("relaxed").or_default();
            series.test.push(purity("test"));
            series.all.push(purity("all"));
            series.depth.push(clustered.model.tree.depth());
            series.leaves.push(clustered.model.tree.leaves());
            series.seconds.push(begun.elapsed().as_secs_f64());
            if !args.quiet {
                say(&format!("{} seed {seed}: {:.3}", dataset.name, purity("test")));
            }
            yardstick(&run, clustered.model.tree.depth(), entry.models.entry("k-means").or_default());
        }
        results.push(entry);
    }
    let results =
        Results { espalier: env!("CARGO_PKG_VERSION"), task: "clustering", protocol, datasets: results };
    if let Some(path) = &args.json {
        files::write(path, &report::json(&results))?;
    }
    files::print(&markdown(&results))
}

/// Hierarchical k-means on the same rows, to the same depth.
fn yardstick(run: &Run, depth: usize, series: &mut Series) {
    let begun = Instant::now();
    let Some(yardstick) = run.yardstick(depth) else { return };
    series.test.push(purity(&yardstick.metrics, "test"));
    series.all.push(purity(&yardstick.metrics, "all"));
    series.depth.push(depth);
    series.leaves.push(yardstick.leaves);
    series.seconds.push(begun.elapsed().as_secs_f64());
}

fn purity(metrics: &Metrics, part: &str) -> f64 {
    metrics.get(part).and_then(|scores| scores.get("dendrogram_purity")).copied().unwrap_or(0.0)
}

fn markdown(results: &Results) -> String {
    let spread = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        match values.len() {
            0 => "–".to_owned(),
            1 => format!("{mean:.3}"),
            n => format!("{mean:.3} ± {:.3}", (squares / (n - 1) as f64).sqrt()),
        }
    };
    let whole = |values: &[usize]| values.iter().sum::<usize>() as f64 / values.len().max(1) as f64;
    let mut text = format!("Score: dendrogram_purity. Protocol: {}.\n\n", results.protocol);
    text.push_str(
        "| dataset | n | p | predicted | model | test rows | all rows | levels | leaves | seconds |\n",
    );
    text.push_str("| --- | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
    for dataset in &results.datasets {
        for (model, series) in dataset.models.iter().rev() {
            let seconds = series.seconds.iter().sum::<f64>() / series.seconds.len().max(1) as f64;
            text.push_str(&format!(
                "| {} | {} | {} | {} | {model} | {} | {} | {:.1} | {:.1} | {seconds:.2} |\n",
                dataset.name,
                dataset.n,
                dataset.p,
                dataset.targets.join(", "),
                spread(&series.test),
                spread(&series.all),
                whole(&series.depth),
                whole(&series.leaves),
            ));
        }
    }
    text
}
