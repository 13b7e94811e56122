//! A hierarchy of the rows without a target: some columns are predicted from the others, and the tree that does so is kept.
//!
//! The columns to predict are chosen without any label ([`choose_targets`]); splits read the others. Levels are cut where
//! validation rows, again without a label, are predicted best. A column of labels may be named, for a score only.

mod describe;
mod targets;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
mod yardstick;

use std::sync::Arc;

use nalgebra::DMatrix;

use super::{RowCounts, STOPPED};
use crate::encode::{Encoder, Labels, Parts, Problem, Shares, Thresholds, Vocabulary};
use crate::error::{Code, Error, Result, quoted};
use crate::export::{self, DataInfo, Document};
use crate::learn::relaxed::RelaxedPlan;
use crate::learn::relaxed::ours::context::Context;
use crate::learn::relaxed::paper::samples::{Goal, Samples, Units};
use crate::learn::{self, Columns, Config, Kept, Progress, Recipe, Sequence, Size, TargetKind, Training};
use crate::metrics::{Hierarchy, dendrogram_purity};
use crate::numeric::order::{map_of, sort_words};
use crate::table::Table;
use crate::tree::{Decision, Feature, Leaf, Model, Node, NodeStats, PostTransform, Target, Tree};

#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
pub use yardstick::Yardstick;

/// What a cluster tree's answer is called.
const NAME: &str = "cluster";

/// Everything that decides the result.
#[derive(Debug, Clone)]
pub struct ClusterSettings {
    /// Columns that must not be used.
    pub ignore: Vec<String>,
    /// Columns to predict from the others; none to have them chosen.
    pub targets: Vec<String>,
    /// A column of labels to score the result by; nothing else sees it.
    pub label: Option<String>,
    /// Sizes of the parts.
    pub shares: Shares,
    /// The learner with the hyper-parameters set by hand and the recipe of the others.
    pub learner: learn::Settings,
    /// The seed of the draw and of the learner.
    pub seed: u32,
}

/// A hierarchy being learned.
pub struct ClusterRun {
    table: Arc<Table>,
    settings: ClusterSettings,
    /// The learner with every hyper-parameter, as it runs.
    config: Config,
    problem: Problem,
    parts: Parts,
    targets: Vec<usize>,
    /// What is predicted, in training units (N × outputs), and how many numbers that is.
    values: Vec<f64>,
    outputs: usize,
    vocabulary: Vocabulary,
    encoder: Encoder,
    training: Box<dyn Training>,
}

/// A finished hierarchy.
#[derive(Debug, Clone)]
pub struct Clustered {
    /// The tree; its leaves are the clusters.
    pub model: Model,
    /// By part: `r2`, the share of the predicted columns' variance that the clusters explain, and `dendrogram_purity` where
    /// a label was named.
    pub metrics: super::Metrics,
    /// Rows by part.
    pub rows: RowCounts,
    /// Where the training ended.
    pub progress: Progress,
    /// Where the tree came from.
    pub kept: Kept,
    /// Why it ended.
    pub stop_reason: &'static str,
}

