//! The units of a training: a greedy start first, for it answers at once, then random ones.

use std::sync::Arc;

use super::ours::{GreedyRefit, GreedyStart, GrowthSettings, PreparedData, RecipeStage, beside_greedy};
use super::paper::{LowestLoss, RandomStart, RestartTerms, TrainingData};
use super::settings::Config;
use crate::encode::Design;
use crate::learn::{Once, Outcome, Plan, Unit};
use crate::tree::{PostTransform, Tree};

/// The plan of a GradTree training.
pub struct GradPlan {
    data: Arc<PreparedData>,
    /// How the first unit is grown, if it starts at a greedy tree.
    greedy: Option<GrowthSettings>,
}

impl GradPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> GradPlan {
        let greedy = RecipeStage::Growth.takes_part(&config).then(|| GrowthSettings::of(&config, &train.y));
        let training = Arc::new(TrainingData::new(config, train, valid, seed));
        GradPlan { data: Arc::new(PreparedData::new(training)), greedy }
    }

    /// Random start `restart`: as published, unless there is a greedy start beside it.
    fn random_start(&self, restart: u64) -> RandomStart {
        let config = self.data.config();
        let terms = match self.greedy {
            Some(_) => beside_greedy(self.data.clone()),
            None => RestartTerms { depth: config.depth, starts: config.restarts, ranking: Box::new(LowestLoss) },
        };
        RandomStart::new(self.data.training.clone(), restart, terms)
    }
}

impl Plan for GradPlan {
    fn units(&self) -> u32 {
        if RecipeStage::RandomStarts.takes_part(self.data.config()) { self.data.config().restarts } else { 1 }
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        match self.greedy {
            Some(growth) if index == 0 => Box::new(GreedyStart::new(self.data.clone(), growth)),
            Some(_) => Box::new(self.random_start(u64::from(index) - 1)),
            None => Box::new(self.random_start(u64::from(index))),
        }
    }

    fn last(&self, winner: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        if !RecipeStage::Refit.takes_part(self.data.config()) {
            return None;
        }
        match GreedyRefit::new(self.data.clone(), winner) {
            Some(refit) => Some(Box::new(refit)),
            // A random start's leaves answer for all samples.
            None => {
                let data = self.data.clone();
                Some(Box::new(Once::new(winner.clone(), move |winner| {
                    let all: Vec<u32> = (0..data.all().samples() as u32).collect();
                    let weight = data.weights(data.training.asked_power());
                    data.answers(0.0).refit(&winner.tree, data.all(), &data.target, &weight, &all)
                })))
            }
        }
    }

    fn nothing(&self) -> Tree {
        self.data.training.constant_tree()
    }

    fn post_transform(&self) -> PostTransform {
        self.data.training.post_transform()
    }
}
