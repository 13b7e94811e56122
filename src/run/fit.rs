//! One learner on one table: encoding in, model out.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::evaluate::score;
use super::{Fitted, RowCounts};
use crate::encode::{Encoder, Labels, Parts, Problem, Thresholds, Vocabulary};
use crate::error::{Code, Error, Result};
use crate::learn::{Config, Progress, Training};
use crate::numeric::order::map_of;
use crate::table::Table;
use crate::tree::Model;

/// Which tree of a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The one the parameters stand for now, thresholds exactly where they are: for watching.
    Current,
    /// The best one so far, thresholds tidied: for keeping.
    Best,
}

/// A learner at work.
pub struct Fit {
    config: Config,
    vocabulary: Vocabulary,
    encoder: Encoder,
    training: Box<dyn Training>,
    /// File values of the rows trained on (P × N), for the counts in each node.
    trained_values: DMatrix<f32>,
    trained_labels: Labels,
    rows: RowCounts,
}

impl Fit {
    /// Encodes the rows as the learner wants them and begins its training.
    pub fn start(table: &Table, problem: &Problem, parts: &Parts, config: &Config, seed: u32) -> Result<Fit> {
        let wants = config.wants();
        let (train, valid) = if wants.validation {
            (parts.train.clone(), parts.valid.clone())
        } else {
            (parts.train_and_valid(), vec![])
        };
        let vocabulary = Vocabulary::fit(table, problem, &train);
        if vocabulary.features.is_empty() {
            return Err(Error::new(
                Code::NoFeatures,
                "No column is left to learn from: every usable column has a single value on the training rows.",
                "Use more rows, another seed, or other columns.",
            ));
        }
        let trained_values = vocabulary.values(table, problem, &train);
        let valid_values = vocabulary.values(table, problem, &valid);
        let seen = vocabulary.values(table, problem, &parts.train_and_valid());
        let encoder = Encoder::fit(&vocabulary.features, &trained_values, &seen, wants);
        let trained_labels = problem.labels.select(&train);
        let train_design = Arc::new(encoder.design(&trained_values, trained_labels.clone()));
        let valid_design = Arc::new(encoder.design(&valid_values, problem.labels.select(&valid)));
        let checked = config.clone().check(&train_design)?;
        let training = checked.start(train_design, valid_design, u64::from(seed));
        let rows = RowCounts { train: train.len(), valid: valid.len(), test: parts.test.len() };
        Ok(Fit { config: config.clone(), vocabulary, encoder, training, trained_values, trained_labels, rows })
    }

    /// A small piece of the training.
    pub fn step(&mut self) -> Progress {
        self.training.step()
    }

    /// Where the training is.
    pub fn progress(&self) -> Progress {
        self.training.progress()
    }

    /// Rows by part, as this learner uses them.
    pub fn rows(&self) -> RowCounts {
        self.rows
    }

    /// A model in the space of the file.
    pub fn model(&self, problem: &Problem, which: Which) -> Model {
        let (tree, thresholds) = match which {
            Which::Current => (self.training.current(), Thresholds::Exact),
            // The greedy tree's midpoints stay where scikit-learn would have them, up to a step of f32.
            Which::Best if matches!(self.config, Config::Cart(_)) => (self.training.best(), Thresholds::Neat),
            Which::Best => (self.training.best(), Thresholds::Tidy),
        };
        let tree = self.encoder.decode(&tree, thresholds);
        let features = self.vocabulary.features.len();
        let values = self.trained_values.as_slice().chunks_exact(features);
        let stats = match &self.trained_labels {
            Labels::Classes { label, classes } => tree.class_stats(values.zip(label.iter().copied()), *classes),
            Labels::Values(targets) => tree.value_stats(values.zip(targets.iter().copied())),
        };
        Model {
            features: self.vocabulary.features.clone(),
            target: problem.target.clone(),
            tree,
            post_transform: self.training.post_transform(),
            stats,
        }
    }

