//! The last stage of a greedy start.

use std::sync::Arc;

use super::board::Board;
use super::folds::Fold;
use super::ground::Ground;
use super::plot::{Choice, LEAST, Plot, Recipe, decided, powers, tally};
use crate::learn::{Outcome, Pace, Unit};
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
}

impl Rebuild {
    /// From the notes of a [`Warm`] outcome; none if they are another unit's.
    pub fn new(ground: Arc<Ground>, winner: &Outcome) -> Option<Rebuild> {
        let [least, cost, power, epochs, favour, trust] = *winner.notes else { return None };
        let choice =
            Choice { least: least as usize, cost: cost as usize, power: power as usize, epochs: epochs as u32 };
        let recipe = Recipe { power: favour, trust: trust as f32 };
        let fold = Fold { fit: (0..ground.all.samples() as u32).collect(), held: vec![], round: 0 };
        let plot = Plot::new(&ground, fold, u64::MAX);
        Some(Rebuild { ground, recipe, choice, plot, winner: winner.clone(), pace: Pace::default(), tree: None })
    }
}

/// The score on all samples.
fn fitted(ground: &Ground, tree: &Tree) -> f64 {
    let mut board = Board::new(&ground.all.y, 1, 1);
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
                Ok(loss) => self.pace.epoch += u32::from(loss.is_some()),
                Err(()) => plot.run = None,
            }
        } else {
            let start = self.tree.take();
            let after = plot.descended(ground, *recipe, *choice).map(|(tree, _)| tree);
            // No sample is held out here, but a descent that went astray shows on the samples it was fitted to.
            self.tree = match (start, after) {
                (Some(start), Some(after)) if fitted(ground, &after) < fitted(ground, &start) - MOST_LOST => {
                    Some(start)
                }
                (start, after) => after.or(start),
            };
            self.pace.stop = self.winner.stop;
        }
        self.pace
    }

    fn current(&self) -> Tree {
        self.tree.clone().unwrap_or_else(|| self.winner.tree.clone())
    }

    fn outcome(&self) -> Option<Outcome> {
        Some(Outcome { tree: self.current(), ..self.winner.clone() })
    }
}
