//! Hyper-parameters of GradTree: what there is to set, and the values of each recipe.
//!
//! - `choices`: settings that are one word of a few
//! - `list`: every setting with its name, its help and its range; the page's form reads this list
//! - `recipes`: the values of each recipe, `published` among them
//! - `check`: what the training samples must be like
//! - `derived`: what follows from the settings: the encoding, the loss, the number of epochs

mod check;
mod choices;
mod derived;
mod list;
mod recipes;

pub use choices::{ClassWeight, Encoding, Fill, Init, LossChoice};
pub(super) use derived::outputs;

use crate::encode::{Resample, Scale};
use crate::learn::{StartChoice, Teach};
use crate::numeric::activation::SplitFunction;

/// Hyper-parameters of GradTree.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Depth of the complete tree before pruning.
    pub depth: u32,
    /// Number of runs, each from its own start.
    pub restarts: u32,
    /// Most epochs per run; 0 leaves it to the size of the table.
    pub epochs: u32,
    /// Epochs without a better validation loss after which a run ends.
    pub patience: u32,
    /// Checkpoints, one per epoch, whose mean a random start's tree is read from; 1 for none.
    pub average: u32,
    /// Samples per step, if there are at least twice as many.
    pub batch: u32,
    /// Learning rate of the feature scores I.
    pub lr_index: f64,
    /// Learning rate of the thresholds T.
    pub lr_values: f64,
    /// Learning rate of the leaves L.
    pub lr_leaf: f64,
    /// The function whose slope a split uses.
    pub split: SplitFunction,
    /// What is minimised.
    pub loss: LossChoice,
    /// The quantile that the loss of that name is about.
    pub quantile: f64,
    /// γ of the focal loss.
    pub focal_gamma: f64,
    /// ε of PolyLoss.
    pub poly_epsilon: f64,
    /// How much each class counts.
    pub class_weight: ClassWeight,
    /// How the parameters are drawn at the start.
    pub init: Init,
    /// Start with thresholds equal to the feature scores, as the authors' program does.
    pub tie_init: bool,
    /// How numbers are scaled.
    pub scale: Scale,
    /// Noise of the quantile scaling.
    pub quantile_noise: f64,
    /// What becomes of missing numbers.
    pub missing: Fill,
    /// How categories are encoded.
    pub categories: Encoding,
    /// Whether rare classes get more training samples.
    pub resample: Resample,
    /// Where units start.
    pub start: StartChoice,
    /// Whether a forest teaches: the greedy starts, or where there are none, all starts.
    pub teach: Teach,
    /// Trees of a greedy start's teacher; 0 is none.
    pub teacher: u32,
    /// The teacher's share in the targets of a greedy start.
    pub trust: f64,
    /// Synthetic samples that a teacher answers, per training sample; 0 is none.
    pub crossed: f64,
    /// How far rare classes count more in a greedy start: 0 not at all, 1 as if all were equally common.
    pub balance: f64,
    /// Epochs of descent from a greedy start; 0 is none.
    pub refine: u32,
    /// What multiplies the learning rates from a greedy start.
    pub refine_rate: f64,
    /// How far a greedy split's own column leads the others.
    pub lead: f64,
    /// By how many deviations of a held-out score something must be better than the usual to be taken
    /// instead.
    pub caution: f64,
    /// Whether the winner is fitted again to training and validation samples together.
    pub refit: bool,
}
