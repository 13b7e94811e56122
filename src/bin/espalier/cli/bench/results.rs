//! The scores of a benchmark. The keys are stable: other programs rely on them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::manifest::Dataset;
use super::protocol::Protocol;
use super::schedule::Scored;
use super::statistics::Statistics;

/// All scores.
#[derive(Debug, Serialize)]
pub struct Results {
    /// The program's version.
    pub espalier: &'static str,
    /// `classification` or `regression`.
    pub task: &'static str,
    /// How rows are split and scored.
    pub protocol: String,
    /// The main score.
    pub metric: &'static str,
    /// The models in the order in which they were named.
    pub models: Vec<String>,
    /// One entry per dataset.
    pub datasets: Vec<Scores>,
    /// The tests over datasets; `None` for a single model.
    pub statistics: Option<Statistics>,
}

/// The scores on a dataset.
#[derive(Debug, Serialize)]
pub struct Scores {
    /// Its name.
    pub name: String,
    /// `binary`, `multiclass` or `regression`.
    pub group: String,
    /// Rows.
    pub n: usize,
    /// Columns apart from the target.
    pub p: usize,
    /// By model.
    pub models: BTreeMap<String, Series>,
}

/// A model on a dataset: one number per seed.
#[derive(Debug, Default, Serialize)]
pub struct Series {
    /// The main score on the scored rows.
    pub score: Vec<Option<f64>>,
    /// Every score on these rows, by name; a seed without it is left out.
    pub metrics: BTreeMap<&'static str, Vec<f64>>,
    /// The main score on the training rows.
    pub train_score: Vec<Option<f64>>,
    /// Splits and leaves.
    pub nodes: Vec<usize>,
    /// Number of learned parameters.
    pub parameters: Vec<usize>,
    /// Columns per split, averaged over a tree; `None` for a tree without splits, and for forests. For the
    /// table only.
    #[serde(skip)]
    pub columns_per_split: Vec<Option<f64>>,
    /// Training time.
    pub seconds: Vec<f64>,
}

impl Results {
    /// Sorts the trainings by dataset and model.
    pub fn new(protocol: &Protocol, datasets: &[Dataset], models: Vec<String>, scored: &[Scored]) -> Results {
        let entry = |(at, dataset): (usize, &Dataset)| {
            let mut series: BTreeMap<String, Series> = BTreeMap::new();
            for one in scored.iter().filter(|one| one.dataset == at) {
                let series = series.entry(models[one.model].clone()).or_default();
                series.score.push(one.score);
                one.metrics
                    .iter()
                    .for_each(|(name, &score)| series.metrics.entry(*name).or_default().push(score));
                series.train_score.push(one.train_score);
                series.nodes.push(one.nodes);
                series.parameters.push(one.parameters);
                series.columns_per_split.push(one.columns_per_split);
                series.seconds.push(one.seconds);
            }
            let (n, p) = dataset.shape;
            Scores { name: dataset.name.clone(), group: dataset.group.clone(), n, p, models: series }
        };
        let mut results = Results {
            espalier: env!("CARGO_PKG_VERSION"),
            task: protocol.task.as_str(),
            protocol: protocol.words(),
            metric: protocol.metric,
            datasets: datasets.iter().enumerate().map(entry).collect(),
            models,
            statistics: None,
        };
        results.statistics = Statistics::new(&results);
        results
    }
}

impl Series {
    /// The mean score over the seeds where it is defined.
    pub fn mean(&self) -> Option<f64> {
        let scores: Vec<f64> = self.score.iter().flatten().copied().collect();
        (!scores.is_empty()).then(|| mean(&scores))
    }

    /// The sample standard deviation; `None` for fewer than two scores.
    pub fn deviation(&self) -> Option<f64> {
        let scores: Vec<f64> = self.score.iter().flatten().copied().collect();
        let middle = self.mean()?;
        let squares: f64 = scores.iter().map(|score| (score - middle) * (score - middle)).sum();
        (scores.len() > 1).then(|| (squares / (scores.len() - 1) as f64).sqrt())
    }
}

/// The mean of at least one number.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
