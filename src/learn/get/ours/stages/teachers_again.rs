//! The starts that teach are made once more on all samples, one after another.

use super::Stage;
use super::shares::StageShares;
use super::starts_that_teach::StartsThatTeach;
use super::state::State;
use crate::learn::{On, Phase, Work};

struct Teaching(Box<StartsThatTeach>);

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

    fn done(&self, shares: &StageShares) -> f64 {
        let (ended, all) = self.0.counts();
        let running = self.0.start.as_ref().map_or(0.0, |(_, start)| start.share());
        let share = (ended as f64 + running) / (all as f64).max(1.0);
        shares.search + shares.distillation + shares.teachers * share
    }
}
