//! A training that goes on or has ended: steps, progress, and its trees.

use super::{Activity, GROUPS, Reply, Session, convert, explore, failed, no_run, view};
use crate::error::{Code, Error, Result};
use crate::export;
use crate::learn::{Brought, Progress};
use crate::protocol::{Event, Request, TreeResult, YardstickInfo};
use crate::run::{self, Aim, Frames, Rows, Rule, Run, STOPPED};
use crate::tree::Model;

/// Rows behind the histograms of a tree that moves: enough for sixteen bars, few enough for a dozen frames a
/// second.
pub(super) const MOVING_ROWS: usize = 1000;

/// Rows behind the histograms of a tree at rest.
const RESTING_ROWS: usize = 10_000;

/// A training that goes on or has ended.
pub(super) struct Training {
    pub id: u32,
    pub run: Run,
    pub frames: Frames,
    /// The rows whose histograms are drawn while the tree moves; none for groups, whose nodes have no
    /// outcomes.
    watched: Option<Rows>,
    /// The finished model.
    pub finished: Option<Model>,
}

impl Training {
    /// A training that begins.
    pub(super) fn new(id: u32, run: Run) -> Training {
        let groups = GROUPS && matches!(run.settings().aim, Aim::Groups { .. });
        let watched = (!groups).then(|| run.sample_of(&run.current(), MOVING_ROWS));
        Training { id, run, frames: Frames::default(), watched, finished: None }
    }

    /// Whether a request names this one.
    pub(super) fn is(&self, id: u32) -> bool {
        self.id == id
    }

    /// Whether rows are grouped without a target.
    pub(super) fn groups(&self) -> bool {
        GROUPS && self.watched.is_none()
    }

    /// Answers a request about a training of a target: its units, its trees, and a closer look at them.
    pub(super) fn answer(&mut self, request: Request, bytes: &[u8]) -> Result<Reply> {
        match request {
            Request::Show { alone, answers, .. } => self.show(alone, &answers),
            Request::Lend { run } => Ok(Event::Lent { run, index: self.run.training_mut().lend() }.into()),
            Request::Take { index, .. } => Ok(self.take(index, bytes)),
            Request::Frames { .. } => Ok(explore::frames(self)),
            Request::Frame { frame, .. } => explore::frame(self, frame),
            Request::Rows { .. } => explore::rows(self),
            Request::Row { row, .. } => explore::row(self, row),
            Request::Map { frame, x, y, .. } => explore::map(self, frame, &x, &y),
            _ => Err(no_run()),
        }
    }

    /// The greedy tree, what its nodes look like, and how many units others may borrow. Groups have neither.
    pub(super) fn beginning(&self) -> Result<(Option<TreeResult>, Option<Vec<f32>>, u32)> {
        let run = &self.run;
        if self.groups() {
            return Ok((None, None, 0));
        }
        let fitted = run.baseline().cloned().unwrap_or_else(|| run.finish(STOPPED));
        let lendable = run.training().plan().map_or(0, |plan| plan.units() - 1);
        Ok((Some(convert::result(run, &fitted)?), self.at_rest(&fitted.model), lendable))
    }

    /// What the nodes of a finished tree look like; nothing for groups.
    fn at_rest(&self, model: &Model) -> Option<Vec<f32>> {
        (!self.groups()).then(|| run::marks(&model.tree, &self.run.sample_of(model, RESTING_ROWS)))
    }

    /// See [`Session::advance`]. Whether the training has ended by itself, and whether it has turned to other
    /// work.
    fn advance(&mut self, steps: u32, to_epoch_end: bool, curve: &mut Vec<f32>) -> (bool, bool) {
        let work = |progress: &Progress| (progress.restart, progress.phase.work, progress.phase.on);
        let now = self.run.progress();
        if now.stop.is_some() {
            return (true, false);
        }
        let mut turned = false;
        for _ in 0..steps {
            let progress = self.run.step();
            if progress.epoch_ended {
                let losses = [progress.train_loss, progress.valid_loss, progress.hard_loss];
                push_point(curve, stretch_of(&progress), progress.epoch, losses);
                if !self.groups() {
                    self.frames.epoch(&self.run);
                }
            }
            if progress.stop.is_some() {
                return (true, turned);
            }
            turned = work(&progress) != work(&now);
            if progress.waiting || to_epoch_end && progress.epoch_ended || turned && !to_epoch_end {
                break;
            }
        }
        (false, turned)
    }

    /// See [`Session::progress`].
    fn progress(&self, checkpoint: bool) -> Result<Reply> {
        let run = &self.run;
        let checkpoint =
            checkpoint.then(|| export::write(&run.document(&run.finish(STOPPED)))).transpose()?;
        let model = run.current();
        let numbers = self.watched.as_ref().map(|watched| run::marks(&model.tree, watched));
        let progress = convert::progress(&run.progress());
        let tree = view::moving(&model, &run.choices(), &run.training().keeping());
        Ok(Reply { numbers, ..Event::Progress { run: self.id, progress, tree, checkpoint }.into() })
    }

