//! The units of a training: its starts. What they found is refined in the last stage.

use std::sync::Arc;

use crate::encode::Design;
use crate::learn::get::Config;
use crate::learn::get::ours::context::Context;
use crate::learn::get::ours::stages::{FinalStages, How, last_share};
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::get::paper::start::Start;
use crate::learn::get::paper::tuning::Tuned;
use crate::learn::{Chosen, Columns, Judges, Kept, Measure, Notes, Outcome, Pace, Plan, Sequence, StopReason, Unit};
use crate::tree::{PostTransform, Tree};

/// The plan of a training of GET or GET-Linear.
pub struct GetPlan {
    context: Arc<Context>,
}

impl GetPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, columns: &Columns, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> GetPlan {
        GetPlan { context: Arc::new(Context::new(config, &columns.apart, train, &valid, seed)) }
    }

    /// Begins a training.
    pub fn begin(config: &Config, columns: &Columns, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Sequence {
        Sequence::new(Arc::new(GetPlan::new(config.clone(), columns, train, valid, seed)))
    }

    /// Begins trainings of several depths, of which validation chooses one: see [`Tuned`].
    pub fn tuned(config: &Config, columns: Columns, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Tuned {
        Tuned::new(GetPlan::begin, config, columns, train, valid, seed)
    }

    fn last_stage(&self, winner: &Outcome, found: &[Option<Outcome>], how: How) -> Option<Box<dyn Unit>> {
        let shape = Parameters::zeros(self.context.depth(), self.context.blocks.width(), self.context.answer);
        // The trees of a start, the best one first.
        let read = |outcome: &Outcome| -> Option<Vec<Best>> {
            let trees: Vec<Best> = outcome.notes.read()?;
            let fit = !trees.is_empty() && trees.iter().all(|best| best.tree.is_shaped_like(&shape));
            fit.then_some(trees)
        };
        let best = read(winner)?.swap_remove(0);
        let trees = |found: &Option<Outcome>| found.as_ref().map_or(Some(vec![]), read);
        let found: Option<Vec<Vec<Best>>> = found.iter().map(trees).collect();
        Some(Box::new(FinalStages::new(self.context.clone(), winner.clone(), best, found?, how)?))
    }
}

impl Plan for GetPlan {
    fn units(&self) -> u32 {
        self.context.plan.starts as u32
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        Box::new(StartUnit::new(self.context.clone(), index))
    }

    fn last(&self, winner: &Outcome, found: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        self.last_stage(winner, found, How::Everything)
    }

    fn alone(&self, winner: &Outcome, found: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        self.last_stage(winner, found, How::Alone)
    }

    fn alone_share(&self) -> f64 {
        /// About one descent more, where some start is random and the chosen tree is made again.
        const ALONE: f64 = 0.1;
        let Context { plan, valid, .. } = &*self.context;
        if plan.starts > plan.greedy() && valid.is_some() { ALONE } else { 0.0 }
    }

    fn last_share(&self) -> f64 {
        last_share(&self.context)
    }

    fn nothing(&self) -> Tree {
        self.context.root()
    }

    fn epochs_per_frame(&self) -> usize {
        /// A frame walks every sample through its tree several times, which costs as much as several epochs of a small one: so
        /// many samples in all frames.
        const WALKED: usize = 200_000;
        let frames = (WALKED / self.context.blocks.samples().max(1)).clamp(60, 200);
        self.context.plan.epochs().div_ceil(frames).max(1)
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}

/// One start as a unit.
struct StartUnit {
    context: Arc<Context>,
    start: Start,
    index: usize,
    /// The least hard loss so far and the epoch it was seen at.
    least: (f64, u32),
    pace: Pace,
}

impl StartUnit {
    fn new(context: Arc<Context>, index: u32) -> Self {
        let start = context.start(&context.plan, &context.blocks, context.depth(), index as usize);
        let pace = Pace { phase: start.phase(), ..Pace::default() };
        StartUnit { context, start, index: index as usize, least: (f64::INFINITY, 0), pace }
    }
}

impl Unit for StartUnit {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        let goes_on = self.start.advance(self.context.blocks_per_step());
        let pace = &mut self.pace;
        pace.epoch_ended = false;
        if let Some((epoch, losses)) = self.start.epoch_ended() {
            pace.tell_epoch(epoch, losses);
        }
        if let Some(best) = self.start.best().filter(|best| best.loss < self.least.0) {
            self.least = (best.loss, pace.epoch);
        }
        if let Some(run) = self.start.run() {
            pace.scale = Some(run.steepness());
        }
        pace.phase = self.start.phase();
        pace.share = self.start.share();
        pace.stop = (!goes_on).then_some(StopReason::EpochLimit);
        *pace
    }

    fn current(&self) -> Tree {
        let Context { blocks, .. } = &*self.context;
        let tree = self.start.current();
        tree.map_or_else(|| self.context.root(), |tree| self.context.hardened(blocks, &tree, self.context.finish()))
    }

    fn outcome(&self) -> Option<Outcome> {
        let best = self.start.best()?;
        Some(Outcome {
            tree: self.context.hardened(&self.context.blocks, &best.tree, self.context.finish()),
            score: -best.loss,
            loss: Some(best.loss),
            epoch: self.least.1,
            stop: self.pace.stop,
            kept: Kept {
                gradient_epochs: self.start.epochs(),
                chosen: Some(Chosen { by: Measure::Loss, on: Judges::Training }),
                ..Kept::at(self.context.plan.kind(self.index))
            },
            notes: Notes::of(&[Some(best), self.start.ended()].into_iter().flatten().collect::<Vec<&Best>>()),
        })
    }
}
