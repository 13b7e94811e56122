//! The begin of a training: the greedy tree grows beside the page's messages, so that it can be stopped and
//! its progress be seen.

use super::training::Training;
use super::{Activity, GROUPS, Reply, Session, convert, failed, no_run, run_of};
use crate::error::Result;
use crate::learn::Progress;
use crate::protocol::{Event, Request, TrainSettings};
use crate::run::{Run, STOPPED};

/// A run whose greedy tree grows.
pub(super) struct Growing {
    id: u32,
    run: Run,
}

impl Growing {
    /// A piece of the greedy tree: of the baseline, or of the chosen learner if that is the greedy one. None
    /// if there is nothing to do.
    fn step(&mut self) -> Option<Progress> {
        let baseline = self.run.step_baseline();
        let progress = baseline.or_else(|| self.is_greedy().then(|| self.run.step()));
        progress.filter(|progress| progress.stop.is_none())
    }

    /// Whether the chosen learner is the greedy one.
    fn is_greedy(&self) -> bool {
        self.run.training().plan().is_none()
    }
}

impl Session {
    /// Begins a training in slices: [`grow_on`](Session::grow_on) does the rest. `growing`, or `started`
    /// where there is no greedy tree, or `failed`.
    pub fn begin_train(&mut self, request: Request) -> Reply {
        let run = run_of(&request);
        let begun = match request {
            Request::Train { settings, .. } => self.begin_growth(run, settings),
            _ => Err(no_run()),
        };
        begun.unwrap_or_else(|error| failed(run, &error))
    }

    /// The same at once.
    pub(super) fn train(&mut self, id: u32, settings: TrainSettings) -> Result<Reply> {
        let mut reply = self.begin_growth(id, settings)?;
        while let Event::Growing { .. } = reply.event {
            reply = self.grow_on(u32::MAX);
        }
        Ok(reply)
    }

    fn begin_growth(&mut self, id: u32, settings: TrainSettings) -> Result<Reply> {
        let mut run = Run::alone(self.table()?, convert::settings(settings)?)?;
        run.begin_baseline()?;
        let growing = Growing { id, run };
        // Groups have no greedy tree beside them.
        if GROUPS && !growing.run.has_baseline() && !growing.is_greedy() {
            return self.start(growing);
        }
        self.activity = Activity::Growing(Box::new(growing));
        Ok(Event::Growing { run: id, share: 0.0 }.into())
    }

    /// Grows the greedy tree for at most so many steps: `growing` while there is more to do, then `started`
    /// or `failed`.
    pub fn grow_on(&mut self, steps: u32) -> Reply {
        let Activity::Growing(growing) = &mut self.activity else { return self.end_growth() };
        let mut share = 0.0;
        for _ in 0..steps {
            match growing.step() {
                Some(progress) => share = progress.share,
                None => return self.end_growth(),
            }
        }
        Event::Growing { run: growing.id, share }.into()
    }

    /// Takes the greedy tree as it stands and begins the training: `started` or `failed`.
    pub fn end_growth(&mut self) -> Reply {
        match std::mem::take(&mut self.activity) {
            Activity::Growing(growing) => {
                let id = growing.id;
                self.start(*growing).unwrap_or_else(|error| failed(id, &error))
            }
            other => {
                self.activity = other;
                failed(0, &no_run())
            }
        }
    }

    fn start(&mut self, Growing { id, mut run }: Growing) -> Result<Reply> {
        run.end_baseline(STOPPED);
        self.curve.clear();
        let problem = convert::problem(&run);
        let training = Training::new(id, run);
        let (cart, numbers, lendable) = training.beginning()?;
        self.activity = Activity::Training(Box::new(training));
        Ok(Reply { numbers, ..Event::Started { run: id, problem, cart, lendable }.into() })
    }
}
