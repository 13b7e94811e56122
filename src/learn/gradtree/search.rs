//! A unit from a random start: the published training with early stopping.

use std::sync::Arc;

use super::Parameters;
use super::board::Board;
use super::config::outputs;
use super::ground::Ground;
use super::harden::{choices_of, pruned, pruned_traced};
use super::run::{Part, Run};
use crate::encode::Labels;
use crate::learn::{NodeChoice, Outcome, Pace, StopReason, Unit};
use crate::numeric::order::first_largest;
use crate::tree::Tree;

/// A random start may be as deep as this beside greedy ones; deeper, it learns the samples by heart.
const MOST_DEPTH: u32 = 6;

/// A descent from a random start.
pub struct Search {
    ground: Arc<Ground>,
    run: Run,
    /// What early stopping watches: the validation samples, or without any the training samples.
    watched: Part,
    best: Option<(f64, Parameters<f32>)>,
    best_epoch: u32,
    /// Epochs since then.
    idle: u32,
    pace: Pace,
}

impl Search {
    /// Restart `restart`, whose seeds are s, s+1, s+3, s+6, … as in the authors' program.
    pub fn new(ground: Arc<Ground>, restart: u64) -> Self {
        let seed = ground.seed.wrapping_add(restart * (restart + 1) / 2);
        let config = &ground.config;
        let depth = if config.has_greedy_starts() { config.depth.min(MOST_DEPTH) } else { config.depth };
        let (features, outputs) = (ground.train.features(), outputs(&ground.train.y));
        let start = Parameters::draw(depth as usize, features, outputs, config.init, config.tie_init, seed);
        let power = ground.asked_power();
        let fit: Vec<u32> = (0..ground.train.samples() as u32).collect();
        let run = Run::new(config, Arc::new(ground.part(&ground.train, power)), &fit, start, 1.0, seed);
        let watched = if ground.valid.samples() > 0 { &ground.valid } else { &ground.train };
        let watched = ground.part(watched, power);
        Search { ground, run, watched, best: None, best_epoch: 0, idle: 0, pace: Pace::default() }
    }

    /// Closes an epoch: measures and keeps what is best.
    fn end_epoch(&mut self, train_loss: f64) -> Option<StopReason> {
        let watched = self.run.loss_on(&self.watched);
        self.pace.epoch += 1;
        self.pace.epoch_ended = true;
        self.pace.train_loss = Some(train_loss);
        self.pace.valid_loss = (self.ground.valid.samples() > 0 && watched.is_finite()).then_some(watched);
        if !watched.is_finite() {
            return Some(StopReason::Diverged);
        }
        match &mut self.best {
            Some((least, _)) if watched >= *least => self.idle += 1,
            best => {
                self.idle = 0;
                self.pace.improved = true;
                self.best_epoch = self.pace.epoch;
                match best {
                    Some((least, parameters)) => {
                        *least = watched;
                        parameters.copy_from(&self.run.parameters);
                    }
                    None => *best = Some((watched, self.run.parameters.clone())),
                }
            }
        }
        if self.pace.epoch >= self.ground.config.epochs {
            Some(StopReason::EpochLimit)
        } else {
            (self.idle >= self.ground.config.patience).then_some(StopReason::NoImprovement)
        }
    }

    /// Macro F1 or R² on the validation samples, less what chance may have added: beside it stand scores of greedy starts on
    /// several folds, and the best of several random starts is the one that was lucky there.
    fn score(&self, tree: &Tree) -> f64 {
        let design = &self.watched.design;
        let mut board = Board::new(&design.y, 1, 1);
        for (at, row) in design.rows().enumerate() {
            let output = tree.output(tree.leaf_of(row), row);
            match &design.y {
                Labels::Classes { label, classes } => {
                    let answer = if *classes == 2 { usize::from(output[0] > 0.0) } else { first_largest(&output) };
                    board.label(0, 0, label[at] as usize, answer);
                }
                Labels::Values(values) => board.value(0, 0, values[at], output[0]),
            }
        }
        let score = board.score(0);
        score - 1.5 * (score * (1.0 - score)).max(0.0025).sqrt() / (design.samples() as f64).sqrt()
    }
}

impl Unit for Search {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        (self.pace.epoch_ended, self.pace.improved) = (false, false);
        let stop = match self.run.step() {
            Err(()) => Some(StopReason::Diverged),
            Ok(None) => None,
            Ok(Some(loss)) => self.end_epoch(loss),
        };
        self.pace.stop = stop;
        let epochs = (f64::from(self.pace.epoch) + self.run.within()) / f64::from(self.ground.config.epochs);
        self.pace.share = if stop.is_some() { 1.0 } else { epochs };
        self.pace
    }

    fn current(&self) -> Tree {
        match &self.best {
            Some((_, best)) if !self.run.parameters.is_finite() => {
                pruned(best, self.ground.meaning, &self.ground.train)
            }
            _ if self.run.parameters.is_finite() => {
                pruned(&self.run.parameters, self.ground.meaning, &self.ground.train)
            }
            _ => super::plan::know_nothing(&self.ground),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let (loss, parameters) = self.best.as_ref()?;
        let tree = pruned(parameters, self.ground.meaning, &self.ground.train);
        let score = if self.ground.config.has_greedy_starts() { self.score(&tree) } else { -loss };
        Some(Outcome { tree, score, loss: Some(*loss), epoch: self.best_epoch, stop: self.pace.stop, notes: vec![] })
    }

    fn choices(&self) -> Vec<NodeChoice> {
        if !self.run.parameters.is_finite() {
            return Vec::new();
        }
        let (tree, sources) = pruned_traced(&self.run.parameters, self.ground.meaning, &self.ground.train);
        choices_of(&self.run.parameters, &tree, &sources)
    }
}
