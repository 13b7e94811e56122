//! The training loop. It checks the clock and Ctrl-C, which the core never does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::Scope;
use std::time::Duration;

use espalier::error::Error;
use espalier::learn::{self, Found, Plan};
use espalier::run::{Extra, Fitted, Run, STOPPED};

use super::deadline::{BUDGET, Deadline};
use super::progress::{Label, Progress};
use super::reserve::Reserve;
use super::time_left::TimeLeft;

/// The share of the budget that the greedy baseline may use; the requested learner gets the rest.
const BASELINE: f64 = 0.5;

/// A run as the loop drives it. Tests wrap one to move their own clock.
pub trait Driven {
    /// The run itself.
    fn run(&mut self) -> &mut Run;

    /// See [`Run::begin_baseline`].
    fn begin_baseline(&mut self) -> Result<(), Error> {
        self.run().begin_baseline()
    }

    /// See [`Run::step_baseline`].
    fn step_baseline(&mut self) -> Option<learn::Progress> {
        self.run().step_baseline()
    }

    /// See [`Run::end_baseline`].
    fn end_baseline(&mut self, stop_reason: &'static str) {
        self.run().end_baseline(stop_reason);
    }

    /// See [`Run::step`].
    fn step(&mut self) -> learn::Progress {
        self.run().step()
    }

    /// See [`Run::rehearse`].
    fn rehearse(&mut self) {
        // By name, because on a `&mut Run` the method of this trait would come first.
        Run::rehearse(self.run());
    }

    /// See [`Run::finish_with`].
    fn finish(&mut self, stop_reason: &'static str, wanted: &mut dyn FnMut(Extra, usize) -> bool) -> Fitted {
        self.run().finish_with(stop_reason, wanted)
    }
}

impl Driven for Run {
    fn run(&mut self) -> &mut Run {
        self
    }
}

/// The time reserved for the result, estimated from the time to encode the rows.
pub fn reserve(run: &Run, deadline: Deadline, encode: Duration) -> Reserve {
    Reserve::by_encoding(deadline, run.rows(), run.config().refits(), encode)
}

/// Grows and scores the greedy baseline; does nothing if the learner itself is the greedy one. A budget may
/// cut it off, or leave no time for it. The scoring time is recorded for the learner's own tree.
pub fn baseline(
    work: &mut impl Driven,
    deadline: Deadline,
    encode: Duration,
    progress: &mut Progress,
) -> Result<Reserve, Error> {
    let reserve = reserve(work.run(), deadline, encode);
    // The baseline encodes the rows once more, and two trees are scored.
    if deadline.left().is_some_and(|left| left < 2 * encode) && work.run().has_baseline() {
        let line =
            "No greedy tree was grown for comparison: encoding the rows once more would use up the budget.";
        progress.note(line);
        return Ok(reserve);
    }
    work.begin_baseline()?;
    // By now the rows have been encoded twice, and scoring the tree takes less time than encoding once.
    let half = deadline.share(BASELINE).with_reserve(deadline.elapsed() / 2);
    let label = Label { model: "cart", seed: work.run().settings().seed };
    let (start, mut left) = (deadline.now(), TimeLeft::default());
    let stop_reason = loop {
        if let Some(reason) = half.over() {
            break reason;
        }
        let Some(now) = work.step_baseline().filter(|now| now.stop.is_none()) else { break STOPPED };
        if progress.is_due() {
            let elapsed = deadline.now().saturating_sub(start);
            progress.set_left(left.say(now.share, elapsed, half.left()));
            progress.step(label, &now, elapsed);
        }
    };
    let scoring = deadline.now();
    work.end_baseline(stop_reason);
    let scoring = deadline.now().saturating_sub(scoring);
    let Some(baseline) = work.run().baseline() else { return Ok(reserve) };
    if baseline.stop_reason == BUDGET {
        let half = "half of the budget was used up before it was fully grown";
        progress.note(&format!("The greedy tree for comparison was cut off: {half}. Use a larger --budget."));
    }
    Ok(reserve.by_scoring(scoring))
}

