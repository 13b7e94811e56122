//! Hyper-parameters: what they are, the search they make, and what the data must be like.

use super::{Answer, MOST_TAUGHT, MOST_TAUGHT_FEATURES};
use crate::encode::{Categories, Design, Labels, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result};
use crate::learn::{self, StartChoice, Teach, check_samples, check_size, words};

/// The greatest depth.
pub(super) const MOST_DEPTH: u32 = 12;

/// Samples per block; batches are counted in blocks. It is small enough for the scores of a block to stay in
/// the cache, and large enough to fill the vector registers.
pub const BLOCK: usize = 64;

/// Whether something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

words!(Switch { On = "on", Off = "off" });

/// What is chosen by validation before the tree is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tune {
    /// Nothing.
    Off,
    /// The depth.
    Depth,
    /// The depth and the strength of the L1 penalty.
    DepthAndL1,
}

words!(Tune { Off = "off", Depth = "depth", DepthAndL1 = "depth_and_l1" });

/// Hyper-parameters of GET and GET-Linear.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Whether leaves are linear models.
    pub linear: bool,
    /// What decides the parts of a descent that have no hyper-parameter.
    pub recipe: learn::Recipe,
    /// Depth of the complete tree before pruning.
    pub depth: u32,
    /// Whether validation chooses depth, which is then the greatest one, and penalty.
    pub tune: Tune,
    /// Descents, the one from CART's tree first.
    pub starts: u32,
    /// Passes over the training samples per run; 0 leaves it to their number.
    pub epochs: u32,
    /// Samples per step; 0 for all.
    pub batch: u32,
    /// Greatest learning rate.
    pub rate: f64,
    /// Number of scale factors.
    pub alphas: u32,
    /// Range of the first scale factor.
    pub alpha_first: [f64; 2],
    /// Range of the last scale factor.
    pub alpha_last: [f64; 2],
    /// Strength of the L1 penalty on plane weights.
    pub l1: f64,
    /// The most columns in a split; 0 for all.
    pub columns: u32,
    /// How readily splits do without columns, at most: times the gain of a column of noise.
    pub spare: f64,
    /// Subtree polish.
    pub polish: Switch,
    /// Descents in each node that is polished.
    pub polish_starts: u32,
    /// Whether leaves are shrunk, and levels cut, by validation, and the tree descends once more on all
    /// samples.
    pub refine: Switch,
    /// Whether a tree is taught by the others.
    pub teach: Teach,
    /// Where descents start.
    pub start: StartChoice,
}

impl Config {
    /// The key of the learner.
    pub fn key(&self) -> &'static str {
        if self.linear { "get-linear" } else { "get" }
    }

    /// How the design matrix is to be: scaled to [0, 1], which planes and scale factors are meant for.
    pub fn wants(&self) -> Wants {
        Wants {
            scale: Scale::MinMax,
            quantile_noise: 0.0,
            missing: Missing::Median,
            categories: Categories::Mean,
            resample: Resample::None,
            validation: self.refines() || self.tunes(),
        }
    }

    /// Whether the tree is refined by validation.
    pub fn refines(&self) -> bool {
        self.refine == Switch::On
    }

    /// Whether validation chooses the depth before the tree is learned.
    pub fn tunes(&self) -> bool {
        self.tune != Tune::Off
    }

    /// Whether descents are as published.
    pub fn published(&self) -> bool {
        self.recipe == learn::Recipe::Published
    }

    /// Whether nothing takes part that the paper does not have.
    pub fn is_as_published(&self) -> bool {
        self.published() && !self.refines() && !self.teaches() && self.spare == 0.0
    }

    /// Whether the best tree is refined node by node on the training samples, which fits their noise too:
    /// where validation is not asked.
    pub fn sweeps(&self) -> bool {
        !self.published() && !self.refines()
    }

    /// Whether trees are taught by the others.
    pub fn teaches(&self) -> bool {
        self.teach == Teach::Forest
    }

    /// Whether a forest teaches all trees by synthetic rows: classes have no mean of trees to learn from.
    pub fn taught_by_rows(&self, train: &Design, valid: &Design) -> bool {
        let few = train.samples() <= MOST_TAUGHT && train.features() <= MOST_TAUGHT_FEATURES;
        self.teaches() && matches!(train.y, Labels::Classes { .. }) && few && valid.samples() > 0
    }

    /// What leaves answer with.
    pub fn answer(&self, labels: &Labels) -> Answer {
        match labels {
            Labels::Classes { classes, .. } => Answer::Classes(*classes),
            Labels::Values(_) if self.linear => Answer::Linear,
            Labels::Values(_) => Answer::Constant,
        }
    }

    /// Blocks of samples per step.
    pub fn batch_blocks(&self) -> usize {
        if self.batch == 0 { usize::MAX } else { self.batch as usize }.div_ceil(BLOCK)
    }

    /// Epochs of a run on so many samples. Small tables have few steps per epoch, so they get more epochs.
    pub fn epochs_for(&self, samples: usize) -> u32 {
        let steps = samples.div_ceil(BLOCK).div_ceil(self.batch_blocks()).max(1);
        if self.epochs > 0 { self.epochs } else { 600usize.div_ceil(steps).clamp(20, 150) as u32 }
    }

    /// Levels of nodes that are polished: all down to the last for shallow trees, four for deep ones.
    pub fn polish_levels(&self) -> usize {
        if self.polish == Switch::On { (self.depth as usize).min(4) } else { 0 }
    }

    /// Checks the hyper-parameters against the training samples.
    pub fn check(&self, train: &Design) -> Result<()> {
        let (key, features) = (self.key(), train.features());
        let refuse = |code, message: String, hint: &str| Err(Error::new(code, message, hint));
        check_samples(key, train)?;
        if self.linear && matches!(train.y, Labels::Classes { .. }) {
            let message = "get-linear predicts numbers, but the target has classes.".to_owned();
            let hint = "Choose get, gradtree or cart, or predict the target as a number.";
            return refuse(Code::BadTask, message, hint);
        }
        for ([low, high], name) in [(self.alpha_first, "first"), (self.alpha_last, "last")] {
            if low > high {
                let message =
                    format!("The {name} scale factor of {key} has no range: {low} is above {high}.");
                let hint = format!("Set alpha_{name}_min to at most alpha_{name}_max.");
                return refuse(Code::BadValue, message, &hint);
            }
        }
        if self.tunes() && self.refines() {
            let message = format!(
                "The tune of {key} cannot go with refine: both leave the number of levels to validation."
            );
            return refuse(Code::BadValue, message, "Set tune or refine to off.");
        }
        if self.teaches() && !self.refines() {
            let message = format!("The teach \"forest\" of {key} needs validation rows to judge it.");
            return refuse(Code::BadValue, message, "Set refine to on, or set teach to off.");
        }
        let width = features + 1 + self.answer(&train.y).numbers(features + 1);
        let numbers = (1usize << self.depth).saturating_mul(width);
        check_size(self.depth, features, numbers)
    }
}
