//! The worker's side of the conversation with the page: requests in, events out.
//!
//! Everything here is plain Rust and tested natively; `wasm` only turns JavaScript values into these types and back. A
//! [`Session`] holds at most one table and one run, and never starts a step of its own: the worker asks for steps, watches
//! the clock and listens for the page in between.

// Some of it is for `study` alone.
#[cfg_attr(all(target_arch = "wasm32", not(feature = "study")), allow(dead_code))]
mod convert;
mod describe;
#[cfg_attr(all(target_arch = "wasm32", not(feature = "study")), allow(dead_code))]
mod explore;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
mod grouping;
mod growing;
mod helping;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
mod study;
mod view;

use std::sync::Arc;

use growing::Growing;
use helping::Helping;

use crate::encode::Problem;
use crate::error::{Code, Error, Result};
use crate::export;
use crate::learn::{Brought, Progress, TargetKind};
use crate::protocol::{Event, ReadOptions, Request, TrainSettings};
use crate::run::{self, Frames, Rows, Rule, Run, STOPPED};
use crate::table::{Loading, Table};
use crate::tree::Model;

/// The task without a target.
const CLUSTERING: &str = "clustering";

/// Rows behind the histograms of a tree that moves: enough for sixteen bars, few enough for a dozen frames a second.
const MOVING_ROWS: usize = 1000;

/// Rows behind the histograms of a tree at rest.
const RESTING_ROWS: usize = 10_000;

/// An event with the bulk data that travels beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The event.
    pub event: Event,
    /// Points of the loss curve beside it: five numbers each, restart (from 1), epoch, training loss,
    /// validation loss and the loss of the hard tree where a soft one is trained.
    pub curve: Option<Vec<f32>>,
    /// Numbers beside it, laid out as the event says: histograms of a tree's nodes, frames, rows, a map.
    pub numbers: Option<Vec<f32>>,
    /// What a unit found, for the worker that leads the training.
    pub bytes: Option<Vec<u8>>,
}

/// A training that goes on or has ended.
struct Training {
    id: u32,
    run: Run,
    frames: Frames,
    /// The rows whose histograms are drawn while the tree moves.
    watched: Rows,
    /// The finished model.
    finished: Option<Model>,
}

/// A conversation.
#[derive(Default)]
pub struct Session {
    table: Option<Arc<Table>>,
    /// A training whose greedy tree grows.
    growing: Option<Growing>,
    training: Option<Training>,
    /// A hierarchy of the rows.
    #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
    grouping: Option<grouping::Grouping>,
    /// A training that another worker leads.
    helping: Option<Helping>,
    /// The file that is being read in slices.
    loading: Option<(u32, Loading<'static>)>,
    /// Points of the loss curve that the page has not seen yet.
    curve: Vec<f32>,
    /// Whether the last steps ended where other work begins.
    turned: bool,
}

impl From<Event> for Reply {
    fn from(event: Event) -> Reply {
        Reply { event, curve: None, numbers: None, bytes: None }
    }
}

impl Session {
    /// What the engine offers.
    pub fn ready(&self) -> Event {
        describe::ready()
    }

    /// Answers a request. What goes wrong is an answer too.
    pub fn handle(&mut self, request: Request, bytes: &[u8]) -> Reply {
        let run = run_of(&request);
        self.answer(request, bytes).unwrap_or_else(|error| Event::Failed { run, error: convert::error(&error) }.into())
    }

    /// Trains on for at most `steps` steps, or to the end of the present epoch. True once the training has ended by itself.
    pub fn advance(&mut self, steps: u32, to_epoch_end: bool) -> bool {
        self.turned = false;
        if let Some(helping) = &mut self.helping {
            return helping.advance(steps);
        }
        #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
        if let Some(grouping) = &mut self.grouping {
            return grouping.advance(steps, to_epoch_end, &mut self.curve);
        }
        let Some(Training { run, frames, .. }) = &mut self.training else { return true };
        if run.progress().stop.is_some() {
            return true;
        }
        let work = |progress: &Progress| (progress.restart, progress.phase.work, progress.phase.on);
        let before = work(&run.progress());
        for _ in 0..steps {
            let progress = run.step();
            if progress.epoch_ended {
                let losses = [progress.train_loss, progress.valid_loss, progress.hard_loss];
                push_point(&mut self.curve, stretch_of(&progress), progress.epoch, losses);
                frames.epoch(run);
            }
            if progress.stop.is_some() {
                return true;
            }
            self.turned = work(&progress) != before;
            if progress.waiting || to_epoch_end && progress.epoch_ended || self.turned && !to_epoch_end {
                break;
            }
        }
        false
    }

