//! The loop around a training: it looks at the clock and at Ctrl-C, which the core never does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::Scope;
use std::time::{Duration, Instant};

use espalier::learn::{Found, Plan};
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
    let model = run.settings().learner.key();
    let label = Label { model, seed: run.settings().seed };
    let start = Instant::now();
    let time_is_up = || budget.is_some_and(|budget| begun.elapsed() >= budget);
    let helpers = run.plan().map_or(0, |plan| threads.min(plan.units()) - 1);
    let stop_reason = std::thread::scope(|scope| {
        let mut helpers = Helpers::spawn(scope, run, helpers);
        loop {
            if interrupt::asked() {
                helpers.dismiss(run);
                break STOPPED;
            }
            if time_is_up() {
                helpers.dismiss(run);
                break BUDGET;
            }
            helpers.hear(run);
            let now = run.step();
            if now.stop.is_some() {
                break STOPPED;
            }
            progress.step(label, &now, start.elapsed());
        }
    });
    let spent = start.elapsed();
    let fitted = run.finish(stop_reason);
    progress.done(label, &fitted.progress, spent, fitted.stop_reason);
    (fitted, spent)
}

/// How often a thread that waits looks at the clock.
const PATIENCE: Duration = Duration::from_millis(20);

/// Threads that run units of a training beside the one that drives it. What they find is merged by a rule that knows no time, so
/// the tree is the one that a single thread would have found.
struct Helpers {
    /// What a helper brings, or that it has nothing to do yet.
    heard: mpsc::Receiver<Brought>,
    /// Where each helper finds its next unit; gone once there is none for it.
    desks: Vec<Option<mpsc::Sender<u32>>>,
    stop: Arc<AtomicBool>,
}

/// Who comes, and with which unit.
type Brought = (usize, Option<(u32, Found)>);

impl Helpers {
    fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, run: &Run, count: u32) -> Helpers {
        let (sender, heard) = mpsc::channel();
        let mut helpers = Helpers { heard, desks: vec![], stop: Arc::default() };
        let Some(plan) = run.plan() else { return helpers };
        for helper in 0..count as usize {
            let (desk, units) = mpsc::channel();
            let (plan, sender, stop) = (plan.clone(), sender.clone(), helpers.stop.clone());
            helpers.desks.push(Some(desk));
            scope.spawn(move || {
                let mut brought = None;
                // Nobody listens any more only once the training has ended.
                while sender.send((helper, brought.take())).is_ok() {
                    let Ok(index) = units.recv() else { break };
                    brought = Some((index, run_unit(&*plan, index, &stop)));
                }
            });
        }
        helpers
    }

    /// Takes what was brought and hands out the next units. Waits a moment where there is nothing else to do.
    fn hear(&mut self, run: &mut Run) {
        if run.progress().waiting
            && let Ok(brought) = self.heard.recv_timeout(PATIENCE)
        {
            self.serve(run, brought);
        }
        while let Ok(brought) = self.heard.try_recv() {
            self.serve(run, brought);
        }
    }

    fn serve(&mut self, run: &mut Run, (helper, brought): Brought) {
        if let Some((index, found)) = brought {
            run.take(index, Some(found));
        }
        let sent = run.lend().and_then(|index| self.desks[helper].as_ref()?.send(index).ok());
        if sent.is_none() {
            self.desks[helper] = None;
        }
    }

    /// Ends the units at work and takes what they have so far.
    fn dismiss(&mut self, run: &mut Run) {
        self.stop.store(true, Ordering::SeqCst);
        self.desks.clear();
        while let Ok((_, brought)) = self.heard.recv() {
            if let Some((index, found)) = brought {
                run.take(index, Some(found));
            }
        }
    }
}

fn run_unit(plan: &dyn Plan, index: u32, stop: &AtomicBool) -> Found {
    let mut unit = plan.unit(index);
    let mut steps = 1;
    while unit.step().stop.is_none() && !stop.load(Ordering::SeqCst) {
        steps += 1;
    }
    Found { steps, outcome: unit.outcome() }
}
