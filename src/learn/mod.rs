//! The learners, behind one trait, driven step by step by their caller.
//!
//! A learner knows no file, no message and no clock. It works on a [`Design`], counts its own steps, and gives a hard
//! [`Tree`] in design space whenever it is asked. What was asked for is a [`Settings`]: hyper-parameters set by hand
//! and a [`Recipe`] for all others, resolved to a [`Config`] once the target is known. That is checked once, by
//! [`Config::check`]; code behind the check trusts it. To add a learner: a module with a `Config` that lists its
//! parameters and a type that implements [`Training`], then a line in each `match` of this file.

pub mod cart;
pub mod forest;
pub mod get;
pub mod gradtree;
mod kept;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
pub mod kmeans;
mod outcome;
mod params;
mod passed;
mod phase;
mod recipe;
mod regression;
pub mod relaxed;
mod sequence;
mod settings;
mod units;

use std::sync::Arc;

use crate::encode::{Categories, Design, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result, listed, quoted};
use crate::numeric::pinball::Pinball;
use crate::tree::{PostTransform, Tree};

pub use kept::{Chosen, Judges, Kept, Measure, Start};
pub use outcome::{Found, Outcome};
pub(crate) use params::words;
pub use params::{Domain, Entry, Param, Params, Slot, Value, Words};
pub use passed::{Moment, Passed};
pub use phase::{On, Phase, Work};
pub use recipe::{Recipe, TargetKind};
pub use regression::RegressionLoss;
pub use sequence::Sequence;
pub use settings::Settings;
pub use units::{Once, Pace, Plan, Unit};

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
    /// Training loss of the last epoch, each row counting the same: of the tree as it is read, or of the soft tree
    /// where one is trained.
    pub train_loss: Option<f64>,
    /// Validation loss of the same tree, each row counting the same: the log loss for classes, the squared error in
    /// units of the target's variance for numbers. All units of a training show the same loss.
    pub valid_loss: Option<f64>,
    /// The same loss of the best tree so far, over all restarts; on the training rows where a soft tree is trained.
    pub best_loss: Option<f64>,
    /// The epoch that the best tree was seen at.
    pub best_epoch: u32,
    /// The restart that it was seen in, from 0.
    pub best_restart: u32,
    /// What the training is doing.
    pub phase: Phase,
    /// Whether all units have ended, and what is done with the chosen tree is at work.
    pub finishing: bool,
    /// Loss of the tree as it is read, for learners that train a soft one: the gap to `train_loss` is what hardening costs.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::Grown => "grown",
            StopReason::NoImprovement => "no_improvement",
            StopReason::EpochLimit => "epoch_limit",
            StopReason::Diverged => "diverged",
        }
    }
}

/// A run that its caller drives: it counts steps and never looks at a clock.
pub trait Training: Send {
    /// A small piece of work: a node of a greedy tree, or a slice of a large one; a batch of a gradient tree. Does
    /// nothing once the run has ended.
    fn step(&mut self) -> Progress;

    /// Where the run is.
    fn progress(&self) -> Progress;

    /// The tree the parameters stand for now, in design space, without branches that no training sample reaches.
    fn current(&self) -> Tree;

    /// The best tree so far, in design space, likewise pruned: the result once the run has ended.
    fn best(&self) -> Tree;

