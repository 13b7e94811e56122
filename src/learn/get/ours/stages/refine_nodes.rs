//! Where validation is not asked, the planes of the best tree are improved one by one on the training
//! samples.

use super::Stage;
use super::shares::StageShares;
use super::state::State;
use crate::learn::get::ours::node_refinement::{NodeRefinement, RefinementSettings};
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::{Phase, Work};

/// Until it changes little.
const SWEEPS: RefinementSettings =
    RefinementSettings { most: 10, ridge: 0.1, least: 10, sparse: false, allowance: None };

struct Refining(NodeRefinement);

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    if !state.context.config.sweeps() {
        return None;
    }
    let how = RefinementSettings { sparse: state.context.plan.columns > 0, ..SWEEPS };
    let refit = state.context.plan.descent.refit;
    Some(Box::new(Refining(NodeRefinement::new(how, refit, state.blocks.clone(), state.best.clone()))))
}

impl Stage for Refining {
    fn step(&mut self, _state: &State) -> bool {
        self.0.step()
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.best = self.0.best().clone();
    }

    fn phase(&self) -> Phase {
        Work::Nodes.into()
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.before_again() + shares.again * self.0.share()
    }

    fn tree(&self) -> Option<&Parameters<f32>> {
        Some(&self.0.best().tree)
    }
}
