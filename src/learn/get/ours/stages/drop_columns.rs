//! Splits of the finished tree name as few columns as are enough.

use super::Stage;
use super::shares::StageShares;
use super::state::State;
use crate::learn::get::ours::fewer_columns;
use crate::learn::get::ours::node_refinement::NodeRefinement;
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::{On, Phase, Work};

struct Dropping(NodeRefinement);

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let context = &state.context;
    let refined = context.valid.is_some() || context.config.sweeps();
    if !refined || state.readiness == 0.0 || state.best.tree.depth == 0 {
        return None;
    }
    let how = fewer_columns::sweep(state.readiness, &state.blocks, context.answer);
    let refit = context.plan.descent.refit;
    Some(Box::new(Dropping(NodeRefinement::new(how, refit, state.blocks.clone(), state.best.clone()))))
}

impl Stage for Dropping {
    fn step(&mut self, _state: &State) -> bool {
        self.0.step()
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.best = self.0.best().clone();
    }

    fn phase(&self) -> Phase {
        Phase::from(Work::Columns).on(On::All)
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.before_again() + shares.again
    }

    fn tree(&self) -> Option<&Parameters<f32>> {
        Some(&self.0.best().tree)
    }
}
