//! Trees of a training as models of the file: settled, decoded, counted, and with shares or bounds in their
//! leaves.

use super::{Fit, Sources, TargetFit};
use crate::encode::{Labels, Thresholds};
use crate::learn::Config;
use crate::tree::{Model, NodeStats, STRENGTHS, Tree};

/// Which tree of a training is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The best one so far.
    Best,
    /// The same before it was fitted to the validation rows too: for an honest score on them.
    Chosen,
}

/// Which rows a tree's counts, shares and bounds are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// The training rows.
    Training,
    /// Those that the finished tree is fitted to: with the validation rows, for learners that refit.
    All,
}

impl TargetFit {
    /// The model of a settled tree. Without a `strength` of the shrinkage it is the one that validation
    /// prefers for this tree.
    pub(super) fn model_of(
        &self,
        from: Sources<'_>,
        which: Which,
        tree: &Tree,
        strength: Option<f64>,
    ) -> Model {
        let config = &self.encoded.config;
        let thresholds = match config {
            // The greedy tree's midpoints stay where scikit-learn would have them, up to a few steps of f32.
            Config::Cart(_) => Thresholds::Neat,
            _ => Thresholds::Tidy,
        };
        let rows = match which {
            Which::Best if config.refits() => Counted::All,
            Which::Best | Which::Chosen => Counted::Training,
        };
        self.decoded(from, tree, thresholds, Some(rows), strength)
    }

    /// The model of a tree in design space. Without `rows` it is of those that the tree is fitted to: the
    /// training rows, until the last stage takes the validation rows too and grows branches that only these
    /// reach.
    pub(super) fn decoded(
        &self,
        from: Sources<'_>,
        tree: &Tree,
        thresholds: Thresholds,
        rows: Option<Counted>,
        strength: Option<f64>,
    ) -> Model {
        let tree = self.encoded.in_file(tree, thresholds);
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
        self.encoded.model_around(from, tree, stats)
    }

    /// How strongly the shares of a settled tree that has not learned from the validation rows are shrunk: as
    /// those rows prefer it. The least for numbers, which have no shares.
    pub(super) fn strength(&self, tree: &Tree) -> f64 {
        let Labels::Classes { label, .. } = &self.seen_labels else { return STRENGTHS[0] };
        let tree = self.encoded.in_file(tree, Thresholds::Exact);
        self.strength_of(&tree, &self.stats(&tree, Counted::Training), label)
    }

    fn strength_of(&self, tree: &Tree, stats: &[NodeStats], label: &[u32]) -> f64 {
        let held_out = || (0..label.len()).filter(|&at| self.held_out[at]);
        let leaves = tree.leaves_of(held_out().map(|at| self.row(at)));
        let rows: Vec<_> = leaves
            .into_iter()
            .zip(held_out())
            .map(|(leaf, at)| (leaf as usize, label[at] as usize))
            .collect();
        tree.best_strength(stats, &rows)
    }

    /// File values of a training or validation row.
    fn row(&self, at: usize) -> &[f32] {
        let features = self.encoded.vocabulary.features.len();
        &self.seen.as_slice()[at * features..(at + 1) * features]
    }

