//! One learner on one table: encoding in, model out.

mod finish;

use std::sync::Arc;

use nalgebra::DMatrix;

pub use finish::{Extra, Sources};

use super::RowCounts;
use crate::encode::{Design, Encoder, Labels, Parts, Problem, Thresholds, Vocabulary, resampled};
use crate::error::{Code, Error, Result};
use crate::learn::{Columns, Config, Found, Moment, NodeChoice, Plan, Progress, Size, Training};
use crate::table::Table;
use crate::tree::{Bounds, Decision, Model, Node, NodeStats, PostTransform, STRENGTHS, Tree};

/// Which tree of a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The one the parameters stand for now, thresholds exactly where they are: for watching.
    Current,
    /// The best one so far, thresholds tidied: for keeping.
    Best,
    /// The same before it was fitted to the validation rows too: for an honest score on them.
    Chosen,
}

/// Which rows a tree's counts, shares and bounds are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// The training rows.
    Training,
    /// Those that the finished tree is fitted to: with the validation rows, for learners that refit.
    All,
}

/// A learner at work.
pub struct Fit {
    config: Config,
    vocabulary: Vocabulary,
    encoder: Encoder,
    training: Box<dyn Training>,
    /// The training rows encoded as new rows are; none if the learner was given just that.
    as_new: Option<Design>,
    /// File values of the training and validation rows (P × N): for the counts in each node, and for the scores.
    seen: DMatrix<f32>,
    seen_labels: Labels,
    /// Which of them are validation rows.
    held_out: Vec<bool>,
    /// Which class the trees answer.
    decision: Decision,
    /// How far the formulas of leaves may go: by the targets of the training rows, and of those that are counted.
    bounds: [Option<Bounds>; 2],
    rows: RowCounts,
    /// Training samples that are rows of no file.
    synthetic: usize,
}

impl Fit {
    /// Encodes the rows as the learner wants them and begins its training.
    pub fn start(
        table: &Table,
        problem: &Problem,
        parts: &Parts,
        config: &Config,
        decision: &Decision,
        seed: u32,
    ) -> Result<Fit> {
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
        // Cells are read once: the parts are picked from the values of all rows.
        let both = parts.train_and_valid();
        let seen = vocabulary.values(table, problem, &both);
        let [trained_values, valid_values] = [&train, &valid].map(|rows| picked(&seen, &both, rows));
        let seed = u64::from(seed);
        let trained_labels = problem.labels.select(&train);
        let encoder = Encoder::fit(&vocabulary.features, &trained_values, &trained_labels, &seen, &wants, seed);
        let as_new = encoder.design(&trained_values, trained_labels.clone());
        let trained = encoder.training_design(&trained_values, trained_labels.clone());
        let trained = resampled(trained.as_ref().unwrap_or(&as_new), wants.resample, seed).or(trained);
        let (train_design, as_new) = match trained {
            Some(trained) => (Arc::new(trained), Some(as_new)),
            None => (Arc::new(as_new), None),
        };
        let valid_design = Arc::new(encoder.design(&valid_values, problem.labels.select(&valid)));
        let checked = config.clone().check(&train_design)?;
        config.check_valid(valid_design.samples())?;
        let synthetic = train_design.samples() - train.len();
        let columns = Columns { apart: encoder.apart(), feature: encoder.features() };
        let size =
            Size { train: train_design.samples(), valid: valid_design.samples(), features: train_design.features() };
        let training = checked.start_with(columns, train_design, valid_design, seed);
        let seen_labels = problem.labels.select(&both);
        let held_out = both.iter().map(|row| valid.binary_search(row).is_ok()).collect();
        let bounds = [bounds(&trained_labels), bounds(&seen_labels)];
        let rows = RowCounts { train: train.len(), valid: valid.len(), test: parts.test.len() };
        Ok(Fit {
            config: config.sized(size),
            vocabulary,
            encoder,
            training,
            as_new,
            seen,
            seen_labels,
            held_out,
            decision: decision.clone(),
            bounds,
            rows,
            synthetic,
        })
    }

    /// A small piece of the training.
    pub fn step(&mut self) -> Progress {
        self.training.step()
    }

    /// Where the training is.
    pub(crate) fn progress(&self) -> Progress {
        self.training.progress()
    }

    /// See [`Training::epochs_per_frame`].
    pub(crate) fn epochs_per_frame(&self) -> usize {
        self.training.epochs_per_frame()
    }

