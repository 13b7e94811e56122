//! Depth and λ by validation, as the paper tunes them: one training for each candidate on the training
//! samples, then one more with the best on training and validation samples together.
//!
//! Differs from the paper: columns keep the scale of the training part in the last training, and of
//! candidates that are equally good the shallowest is taken.

use std::sync::Arc;

use crate::encode::{Design, Labels};
use crate::learn::get::settings::{Config, Tune};
use crate::learn::{Chosen, Columns, Judges, Kept, Measure, Progress, Sequence, Training, Value};
use crate::numeric::order::first_largest;
use crate::tree::{Bounds, PostTransform, Tree};

/// Strengths of the L1 penalty that the paper tries with linear leaves.
const PENALTIES: [f64; 2] = [0.0, 1e-5];

/// Begins a training with a configuration on training and validation samples.
pub type Begin = fn(&Config, &Columns, Arc<Design>, Arc<Design>, u64) -> Sequence;

/// A candidate that has ended.
struct Candidate {
    /// On the validation samples.
    error: f64,
    /// Its position.
    at: usize,
    tree: Tree,
    kept: Kept,
}

/// A search over depths and penalties.
pub struct Tuned {
    begin: Begin,
    candidates: Vec<Config>,
    columns: Columns,
    train: Arc<Design>,
    valid: Arc<Design>,
    seed: u64,
    /// The candidate at work, or after the last one the training on all samples.
    at: usize,
    inner: Sequence,
    /// The best candidate so far.
    best: Option<Candidate>,
    progress: Progress,
}

impl Tuned {
    /// The configuration has been checked, and there are validation samples. `begin` begins each training.
    pub fn new(
        begin: Begin,
        config: &Config,
        columns: Columns,
        train: Arc<Design>,
        valid: Arc<Design>,
        seed: u64,
    ) -> Tuned {
        let penalties = if config.tune == Tune::DepthAndL1 { PENALTIES.to_vec() } else { vec![config.l1] };
        let with = |depth: u32| {
            penalties
                .iter()
                .map(move |&l1| Config { depth, l1, tune: Tune::Off, ..config.clone() })
                .collect::<Vec<_>>()
        };
        let candidates: Vec<Config> = (1..=config.depth).flat_map(with).collect();
        let inner = begin(&candidates[0], &columns, train.clone(), Arc::new(none_of(&valid)), seed);
        let mut tuned = Tuned {
            begin,
            candidates,
            columns,
            train,
            valid,
            seed,
            at: 0,
            progress: inner.progress(),
            inner,
            best: None,
        };
        tuned.progress = tuned.told();
        tuned
    }

    fn is_last(&self) -> bool {
        self.at == self.candidates.len()
    }

    /// Where the training is: restarts count over all candidates.
    fn told(&self) -> Progress {
        let inner = self.inner.progress();
        // A last stage counts as one more.
        let (each, trainings) = (inner.restarts + 1, self.candidates.len() as u32 + 1);
        let before = self.at as u32 * each;
        Progress {
            step: self.progress.step,
            restart: before + inner.restart,
            restarts: trainings * each,
            best_restart: before + inner.best_restart,
            share: ((self.at as f64 + inner.share) / f64::from(trainings)).min(1.0),
            stop: inner.stop.filter(|_| self.is_last()),
            ..inner
        }
    }

    /// Judges the candidate that has ended, and begins the next one.
    fn next(&mut self) {
        let tree = self.inner.best();
        let error = error(&tree, &self.train, &self.valid);
        if self.best.as_ref().is_none_or(|best| error < best.error) {
            self.best = Some(Candidate { error, at: self.at, tree, kept: self.inner.kept() });
        }
        self.at += 1;
        let empty = Arc::new(none_of(&self.valid));
        self.inner = match self.candidates.get(self.at) {
            Some(candidate) => (self.begin)(candidate, &self.columns, self.train.clone(), empty, self.seed),
            None => {
                let all = Arc::new(joined(&self.train, &self.valid));
                (self.begin)(&self.candidates[self.winner()], &self.columns, all, empty, self.seed)
            }
        };
    }

