//! The loop around a training: it looks at the clock and at Ctrl-C, which the core never does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::Scope;
use std::time::{Duration, Instant};

use espalier::error::Error;
use espalier::learn::{Found, Plan};
use espalier::run::{Fitted, Run, STOPPED};

use super::deadline::{BUDGET, Deadline};
use super::progress::{Label, Progress};
use super::time_left::TimeLeft;

/// The part of the budget that the greedy baseline may use: the learner that was asked for gets the rest.
const BASELINE: f64 = 0.5;

/// Grows and scores the greedy baseline; does nothing if the learner itself is the greedy one. A budget may cut it off.
/// Returns how long scoring it took.
pub fn baseline(run: &mut Run, deadline: Deadline, progress: &mut Progress) -> Result<Duration, Error> {
    run.begin_baseline()?;
    // By now the rows have been encoded twice, and to score the tree takes less than one of these.
    let deadline = deadline.share(BASELINE).with_reserve(deadline.elapsed() / 2);
    let label = Label { model: "cart", seed: run.settings().seed };
    let (start, mut left) = (Instant::now(), TimeLeft::default());
    let stop_reason = loop {
        if let Some(reason) = deadline.over() {
            break reason;
        }
        let Some(now) = run.step_baseline().filter(|now| now.stop.is_none()) else { break STOPPED };
        if progress.is_due() {
            progress.set_left(left.say(now.share, start.elapsed(), deadline.left()));
            progress.step(label, &now, start.elapsed());
        }
    };
    let scoring = Instant::now();
    run.end_baseline(stop_reason);
    if run.baseline().is_some_and(|baseline| baseline.stop_reason == BUDGET) {
        let half = "half of the budget was used up before it was fully grown";
        progress.note(&format!("The greedy tree beside this one is cut off: {half}. Use a larger --budget."));
    }
    Ok(scoring.elapsed())
}

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
    // To score a greedy tree takes nearly as long as to encode the rows did.
    let reserve = begun.elapsed().mul_f64(0.8 * scoring(run));
    train_until(run, Deadline::new(begun, budget).with_reserve(reserve), threads, progress)
}

/// About how much longer the learner's tree takes to be read back and scored than the greedy one: a tree before its
/// last stage is scored too, an oblique one is fitted to its samples once more, a relaxed one answers for all rows, and
/// a tree of descent alone is scored beside it.
pub fn scoring(run: &Run) -> f64 {
    match run.settings().learner.key() {
        "cart" => 1.0,
        "relaxed" => 7.0,
        "get" | "get-linear" => 6.0,
        _ => 2.8,
    }
}

/// The same with a deadline that keeps back time for scoring.
pub fn train_until(run: &mut Run, deadline: Deadline, threads: u32, progress: &mut Progress) -> (Fitted, Duration) {
    let model = run.settings().learner.key();
    let label = Label { model, seed: run.settings().seed };
    let (start, mut left) = (Instant::now(), TimeLeft::default());
    let helpers = run.plan().map_or(0, |plan| threads.min(plan.units()) - 1);
    let stop_reason = std::thread::scope(|scope| {
        let mut helpers = Helpers::spawn(scope, run, helpers);
        loop {
            if let Some(reason) = deadline.over() {
                helpers.dismiss(run);
                break reason;
            }
            helpers.hear(run);
            let now = run.step();
            if now.stop.is_some() {
                break STOPPED;
            }
            if progress.is_due() {
                progress.set_left(left.say(now.share, start.elapsed(), deadline.left()));
                progress.step(label, &now, start.elapsed());
            }
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
