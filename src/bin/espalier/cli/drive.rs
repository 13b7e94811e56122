//! The loop around a training: it looks at the clock and at Ctrl-C, which the core never does.

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

/// The part of the budget that the greedy baseline may use: the learner that was asked for gets the rest.
const BASELINE: f64 = 0.5;

/// A run as the loop drives it. Tests wrap one to move a clock of their own.
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
        // By name: on a `&mut Run` the method of this trait would come first.
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

/// What is kept back for the result, after the rows were encoded in so much time.
pub fn reserve(run: &Run, deadline: Deadline, encode: Duration) -> Reserve {
    Reserve::by_encoding(deadline, run.rows(), run.config().refits(), encode)
}

/// Grows and scores the greedy baseline; does nothing if the learner itself is the greedy one. A budget may cut it off, or
/// leave no time for it. What scoring it took is noted for the learner's own tree.
pub fn baseline(
    work: &mut impl Driven,
    deadline: Deadline,
    encode: Duration,
    progress: &mut Progress,
) -> Result<Reserve, Error> {
    let reserve = reserve(work.run(), deadline, encode);
    // The rows are encoded once more for it, and two trees are scored.
    if deadline.left().is_some_and(|left| left < 2 * encode) && work.run().has_baseline() {
        let line = "There is no greedy tree beside this one: to encode the rows once more would use up the budget.";
        progress.note(line);
        return Ok(reserve);
    }
    work.begin_baseline()?;
    // By now the rows have been encoded twice, and to score the tree takes less than one of these.
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
        progress.note(&format!("The greedy tree beside this one is cut off: {half}. Use a larger --budget."));
    }
    Ok(reserve.by_scoring(scoring))
}

/// Trains until the learner ends by itself, the time is up or the user asks to stop; the best tree so far is the result.
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
    let helpers = work.run().training().plan().map_or(0, |plan| threads.min(plan.units()) - 1);
    let stop_reason = std::thread::scope(|scope| {
        let mut helpers = Helpers::spawn(scope, work.run(), helpers);
        loop {
            let deadline = reserve.deadline();
            if let Some(reason) = deadline.over() {
                helpers.dismiss(work.run());
                break reason;
            }
            helpers.hear(work.run());
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
        let Some(plan) = run.training().plan() else { return helpers };
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
            run.training_mut().take(index, Some(found));
        }
        let sent = run.training_mut().lend().and_then(|index| self.desks[helper].as_ref()?.send(index).ok());
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
