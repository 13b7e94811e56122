//! Where samples are few, the starts are also made and judged on other parts of them.

use super::Stage;
use super::shares::StageShares;
use super::state::{How, State};
use crate::learn::get::ours::selection::TreeSelection;
use crate::learn::get::ours::selection::folds::{Folds, Origin};
use crate::learn::{Phase, Work};

struct Folding {
    folds: Folds,
    selection: TreeSelection,
    origins: Vec<Origin>,
}

/// Whether other parts of the samples are asked too.
pub(super) fn wanted(state: &State) -> bool {
    state.how == How::Everything && Folds::wanted(&state.context)
}

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    if !wanted(state) {
        return None;
    }
    let (mut selection, origins) = (state.selection.take()?, state.origins());
    let folds = Folds::new(state.context.clone(), &mut selection, &origins);
    Some(Box::new(Folding { folds, selection, origins }))
}

impl Stage for Folding {
    fn step(&mut self, state: &State) -> bool {
        self.folds.advance(state.context.blocks_per_step(), &mut self.selection, &self.origins)
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.select(self.selection, Folds::JUDGES);
    }

    fn phase(&self) -> Phase {
        let (done, of) = self.folds.counts();
        Phase::from(Work::Choice).counted(done, of)
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.search * self.folds.share()
    }
}
