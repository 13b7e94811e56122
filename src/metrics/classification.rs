//! Scores of a classifier.

use crate::numeric::order::{first_largest, sort_positions};

use super::{Scores, keep};

/// Probabilities this near to 0 or 1 count as this far from it, so that one sure mistake does not make the log loss infinite.
const CLIP: f64 = 1e-15;

/// `accuracy`, `balanced_accuracy`, `macro_f1`, `log_loss` and `auc` of probabilities.
///
/// * `truth` (N)  the class of each row, below `classes`
/// * `probabilities` (N × C)  one probability per class and row; the label is the first largest
///
/// # Panics
/// If the lengths differ, a row has not `classes` probabilities, or a class is out of range.
pub fn classification(truth: &[u32], probabilities: &[Vec<f64>], classes: usize) -> Scores {
    assert_eq!(truth.len(), probabilities.len(), "one row of probabilities per true class");
    assert!(probabilities.iter().all(|row| row.len() == classes), "one probability per class");
    assert!(truth.iter().all(|&class| (class as usize) < classes), "classes are below their number");
    let mut scores = Scores::new();
    if truth.is_empty() {
        return scores;
    }
    let confusion = Confusion::new(truth, probabilities, classes);
    keep(&mut scores, "accuracy", Some(confusion.accuracy()));
    keep(&mut scores, "balanced_accuracy", Some(confusion.balanced_accuracy()));
    keep(&mut scores, "macro_f1", Some(confusion.macro_f1()));
    keep(&mut scores, "log_loss", Some(log_loss(truth, probabilities)));
    keep(&mut scores, "auc", auc(truth, probabilities, classes));
    scores
}

/// Rows counted by true class and label.
struct Confusion {
    /// Rows whose label is their class, by class.
    hits: Vec<f64>,
    /// Rows by true class.
    truth: Vec<f64>,
    /// Rows by label.
    label: Vec<f64>,
}

impl Confusion {
    fn new(truth: &[u32], probabilities: &[Vec<f64>], classes: usize) -> Confusion {
        let mut counts = Confusion { hits: vec![0.0; classes], truth: vec![0.0; classes], label: vec![0.0; classes] };
        for (&class, row) in truth.iter().zip(probabilities) {
            let (class, label) = (class as usize, first_largest(row));
            counts.truth[class] += 1.0;
            counts.label[label] += 1.0;
            if class == label {
                counts.hits[class] += 1.0;
            }
        }
        counts
    }

    fn accuracy(&self) -> f64 {
        self.hits.iter().sum::<f64>() / self.truth.iter().sum::<f64>()
    }

    /// Mean recall over the classes that occur.
    fn balanced_accuracy(&self) -> f64 {
        mean((0..self.truth.len()).filter(|&c| self.truth[c] > 0.0).map(|c| self.hits[c] / self.truth[c]))
    }

    /// Mean over the classes that occur in truth or label of 2 TP / (2 TP + FP + FN).
    fn macro_f1(&self) -> f64 {
        // TP + FN are the rows of the class, TP + FP the rows so labelled.
        let f1 = |c: usize| 2.0 * self.hits[c] / (self.truth[c] + self.label[c]);
        mean((0..self.truth.len()).filter(|&c| self.truth[c] + self.label[c] > 0.0).map(f1))
    }
}

fn log_loss(truth: &[u32], probabilities: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for (&class, row) in truth.iter().zip(probabilities) {
        sum -= libm::log(row[class as usize].clamp(CLIP, 1.0 - CLIP));
    }
    sum / truth.len() as f64
}

