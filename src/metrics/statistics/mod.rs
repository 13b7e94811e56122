//! Significance tests over datasets: is one model better than another, beyond chance?
//!
//! Demšar, *Statistical Comparisons of Classifiers over Multiple Data Sets*, JMLR 7, 2006: a dataset is one
//! observation, the signed-rank test compares two models, and Friedman's test on the ranks compares several.

mod distributions;
mod friedman;
mod wilcoxon;

pub use friedman::{Friedman, friedman};
pub use wilcoxon::{Wilcoxon, wilcoxon};

/// Ranks from 1 for the smallest value; ties share the mean of their ranks.
pub(crate) fn average_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let below = order.partition_point(|&other| values[other] < values[group[0]]);
        // The mean of the ranks below + 1 … below + n.
        let shared = below as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|&at| ranks[at] = shared);
    }
    ranks
}

/// `Σ (t³ − t)` over the groups of t equal values: the amount by which ties reduce the variance of ranks.
fn tied(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let cubes = sorted.chunk_by(|a, b| a == b).map(|group| group.len() as f64);
    cubes.map(|t| t * t * t - t).sum()
}

/// P values adjusted for multiple tests (Holm, 1979). In ascending order, each is multiplied by the number of
/// hypotheses not yet rejected, and is never below the one before.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut least: f64 = 0.0;
    for (at, &which) in order.iter().enumerate() {
        least = least.max((p[which] * (p.len() - at) as f64).min(1.0));
        adjusted[which] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        assert_eq!(average_ranks(&[0.3, 0.1, 0.3, 0.2, 0.3]), [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert_eq!(average_ranks(&[-0.0, 0.0]), [1.5, 1.5]);
        assert_eq!(average_ranks(&[]), [0.0; 0]);
        assert_eq!((tied(&[1.0, 2.0, 3.0]), tied(&[1.0, 2.0, 1.0, 1.0, 2.0])), (0.0, 30.0));
    }

    #[test]
    fn adjusted_p_values_keep_their_order() {
        let adjusted = holm(&[0.04, 0.01, 0.03, 0.9]);
        let expected = [0.09, 0.04, 0.09, 0.9];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{adjusted:?}");
    }
}
