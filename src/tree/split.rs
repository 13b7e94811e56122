//! The test of a split and the output of a leaf.

use serde::{Deserialize, Serialize};

use super::Bounds;

/// A test of one row. **`value <= threshold` goes left**: this file defines it, and `route.rs` does the same
/// for many rows at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Split {
    /// One feature against a threshold, compared in f32.
    Numerical {
        /// The feature's position.
        feature: usize,
        /// Rows with a value up to this go left.
        threshold: f32,
    },
    /// A set of categories of one feature.
    Categorical {
        /// The feature's position.
        feature: usize,
        /// Which categories go left, by index; its length is the number of categories of the feature.
        left: Vec<bool>,
    },
    /// A weighted sum of features against a threshold; the sum is computed in f64 in the listed order.
    Oblique {
        /// The features' positions.
        features: Vec<usize>,
        /// One weight per feature.
        weights: Vec<f32>,
        /// The replacement for a missing value, per feature.
        missing_values: Vec<f32>,
        /// Rows with a sum up to this go left.
        threshold: f64,
    },
}

impl Split {
    /// Whether a row goes left; `None` if its value is missing or unseen.
    pub fn goes_left(&self, row: &[f32]) -> Option<bool> {
        match self {
            Split::Numerical { feature, threshold } => {
                let value = row[*feature];
                (!value.is_nan()).then_some(value <= *threshold)
            }
            Split::Categorical { feature, left } => {
                let code = row[*feature];
                // A missing value is NaN and an unseen word is -1; both fail the comparison.
                if code >= 0.0 { left.get(code as usize).copied() } else { None }
            }
            Split::Oblique { features, weights, missing_values, threshold } => {
                Some(weighted_sum(0.0, features, weights, missing_values, row) <= *threshold)
            }
        }
    }

    /// The features the split reads.
    pub fn features(&self) -> &[usize] {
        match self {
            Split::Numerical { feature, .. } | Split::Categorical { feature, .. } => {
                std::slice::from_ref(feature)
            }
            Split::Oblique { features, .. } => features,
        }
    }
}

/// The output of a leaf, before the output transform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Leaf {
    /// Class scores: shares, one logit for two classes, or one logit per class.
    Scores(Vec<f32>),
    /// A number.
    Constant(f32),
    /// A linear model of the features; missing values are replaced.
    Linear {
        /// The intercept.
        constant: f32,
        /// The features' positions.
        features: Vec<usize>,
        /// One coefficient per feature.
        coefficients: Vec<f32>,
        /// The replacement for a missing value, per feature.
        missing_values: Vec<f32>,
        /// The lowest and the highest output; `None` if the model is unbounded.
        bounds: Option<Bounds>,
    },
}

impl Leaf {
    /// The raw outputs for a row.
    pub fn output(&self, row: &[f32]) -> Vec<f64> {
        match self {
            Leaf::Scores(scores) => scores.iter().map(|&score| f64::from(score)).collect(),
            Leaf::Constant(value) => vec![f64::from(*value)],
            Leaf::Linear { constant, features, coefficients, missing_values, bounds } => {
                let sum = weighted_sum(f64::from(*constant), features, coefficients, missing_values, row);
                vec![bounds.map_or(sum, |bounds| bounds.hold(sum))]
            }
        }
    }

    /// The unbounded output of a linear leaf, for a row whose output is clamped to a bound; `None` for all
    /// other rows.
    pub fn beyond(&self, row: &[f32]) -> Option<f64> {
        let Leaf::Linear { constant, features, coefficients, missing_values, bounds: Some(bounds) } = self
        else {
            return None;
        };
        let sum = weighted_sum(f64::from(*constant), features, coefficients, missing_values, row);
        (bounds.hold(sum) != sum).then_some(sum)
    }
}

/// `start + Σ weight · value` in f64 and in the listed order, with missing values replaced.
fn weighted_sum(start: f64, features: &[usize], weights: &[f32], stand_ins: &[f32], row: &[f32]) -> f64 {
    let mut sum = start;
    for ((&feature, &weight), &stand_in) in features.iter().zip(weights).zip(stand_ins) {
        let value = row[feature];
        // The product of two f32 is exact in f64, so only the order of the sum matters.
        sum += f64::from(weight) * f64::from(if value.is_nan() { stand_in } else { value });
    }
    sum
}

/// The largest f32 not above `threshold`. For every f32 `x`, `x <= threshold` in f64 exactly when `x <=
/// round_down(threshold)`, so a threshold computed in f64 can be stored in f32 without moving a row.
pub fn round_down(threshold: f64) -> f32 {
    let nearest = threshold as f32;
    if f64::from(nearest) > threshold { nearest.next_down() } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_on_the_threshold_goes_left_and_a_missing_one_is_undecided() {
        let split = Split::Numerical { feature: 1, threshold: 0.5 };
        assert_eq!(split.goes_left(&[9.0, 0.5]), Some(true));
        assert_eq!(split.goes_left(&[9.0, 0.5f32.next_up()]), Some(false));
        assert_eq!(split.goes_left(&[9.0, f32::NAN]), None);
    }

    #[test]
    fn categories_go_by_membership_and_unseen_ones_are_undecided() {
        let split = Split::Categorical { feature: 0, left: vec![true, false] };
        assert_eq!(split.goes_left(&[0.0]), Some(true));
        assert_eq!(split.goes_left(&[1.0]), Some(false));
        for unseen in [-1.0, 2.0, f32::NAN] {
            assert_eq!(split.goes_left(&[unseen]), None);
        }
    }

    #[test]
    fn an_oblique_sum_replaces_missing_values_and_a_tie_goes_left() {
        let split = Split::Oblique {
            features: vec![0, 2],
            weights: vec![1.0, -2.0],
            missing_values: vec![0.0, 3.0],
            threshold: -1.0,
        };
        assert_eq!(split.goes_left(&[1.0, 7.0, 1.0]), Some(true));
        assert_eq!(split.goes_left(&[1.5, 7.0, 1.0]), Some(false));
        assert_eq!(split.goes_left(&[1.0, 7.0, f32::NAN]), Some(true));
    }

    #[test]
    fn a_linear_leaf_adds_up() {
        let leaf = |bounds| Leaf::Linear {
            constant: 1.0,
            features: vec![1],
            coefficients: vec![2.0],
            missing_values: vec![0.25],
            bounds,
        };
        assert_eq!(leaf(None).output(&[0.0, 3.0]), [7.0]);
        assert_eq!(leaf(None).output(&[0.0, f32::NAN]), [1.5]);
        let bounded = leaf(Some(Bounds { low: -1.0, high: 5.0 }));
        assert_eq!([3.0, 1.0, -1e9, f32::NAN].map(|x| bounded.output(&[0.0, x])[0]), [5.0, 3.0, -1.0, 1.5]);
        assert_eq!(
            [3.0, 2.0, -1.0, -2.0].map(|x| bounded.beyond(&[0.0, x])),
            [Some(7.0), None, None, Some(-3.0)]
        );
        assert_eq!(leaf(None).beyond(&[0.0, 1e9]), None);
    }

    #[test]
    fn rounding_down_moves_no_f32() {
        for threshold in [0.1, -0.1, 0.5, 1e-50, -1e-50, 880.849_975_585_937_6, 16_777_217.0] {
            let stored = round_down(threshold);
            assert!(f64::from(stored) <= threshold);
            assert!(f64::from(stored.next_up()) > threshold);
        }
    }
}
