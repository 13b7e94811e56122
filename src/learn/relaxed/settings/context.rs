//! From settings and samples to what all descents of a training share.

use super::Config;
use crate::learn::Columns;
use crate::learn::relaxed::ours::context::Context;
use crate::learn::relaxed::ours::expressible::Groups;
use crate::learn::relaxed::paper::samples::{Samples, Units};

impl Config {
    /// The context of a training; the settings have been checked against `train`.
    pub fn context(
        &self,
        columns: &Columns,
        train: Samples,
        valid: Samples,
        units: Units,
        seed: u64,
    ) -> Context {
        Context {
            shape: self.shape(train.design.features(), train.goal.outputs()),
            objective: self.objective(),
            course: self.course(train.len()),
            scores: self.scores(),
            prune_below: self.prune_below(),
            charge: self.charge(),
            greedy: self.greedy(),
            restarts: self.descents(),
            by_hard: !self.published(),
            groups: Groups::new(&train.design, &columns.apart, &columns.feature, self.columns as usize),
            train,
            valid,
            units,
            seed,
        }
    }
}
