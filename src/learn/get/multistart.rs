//! Several starts over the same samples, one after another; the best hard tree of all is the result.

use std::sync::Arc;

use super::blocks::Blocks;
use super::parameters::{Answer, Parameters};
use super::run::{Best, Recipe};
use super::start::Start;
use super::warm::Draw;
use crate::learn::{Start as Kind, Work};

/// How often and from where descents begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// How each descent is made.
    pub recipe: Recipe,
    /// Descents in all, warm ones too.
    pub starts: usize,
    /// How many starts after the first are greedy oblique trees, at most two: along least squares, and between the sides that these make.
    pub sloped: usize,
    /// The most columns in a split; 0 for all.
    pub columns: usize,
    /// The price of a column in greedy oblique trees; where it is not 0, their descents keep to the columns they named.
    pub price: f64,
    /// Whether the tree that a descent ends with is looked at too, not only the best one on the way.
    pub ended: bool,
    /// How random planes are drawn.
    pub draw: Draw,
    /// Ranges of the scale factors, at least one.
    pub scales: Vec<[f64; 2]>,
    /// One run in which the scale factor grows from the first to the last, instead of one run at each.
    pub anneal: bool,
}

impl Plan {
    /// Starts that begin at a greedy tree: CART's, and oblique ones.
    pub fn greedy(&self) -> usize {
        1 + self.sloped
    }

    /// Runs of each start.
    pub fn runs(&self) -> usize {
        if self.anneal { 1 } else { self.scales.len() }
    }

    /// The tree that a start begins at.
    pub fn kind(&self, start: usize) -> Kind {
        match start {
            0 => Kind::Cart,
            _ if start < self.greedy() => Kind::GreedyOblique,
            _ => Kind::Random,
        }
    }

    /// What a descent of a start is called.
    pub fn descent(&self, start: usize, run: usize) -> Work {
        let (from, random) = (self.kind(start), self.starts.saturating_sub(self.greedy()));
        let number = if from == Kind::Random { start + 1 - self.greedy() } else { 0 };
        Work::Descent { from, number: number as u32, of: random as u32, run: run as u8 }
    }

    /// Epochs of all starts together, at most.
    pub fn epochs(&self) -> usize {
        self.starts * self.recipe.epochs * self.runs()
    }
}

/// A search over starts, to be advanced step by step.
pub struct Multistart {
    plan: Arc<Plan>,
    blocks: Arc<Blocks<f32>>,
    depth: usize,
    answer: Answer,
    seed: u64,
    /// Trees to begin with, after the greedy ones.
    warm: Vec<Parameters<f32>>,
    /// The start at work; none once all have ended.
    start: Option<Start>,
    index: usize,
    /// The epoch that the last step ended: see [`Start::epoch_ended`].
    epoch: Option<(usize, [f64; 2])>,
    /// The best tree of every start that has ended.
    found: Vec<Best>,
}

impl Multistart {
    /// Begins a search for a tree of a depth. `warm` are trees to begin with, after the greedy ones.
    pub fn new(
        plan: Plan,
        blocks: Arc<Blocks<f32>>,
        depth: usize,
        answer: Answer,
        warm: Vec<Parameters<f32>>,
        seed: u64,
    ) -> Self {
        let plan = Arc::new(plan);
        let mut search =
            Multistart { plan, blocks, depth, answer, seed, warm, start: None, index: 0, epoch: None, found: vec![] };
        search.start = Some(search.start_at(0));
        search
    }

    fn start_at(&self, index: usize) -> Start {
        let (plan, blocks) = (self.plan.clone(), self.blocks.clone());
        Start::new(plan, blocks, self.depth, self.answer, &self.warm, index, self.seed)
    }

    /// The best hard tree so far, of starts with the same loss the first one's; none while the first tree grows.
    pub fn best(&self) -> Option<&Best> {
        let running = self.start.as_ref().and_then(Start::best);
        self.found.iter().chain(running).reduce(|best, found| if found.loss < best.loss { found } else { best })
    }

    /// The best tree of every start that has ended.
    pub fn found(&self) -> &[Best] {
        &self.found
    }

    /// The epoch that the last step ended: see [`Start::epoch_ended`].
    pub fn epoch_ended(&self) -> Option<(usize, [f64; 2])> {
        self.epoch
    }

    /// Share of the work that is surely done.
    pub fn share(&self) -> f64 {
        let within = self.start.as_ref().map_or(0.0, Start::share);
        ((self.index as f64 + within) / self.plan.starts as f64).min(1.0)
    }

    /// A small piece of work, with a pass over at most so many blocks. Returns whether there is more to do.
    pub fn advance(&mut self, blocks: usize) -> bool {
        let Some(start) = &mut self.start else { return false };
        let goes_on = start.advance(blocks);
        self.epoch = start.epoch_ended();
        if goes_on {
            return true;
        }
        self.found.extend(start.best().cloned());
        self.index += 1;
        self.start = (self.index < self.plan.starts).then(|| self.start_at(self.index));
        self.start.is_some()
    }
}
