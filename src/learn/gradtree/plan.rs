//! The units of a training: greedy starts first, for they answer at once, then random ones.

use std::sync::Arc;

use super::Config;
use super::ground::Ground;
use super::search::Search;
use super::warm::{Rebuild, Recipe, Warm};
use crate::encode::{Design, Labels};
use crate::learn::{Outcome, Pace, Plan, StopReason, Unit};
use crate::tree::{Leaf, PostTransform, Tree};

/// The plan of a GradTree training.
pub struct GradPlan {
    ground: Arc<Ground>,
    greedy: Vec<Recipe>,
}

impl GradPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> GradPlan {
        let config = config.for_labels(&train.y);
        let greedy = if config.has_greedy_starts() { config.recipes(&train.y) } else { vec![] };
        GradPlan { ground: Arc::new(Ground::new(config, train, valid, seed)), greedy }
    }
}

impl Plan for GradPlan {
    fn units(&self) -> u32 {
        self.ground.config.restarts.max(self.greedy.len() as u32)
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        match self.greedy.get(index as usize) {
            Some(&recipe) => Box::new(Warm::new(self.ground.clone(), recipe)),
            None => Box::new(Search::new(self.ground.clone(), u64::from(index) - self.greedy.len() as u64)),
        }
    }

    fn last(&self, winner: &Outcome) -> Option<Box<dyn Unit>> {
        if !self.ground.config.refit {
            return None;
        }
        match Rebuild::new(self.ground.clone(), winner) {
            Some(rebuild) => Some(Box::new(rebuild)),
            None => Some(Box::new(Refit { ground: self.ground.clone(), winner: winner.clone(), done: false })),
        }
    }

    fn nothing(&self) -> Tree {
        know_nothing(&self.ground)
    }

    fn post_transform(&self) -> PostTransform {
        match &self.ground.all.y {
            Labels::Values(_) => PostTransform::None,
            Labels::Classes { classes: 0..=2, .. } => PostTransform::Logistic,
            Labels::Classes { .. } => PostTransform::Softmax,
        }
    }
}

/// The last stage of a random start: its leaves answer for all samples.
struct Refit {
    ground: Arc<Ground>,
    winner: Outcome,
    done: bool,
}

impl Unit for Refit {
    fn step(&mut self) -> Pace {
        if !self.done {
            self.done = true;
            let all: Vec<u32> = (0..self.ground.all.samples() as u32).collect();
            let answers = self.ground.answers(self.ground.asked_power());
            self.winner.tree = answers.refit(&self.winner.tree, &self.ground.all, &self.ground.target, &all);
        }
        let stop = self.winner.stop.or(Some(StopReason::NoImprovement));
        Pace { epoch: self.winner.epoch, stop, share: 1.0, ..Pace::default() }
    }

    fn current(&self) -> Tree {
        self.winner.tree.clone()
    }

    fn outcome(&self) -> Option<Outcome> {
        Some(self.winner.clone())
    }
}

/// The answer that knows nothing but how often each class occurs, or the mean.
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
        (Labels::Values(_), meaning) => meaning.leaf(&[0.0]),
    };
    Tree::leaf(leaf)
}
