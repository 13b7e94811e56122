//! The loop around a training: it looks at the clock and at Ctrl-C, which the core never does.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
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
pub fn train(
    run: &mut Run,
    begun: Instant,
    budget: Option<Duration>,
    threads: u32,
    progress: &mut Progress,
) -> (Fitted, Duration) {
    let model = run.settings().config.key();
    let label = Label { model, seed: run.settings().seed };
    let start = Instant::now();
    if threads > 1 {
        side_by_side(run, threads, &|| interrupt::asked() || budget.is_some_and(|budget| begun.elapsed() >= budget));
    }
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

/// How often a thread that waits looks at the clock.
const PATIENCE: Duration = Duration::from_millis(20);

/// Runs the units of a training on several threads. What they find is merged by a rule that knows no time, so the tree is the
/// one that a single thread would have found.
fn side_by_side(run: &mut Run, threads: u32, ended: &dyn Fn() -> bool) {
    let Some(plan) = run.plan() else { return };
    let (next, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(plan.units()) {
            let (plan, next, stop, sender) = (plan.clone(), &next, &stop, sender.clone());
            scope.spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    if index >= plan.units() {
                        break;
                    }
                    let mut unit = plan.unit(index);
                    while unit.step().stop.is_none() && !stop.load(Ordering::SeqCst) {}
                    // Nobody listens any more only if the program is about to end.
                    let _ = sender.send((index, unit.outcome()));
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok((index, Some(outcome))) => run.take(index, outcome),
                Ok((_, None)) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if ended() {
                        stop.store(true, Ordering::SeqCst);
                    }
                }
            }
        }
    });
}
