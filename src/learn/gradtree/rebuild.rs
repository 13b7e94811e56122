//! The last stage of a greedy start.

use std::sync::Arc;

use super::folds::Fold;
use super::ground::Ground;
use super::plot::{Choice, LEAST, Plot, Recipe, decided, powers, tally};
use crate::learn::{Kept, On, Outcome, Pace, Phase, Start, Unit, Work};
use crate::tree::Tree;

/// What a descent may lose of the score on its own samples; a healthy one gives up a little of it for smoother splits.
const MOST_LOST: f64 = 0.05;

/// The last stage: the winner's recipe on all samples.
pub struct Rebuild {
    ground: Arc<Ground>,
    recipe: Recipe,
    choice: Choice,
    plot: Plot,
    winner: Outcome,
    pace: Pace,
    tree: Option<Tree>,
    /// Where the tree comes from, once it is made.
    kept: Kept,
}

impl Rebuild {
    /// From the notes of a [`Warm`](super::warm::Warm) outcome; none for another unit's.
    pub fn new(ground: Arc<Ground>, winner: &Outcome) -> Option<Rebuild> {
        if winner.kept.start != Start::Greedy {
            return None;
        }
        let [least, cost, power, epochs, favour, trust] = *winner.notes else { return None };
        let choice =
            Choice { least: least as usize, cost: cost as usize, power: power as usize, epochs: epochs as u32 };
        let recipe = Recipe { power: favour, trust: trust as f32 };
        let fold = Fold { fit: (0..ground.all.samples() as u32).collect(), held: vec![], round: 0 };
        let plot = Plot::new(&ground, fold, u64::MAX);
        let (winner, kept, pace) = (winner.clone(), winner.kept, Pace::default());
        Some(Rebuild { ground, recipe, choice, plot, winner, pace, tree: None, kept })
    }

    /// What the next step does.
    fn phase(&self) -> Phase {
        let phase = match &self.tree {
            None => self.plot.phase(&self.ground, self.recipe),
            Some(_) if self.plot.run.is_some() => {
                let work = Work::Descent { from: Start::Greedy, number: 0, of: 0, run: 0 };
                Phase::from(work).counted(self.pace.epoch as usize, self.choice.epochs as usize)
            }
            Some(_) => Work::Refit.into(),
        };
        phase.on(On::All)
    }

    /// Takes the tree after its descent, unless that went astray: no sample is held out here, but it shows on the
    /// samples that it was fitted to.
    fn end(&mut self) {
        let Rebuild { ground, recipe, choice, plot, .. } = self;
        let start = self.tree.take();
        let after = plot.descended(ground, *recipe, *choice).map(|(tree, _)| tree);
        let (tree, epochs) = match (start, after) {
            (Some(start), Some(after)) if fitted(ground, &after) < fitted(ground, &start) - MOST_LOST => {
                (Some(start), 0)
            }
            (_, Some(after)) => (Some(after), self.pace.epoch),
            (start, None) => (start, 0),
        };
        self.tree = tree;
        self.kept = Kept { chosen: self.winner.kept.chosen, refitted: true, ..plot.kept(epochs) };
        self.pace.stop = self.winner.stop;
    }
}

/// The score on all samples.
fn fitted(ground: &Ground, tree: &Tree) -> f64 {
    let mut board = ground.board(1, 1);
    for (at, row) in ground.all.rows().enumerate() {
        let (class, value) = decided(ground, &tree.output(tree.leaf_of(row), row));
        tally(ground, &mut board, 0, 0, at, class, value);
    }
    board.score(0)
}

impl Unit for Rebuild {
    fn step(&mut self) -> Pace {
        let Rebuild { ground, recipe, choice, plot, .. } = self;
        if self.pace.stop.is_some() {
            return self.pace;
        }
        if self.tree.is_none() {
            if plot.grow(ground, *recipe, &LEAST[choice.least..=choice.least]) {
                let start = plot.start(ground, *recipe, *choice, 0);
                if choice.epochs > 0 {
                    let part = Arc::new(ground.part(&ground.all, powers(ground)[choice.power]));
                    plot.begin_descent(ground, &part, &start, 0);
                }
                self.tree = Some(start);
            }
        } else if self.pace.epoch < choice.epochs && plot.run.is_some() {
            match plot.descend() {
                Ok(ended) => self.pace.epoch += u32::from(ended),
                Err(()) => plot.run = None,
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
