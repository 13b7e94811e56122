//! One descent with what we add to it, stage by stage.
//!
//! | stage | as published |
//! | --- | --- |
//! | a greedy tree grows, and the descent begins at it ([`greedy_start`]) | off: the start is random |
//! | batches and the end of each epoch ([`Descent`]), under [`Restraints`] | the same |
//! | the best hard tree of all epochs is kept ([`Context::measured`]) | the best relaxed tree |
//! | planes settle on columns that the file can express (`ours::expressible`) | the same |
//!
//! A step of the unit is one piece of one stage.

mod report;

use std::sync::Arc;

use super::context::Context;
use super::course::Course;
use super::greedy::{self, Greedy};
use super::greedy_start;
use super::hardened::{Measured, SHRINKAGE};
use super::restraints::Restraints;
use crate::learn::relaxed::paper::descent::{Descent, Event, Stride};
use crate::learn::relaxed::paper::inference::Relaxed;
use crate::learn::relaxed::paper::start;
use crate::learn::relaxed::paper::stopping::Plateau;
use crate::learn::{Notes, Outcome, Pace, StopReason, Unit};
use crate::numeric::random::Random;
use crate::numeric::slices::Task;
use crate::tree::Tree;

pub use report::DescentNotes;

/// The learning rate after a greedy start, as a share of the usual rate: the tree is good already.
const GREEDY_RATE: f64 = 0.25;
/// The factor of split scores after a greedy start.
const GREEDY_SCALE: f64 = 2.0;
/// Epochs between two trees that are shown: building one costs as much as a pass over the samples.
const EPOCHS_PER_VIEW: usize = 5;

/// A descent under way, with its stages.
pub struct StagedDescent {
    context: Arc<Context>,
    descent: Descent,
    restraints: Restraints,
    /// Whether it began at a greedy tree.
    greedy: bool,
    index: u32,
    epoch: usize,
    plateau: Plateau,
    /// The best tree so far: the epoch that ended with it, and the tree.
    best: Option<(u32, Relaxed)>,
    stop: Option<StopReason>,
    /// The epoch of the last tree that was shown.
    shown: usize,
    /// The greedy tree that it begins at, while that grows.
    growing: Option<Task<Greedy>>,
    /// What is left to do at the end of an epoch.
    ending: Option<Ending>,
}

/// What follows the published end of an epoch.
#[derive(Debug, Clone, Copy)]
enum Ending {
    /// With the loss of the relaxed tree on the validation samples.
    Judge(f64),
    Settle,
}

impl StagedDescent {
    /// Begins at the start of an index.
    pub fn new(context: Arc<Context>, index: u32) -> StagedDescent {
        let mut random = Random::stream(context.seed, &format!("relaxed {index}"));
        let shape = &context.shape;
        let theta = start::parameters(shape, &context.train.design, context.scores, &mut random);
        let greedy = index < context.greedy;
        let growing = greedy.then(|| {
            let context = context.clone();
            Task::new(async move {
                greedy::grow(&context.shape, &context.train, &context.groups, index == 1).await
            })
        });
        StagedDescent {
            descent: Descent::new(shape, context.train.len(), theta, context.course.scale[0], random),
            restraints: Restraints::new(context.prune_below),
            greedy,
            index,
            epoch: 0,
            plateau: Plateau::new(if context.by_hard { 0.0 } else { Plateau::PUBLISHED }),
            best: None,
            stop: None,
            shown: 0,
            growing,
            ending: None,
            context,
        }
    }

    /// Begins at a greedy tree.
    fn begin_at(&mut self, tree: &Greedy) {
        let shape = &self.context.shape;
        greedy_start::begin_at(shape, tree, &self.context.train, &mut self.descent.theta);
        self.restraints.free_only(shape, &tree.free);
        self.descent.now.theta.clone_from(&self.descent.theta);
    }

    /// The factor of split scores in this epoch: from the first to the last value in equal ratios.
    fn scale(&self) -> f64 {
        let Course { scale: [first, last], epochs, .. } = self.context.course;
        let first = if self.greedy { GREEDY_SCALE.min(last) } else { first };
        let share = self.epoch as f64 / (epochs.max(2) - 1) as f64;
        first * libm::pow(last / first, share.min(1.0))
    }

    /// The learning rate of this epoch: half a cosine, or as published.
    fn rate(&self) -> f64 {
        let course = &self.context.course;
        if !course.falling {
            return self.plateau.rate(course.rate);
        }
        let share = self.epoch as f64 / course.epochs.max(1) as f64;
        let whole = course.rate * if self.greedy { GREEDY_RATE } else { 1.0 };
        whole * (1.0 + libm::cos(std::f64::consts::PI * share)) / 2.0
    }

