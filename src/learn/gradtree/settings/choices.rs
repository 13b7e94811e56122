//! Settings that are one word of a few, and those words.

use crate::encode::{Resample, Scale};
use crate::learn::words;
use crate::numeric::activation::SplitFunction;

/// What is minimised. Numbers take a loss of classes as the squared error, so that one default serves both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossChoice {
    /// Cross-entropy.
    CrossEntropy,
    /// Focal loss.
    Focal,
    /// The squared error.
    Squared,
    /// The absolute error.
    Absolute,
    /// The pinball loss of a quantile.
    Quantile,
}

/// How much each class counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassWeight {
    /// Every sample alike.
    None,
    /// Every class alike.
    Balanced,
}

/// What becomes of missing numbers: a gradient cannot keep them missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// The training samples' median.
    Median,
    /// The same, and a column that says where they were.
    Indicator,
}

/// How categories are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Indicators of few categories, the target's mean of many.
    Auto,
    /// The target's mean over the other samples of the category, for all.
    LeaveOneOut,
}

/// How the parameters are drawn at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Init {
    /// Uniform, within Glorot's bound: the authors' experiments.
    Glorot,
    /// Normal with deviation 0.05: the authors' later package.
    Normal,
}

words!(SplitFunction { Sigmoid = "sigmoid", Softsign = "softsign" });
words!(LossChoice {
    CrossEntropy = "cross_entropy",
    Focal = "focal",
    Squared = "squared",
    Absolute = "absolute",
    Quantile = "quantile",
});
words!(ClassWeight { None = "none", Balanced = "balanced" });
words!(Scale { Quantile = "quantile", Standard = "standard", MinMax = "minmax", None = "none" });
words!(Fill { Median = "median", Indicator = "indicator" });
words!(Resample { None = "none", Smote = "smote", Auto = "auto" });
words!(Encoding { Auto = "auto", LeaveOneOut = "leave_one_out" });
words!(Init { Glorot = "glorot", Normal = "normal" });
