//! Validation says how readily splits of the chosen tree may do without columns.

use super::Stage;
use super::shares::StageShares;
use super::state::State;
use crate::learn::get::ours::fewer_columns::readiness::ReadinessTrial;
use crate::learn::{Phase, Work};

struct Trying(ReadinessTrial);

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let (most, finish) = (state.context.config.spare, state.finish);
    let valid = state.context.valid.as_ref().filter(|_| most > 0.0 && finish.kept > 0)?;
    let fitted = state.taught_on.as_ref().unwrap_or(&state.blocks).clone();
    let refit = state.context.plan.descent.refit;
    Some(Box::new(Trying(ReadinessTrial::new(most, &state.best.tree, finish, refit, fitted, valid))))
}

impl Stage for Trying {
    fn step(&mut self, state: &State) -> bool {
        state.context.valid.as_ref().is_some_and(|valid| self.0.step(valid))
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.readiness = self.0.readiness();
    }

    fn phase(&self) -> Phase {
        Work::Columns.into()
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.search + shares.distillation
    }
}
