//! The learners, behind one trait, driven step by step by their caller.
//!
//! A learner knows no file, no message and no clock. It works on a [`Design`], counts its own steps, and gives a hard
//! [`Tree`] in design space whenever it is asked. Its hyper-parameters are checked once, by [`Config::check`]; code behind
//! that check trusts them. To add a learner: a module with a `Config` that lists its parameters and a type that implements
//! [`Training`], then a line in each `match` of this file.

pub mod cart;
pub mod forest;
pub mod get;
pub mod gradtree;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
pub mod kmeans;
mod outcome;
mod params;
mod passed;
pub mod relaxed;
mod sequence;
mod units;

use std::fmt;
use std::sync::Arc;

use crate::encode::{Categories, Design, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result, listed, quoted};
use crate::tree::{PostTransform, Tree};

pub use outcome::{Found, Outcome};
pub(crate) use params::words;
pub use params::{Domain, Entry, Param, Params, Slot, Value, Words};
pub use passed::{Moment, Passed};
pub use sequence::Sequence;
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
    /// Training loss of the last epoch.
    pub train_loss: Option<f64>,
    /// Validation loss of the last epoch.
    pub valid_loss: Option<f64>,
    /// Least validation loss so far, over all restarts.
    pub best_loss: Option<f64>,
    /// The epoch it was seen at.
    pub best_epoch: u32,
    /// The restart it was seen in, from 0.
    pub best_restart: u32,
    /// What the training is doing, for learners that do one thing after another.
    pub phase: Phase,
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

/// What a training is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// The one thing it does.
    #[default]
    Training,
    /// A greedy tree grows, to start from.
    Greedy,
    /// A descent of this restart: the first is soft, the second steep, and a single one grows steeper.
    Descent {
        /// 0 for the first.
        run: u8,
    },
    /// The subtree below a node is searched for anew.
    Polish {
        /// The node in heap order, the root being 0.
        node: u32,
    },
    /// Validation chooses among the trees found.
    Choice,
    /// A tree learns from the mean of others.
    Lesson,
    /// The last stage: the tree is made again, or descends once more, on all rows.
    Last,
}

impl Phase {
    /// The word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Training => "training",
            Phase::Greedy => "greedy",
            Phase::Descent { .. } => "descent",
            Phase::Polish { .. } => "polish",
            Phase::Choice => "choice",
            Phase::Lesson => "lesson",
            Phase::Last => "last",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phase::Training => f.write_str("training"),
            Phase::Greedy => f.write_str("growing a tree to start from"),
            Phase::Descent { run } => write!(f, "descent {}", run + 1),
            Phase::Polish { node } => write!(f, "polishing node {node}"),
            Phase::Choice => f.write_str("choosing by validation"),
            Phase::Lesson => f.write_str("one tree learns from the others"),
            Phase::Last => f.write_str("last stage, on all rows"),
        }
    }
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

/// A learner with its hyper-parameters.
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
        help: "One column per split; all splits are fitted together by gradient descent.",
    },
    Learner {
        key: "get",
        name: "GET",
        help: "Weighted sums of columns as splits; the whole tree is fitted together, soft first and hard in the end.",
    },
    Learner {
        key: "get-linear",
        name: "GET-Linear",
        help: "The same, with a linear model in every leaf; for numbers.",
    },
    Learner {
        key: "relaxed",
        name: "Relaxed tree",
        help: "Weighted sums of columns as splits; how large the tree is is learned with it.",
    },
    Learner { key: "cart", name: "CART", help: "The greedy baseline: each split is the best one at that moment." },
];

impl Config {
    /// A learner's defaults.
    pub fn new(key: &str) -> Result<Config> {
        match key {
            "cart" => Ok(Config::Cart(cart::Config::default())),
            "gradtree" => Ok(Config::GradTree(gradtree::Config::default())),
            "get" | "get-linear" => Ok(Config::Get(get::Config::new(key == "get-linear"))),
            "relaxed" => Ok(Config::Relaxed(relaxed::Config::default())),
            _ => Err(Error::new(
                Code::UnknownModel,
                format!("There is no model called {}.", quoted(key)),
                format!("Choose one of {}.", listed(LEARNERS.iter().map(|learner| learner.key))),
            )),
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
            Config::Get(config) => config.refines(),
            Config::Relaxed(_) => true,
        }
    }

    /// The hyper-parameters with their present values.
    pub fn params(&self) -> Vec<Param> {
        self.clone().as_params().entries().iter().map(Entry::param).collect()
    }

    /// Sets a hyper-parameter. An unknown key or a value out of range is an error that says what is known.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        let model = self.key();
        let before = if let Config::GradTree(config) = self { Some(config.preset) } else { None };
        params::set(self.as_params(), model, key, value)?;
        if let (Config::GradTree(config), "preset", Some(before)) = (self, key, before) {
            config.adopt(before);
        }
        Ok(())
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
    /// Begins a training. `valid` has the same features as `train`; a learner that wants no validation part ignores it.
    pub fn start(&self, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Box<dyn Training> {
        match &self.0 {
            Config::Cart(config) => Box::new(cart::Growth::new(config.clone(), train)),
            Config::GradTree(config) => {
                let plan = gradtree::GradPlan::new(config.clone(), train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(feature = "study")]
            Config::Get(config) => {
                let plan = get::GetPlan::new(config.clone(), train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(feature = "study")]
            Config::Relaxed(config) => {
                let plan = relaxed::RelaxedPlan::new(config, train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(not(feature = "study"))]
            Config::Get(_) | Config::Relaxed(_) => unreachable!("the check refuses it here"),
        }
    }

    /// Says which encoded columns may not be summed with others, for a category has no place in a weighted sum, and which of
    /// the file's columns each encoded one comes from.
    pub fn with_apart(mut self, columns: Vec<usize>, feature: Vec<usize>) -> Checked {
        match &mut self.0 {
            Config::Get(config) => config.apart = columns,
            Config::Relaxed(config) => (config.apart, config.feature) = (columns, feature),
            Config::Cart(_) | Config::GradTree(_) => {}
        }
        self
    }

    /// The learner with its hyper-parameters.
    pub fn config(&self) -> &Config {
        &self.0
    }
}
