//! The last stage of a greedy start.

use std::sync::Arc;

use super::folds::Fold;
use super::ground::Ground;
use super::plot::{Choice, LEAST, Plot, Recipe, powers};
use crate::learn::{Outcome, Pace, Unit};
use crate::tree::Tree;

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
            self.pace.epoch += 1;
            if plot.descend().is_none() {
                plot.run = None;
            }
        } else {
            if let Some((tree, _)) = plot.descended(ground, *recipe, *choice) {
                self.tree = Some(tree);
            }
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