    /// A piece of the greedy tree, a step of the published descent, or a piece of what follows an epoch.
    fn advance(&mut self, pace: &mut Pace) {
        if let Some(task) = &mut self.growing {
            if let Some(tree) = task.advance() {
                self.growing = None;
                self.begin_at(&tree);
            }
            return;
        }
        self.ending = match self.ending.take() {
            Some(Ending::Judge(loss)) => self.judge(loss, pace),
            Some(Ending::Settle) => {
                self.settle();
                None
            }
            None => self.descend(),
        };
    }

    /// A step of the published descent.
    fn descend(&mut self) -> Option<Ending> {
        let context = self.context.clone();
        let stride = Stride { batch: context.course.batch, rate: self.rate(), scale: self.scale() };
        // The planes of a greedy start rest at first, while the predictor finds its numbers.
        self.restraints.rest =
            if self.greedy && self.epoch < context.course.rest { context.shape.eta_at() } else { 0 };
        match self.descent.step(context.setup(), stride, &self.restraints) {
            Event::Moved => None,
            Event::EpochEnded(loss) => Some(Ending::Judge(loss)),
            Event::Diverged => {
                self.stop = Some(StopReason::Diverged);
                None
            }
        }
    }

    /// Keeps the tree of the epoch if it is the best, and says so.
    fn judge(&mut self, loss: f64, pace: &mut Pace) -> Option<Ending> {
        let context = self.context.clone();
        let measured = context.measured(&self.descent.now);
        (pace.epoch_ended, pace.train_loss) = (true, Some(measured.train));
        pace.valid_loss = (!context.valid.is_empty()).then_some(measured.valid);
        let settled = context.groups.are_free() || self.restraints.settled();
        let counts = settled && (self.greedy || self.epoch >= context.course.ripe);
        self.epoch += 1;
        let improved = counts && self.plateau.improves(if context.by_hard { measured.judged } else { loss });
        if improved {
            self.best = Some((self.epoch as u32, self.descent.now.clone()));
        }
        pace.improved = improved && self.epoch >= self.shown + EPOCHS_PER_VIEW;
        if pace.improved {
            self.shown = self.epoch;
        }
        if !settled && self.epoch >= context.course.settle {
            return Some(Ending::Settle);
        }
        self.close();
        None
    }

    /// Settles the planes. The frozen tree follows at once: a caller may look at it before the next epoch has
    /// ended.
    fn settle(&mut self) {
        let context = self.context.clone();
        let free = context.groups.settle(&context.shape, &mut self.descent.theta, &context.train.design);
        self.restraints.free_only(&context.shape, &free);
        self.descent.freeze_again(context.setup(), &self.restraints);
        self.close();
    }

    /// Ends the descent after its last epoch.
    fn close(&mut self) {
        let course = &self.context.course;
        if self.epoch >= course.epochs {
            self.stop = Some(StopReason::EpochLimit);
        } else if self.plateau.idle >= course.patience {
            self.stop = Some(StopReason::NoImprovement);
        }
        if self.stop.is_some() && self.best.is_none() {
            // Too few epochs to settle before the last one: the last one is settled as it is.
            self.best = Some((self.epoch as u32, self.settled()));
        }
    }

    /// The relaxed tree of the last epoch, with planes settled.
    fn settled(&self) -> Relaxed {
        let mut now = self.descent.now.clone();
        if !self.context.groups.are_free() && !self.restraints.settled() {
            self.context.groups.settle(&self.context.shape, &mut now.theta, &self.context.train.design);
        }
        now
    }
}

impl Unit for StagedDescent {
    fn step(&mut self) -> Pace {
        let mut pace = Pace::default();
        if self.stop.is_none() {
            self.advance(&mut pace);
        }
        let epochs = self.context.course.epochs.max(1) as f64;
        let judging = matches!(self.ending, Some(Ending::Judge(_)));
        let within = if judging { 1.0 } else { self.descent.share_of_epoch() };
        Pace {
            epoch: self.epoch as u32,
            share: if self.stop.is_some() { 1.0 } else { ((self.epoch as f64 + within) / epochs).min(1.0) },
            stop: self.stop,
            phase: self.phase(),
            ..pace
        }
    }

    fn current(&self) -> Tree {
        if self.growing.is_some() {
            // There is no start yet, and settling random planes would take longer than all scores.
            return self.context.root();
        }
        self.context.hardened(&self.settled(), SHRINKAGE, false)
    }

    fn keeping(&self) -> Vec<f32> {
        if self.growing.is_some() {
            return vec![1.0];
        }
        let now = self.settled();
        let (_, places) = self.context.hardened_traced(&now, SHRINKAGE, false);
        places.into_iter().map(|t| now.a[t] as f32).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        let (epoch, relaxed) = self.best.as_ref()?;
        let Measured { least, lambda, valid, .. } = self.context.measured(relaxed);
        let tree = self.context.hardened(relaxed, lambda, false);
        let notes = Notes::of(&DescentNotes { lambda, relaxed: relaxed.clone() });
        let kept = self.kept(*epoch);
        Some(Outcome { tree, score: -least, loss: Some(valid), epoch: *epoch, stop: self.stop, kept, notes })
    }
}