    /// Ends the training with the best tree so far. The run stays, so that its answer could be asked for
    /// again.
    fn stop(&mut self) -> Result<Reply> {
        let run = &self.run;
        let (fitted, gradient) = (run.finish(STOPPED), run.gradient(STOPPED));
        let depth = fitted.model.tree.depth();
        let yardstick = if GROUPS { run.yardstick(depth) } else { None };
        let event = Event::Trained {
            run: self.id,
            result: convert::result(run, &fitted)?,
            gradient: gradient.map(|gradient| convert::result(run, &gradient).map(Box::new)).transpose()?,
            progress: convert::progress(&fitted.progress),
            reason: convert::reason(fitted.stop_reason),
            yardstick: yardstick.map(|yardstick| YardstickInfo {
                metrics: convert::scores(&yardstick.metrics),
                leaves: yardstick.leaves as u32,
                depth: depth as u32,
            }),
        };
        let numbers = self.at_rest(&fitted.model);
        self.finished = Some(fitted.model);
        Ok(Reply { numbers, ..event.into() })
    }

    /// Takes back a unit.
    fn take(&mut self, index: u32, bytes: &[u8]) -> Reply {
        let Training { id, run, frames, .. } = self;
        let fits = |Brought { found, moments }: &Brought| {
            let trees = moments.all().iter().map(|moment| &moment.tree);
            trees.chain(found.outcome.as_ref().map(|outcome| &outcome.tree)).all(|tree| run.holds(tree))
        };
        // What cannot be read is as good as nothing: the unit is run here.
        let brought = Brought::from_bytes(bytes).filter(fits);
        if let Some(Brought { found, moments }) = &brought
            && let Some(outcome) = &found.outcome
        {
            frames.bring(index, outcome, moments);
        }
        run.training_mut().take(index, brought.map(|brought| brought.found));
        Event::Taken { run: *id }.into()
    }

    /// Shows another finished tree, or lets the trees answer by another rule.
    fn show(&mut self, alone: bool, answers: &str) -> Result<Reply> {
        if self.finished.is_none() {
            return Err(Error::new(
                Code::BadRequest,
                "The training has not ended yet.",
                "Wait, or stop it first.",
            ));
        }
        let run = &mut self.run;
        run.decide(Rule::parse(answers)?)?;
        let (kept, gradient) = (run.finish(STOPPED), run.gradient(STOPPED));
        let (shown, other) = match (alone, gradient) {
            (false, gradient) => (kept, gradient),
            (true, Some(gradient)) => (gradient, Some(kept)),
            (true, None) => {
                let message = "Descent alone made no other tree in this training.";
                return Err(Error::new(Code::BadRequest, message, "Show the tree that was kept."));
            }
        };
        let event = Event::Shown {
            run: self.id,
            problem: convert::problem(run),
            cart: run.baseline().map(|cart| convert::result(run, cart).map(Box::new)).transpose()?,
            result: Box::new(convert::result(run, &shown)?),
            other: other.map(|other| convert::result(run, &other).map(Box::new)).transpose()?,
            alone,
        };
        let numbers = self.at_rest(&shown.model);
        self.finished = Some(shown.model);
        Ok(Reply { numbers, ..event.into() })
    }
}

impl Session {
    /// Trains on for at most `steps` steps, or to the end of the present epoch. True once the training has
    /// ended by itself.
    pub fn advance(&mut self, steps: u32, to_epoch_end: bool) -> bool {
        let (ended, turned) = match &mut self.activity {
            Activity::Helping(helping) => (helping.advance(steps), false),
            Activity::Training(training) => training.advance(steps, to_epoch_end, &mut self.curve),
            _ => (true, false),
        };
        self.turned = turned;
        ended
    }

    /// Whether the last call of [`Session::advance`] ended early, because the training has turned to other
    /// work: its steps may take a thousand times as long.
    pub fn turned(&self) -> bool {
        self.turned
    }

    /// Whether the training waits for units that were lent: then more steps change nothing.
    pub fn waiting(&self) -> bool {
        matches!(&self.activity, Activity::Training(training) if training.run.progress().waiting)
    }

    /// Where the training is, with the tree as it stands and the curve since the last call. With `checkpoint`
    /// also the best tree so far as a file.
    pub fn progress(&mut self, checkpoint: bool) -> Reply {
        let Activity::Training(training) = &self.activity else { return failed(0, &no_run()) };
        match training.progress(checkpoint) {
            Ok(reply) => self.with_curve(reply),
            Err(error) => failed(training.id, &error),
        }
    }

    /// Ends what a request names: a training, or a unit of one.
    pub(super) fn stop(&mut self, id: u32) -> Result<Reply> {
        match &mut self.activity {
            Activity::Helping(helping) => helping.end(id),
            Activity::Training(training) if training.is(id) => {
                let reply = training.stop()?;
                Ok(self.with_curve(reply))
            }
            _ => Err(no_run()),
        }
    }

    /// A reply with the points of the loss curve that the page has not seen yet.
    fn with_curve(&mut self, reply: Reply) -> Reply {
        Reply { curve: Some(std::mem::take(&mut self.curve)), ..reply }
    }
}

/// Which stretch of the loss curve an epoch belongs to: that of its unit; what the last stage makes of the
/// winner counts its epochs anew and comes behind all units.
fn stretch_of(progress: &Progress) -> u32 {
    if progress.finishing { progress.restarts } else { progress.restart }
}

/// Adds a point of the loss curve.
pub(super) fn push_point(curve: &mut Vec<f32>, unit: u32, epoch: u32, losses: [Option<f64>; 3]) {
    curve.extend([(unit + 1) as f32, epoch as f32]);
    curve.extend(losses.map(|loss| loss.map_or(f32::NAN, |loss| loss as f32)));
}
