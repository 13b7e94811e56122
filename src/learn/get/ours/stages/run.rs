//! The final stages as a unit of a training: one stage after another.

use std::cell::OnceCell;
use std::sync::Arc;

use super::shares::StageShares;
use super::state::{How, State};
use super::{STAGES, Stage};
use crate::learn::get::ours::context::Context;
use crate::learn::get::paper::descent::Best;
use crate::learn::{Outcome, Pace, Phase, StopReason, Unit};
use crate::tree::Tree;

/// The final stages of a training of GET or GET-Linear.
pub(crate) struct FinalStages {
    state: State,
    /// The stage at work; none once all have ended.
    stage: Option<Box<dyn Stage>>,
    /// Stages of the list that have begun or were left out.
    begun: usize,
    /// The tree of [`Unit::best`] since the last step, once it was asked for: one result asks many times.
    made: OnceCell<Option<Tree>>,
    pace: Pace,
}

impl FinalStages {
    /// Begins with the best tree and those of all starts; none if there is nothing to be done.
    pub(crate) fn new(
        context: Arc<Context>,
        winner: Outcome,
        best: Best,
        found: Vec<Vec<Best>>,
        how: How,
    ) -> Option<Self> {
        let state = State::new(context, winner, best, found, how);
        let mut stages =
            FinalStages { state, stage: None, begun: 0, made: OnceCell::new(), pace: Pace::default() };
        stages.begin_next();
        stages.stage.as_ref()?;
        stages.measure();
        Some(stages)
    }

    /// Begins the next stage that has something to do.
    fn begin_next(&mut self) {
        while self.stage.is_none() && self.begun < STAGES.len() {
            self.stage = STAGES[self.begun](&mut self.state);
            self.begun += 1;
        }
    }

    /// Notes what is done after a step.
    fn measure(&mut self) {
        let shares = StageShares::of(&self.state.context);
        let done = match &self.stage {
            Some(stage) => {
                self.pace.phase = stage.phase();
                stage.done(&shares)
            }
            None => shares.all(),
        };
        self.pace.share = done / shares.all().max(f64::MIN_POSITIVE);
    }

    /// The best tree so far, made anew.
    fn made(&self) -> Option<Tree> {
        let best = || Some(self.state.hardened(&self.state.best.tree));
        match &self.stage {
            Some(stage) => match stage.tree() {
                Some(tree) => Some(self.state.hardened(tree)),
                None => self.state.chosen.clone().or_else(best),
            },
            None => best(),
        }
    }
}

impl Unit for FinalStages {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        self.made.take();
        self.pace.epoch_ended = false;
        let Some(stage) = &mut self.stage else { return self.pace };
        let more = stage.step(&self.state);
        if let Some((epoch, losses)) = stage.epoch_ended() {
            self.pace.tell_epoch(epoch, losses);
        }
        if !more {
            if let Some(stage) = self.stage.take() {
                stage.end(&mut self.state);
            }
            self.begin_next();
            self.pace.stop = self.stage.is_none().then_some(StopReason::EpochLimit);
        }
        self.measure();
        self.pace
    }

    fn current(&self) -> Tree {
        self.best().unwrap_or_else(|| self.state.winner.tree.clone())
    }

    fn outcome(&self) -> Option<Outcome> {
        let kept = self.stage.as_ref().map_or(self.state.kept, |stage| stage.kept(self.state.kept));
        Some(Outcome { tree: self.current(), kept, ..self.state.winner.clone() })
    }

    fn first_phase(&self) -> Phase {
        self.pace.phase
    }

    fn best(&self) -> Option<Tree> {
        self.made.get_or_init(|| self.made()).clone()
    }

    fn chosen(&self) -> Option<Tree> {
        self.state.chosen.clone().or_else(|| self.best())
    }
}