    /// Whether the last call of [`Session::advance`] ended early, because the training has turned to other work: its steps may
    /// take a thousand times as long.
    pub fn turned(&self) -> bool {
        self.turned
    }

    /// Whether the training waits for units that were lent: then more steps change nothing.
    pub fn waiting(&self) -> bool {
        self.training.as_ref().is_some_and(|training| training.run.progress().waiting)
    }

    /// Where the training is, with the tree as it stands and the curve since the last call. With `checkpoint` also the best
    /// tree so far as a file.
    pub fn progress(&mut self, checkpoint: bool) -> Reply {
        let id = self.training.as_ref().map_or(0, |training| training.id);
        self.try_progress(checkpoint)
            .unwrap_or_else(|error| Event::Failed { run: id, error: convert::error(&error) }.into())
    }

    fn try_progress(&mut self, checkpoint: bool) -> Result<Reply> {
        #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
        if let Some(grouping) = &self.grouping {
            let event = grouping.progress(checkpoint)?;
            return Ok(Reply { curve: Some(std::mem::take(&mut self.curve)), ..event.into() });
        }
        let Training { id, run, watched, .. } = self.training.as_ref().ok_or_else(no_run)?;
        let checkpoint = checkpoint.then(|| export::write(&run.document(&run.finish(STOPPED)))).transpose()?;
        let model = run.current();
        let numbers = Some(run::marks(&model.tree, watched));
        let progress = convert::progress(&run.progress());
        let event = Event::Progress {
            run: *id,
            progress,
            tree: view::moving(&model, &run.choices(), &run.training().keeping()),
            checkpoint,
        };
        Ok(Reply { curve: Some(std::mem::take(&mut self.curve)), numbers, ..event.into() })
    }

    fn answer(&mut self, request: Request, bytes: &[u8]) -> Result<Reply> {
        match request {
            Request::Load { run, options, .. } => self.load(run, options, bytes).map(Reply::from),
            Request::Train { run, settings } => self.train(run, settings),
            Request::Resolve { run, settings } => self.resolve(run, settings),
            Request::Stop { run } => self.stop(run),
            Request::Show { run, alone, answers } => self.show(run, alone, &answers),
            Request::Lend { run } => {
                let index = self.training_mut(run)?.run.training_mut().lend();
                Ok(Event::Lent { run, index }.into())
            }
            Request::Take { run, index } => self.take(run, index, bytes),
            Request::Help { run, settings } => self.help(run, settings),
            Request::Unit { run, index } => self.helping.as_mut().ok_or_else(no_run)?.begin(run, index),
            Request::Frames { run } => Ok(explore::frames(self.training_mut(run)?)),
            Request::Frame { run, frame } => explore::frame(self.training(run)?, frame),
            Request::Rows { run } => explore::rows(self.training(run)?),
            Request::Row { run, row } => explore::row(self.training(run)?, row),
            Request::Map { run, frame, x, y } => explore::map(self.training(run)?, frame, &x, &y),
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Request::Open { .. } | Request::Trace { .. } | Request::Why { .. } => self.study(request, bytes),
            #[cfg(all(target_arch = "wasm32", not(feature = "study")))]
            Request::Open { .. } | Request::Trace { .. } | Request::Why { .. } => {
                Err(Error::new(Code::BadRequest, "That is asked of the page's second module.", "Reload the page."))
            }
            Request::Ping { run } => Ok(Event::Pong { run }.into()),
            Request::Pause { .. } | Request::Resume { .. } | Request::Step { .. } => Err(Error::new(
                Code::BadRequest,
                "Pause, resume and step are for the worker's loop, not for the engine.",
                "Reload the page.",
            )),
        }
    }

    fn load(&mut self, run: u32, options: ReadOptions, bytes: &[u8]) -> Result<Event> {
        self.take_table(run, Table::read(bytes, &convert::overrides(options)?)?)
    }