    /// The independent units of the training, if it has any.
    pub(crate) fn plan(&self) -> Option<Arc<dyn Plan>> {
        self.training.plan()
    }

    /// Gives away a unit that has not begun: see [`Training::lend`].
    pub(crate) fn lend(&mut self) -> Option<u32> {
        self.training.lend()
    }

    /// Whether a tree reads columns of the design matrix only.
    pub(crate) fn holds(&self, tree: &Tree) -> bool {
        tree.nodes().iter().flat_map(Node::features).all(|&column| column < self.encoder.columns())
    }

    /// Takes back a unit with what it found elsewhere, or without.
    pub(crate) fn take(&mut self, index: u32, found: Option<Found>) {
        self.training.take(index, found);
    }

    /// How much of each node of the current tree is kept: see [`Training::keeping`].
    pub(crate) fn keeping(&self) -> Vec<f32> {
        self.training.keeping()
    }

    /// How the splits of the present model choose their features, in the space of the file: see [`Training::choices`]. The
    /// columns a feature was encoded in count together. Nothing where settling has cut branches, and so moved the nodes.
    pub(crate) fn choices(&self) -> Vec<NodeChoice> {
        self.choices_of(&self.training.current(), self.training.choices())
    }

    /// The same of a tree that a unit passed through elsewhere.
    pub(super) fn passed_choices(&self, moment: &Moment) -> Vec<NodeChoice> {
        self.choices_of(&moment.tree, moment.choices.clone())
    }

    fn choices_of(&self, tree: &Tree, mut choices: Vec<NodeChoice>) -> Vec<NodeChoice> {
        if choices.is_empty() || self.settle(tree).size() != tree.size() {
            return vec![];
        }
        for choice in &mut choices {
            let mut leading: Vec<(usize, f32)> = vec![];
            for &(column, share) in &choice.leading {
                let feature = self.encoder.feature_of(column);
                match leading.iter_mut().find(|(known, _)| *known == feature) {
                    Some((_, sum)) => *sum += share,
                    None => leading.push((feature, share)),
                }
            }
            choice.leading = leading;
        }
        choices
    }

    /// Answers by another rule from now on.
    pub(super) fn decide(&mut self, decision: &Decision) {
        self.decision = decision.clone();
    }

    /// Rows by part, as this learner uses them.
    pub(crate) fn rows(&self) -> RowCounts {
        self.rows
    }

    /// How many synthetic samples were added to the training rows. They are in no count and no score.
    pub(crate) fn synthetic(&self) -> usize {
        self.synthetic
    }

    /// A tree of this training, decoded before, with the words around it.
    pub(super) fn model_around(&self, problem: &Problem, tree: Tree, stats: Vec<NodeStats>) -> Model {
        Model {
            features: self.vocabulary.features.clone(),
            target: problem.target.clone(),
            tree,
            post_transform: PostTransform::None,
            decision: self.decision.clone(),
            stats,
        }
    }

    /// A model in the space of the file.
    pub(crate) fn model(&self, problem: &Problem, which: Which) -> Model {
        let strength = match which {
            Which::Best if self.config.refits() => Some(self.strength(&self.settled(Which::Chosen))),
            _ => None,
        };
        self.model_of(problem, which, &self.settled(which), strength)
    }

    /// The model of a settled tree. Without a `strength` of the shrinkage it is the one that validation prefers for this tree.
    fn model_of(&self, problem: &Problem, which: Which, tree: &Tree, strength: Option<f64>) -> Model {
        let thresholds = match which {
            Which::Current => Thresholds::Exact,
            // The greedy tree's midpoints stay where scikit-learn would have them, up to a few steps of f32.
            Which::Best | Which::Chosen if matches!(self.config, Config::Cart(_)) => Thresholds::Neat,
            Which::Best | Which::Chosen => Thresholds::Tidy,
        };
        let rows = match which {
            Which::Best if self.config.refits() => Some(Counted::All),
            Which::Best | Which::Chosen => Some(Counted::Training),
            Which::Current => None,
        };
        self.decoded(problem, tree, thresholds, rows, strength)
    }

    /// A tree that a unit passed through elsewhere, thresholds exactly where they were.
    pub(super) fn passed_model(&self, problem: &Problem, moment: &Moment) -> Model {
        self.decoded(problem, &self.settle(&moment.tree), Thresholds::Exact, None, None)
    }

