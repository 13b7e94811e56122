//! What a descent tells its caller: what it is doing, where its tree comes from, and what it notes beside the
//! tree.

use serde::{Deserialize, Serialize};

use super::super::context::Context;
use super::StagedDescent;
use crate::learn::relaxed::paper::inference::Relaxed;
use crate::learn::relaxed::paper::samples::Goal;
use crate::learn::{Chosen, Judges, Kept, Measure, Phase, Start, Work};

impl StagedDescent {
    /// The tree that it began at.
    pub(super) fn start(&self) -> Start {
        match (self.greedy, self.index) {
            (false, _) => Start::Random,
            // The second one is of single columns.
            (true, 1) => Start::Greedy,
            (true, _) => Start::GreedyOblique,
        }
    }

    /// What it is doing.
    pub(super) fn phase(&self) -> Phase {
        if self.growing.is_some() {
            return Work::Greedy.into();
        }
        let Context { greedy, restarts, course, .. } = &*self.context;
        let number = if self.greedy { 0 } else { self.index + 1 - greedy };
        let work = Work::Descent { from: self.start(), number, of: restarts.saturating_sub(*greedy), run: 0 };
        Phase::from(work).counted(self.epoch, course.epochs)
    }

    /// Where the tree of an epoch comes from.
    pub(super) fn kept(&self, epoch: u32) -> Kept {
        let by = match (&self.context.train.goal, self.context.by_hard) {
            (Goal::Classes { .. }, true) => Measure::Errors,
            _ => Measure::Loss,
        };
        let on = if self.context.valid.is_empty() { Judges::Training } else { Judges::Validation };
        Kept { gradient_epochs: epoch, chosen: Some(Chosen { by, on }), ..Kept::at(self.start()) }
    }
}

/// What an outcome notes beside its tree.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DescentNotes {
    /// How strongly the answers of the hard tree's leaves are shrunk.
    pub lambda: f64,
    /// The relaxed tree.
    pub relaxed: Relaxed,
}
