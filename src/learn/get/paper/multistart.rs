//! Several starts over the same samples, one after another (Algorithm 1, lines 1 and 10). The best hard tree
//! of all is the result, so that it fits the training samples at least as well as CART's tree does.

use std::sync::Arc;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::paper::descent::{Best, DescentSettings};
use crate::learn::get::paper::initial_trees::{Draw, InitialTree};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::scale_factors::ScaleFactors;
use crate::learn::get::paper::start::Start;
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

/// A search over starts, to be advanced step by step.
pub struct Multistart {
    plan: Arc<SearchPlan>,
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
        plan: SearchPlan,
        blocks: Arc<Blocks<f32>>,
        depth: usize,
        answer: Answer,
        warm: Vec<Parameters<f32>>,
        seed: u64,
    ) -> Self {
        let plan = Arc::new(plan);
        let mut search = Multistart {
            plan,
            blocks,
            depth,
            answer,
            seed,
            warm,
            start: None,
            index: 0,
            epoch: None,
            found: vec![],
        };
        search.start = Some(search.start_at(0));
        search
    }

    fn start_at(&self, index: usize) -> Start {
        let (plan, blocks) = (self.plan.clone(), self.blocks.clone());
        Start::new(plan, blocks, self.depth, self.answer, &self.warm, index, self.seed)
    }

    /// The best hard tree so far, of starts with the same loss the first one's; none while the first tree
    /// grows.
    pub fn best(&self) -> Option<&Best> {
        let running = self.start.as_ref().and_then(Start::best);
        self.found
            .iter()
            .chain(running)
            .reduce(|best, found| if found.loss < best.loss { found } else { best })
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