/// Area under the ROC curve: of the second class when there are two, else the mean over the classes that occur, each against
/// the rest. None when no class can be told from the others, or when a probability is not a number.
fn auc(truth: &[u32], probabilities: &[Vec<f64>], classes: usize) -> Option<f64> {
    if probabilities.iter().flatten().any(|p| p.is_nan()) {
        return None;
    }
    let of_class = |class: usize| {
        let scores: Vec<f64> = probabilities.iter().map(|row| row[class]).collect();
        let positive: Vec<bool> = truth.iter().map(|&truth| truth as usize == class).collect();
        one_against_rest(&scores, &positive)
    };
    if classes == 2 {
        return of_class(1);
    }
    let areas: Vec<f64> = (0..classes).filter_map(of_class).collect();
    (!areas.is_empty()).then(|| mean(areas.into_iter()))
}

/// The share of (positive, negative) pairs in which the positive has the higher score, equal scores counting half: from the
/// ranks, equal scores sharing their mean rank.
fn one_against_rest(scores: &[f64], positive: &[bool]) -> Option<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    sort_positions(&mut order, &|a, b| scores[a].total_cmp(&scores[b]));
    let mut rank_sum = 0.0;
    let mut start = 0;
    while start < order.len() {
        // `==` and not the total order: 0.0 and -0.0 are equal scores.
        let tied = order[start..].iter().take_while(|&&i| scores[i] == scores[order[start]]).count();
        let rank = start as f64 + (tied as f64 + 1.0) / 2.0;
        let positives = order[start..start + tied].iter().filter(|&&i| positive[i]).count();
        rank_sum += rank * positives as f64;
        start += tied;
    }
    let positives = positive.iter().filter(|&&is| is).count() as f64;
    let negatives = positive.len() as f64 - positives;
    let pairs = positives * negatives;
    (pairs > 0.0).then(|| (rank_sum - positives * (positives + 1.0) / 2.0) / pairs)
}

/// The mean of at least one value.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    sum / count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(p: &[f64]) -> Vec<Vec<f64>> {
        p.iter().map(|&p| vec![1.0 - p, p]).collect()
    }

    #[test]
    fn scores_of_a_small_table_by_hand() {
        let scores = classification(&[0, 0, 0, 1], &two(&[0.1, 0.2, 0.6, 0.7]), 2);
        assert_eq!(scores["accuracy"], 0.75);
        assert_eq!(scores["balanced_accuracy"], (2.0 / 3.0 + 1.0) / 2.0);
        assert_eq!(scores["macro_f1"], (0.8 + 2.0 / 3.0) / 2.0);
        assert_eq!(scores["auc"], 1.0);
        let loss = -(0.9f64.ln() + 0.8f64.ln() + 0.4f64.ln() + 0.7f64.ln()) / 4.0;
        assert!((scores["log_loss"] - loss).abs() < 1e-15);
    }

    #[test]
    fn what_is_undefined_is_left_out() {
        assert!(classification(&[], &[], 3).is_empty());
        let names: Vec<&str> = classification(&[1, 1], &two(&[0.5, 0.9]), 2).into_keys().collect();
        assert_eq!(names, ["accuracy", "balanced_accuracy", "log_loss", "macro_f1"]);
        let broken = classification(&[0, 1], &[vec![f64::NAN, 0.5], vec![0.5, 0.5]], 2);
        assert_eq!(broken.keys().copied().collect::<Vec<_>>(), ["accuracy", "balanced_accuracy", "macro_f1"]);
    }

    #[test]
    fn a_sure_mistake_costs_a_finite_loss_and_a_tie_counts_half() {
        assert!((classification(&[0], &two(&[1.0]), 2)["log_loss"] - 34.538_776_394_910_68).abs() < 1e-9);
        assert_eq!(classification(&[0, 1], &two(&[0.3, 0.3]), 2)["auc"], 0.5);
    }

    #[test]
    fn classes_that_do_not_occur_do_not_count() {
        let rows = vec![vec![0.8, 0.1, 0.1], vec![0.2, 0.7, 0.1], vec![0.6, 0.3, 0.1]];
        let scores = classification(&[0, 1, 1], &rows, 3);
        assert_eq!(scores["balanced_accuracy"], 0.75);
        assert_eq!(scores["auc"], 1.0);
    }
}
