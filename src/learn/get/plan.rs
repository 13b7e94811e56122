//! The units of a training: its starts. What they found is refined in the last stage.

use std::sync::Arc;

use super::Config;
use super::ground::Ground;
use super::last::{How, LastStage, last_share};
use super::parameters::Parameters;
use super::run::Best;
use super::start::Start;
use crate::encode::Design;
use crate::learn::{Chosen, Columns, Judges, Kept, Measure, Outcome, Pace, Plan, StopReason, Unit};
use crate::tree::{PostTransform, Tree};

/// The plan of a training of GET or GET-Linear.
pub struct GetPlan {
    ground: Arc<Ground>,
}

impl GetPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, columns: &Columns, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> GetPlan {
        GetPlan { ground: Arc::new(Ground::new(config, &columns.apart, train, &valid, seed)) }
    }

    fn last_stage(&self, winner: &Outcome, found: &[Option<Outcome>], how: How) -> Option<Box<dyn Unit>> {
        let read = |outcome: &Outcome| from_notes(&self.ground, &outcome.notes);
        let best = read(winner)?.swap_remove(0);
        let trees = |found: &Option<Outcome>| found.as_ref().map_or(Some(vec![]), read);
        let found: Option<Vec<Vec<Best>>> = found.iter().map(trees).collect();
        Some(Box::new(LastStage::new(self.ground.clone(), winner.clone(), best, found?, how)?))
    }
}

impl Plan for GetPlan {
    fn units(&self) -> u32 {
        self.ground.plan.starts as u32
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        Box::new(StartUnit::new(self.ground.clone(), index))
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
        let Ground { plan, valid, .. } = &*self.ground;
        if plan.starts > plan.greedy() && valid.is_some() { ALONE } else { 0.0 }
    }

    fn last_share(&self) -> f64 {
        last_share(&self.ground)
    }

    fn nothing(&self) -> Tree {
        self.ground.root()
    }

    fn epochs_per_frame(&self) -> usize {
        /// A frame walks every sample through its tree several times, which costs as much as several epochs of a small one: so
        /// many samples in all frames.
        const WALKED: usize = 200_000;
        let frames = (WALKED / self.ground.blocks.samples().max(1)).clamp(60, 200);
        self.ground.plan.epochs().div_ceil(frames).max(1)
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}

/// One start as a unit.
struct StartUnit {
    ground: Arc<Ground>,
    start: Start,
    index: usize,
    /// The least hard loss so far and the epoch it was seen at.
    least: (f64, u32),
    pace: Pace,
}

impl StartUnit {
    fn new(ground: Arc<Ground>, index: u32) -> Self {
        let start = ground.start(&ground.plan, &ground.blocks, ground.depth(), index as usize);
        let pace = Pace { phase: start.phase(), ..Pace::default() };
        StartUnit { ground, start, index: index as usize, least: (f64::INFINITY, 0), pace }
    }
}

impl Unit for StartUnit {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        let goes_on = self.start.advance(self.ground.blocks_per_step());
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
        let Ground { blocks, .. } = &*self.ground;
        let tree = self.start.current();
        tree.map_or_else(|| self.ground.root(), |tree| self.ground.hardened(blocks, &tree, self.ground.finish()))
    }

    fn outcome(&self) -> Option<Outcome> {
        let best = self.start.best()?;
        Some(Outcome {
            tree: self.ground.hardened(&self.ground.blocks, &best.tree, self.ground.finish()),
            score: -best.loss,
            loss: Some(best.loss),
            epoch: self.least.1,
            stop: self.pace.stop,
            kept: Kept {
                gradient_epochs: self.start.epochs(),
                chosen: Some(Chosen { by: Measure::Loss, on: Judges::Training }),
                ..Kept::at(self.ground.plan.kind(self.index))
            },
            notes: [Some(best), self.start.ended()].into_iter().flatten().flat_map(to_notes).collect(),
        })
    }
}

impl Pace {
    /// An epoch of a descent has ended with this soft and hard loss.
    pub(super) fn tell_epoch(&mut self, epoch: usize, [soft, hard]: [f64; 2]) {
        self.epoch = epoch as u32;
        self.epoch_ended = true;
        self.train_loss = soft.is_finite().then_some(soft);
        self.hard_loss = hard.is_finite().then_some(hard);
    }
}

/// The loss of a tree, the epochs that led to it and its numbers, every bit of them.
fn to_notes(best: &Best) -> impl Iterator<Item = f64> {
    let numbers = best.tree.planes.iter().chain(&best.tree.leaves).copied().map(f64::from);
    [best.loss, f64::from(best.epochs)].into_iter().chain(numbers)
}

/// Reads back the trees of a start, the best one first; none if they are something else.
fn from_notes(ground: &Ground, notes: &[f64]) -> Option<Vec<Best>> {
    let empty = Parameters::zeros(ground.depth(), ground.blocks.width(), ground.answer);
    let length = 2 + empty.planes.len() + empty.leaves.len();
    let read = |notes: &[f64]| {
        let mut tree = empty.clone();
        let places = tree.planes.iter_mut().chain(&mut tree.leaves);
        places.zip(&notes[2..]).for_each(|(place, &number)| *place = number as f32);
        Best { loss: notes[0], epochs: notes[1] as u32, tree }
    };
    let whole = !notes.is_empty() && notes.len().is_multiple_of(length);
    whole.then(|| notes.chunks_exact(length).map(read).collect())
}