impl ClusterRun {
    /// Chooses the columns to predict, draws the parts and begins.
    pub fn start(table: Arc<Table>, settings: ClusterSettings) -> Result<ClusterRun> {
        let Config::Relaxed(config) = settings.learner.resolve(TargetKind::Number) else {
            let message = format!("{} cannot cluster rows.", quoted(settings.learner.key()));
            return Err(Error::new(Code::BadTask, message, "Choose the model relaxed, or name a target."));
        };
        for name in settings.ignore.iter().chain(&settings.label).chain(&settings.targets) {
            table.position(name)?;
        }
        let rows: Vec<usize> = (0..table.rows()).collect();
        if rows.len() < 4 {
            let message = format!("The file has {} rows, and a hierarchy needs at least 4.", rows.len());
            return Err(Error::new(Code::TooFewRows, message, "Use a file with more rows."));
        }
        let parts = Parts::draw(&Labels::Values(vec![0.0; rows.len()]), settings.shares, u64::from(settings.seed))?;
        let unused = |name: &String| settings.ignore.contains(name) || settings.label.as_ref() == Some(name);
        let columns = table.columns();
        let usable: Vec<usize> =
            (0..columns.len()).filter(|&at| columns[at].usable() && !unused(&columns[at].name)).collect();
        let targets = targets::choose(&table, &usable, &settings.targets, &parts.train)?;
        let inputs: Vec<usize> = usable.iter().copied().filter(|column| !targets.contains(column)).collect();
        if inputs.is_empty() {
            let message = "No column is left to divide the rows by: all that can be used are predicted.";
            return Err(Error::new(Code::NoFeatures, message, "Name fewer columns to predict, or use more columns."));
        }
        let (values, outputs) = targets::values(&table, &targets, &parts.train);
        let names = targets.iter().map(|&at| columns[at].name.clone()).collect();
        let first = Labels::Values(values.chunks_exact(outputs).map(|row| row[0]).collect());
        let problem = Problem {
            target: Target::Clusters { name: NAME.into(), columns: names },
            target_column: targets[0],
            columns: inputs,
            rows,
            labels: first,
            warnings: vec![],
        };
        let vocabulary = Vocabulary::fit(&table, &problem, &parts.train);
        if vocabulary.features.is_empty() {
            let message = "No column is left to divide the rows by: every usable column has a single value.";
            return Err(Error::new(Code::NoFeatures, message, "Use more rows or other columns."));
        }
        let seen = vocabulary.values(&table, &problem, &(0..problem.rows.len()).collect::<Vec<_>>());
        let trained = seen.select_columns(&parts.train);
        let labels = problem.labels.select(&parts.train);
        let encoder =
            Encoder::fit(&vocabulary.features, &trained, &labels, &seen, &config.wants(), settings.seed.into());
        let samples = |rows: &[usize]| {
            let design = encoder.design(&seen.select_columns(rows), problem.labels.select(rows));
            let values = rows.iter().flat_map(|&i| values[i * outputs..(i + 1) * outputs].iter().copied()).collect();
            Samples { design: Arc::new(design), goal: Goal::Numbers { values, outputs } }
        };
        let (train, valid) = (samples(&parts.train), samples(&parts.valid));
        config.check(&train.design)?;
        let size =
            Size { train: train.design.samples(), valid: valid.design.samples(), features: train.design.features() };
        let columns = Columns { apart: encoder.apart(), feature: encoder.features() };
        let units = Units { centre: 0.0, scale: 1.0 };
        let context = config.context(&columns, train, valid, units, settings.seed.into());
        // Groups should not depend on luck, so every descent begins at a greedy tree, but for the published ones.
        let greedy = if settings.learner.recipe() == Recipe::Published { context.greedy } else { u32::MAX };
        let context = Context { greedy, ..context };
        let training = Box::new(Sequence::new(Arc::new(RelaxedPlan::of(context))));
        let config = Config::Relaxed(config).sized(size);
        Ok(ClusterRun {
            table,
            settings,
            config,
            problem,
            parts,
            targets,
            values,
            outputs,
            vocabulary,
            encoder,
            training,
        })
    }

    /// The learner with every hyper-parameter, as it runs.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// A small piece of the training. Does nothing once it has ended.
    pub fn step(&mut self) -> Progress {
        self.training.step()
    }

    /// Names of the columns that are predicted.
    pub fn targets(&self) -> Vec<&str> {
        self.targets.iter().map(|&at| self.table.columns()[at].name.as_str()).collect()
    }

    /// Rows by part.
    pub(crate) fn rows(&self) -> RowCounts {
        let Parts { train, valid, test } = &self.parts;
        RowCounts { train: train.len(), valid: valid.len(), test: test.len() }
    }

