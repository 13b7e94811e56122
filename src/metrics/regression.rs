//! Scores of a regression.

use super::{Scores, keep};
use crate::numeric::pinball::Pinball;
use crate::numeric::scores::share_explained;

/// `r2`, `rmse` and `mae` of predicted numbers.
///
/// * `truth` (N), `predicted` (N)  in the target's own units
///
/// # Panics
/// If the lengths differ.
pub fn regression(truth: &[f64], predicted: &[f64]) -> Scores {
    assert_eq!(truth.len(), predicted.len(), "one prediction per true value");
    let mut scores = Scores::new();
    if truth.is_empty() {
        return scores;
    }
    let n = truth.len() as f64;
    let mean = truth.iter().sum::<f64>() / n;
    let (mut squares, mut absolutes, mut spread) = (0.0, 0.0, 0.0);
    for (&y, &f) in truth.iter().zip(predicted) {
        squares += (y - f) * (y - f);
        absolutes += (y - f).abs();
        spread += (y - mean) * (y - mean);
    }
    keep(&mut scores, "r2", Some(r2(squares, spread)));
    keep(&mut scores, "rmse", Some((squares / n).sqrt()));
    keep(&mut scores, "mae", Some(absolutes / n));
    scores
}

/// Adds `pinball`, the mean loss for the requested quantile.
pub(crate) fn with_pinball(mut scores: Scores, truth: &[f64], predicted: &[f64], pinball: Pinball) -> Scores {
    if !truth.is_empty() {
        let losses = truth.iter().zip(predicted).map(|(&y, &f)| pinball.loss(y, f));
        keep(&mut scores, "pinball", Some(losses.sum::<f64>() / truth.len() as f64));
    }
    scores
}

/// 1 − SSE / SST. A target without spread scores 1 if it is predicted exactly, otherwise 0.
fn r2(squares: f64, spread: f64) -> f64 {
    match (squares == 0.0, spread == 0.0) {
        (true, true) => 1.0,
        (false, true) => 0.0,
        _ => share_explained(squares, spread),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_a_small_table_by_hand() {
        let scores = regression(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 4.0, 2.0]);
        assert_eq!(scores["r2"], 0.0);
        assert_eq!(scores["rmse"], 1.25f64.sqrt());
        assert_eq!(scores["mae"], 0.75);
    }

    #[test]
    fn a_target_without_spread_is_hit_or_not() {
        assert_eq!(regression(&[2.0, 2.0], &[2.0, 2.0])["r2"], 1.0);
        assert_eq!(regression(&[2.0, 2.0], &[2.0, 3.0])["r2"], 0.0);
    }

    #[test]
    fn what_is_undefined_is_left_out() {
        assert!(regression(&[], &[]).is_empty());
        assert!(regression(&[1.0, 2.0], &[f64::INFINITY, 0.0]).is_empty());
        assert!(regression(&[1.0, 2.0], &[f64::NAN, 0.0]).is_empty());
    }
}
