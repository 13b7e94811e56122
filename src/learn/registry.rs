//! The list of learners, and one type that holds the hyper-parameters of any of them.

use std::sync::Arc;

use super::parallel::Sequence;
use super::teach::Taught;
use super::{
    Entry, Param, Params, Recipe, TargetKind, Teach, Training, Value, cart, get, gradtree, params, relaxed,
};
use crate::encode::{Categories, Design, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result, listed, quoted};
use crate::numeric::pinball::Pinball;

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
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct Checked(Config);

/// How large an encoded table is.
#[doc(hidden)]
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
#[doc(hidden)]
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
    /// What it does under our recipe.
    pub help: &'static str,
    /// What it does as published.
    pub published: &'static str,
}

/// All learners.
pub const LEARNERS: &[Learner] = &[
    Learner {
        key: "gradtree",
        name: "GradTree",
        help: "One column per split. Gradient descent moves all splits together, from a greedy tree that a \
               forest taught and from random starts; held-out rows choose.",
        published: "One column per split. Gradient descent moves all splits together, from random starts; \
                    the validation loss chooses.",
    },
    Learner {
        key: "get",
        name: "GET",
        help: "Weighted sums of columns as splits. Gradient descent moves the whole tree, soft first and \
               hard in the end, from greedy trees and from random starts; validation chooses.",
        published: "Weighted sums of columns as splits. Gradient descent moves the whole tree, soft first \
                    and hard in the end, from CART's tree and from random starts; then subtrees are searched \
                    for anew. Validation chooses the depth, unless one is set.",
    },
    Learner {
        key: "get-linear",
        name: "GET-Linear",
        help: "GET with a linear model in every leaf, for numbers; a tree may be taught by the others and a \
               forest.",
        published: "GET with a linear model in every leaf, for numbers. Validation chooses depth and \
                    penalty, unless a depth is set.",
    },
    Learner {
        key: "relaxed",
        name: "Relaxed tree",
        help: "Weighted sums of columns as splits. The tree learns its own size by gradient descent, from \
               greedy trees and from random starts.",
        published: "Weighted sums of columns as splits. The tree learns its own size by gradient descent, \
                    from random starts.",
    },
    Learner {
        key: "cart",
        name: "CART",
        help: "The greedy baseline: each split is the best one at that moment.",
        published: "The greedy baseline as scikit-learn grows it: each split is the best one at that moment, \
                    until leaves are pure.",
    },
];

impl Config {
    /// A learner's values under the default recipe, as they are before the target is known.
    pub fn new(key: &str) -> Result<Config> {
        Config::of(key, Recipe::default(), TargetKind::Number)
    }