    /// The columns that splits may read.
    pub fn features(&self) -> &[Feature] {
        &self.vocabulary.features
    }

    /// Where the training is.
    pub fn progress(&self) -> Progress {
        self.training.progress()
    }

    /// How much of each node of [`ClusterRun::current`] is kept.
    pub fn keeping(&self) -> Vec<f32> {
        self.training.keeping()
    }

    /// The hierarchy the parameters stand for now, with the rows of each node but without descriptions.
    pub fn current(&self) -> Model {
        let all: Vec<usize> = (0..self.problem.rows.len()).collect();
        let file = self.vocabulary.values(&self.table, &self.problem, &all);
        let decoded = self.encoder.decode(&self.training.current(), Thresholds::Exact);
        let decoded = decoded.expect("planes have settled on columns that have a way back");
        let tree = relabelled(&decoded);
        let mut rows = vec![0; tree.size()];
        (0..all.len()).for_each(|i| rows[tree.leaf_of(file.column(i).as_slice())] += 1);
        for (id, node) in tree.nodes().iter().enumerate().rev() {
            if let Node::Split { left, right, .. } = node {
                rows[id] = rows[*left] + rows[*right];
            }
        }
        let stats = rows.into_iter().map(|rows| NodeStats { rows, ..NodeStats::default() }).collect();
        self.model(tree, stats)
    }

    /// A tree with the words around it.
    fn model(&self, tree: Tree, stats: Vec<NodeStats>) -> Model {
        let (features, target) = (self.vocabulary.features.clone(), self.problem.target.clone());
        let (post_transform, decision) = (PostTransform::None, Decision::Likeliest);
        Model { features, target, stats, tree, post_transform, decision }
    }

