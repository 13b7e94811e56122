//! Where a greedy start was selected, it is grown again from all samples. With linear leaves that was worse
//! than one more descent of the selected tree.

use super::shares::StageShares;
use super::state::State;
use super::{Epoch, Stage};
use crate::learn::get::ours::selection::folds::Origin;
use crate::learn::get::paper::parameters::Answer;
use crate::learn::get::paper::start::StartRun;
use crate::learn::{Kept, On, Phase};

struct StartAgain {
    start: StartRun,
    origin: Origin,
}

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let context = &state.context;
    if state.again || context.valid.is_none() || context.answer == Answer::Linear {
        return None;
    }
    let origin = state.origin().filter(|origin| origin.start < context.plan.greedy())?;
    let start = context.start(&context.plan, &state.blocks, state.finish.kept, origin.start);
    Some(Box::new(StartAgain { start, origin }))
}

impl Stage for StartAgain {
    fn step(&mut self, state: &State) -> bool {
        self.start.advance(state.context.blocks_per_step())
    }

    fn end(self: Box<Self>, state: &mut State) {
        let ended = self.start.ended().filter(|_| self.origin.ended);
        state.best = ended.or(self.start.best()).expect("a start that has ended has a tree").clone();
        state.kept = Kept { gradient_epochs: state.best.epochs, refitted: true, ..state.kept };
        state.again = true;
    }

    fn phase(&self) -> Phase {
        self.start.phase().on(On::All)
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.before_again() + shares.again * self.start.share()
    }

    fn epoch_ended(&self) -> Option<Epoch> {
        self.start.epoch_ended()
    }
}