    /// A tree of this run as the real training samples find it, encoded as new ones are (`rows`): branches that none of them
    /// reaches are cut. Called where samples were trained on in another encoding, or together with synthetic ones; what was
    /// learned in the leaves stays, for early stopping has judged it on validation samples encoded as new ones. A learner
    /// whose answers are statistics of its samples takes them anew here, if it asks for such an encoding.
    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        tree.without_empty_branches(rows.rows()).without_idle_splits()
    }

    /// What turns the leaves' outputs into probabilities or numbers.
    fn post_transform(&self) -> PostTransform;

    /// The best tree as validation chose it, before a last stage refitted it with the validation samples too. What it scores on
    /// them is an honest score; what [`Training::best`] scores there is not, once it has learned from them.
    fn chosen(&self) -> Tree {
        self.best()
    }

    /// Hyper-parameters that validation has chosen so far, where the configuration leaves them to it.
    fn decided(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Where [`Training::best`] came from.
    fn kept(&self) -> Kept;

    /// The best tree that descent alone made, where [`Training::best`] is another one: see [`Kept::is_descent_alone`].
    /// It is chosen by the same rule among those units, and refitted as the result is. None for learners that do not
    /// descend, and where no unit started at random.
    fn descent_alone(&self) -> Option<Alone> {
        None
    }

    /// Epochs from one frame of the training's film to the next, at least: a learner whose epochs are many and short asks for more than
    /// one, so that being filmed does not cost more than the training.
    fn epochs_per_frame(&self) -> usize {
        1
    }

    /// How the splits of [`Training::current`] choose their features, one entry per split that still has a choice to show.
    fn choices(&self) -> Vec<NodeChoice> {
        Vec::new()
    }

    /// How much of each node of [`Training::current`] is kept, 0 to 1: its pruning variable. Empty for learners that do not prune
    /// while they learn.
    fn keeping(&self) -> Vec<f32> {
        Vec::new()
    }

    /// The independent units this training consists of, if it does: others may borrow them by [`Training::lend`].
    fn plan(&self) -> Option<Arc<dyn Plan>> {
        None
    }

    /// Gives away a unit of the plan that has not begun; none if there is no such unit. It is not run here, and the training does
    /// not end, until it is brought back.
    fn lend(&mut self) -> Option<u32> {
        None
    }

    /// Takes back a unit that was lent, with what it found, or without (none): then it is run here, or lent again.
    fn take(&mut self, _index: u32, _found: Option<Found>) {}

    /// What the relaxed model behind [`Training::best`] answers, for learners whose tree is read hard only in the end: one
    /// list of probabilities, or a number, per sample. The difference of the scores is what hardening cost.
    fn relaxed_answers(&self, _rows: &Design) -> Option<Vec<Vec<f64>>> {
        None
    }
}

/// The best tree of descent alone, beside another result.
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
#[derive(Debug, Clone, PartialEq)]
pub struct NodeChoice {
    /// Position of the split in [`Training::current`].
    pub node: usize,
    /// The leading features with their shares of the choice, the largest first.
    pub leading: Vec<(usize, f32)>,
    /// Whether one feature has the whole share: then no gradient reaches the choice any more.
    pub locked: bool,
}

/// A learner with the value of every hyper-parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Config {
    /// The greedy baseline.
    Cart(cart::Config),
    /// Gradient descent on a hard, axis-aligned tree.
    GradTree(gradtree::Config),
    /// Gradient descent on a soft, oblique tree that is read hard.
    Get(get::Config),
    /// Gradient descent through the solution of a relaxed tree, which learns its own size.
    Relaxed(relaxed::Config),
}

/// A learner whose hyper-parameters have been checked against the data.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked(Config);

/// How large an encoded table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Training samples.
    pub train: usize,
    /// Validation samples.
    pub valid: usize,
    /// Encoded columns.
    pub features: usize,
}

/// What the encoded columns are, for learners whose splits sum several of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Columns {
    /// Those that may not be summed with others: a category has no place in a weighted sum.
    pub apart: Vec<usize>,
    /// The file's column behind each; empty where each stands for itself.
    pub feature: Vec<usize>,
}

/// What a learner is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Learner {
    /// The key in settings and on the command line.
    pub key: &'static str,
    /// The name people read.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
}

/// Most numbers a tree may be made of while it is learned.
const MOST_NUMBERS: usize = 1 << 21;

