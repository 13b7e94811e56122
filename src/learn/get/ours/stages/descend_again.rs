//! The selected tree descends once more, on all samples, at the greatest scale factor.

use std::sync::Arc;

use super::shares::StageShares;
use super::state::State;
use super::{Epoch, Stage};
use crate::learn::get::paper::descent::Descent;
use crate::learn::get::paper::free_weights::free_weights;
use crate::learn::get::paper::hard_leaves::{refit, routes};
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::{Kept, On, Phase, Work};
use crate::numeric::random::Random;

struct DescentAgain {
    descent: Descent,
    epoch: Option<Epoch>,
}

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let (context, blocks) = (&state.context, &state.blocks);
    if state.again || context.valid.is_none() {
        return None;
    }
    // What validation did not want is not trained any further.
    let mut top = state.best.tree.top(state.finish.kept);
    let route = routes(&top, blocks);
    refit(&mut top, blocks, &route, &context.plan.descent.refit);
    let random = Random::stream(context.seed, "last");
    let free = Arc::new(free_weights(&top, blocks.summable(), context.plan.columns > 0));
    let alpha = context.plan.scales.steepest();
    let descent = Descent::new(context.plan.descent, blocks.clone(), top, free, [alpha; 2], random);
    Some(Box::new(DescentAgain { descent, epoch: None }))
}

impl Stage for DescentAgain {
    fn step(&mut self, state: &State) -> bool {
        let before = self.descent.epoch();
        let more = self.descent.advance(state.context.blocks_per_step());
        let epoch = self.descent.epoch();
        self.epoch = (epoch != before).then(|| (epoch, self.descent.losses()));
        more
    }

    fn end(self: Box<Self>, state: &mut State) {
        state.kept = self.kept(state.kept);
        state.best = self.descent.into_best();
        state.again = true;
    }

    fn phase(&self) -> Phase {
        Phase::from(Work::Refit).on(On::All)
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.before_again() + shares.again * self.descent.share()
    }

    fn epoch_ended(&self) -> Option<Epoch> {
        self.epoch
    }

    fn tree(&self) -> Option<&Parameters<f32>> {
        Some(&self.descent.best().tree)
    }

    fn kept(&self, kept: Kept) -> Kept {
        let epochs = kept.gradient_epochs + self.descent.best().epochs;
        Kept { gradient_epochs: epochs, refitted: true, ..kept }
    }
}