    /// What rows of the file say about each node.
    pub(super) fn stats(&self, tree: &Tree, rows: Counted) -> Vec<NodeStats> {
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
    pub(super) fn settled(&self, which: Which) -> Tree {
        let training = &self.encoded.training;
        self.settle(&match which {
            Which::Best => training.best(),
            Which::Chosen => training.chosen(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{Parts, Problem, Selection, Shares, Task};
    use crate::learn::{LEARNERS, Recipe, Settings, TargetKind, Value};
    use crate::run::fit::Encoded;
    use crate::table::{Overrides, Table};
    use crate::tree::{Decision, Node, Split};

    /// A table with its problem and parts, under the plain answer rule.
    fn sources<'a>(table: &'a Table, problem: &'a Problem, parts: &'a Parts) -> Sources<'a> {
        Sources { table, problem, parts, decision: &Decision::Likeliest }
    }

    /// Trains to the end.
    fn train(fit: &mut TargetFit) {
        while fit.encoded.training.step().stop.is_none() {}
    }

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
            let numbers =
                [("epochs", f64::from(epochs)), ("restarts", 2.0), ("teacher", 2.0), ("refine", 1.0)];
            for (key, value) in
                words.into_iter().chain(numbers.map(|(key, number)| (key, Value::Number(number))))
            {
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

    /// The model must send every training and validation row where the learner's tree sends it, and count
    /// each row once.
    fn check_routes(table: &Table, task: Task, epochs: u32) {
        let target =
            table.suggestion().map_or("y".to_owned(), |found| table.columns()[found.target].name.clone());
        let problem =
            Problem::new(table, &Selection { target, task, ignore: vec![], positive: None }).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 3).unwrap();
        let rows = parts.train_and_valid();
        let numbers = matches!(problem.labels, Labels::Values(_));
        for config in configs(epochs, TargetKind::from(&problem.labels))
            .into_iter()
            .filter(|config| numbers || config.key() != "get-linear")
        {
            let mut fit = TargetFit::start(sources(table, &problem, &parts), &config, 3).unwrap();
            train(&mut fit);
            let from = sources(table, &problem, &parts);
            let current = fit.encoded.training.current();
            let trees = [
                (true, fit.best(from), fit.settled(Which::Best)),
                (false, fit.shown(from, &current), fit.settle(&current)),
            ];
            let Encoded { vocabulary, encoder, rows: counts, .. } = &fit.encoded;
            let values = vocabulary.values(table, &problem, &rows);
            let design = encoder.design(&values, problem.labels.select(&rows));
            for (best, model, learned) in trees {
                assert_eq!(model.tree.size(), learned.size());
                for i in 0..rows.len() {
                    let file = values.column(i);
                    assert_eq!(
                        model.tree.leaf_of(file.as_slice()),
                        learned.leaf_of(design.row(i)),
                        "{config:?} best {best}: row {} of {:?}",
                        rows[i],
                        problem.target
                    );
                }
                // Rows of the file only: no synthetic one is counted, and no leaf is without rows.
                let all = counts.train + if config.refits() { counts.valid } else { 0 };
                let counted = model.stats[0].rows;
                assert!(counted == all || !best && counted == counts.train, "{counted} of {all}");
                assert!(model.stats.iter().all(|stat| stat.rows > 0), "{config:?} best {best}");
            }
        }
    }

    #[test]
    fn models_route_rows_with_words_and_missing_cells_as_they_were_trained() {
        check_routes(
            &mixed_table(|i, n| ["a", "b", "c"][(i % 3 + (n > 9.0) as usize) % 3].into()),
            Task::Auto,
            40,
        );
        check_routes(&mixed_table(|i, n| format!("{}", n * n + (i % 40) as f64)), Task::Regression, 40);
    }

    #[test]
    fn models_route_the_rows_of_every_dataset_as_they_were_trained() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");
        let Ok(entries) = std::fs::read_dir(folder) else {
            eprintln!("skipped: ../shared/data is not here");
            return;
        };
        let is_table = |path: &std::path::PathBuf| {
            path.extension().is_some_and(|end| end == "csv") && !path.ends_with("MANIFEST.csv")
        };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(is_table).collect();
        let seen = paths.len();
        paths.sort_by_key(|path| std::fs::metadata(path).unwrap().len());
        // The largest first, on two threads: this is the longest of the native tests.
        let waiting = std::sync::Mutex::new(paths);
        let check = || {
            loop {
                let Some(path) = waiting.lock().unwrap().pop() else { break };
                let bytes = std::fs::read(&path).unwrap();
                // On the large ones a few epochs make as many different splits.
                let epochs = if bytes.len() < 200_000 { 15 } else { 2 };
                check_routes(&Table::read(&bytes, &Overrides::default()).unwrap(), Task::Auto, epochs);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(check);
            check();
        });
        assert!(seen > 36, "only {seen} datasets were found");
    }

    #[test]
    fn tidy_thresholds_are_shorter_than_exact_ones() {
        let table = mixed_table(|_, n| if n > 9.0 { "a".into() } else { "b".into() });
        let selection = Selection {
            target: "y".into(),
            task: Task::Auto,
            ignore: vec!["w".into(), "many".into()],
            positive: None,
        };
        let problem = Problem::new(&table, &selection).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 0).unwrap();
        let mut fit =
            TargetFit::start(sources(&table, &problem, &parts), &Config::new("gradtree").unwrap(), 0)
                .unwrap();
        train(&mut fit);
        let model = fit.best(sources(&table, &problem, &parts));
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
            let from = sources(&table, &problem, &parts);
            let mut fit = TargetFit::start(from, &config, 0).unwrap();
            train(&mut fit);
            let finished = fit.finish(from, "", &mut |_, _| true);
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
        let selection =
            Selection { target: "y".into(), task: Task::Regression, ignore: vec![], positive: None };
        let problem = Problem::new(&table, &selection).unwrap();
        let parts = Parts::draw(&problem.labels, Shares::default(), 0).unwrap();
        let mut config = Config::new("gradtree").unwrap();
        config.set("resample", &Value::Choice("smote".into())).unwrap();
        let error = TargetFit::start(sources(&table, &problem, &parts), &config, 0)
            .err()
            .expect("a number has no classes");
        assert!(error.message.contains("smote") && error.hint.contains("none"), "{error}");
    }
}