/// Refuses a tree that is made of too many numbers.
pub(crate) fn check_size(depth: u32, features: usize, numbers: usize) -> Result<()> {
    if numbers <= MOST_NUMBERS {
        return Ok(());
    }
    let message = format!(
        "A tree of depth {depth} over {features} encoded columns has {numbers} numbers to learn; {MOST_NUMBERS} is the most."
    );
    Err(Error::new(Code::BadValue, message, "Choose a smaller depth, or leave out columns."))
}

/// All learners.
pub const LEARNERS: &[Learner] = &[
    Learner {
        key: "gradtree",
        name: "GradTree",
        help: "One column per split. Gradient descent moves all splits together, from a greedy tree that a forest \
               taught and from random starts; held-out rows choose.",
    },
    Learner {
        key: "get",
        name: "GET",
        help: "Weighted sums of columns as splits. Gradient descent moves the whole tree, soft first and hard in the \
               end, from greedy trees and from random starts; validation chooses.",
    },
    Learner {
        key: "get-linear",
        name: "GET-Linear",
        help: "GET with a linear model in every leaf, for numbers; a tree may be taught by the others and a forest.",
    },
    Learner {
        key: "relaxed",
        name: "Relaxed tree",
        help: "Weighted sums of columns as splits. The tree learns its own size by gradient descent, from greedy trees \
               and from random starts.",
    },
    Learner { key: "cart", name: "CART", help: "The greedy baseline: each split is the best one at that moment." },
];

impl Config {
    /// A learner's values under the default recipe, as they are before the target is known.
    pub fn new(key: &str) -> Result<Config> {
        Config::of(key, Recipe::default(), TargetKind::Number)
    }

    /// A learner's values under a recipe, for a target.
    pub fn of(key: &str, recipe: Recipe, target: TargetKind) -> Result<Config> {
        match key {
            "cart" => Ok(Config::Cart(cart::Config::of(recipe))),
            "gradtree" => Ok(Config::GradTree(gradtree::Config::of(recipe, target))),
            "get" | "get-linear" => Ok(Config::Get(get::Config::of(key == "get-linear", recipe))),
            "relaxed" => Ok(Config::Relaxed(relaxed::Config::of(recipe))),
            _ => Err(Error::new(
                Code::UnknownModel,
                format!("There is no model called {}.", quoted(key)),
                format!("Choose one of {}.", listed(LEARNERS.iter().map(|learner| learner.key))),
            )),
        }
    }

    /// Gives hyper-parameters that were not said the values that follow from those that were.
    fn follow(&mut self, target: TargetKind, said: &dyn Fn(&str) -> bool) {
        match self {
            Config::GradTree(config) => config.follow(target, said),
            Config::Get(config) => config.follow(target, said),
            Config::Cart(_) | Config::Relaxed(_) => {}
        }
    }

    /// The values with which a table of a size is learned: where one leaves it to the size, what that comes to. A file
    /// records these.
    pub fn sized(&self, size: Size) -> Config {
        match self {
            Config::Cart(_) => self.clone(),
            Config::GradTree(config) => Config::GradTree(config.sized(size)),
            Config::Get(config) => Config::Get(config.sized(size)),
            Config::Relaxed(config) => Config::Relaxed(config.sized(size)),
        }
    }

