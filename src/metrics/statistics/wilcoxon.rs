//! Wilcoxon's signed-rank test of paired differences.

use super::distributions::normal_above;
use super::{average_ranks, tied};

/// Up to this many differences the distribution is exact, including ties; beyond, it is approximated as
/// normal.
const MOST_EXACT: usize = 50;

/// The result of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// Number of non-zero differences; only these count.
    pub pairs: usize,
    /// The smaller of the rank sums of the positive and of the negative differences.
    pub statistic: f64,
    /// Whether the rank sum of the positive differences is the larger one.
    pub positive: bool,
    /// Two-sided: the probability of ranks at least this one-sided by chance.
    pub p: f64,
    /// Whether p is exact rather than approximated.
    pub exact: bool,
}

/// Tests whether differences are centred on zero; zeros are dropped. `None` if nothing is left.
pub fn wilcoxon(differences: &[f64]) -> Option<Wilcoxon> {
    let differences: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    if differences.is_empty() || differences.iter().any(|d| !d.is_finite()) {
        return None;
    }
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let ranks = average_ranks(&sizes);
    // Not `sum`, which gives −0 where there is nothing to add.
    let positive =
        ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0).fold(0.0, |sum, (rank, _)| sum + rank);
    let n = differences.len() as f64;
    let negative = n * (n + 1.0) / 2.0 - positive;
    let statistic = f64::min(positive, negative);
    let exact = differences.len() <= MOST_EXACT;
    let p = if exact { counted(&ranks, statistic) } else { approximated(n, tied(&sizes), statistic) };
    Some(Wilcoxon {
        pairs: differences.len(),
        statistic,
        positive: positive > negative,
        p: p.min(1.0),
        exact,
    })
}

/// Twice the share of all 2^n ways to sign the ranks whose sum is at most the statistic. Counts up to 2^50
/// are exact in f64.
fn counted(ranks: &[f64], statistic: f64) -> f64 {
    // Mean ranks are multiples of a half, so doubled ranks index a table.
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let mut ways = vec![0.0; doubled.iter().sum::<usize>() + 1];
    ways[0] = 1.0;
    for &rank in &doubled {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let below: f64 = ways[..=(2.0 * statistic) as usize].iter().sum();
    2.0 * below / ways.iter().sum::<f64>()
}

/// Normal approximation with mean n (n + 1) / 4 and variance n (n + 1) (2n + 1) / 24, less 1/48 of the tie
/// term.
fn approximated(n: f64, ties: f64, statistic: f64) -> f64 {
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    2.0 * normal_above((n * (n + 1.0) / 4.0 - statistic) / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_differences_by_hand() {
        // All of one sign: two of the 2^4 ways are as one-sided.
        let test = wilcoxon(&[0.1, 0.2, 0.3, 0.4, 0.0]).unwrap();
        assert_eq!((test.pairs, test.statistic, test.p, test.exact), (4, 0.0, 0.125, true));
        // One large difference does not outweigh the ranks of the others.
        let outlier = wilcoxon(&[9.0, -0.1, -0.2, -0.3, -0.4, -0.5]).unwrap();
        assert!(!outlier.positive && outlier.statistic == 6.0);
        let worse = wilcoxon(&[-0.1, -0.2]).unwrap();
        assert_eq!(worse.statistic.to_bits(), 0, "no −0 in a table");
        assert_eq!(wilcoxon(&[-0.1, 0.1]).unwrap().p, 1.0);
        assert_eq!(wilcoxon(&[0.0, 0.0]), None);
        assert_eq!(wilcoxon(&[1.0, f64::NAN]), None);
    }
}
