//! The worker's side of the conversation with the page: requests in, events out.
//!
//! Everything here is plain Rust and tested natively; `wasm` only turns JavaScript values into these types
//! and back. A [`Session`] holds at most one table and does one thing at a time. It never starts a step of
//! its own: the worker asks for steps, watches the clock and listens for the page in between.

// Some of it is for `study` alone.
#[cfg_attr(all(target_arch = "wasm32", not(feature = "study")), allow(dead_code))]
mod convert;
mod describe;
#[cfg_attr(all(target_arch = "wasm32", not(feature = "study")), allow(dead_code))]
mod explore;
mod growing;
mod helping;
mod loading;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
mod study;
mod training;
mod view;

use std::sync::Arc;

use growing::Growing;
use helping::Helping;
use loading::Reading;
use training::Training;

use crate::encode::Problem;
use crate::error::{Code, Error, Result};
use crate::learn::TargetKind;
use crate::protocol::{Event, Request, TrainSettings};
use crate::run::Run;
use crate::table::Table;

/// Whether rows can be grouped here: natively and in the page's second module, so that the first load does
/// not carry it.
const GROUPS: bool = cfg!(any(feature = "study", not(target_arch = "wasm32")));

/// The task without a target.
const CLUSTERING: &str = "clustering";

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

/// A conversation.
#[derive(Default)]
pub struct Session {
    table: Option<Arc<Table>>,
    activity: Activity,
    /// Points of the loss curve that the page has not seen yet.
    curve: Vec<f32>,
    /// Whether the last steps ended where other work begins.
    turned: bool,
}

/// What a session does now.
#[derive(Default)]
enum Activity {
    /// Nothing.
    #[default]
    Idle,
    /// It reads a file.
    Loading(Reading),
    /// It grows the greedy tree of a training.
    Growing(Box<Growing>),
    /// It trains, or keeps a training that has ended.
    Training(Box<Training>),
    /// It runs units of a training that another worker leads.
    Helping(Helping),
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
        self.answer(request, bytes).unwrap_or_else(|error| failed(run, &error))
    }

    fn answer(&mut self, request: Request, bytes: &[u8]) -> Result<Reply> {
        match request {
            Request::Load { run, options, .. } => Ok(self.load(run, options, bytes)),
            Request::Train { run, settings } => self.train(run, settings),
            Request::Resolve { run, settings } => self.resolve(run, settings),
            Request::Stop { run } => self.stop(run),
            Request::Help { run, settings } => self.help(run, settings),
            Request::Unit { run, index } => self.helping()?.begin(run, index),
            Request::Show { .. }
            | Request::Lend { .. }
            | Request::Take { .. }
            | Request::Frames { .. }
            | Request::Frame { .. }
            | Request::Rows { .. }
            | Request::Row { .. }
            | Request::Map { .. } => self.training(run_of(&request))?.answer(request, bytes),
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Request::Open { .. } | Request::Trace { .. } | Request::Why { .. } => self.study(request, bytes),
            #[cfg(all(target_arch = "wasm32", not(feature = "study")))]
            Request::Open { .. } | Request::Trace { .. } | Request::Why { .. } => Err(Error::new(
                Code::BadRequest,
                "That is asked of the page's second module.",
                "Reload the page.",
            )),
            Request::Ping { run } => Ok(Event::Pong { run }.into()),
            Request::Pause { .. } | Request::Resume { .. } | Request::Step { .. } => Err(Error::new(
                Code::BadRequest,
                "Pause, resume and step are for the worker's loop, not for the engine.",
                "Reload the page.",
            )),
        }
    }

    fn table(&self) -> Result<Arc<Table>> {
        self.table.clone().ok_or_else(|| {
            Error::new(Code::BadRequest, "There is no file to train on.", "Choose a file or a sample first.")
        })
    }

    /// The training of a target that a request names. It can be looked at while another file is being read;
    /// groups of rows have no closer look.
    fn training(&mut self, id: u32) -> Result<&mut Training> {
        match self.activity.beside_reading() {
            Activity::Training(training) if training.is(id) && !training.groups() => Ok(training),
            _ => Err(no_run()),
        }
    }

    fn helping(&mut self) -> Result<&mut Helping> {
        match &mut self.activity {
            Activity::Helping(helping) => Ok(helping),
            _ => Err(no_run()),
        }
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
        self.activity = Activity::Helping(helping);
        Ok(Event::Helping { run: id, units }.into())
    }
}

/// A request that could not be carried out.
fn failed(run: u32, error: &Error) -> Reply {
    Event::Failed { run, error: convert::error(error) }.into()
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
