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
    training: Arc<TrainingData>,
    /// What our stages share; none as published, where nothing outside `paper/` takes part.
    ours: Option<Arc<PreparedData>>,
    /// How the first unit is grown, if it starts at a greedy tree.
    greedy: Option<GrowthSettings>,
}

impl GradPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> GradPlan {
        let greedy = RecipeStage::Growth.takes_part(&config).then(|| GrowthSettings::of(&config, &train.y));
        let added = RecipeStage::of(&config).any(|stage| stage != RecipeStage::RandomStarts);
        let training = Arc::new(TrainingData::new(config, train, valid, seed));
        let ours = added.then(|| Arc::new(PreparedData::new(training.clone())));
        GradPlan { training, ours, greedy }
    }

    /// Random start `restart`: as published, unless there is a greedy start beside it.
    fn random_start(&self, restart: u64) -> RandomStart {
        let config = &self.training.config;
        let terms = match (&self.ours, self.greedy) {
            (Some(data), Some(_)) => beside_greedy(data.clone()),
            _ => RestartTerms { depth: config.depth, starts: config.restarts, ranking: Box::new(LowestLoss) },
        };
        RandomStart::new(self.training.clone(), restart, terms)
    }
}

impl Plan for GradPlan {
    fn units(&self) -> u32 {
        let config = &self.training.config;
        if RecipeStage::RandomStarts.takes_part(config) { config.restarts } else { 1 }
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        match (&self.ours, self.greedy) {
            (Some(data), Some(growth)) if index == 0 => Box::new(GreedyStart::new(data.clone(), growth)),
            (_, Some(_)) => Box::new(self.random_start(u64::from(index) - 1)),
            (_, None) => Box::new(self.random_start(u64::from(index))),
        }
    }

    fn last(&self, winner: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        let data = self.ours.clone().filter(|data| RecipeStage::Refit.takes_part(data.config()))?;
        match GreedyRefit::new(data.clone(), winner) {
            Some(refit) => Some(Box::new(refit)),
            // A random start's leaves answer for all samples.
            None => Some(Box::new(Once::new(winner.clone(), move |winner| {
                let all: Vec<u32> = (0..data.all().samples() as u32).collect();
                let weight = data.weights(data.training.asked_power());
                data.answers(0.0).refit(&winner.tree, data.all(), &data.target, &weight, &all)
            }))),
        }
    }

    fn nothing(&self) -> Tree {
        self.training.constant_tree()
    }

    fn post_transform(&self) -> PostTransform {
        self.training.post_transform()
    }
}
