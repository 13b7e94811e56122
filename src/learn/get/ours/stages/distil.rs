//! Students learn from all trees found and a forest. Until one of them is judged better, the selected tree
//! counts.

use super::shares::StageShares;
use super::state::{How, State};
use super::{Epoch, Stage};
use crate::learn::Phase;
use crate::learn::get::ours::distillation::{Beginning, Distillation};

struct Distilling(Box<Distillation>);

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    if state.how == How::Alone || !state.context.teaches() {
        return None;
    }
    let selection = state.selection.as_ref()?;
    // The first tree is one of the others, or polished, which takes too long to be done again.
    let found = selection.trees().iter().enumerate().skip(1);
    let teachers = found.map(|(at, tree)| {
        let finish = selection.finish(at).unwrap_or(state.finish);
        state.context.teacher(&state.blocks, tree, finish)
    });
    let beginnings = vec![Beginning::At(state.best.tree.clone()), Beginning::Start(0)];
    let distillation = Distillation::first(state.context.clone(), teachers.collect(), beginnings);
    Some(Box::new(Distilling(Box::new(distillation))))
}

impl Stage for Distilling {
    fn step(&mut self, state: &State) -> bool {
        self.0.advance(state.context.blocks_per_step())
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.distillation = Some(self.0);
    }

    fn phase(&self) -> Phase {
        self.0.phase()
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.search + shares.distillation * self.0.share()
    }

    fn epoch_ended(&self) -> Option<Epoch> {
        self.0.epoch_ended()
    }
}
