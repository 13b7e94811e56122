//! Trees and strengths of shrinkage are tried on the validation samples.

use super::shares::StageShares;
use super::state::{How, State};
use super::{Stage, select_by_folds};
use crate::learn::get::ours::selection::TreeSelection;
use crate::learn::{Judges, Phase, Work};

struct Selecting {
    selection: TreeSelection,
    /// Whether other parts of the samples are asked after this.
    folds: bool,
}

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    state.context.valid.as_ref()?;
    let found = std::mem::take(&mut state.found).into_iter().map(|best| best.tree);
    // Without polish the best tree is one of those found, which then stands for its start.
    let polished = state.how == How::Everything && state.context.config.polish_levels() > 0;
    let trees = [state.best.tree.clone()].into_iter().chain(found).collect();
    let selection = TreeSelection::new(trees, usize::from(!polished));
    Some(Box::new(Selecting { selection, folds: select_by_folds::wanted(state) }))
}

impl Stage for Selecting {
    fn step(&mut self, state: &State) -> bool {
        state.context.valid.as_ref().is_some_and(|valid| self.selection.step(&state.blocks, valid))
    }

    fn end(self: Box<Self>, state: &mut State) {
        if self.folds {
            state.selection = Some(self.selection);
        } else {
            state.select(self.selection, Judges::Validation);
        }
    }

    fn phase(&self) -> Phase {
        Work::Choice.into()
    }

    fn done(&self, shares: &StageShares) -> f64 {
        if self.folds { 0.0 } else { shares.search }
    }
}
