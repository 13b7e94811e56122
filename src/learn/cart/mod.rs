//! CART, the greedy baseline: each split is the best one for the samples of its node.
//!
//! `training` grows it level by level, a node per step; the search is
//! [`greedy::exact`](super::greedy::exact).
//!
//! Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees*, 1984, as scikit-learn 1.9
//! grows it: the same criteria, thresholds, stopping rules, treatment of missing values, class weights and
//! pruning. Its absolute limits hold too: feature values within 1e-7 of each other are one value, and a node
//! of impurity at most 2.2e-16 is a leaf. Numbers of a much smaller scale need another unit.
//!
//! Differs from scikit-learn:
//! * Features are tried in ascending order, where scikit-learn shuffles them, so ties between features need
//!   no seed here.
//! * A node of one label is always a leaf; scikit-learn may split it when weights leave a rounding error in
//!   its impurity.
//! * Class weights multiply whole counts, and numbers are shifted by about their mean before they are summed:
//!   the same criteria with less rounding. In a near tie scikit-learn may therefore take the other split.
//! * A split that gains nothing is made even when rounding turns its gain negative, where scikit-learn stops.
//! * Thresholds are stored in f32, rounded down, which moves no f32 value to the other side.
//! * "Missing against the rest" has the greatest f32 as its threshold instead of infinity.
//! * Depth is at most 32, also under the recipe `published`, where scikit-learn has no limit; there is no
//!   best-first growth, no random subset of features and no weight per sample.
//! * Absolute error follows the same rules for missing values as the other criteria, where scikit-learn
//!   refuses them.
//! * The pinball loss of a quantile is grown like the absolute error, which is twice that of the median;
//!   where two values are equally good answers, the middle is taken.

mod training;

use super::greedy::exact::SplitRules;
use super::regression::{MEDIAN, QUANTILE_HELP, QUANTILES, RegressionLoss};
use super::{Entry, Params, Recipe, Slot, TEACH_HELP, Teach};
use crate::encode::{Design, Labels};
use crate::error::{Code, Error, Result};

pub use super::greedy::exact::{ClassWeight, Criterion};
pub use training::CartTraining;

/// Hyper-parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Edges from the root to the deepest leaf, at most.
    pub depth: u32,
    /// The impurity that a split decreases.
    pub criterion: Criterion,
    /// What regression minimises.
    pub loss: RegressionLoss,
    /// The quantile of the quantile loss.
    pub quantile: f64,
    /// A node with fewer samples is a leaf.
    pub min_samples_split: u32,
    /// No leaf has fewer samples.
    pub min_samples_leaf: u32,
    /// A split must decrease the impurity by this, weighted by the node's share of all samples.
    pub min_impurity_decrease: f64,
    /// Cost-complexity pruning: a branch must decrease the weighted impurity by more than this per leaf it
    /// adds. 0 is none.
    pub ccp_alpha: f64,
    /// The weight of a sample of each class.
    pub class_weight: ClassWeight,
    /// Whether a forest teaches by synthetic rows.
    pub teach: Teach,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            depth: 5,
            criterion: Criterion::Auto,
            loss: RegressionLoss::Squared,
            quantile: MEDIAN,
            min_samples_split: 2,
            min_samples_leaf: 1,
            min_impurity_decrease: 0.0,
            ccp_alpha: 0.0,
            class_weight: ClassWeight::None,
            teach: Teach::Off,
        }
    }
}

/// The deepest tree.
const MOST_DEPTH: u32 = 32;
/// More samples than any file has.
const MOST_SAMPLES: u32 = 1_000_000_000;
/// The impurity of numbers is in their squared unit, so it may be large.
const MOST_IMPURITY: f64 = 1e30;

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        vec![
            Entry {
                key: "depth",
                help: "The most splits between the root and a leaf.",
                slot: Slot::Whole(&mut self.depth, 1..=MOST_DEPTH),
            },
            Entry {
                key: "criterion",
                help: "What a split is to decrease; auto is gini for classes and the loss for numbers.",
                slot: Slot::Choice(&mut self.criterion),
            },
            Entry {
                key: "loss",
                help: "What regression minimises: squared (leaves answer with the mean), absolute (median) \
                       or quantile.",
                slot: Slot::Choice(&mut self.loss),
            },
            Entry { key: "quantile", help: QUANTILE_HELP, slot: Slot::Real(&mut self.quantile, QUANTILES) },
            Entry {
                key: "min_samples_split",
                help: "A node with fewer rows is not split.",
                slot: Slot::Whole(&mut self.min_samples_split, 2..=MOST_SAMPLES),
            },
            Entry {
                key: "min_samples_leaf",
                help: "No leaf has fewer rows.",
                slot: Slot::Whole(&mut self.min_samples_leaf, 1..=MOST_SAMPLES),
            },
            Entry {
                key: "min_impurity_decrease",
                help: "A split must decrease the impurity by this, weighted by the node's share of all rows.",
                slot: Slot::Real(&mut self.min_impurity_decrease, 0.0..=MOST_IMPURITY),
            },
            Entry {
                key: "ccp_alpha",
                help: "Pruning: a branch must decrease the impurity by more than this for each leaf it adds; \
                       0 prunes nothing.",
                slot: Slot::Real(&mut self.ccp_alpha, 0.0..=MOST_IMPURITY),
            },
            Entry {
                key: "class_weight",
                help: "balanced counts every class the same in total, however rare it is.",
                slot: Slot::Choice(&mut self.class_weight),
            },
            Entry { key: "teach", help: TEACH_HELP, slot: Slot::Choice(&mut self.teach) },
        ]
    }
}