    /// The parts that are scored, all rows too.
    fn scored_parts<'a>(&'a self, all: &'a [usize]) -> [(&'static str, &'a [usize]); 4] {
        let Parts { train, valid, test } = &self.parts;
        [("train", train), ("valid", valid), ("test", test), ("all", all)]
    }

    /// The settings.
    pub fn settings(&self) -> &ClusterSettings {
        &self.settings
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The best hierarchy so far, described and scored.
    pub fn finish(&self, stop_reason: &'static str) -> Clustered {
        let all: Vec<usize> = (0..self.problem.rows.len()).collect();
        let file = self.vocabulary.values(&self.table, &self.problem, &all);
        let decoded = self.encoder.decode(&self.training.best(), Thresholds::Tidy);
        let decoded = decoded.expect("planes have settled on columns that have a way back");
        let depth = self.best_depth(&decoded, &file);
        let tree = numbered(&decoded, depth);
        let leaf: Vec<usize> = (0..all.len()).map(|i| tree.leaf_of(file.column(i).as_slice())).collect();
        let model = self.model(tree.clone(), self.stats(&tree, &leaf));
        let labels = self.settings.label.as_ref().map(|name| self.labels(name));
        let scored = |(part, rows): (&'static str, &[usize])| {
            let mut scores = map_of(explained(self, &leaf, rows).map(|r2| ("r2", r2)));
            if let Some((label, classes)) = &labels
                && let Some(purity) = purity(&model.tree, &leaf, label, *classes, rows)
            {
                scores.insert("dendrogram_purity", purity);
            }
            (part, scores)
        };
        let progress = self.training.progress();
        Clustered {
            metrics: map_of(self.scored_parts(&all).into_iter().filter(|(_, rows)| !rows.is_empty()).map(scored)),
            model,
            rows: self.rows(),
            stop_reason: progress.stop.map_or(stop_reason, |stop| stop.as_str()),
            kept: self.training.kept(),
            progress,
        }
    }

    /// How many levels predict the validation rows best, at least one; of equals the fewest.
    fn best_depth(&self, tree: &Tree, file: &DMatrix<f32>) -> usize {
        let judges = if self.parts.valid.is_empty() { &self.parts.train } else { &self.parts.valid };
        let explained = |depth: usize| {
            let cut = numbered(tree, depth);
            let leaf: Vec<usize> = (0..file.ncols()).map(|i| cut.leaf_of(file.column(i).as_slice())).collect();
            explained(self, &leaf, judges).unwrap_or(f64::NEG_INFINITY)
        };
        let mut best = (f64::NEG_INFINITY, 1);
        for depth in 1..=tree.depth() {
            let r2 = explained(depth);
            if r2 > best.0 {
                best = (r2, depth);
            }
        }
        best.1
    }

    /// Rows of the whole file at each node, and what distinguishes them.
    fn stats(&self, tree: &Tree, leaf: &[usize]) -> Vec<NodeStats> {
        let mut rows: Vec<Vec<usize>> = vec![vec![]; tree.size()];
        leaf.iter().enumerate().for_each(|(i, &leaf)| rows[leaf].push(i));
        for (id, node) in tree.nodes().iter().enumerate().rev() {
            if let Node::Split { left, right, .. } = node {
                rows[id] = [rows[*left].as_slice(), &rows[*right]].concat();
            }
        }
        let columns = self.problem.columns.iter().chain(&self.targets).copied().collect::<Vec<usize>>();
        let described = describe::nodes(&self.table, &columns, &rows);
        let stats = rows.iter().zip(described);
        stats.map(|(rows, description)| NodeStats { rows: rows.len(), description, ..NodeStats::default() }).collect()
    }

    /// The labels as numbers; a missing label is a class of its own.
    fn labels(&self, name: &str) -> (Vec<u32>, usize) {
        let column = self.table.position(name).expect("the column was found before");
        let cells: Vec<&str> = self.problem.rows.iter().map(|&row| self.table.cell(row, column)).collect();
        let mut words = cells.clone();
        sort_words(&mut words);
        let place = |cell: &&str| words.binary_search(cell).expect("every word was listed") as u32;
        (cells.iter().map(place).collect(), words.len())
    }

    /// The document of a finished hierarchy.
    pub fn document(&self, clustered: &Clustered) -> Document {
        let RowCounts { train, valid, test } = clustered.rows;
        let counts = [("train", train), ("valid", valid), ("test", test)];
        let shares = [("test", self.settings.shares.test), ("valid", self.settings.shares.valid)];
        let training = export::Training {
            algorithm: self.config.key().into(),
            config: super::document::config(&self.config),
            recipe: Some(self.settings.learner.recipe().as_str().to_owned()),
            said: Some(super::document::said(&self.settings.learner)),
            seed: u64::from(self.settings.seed),
            shares: map_of(shares.map(|(part, share)| (part.to_owned(), share))),
            rows: map_of(counts.map(|(part, rows)| (part.to_owned(), rows as u64))),
            steps: clustered.progress.step,
            best_epoch: clustered.progress.best_loss.map(|_| u64::from(clustered.progress.best_epoch)),
            stop_reason: clustered.stop_reason.into(),
            shrinkage: None,
            kept: Some(super::kept(&clustered.kept)),
        };
        let dialect = self.table.dialect();
        let data = DataInfo {
            rows: self.table.rows() as u64,
            columns: self.table.columns().len() as u64,
            sha256: self.table.sha256().map(str::to_owned),
            delimiter: dialect.delimiter.as_str().into(),
            encoding: dialect.encoding.as_str().into(),
        };
        let metrics = export::Metrics { tree: super::document::owned(&clustered.metrics), baseline: None };
        Document::new(clustered.model.clone(), metrics, Some(training), Some(data))
    }

    /// Trains to the end, for whoever has no clock to watch.
    pub fn complete(&mut self) -> Clustered {
        while self.step().stop.is_none() {}
        self.finish(STOPPED)
    }
}

