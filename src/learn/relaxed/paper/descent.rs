//! Training: epochs of mini-batches moved by QHAdam; after each epoch the pruning variables are solved for on
//! all training samples, frozen, and the tree is measured on the validation samples.
//!
//! [`Descent::step`] does one batch or one pass of the end of an epoch, in this order:
//!
//! 1. a batch: forward ([`Workspace::descend`]), backward, one step of the optimiser; until all samples were
//!    used once;
//! 2. all training samples pass down the tree;
//! 3. Algorithm 1 solves for the pruning variables, which are frozen;
//! 4. the loss on the validation samples ends the epoch.
//!
//! The caller decides what an epoch's loss means: [`Plateau`](super::stopping::Plateau) is the published
//! rule.

use super::batch::Workspace;
use super::inference::Relaxed;
use super::objective::Objective;
use super::parameters::Shape;
use super::samples::Samples;
use crate::numeric::optim::QhAdam;
use crate::numeric::random::Random;

/// What is to be learned, and from what.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The tree.
    pub shape: &'a Shape,
    /// What is minimised.
    pub objective: &'a dyn Objective,
    /// Samples to learn from.
    pub train: &'a Samples,
    /// Samples to measure epochs on; may be none.
    pub valid: &'a Samples,
}

impl<'a> Setup<'a> {
    /// The validation samples, or the training samples where there are none.
    pub fn judges(&self) -> &'a Samples {
        if self.valid.is_empty() { self.train } else { self.valid }
    }
}

/// The numbers of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stride {
    /// Samples per batch.
    pub batch: usize,
    /// The learning rate.
    pub rate: f64,
    /// The factor of all split scores: 1 as published.
    pub scale: f64,
}

/// Where a step may be changed. As published nothing is.
pub trait Additions {
    /// After the backward pass.
    fn change_gradient(&self, _gradient: &mut [f64]) {}
    /// After the optimiser's step.
    fn change_theta(&self, _theta: &mut [f64]) {}
    /// Before the pruning variables are frozen.
    fn change_pruning(&self, _a: &mut [f64]) {}
}

/// No additions.
pub struct AsPublished;

impl Additions for AsPublished {}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A part of an epoch.
    Moved,
    /// An epoch ended with this loss of the frozen tree on the validation samples.
    EpochEnded(f64),
    /// A loss or a parameter is not finite.
    Diverged,
}

/// A training under way.
pub struct Descent {
    /// θ: all that is learned.
    pub theta: Vec<f64>,
    /// The frozen tree of the last epoch; the start before the first.
    pub now: Relaxed,
    gradient: Vec<f64>,
    optimiser: QhAdam<f64>,
    workspace: Workspace,
    random: Random,
    order: Vec<u32>,
    /// Samples of this epoch that were used.
    used: usize,
    /// What is left to do at the end of the epoch.
    ending: Option<Ending>,
}

#[derive(Debug, Clone, Copy)]
enum Ending {
    Pass,
    Freeze,
    Measure,
}

impl Descent {
    /// Begins at parameters; nothing is pruned yet.
    pub fn new(shape: &Shape, samples: usize, theta: Vec<f64>, scale: f64, random: Random) -> Descent {
        Descent {
            now: Relaxed { theta: theta.clone(), a: vec![1.0; shape.nodes()], scale },
            theta,
            gradient: vec![0.0; shape.numbers()],
            optimiser: QhAdam::new(shape.numbers()),
            workspace: Workspace::new(shape),
            random,
            order: (0..samples as u32).collect(),
            used: 0,
            ending: None,
        }
    }

    /// One batch, or one pass of the end of an epoch.
    pub fn step(&mut self, setup: Setup, stride: Stride, additions: &dyn Additions) -> Event {
        match self.ending.take() {
            None => {
                if !self.batch(setup, stride, additions).is_finite() {
                    return Event::Diverged;
                }
                self.ending = (self.used == 0).then_some(Ending::Pass);
            }
            Some(Ending::Pass) => {
                self.pass(setup, stride.scale);
                self.ending = Some(Ending::Freeze);
            }
            Some(Ending::Freeze) => {
                self.freeze(setup, stride.scale, additions);
                self.ending = Some(Ending::Measure);
            }
            Some(Ending::Measure) => {
                let version = setup.objective.version();
                let loss = self.now.loss(&mut self.workspace, setup.shape, version, setup.judges());
                let finite = loss.is_finite() && self.now.theta.iter().all(|number| number.is_finite());
                return if finite { Event::EpochEnded(loss) } else { Event::Diverged };
            }
        }
        Event::Moved
    }

