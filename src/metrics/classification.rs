//! Scores of a classifier.

use crate::numeric::order::sort_positions;
use crate::numeric::scores;
use crate::tree::Decision;

use super::{Scores, keep};

/// `accuracy`, `balanced_accuracy`, `macro_f1`, `log_loss`, `calibration_error` and `auc` of probabilities;
/// with costs, also the mean `cost` of a prediction.
///
/// * `truth` (N)  the class of each row, below `classes`
/// * `probabilities` (N × C)  one probability per class and row
/// * `decision`  the rule that predicts a class from them
///
/// # Panics
/// If the lengths differ, a row does not have `classes` probabilities, or a class is out of range.
pub fn classification(
    truth: &[u32],
    probabilities: &[Vec<f64>],
    decision: &Decision,
    classes: usize,
) -> Scores {
    assert_eq!(truth.len(), probabilities.len(), "one row of probabilities per true class");
    assert!(probabilities.iter().all(|row| row.len() == classes), "one probability per class");
    assert!(truth.iter().all(|&class| (class as usize) < classes), "classes are below their number");
    let answers: Vec<usize> = probabilities.iter().map(|row| decision.class(row)).collect();
    classification_of(truth, probabilities, &answers, decision)
}

/// The same for given predictions (N), as positions of classes.
pub(crate) fn classification_of(
    truth: &[u32],
    probabilities: &[Vec<f64>],
    answers: &[usize],
    decision: &Decision,
) -> Scores {
    let mut scores = Scores::new();
    let classes = probabilities.first().map_or(0, Vec::len);
    if truth.is_empty() {
        return scores;
    }
    let confusion = Confusion::new(truth, answers, classes);
    keep(&mut scores, "accuracy", Some(confusion.accuracy()));
    keep(&mut scores, "balanced_accuracy", Some(confusion.balanced_accuracy()));
    keep(&mut scores, "macro_f1", confusion.macro_f1());
    keep(&mut scores, "log_loss", Some(log_loss(truth, probabilities)));
    keep(&mut scores, "calibration_error", calibration_error(truth, probabilities, classes));
    keep(&mut scores, "auc", auc(truth, probabilities, classes));
    if let Decision::Costs { costs } = decision {
        keep(
            &mut scores,
            "cost",
            Some(mean(truth.iter().zip(answers).map(|(&class, &answer)| costs[class as usize][answer]))),
        );
    }
    scores
}

/// Rows counted by true class and by predicted label.
struct Confusion {
    /// Correctly labelled rows, by class.
    hits: Vec<f64>,
    /// Rows by true class.
    truth: Vec<f64>,
    /// Rows by predicted label.
    label: Vec<f64>,
}

