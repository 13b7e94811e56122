//! The begin of a training: the greedy tree grows beside the page's messages, so that it can be stopped and its
//! progress be seen.

use super::{Frames, MOVING_ROWS, Reply, Session, Training, at_rest, convert, no_run};
use crate::error::Result;
use crate::learn::Progress;
use crate::protocol::{Event, Request};
use crate::run::{Run, STOPPED};

/// A run whose greedy tree grows.
pub(super) struct Growing {
    id: u32,
    run: Run,
}

impl Growing {
    /// A piece of the greedy tree: of the baseline, or of the chosen learner if that is the greedy one. None if there
    /// is nothing to do.
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
    /// Begins a training in slices: [`grow_on`](Session::grow_on) does the rest. `growing`, or `started` where there is
    /// no greedy tree, or `failed`.
    pub fn begin_train(&mut self, request: Request) -> Reply {
        let run = super::run_of(&request);
        let failed = |error| Event::Failed { run, error: convert::error(&error) }.into();
        let Request::Train { settings, .. } = request else { return failed(no_run()) };
        #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
        if settings.task == super::CLUSTERING {
            return self.group(run, settings).unwrap_or_else(failed);
        }
        match self.begin_growth(run, settings) {
            Ok(()) => Event::Growing { run, share: 0.0 }.into(),
            Err(error) => failed(error),
        }
    }

    pub(super) fn begin_growth(&mut self, id: u32, settings: crate::protocol::TrainSettings) -> Result<()> {
        let mut run = Run::alone(self.table()?, convert::settings(settings)?)?;
        run.begin_baseline()?;
        self.growing = Some(Growing { id, run });
        Ok(())
    }

    /// Grows the greedy tree for at most so many steps: `growing` while there is more to do, then `started` or
    /// `failed`.
    pub fn grow_on(&mut self, steps: u32) -> Reply {
        let Some(growing) = &mut self.growing else { return self.end_growth() };
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
        let id = self.growing.as_ref().map_or(0, |growing| growing.id);
        self.started().unwrap_or_else(|error| Event::Failed { run: id, error: convert::error(&error) }.into())
    }

    pub(super) fn started(&mut self) -> Result<Reply> {
        let Growing { id, mut run } = self.growing.take().ok_or_else(no_run)?;
        run.end_baseline(STOPPED);
        self.curve.clear();
        let problem = convert::problem(&run);
        let fitted = run.baseline().cloned().unwrap_or_else(|| run.finish(STOPPED));
        let cart = convert::result(&run, &fitted)?;
        let numbers = Some(at_rest(&run, &fitted.model));
        let watched = run.sample_of(&run.current(), MOVING_ROWS);
        let lendable = run.training().plan().map_or(0, |plan| plan.units() - 1);
        self.training = Some(Training { id, run, frames: Frames::default(), watched, finished: None });
        self.helping = None;
        self.ungroup();
        Ok(Reply { numbers, ..Event::Started { run: id, problem, cart: Some(cart), lendable }.into() })
    }
}
