//! The units of a training: a greedy start first, for it answers at once, then random ones.

use std::sync::Arc;

use super::ground::Ground;
use super::plot::Recipe;
use super::rebuild::Rebuild;
use super::search::Search;
use super::warm::Warm;
use super::{Config, Start};
use crate::encode::{Design, Labels};
use crate::learn::{Once, Outcome, Plan, Unit};
use crate::tree::{Leaf, PostTransform, Tree};

/// The plan of a GradTree training.
pub struct GradPlan {
    ground: Arc<Ground>,
    /// The first unit's, if it starts at a greedy tree.
    greedy: Option<Recipe>,
}

impl GradPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> GradPlan {
        let greedy = config.has_greedy_starts().then(|| config.recipe(&train.y));
        GradPlan { ground: Arc::new(Ground::new(config, train, valid, seed)), greedy }
    }
}

impl Plan for GradPlan {
    fn units(&self) -> u32 {
        if self.ground.config.start == Start::Greedy { 1 } else { self.ground.config.restarts }
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        match self.greedy {
            Some(recipe) if index == 0 => Box::new(Warm::new(self.ground.clone(), recipe)),
            _ => Box::new(Search::new(self.ground.clone(), u64::from(index) - u64::from(self.greedy.is_some()))),
        }
    }

    fn last(&self, winner: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        if !self.ground.config.refit {
            return None;
        }
        match Rebuild::new(self.ground.clone(), winner) {
            Some(rebuild) => Some(Box::new(rebuild)),
            // A random start's leaves answer for all samples.
            None => {
                let ground = self.ground.clone();
                Some(Box::new(Once::new(winner.clone(), move |winner| {
                    let all: Vec<u32> = (0..ground.all.samples() as u32).collect();
                    let weight = ground.weights(ground.asked_power());
                    ground.answers(0.0).refit(&winner.tree, &ground.all, &ground.target, &weight, &all)
                })))
            }
        }
    }

    fn nothing(&self) -> Tree {
        know_nothing(&self.ground)
    }

    fn post_transform(&self) -> PostTransform {
        self.ground.post_transform()
    }
}

/// The answer that knows nothing but how often each class occurs, or the mean, median or quantile.
pub fn know_nothing(ground: &Ground) -> Tree {
    let leaf = match (&ground.train.y, ground.meaning) {
        (Labels::Classes { label, classes }, _) => {
            // One sample more of each class, so that a class without samples has a logarithm.
            let mut counts = vec![1.0f64; *classes];
            label.iter().for_each(|&class| counts[class as usize] += 1.0);
            let logs: Vec<f64> = counts.iter().map(|&count| libm::log(count)).collect();
            let scores = if *classes == 2 { vec![logs[1] - logs[0]] } else { logs };
            Leaf::Scores(scores.into_iter().map(|score| score as f32).collect())
        }
        // 0 is the mean.
        (Labels::Values(_), meaning) => {
            meaning.leaf(&[ground.constant(ground.train.samples()).map_or(0.0, |(_, raw)| raw as f32)])
        }
    };
    Tree::leaf(leaf)
}
