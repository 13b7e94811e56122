//! The hyper-parameters, and what they ask of the data.

use crate::encode::{Categories, Design, Labels, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result};
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::predictor::Predictor;
use crate::learn::relaxed::paper::traversal::Version;
use crate::learn::{Recipe, Size, StartChoice, Teach, check_size};

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
        let features = train.features();
        let refuse = |code, message: String, hint: &str| Err(Error::new(code, message, hint));
        if train.samples() == 0 {
            let hint = "Give more rows, or make the validation and test parts smaller.";
            return refuse(Code::TooFewRows, "There is no training row for relaxed.".into(), hint);
        }
        if features == 0 {
            let hint = "Use at least one column besides the target.";
            return refuse(Code::NoFeatures, "There is no column for relaxed to learn from.".into(), hint);
        }
        if let Some(at) = train.x.as_slice().iter().position(|x| !x.is_finite()) {
            let (row, column) = (at / features + 1, at % features + 1);
            let message = format!("Training row {row} has no number in encoded column {column}.");
            return refuse(Code::BadValue, message, "Missing values must be filled in first.");
        }
        let outputs = match &train.y {
            Labels::Classes { classes, .. } if *classes < 2 => {
                let message = "The target has fewer than two classes.".to_owned();
                return refuse(
                    Code::BadTarget,
                    message,
                    "Choose a target with at least two different values.",
                );
            }
            Labels::Values(values) if values.iter().any(|y| !y.is_finite()) => {
                let message = "The target has values that are not numbers.".to_owned();
                return refuse(Code::BadTarget, message, "Leave out the rows without a target.");
            }
            Labels::Classes { classes, .. } => *classes,
            Labels::Values(_) => 1,
        };
        check_size(self.depth, features, self.shape(features, outputs).numbers())
    }
}