    /// The model of a tree in design space. Without `rows` it is of those that the tree is fitted to: the training rows, until the
    /// last stage takes the validation rows too and grows branches that only these reach.
    fn decoded(
        &self,
        problem: &Problem,
        tree: &Tree,
        thresholds: Thresholds,
        rows: Option<Counted>,
        strength: Option<f64>,
    ) -> Model {
        let tree = self.in_file(tree, thresholds);
        let mut counted = rows.unwrap_or(Counted::Training);
        let mut stats = self.stats(&tree, counted);
        if rows.is_none() && stats.iter().any(|stats| stats.rows == 0) {
            counted = Counted::All;
            stats = self.stats(&tree, counted);
        }
        let tree = match (&self.seen_labels, self.bounds[usize::from(counted == Counted::All)]) {
            (Labels::Classes { label, .. }, _) => {
                let strength = strength.unwrap_or_else(|| match counted {
                    Counted::Training => self.strength_of(&tree, &stats, label),
                    Counted::All => self.strength(&self.settled(Which::Chosen)),
                });
                tree.with_shares(&stats, strength)
            }
            (Labels::Values(_), Some(bounds)) => tree.within(bounds),
            (Labels::Values(_), None) => tree,
        };
        self.model_around(problem, tree, stats)
    }

    /// A tree in the space of the file.
    fn in_file(&self, tree: &Tree, thresholds: Thresholds) -> Tree {
        self.encoder.decode(tree, thresholds).expect("learners ask for columns that have a way back")
    }

    /// How strongly the shares of a settled tree that has not learned from the validation rows are shrunk: as those rows
    /// prefer it. The least for numbers, which have no shares.
    fn strength(&self, tree: &Tree) -> f64 {
        let Labels::Classes { label, .. } = &self.seen_labels else { return STRENGTHS[0] };
        let tree = self.in_file(tree, Thresholds::Exact);
        self.strength_of(&tree, &self.stats(&tree, Counted::Training), label)
    }

    fn strength_of(&self, tree: &Tree, stats: &[NodeStats], label: &[u32]) -> f64 {
        let held_out = || (0..label.len()).filter(|&at| self.held_out[at]);
        let leaves = tree.leaves_of(held_out().map(|at| self.row(at)));
        let rows: Vec<_> =
            leaves.into_iter().zip(held_out()).map(|(leaf, at)| (leaf as usize, label[at] as usize)).collect();
        tree.best_strength(stats, &rows)
    }

    /// File values of a training or validation row.
    fn row(&self, at: usize) -> &[f32] {
        let features = self.vocabulary.features.len();
        &self.seen.as_slice()[at * features..(at + 1) * features]
    }

    /// What rows of the file say about each node.
    fn stats(&self, tree: &Tree, rows: Counted) -> Vec<NodeStats> {
        let counted = |at: &usize| rows == Counted::All || !self.held_out[*at];
        let positions = (0..self.seen_labels.len()).filter(counted);
        match &self.seen_labels {
            Labels::Classes { label, classes } => {
                tree.class_stats(positions.map(|at| (self.row(at), label[at])), *classes)
            }
            Labels::Values(targets) => tree.value_stats(positions.map(|at| (self.row(at), targets[at]))),
        }
    }

    /// A tree in design space, as rows encoded like new ones find it: what is decoded into the model.
    fn settled(&self, which: Which) -> Tree {
        let tree = match which {
            Which::Current => self.training.current(),
            Which::Best => self.training.best(),
            Which::Chosen => self.training.chosen(),
        };
        self.settle(&tree)
    }

    fn settle(&self, tree: &Tree) -> Tree {
        match &self.as_new {
            Some(rows) => self.training.settle(tree, rows),
            None => tree.clone(),
        }
    }
}

/// The values of some of the rows whose values a matrix has (P × N): of `all`, in their order, which ascends unless
/// `rows` is `all`.
fn picked(values: &DMatrix<f32>, all: &[usize], rows: &[usize]) -> DMatrix<f32> {
    if rows == all {
        return values.clone();
    }
    let mut picked = DMatrix::zeros(values.nrows(), rows.len());
    let mut next = 0;
    for (row, mut to) in rows.iter().zip(picked.column_iter_mut()) {
        if all.get(next) != Some(row) {
            next = all.binary_search(row).expect("the row is one of them");
        }
        to.copy_from(&values.column(next));
        next += 1;
    }
    picked
}