    /// The learner's key.
    pub fn key(&self) -> &'static str {
        match self {
            Config::Cart(_) => "cart",
            Config::GradTree(_) => "gradtree",
            Config::Get(config) => config.key(),
            Config::Relaxed(_) => "relaxed",
        }
    }

    /// How the learner wants its design matrix.
    pub fn wants(&self) -> Wants {
        match self {
            Config::Cart(_) => Wants {
                scale: Scale::None,
                quantile_noise: 0.0,
                missing: Missing::Keep,
                // Without its own outcome a sample of a category is encoded by its class: lower if it has the class that is
                // counted. Gradients pass over that small step, but a greedy search takes it at once, and learns nothing.
                categories: Categories::Mean,
                resample: Resample::None,
                validation: false,
            },
            Config::GradTree(config) => config.wants(),
            Config::Get(config) => config.wants(),
            Config::Relaxed(config) => config.wants(),
        }
    }

    /// Whether the finished tree is fitted to training and validation samples together.
    pub fn refits(&self) -> bool {
        match self {
            Config::Cart(_) => false,
            Config::GradTree(config) => config.refit,
            Config::Get(config) => config.refines() || config.tunes(),
            Config::Relaxed(_) => true,
        }
    }

    /// Refuses a table without validation samples where the learner cannot do without.
    pub fn check_valid(&self, valid: usize) -> Result<()> {
        match self {
            Config::Get(config) if config.tunes() && valid == 0 => Err(Error::new(
                Code::TooFewRows,
                format!("{} chooses its depth by validation, but there is no validation row.", config.key()),
                "Keep some rows for validation, or set a depth.",
            )),
            _ => Ok(()),
        }
    }

    /// The loss that regression minimises, unless it is the squared error.
    pub fn pinball(&self) -> Option<Pinball> {
        match self {
            Config::Cart(config) => config.pinball(),
            Config::GradTree(config) => config.pinball(),
            Config::Get(_) | Config::Relaxed(_) => None,
        }
    }

    /// The hyper-parameters with their present values.
    pub fn params(&self) -> Vec<Param> {
        self.clone().as_params().entries().iter().map(Entry::param).collect()
    }

    /// Sets a hyper-parameter. An unknown key or a value out of range is an error that says what is known.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        self.place(key, value).map(|_| ())
    }

    /// The same; returns the key.
    fn place(&mut self, key: &str, value: &Value) -> Result<&'static str> {
        let model = self.key();
        params::set(self.as_params(), model, key, value)
    }

    fn as_params(&mut self) -> &mut dyn Params {
        match self {
            Config::Cart(config) => config,
            Config::GradTree(config) => config,
            Config::Get(config) => config,
            Config::Relaxed(config) => config,
        }
    }

    /// Checks the hyper-parameters against the data, once; what follows trusts them.
    pub fn check(self, train: &Design) -> Result<Checked> {
        match &self {
            Config::Cart(config) => config.check(train)?,
            Config::GradTree(config) => config.check(train)?,
            #[cfg(feature = "study")]
            Config::Get(config) => config.check(train)?,
            #[cfg(feature = "study")]
            Config::Relaxed(config) => config.check(train)?,
            #[cfg(not(feature = "study"))]
            Config::Get(_) | Config::Relaxed(_) => {
                let hint = "Reload the page; if that does not help, choose another learner.";
                return Err(Error::new(Code::BadRequest, "This learner is in the page's second module.", hint));
            }
        }
        Ok(Checked(self))
    }
}

impl Checked {
    /// Begins a training in which any columns may be summed. `valid` has the same features as `train`; a learner that
    /// wants no validation part ignores it.
    pub fn start(&self, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Box<dyn Training> {
        self.start_with(Columns::default(), train, valid, seed)
    }

    /// The same, with what is known of the columns.
    #[cfg_attr(not(feature = "study"), allow(unused_variables))]
    pub fn start_with(&self, columns: Columns, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Box<dyn Training> {
        match &self.0 {
            Config::Cart(config) => Box::new(cart::Growth::new(config.clone(), train)),
            Config::GradTree(config) => {
                let plan = gradtree::GradPlan::new(config.clone(), train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(feature = "study")]
            Config::Get(config) if config.tunes() => Box::new(get::Tuned::new(config, columns, train, valid, seed)),
            #[cfg(feature = "study")]
            Config::Get(config) => {
                let plan = get::GetPlan::new(config.clone(), &columns, train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(feature = "study")]
            Config::Relaxed(config) => {
                let plan = relaxed::RelaxedPlan::new(config, &columns, train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(not(feature = "study"))]
            Config::Get(_) | Config::Relaxed(_) => unreachable!("the check refuses it here"),
        }
    }

    /// The learner with its hyper-parameters.
    pub fn config(&self) -> &Config {
        &self.0
    }
}
