//! Runs the trainings of a benchmark on several threads. Each depends only on its dataset, model and seed, so
//! neither the number of threads nor their speed changes a score.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::super::failure::{Failure, say};
use super::super::interrupt;
use super::super::models::{Kind, Model};
use super::manifest::Dataset;
use super::protocol::Protocol;
use super::training;

/// One training with its scores.
#[derive(Debug, Clone)]
pub struct Scored {
    /// Position of the dataset.
    pub dataset: usize,
    /// Position of the model.
    pub model: usize,
    /// The main score on the scored rows; `None` if it is not defined.
    pub score: Option<f64>,
    /// Every score on the scored rows.
    pub metrics: espalier::metrics::Scores,
    /// The main score on the training rows.
    pub train_score: Option<f64>,
    /// Splits and leaves.
    pub nodes: usize,
    /// Number of learned parameters, of all trees together.
    pub parameters: usize,
    /// Columns per split on average; `None` for a tree without splits, and for forests.
    pub columns_per_split: Option<f64>,
    /// Time from the split to the scored model.
    pub seconds: f64,
}

/// The result of a benchmark.
pub struct Outcome {
    /// The trainings that ended, by dataset, then seed, then model.
    pub scored: Vec<Scored>,
    /// The failures of the others.
    pub failures: Vec<Failure>,
}

/// Trains every model on every dataset for every seed.
pub fn run(
    datasets: &[Dataset],
    models: &[Model],
    seeds: &[u32],
    protocol: &Protocol,
    threads: u32,
    quiet: bool,
) -> Outcome {
    let mut work = vec![];
    for dataset in 0..datasets.len() {
        for &seed in seeds {
            work.extend((0..models.len()).map(|model| (dataset, seed, model)));
        }
    }
    let begun = Instant::now();
    let (next, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Vec<Mutex<Option<Result<Scored, Failure>>>> =
        work.iter().map(|_| Mutex::new(None)).collect();
    let labour = || {
        while let Some(&(dataset, seed, model)) = work.get(next.fetch_add(1, Ordering::SeqCst)) {
            if interrupt::asked() {
                break;
            }
            let at = (dataset * seeds.len() + (seed - seeds[0]) as usize) * models.len() + model;
            let Some(result) =
                one(dataset, &datasets[dataset], seed, model, &models[model], protocol).transpose()
            else {
                break;
            };
            let count = ended.fetch_add(1, Ordering::SeqCst) + 1;
            if !quiet {
                let score = match &result {
                    Ok(scored) => {
                        scored.score.map_or("not defined".to_owned(), |score| format!("{score:.4}"))
                    }
                    Err(failure) => failure.to_string(),
                };
                let (dataset, model) = (&datasets[dataset].name, &models[model].name);
                let seconds = begun.elapsed().as_secs_f64();
                say(&format!(
                    "{count}/{} after {seconds:.1} s: {dataset}, seed {seed}, {model}: {score}",
                    work.len()
                ));
            }
            *results[at].lock().expect("no thread panics while it holds this") = Some(result);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(labour)).collect();
        labour();
        workers.into_iter().for_each(|worker| worker.join().expect("a panic has ended the program"));
    });
    let mut outcome = Outcome { scored: vec![], failures: vec![] };
    for result in results {
        match result.into_inner().expect("no thread panics while it holds this") {
            Some(Ok(scored)) => outcome.scored.push(scored),
            Some(Err(failure)) => outcome.failures.push(failure),
            None => {}
        }
    }
    if outcome.scored.len() + outcome.failures.len() < work.len() {
        say("Stopped: the table contains only the trainings that had ended.");
    }
    outcome
}

/// Runs one training; `None` if the user asked to stop.
fn one(
    at: usize,
    dataset: &Dataset,
    seed: u32,
    model: usize,
    spec: &Model,
    protocol: &Protocol,
) -> Result<Option<Scored>, Failure> {
    let loaded = dataset.load()?;
    let named = |error: espalier::Error| {
        Failure::Input(format!("{}, seed {seed}, {}: {error}", dataset.name, spec.name))
    };
    let parts = protocol.parts(&loaded.problem.labels, seed).map_err(named)?;
    let begun = Instant::now();
    if spec.kind == Kind::Forest {
        let grown = {
            let decision = protocol.answers.decide_for(&loaded.problem, &parts).map_err(named)?;
            crate::cli::forest::grow(&loaded.table, &loaded.problem, &parts, &decision, seed, &mut |_| None)
                .map_err(named)?
        };
        return Ok(Some(Scored {
            dataset: at,
            model,
            score: grown.test.get(protocol.metric).copied(),
            metrics: grown.test,
            train_score: grown.train.get(protocol.metric).copied(),
            nodes: grown.size.nodes,
            parameters: grown.parameters,
            columns_per_split: None,
            seconds: begun.elapsed().as_secs_f64(),
        }));
    }
    let fitted =
        training::fit(spec, &loaded.table, &loaded.problem, &parts, seed, protocol).map_err(named)?;
    let seconds = begun.elapsed().as_secs_f64();
    let score =
        |fitted: &espalier::run::Fitted, part: &str| fitted.metrics.get(part)?.get(protocol.metric).copied();
    Ok(fitted.map(|fitted| Scored {
        dataset: at,
        model,
        score: score(&fitted, "test"),
        metrics: fitted.metrics.get("test").cloned().unwrap_or_default(),
        train_score: score(&fitted, "train"),
        nodes: fitted.model.tree.size(),
        parameters: fitted.model.tree.parameters(),
        columns_per_split: fitted.model.tree.columns_per_split(),
        seconds,
    }))
}
