//! How far the formula of a leaf may go.
//!
//! A linear model goes on beyond the rows it was fitted to, and far outside them its answer is absurd. Its leaf therefore names
//! the least and the greatest answer, and what lies beyond is answered with the nearer of the two.

use serde::{Deserialize, Serialize};

use super::{Leaf, Node, Tree};

/// The least and the greatest answer of a linear leaf, in the target's units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// No answer is below this.
    pub low: f64,
    /// No answer is above this; not less than the other.
    pub high: f64,
}

impl Bounds {
    /// From the least of some targets to the greatest, and as far again on either side. None without targets.
    pub(crate) fn around(targets: impl Iterator<Item = f64>) -> Option<Bounds> {
        let (least, greatest) =
            targets.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), y| (least.min(y), greatest.max(y)));
        let range = greatest - least;
        // Twice a number near the end of f64 has no place in a file; the end itself has.
        let finite = |bound: f64| bound.clamp(f64::MIN, f64::MAX);
        (range >= 0.0).then(|| Bounds { low: finite(least - range), high: finite(greatest + range) })
    }

    /// A sum, or the bound that it passes. Written as comparisons, as every export has them; what is no number is the lower
    /// bound.
    pub(crate) fn hold(self, sum: f64) -> f64 {
        if sum > self.high {
            self.high
        } else if sum >= self.low {
            sum
        } else {
            self.low
        }
    }
}

impl Tree {
    /// The same tree with linear leaves that answer within bounds.
    pub fn within(mut self, within: Bounds) -> Tree {
        for node in &mut self.nodes {
            if let Node::Leaf(Leaf::Linear { bounds, .. }) = node {
                *bounds = Some(within);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(targets: &[f64]) -> Option<Bounds> {
        Bounds::around(targets.iter().copied())
    }

    #[test]
    fn bounds_are_a_range_beyond_the_targets() {
        assert_eq!(around(&[3.0, 1.0, 2.0]), Some(Bounds { low: -1.0, high: 5.0 }));
        assert_eq!(around(&[7.5, 7.5]), Some(Bounds { low: 7.5, high: 7.5 }), "a constant target stays what it is");
        assert_eq!(around(&[0.0, 1.0, 1e12]), Some(Bounds { low: -1e12, high: 2e12 }));
        assert_eq!(around(&[]), None);
    }

    #[test]
    fn bounds_are_finite_whatever_the_targets() {
        let widest = around(&[f64::MIN, f64::MAX]).unwrap();
        assert_eq!(widest, Bounds { low: f64::MIN, high: f64::MAX });
        let Bounds { low, high } = around(&[1e308, -1.0]).unwrap();
        assert!(low.is_finite() && high == f64::MAX, "{low} {high}");
    }

    #[test]
    fn a_sum_within_stays_and_one_beyond_is_held() {
        let bounds = Bounds { low: -1.0, high: 5.0 };
        for within in [-1.0, -0.0, 0.1 + 0.2, 5.0] {
            assert_eq!(bounds.hold(within).to_bits(), f64::to_bits(within));
        }
        assert_eq!([-1.1, -1e300, f64::NEG_INFINITY, f64::NAN].map(|sum| bounds.hold(sum)), [-1.0; 4]);
        assert_eq!([5.1, 1e300, f64::INFINITY].map(|sum| bounds.hold(sum)), [5.0; 3]);
        // A bound at a zero of either sign is one and the same.
        assert_eq!(Bounds { low: 0.0, high: 0.0 }.hold(-0.0).to_bits(), f64::to_bits(-0.0));
    }

    #[test]
    fn only_formulas_are_bounded() {
        let linear = |bounds| {
            let (features, coefficients, missing_values) = (vec![0], vec![2.0], vec![0.0]);
            Leaf::Linear { constant: 1.0, features, coefficients, missing_values, bounds }
        };
        let within = Bounds { low: -1.0, high: 5.0 };
        assert_eq!(Tree::leaf(linear(None)).within(within), Tree::leaf(linear(Some(within))));
        assert_eq!(Tree::leaf(Leaf::Constant(9.0)).within(within), Tree::leaf(Leaf::Constant(9.0)));
    }
}