    /// Begins to read a file in slices: [`read_on`](Session::read_on) does the rest.
    pub fn begin_load(&mut self, run: u32, options: ReadOptions, bytes: Vec<u8>) -> Reply {
        match convert::overrides(options) {
            Ok(overrides) => {
                self.loading = Some((run, Loading::new(bytes.into(), overrides)));
                Event::Reading { run, share: 0.0, rows: 0 }.into()
            }
            Err(error) => Event::Failed { run, error: convert::error(&error) }.into(),
        }
    }

    /// Lets go of a file that is being read. The present table stays.
    pub fn drop_load(&mut self) {
        self.loading = None;
    }

    /// Reads on for some rows, or understands one column: `reading` while there is more, then `loaded` or `failed`.
    pub fn read_on(&mut self, rows: u32) -> Reply {
        let Some((run, mut loading)) = self.loading.take() else {
            let error = Error::new(Code::BadRequest, "No file is being read.", "Choose a file first.");
            return Event::Failed { run: 0, error: convert::error(&error) }.into();
        };
        let event = match loading.advance(rows as usize) {
            Ok(share) if share < 1.0 => {
                let rows = loading.rows() as u32;
                self.loading = Some((run, loading));
                Ok(Event::Reading { run, share, rows })
            }
            Ok(_) => loading.finish().and_then(|table| self.take_table(run, table)),
            Err(error) => Err(error),
        };
        event.unwrap_or_else(|error| Event::Failed { run, error: convert::error(&error) }).into()
    }

    /// Notes the SHA-256 of the file that was loaded last, before a training begins on it.
    pub fn identify(&mut self, sha256: String) {
        if let Some(table) = &self.table {
            table.identify(sha256);
        }
    }

    /// A file that cannot be used leaves the present one in place.
    fn take_table(&mut self, run: u32, table: Table) -> Result<Event> {
        if table.rows() == 0 {
            return Err(Error::new(
                Code::TooFewRows,
                "The file has a header line but no rows of data.",
                "Choose a file with at least two rows below the header.",
            ));
        }
        let info = describe::table(&table);
        self.table = Some(Arc::new(table));
        self.growing = None;
        self.training = None;
        self.helping = None;
        self.ungroup();
        Ok(Event::Loaded { run, table: info })
    }

    fn table(&self) -> Result<Arc<Table>> {
        self.table.clone().ok_or_else(|| {
            Error::new(Code::BadRequest, "There is no file to train on.", "Choose a file or a sample first.")
        })
    }

    /// The training that a request names.
    fn training(&self, id: u32) -> Result<&Training> {
        self.training.as_ref().filter(|training| training.id == id).ok_or_else(no_run)
    }

    fn training_mut(&mut self, id: u32) -> Result<&mut Training> {
        self.training.as_mut().filter(|training| training.id == id).ok_or_else(no_run)
    }

    /// Takes back a unit of the training.
    fn take(&mut self, id: u32, index: u32, bytes: &[u8]) -> Result<Reply> {
        let Training { run, frames, .. } = self.training_mut(id)?;
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
        Ok(Event::Taken { run: id }.into())
    }

    /// Says what every learner would be trained with.
    fn resolve(&self, run: u32, settings: TrainSettings) -> Result<Reply> {
        let (learner, target, classes) = if settings.task == CLUSTERING {
            (convert::learner(&settings)?, TargetKind::Number, vec![])
        } else {
            let learner = convert::learner(&settings)?;
            let problem = Problem::new(&*self.table()?, &convert::selection(settings)?)?;
            (learner, TargetKind::from(&problem.labels), problem.target.classes().to_vec())
        };
        Ok(Event::Resolved { run, resolved: describe::resolved(&learner, target), classes }.into())
    }

    /// Prepares for units of a training that another worker leads.
    fn help(&mut self, id: u32, settings: TrainSettings) -> Result<Reply> {
        let helping = Helping::new(id, &Run::alone(self.table()?, convert::settings(settings)?)?)?;
        let units = helping.units();
        self.training = None;
        self.ungroup();
        self.helping = Some(helping);
        Ok(Event::Helping { run: id, units }.into())
    }

