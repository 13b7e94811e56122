//! The trait that every learner implements, and what it tells while it runs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::parallel::{Found, Plan};
use super::{Kept, Phase, Value};
use crate::encode::Design;
use crate::tree::{PostTransform, Tree};

/// Where a training is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Steps so far, over all restarts.
    pub step: u64,
    /// Epochs ended so far in this restart.
    pub epoch: u32,
    /// This restart, from 0.
    pub restart: u32,
    /// The number of restarts, at least 1.
    pub restarts: u32,
    /// Whether the last step ended an epoch: then the two losses are those of that epoch.
    pub epoch_ended: bool,
    /// Training loss of the last epoch, each row counting the same: of the tree as it is read, or of the soft
    /// tree where one is trained.
    pub train_loss: Option<f64>,
    /// Validation loss of the same tree, each row counting the same: the log loss for classes, the squared
    /// error in units of the target's variance for numbers. All units of a training show the same loss.
    pub valid_loss: Option<f64>,
    /// The same loss of the best tree so far, over all restarts; on the training rows where a soft tree is
    /// trained.
    pub best_loss: Option<f64>,
    /// The epoch that the best tree was seen at.
    pub best_epoch: u32,
    /// The restart that it was seen in, from 0.
    pub best_restart: u32,
    /// What the training is doing.
    pub phase: Phase,
    /// Whether all units have ended, and what is done with the chosen tree is at work.
    pub finishing: bool,
    /// Loss of the tree as it is read, for learners that train a soft one: the gap to `train_loss` is what
    /// hardening costs.
    pub hard_loss: Option<f64>,
    /// How steep the soft tree is now, for learners that train one: its scale factor.
    pub scale: Option<f64>,
    /// Share of the work that is surely done, 0 to 1.
    pub share: f64,
    /// Whether there is nothing to do until units that run elsewhere are brought back.
    pub waiting: bool,
    /// Why the training has ended, once it has.
    pub stop: Option<StopReason>,
}

/// Why a training ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// A greedy tree is fully grown.
    Grown,
    /// Validation loss no longer fell.
    NoImprovement,
    /// The last epoch allowed was reached.
    EpochLimit,
    /// The loss left the range of numbers in every restart; the best tree before that is kept.
    Diverged,
}

impl StopReason {
    /// The word in reports and files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            StopReason::Grown => "grown",
            StopReason::NoImprovement => "no_improvement",
            StopReason::EpochLimit => "epoch_limit",
            StopReason::Diverged => "diverged",
        }
    }
}

/// A run that its caller drives: it counts steps and never looks at a clock.
#[doc(hidden)]
pub trait Training: Send {
    /// A small piece of work: a node of a greedy tree, or a slice of a large one; a batch of a gradient tree.
    /// Does nothing once the run has ended.
    fn step(&mut self) -> Progress;

    /// Where the run is.
    fn progress(&self) -> Progress;

    /// The tree the parameters stand for now, in design space, without branches that no training sample
    /// reaches.
    fn current(&self) -> Tree;

    /// The best tree so far, in design space, likewise pruned: the result once the run has ended.
    fn best(&self) -> Tree;

    /// A tree of this run as the real training samples find it, encoded as new ones are (`rows`): branches
    /// that none of them reaches are cut. Called where samples were trained on in another encoding, or
    /// together with synthetic ones; what was learned in the leaves stays, for early stopping has judged it
    /// on validation samples encoded as new ones. A learner whose answers are statistics of its samples takes
    /// them anew here, if it asks for such an encoding.
    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        tree.without_empty_branches(rows.rows()).without_idle_splits()
    }

    /// What turns the leaves' outputs into probabilities or numbers.
    fn post_transform(&self) -> PostTransform;

    /// The best tree as validation chose it, before a last stage refitted it with the validation samples too.
    /// What it scores on them is an honest score; what [`Training::best`] scores there is not, once it has
    /// learned from them.
    fn chosen(&self) -> Tree {
        self.best()
    }

    /// Hyper-parameters that validation has chosen so far, where the configuration leaves them to it.
    fn decided(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Where [`Training::best`] came from.
    fn kept(&self) -> Kept;

    /// The best tree that descent alone made, where [`Training::best`] is another one: see
    /// [`Kept::is_descent_alone`]. It is chosen by the same rule among those units, and refitted as the
    /// result is. None for learners that do not descend, and where no unit started at random.
    fn descent_alone(&self) -> Option<Alone> {
        None
    }

    /// Epochs from one frame of the training's film to the next, at least: a learner whose epochs are many
    /// and short asks for more than one, so that being filmed does not cost more than the training.
    fn epochs_per_frame(&self) -> usize {
        1
    }

    /// How the splits of [`Training::current`] choose their features, one entry per split that still has a
    /// choice to show.
    fn choices(&self) -> Vec<NodeChoice> {
        Vec::new()
    }

    /// How much of each node of [`Training::current`] is kept, 0 to 1: its pruning variable. Empty for
    /// learners that do not prune while they learn.
    fn keeping(&self) -> Vec<f32> {
        Vec::new()
    }

    /// The independent units this training consists of, if it does: others may borrow them by
    /// [`Training::lend`].
    fn plan(&self) -> Option<Arc<dyn Plan>> {
        None
    }

    /// Gives away a unit of the plan that has not begun; none if there is no such unit. It is not run here,
    /// and the training does not end, until it is brought back.
    fn lend(&mut self) -> Option<u32> {
        None
    }

    /// Takes back a unit that was lent, with what it found, or without (none): then it is run here, or lent
    /// again.
    fn take(&mut self, _index: u32, _found: Option<Found>) {}

    /// What the relaxed model behind [`Training::best`] answers, for learners whose tree is read hard only in
    /// the end: one list of probabilities, or a number, per sample. The difference of the scores is what
    /// hardening cost.
    fn relaxed_answers(&self, _rows: &Design) -> Option<Vec<Vec<f64>>> {
        None
    }
}

/// The best tree of descent alone, beside another result.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct Alone {
    /// The tree, in design space.
    pub tree: Tree,
    /// The tree as validation chose it: see [`Training::chosen`].
    pub chosen: Tree,
    /// Where it came from.
    pub kept: Kept,
    /// The epoch that it was seen at.
    pub epoch: u32,
    /// Its loss there: see [`Outcome`].
    pub loss: Option<f64>,
}

/// How a split chooses its feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeChoice {
    /// Position of the split in [`Training::current`].
    pub node: usize,
    /// The leading features with their shares of the choice, the largest first.
    pub leading: Vec<(usize, f32)>,
    /// Whether one feature has the whole share: then no gradient reaches the choice any more.
    pub locked: bool,
}
