//! The validation samples join the training samples. It is done at once.

use std::sync::Arc;

use super::Stage;
use super::state::State;

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    state.context.valid.as_ref()?;
    state.blocks = Arc::new(state.context.all_samples());
    if state.finish.kept == 0 {
        // Validation prefers no split at all, and a leaf alone is fitted when it is hardened.
        state.best.tree = state.best.tree.top(0);
        state.kept.refitted = true;
        state.again = true;
    }
    None
}