    /// One step of the optimiser; the loss of its batch. Samples are shuffled at the start of an epoch.
    fn batch(&mut self, setup: Setup, stride: Stride, additions: &dyn Additions) -> f64 {
        if self.used == 0 {
            self.random.shuffle(&mut self.order);
        }
        let end = (self.used + stride.batch).min(self.order.len());
        let batch = &self.order[self.used..end];
        let Setup { shape, objective, train, .. } = setup;
        let loss = self.workspace.descend(
            shape,
            &self.theta,
            stride.scale,
            objective,
            train,
            batch,
            &mut self.gradient,
        );
        additions.change_gradient(&mut self.gradient);
        self.optimiser.step(&mut self.theta, &self.gradient, stride.rate);
        additions.change_theta(&mut self.theta);
        self.used = end % self.order.len();
        loss
    }

    fn pass(&mut self, setup: Setup, scale: f64) {
        let rows = setup.train.design.rows();
        self.workspace.pass(setup.shape, &self.theta, scale, setup.objective, rows);
    }

    /// Freezes the pruning variables of the samples that were passed down.
    fn freeze(&mut self, setup: Setup, scale: f64, additions: &dyn Additions) {
        self.workspace.solve(setup.shape, &self.theta, setup.objective);
        let mut a = self.workspace.pruning.a.clone();
        additions.change_pruning(&mut a);
        self.now = Relaxed { theta: self.theta.clone(), a, scale };
    }

    /// Freezes the pruning variables on all training samples again, after a change of θ.
    pub fn freeze_again(&mut self, setup: Setup, additions: &dyn Additions) {
        let scale = self.now.scale;
        self.pass(setup, scale);
        self.freeze(setup, scale, additions);
    }

    /// The share of this epoch that is done, its end not counted.
    pub fn share_of_epoch(&self) -> f64 {
        if self.ending.is_some() { 1.0 } else { self.used as f64 / self.order.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::objective::Published;
    use super::super::predictor::Predictor;
    use super::super::samples::Goal;
    use super::super::start::{self, Scores};
    use super::super::stopping::Plateau;
    use super::super::traversal::Version;
    use super::*;
    use crate::encode::{Design, Labels};
    use nalgebra::DMatrix;

    /// The whole published training, from this folder alone.
    #[test]
    fn the_published_training_needs_no_additions() {
        let mut random = Random::new(4);
        let samples = |rows: usize, random: &mut Random| {
            let x = DMatrix::from_fn(2, rows, |_, _| random.normal() as f32);
            let values = x.column_iter().map(|x| if x[0] < x[1] { 1.0 } else { -1.0 }).collect();
            let design = Arc::new(Design { x, y: Labels::Values(vec![0.0; rows]) });
            Samples { design, goal: Goal::Numbers { values, outputs: 1 } }
        };
        let (train, valid) = (samples(200, &mut random), samples(100, &mut random));
        let shape = Shape { depth: 2, features: 2, outputs: 1, predictor: Predictor::Traversal };
        let objective = Published { version: Version::A, kappa: Some(1.0), lambda: 1e-3 };
        let setup = Setup { shape: &shape, objective: &objective, train: &train, valid: &valid };
        let theta = start::parameters(&shape, &train.design, Scores::Uniform, &mut random);
        let mut descent = Descent::new(&shape, train.len(), theta, 1.0, random);
        let (mut plateau, mut losses) = (Plateau::new(Plateau::PUBLISHED), vec![]);
        while losses.len() < 60 && plateau.idle < 10 {
            let stride = Stride { batch: 20, rate: plateau.rate(0.02), scale: 1.0 };
            match descent.step(setup, stride, &AsPublished) {
                Event::Moved => {}
                Event::EpochEnded(loss) => {
                    plateau.improves(loss);
                    losses.push(loss);
                }
                Event::Diverged => panic!("it diverged after {losses:?}"),
            }
        }
        let (first, last) = (losses[0], losses[losses.len() - 1]);
        assert!(last < 0.5 * first && last < 0.4, "{losses:?}");
        assert!(descent.now.a.iter().all(|a| (0.0..=1.0).contains(a)));
    }
}
