//! How missing values enter a design matrix.

use super::vocabulary::quantile;
use crate::numeric::order::sort_values;

/// How missing values are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// They stay missing: NaN in the design matrix. Only for learners that route missing values themselves.
    Keep,
    /// A number becomes the training median; a target-encoded category becomes the mean over all categories.
    Median,
    /// As with `Median`, plus a column that marks missing values, if the training samples have any.
    Indicator,
}

impl Missing {
    /// The replacement for a missing number. `None` to keep it missing, or if there are no training values.
    pub(crate) fn fill(self, values: &[f32]) -> Option<f32> {
        if self == Missing::Keep || values.is_empty() {
            return None;
        }
        let mut sorted = values.to_vec();
        sort_values(&mut sorted);
        Some(quantile(&sorted, 0.5))
    }

    /// Whether a column gets an indicator of missing values. `values` are the training samples'.
    pub(crate) fn is_shown(self, mut values: impl Iterator<Item = f32>) -> bool {
        self == Missing::Indicator && values.any(f32::is_nan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_in_unless_missing_values_are_kept() {
        assert_eq!(Missing::Median.fill(&[5.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(Missing::Indicator.fill(&[5.0, 1.0]), Some(3.0));
        assert_eq!(Missing::Median.fill(&[]), None);
        assert_eq!(Missing::Keep.fill(&[5.0]), None);
    }

    #[test]
    fn only_columns_with_missing_values_get_a_companion() {
        let (gaps, full) = ([1.0, f32::NAN], [1.0, 2.0]);
        assert!(Missing::Indicator.is_shown(gaps.into_iter()));
        assert!(!Missing::Indicator.is_shown(full.into_iter()));
        assert!(!Missing::Median.is_shown(gaps.into_iter()));
    }
}