    fn winner(&self) -> usize {
        self.best.as_ref().map_or(0, |best| best.at)
    }
}

impl Training for Tuned {
    fn step(&mut self) -> Progress {
        if self.progress.stop.is_some() {
            return self.progress;
        }
        if self.inner.progress().stop.is_some() {
            self.next();
        }
        self.inner.step();
        self.progress.step += 1;
        self.progress = self.told();
        self.progress
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn current(&self) -> Tree {
        self.inner.current()
    }

    /// Until the last training has ended, the tree of the best candidate, or of the first one as far as it
    /// is.
    fn best(&self) -> Tree {
        match &self.best {
            Some(best) if self.progress.stop.is_none() => best.tree.clone(),
            _ => self.inner.best(),
        }
    }

    fn kept(&self) -> Kept {
        let by = if matches!(self.train.y, Labels::Values(_)) { Measure::R2 } else { Measure::Errors };
        let chosen = Some(Chosen { by, on: Judges::Validation });
        match &self.best {
            Some(best) if self.progress.stop.is_none() => Kept { chosen, ..best.kept },
            // The last training has no validation samples apart: they are among its own.
            Some(_) => Kept { chosen, refitted: true, ..self.inner.kept() },
            None => self.inner.kept(),
        }
    }

    fn post_transform(&self) -> PostTransform {
        self.inner.post_transform()
    }

    fn chosen(&self) -> Tree {
        self.best.as_ref().map_or_else(|| self.inner.best(), |best| best.tree.clone())
    }

    fn epochs_per_frame(&self) -> usize {
        self.inner.epochs_per_frame() * (self.candidates.len() + 1)
    }

    fn decided(&self) -> Vec<(&'static str, Value)> {
        let Config { depth, l1, .. } = self.candidates[self.winner()];
        vec![("depth", Value::Number(f64::from(depth))), ("l1", Value::Number(l1))]
    }
}

/// A design with the same columns and no sample.
fn none_of(design: &Design) -> Design {
    Design { x: design.x.columns(0, 0).into_owned(), y: design.y.select(&[]) }
}

/// The samples of one design, then those of another.
fn joined(first: &Design, second: &Design) -> Design {
    let mut x = first.x.clone().resize_horizontally(first.samples() + second.samples(), 0.0);
    x.columns_mut(first.samples(), second.samples()).copy_from(&second.x);
    let y = match (&first.y, &second.y) {
        (Labels::Values(first), Labels::Values(second)) => Labels::Values([&first[..], second].concat()),
        (Labels::Classes { label: first, classes }, Labels::Classes { label: second, .. }) => {
            Labels::Classes { label: [&first[..], second].concat(), classes: *classes }
        }
        _ => unreachable!("both parts have the same target"),
    };
    Design { x, y }
}

/// The mean squared error, by which trees stand in the same order as by R², or the share of wrong answers.
fn error(tree: &Tree, train: &Design, valid: &Design) -> f64 {
    let bounds =
        if let Labels::Values(values) = &train.y { Bounds::around(values.iter().copied()) } else { None };
    let tree = bounds.map_or_else(|| tree.clone(), |bounds| tree.clone().within(bounds));
    let answer = |at: usize| {
        let row = valid.row(at);
        tree.output(tree.leaf_of(row), row)
    };
    let errors = (0..valid.samples()).map(|at| match &valid.y {
        Labels::Values(values) => (answer(at)[0] - values[at]) * (answer(at)[0] - values[at]),
        Labels::Classes { label, .. } => {
            f64::from(u8::from(first_largest(&answer(at)) != label[at] as usize))
        }
    });
    errors.sum::<f64>() / valid.samples().max(1) as f64
}
