//! Bounds on the output of a linear leaf.
//!
//! A linear model extrapolates, and far outside the rows it was fitted to its output is absurd. Its leaf
//! therefore has a lowest and a highest output, and anything beyond is clamped.

use serde::{Deserialize, Serialize};

use super::{Leaf, Node, Tree};

/// The lowest and the highest output of a linear leaf, in the target's units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The lowest output.
    pub low: f64,
    /// The highest output; at least `low`.
    pub high: f64,
}

impl Bounds {
    /// The range of the targets, extended by its own length on either side. `None` without targets.
    pub(crate) fn around(targets: impl Iterator<Item = f64>) -> Option<Bounds> {
        let (least, greatest) = targets
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), y| (least.min(y), greatest.max(y)));
        let range = greatest - least;
        // A bound near the limit of f64 would become infinite when doubled, which a file cannot hold; the
        // limit itself it can.
        let finite = |bound: f64| bound.clamp(f64::MIN, f64::MAX);
        (range >= 0.0).then(|| Bounds { low: finite(least - range), high: finite(greatest + range) })
    }

    /// Clamps a sum. Written as comparisons, as in every export; NaN becomes the lower bound.
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
    /// The same tree with bounds on its linear leaves.
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
        assert_eq!(
            around(&[7.5, 7.5]),
            Some(Bounds { low: 7.5, high: 7.5 }),
            "a constant target stays what it is"
        );
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
        // A bound of zero does not change the sign of a zero.
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
