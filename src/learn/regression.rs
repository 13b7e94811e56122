//! What regression minimises, for the learners that can minimise more than the squared error.

use super::words;
use crate::error::{Code, Error, Result};
use crate::numeric::pinball::Pinball;

/// A loss of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegressionLoss {
    /// The squared difference; a leaf answers with the mean.
    Squared,
    /// The absolute difference; a leaf answers with the median.
    Absolute,
    /// The pinball loss; a leaf answers with the quantile asked for.
    Quantile,
}

words!(RegressionLoss { Squared = "squared", Absolute = "absolute", Quantile = "quantile" });

/// The quantile where none is asked for.
pub(crate) const MEDIAN: f64 = 0.5;
/// The quantiles that can be asked for.
pub(crate) const QUANTILES: std::ops::RangeInclusive<f64> = 0.001..=0.999;
/// The help of `quantile`.
pub(crate) const QUANTILE_HELP: &str =
    "With loss=quantile: the share of the rows that is to lie below the answer, such as 0.9.";

impl RegressionLoss {
    /// The loss, unless it is the squared difference.
    pub(crate) fn pinball(self, quantile: f64) -> Option<Pinball> {
        match self {
            RegressionLoss::Squared => None,
            RegressionLoss::Absolute => Some(Pinball::ABSOLUTE),
            RegressionLoss::Quantile => Some(Pinball::of(quantile)),
        }
    }

    /// Refuses a loss of numbers for classes, and a quantile that nothing asks for.
    pub(crate) fn check(self, quantile: f64, classes: bool) -> Result<()> {
        let word = match self {
            RegressionLoss::Absolute => "absolute",
            RegressionLoss::Quantile => "quantile",
            RegressionLoss::Squared => "squared",
        };
        if classes && self != RegressionLoss::Squared {
            let message = format!("The loss \"{word}\" is for numbers, but the target has classes.");
            return Err(Error::new(
                Code::BadValue,
                message,
                "Leave it out, or predict the target as a number.",
            ));
        }
        if quantile != MEDIAN && self != RegressionLoss::Quantile {
            let message = format!("The quantile {quantile} has no use: the loss is not \"quantile\".");
            return Err(Error::new(
                Code::BadValue,
                message,
                "Set loss=quantile too, or leave the quantile out.",
            ));
        }
        Ok(())
    }
}
