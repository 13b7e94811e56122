//! What the training samples must be like for these settings.

use super::derived::outputs;
use super::{Config, Encoding, LossChoice};
use crate::encode::{Design, Labels, Resample};
use crate::error::{Code, Error, Result};
use crate::learn::{Teach, check_samples, check_size};

impl Config {
    /// Checks the hyper-parameters against the training samples.
    pub fn check(&self, train: &Design) -> Result<()> {
        check_samples("gradtree", train)?;
        let features = train.features();
        self.regression().check(self.quantile, matches!(train.y, Labels::Classes { .. }))?;
        match &train.y {
            Labels::Classes { .. } if self.loss == LossChoice::Squared => {
                return Err(Error::new(
                    Code::BadValue,
                    "The loss \"squared\" is for numbers, but the target has classes.",
                    "Choose \"cross_entropy\" or \"focal\", or predict the target as a number.",
                ));
            }
            Labels::Values(_) if self.resample == Resample::Smote => {
                return Err(Error::new(
                    Code::BadValue,
                    "The resample \"smote\" is for classes, but the target is a number.",
                    "Choose \"none\" or \"auto\", or predict the target as classes.",
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
