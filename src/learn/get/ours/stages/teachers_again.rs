//! The starts that teach are made once more on all samples, one after another.

use super::Stage;
use super::shares::Shares;
use super::state::State;
use crate::learn::get::ours::distillation::{Beginning, Distillation};
use crate::learn::get::ours::selection::Finish;
use crate::learn::get::paper::start::Start;
use crate::learn::{On, Phase, Work};
use crate::tree::Tree;

/// What the chosen student was taught by.
pub(super) struct Taught {
    pub distillation: Box<Distillation>,
    /// Where the student begins.
    pub beginning: Beginning,
    /// The tree of each start that teaches, made on all samples.
    pub trees: Vec<Option<Tree>>,
    /// How each start's tree is finished.
    finishes: Vec<Finish>,
    /// Starts whose turn has not come, the next one last.
    waiting: Vec<usize>,
    start: Option<(usize, Start)>,
}

impl Taught {
    /// Of a student that begins somewhere, with the way in which each start's tree is finished.
    pub(super) fn new(distillation: Box<Distillation>, beginning: Beginning, finishes: Vec<Finish>) -> Self {
        let mut waiting = distillation.teaching();
        waiting.reverse();
        Taught { trees: vec![None; finishes.len()], start: None, waiting, finishes, beginning, distillation }
    }

    /// Starts that have ended, and all that teach.
    fn counts(&self) -> (usize, usize) {
        let ended = self.trees.iter().flatten().count();
        (ended, ended + self.waiting.len() + usize::from(self.start.is_some()))
    }
}

struct Teaching(Box<Taught>);

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let taught = state.taught.take()?;
    Some(Box::new(Teaching(taught)))
}

impl Stage for Teaching {
    fn step(&mut self, state: &State) -> bool {
        let (taught, context) = (&mut *self.0, &state.context);
        if let Some((at, start)) = &mut taught.start {
            if start.advance(context.blocks_per_step()) {
                return true;
            }
            let finish = taught.finishes[*at];
            taught.trees[*at] = start.best().map(|best| context.teacher(&state.blocks, &best.tree, finish));
        }
        let start = |at| (at, context.start(&context.plan, &state.blocks, context.depth(), at));
        taught.start = taught.waiting.pop().map(start);
        taught.start.is_some()
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.taught = Some(self.0);
    }

    fn phase(&self) -> Phase {
        let (ended, all) = self.0.counts();
        Phase::from(Work::Teachers).counted(ended, all).on(On::All)
    }

    fn done(&self, shares: &Shares) -> f64 {
        let (ended, all) = self.0.counts();
        let running = self.0.start.as_ref().map_or(0.0, |(_, start)| start.share());
        let share = (ended as f64 + running) / (all as f64).max(1.0);
        shares.search + shares.distillation + shares.teachers * share
    }
}
