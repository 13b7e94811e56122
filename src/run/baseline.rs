//! The greedy tree beside a learner's: the same rows, at the same depth.

use super::fit::{Fit, TargetFit};
use super::settings::baseline_settings;
use super::{Aim, Fitted, Run, STOPPED};
use crate::error::Result;
use crate::learn::{Config, Progress};

impl Run {
    /// Fits the greedy baseline; does nothing if the run has none.
    pub fn fit_baseline(&mut self) -> Result<()> {
        self.begin_baseline()?;
        while self.step_baseline().is_some_and(|progress| progress.stop.is_none()) {}
        self.end_baseline(STOPPED);
        Ok(())
    }

    /// Whether a greedy tree can stand beside the learner's: it cannot if the learner itself is the greedy
    /// one, and where there is no target.
    pub fn has_baseline(&self) -> bool {
        matches!(self.settings.aim, Aim::Target { .. }) && !matches!(self.config, Config::Cart(_))
    }

    /// Encodes the rows for the greedy baseline, which [`Run::step_baseline`] then grows; does nothing if the
    /// run has none.
    pub fn begin_baseline(&mut self) -> Result<()> {
        if self.has_baseline()
            && let Some(baseline) = baseline_settings(&self.config)?
        {
            let config = baseline.resolve(&self.problem.labels);
            let fit = TargetFit::start(self.sources(), &config, self.settings.seed)?;
            self.growing = Some(Box::new(fit));
        }
        Ok(())
    }

    /// A small piece of the baseline; none if there is no baseline that grows.
    pub fn step_baseline(&mut self) -> Option<Progress> {
        self.growing.as_mut().map(|fit| fit.encoded_mut().training.step())
    }

    /// Scores the baseline as it stands. `stop_reason` is given where it is not fully grown.
    pub fn end_baseline(&mut self, stop_reason: &'static str) {
        if let Some(fit) = self.growing.take() {
            self.baseline = Some(fit.finish(self.sources(), stop_reason, &mut |_, _| true));
        }
    }

    /// The greedy tree at the same depth on the same rows; none if the run has none.
    pub fn baseline(&self) -> Option<&Fitted> {
        self.baseline.as_ref()
    }
}