impl Config {
    /// The values of a recipe. `published` has scikit-learn's defaults, with the greatest depth in place of
    /// no limit.
    pub(crate) fn of(recipe: Recipe) -> Config {
        match recipe {
            Recipe::Espalier => Config::default(),
            Recipe::Published => Config { depth: MOST_DEPTH, ..Config::default() },
        }
    }

    /// What is minimised, and where growth ends.
    pub fn rules(&self) -> SplitRules {
        SplitRules {
            depth: self.depth,
            criterion: self.criterion,
            pinball: self.loss.pinball(self.quantile),
            min_samples_split: self.min_samples_split,
            min_samples_leaf: self.min_samples_leaf,
            min_impurity_decrease: self.min_impurity_decrease,
            class_weight: self.class_weight,
        }
    }

    /// Checks the hyper-parameters against the data.
    pub fn check(&self, train: &Design) -> Result<()> {
        if train.samples() == 0 {
            let hint = "Give it a file with more rows, or keep fewer for the test.";
            return Err(Error::new(Code::TooFewRows, "There is no row to train on.", hint));
        }
        self.loss.check(self.quantile, matches!(train.y, Labels::Classes { .. }))?;
        let unfit = |message: &str, hint: &str| Err(Error::new(Code::BadValue, message, hint));
        match (&train.y, self.criterion, self.class_weight) {
            (Labels::Classes { .. }, Criterion::SquaredError, _) => unfit(
                "The criterion \"squared_error\" is for numbers, but the target has classes.",
                "Choose \"gini\", \"entropy\" or \"auto\".",
            ),
            (Labels::Values(_), Criterion::SquaredError, _) if self.loss != RegressionLoss::Squared => unfit(
                "The criterion \"squared_error\" contradicts the loss.",
                "Leave the criterion out, or choose the loss \"squared\".",
            ),
            (Labels::Values(_), Criterion::Gini, _) => unfit(
                "The criterion \"gini\" is for classes, but the target is a number.",
                "Choose \"squared_error\" or \"auto\", or predict the target as classes.",
            ),
            (Labels::Values(_), Criterion::Entropy, _) => unfit(
                "The criterion \"entropy\" is for classes, but the target is a number.",
                "Choose \"squared_error\" or \"auto\", or predict the target as classes.",
            ),
            (Labels::Values(_), _, ClassWeight::Balanced) => unfit(
                "The class_weight \"balanced\" is for classes, but the target is a number.",
                "Choose \"none\", or predict the target as classes.",
            ),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config as Learner, Value};

    #[test]
    fn every_hyper_parameter_is_set_by_its_key_and_refuses_what_it_cannot_be() {
        let good = [
            ("depth", Value::Number(32.0)),
            ("criterion", Value::Choice("entropy".into())),
            ("loss", Value::Choice("absolute".into())),
            ("quantile", Value::Number(0.9)),
            ("min_samples_split", Value::Number(20.0)),
            ("min_samples_leaf", Value::Number(5.0)),
            ("min_impurity_decrease", Value::Number(0.01)),
            ("ccp_alpha", Value::Number(100.0)),
            ("class_weight", Value::Choice("balanced".into())),
            ("teach", Value::Choice("forest".into())),
        ];
        let mut learner = Learner::new("cart").unwrap();
        for (key, value) in &good {
            learner.set(key, value).unwrap();
        }
        let shown: Vec<_> = learner.params().into_iter().map(|param| (param.key, param.value)).collect();
        assert_eq!(shown, good);
        let bad = [
            ("depth", Value::Number(33.0)),
            ("criterion", Value::Choice("mse".into())),
            ("loss", Value::Choice("cross_entropy".into())),
            ("quantile", Value::Number(1.0)),
            ("min_samples_split", Value::Number(1.0)),
            ("min_samples_leaf", Value::Number(0.5)),
            ("min_impurity_decrease", Value::Number(-0.1)),
            ("ccp_alpha", Value::Number(f64::NAN)),
            ("class_weight", Value::Flag(true)),
            ("teach", Value::Choice("on".into())),
        ];
        for (key, value) in &bad {
            assert!(learner.set(key, value).unwrap_err().message.contains(key), "{key}");
        }
    }
}
