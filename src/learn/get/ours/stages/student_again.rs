//! The chosen student learns once more, from all samples and the teachers made on them.

use super::shares::StageShares;
use super::starts_that_teach::StartsThatTeach;
use super::state::State;
use super::{Epoch, Stage};
use crate::learn::get::ours::distillation::Distillation;
use crate::learn::{Kept, On, Phase};

struct StudentAgain(Box<Distillation>);

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let StartsThatTeach { distillation, beginning, trees, .. } = *state.taught.take()?;
    Some(Box::new(StudentAgain(Box::new(distillation.again(state.blocks.clone(), trees, beginning)))))
}

impl Stage for StudentAgain {
    fn step(&mut self, state: &State) -> bool {
        self.0.advance(state.context.blocks_per_step())
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.best = self.0.students().first().expect("a distillation that has ended has a student").clone();
        state.blocks = self.0.samples().expect("a student has samples").clone();
        state.kept = Kept { refitted: true, ..self.0.taught(0, state.kept) };
        state.again = true;
    }

    fn phase(&self) -> Phase {
        self.0.phase().on(On::All)
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.before_again() + shares.again * self.0.share()
    }

    fn epoch_ended(&self) -> Option<Epoch> {
        self.0.epoch_ended()
    }
}
