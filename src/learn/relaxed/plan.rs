//! The units of a training: descents from greedy trees and from random starts. Then the leaves of the best
//! tree are fitted to training and validation samples.

use std::sync::Arc;

use super::Config;
use super::ours::class_weights::class_weights;
use super::ours::context::Context;
use super::ours::stages::{DescentNotes, StagedDescent};
use super::paper::batch::Workspace;
use super::paper::objective::Objective;
use super::paper::samples::{Goal, Samples, Units};
use crate::encode::{Design, Labels};
use crate::learn::{Columns, Once, Outcome, Plan, Unit};
use crate::tree::{PostTransform, Tree};

/// The plan of a training.
pub struct RelaxedPlan {
    context: Arc<Context>,
}

impl RelaxedPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(
        config: &Config,
        columns: &Columns,
        train: Arc<Design>,
        valid: Arc<Design>,
        seed: u64,
    ) -> RelaxedPlan {
        let units = match &train.y {
            Labels::Values(values) => Units::of(values),
            Labels::Classes { .. } => Units { centre: 0.0, scale: 1.0 },
        };
        let weight = class_weights(&train.y, config.balance);
        let (train, valid) = (Samples::of(train, units, &weight), Samples::of(valid, units, &weight));
        RelaxedPlan::of(config.context(columns, train, valid, units, seed))
    }

    /// A plan for a goal that labels cannot state: several numbers.
    pub fn of(context: Context) -> RelaxedPlan {
        RelaxedPlan { context: Arc::new(context) }
    }
}

impl Plan for RelaxedPlan {
    fn units(&self) -> u32 {
        self.context.restarts
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        Box::new(StagedDescent::new(self.context.clone(), index))
    }

    fn last(&self, winner: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        // The validation samples have chosen the tree; now they count in its leaves.
        let context = self.context.clone();
        Some(Box::new(Once::new(winner.clone(), move |winner| match winner.notes.read() {
            Some(DescentNotes { lambda, relaxed }) => context.hardened(&relaxed, lambda, true),
            None => winner.tree.clone(),
        })))
    }

    fn nothing(&self) -> Tree {
        self.context.root()
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }

    fn relaxed_answers(&self, outcome: &Outcome, rows: &Design) -> Option<Vec<Vec<f64>>> {
        let Context { shape, objective, units, train, .. } = &*self.context;
        let DescentNotes { relaxed, .. } = outcome.notes.read()?;
        let transform = match &train.goal {
            Goal::Classes { classes: 2, .. } => PostTransform::Logistic,
            Goal::Classes { .. } => PostTransform::Softmax,
            Goal::Numbers { .. } => PostTransform::None,
        };
        let mut workspace = Workspace::new(shape);
        let mut answer = |x: &[f32]| {
            let u = relaxed.answer(&mut workspace, shape, objective.version(), x);
            let mut values = transform.apply(u);
            if let Goal::Numbers { .. } = &train.goal {
                values.iter_mut().for_each(|value| *value = units.centre + units.scale * *value);
            }
            values
        };
        Some(rows.rows().map(&mut answer).collect())
    }
}
