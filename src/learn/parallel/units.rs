//! A training made of independent units: restarts, starts from other trees, other settings.
//!
//! A [`Plan`] makes a [`Unit`] from its index alone, so units may run one after another in one
//! [`Training`](crate::learn::Training), on threads, or each in a worker of its own that holds the same plan.
//! What they find is merged by [`Outcome::beats`], a total order in which time plays no part: the result is
//! the same however they ran. A last stage may then work on the winner, or on all that was found.

use super::Outcome;
use crate::encode::Design;
use crate::learn::{NodeChoice, On, Phase, StopReason, Work};
use crate::tree::{PostTransform, Tree};

/// What a training consists of.
pub trait Plan: Send + Sync {
    /// The number of units, at least 1.
    fn units(&self) -> u32;

    /// Unit `index`, below [`Plan::units`]. It depends on the plan and the index alone.
    fn unit(&self, index: u32) -> Box<dyn Unit>;

    /// What is done with the winner, if anything. `found` has what each unit found, by index; none where it
    /// has nothing to show.
    fn last(&self, winner: &Outcome, found: &[Option<Outcome>]) -> Option<Box<dyn Unit>>;

    /// About what share of the work is the last stage's, 0 to 1.
    fn last_share(&self) -> f64 {
        0.0
    }

    /// The same for the best unit of descent alone, where another one won. `found` has only such units.
    fn alone(&self, winner: &Outcome, found: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        self.last(winner, found)
    }

    /// About what share of the work that is, 0 to 1.
    fn alone_share(&self) -> f64 {
        0.0
    }

    /// The answer before anything is known, or when every unit failed.
    fn nothing(&self) -> Tree;

    /// What turns the leaves' outputs into probabilities or numbers.
    fn post_transform(&self) -> PostTransform;

    /// See [`Training::epochs_per_frame`](crate::learn::Training::epochs_per_frame).
    fn epochs_per_frame(&self) -> usize {
        1
    }

    /// See [`Training::settle`](crate::learn::Training::settle).
    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        tree.without_empty_branches(rows.rows()).without_idle_splits()
    }

    /// See [`Training::relaxed_answers`](crate::learn::Training::relaxed_answers).
    fn relaxed_answers(&self, _outcome: &Outcome, _rows: &Design) -> Option<Vec<Vec<f64>>> {
        None
    }
}

/// A piece of a training that needs no other.
pub trait Unit: Send {
    /// A small piece of work. Does nothing once the unit has ended.
    fn step(&mut self) -> Pace;

    /// The tree it stands at, in design space, without branches that no sample reaches.
    fn current(&self) -> Tree;

    /// The best it has so far; none if there is nothing to keep.
    fn outcome(&self) -> Option<Outcome>;

    /// As a last stage: what it does first.
    fn first_phase(&self) -> Phase {
        Phase::from(Work::Refit).on(On::All)
    }

    /// As a last stage: the best tree so far; none where the winner counts until the stage has ended.
    fn best(&self) -> Option<Tree> {
        None
    }

    /// As a last stage: the tree that validation chose, once it has; none where that is the winner's.
    fn chosen(&self) -> Option<Tree> {
        None
    }

    /// See [`Training::choices`](crate::learn::Training::choices).
    fn choices(&self) -> Vec<NodeChoice> {
        Vec::new()
    }

    /// See [`Training::keeping`](crate::learn::Training::keeping).
    fn keeping(&self) -> Vec<f32> {
        Vec::new()
    }
}

/// Where a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pace {
    /// Epochs ended so far.
    pub epoch: u32,
    /// Whether the last step ended an epoch: then the two losses are those of that epoch.
    pub epoch_ended: bool,
    /// Training loss of the last epoch.
    pub train_loss: Option<f64>,
    /// Validation loss of the last epoch.
    pub valid_loss: Option<f64>,
    /// What the unit is doing.
    pub phase: Phase,
    /// Loss of the tree as it is read, where a soft one is trained; the same loss as in the outcome.
    pub hard_loss: Option<f64>,
    /// The scale factor of the soft tree, where there is one.
    pub scale: Option<f64>,
    /// Whether the last step found something better than the unit had. Units that tell their hard loss need
    /// not say so.
    pub improved: bool,
    /// Share of the unit's work that is surely done, 0 to 1.
    pub share: f64,
    /// Why the unit has ended, once it has.
    pub stop: Option<StopReason>,
}

/// A last stage of one step: the winner's tree is fitted to all samples, and all else about it stays.
pub struct Once<Work> {
    winner: Outcome,
    work: Option<Work>,
}

impl<Work: FnOnce(&Outcome) -> Tree + Send> Once<Work> {
    /// `work` makes the tree.
    pub(crate) fn new(winner: Outcome, work: Work) -> Self {
        Once { winner, work: Some(work) }
    }
}

impl<Work: FnOnce(&Outcome) -> Tree + Send> Unit for Once<Work> {
    fn step(&mut self) -> Pace {
        if let Some(work) = self.work.take() {
            self.winner.tree = work(&self.winner);
            self.winner.kept.refitted = true;
        }
        let stop = self.winner.stop.or(Some(StopReason::NoImprovement));
        Pace { epoch: self.winner.epoch, stop, share: 1.0, ..Pace::default() }
    }

    fn current(&self) -> Tree {
        self.winner.tree.clone()
    }

    fn outcome(&self) -> Option<Outcome> {
        Some(self.winner.clone())
    }
}
