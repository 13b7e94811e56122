//! Formulas of scores, shared by learners and reports.

/// Probabilities are kept this far from 0 and 1, so that one confident mistake does not make the log loss
/// infinite.
const CLIP: f64 = 1e-15;

/// The log loss of a row, given the probability of its true class.
pub fn log_loss(probability: f64) -> f64 {
    -libm::log(probability.clamp(CLIP, 1.0 - CLIP))
}

/// Mean of 2 TP / (2 TP + FP + FN) over the classes that occur as truth or label. `None` if no class occurs.
///
/// * `hits` (C)   correctly labelled rows, by class
/// * `truth` (C)  rows by true class
/// * `label` (C)  rows by label
pub fn macro_f1(hits: &[f64], truth: &[f64], label: &[f64]) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for ((hits, truth), label) in hits.iter().zip(truth).zip(label) {
        // TP + FN are the rows of the class, TP + FP the rows with its label.
        if truth + label > 0.0 {
            sum += 2.0 * hits / (truth + label);
            count += 1.0;
        }
    }
    (count > 0.0).then(|| sum / count)
}

/// `1 − loss / baseline`: the share of a constant prediction's loss that is saved. R² for squared errors.
pub fn share_explained(loss: f64, baseline: f64) -> f64 {
    1.0 - loss / baseline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_do_not_occur_do_not_count() {
        assert_eq!(macro_f1(&[1.0, 1.0, 0.0], &[2.0, 1.0, 0.0], &[1.0, 2.0, 0.0]), Some(2.0 / 3.0));
        assert_eq!(macro_f1(&[0.0; 2], &[0.0; 2], &[0.0; 2]), None);
        assert_eq!(share_explained(1.0, 4.0), 0.75);
        assert!(log_loss(0.0).is_finite() && log_loss(0.5) == -libm::log(0.5));
    }
}
