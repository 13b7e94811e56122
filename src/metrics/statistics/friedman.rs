//! Friedman's test of ranks over several datasets, and the critical difference of mean ranks.

use super::distributions::f_above;
use super::{average_ranks, tied};

/// The result of the test.
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// Number of datasets.
    pub datasets: usize,
    /// The mean rank of each model over the datasets; 1 is the best.
    pub mean_ranks: Vec<f64>,
    /// Friedman's statistic, corrected for ties.
    pub chi_square: f64,
    /// The less conservative statistic of Iman and Davenport (1980). `None` if every dataset has the same
    /// ranks, which makes it infinite.
    pub f: Option<f64>,
    /// The probability of ranks at least this uneven by chance, from the F distribution.
    pub p: f64,
    /// Two models differ at the 5 % level if their mean ranks are further apart than this (Nemenyi, 1963).
    /// `None` for two models, which the signed-rank test compares, and for more models than the table has.
    pub critical_difference: Option<f64>,
}

/// Quantiles of the studentised range at 5 % and infinite degrees of freedom, divided by √2, for 2, 3, …
/// models.
const NEMENYI: [f64; 19] = [
    1.959964, 2.343701, 2.569032, 2.727774, 2.849705, 2.948320, 3.030878, 3.101730, 3.163684, 3.218654,
    3.268004, 3.312739, 3.353618, 3.391230, 3.426041, 3.458425, 3.488685, 3.517073, 3.543799,
];

/// Tests scores, higher being better: one row per dataset, one number per model. `None` for fewer than two
/// models or datasets, or if every dataset has all scores equal.
pub fn friedman(scores: &[Vec<f64>]) -> Option<Friedman> {
    let models = scores.first()?.len();
    if scores.len() < 2 || models < 2 {
        return None;
    }
    let (n, k) = (scores.len() as f64, models as f64);
    let (mut sums, mut ties) = (vec![0.0; models], 0.0);
    for row in scores {
        let negated: Vec<f64> = row.iter().map(|score| -score).collect();
        sums.iter_mut().zip(average_ranks(&negated)).for_each(|(sum, rank)| *sum += rank);
        ties += tied(row);
    }
    let correction = 1.0 - ties / (n * k * (k * k - 1.0));
    if correction <= 0.0 {
        return None;
    }
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let chi_square = (12.0 / (n * k * (k + 1.0)) * squares - 3.0 * n * (k + 1.0)) / correction;
    let rest = n * (k - 1.0) - chi_square;
    // With the same ranks everywhere, only a rounding error is left.
    let f = (rest > 1e-9 * n).then(|| ((n - 1.0) * chi_square / rest).max(0.0));
    let p = f.map_or(0.0, |f| f_above(f, k - 1.0, (k - 1.0) * (n - 1.0)));
    let nemenyi = if models > 2 { NEMENYI.get(models - 2) } else { None };
    Some(Friedman {
        datasets: scores.len(),
        mean_ranks: sums.iter().map(|sum| sum / n).collect(),
        chi_square,
        f,
        p,
        critical_difference: nemenyi.map(|q| q * (k * (k + 1.0) / (6.0 * n)).sqrt()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_ranks_everywhere_are_beyond_chance_and_equal_scores_are_no_test() {
        let test = friedman(&vec![vec![0.9, 0.8, 0.7]; 6]).unwrap();
        assert_eq!((test.mean_ranks, test.f, test.p), (vec![1.0, 2.0, 3.0], None, 0.0));
        assert_eq!(friedman(&[vec![0.5, 0.5], vec![0.2, 0.2]]), None);
        assert_eq!(friedman(&[vec![0.5, 0.4]]), None);
        assert_eq!(friedman(&[]), None);
    }
}
