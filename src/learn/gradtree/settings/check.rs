//! What the training samples must be like for these settings.

use super::derived::outputs;
use super::{Config, Encoding, LossChoice};
use crate::encode::{Design, Labels, Resample};
use crate::error::{Code, Error, Result};
use crate::learn::{Teach, check_size};

impl Config {
    /// Checks the hyper-parameters against the training samples.
    pub fn check(&self, train: &Design) -> Result<()> {
        let (samples, features) = (train.samples(), train.features());
        if samples == 0 {
            return Err(Error::new(
                Code::TooFewRows,
                "There is no training row for gradtree.",
                "Give more rows, or make the validation and test parts smaller.",
            ));
        }
        if features == 0 {
            return Err(Error::new(
                Code::NoFeatures,
                "There is no column for gradtree to learn from.",
                "Use at least one column besides the target.",
            ));
        }
        if let Some(at) = train.x.as_slice().iter().position(|x| !x.is_finite()) {
            return Err(Error::new(
                Code::BadValue,
                format!(
                    "Training row {} has no number in encoded column {}.",
                    at / features + 1,
                    at % features + 1
                ),
                "gradtree needs missing values to be filled in first.",
            ));
        }
        self.regression().check(self.quantile, matches!(train.y, Labels::Classes { .. }))?;
        match &train.y {
            Labels::Classes { .. } if self.loss == LossChoice::Squared => {
                return Err(Error::new(
                    Code::BadValue,
                    "The loss \"squared\" is for numbers, but the target has classes.",
                    "Choose \"cross_entropy\" or \"focal\", or predict the target as a number.",
                ));
            }
            Labels::Classes { classes, .. } if *classes < 2 => {
                return Err(Error::new(
                    Code::BadTarget,
                    "The target has fewer than two classes.",
                    "Choose a target with at least two different values.",
                ));
            }
            Labels::Values(_) if self.resample == Resample::Smote => {
                return Err(Error::new(
                    Code::BadValue,
                    "The resample \"smote\" is for classes, but the target is a number.",
                    "Choose \"none\" or \"auto\", or predict the target as classes.",
                ));
            }
            Labels::Values(values) if values.iter().any(|y| !y.is_finite()) => {
                return Err(Error::new(
                    Code::BadTarget,
                    "The target has values that are not numbers.",
                    "Leave out the rows without a target.",
                ));
            }
            _ => {}
        }
        if self.categories == Encoding::LeaveOneOut && self.grows_greedily() {
            return Err(Error::new(
                Code::BadValue,
                "The categories \"leave_one_out\" need random starts: a greedy tree would read a row's own \
                 outcome from them.",
                "Set start to random, or categories to auto.",
            ));
        }
        if self.teach == Teach::Forest && self.teacher == 0 {
            return Err(Error::new(
                Code::BadValue,
                "The teach \"forest\" has no tree to teach with: teacher is 0.",
                "Set teacher to at least 1, or teach to off.",
            ));
        }
        let numbers = (1usize << self.depth).saturating_mul(features.saturating_add(outputs(&train.y)));
        check_size(self.depth, features, numbers)
    }
}