impl Confusion {
    fn new(truth: &[u32], answers: &[usize], classes: usize) -> Confusion {
        let mut counts =
            Confusion { hits: vec![0.0; classes], truth: vec![0.0; classes], label: vec![0.0; classes] };
        for (&class, &label) in truth.iter().zip(answers) {
            let class = class as usize;
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

    fn macro_f1(&self) -> Option<f64> {
        scores::macro_f1(&self.hits, &self.truth, &self.label)
    }
}

fn log_loss(truth: &[u32], probabilities: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for (&class, row) in truth.iter().zip(probabilities) {
        sum += scores::log_loss(row[class as usize]);
    }
    sum / truth.len() as f64
}

/// Expected calibration error. Rows are put in ten bins of equal width by the probability of a class. The gap
/// between each bin's mean probability and its share of rows of that class is averaged over the rows.
///
/// With two classes it is that of the second class, otherwise the mean over the classes. `None` if a
/// probability is NaN.
fn calibration_error(truth: &[u32], probabilities: &[Vec<f64>], classes: usize) -> Option<f64> {
    const BINS: usize = 10;
    if probabilities.iter().flatten().any(|p| p.is_nan()) {
        return None;
    }
    let of_class = |class: usize| {
        // Sum of predicted probabilities minus the number of rows of the class, per bin.
        let mut gap = [0.0; BINS];
        for (&true_class, row) in truth.iter().zip(probabilities) {
            let p = row[class];
            let bin = ((p * BINS as f64) as usize).min(BINS - 1);
            gap[bin] += p - f64::from(u8::from(true_class as usize == class));
        }
        gap.iter().map(|gap| gap.abs()).sum::<f64>() / truth.len() as f64
    };
    Some(if classes == 2 { of_class(1) } else { mean((0..classes).map(of_class)) })
}

/// Area under the ROC curve. With two classes it is that of the second class, otherwise the mean over the
/// classes that occur, each against the rest. `None` if only one class occurs, or if a probability is NaN.
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

/// The share of (positive, negative) pairs in which the positive has the higher score; ties count half.
/// Computed from ranks, where ties share their mean rank.
fn one_against_rest(scores: &[f64], positive: &[bool]) -> Option<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    sort_positions(&mut order, &|a, b| scores[a].total_cmp(&scores[b]));
    let mut rank_sum = 0.0;
    let mut start = 0;
    while start < order.len() {
        // `==` rather than the total order, because 0.0 and -0.0 are equal scores.
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

    const LIKELIEST: Decision = Decision::Likeliest;

    fn two(p: &[f64]) -> Vec<Vec<f64>> {
        p.iter().map(|&p| vec![1.0 - p, p]).collect()
    }

    #[test]
    fn scores_of_a_small_table_by_hand() {
        let scores = classification(&[0, 0, 0, 1], &two(&[0.1, 0.2, 0.6, 0.7]), &LIKELIEST, 2);
        assert_eq!(scores["accuracy"], 0.75);
        assert_eq!(scores["balanced_accuracy"], (2.0 / 3.0 + 1.0) / 2.0);
        assert_eq!(scores["macro_f1"], (0.8 + 2.0 / 3.0) / 2.0);
        assert_eq!(scores["auc"], 1.0);
        let loss = -(0.9f64.ln() + 0.8f64.ln() + 0.4f64.ln() + 0.7f64.ln()) / 4.0;
        assert!((scores["log_loss"] - loss).abs() < 1e-15);
    }

    #[test]
    fn what_is_undefined_is_left_out() {
        assert!(classification(&[], &[], &LIKELIEST, 3).is_empty());
        let names: Vec<&str> =
            classification(&[1, 1], &two(&[0.5, 0.9]), &LIKELIEST, 2).into_keys().collect();
        assert_eq!(names, ["accuracy", "balanced_accuracy", "calibration_error", "log_loss", "macro_f1"]);
        let broken = classification(&[0, 1], &[vec![f64::NAN, 0.5], vec![0.5, 0.5]], &LIKELIEST, 2);
        assert_eq!(broken.keys().copied().collect::<Vec<_>>(), ["accuracy", "balanced_accuracy", "macro_f1"]);
    }

    #[test]
    fn a_sure_mistake_costs_a_finite_loss_and_a_tie_counts_half() {
        assert!(
            (classification(&[0], &two(&[1.0]), &LIKELIEST, 2)["log_loss"] - 34.538_776_394_910_68).abs()
                < 1e-9
        );
        assert_eq!(classification(&[0, 1], &two(&[0.3, 0.3]), &LIKELIEST, 2)["auc"], 0.5);
    }

    #[test]
    fn classes_that_do_not_occur_do_not_count() {
        let rows = vec![vec![0.8, 0.1, 0.1], vec![0.2, 0.7, 0.1], vec![0.6, 0.3, 0.1]];
        let scores = classification(&[0, 1, 1], &rows, &LIKELIEST, 3);
        assert_eq!(scores["balanced_accuracy"], 0.75);
        assert_eq!(scores["auc"], 1.0);
    }

    #[test]
    fn the_rule_decides_the_labels_and_not_the_probabilities() {
        let (truth, probabilities) = ([0, 0, 0, 1], two(&[0.1, 0.2, 0.3, 0.4]));
        let likeliest = classification(&truth, &probabilities, &LIKELIEST, 2);
        let balanced = classification(&truth, &probabilities, &Decision::balanced(&[3, 1]), 2);
        assert_eq!((likeliest["accuracy"], likeliest["balanced_accuracy"]), (0.75, 0.5));
        assert_eq!((balanced["accuracy"], balanced["balanced_accuracy"]), (0.75, (2.0 / 3.0 + 1.0) / 2.0));
        for score in ["log_loss", "auc", "calibration_error"] {
            assert_eq!(likeliest[score], balanced[score], "{score}");
        }
        let costs = Decision::Costs { costs: vec![vec![0.0, 1.0], vec![9.0, 0.0]] };
        // The second class is predicted from 10 % on: two false alarms.
        assert_eq!(classification(&truth, &probabilities, &costs, 2)["cost"], 2.0 / 4.0);
    }

    #[test]
    fn calibration_is_the_distance_of_promise_and_outcome() {
        // Four rows at 25 %, one of them in the second class: calibrated. Two rows at 80 %, neither in it:
        // not calibrated.
        let kept = classification(&[0, 0, 0, 1], &two(&[0.25; 4]), &LIKELIEST, 2);
        assert!(kept["calibration_error"].abs() < 1e-15);
        let broken =
            classification(&[0, 0, 0, 1, 0, 0], &two(&[0.25, 0.25, 0.25, 0.25, 0.8, 0.8]), &LIKELIEST, 2);
        assert!((broken["calibration_error"] - 1.6 / 6.0).abs() < 1e-15);
    }
}
