//! Groups of rows without a target: the page's second module, beside the oblique learners.

use super::{CLUSTERING, Reply, Session, convert, no_run, push_point, view};
use crate::error::Result;
use crate::export;
use crate::protocol::{Event, ProblemInfo, TrainSettings, YardstickInfo};
use crate::run::{Run, STOPPED};

/// A hierarchy that is being learned, or has been.
pub(super) struct Grouping {
    id: u32,
    run: Run,
}

impl Session {
    /// Begins a hierarchy of the rows.
    pub(super) fn group(&mut self, id: u32, asked: TrainSettings) -> Result<Reply> {
        let run = Run::alone(self.table()?, convert::settings(asked)?)?;
        self.curve.clear();
        let rows = run.rows();
        let problem = ProblemInfo {
            task: CLUSTERING.into(),
            target: run.problem().target.predicted().join(", "),
            classes: vec![],
            features: run.features().iter().map(|feature| feature.name.clone()).collect(),
            train_rows: rows.train as u32,
            valid_rows: rows.valid as u32,
            test_rows: rows.test as u32,
            decision: None,
            warnings: vec![],
        };
        self.training = None;
        self.helping = None;
        self.grouping = Some(Grouping { id, run });
        Ok(Event::Started { run: id, problem, cart: None, lendable: 0 }.into())
    }
}

impl Grouping {
    /// Whether a request names this one.
    pub(super) fn is(&self, id: u32) -> bool {
        self.id == id
    }

    /// See [`Session::advance`].
    pub(super) fn advance(&mut self, steps: u32, to_epoch_end: bool, curve: &mut Vec<f32>) -> bool {
        for _ in 0..steps {
            let progress = self.run.step();
            if progress.epoch_ended {
                push_point(curve, progress.restart, progress.epoch, [progress.train_loss, progress.valid_loss, None]);
            }
            if progress.stop.is_some() {
                return true;
            }
            if to_epoch_end && progress.epoch_ended {
                break;
            }
        }
        false
    }

    /// See [`Session::progress`].
    pub(super) fn progress(&self, checkpoint: bool) -> Result<Event> {
        let saved = || export::write(&self.run.document(&self.run.finish(STOPPED)));
        let checkpoint = checkpoint.then(saved).transpose()?;
        let tree = view::moving(&self.run.current(), &[], &self.run.training().keeping());
        Ok(Event::Progress { run: self.id, progress: convert::progress(&self.run.progress()), tree, checkpoint })
    }

    /// The best hierarchy so far, with its yardstick.
    pub(super) fn stop(&self, id: u32) -> Result<Event> {
        if !self.is(id) {
            return Err(no_run());
        }
        let clustered = self.run.finish(STOPPED);
        let depth = clustered.model.tree.depth();
        let yardstick = self.run.yardstick(depth).ok_or_else(no_run)?;
        Ok(Event::Trained {
            run: id,
            result: convert::result(&self.run, &clustered)?,
            gradient: None,
            progress: convert::progress(&clustered.progress),
            reason: convert::reason(clustered.stop_reason),
            yardstick: Some(YardstickInfo {
                metrics: convert::scores(&yardstick.metrics),
                leaves: yardstick.leaves as u32,
                depth: depth as u32,
            }),
        })
    }
}
