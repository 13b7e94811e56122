//! Subtrees are searched for anew: Algorithm 2 with the starts of this recipe.

use super::Stage;
use super::shares::StageShares;
use super::state::State;
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::get::paper::polish::Polish;
use crate::learn::{Kept, Phase, Work};

struct Polishing(Polish);

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let levels = state.polish_levels();
    if levels == 0 {
        return None;
    }
    let mut plan = (*state.context.plan).clone();
    plan.starts = state.context.config.polish_starts as usize;
    // One greedy oblique tree is enough beside the subtree as it is.
    plan.further.truncate(1);
    let polish = Polish::new(plan, state.blocks.clone(), state.best.clone(), levels, state.context.seed);
    Some(Box::new(Polishing(polish)))
}

impl Stage for Polishing {
    fn step(&mut self, state: &State) -> bool {
        self.0.advance(state.context.blocks_per_step())
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.kept = self.kept(state.kept);
        state.best = self.0.best().clone();
    }

    fn phase(&self) -> Phase {
        Work::Polish { node: self.0.node() as u32 }.into()
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.search * self.0.share()
    }

    fn tree(&self) -> Option<&Parameters<f32>> {
        Some(&self.0.best().tree)
    }

    fn kept(&self, kept: Kept) -> Kept {
        Kept { polished: self.0.replaced(), gradient_epochs: self.0.best().epochs, ..kept }
    }
}