/// The share of the variance of what is predicted that the means of the training rows in each leaf explain.
fn explained(run: &ClusterRun, leaf: &[usize], rows: &[usize]) -> Option<f64> {
    let width = run.outputs;
    let mut sums = vec![(vec![0.0; width], 0.0); leaf.iter().max()? + 1];
    for &i in &run.parts.train {
        let (sum, count) = &mut sums[leaf[i]];
        sum.iter_mut().zip(&run.values[i * width..]).for_each(|(sum, y)| *sum += y);
        *count += 1.0;
    }
    let mut means = vec![0.0; width];
    rows.iter().for_each(|&i| means.iter_mut().zip(&run.values[i * width..]).for_each(|(m, y)| *m += y));
    means.iter_mut().for_each(|mean| *mean /= rows.len().max(1) as f64);
    let (mut off, mut spread) = (0.0, 0.0);
    for &i in rows {
        let (sum, count) = &sums[leaf[i]];
        for k in 0..width {
            let y = run.values[i * width + k];
            // Values have mean 0 over the training rows, which is the answer where none of them is.
            let answer = if *count > 0.0 { sum[k] / count } else { 0.0 };
            off += (y - answer) * (y - answer);
            spread += (y - means[k]) * (y - means[k]);
        }
    }
    (spread > 0.0).then(|| 1.0 - off / spread)
}

/// The same tree with its leaves numbered from 1; every node stays where it is.
fn relabelled(tree: &Tree) -> Tree {
    let mut leaves = 0u32;
    let nodes = tree.nodes().iter().map(|node| match node {
        Node::Leaf(_) => {
            leaves += 1;
            Node::Leaf(Leaf::Constant(leaves as f32))
        }
        split => split.clone(),
    });
    Tree::new(nodes.collect()).expect("the shape is unchanged")
}

/// A tree cut off below a depth, its leaves numbered from 1, left to right.
fn numbered(tree: &Tree, depth: usize) -> Tree {
    fn copy(tree: &Tree, at: usize, levels: usize, next: &mut u32, nodes: &mut Vec<Node>) -> usize {
        let place = nodes.len();
        match &tree.nodes()[at] {
            Node::Split { split, left, right, default_left } if levels > 0 => {
                nodes.push(Node::Leaf(Leaf::Constant(0.0)));
                let left = copy(tree, *left, levels - 1, next, nodes);
                let right = copy(tree, *right, levels - 1, next, nodes);
                nodes[place] = Node::Split { split: split.clone(), left, right, default_left: *default_left };
            }
            _ => {
                *next += 1;
                nodes.push(Node::Leaf(Leaf::Constant(*next as f32)));
            }
        }
        place
    }
    let mut nodes = vec![];
    copy(tree, 0, depth, &mut 0, &mut nodes);
    Tree::new(nodes).expect("a part of a tree is a tree")
}

/// Dendrogram purity of some rows in a hard tree.
fn purity(tree: &Tree, leaf: &[usize], label: &[u32], classes: usize, rows: &[usize]) -> Option<f64> {
    let mut parent = vec![0; tree.size()];
    for (id, node) in tree.nodes().iter().enumerate() {
        if let Node::Split { left, right, .. } = node {
            (parent[*left], parent[*right]) = (id, id);
        }
    }
    purity_of(&parent, leaf, label, classes, rows)
}

/// The same for any hierarchy; the root is node 0.
fn purity_of(parent: &[usize], leaf: &[usize], label: &[u32], classes: usize, rows: &[usize]) -> Option<f64> {
    let mut members = vec![vec![0.0; classes]; parent.len()];
    for &i in rows {
        let mut at = leaf[i];
        loop {
            members[at][label[i] as usize] += 1.0;
            if at == 0 {
                break;
            }
            at = parent[at];
        }
    }
    let leaves: Vec<usize> = rows.iter().map(|&i| leaf[i]).collect();
    let labels: Vec<u32> = rows.iter().map(|&i| label[i]).collect();
    dendrogram_purity(&Hierarchy { parent, leaf: &leaves, members: &members }, &labels)
}
