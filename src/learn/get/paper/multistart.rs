//! Several starts over the same samples, one after another (Algorithm 1, lines 1 and 10). The best hard tree
//! of all is the result, so that it fits the training samples at least as well as CART's tree does.

use std::sync::Arc;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::search_plan::SearchPlan;
use crate::learn::get::paper::start::StartRun;

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
    start: Option<StartRun>,
    index: usize,
    /// The epoch that the last step ended: see [`StartRun::epoch_ended`].
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

    fn start_at(&self, index: usize) -> StartRun {
        let (plan, blocks) = (self.plan.clone(), self.blocks.clone());
        StartRun::new(plan, blocks, self.depth, self.answer, &self.warm, index, self.seed)
    }

    /// The best hard tree so far, of starts with the same loss the first one's; none while the first tree
    /// grows.
    pub fn best(&self) -> Option<&Best> {
        let running = self.start.as_ref().and_then(StartRun::best);
        self.found
            .iter()
            .chain(running)
            .reduce(|best, found| if found.loss < best.loss { found } else { best })
    }

    /// The best tree of every start that has ended.
    pub fn found(&self) -> &[Best] {
        &self.found
    }

    /// The epoch that the last step ended: see [`StartRun::epoch_ended`].
    pub fn epoch_ended(&self) -> Option<(usize, [f64; 2])> {
        self.epoch
    }

    /// Share of the work that is surely done.
    pub fn share(&self) -> f64 {
        let within = self.start.as_ref().map_or(0.0, StartRun::share);
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
