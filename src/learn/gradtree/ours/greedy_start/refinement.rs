//! Gradient descent from the chosen start, on every fold, and whether it is kept.

use super::super::alternatives::{Alternative, chance, decided, tally};
use super::super::stages::{REFINEMENT, RecipeStage};
use super::{GreedyStart, UnitState};
use crate::learn::{StopReason, Unit};
use crate::tree::Tree;

impl GreedyStart {
    /// Begins the descent on the next fold; after the last one there is an outcome.
    pub(super) fn begin_descents(&mut self) {
        let UnitState::Beginning { choice, score, samples, start: first } = &mut self.state else { return };
        let (choice, score, at) = (*choice, *score, self.at);
        if let Some(fold_start) = self.fold_starts.get_mut(at) {
            let start = fold_start.start(&self.data, self.growth, choice, choice.least);
            fold_start.begin_descent(&self.data, samples, &start, at as u64);
            first.get_or_insert(start);
            self.at += 1;
            return;
        }
        let Some(tree) = first.take() else { return };
        self.keep(tree, choice, score, self.kept(0));
        self.at = 0;
        self.state = UnitState::Descending { choice, score, descended: false };
        if !RecipeStage::Refinement.takes_part(self.data.config()) {
            self.end(StopReason::Grown);
        }
    }

    /// One batch of a fold. Once every fold has ended its epoch, losses are measured; after the last epoch,
    /// held-out samples decide whether the descent is kept.
    pub(super) fn descend(&mut self) {
        let UnitState::Descending { choice, score, descended } = &mut self.state else { return };
        if let Some(fold_start) = self.fold_starts.get_mut(self.at) {
            *descended |= fold_start.descent.is_some();
            match fold_start.descend() {
                Ok(true) => self.at += 1,
                Ok(false) => {}
                Err(()) => self.end(StopReason::Diverged),
            }
            return;
        }
        let (mut choice, before, descended) = (*choice, *score, *descended);
        self.at = 0;
        self.pace.epoch += 1;
        self.pace.epoch_ended = true;
        let now = self.current();
        self.pace.train_loss = self.data.shown_loss(&now, &self.fold_starts[0].fold.fit);
        self.pace.valid_loss = self.data.shown_loss(&now, &self.data.validation());
        let last = self.pace.epoch >= self.data.config().refine;
        self.pace.share = REFINEMENT.from
            + REFINEMENT.width * f64::from(self.pace.epoch) / f64::from(self.data.config().refine);
        if !descended {
            self.end(StopReason::Grown);
        } else if last {
            choice.epochs = self.pace.epoch;
            let (first, after) = self.judge_descents(choice);
            if after >= before - 0.5 * self.data.config().caution * chance(&self.data, before) {
                self.keep(first, choice, after.max(before), self.kept(choice.epochs));
                self.end(StopReason::EpochLimit);
            } else {
                self.end(StopReason::NoImprovement);
            }
        }
    }

    /// The first fold's tree after its descent, and the score of all.
    fn judge_descents(&self, choice: Alternative) -> (Tree, f64) {
        let mut scoreboard = self.data.scoreboard(self.data.rounds(), 1);
        let mut first = None;
        for fold_start in &self.fold_starts {
            // A fold whose start is a single leaf has nothing to descend; its start stands.
            let tree = match fold_start.descended(&self.data, self.growth, choice) {
                Some((tree, _)) => tree,
                None => fold_start.start(&self.data, self.growth, choice, choice.least),
            };
            for &sample in &fold_start.fold.held {
                let (at, row) = (sample as usize, self.data.all().row(sample as usize));
                let (class, value) = decided(&self.data, &tree.output(tree.leaf_of(row), row));
                tally(&self.data, &mut scoreboard, 0, fold_start.fold.round, at, class, value);
            }
            first.get_or_insert(tree);
        }
        (first.expect("there is a fold"), scoreboard.score(0))
    }
}
