//! The pinball loss, which a quantile minimises: `q (y − f)` if the prediction f is too low, `(1 − q) (f −
//! y)` if it is too high. Twice the loss of the median is the absolute error.

use super::order::sort_numbers;

/// A pinball loss times a scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pinball {
    /// q: the share of the numbers that should be below the prediction, strictly between 0 and 1.
    pub quantile: f64,
    /// The factor on the loss.
    pub scale: f64,
}

/// A position within this share of the count from a whole number counts as whole: 0.7 · 10 need not be 7 in
/// binary.
const WHOLE: f64 = 1e-9;

impl Pinball {
    /// The absolute error.
    pub const ABSOLUTE: Pinball = Pinball { quantile: 0.5, scale: 2.0 };

    /// The loss of a quantile, unscaled.
    pub fn of(quantile: f64) -> Pinball {
        Pinball { quantile, scale: 1.0 }
    }

    /// The loss of one prediction.
    pub fn loss(&self, truth: f64, answer: f64) -> f64 {
        let off = truth - answer;
        self.scale * if off > 0.0 { self.quantile * off } else { (self.quantile - 1.0) * off }
    }

    /// The mean loss of one prediction for several numbers, at least one.
    pub(crate) fn mean_loss(&self, truth: &[f64], answer: f64) -> f64 {
        truth.iter().map(|&truth| self.loss(truth, answer)).sum::<f64>() / truth.len() as f64
    }

    /// Positions, from 0, of the two sorted numbers between which the loss is lowest, among `count`. They are
    /// equal unless q times the count is whole.
    pub(crate) fn positions(&self, count: usize) -> [usize; 2] {
        let place = self.quantile * count as f64;
        let whole = (place + 0.5).floor();
        if (place - whole).abs() <= WHOLE * count as f64 && whole >= 1.0 && (whole as usize) < count {
            [whole as usize - 1, whole as usize]
        } else {
            [(place.ceil().max(1.0) as usize).min(count) - 1; 2]
        }
    }

    /// The prediction with the lowest loss for sorted numbers, at least one; the midpoint if an interval is
    /// equally good.
    pub(crate) fn answer(&self, sorted: &[f64]) -> f64 {
        let [low, high] = self.positions(sorted.len());
        // Halved before adding, so that the midpoint of two large numbers is finite.
        if low == high { sorted[low] } else { sorted[low] / 2.0 + sorted[high] / 2.0 }
    }

    /// The same for unsorted numbers.
    pub fn answer_to(&self, mut values: Vec<f64>) -> f64 {
        sort_numbers(&mut values);
        self.answer(&values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_has_the_least_loss() {
        let values = [-3.0, 0.5, 0.5, 1.0, 2.0, 7.0, 7.5, 8.0, 20.0, 21.0];
        for quantile in [0.001, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 0.95, 0.999] {
            for count in 1..=values.len() {
                let (pinball, values) = (Pinball::of(quantile), &values[..count]);
                let least = pinball.mean_loss(values, pinball.answer(values));
                for step in -50..=250 {
                    let other = pinball.mean_loss(values, f64::from(step) / 10.0);
                    assert!(least <= other + 1e-12, "{quantile} of {count}: {least} and {other}");
                }
            }
        }
    }

    #[test]
    fn the_median_of_an_even_number_is_the_middle() {
        assert_eq!(Pinball::ABSOLUTE.answer_to(vec![4.0, 1.0, 9.0, 2.0]), 3.0);
        assert_eq!(Pinball::ABSOLUTE.answer(&[5.0]), 5.0);
        assert_eq!(Pinball::ABSOLUTE.loss(3.0, 5.0), 2.0);
        assert_eq!(Pinball::of(0.7).answer(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]), 7.5);
        assert_eq!(Pinball::ABSOLUTE.answer(&[f64::MAX, f64::MAX]), f64::MAX);
    }
}