/// None for classes.
fn bounds(labels: &Labels) -> Option<Bounds> {
    match labels {
        Labels::Classes { .. } => None,
        Labels::Values(targets) => Bounds::around(targets.iter().copied()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{Selection, Shares, Task};
    use crate::learn::{LEARNERS, Recipe, Settings, TargetKind, Value};
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

    /// Learners with the settings that decide how rows are encoded.
    fn configs(epochs: u32, target: TargetKind) -> Vec<Config> {
        let gradtree = [
            ("standard", "median", "none", "both"),
            ("quantile", "indicator", "auto", "random"),
            ("minmax", "median", "none", "random"),
            ("none", "indicator", "auto", "both"),
        ];
        let mut configs = vec![Config::new("cart").unwrap()];
        for (scale, missing, resample, start) in gradtree {
            let mut config = Config::new("gradtree").unwrap();
            let words = [("scale", scale), ("missing", missing), ("resample", resample), ("start", start)];
            let words = words.map(|(key, word)| (key, Value::Choice(word.into())));
            let numbers = [("epochs", f64::from(epochs)), ("restarts", 2.0), ("teacher", 2.0), ("refine", 1.0)];
            for (key, value) in words.into_iter().chain(numbers.map(|(key, number)| (key, Value::Number(number)))) {
                config.set(key, &value).unwrap();
            }
            configs.push(config);
        }
        let mut published = Settings::new("gradtree").unwrap().with_recipe(Recipe::Published);
        for (key, number) in [("epochs", f64::from(epochs)), ("restarts", 2.0)] {
            published.set(key, &Value::Number(number)).unwrap();
        }
        configs.push(published.resolve(target));
        for (most, version) in [(0.0, "a"), (2.0, "b")] {
            let mut config = Config::new("relaxed").unwrap();
            let numbers = [("epochs", f64::from(epochs.min(8))), ("restarts", 2.0), ("columns", most)];
            numbers.iter().for_each(|(key, number)| config.set(key, &Value::Number(*number)).unwrap());
            config.set("version", &Value::Choice(version.into())).unwrap();
            configs.push(config);
        }
        for key in ["get", "get-linear"] {
            let mut config = Config::new(key).unwrap();
            let numbers = [("epochs", f64::from(epochs.min(5))), ("starts", 3.0)];
            numbers.iter().for_each(|(key, number)| config.set(key, &Value::Number(*number)).unwrap());
            configs.push(config);
        }
        configs.iter_mut().for_each(|config| config.set("depth", &Value::Number(5.0)).unwrap());
        assert!(LEARNERS.iter().all(|learner| configs.iter().any(|config| config.key() == learner.key)));
        configs
    }

    /// The model must send every training and validation row where the learner's tree sends it, and count each row once.
    fn check_routes(table: &Table, task: Task, epochs: u32) {
        let target = table.suggestion().map_or("y".to_owned(), |found| table.columns()[found.target].name.clone());
        let problem = Problem::new(table, &Selection { target, task, ignore: vec![], positive: None }).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 3).unwrap();
        let rows = parts.train_and_valid();
        let numbers = matches!(problem.labels, Labels::Values(_));
        for config in configs(epochs, TargetKind::from(&problem.labels))
            .into_iter()
            .filter(|config| numbers || config.key() != "get-linear")
        {
            let mut fit = Fit::start(table, &problem, &parts, &config, &Decision::Likeliest, 3).unwrap();
            while fit.step().stop.is_none() {}
            let values = fit.vocabulary.values(table, &problem, &rows);
            let design = fit.encoder.design(&values, problem.labels.select(&rows));
            for which in [Which::Best, Which::Current] {
                let (model, learned) = (fit.model(&problem, which), fit.settled(which));
                assert_eq!(model.tree.size(), learned.size());
                for i in 0..rows.len() {
                    let file = values.column(i);
                    assert_eq!(
                        model.tree.leaf_of(file.as_slice()),
                        learned.leaf_of(design.row(i)),
                        "{config:?} {which:?}: row {} of {:?}",
                        rows[i],
                        problem.target
                    );
                }
                // Rows of the file only: no synthetic one is counted, and no leaf is without rows.
                let all = fit.rows.train + if config.refits() { fit.rows.valid } else { 0 };
                let counted = model.stats[0].rows;
                assert!(counted == all || which == Which::Current && counted == fit.rows.train, "{counted} of {all}");
                assert!(model.stats.iter().all(|stat| stat.rows > 0), "{config:?} {which:?}");
            }
        }
    }

    #[test]
    fn models_route_rows_with_words_and_missing_cells_as_they_were_trained() {
        check_routes(&mixed_table(|i, n| ["a", "b", "c"][(i % 3 + (n > 9.0) as usize) % 3].into()), Task::Auto, 40);
        check_routes(&mixed_table(|i, n| format!("{}", n * n + (i % 40) as f64)), Task::Regression, 40);
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
            // On the large ones a few epochs make as many different splits.
            let size = std::fs::metadata(&path).unwrap().len();
            if path.extension().is_some_and(|end| end == "csv") && !path.ends_with("MANIFEST.csv") {
                let table = Table::read(&std::fs::read(&path).unwrap(), &Overrides::default()).unwrap();
                check_routes(&table, Task::Auto, if size < 200_000 { 15 } else { 2 });
                seen += 1;
            }
        }
        assert!(seen > 36, "only {seen} datasets were found");
    }

    #[test]
    fn tidy_thresholds_are_shorter_than_exact_ones() {
        let table = mixed_table(|_, n| if n > 9.0 { "a".into() } else { "b".into() });
        let selection =
            Selection { target: "y".into(), task: Task::Auto, ignore: vec!["w".into(), "many".into()], positive: None };
        let problem = Problem::new(&table, &selection).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 0).unwrap();
        let mut fit =
            Fit::start(&table, &problem, &parts, &Config::new("gradtree").unwrap(), &Decision::Likeliest, 0).unwrap();
        while fit.step().stop.is_none() {}
        let model = fit.model(&problem, Which::Best);
        for node in model.tree.nodes() {
            if let Node::Split { split: Split::Numerical { threshold, .. }, .. } = node {
                // The largest number asks whether there is one at all.
                let asks_for_missing = threshold.abs() == f32::MAX;
                assert!(asks_for_missing || threshold.to_string().len() <= 6, "{threshold} is not tidy");
            }
        }
    }

    #[test]
    fn synthetic_rows_are_trained_on_and_counted_nowhere() {
        let table = mixed_table(|_, n| if n > 24.0 { "rare".into() } else { "common".into() });
        let selection = Selection { target: "y".into(), task: Task::Auto, ignore: vec![], positive: None };
        let problem = Problem::new(&table, &selection).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 0).unwrap();
        let fitted = |resample: &str| {
            let mut config = Config::new("gradtree").unwrap();
            config.set("resample", &Value::Choice(resample.into())).unwrap();
            config.set("scale", &Value::Choice("quantile".into())).unwrap();
            config.set("epochs", &Value::Number(5.0)).unwrap();
            config.set("refit", &Value::Flag(false)).unwrap();
            let mut fit = Fit::start(&table, &problem, &parts, &config, &Decision::Likeliest, 0).unwrap();
            while fit.step().stop.is_none() {}
            let finished = fit.finish(&table, &problem, &parts, "");
            assert_eq!(finished.rows.train, parts.train.len());
            assert_eq!(finished.model.stats[0].rows, parts.train.len());
            (fit.synthetic(), finished)
        };
        let ((some, first), (_, again), (none, without)) = (fitted("auto"), fitted("auto"), fitted("none"));
        assert!(some > parts.train.len() / 2 && none == 0, "{some} {none}");
        assert_eq!(first.model, again.model, "the same seed gives the same rows");
        assert_eq!(first.model.stats[0], without.model.stats[0]);
        assert_ne!(first.model, without.model);
    }

    #[test]
    fn numbers_cannot_be_rebalanced() {
        let table = mixed_table(|i, n| format!("{}", n * n + i as f64));
        let selection = Selection { target: "y".into(), task: Task::Regression, ignore: vec![], positive: None };
        let problem = Problem::new(&table, &selection).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 0).unwrap();
        let mut config = Config::new("gradtree").unwrap();
        config.set("resample", &Value::Choice("smote".into())).unwrap();
        let error = Fit::start(&table, &problem, &parts, &config, &Decision::Likeliest, 0)
            .err()
            .expect("a number has no classes");
        assert!(error.message.contains("smote") && error.hint.contains("none"), "{error}");
    }
}
