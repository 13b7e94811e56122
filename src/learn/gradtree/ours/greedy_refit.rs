//! The last stage of a greedy start: what the winner decided is done again, on all samples.

use std::sync::Arc;

use super::alternatives::{Alternative, GreedyNotes, GrowthSettings, LEAST, decided, powers, tally};
use super::data::PreparedData;
use super::fold_start::FoldStart;
use super::stages::RecipeStage;
use crate::learn::select::Fold;
use crate::learn::{Kept, On, Outcome, Pace, Phase, Start, Unit};
use crate::tree::Tree;

/// What a descent may lose of the score on its own samples; a healthy one gives up a little of it for
/// smoother splits.
const MOST_LOST: f64 = 0.05;

/// The last stage: what the winner decided, done on all samples.
pub(crate) struct GreedyRefit {
    data: Arc<PreparedData>,
    growth: GrowthSettings,
    choice: Alternative,
    fold_start: FoldStart,
    winner: Outcome,
    pace: Pace,
    tree: Option<Tree>,
    /// Where the tree comes from, once it is made.
    kept: Kept,
}

impl GreedyRefit {
    /// From the notes of a [`GreedyStart`](super::greedy_start::GreedyStart) outcome; none for another
    /// unit's.
    pub(crate) fn new(data: Arc<PreparedData>, winner: &Outcome) -> Option<GreedyRefit> {
        if winner.kept.start != Start::Greedy {
            return None;
        }
        let GreedyNotes { growth, choice } = winner.notes.read()?;
        let fold = Fold { fit: (0..data.all().samples() as u32).collect(), held: vec![], round: 0 };
        let fold_start = FoldStart::new(&data, fold, u64::MAX);
        let (winner, kept, pace) = (winner.clone(), winner.kept, Pace::default());
        Some(GreedyRefit { data, growth, choice, fold_start, winner, pace, tree: None, kept })
    }

    /// What the next step does.
    fn phase(&self) -> Phase {
        let phase = match &self.tree {
            None => self.fold_start.phase(&self.data, self.growth),
            Some(_) if self.fold_start.descent.is_some() => {
                let refinement = RecipeStage::Refinement.phase();
                refinement.counted(self.pace.epoch as usize, self.choice.epochs as usize)
            }
            Some(_) => RecipeStage::Refit.phase(),
        };
        phase.on(On::All)
    }

    /// Takes the tree after its descent, unless that is clearly worse on the samples that it was fitted to;
    /// none is held out here.
    fn end(&mut self) {
        let GreedyRefit { data, growth, choice, fold_start, .. } = self;
        let start = self.tree.take();
        let after = fold_start.descended(data, *growth, *choice).map(|(tree, _)| tree);
        let (tree, epochs) = match (start, after) {
            (Some(start), Some(after)) if fitted(data, &after) < fitted(data, &start) - MOST_LOST => {
                (Some(start), 0)
            }
            (_, Some(after)) => (Some(after), self.pace.epoch),
            (start, None) => (start, 0),
        };
        self.tree = tree;
        self.kept = Kept { chosen: self.winner.kept.chosen, refitted: true, ..fold_start.kept(epochs) };
        self.pace.stop = self.winner.stop;
    }
}

/// The score on all samples.
fn fitted(data: &PreparedData, tree: &Tree) -> f64 {
    let mut scoreboard = data.scoreboard(1, 1);
    for (at, row) in data.all().rows().enumerate() {
        let (class, value) = decided(data, &tree.output(tree.leaf_of(row), row));
        tally(data, &mut scoreboard, 0, 0, at, class, value);
    }
    scoreboard.score(0)
}

impl Unit for GreedyRefit {
    fn step(&mut self) -> Pace {
        let GreedyRefit { data, growth, choice, fold_start, .. } = self;
        if self.pace.stop.is_some() {
            return self.pace;
        }
        if self.tree.is_none() {
            if fold_start.grow(data, *growth, &LEAST[choice.least..=choice.least]) {
                let start = fold_start.start(data, *growth, *choice, 0);
                if choice.epochs > 0 {
                    let samples = Arc::new(data.training.weighted(data.all(), powers(data)[choice.power]));
                    fold_start.begin_descent(data, &samples, &start, 0);
                }
                self.tree = Some(start);
            }
        } else if self.pace.epoch < choice.epochs && fold_start.descent.is_some() {
            match fold_start.descend() {
                Ok(ended) => self.pace.epoch += u32::from(ended),
                Err(()) => fold_start.descent = None,
            }
        } else {
            self.end();
        }
        self.pace.phase = self.phase();
        self.pace
    }

    fn current(&self) -> Tree {
        self.tree.clone().unwrap_or_else(|| self.winner.tree.clone())
    }

    fn outcome(&self) -> Option<Outcome> {
        let kept = Kept { restart: self.winner.kept.restart, ..self.kept };
        Some(Outcome { tree: self.current(), kept, ..self.winner.clone() })
    }
}
