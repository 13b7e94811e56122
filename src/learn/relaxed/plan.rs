//! The units of a training: descents from greedy trees and from random starts; then the leaves of the best tree answer
//! for all samples.

use std::sync::Arc;

use super::Config;
use super::descent::{Descent, Ground, Relaxed};
use super::model::Workspace;
use super::samples::{Goal, Samples, Units, class_weights};
use crate::encode::{Design, Labels};
use crate::learn::{Columns, Once, Outcome, Plan, Unit};
use crate::tree::{PostTransform, Tree};

/// The plan of a training.
pub struct RelaxedPlan {
    ground: Arc<Ground>,
}

impl RelaxedPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: &Config, columns: &Columns, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> RelaxedPlan {
        let units = match &train.y {
            Labels::Values(values) => Units::of(values),
            Labels::Classes { .. } => Units { centre: 0.0, scale: 1.0 },
        };
        let weight = class_weights(&train.y, config.balance);
        let (train, valid) = (Samples::of(train, units, &weight), Samples::of(valid, units, &weight));
        RelaxedPlan::of(Ground::new(config, columns, train, valid, units, seed))
    }

    /// A plan for a goal that labels cannot state: several numbers.
    pub fn of(ground: Ground) -> RelaxedPlan {
        RelaxedPlan { ground: Arc::new(ground) }
    }
}

impl Plan for RelaxedPlan {
    fn units(&self) -> u32 {
        self.ground.restarts
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        Box::new(Descent::new(self.ground.clone(), index))
    }

    fn last(&self, winner: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        // Validation has had its say, and its samples count in the leaves.
        let ground = self.ground.clone();
        Some(Box::new(Once::new(winner.clone(), move |winner| {
            let (lambda, relaxed) = Relaxed::from_notes(&winner.notes, ground.shape.nodes());
            ground.hardened(&relaxed, lambda, true)
        })))
    }

    fn nothing(&self) -> Tree {
        // No split is kept, so the root answers.
        let shape = &self.ground.shape;
        let relaxed = Relaxed { theta: vec![0.0; shape.numbers()], a: vec![0.0; shape.nodes()], scale: 1.0 };
        self.ground.hardened(&relaxed, 0.0, false)
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }

    fn relaxed_answers(&self, outcome: &Outcome, rows: &Design) -> Option<Vec<Vec<f64>>> {
        let Ground { shape, recipe, units, train, .. } = &*self.ground;
        let (_, relaxed) = Relaxed::from_notes(&outcome.notes, shape.nodes());
        let transform = match &train.goal {
            Goal::Classes { classes: 2, .. } => PostTransform::Logistic,
            Goal::Classes { .. } => PostTransform::Softmax,
            Goal::Numbers { .. } => PostTransform::None,
        };
        let mut workspace = Workspace::new(shape);
        let mut answer = |x: &[f32]| {
            let u = workspace.answer(shape, &relaxed.theta, relaxed.scale, recipe.version, &relaxed.a, x);
            let mut values = transform.apply(u);
            if let Goal::Numbers { .. } = &train.goal {
                values.iter_mut().for_each(|value| *value = units.centre + units.scale * *value);
            }
            values
        };
        Some(rows.rows().map(&mut answer).collect())
    }
}
