//! Encodes categories as numbers: one-hot if there are few, target encoding if there are many.

use super::Labels;

/// How categorical columns are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Categories {
    /// One-hot below `MANY` categories, target encoding from there on. For training samples the target mean
    /// is over the *other* training samples of the category; for other samples it is over all of them.
    LeaveOneOut,
    /// Leave-one-out target encoding, however few categories there are.
    AllLeaveOneOut,
    /// As with `LeaveOneOut`, but training samples too get the mean over all training samples of the
    /// category.
    Mean,
    /// Categorical columns are left out: for learners whose splits weigh several columns together, which sets
    /// of categories cannot express.
    Omit,
}

/// From this many categories on, a column is target-encoded.
pub(crate) const MANY: usize = 10;

/// The categories that get an indicator. Of two categories without missing values, the second alone is
/// enough.
pub(crate) fn indicators(categories: usize, missing: bool) -> std::ops::Range<usize> {
    if categories == 2 && !missing { 1..2 } else { 0..categories }
}

/// The target as numbers to average, one list per column that a target-encoded feature becomes. They are the
/// number itself for regression, an indicator of the second class for two classes, and otherwise an indicator
/// of each class.
pub(crate) fn outcomes(labels: &Labels) -> Vec<Vec<f64>> {
    match labels {
        Labels::Values(values) => vec![values.clone()],
        Labels::Classes { label, classes } => {
            let averaged = if *classes == 2 { 1..2 } else { 0..*classes };
            let is = |class: usize| label.iter().map(|&l| f64::from(u8::from(l as usize == class))).collect();
            averaged.map(is).collect()
        }
    }
}

/// Means of one outcome by category, over the training samples.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetMeans {
    /// S_k: the sum of the outcome over each category.
    sums: Vec<f64>,
    /// n_k: the number of samples in each category.
    counts: Vec<usize>,
    /// The mean over all training samples.
    overall: f64,
}

impl TargetMeans {
    /// Sums up. `codes` (N) has the category of each training sample, `outcome` (N) its outcome. A sample
    /// whose code is NaN or negative has no category and counts only in the overall mean.
    pub fn fit(codes: impl Iterator<Item = f32>, outcome: &[f64], categories: usize) -> TargetMeans {
        let (mut sums, mut counts) = (vec![0.0; categories], vec![0; categories]);
        for (code, &y) in codes.zip(outcome) {
            if let Some(category) = category_of(code) {
                sums[category] += y;
                counts[category] += 1;
            }
        }
        let overall = outcome.iter().sum::<f64>() / outcome.len().max(1) as f64;
        TargetMeans { sums, counts, overall }
    }

    /// The value for a new sample of this category: `S_k / n_k`, or the overall mean if the category was seen
    /// once or never.
    pub fn mean(&self, code: f32) -> f64 {
        match category_of(code) {
            Some(k) if self.counts[k] > 1 => self.sums[k] / self.counts[k] as f64,
            _ => self.overall,
        }
    }

    /// The value for a training sample of this category with this outcome: `(S_k − y) / (n_k − 1)`, so that
    /// its own outcome does not leak in. The overall mean if the category was seen once.
    pub fn mean_of_others(&self, code: f32, y: f64) -> f64 {
        match category_of(code) {
            Some(k) if self.counts[k] > 1 => (self.sums[k] - y) / (self.counts[k] - 1) as f64,
            _ => self.overall,
        }
    }
}

/// The position of a category. `None` for a missing value (NaN) or a word not seen in training (-1).
pub(crate) fn category_of(code: f32) -> Option<usize> {
    (code >= 0.0).then_some(code as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_have_one_column_for_two_classes_and_for_numbers() {
        let classes = |classes| outcomes(&Labels::Classes { label: vec![1, 0, 1], classes });
        assert_eq!(classes(2), [[1.0, 0.0, 1.0]]);
        assert_eq!(classes(3), [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]);
        assert_eq!(outcomes(&Labels::Values(vec![2.5])), [[2.5]]);
    }

    #[test]
    fn missing_and_unseen_categories_get_the_overall_mean() {
        let means = TargetMeans::fit([0.0, 0.0, 1.0, f32::NAN].into_iter(), &[1.0, 3.0, 5.0, 7.0], 2);
        assert_eq!([0.0, 1.0, -1.0, f32::NAN].map(|code| means.mean(code)), [2.0, 4.0, 4.0, 4.0]);
        assert_eq!(means.mean_of_others(0.0, 1.0), 3.0);
        assert_eq!(means.mean_of_others(1.0, 5.0), 4.0);
        assert_eq!(means.mean_of_others(f32::NAN, 7.0), 4.0);
    }

    #[test]
    fn two_categories_need_one_indicator() {
        assert_eq!(indicators(2, false), 1..2);
        assert_eq!(indicators(2, true), 0..2);
        assert_eq!(indicators(5, false), 0..5);
    }
}
