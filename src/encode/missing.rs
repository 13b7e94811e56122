//! Missing values on the way into a design matrix.

use super::vocabulary::quantile;
use crate::numeric::order::sort_values;

/// What becomes of a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It stays missing: NaN in the design matrix. Only for learners that send missing values their own way.
    Keep,
    /// A number becomes the training samples' median, a category encoded by its target the mean over all categories.
    Median,
    /// The same, and a column of its own says where a value was missing, if any was in training.
    Indicator,
}

impl Missing {
    /// What stands in for a missing number; none to keep it missing, or if no training value is known.
    pub(crate) fn fill(self, values: &[f32]) -> Option<f32> {
        if self == Missing::Keep || values.is_empty() {
            return None;
        }
        let mut sorted = values.to_vec();
        sort_values(&mut sorted);
        Some(quantile(&sorted, 0.5))
    }

    /// Whether a column gets a companion that says where it is missing. `values` are the training samples'.
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