    /// A learner's values under a recipe, for a target.
    pub(crate) fn of(key: &str, recipe: Recipe, target: TargetKind) -> Result<Config> {
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
    pub(super) fn follow(&mut self, target: TargetKind, said: &dyn Fn(&str) -> bool) {
        match self {
            Config::GradTree(config) => config.follow(target, said),
            Config::Get(config) => config.follow(target, said),
            Config::Cart(_) | Config::Relaxed(_) => {}
        }
    }

    /// The values with which a table of a size is learned: where one leaves it to the size, what that comes
    /// to. A file records these.
    pub(crate) fn sized(&self, size: Size) -> Config {
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
    #[doc(hidden)]
    pub fn wants(&self) -> Wants {
        match self {
            Config::Cart(_) => Wants {
                scale: Scale::None,
                quantile_noise: 0.0,
                missing: Missing::Keep,
                // Without its own outcome a sample of a category is encoded by its class: lower if it has the
                // class that is counted. Gradients pass over that small step, but a greedy search takes it at
                // once, and learns nothing.
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
    #[doc(hidden)]
    pub fn refits(&self) -> bool {
        match self {
            Config::Cart(_) => false,
            Config::GradTree(config) => config.refit,
            Config::Get(config) => config.refines() || config.tunes(),
            Config::Relaxed(_) => true,
        }
    }

    /// Refuses a table without validation samples where the learner cannot do without.
    pub(crate) fn check_valid(&self, valid: usize) -> Result<()> {
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
    pub(crate) fn pinball(&self) -> Option<Pinball> {
        match self {
            Config::Cart(config) => config.rules().pinball,
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
    pub(super) fn place(&mut self, key: &str, value: &Value) -> Result<&'static str> {
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
    #[doc(hidden)]
    pub fn check(self, train: &Design) -> Result<Checked> {
        match &self {
            Config::Cart(config) => config.check(train)?,
            Config::GradTree(config) => config.check(train)?,
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Config::Get(config) => config.check(train)?,
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Config::Relaxed(config) => config.check(train)?,
            #[cfg(all(target_arch = "wasm32", not(feature = "study")))]
            Config::Get(_) | Config::Relaxed(_) => {
                let hint = "Reload the page; if that does not help, choose another learner.";
                return Err(Error::new(
                    Code::BadRequest,
                    "This learner is in the page's second module.",
                    hint,
                ));
            }
        }
        Ok(Checked(self))
    }
}

impl Checked {
    /// Begins a training in which any columns may be summed. `valid` has the same features as `train`; a
    /// learner that wants no validation part ignores it.
    pub fn start(&self, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Box<dyn Training> {
        self.start_with(Columns::default(), train, valid, seed)
    }

    /// The same, with what is known of the columns.
    pub fn start_with(
        &self,
        columns: Columns,
        train: Arc<Design>,
        valid: Arc<Design>,
        seed: u64,
    ) -> Box<dyn Training> {
        let Some(learner) = self.0.taught_by_rows(&train, &valid) else {
            return self.0.begin(columns, train, valid, seed);
        };
        let (feature, statistics) = (columns.feature.clone(), self.0.leaf_statistics());
        let taught = Taught::new(train, &feature, seed, move |train| {
            learner.begin(columns.clone(), train, valid.clone(), seed)
        });
        Box::new(match statistics {
            Some(pinball) => taught.with_statistics(pinball),
            None => taught,
        })
    }
}

impl Config {
    /// The learner that a forest teaches by synthetic rows, if one does: the same without a teacher of its
    /// own.
    fn taught_by_rows(&self, train: &Design, valid: &Design) -> Option<Config> {
        let off = Teach::Off;
        match self {
            Config::Cart(config) if config.teach == Teach::Forest => {
                Some(Config::Cart(cart::Config { teach: off, ..config.clone() }))
            }
            Config::GradTree(config) if config.taught_by_rows() => {
                Some(Config::GradTree(gradtree::Config { teach: off, ..config.clone() }))
            }
            Config::Get(config) if config.taught_by_rows(train, valid) => {
                Some(Config::Get(get::Config { teach: off, ..config.clone() }))
            }
            Config::Relaxed(config) if config.teach == Teach::Forest => {
                Some(Config::Relaxed(relaxed::Config { teach: off, ..config.clone() }))
            }
            _ => None,
        }
    }

    /// For learners whose leaves are statistics of their rows: the loss of numbers, unless it is the squared
    /// error.
    fn leaf_statistics(&self) -> Option<Option<Pinball>> {
        matches!(self, Config::Cart(_)).then(|| self.pinball())
    }

    /// Begins a training of a learner that has been checked.
    #[cfg_attr(all(target_arch = "wasm32", not(feature = "study")), allow(unused_variables))]
    fn begin(
        &self,
        columns: Columns,
        train: Arc<Design>,
        valid: Arc<Design>,
        seed: u64,
    ) -> Box<dyn Training> {
        match self {
            Config::Cart(config) => Box::new(cart::CartTraining::new(config, train)),
            Config::GradTree(config) => {
                let plan = gradtree::GradPlan::new(config.clone(), train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Config::Get(config) if config.tunes() => {
                Box::new(get::GetPlan::tuned(config, columns, train, valid, seed))
            }
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Config::Get(config) => Box::new(get::GetPlan::begin(config, &columns, train, valid, seed)),
            #[cfg(any(feature = "study", not(target_arch = "wasm32")))]
            Config::Relaxed(config) => {
                let plan = relaxed::RelaxedPlan::new(config, &columns, train, valid, seed);
                Box::new(Sequence::new(Arc::new(plan)))
            }
            #[cfg(all(target_arch = "wasm32", not(feature = "study")))]
            Config::Get(_) | Config::Relaxed(_) => unreachable!("the check refuses it here"),
        }
    }
}