    /// The best model so far, scored on every part.
    pub fn finish(&self, table: &Table, problem: &Problem, parts: &Parts, stop_reason: &'static str) -> Fitted {
        let model = self.model(problem, Which::Best);
        let all = parts.train_and_valid();
        let trained = if self.config.wants().validation { &parts.train } else { &all };
        let valid: &[usize] = if self.config.wants().validation { &parts.valid } else { &[] };
        let scored = |(part, rows): (&'static str, &[usize])| {
            let values = self.vocabulary.values(table, problem, rows);
            (part, score(&model, &values, &problem.labels.select(rows)))
        };
        let metrics = map_of([("train", trained.as_slice()), ("valid", valid), ("test", &parts.test)].map(scored));
        let progress = self.progress();
        let stop_reason = progress.stop.map_or(stop_reason, |stop| stop.as_str());
        Fitted { config: self.config.clone(), model, metrics, rows: self.rows, progress, stop_reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{Selection, Shares, Task};
    use crate::learn::{LEARNERS, Value};
    use crate::table::Overrides;
    use crate::tree::Split;

    /// Numbers, words, missing cells of both, and a target that depends on all columns.
    fn mixed_table(target: fn(usize, f64) -> String) -> Table {
        let mut text = "n,w,many,y\n".to_owned();
        for i in 0..400 {
            let n = (i * 7919 % 1000) as f64 / 37.0;
            let number = if i % 11 == 0 { "?".into() } else { n.to_string() };
            let word = ["red", "green", "blue", ""][i * 31 % 4];
            text += &format!("{number},{word},m{},{}\n", i * i % 40, target(i, n));
        }
        Table::read(text.as_bytes(), &Overrides::default()).unwrap()
    }

    /// The model must send every training and validation row where the learner's own tree sends it.
    fn check_routes(table: &Table, task: Task) {
        let target = table.suggestion().map_or("y".to_owned(), |found| table.columns()[found.target].name.clone());
        let problem = Problem::new(table, &Selection { target, task, ignore: vec![], positive: None }).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 3).unwrap();
        for learner in LEARNERS {
            let mut config = Config::new(learner.key).unwrap();
            config.set("depth", &Value::Number(5.0)).unwrap();
            if learner.key == "gradtree" {
                config.set("epochs", &Value::Number(40.0)).unwrap();
                config.set("restarts", &Value::Number(2.0)).unwrap();
            }
            let mut fit = Fit::start(table, &problem, &parts, &config, 3).unwrap();
            while fit.step().stop.is_none() {}
            let rows = parts.train_and_valid();
            let values = fit.vocabulary.values(table, &problem, &rows);
            let design = fit.encoder.design(&values, problem.labels.select(&rows));
            for (which, learned) in [(Which::Best, fit.training.best()), (Which::Current, fit.training.current())] {
                let model = fit.model(&problem, which);
                assert_eq!(model.tree.size(), learned.size());
                for i in 0..rows.len() {
                    let file = values.column(i);
                    assert_eq!(
                        model.tree.leaf_of(file.as_slice()),
                        learned.leaf_of(design.row(i)),
                        "{} {which:?}: row {} of {:?}",
                        learner.key,
                        rows[i],
                        problem.target
                    );
                }
            }
        }
    }

    #[test]
    fn models_route_rows_with_words_and_missing_cells_as_they_were_trained() {
        check_routes(&mixed_table(|i, n| ["a", "b", "c"][(i % 3 + (n > 9.0) as usize) % 3].into()), Task::Auto);
        check_routes(&mixed_table(|i, n| format!("{}", n * n + (i % 40) as f64)), Task::Regression);
    }

    #[test]
    fn models_route_the_rows_of_every_dataset_as_they_were_trained() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");
        let Ok(entries) = std::fs::read_dir(folder) else {
            eprintln!("skipped: ../shared/data is not here");
            return;
        };
        let mut seen = 0;
        for entry in entries {
            let path = entry.unwrap().path();
            let small = std::fs::metadata(&path).unwrap().len() < 500_000;
            if small && path.extension().is_some_and(|end| end == "csv") && !path.ends_with("MANIFEST.csv") {
                let table = Table::read(&std::fs::read(&path).unwrap(), &Overrides::default()).unwrap();
                check_routes(&table, Task::Auto);
                seen += 1;
            }
        }
        assert!(seen > 20, "only {seen} datasets were found");
    }

    #[test]
    fn tidy_thresholds_are_shorter_than_exact_ones() {
        let table = mixed_table(|_, n| if n > 9.0 { "a".into() } else { "b".into() });
        let selection =
            Selection { target: "y".into(), task: Task::Auto, ignore: vec!["w".into(), "many".into()], positive: None };
        let problem = Problem::new(&table, &selection).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 0).unwrap();
        let mut fit = Fit::start(&table, &problem, &parts, &Config::new("gradtree").unwrap(), 0).unwrap();
        while fit.step().stop.is_none() {}
        let model = fit.model(&problem, Which::Best);
        for node in model.tree.nodes() {
            if let crate::tree::Node::Split { split: Split::Numerical { threshold, .. }, .. } = node {
                assert!(threshold.to_string().len() <= 6, "{threshold} is not tidy");
            }
        }
    }
}
