//! How the recipe `espalier` searches, as changes to the published search.

use std::sync::Arc;

use super::greedy_oblique::{GreedyOblique, GrowthSettings};
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::paper::descent::DescentSettings;
use crate::learn::get::paper::hard_leaves::Refit;
use crate::learn::get::paper::initial_trees::{Draw, GrowingTree, InitialTree};
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::get::paper::scale_factors::ScaleFactors;
use crate::learn::get::paper::search_plan::SearchPlan;
use crate::learn::get::settings::{Answer, Config};
use crate::learn::{Start as Kind, StartChoice};

/// How often the planes of the second greedy oblique tree are fitted to the sides they made.
const ROUNDS: usize = 2;

impl Config {
    /// The plan of the search for so many samples.
    pub fn plan(&self, samples: usize) -> SearchPlan {
        let published = SearchPlan::published(self, samples);
        let plan = if self.published() { published } else { self.changed(published) };
        match self.start {
            StartChoice::Greedy => SearchPlan { starts: (self.starts as usize).min(plan.greedy()), ..plan },
            StartChoice::Random | StartChoice::Both => plan,
        }
    }

    /// Batches instead of all samples are a setting; what has none is changed here.
    fn changed(&self, published: SearchPlan) -> SearchPlan {
        let refit = Refit { ridge: 1e-3, ..Refit::PLAIN };
        // With linear leaves a price cost a little accuracy, and splits end up with as few columns without it
        // (benches/record). Where only the training samples count, a column of noise is a gain.
        let price = if self.linear || self.sweeps() { 0.0 } else { self.spare };
        let how = GrowthSettings { ridge: refit.ridge, columns: published.columns, price, rounds: 0 };
        let oblique = |rounds: usize| Arc::new(GrowthSettings { rounds, ..how }) as Arc<dyn InitialTree>;
        SearchPlan {
            descent: DescentSettings {
                closed_leaves: true,
                check: if self.linear { 5 } else { 1 },
                patience: 60,
                negligible: 1e-7,
                refit,
                ..published.descent
            },
            further: match (self.start, self.linear) {
                (StartChoice::Random, _) => vec![],
                (_, true) => vec![oblique(0)],
                (_, false) => vec![oblique(0), oblique(ROUNDS)],
            },
            // Distillation uses one tree per start.
            ended: !self.linear && !self.teaches(),
            draw: Draw::Through,
            scales: ScaleFactors { annealed: true, ..published.scales },
            ..published
        }
    }
}

impl InitialTree for GrowthSettings {
    fn grow(&self, blocks: Arc<Blocks<f32>>, depth: usize, answer: Answer) -> Box<dyn GrowingTree> {
        Box::new(GreedyOblique::new(blocks, depth, answer, *self))
    }

    fn kind(&self) -> Kind {
        Kind::GreedyOblique
    }

    fn keeps_columns(&self) -> bool {
        self.price > 0.0
    }
}

impl GrowingTree for GreedyOblique {
    fn step(&mut self) -> bool {
        GreedyOblique::step(self)
    }

    fn tree(&self) -> &Parameters<f32> {
        GreedyOblique::tree(self)
    }
}
