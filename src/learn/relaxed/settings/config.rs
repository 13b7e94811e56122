//! The hyper-parameters, and what they ask of the data.

use crate::encode::{Categories, Design, Labels, Missing, Resample, Scale, Wants};
use crate::error::Result;
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::predictor::Predictor;
use crate::learn::relaxed::paper::traversal::Version;
use crate::learn::{Recipe, Size, StartChoice, Teach, check_samples, check_size};

/// Hyper-parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// What decides the parts of a descent that have no hyper-parameter.
    pub recipe: Recipe,
    /// Depth of the complete tree before pruning.
    pub depth: u32,
    /// 0 keeps everything, 1 one split.
    pub prune: f64,
    /// The version of the relaxation.
    pub version: Version,
    /// What reads the traversal.
    pub predictor: Predictor,
    /// Runs from different starts.
    pub restarts: u32,
    /// Passes over the training samples, at most; 0 leaves it to their number.
    pub epochs: u32,
    /// Samples per step; 0 leaves it to their number.
    pub batch: u32,
    /// Learning rate at the start.
    pub rate: f64,
    /// How far rare classes count more: 0 not at all, 1 as if all were equally common.
    pub balance: f64,
    /// Strength of the L1 penalty on plane weights.
    pub l1: f64,
    /// The most columns in a weighted sum; 0 for all.
    pub columns: u32,
    /// Where descents start.
    pub start: StartChoice,
    /// Whether a forest teaches by synthetic rows.
    pub teach: Teach,
}

impl Default for Config {
    fn default() -> Self {
        Config::of(Recipe::Espalier)
    }
}

impl Config {
    /// The values for a table of a size.
    pub(crate) fn sized(&self, size: Size) -> Config {
        let course = self.course(size.train);
        Config { epochs: course.epochs as u32, batch: course.batch as u32, ..self.clone() }
    }

    /// Whether descents are as published.
    pub(crate) fn published(&self) -> bool {
        self.recipe == Recipe::Published
    }

    /// How the design matrix is to be: standardised, as planes and their start assume.
    pub fn wants(&self) -> Wants {
        Wants {
            scale: Scale::Standard,
            quantile_noise: 0.0,
            missing: Missing::Median,
            categories: Categories::Mean,
            resample: Resample::None,
            validation: true,
        }
    }

    /// The tree to be learned. The strongest pruning leaves one split, which is a tree of depth 1.
    pub fn shape(&self, features: usize, outputs: usize) -> Shape {
        let depth = if self.prune >= 1.0 { 1 } else { self.depth as usize };
        Shape { depth, features, outputs, predictor: self.predictor }
    }

    /// Checks the hyper-parameters against the training samples.
    pub fn check(&self, train: &Design) -> Result<()> {
        check_samples("relaxed", train)?;
        let features = train.features();
        let outputs = if let Labels::Classes { classes, .. } = &train.y { *classes } else { 1 };
        check_size(self.depth, features, self.shape(features, outputs).numbers())
    }
}
