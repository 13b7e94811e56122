//! How often and from where descents begin: what Algorithm 1 is given.

use std::sync::Arc;

use crate::learn::get::paper::descent::DescentSettings;
use crate::learn::get::paper::initial_trees::{Draw, InitialTree};
use crate::learn::get::paper::scale_factors::ScaleFactors;
use crate::learn::get::settings::Config;
use crate::learn::{Start as Kind, StartChoice, Work};

/// How often and from where descents begin.
#[derive(Debug, Clone)]
pub struct SearchPlan {
    /// How each descent is made.
    pub descent: DescentSettings,
    /// Descents in all, `N_start`: from CART's tree, from the further trees, then from random ones.
    pub starts: usize,
    /// Whether the first start begins at CART's tree, as in the paper.
    pub cart: bool,
    /// Trees that the starts after the first begin at, in place of random ones. None in the paper.
    pub further: Vec<Arc<dyn InitialTree>>,
    /// The most columns in a split; 0 for all, as in the paper.
    pub columns: usize,
    /// Whether the tree that a descent ends with is looked at too, not only the best one on the way. Off in
    /// the paper.
    pub ended: bool,
    /// How random planes are drawn.
    pub draw: Draw,
    /// The scale factors.
    pub scales: ScaleFactors,
}

impl SearchPlan {
    /// The published search for so many samples.
    pub fn published(config: &Config, samples: usize) -> Self {
        SearchPlan {
            descent: DescentSettings::published(config, samples),
            // CART's tree is the one greedy tree of the paper.
            starts: if config.start == StartChoice::Greedy { 1 } else { config.starts as usize },
            cart: config.start != StartChoice::Random,
            further: vec![],
            columns: config.columns as usize,
            ended: false,
            draw: Draw::Uniform,
            scales: ScaleFactors::published(config),
        }
    }

    /// Starts that begin at a greedy tree: CART's, and the further ones.
    pub fn greedy(&self) -> usize {
        usize::from(self.cart) + self.further.len()
    }

    /// The further tree that a start begins at; none for CART's tree and for random ones.
    pub fn further(&self, start: usize) -> Option<&dyn InitialTree> {
        self.further.get(start.checked_sub(usize::from(self.cart))?).map(|tree| &**tree)
    }

    /// Whether the descent of a start only uses the columns that its first tree names.
    pub fn sparse(&self, start: usize) -> bool {
        self.columns > 0 || self.further(start).is_some_and(InitialTree::keeps_columns)
    }

    /// Runs of each start.
    pub fn runs(&self) -> usize {
        self.scales.runs()
    }

    /// The tree that a start begins at.
    pub fn kind(&self, start: usize) -> Kind {
        let other = if start == 0 && self.cart { Kind::Cart } else { Kind::Random };
        self.further(start).map_or(other, InitialTree::kind)
    }

    /// What a descent of a start is called.
    pub fn descent(&self, start: usize, run: usize) -> Work {
        let (from, random) = (self.kind(start), self.starts.saturating_sub(self.greedy()));
        let number = if from == Kind::Random { start + 1 - self.greedy() } else { 0 };
        Work::Descent { from, number: number as u32, of: random as u32, run: run as u8 }
    }

    /// Epochs of all starts together, at most.
    pub fn epochs(&self) -> usize {
        self.starts * self.descent.epochs * self.runs()
    }
}