/// Trains until the learner ends by itself, the time is up or the user asks to stop; the best tree so far is
/// the result.
///
/// Returns the scored model and the time spent in training steps.
pub fn train(
    work: &mut impl Driven,
    reserve: &mut Reserve,
    threads: u32,
    progress: &mut Progress,
) -> (Fitted, Duration) {
    let model = work.run().settings().learner.key();
    let label = Label { model, seed: work.run().settings().seed };
    let clock = reserve.deadline();
    let (start, mut left) = (clock.now(), TimeLeft::default());
    let workers = work.run().training().plan().map_or(0, |plan| threads.min(plan.units()) - 1);
    let stop_reason = std::thread::scope(|scope| {
        let mut workers = Workers::spawn(scope, work.run(), workers);
        loop {
            let deadline = reserve.deadline();
            if let Some(reason) = deadline.over() {
                workers.stop_all(work.run());
                break reason;
            }
            workers.collect(work.run());
            let now = work.step();
            if now.stop.is_some() {
                break STOPPED;
            }
            reserve.rehearse(&now, || work.rehearse());
            if progress.is_due() {
                let elapsed = clock.now().saturating_sub(start);
                progress.set_left(left.say(now.share, elapsed, deadline.left()));
                progress.step(label, &now, elapsed);
            }
        }
    });
    let spent = clock.now().saturating_sub(start);
    let fitted = work.finish(stop_reason, &mut |extra, rows| reserve.has_time_for(extra, rows));
    reserve.note_end(&fitted);
    progress.done(label, &fitted.progress, spent, fitted.stop_reason);
    (fitted, spent)
}

/// How often a waiting thread checks the clock.
const PATIENCE: Duration = Duration::from_millis(20);

/// Threads that run units of a training alongside the main one. The rule that merges their results does not
/// depend on time, so the tree is the same as with a single thread.
struct Workers {
    /// Receives each worker's finished unit, or its request for a first one.
    replies: mpsc::Receiver<Reply>,
    /// Sends each worker its next unit; `None` once there are no more for it.
    queues: Vec<Option<mpsc::Sender<u32>>>,
    stop: Arc<AtomicBool>,
}

/// A worker's position, and the unit that it has finished.
type Reply = (usize, Option<(u32, Found)>);

impl Workers {
    fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, run: &Run, count: u32) -> Workers {
        let (sender, replies) = mpsc::channel();
        let mut workers = Workers { replies, queues: vec![], stop: Arc::default() };
        let Some(plan) = run.training().plan() else { return workers };
        for worker in 0..count as usize {
            let (queue, units) = mpsc::channel();
            let (plan, sender, stop) = (plan.clone(), sender.clone(), workers.stop.clone());
            workers.queues.push(Some(queue));
            scope.spawn(move || {
                let mut finished = None;
                // Sending fails only after the training has ended.
                while sender.send((worker, finished.take())).is_ok() {
                    let Ok(index) = units.recv() else { break };
                    finished = Some((index, run_unit(&*plan, index, &stop)));
                }
            });
        }
        workers
    }

    /// Merges finished units and hands out the next ones. Waits a moment if there is nothing else to do.
    fn collect(&mut self, run: &mut Run) {
        if run.progress().waiting
            && let Ok(finished) = self.replies.recv_timeout(PATIENCE)
        {
            self.serve(run, finished);
        }
        while let Ok(finished) = self.replies.try_recv() {
            self.serve(run, finished);
        }
    }

    fn serve(&mut self, run: &mut Run, (worker, finished): Reply) {
        if let Some((index, found)) = finished {
            run.training_mut().take(index, Some(found));
        }
        let sent = run.training_mut().lend().and_then(|index| self.queues[worker].as_ref()?.send(index).ok());
        if sent.is_none() {
            self.queues[worker] = None;
        }
    }

    /// Stops the running units and merges what they have found so far.
    fn stop_all(&mut self, run: &mut Run) {
        self.stop.store(true, Ordering::SeqCst);
        self.queues.clear();
        while let Ok((_, finished)) = self.replies.recv() {
            if let Some((index, found)) = finished {
                run.training_mut().take(index, Some(found));
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

#[cfg(test)]
mod overshoot;
