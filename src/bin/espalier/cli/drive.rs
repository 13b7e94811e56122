//! The loop around a training: it looks at the clock and at Ctrl-C, which the core never does.

use std::time::{Duration, Instant};

use espalier::run::{Fitted, Run, STOPPED};

use super::interrupt;
use super::progress::{Label, Progress};

/// The reason given when the time was up.
pub const BUDGET: &str = "budget";

/// Trains until the learner ends by itself, the time is up or the user asks to stop; the best tree so far is the result.
///
/// `begun` is when the work for this model began, so that the budget covers its encoding too. Returns the scored model and
/// the time spent in training steps.
pub fn train(run: &mut Run, begun: Instant, budget: Option<Duration>, progress: &mut Progress) -> (Fitted, Duration) {
    let model = run.settings().config.key();
    let label = Label { model, seed: run.settings().seed };
    let start = Instant::now();
    let stop_reason = loop {
        if interrupt::asked() {
            break STOPPED;
        }
        if budget.is_some_and(|budget| begun.elapsed() >= budget) {
            break BUDGET;
        }
        let now = run.step();
        if now.stop.is_some() {
            break STOPPED;
        }
        progress.step(label, &now, start.elapsed());
    };
    let spent = start.elapsed();
    let fitted = run.finish(stop_reason);
    progress.done(label, &fitted.progress, spent, fitted.stop_reason);
    (fitted, spent)
}
