//! Categories as numbers: an indicator per category where there are few, the target's mean per category where there are many.

use super::Labels;

/// How columns of categories are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Categories {
    /// An indicator per category below `MANY` categories; from there on the target's mean over the *other* training samples
    /// of the same category, for training samples, and over all of them for other samples.
    LeaveOneOut,
    /// That mean over the others however few categories there are.
    AllLeaveOneOut,
    /// Indicators of few, with the mean over all training samples of the category also for training samples.
    Mean,
    /// Not at all: for learners whose splits weigh several columns together, which cannot be told in sets of categories.
    Omit,
}

/// From this many categories on a column is encoded by its target.
pub(crate) const MANY: usize = 10;

/// The categories that get an indicator. Of two that are never missing the second says it all.
pub(crate) fn indicators(categories: usize, missing: bool) -> std::ops::Range<usize> {
    if categories == 2 && !missing { 1..2 } else { 0..categories }
}

/// The target as numbers to take means of, one list per column that a column of categories becomes: the number itself, whether
/// the class is the second of two, or for each of more classes whether it is that one.
pub(crate) fn outcomes(labels: &Labels) -> Vec<Vec<f64>> {
    match labels {
        Labels::Values(values) => vec![values.clone()],
        Labels::Classes { label, classes } => {
            let told = if *classes == 2 { 1..2 } else { 0..*classes };
            let is = |class: usize| label.iter().map(|&l| f64::from(u8::from(l as usize == class))).collect();
            told.map(is).collect()
        }
    }
}

/// One outcome by category, on the training samples.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetMeans {
    /// S_k: the outcome's sum over each category.
    sums: Vec<f64>,
    /// n_k: the samples of each category.
    counts: Vec<usize>,
    /// The mean over all training samples.
    overall: f64,
}

impl TargetMeans {
    /// Adds up. `codes` (N) has the category of each training sample, `outcome` (N) its outcome; a sample whose code is NaN or
    /// negative has none and counts for the overall mean only.
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

    /// What a new sample of this category gets: `S_k / n_k`, or the overall mean for a category seen once or never.
    pub fn mean(&self, code: f32) -> f64 {
        match category_of(code) {
            Some(k) if self.counts[k] > 1 => self.sums[k] / self.counts[k] as f64,
            _ => self.overall,
        }
    }

    /// What a training sample of this category with this outcome gets: `(S_k − y) / (n_k − 1)`, so that it does not see its own
    /// outcome; the overall mean for a category seen once.
    pub fn mean_of_others(&self, code: f32, y: f64) -> f64 {
        match category_of(code) {
            Some(k) if self.counts[k] > 1 => (self.sums[k] - y) / (self.counts[k] - 1) as f64,
            _ => self.overall,
        }
    }
}

/// The position of a category; none for a missing value (NaN) and a word not seen in training (-1).
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