    /// Lets go of a hierarchy.
    fn ungroup(&mut self) {
        #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
        {
            self.grouping = None;
        }
    }

    fn train(&mut self, id: u32, settings: TrainSettings) -> Result<Reply> {
        #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
        if settings.task == CLUSTERING {
            return self.group(id, settings);
        }
        self.begin_growth(id, settings)?;
        Ok(self.grow_on(u32::MAX))
    }

    /// Shows another finished tree of a training, or lets its trees answer by another rule.
    fn show(&mut self, id: u32, alone: bool, answers: &str) -> Result<Reply> {
        let training = self.training_mut(id)?;
        if training.finished.is_none() {
            return Err(Error::new(Code::BadRequest, "The training has not ended yet.", "Wait, or stop it first."));
        }
        let run = &mut training.run;
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
            run: id,
            problem: convert::problem(run),
            cart: run.baseline().map(|cart| convert::result(run, cart).map(Box::new)).transpose()?,
            result: Box::new(convert::result(run, &shown)?),
            other: other.map(|other| convert::result(run, &other).map(Box::new)).transpose()?,
            alone,
        };
        let numbers = Some(at_rest(run, &shown.model));
        training.finished = Some(shown.model);
        Ok(Reply { numbers, ..event.into() })
    }

    /// Ends the training with the best tree so far. The run stays, so that its answer could be asked for again.
    fn stop(&mut self, id: u32) -> Result<Reply> {
        if let Some(helping) = &mut self.helping {
            return helping.end(id);
        }
        #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
        if let Some(grouping) = &self.grouping {
            let event = grouping.stop(id)?;
            return Ok(Reply { curve: Some(std::mem::take(&mut self.curve)), ..event.into() });
        }
        let training = self.training_mut(id)?;
        let fitted = training.run.finish(STOPPED);
        let gradient = training.run.gradient(STOPPED);
        let event = Event::Trained {
            run: id,
            result: convert::result(&training.run, &fitted)?,
            gradient: gradient.map(|gradient| convert::result(&training.run, &gradient).map(Box::new)).transpose()?,
            progress: convert::progress(&fitted.progress),
            reason: convert::reason(fitted.stop_reason),
            yardstick: None,
        };
        let numbers = Some(at_rest(&training.run, &fitted.model));
        training.finished = Some(fitted.model);
        Ok(Reply { curve: Some(std::mem::take(&mut self.curve)), numbers, ..event.into() })
    }
}

/// Which stretch of the loss curve an epoch belongs to: that of its unit; what the last stage makes of the winner counts its epochs
/// anew and comes behind all units.
fn stretch_of(progress: &Progress) -> u32 {
    if progress.finishing { progress.restarts } else { progress.restart }
}

/// Adds a point of the loss curve.
fn push_point(curve: &mut Vec<f32>, unit: u32, epoch: u32, losses: [Option<f64>; 3]) {
    curve.extend([(unit + 1) as f32, epoch as f32]);
    curve.extend(losses.map(|loss| loss.map_or(f32::NAN, |loss| loss as f32)));
}

/// What the nodes of a finished tree look like.
fn at_rest(run: &Run, model: &Model) -> Vec<f32> {
    run::marks(&model.tree, &run.sample_of(model, RESTING_ROWS))
}

fn no_run() -> Error {
    Error::new(Code::BadRequest, "No training is under way.", "Press Train to begin one.")
}

/// The run a request names.
fn run_of(request: &Request) -> u32 {
    match request {
        Request::Load { run, .. }
        | Request::Train { run, .. }
        | Request::Resolve { run, .. }
        | Request::Pause { run }
        | Request::Resume { run }
        | Request::Step { run }
        | Request::Stop { run }
        | Request::Show { run, .. }
        | Request::Open { run, .. }
        | Request::Frames { run }
        | Request::Frame { run, .. }
        | Request::Rows { run }
        | Request::Row { run, .. }
        | Request::Map { run, .. }
        | Request::Trace { run, .. }
        | Request::Why { run, .. }
        | Request::Lend { run }
        | Request::Take { run, .. }
        | Request::Help { run, .. }
        | Request::Unit { run, .. }
        | Request::Ping { run } => *run,
    }
}
