//! Converts thresholds to the file's units.

/// The largest `x` with `encode(x) <= threshold`, for a non-decreasing `encode`, by bisection over the order
/// of f32.
///
/// With it, `encode(x) <= threshold` and `x <= answer` agree for *every* finite f32, not only for the rows at
/// hand. If even the smallest f32 is encoded above the threshold, that smallest f32 is returned: no cell of a
/// real file is so small.
pub(crate) fn raw_threshold(encode: impl Fn(f32) -> f32, threshold: f32) -> f32 {
    let (mut low, mut high) = (rank(f32::MIN), rank(f32::MAX));
    if encode(f32::MAX) <= threshold {
        return f32::MAX;
    }
    // Invariant: low is at most the answer (or the smallest f32), and high is encoded above the threshold.
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if encode(unrank(middle)) <= threshold { low = middle } else { high = middle }
    }
    unrank(low)
}

/// The seen values on both sides of a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    /// The largest seen value that is at most the threshold.
    below: Option<f32>,
    /// The smallest seen value above it.
    above: Option<f32>,
}

impl Gap {
    /// Finds the gap around a threshold, ignoring NaN.
    pub(crate) fn around(threshold: f32, seen: impl Iterator<Item = f32>) -> Gap {
        let mut gap = Gap { below: None, above: None };
        for value in seen {
            if value <= threshold {
                gap.below = Some(gap.below.map_or(value, |below| below.max(value)));
            } else if value > threshold {
                gap.above = Some(gap.above.map_or(value, |above| above.min(value)));
            }
        }
        gap
    }

    /// Finds the gap in sorted values, with one more value that may be anywhere.
    pub(crate) fn within(threshold: f32, ascending: &[f32], more: Option<f32>) -> Gap {
        let above = ascending.partition_point(|&value| value <= threshold);
        let neighbours = [above.checked_sub(1), Some(above)].into_iter().flatten();
        Gap::around(threshold, neighbours.filter_map(|at| ascending.get(at).copied()).chain(more))
    }

    /// Whether this threshold separates the same values.
    fn holds(self, threshold: f32) -> bool {
        self.below.is_none_or(|below| below <= threshold) && self.above.is_none_or(|above| threshold < above)
    }

    /// A short decimal in the gap.
    ///
    /// Any threshold between two neighbouring values routes all seen rows alike, and `petal width ≤ 0.8` is
    /// easier to read than `petal width ≤ 0.79283416`. The learned threshold is rounded as far as the gap
    /// allows. If the value below the gap is shorter still, it is used instead: `Age ≤ 16`, not `Age ≤ 16.7`,
    /// for whole years.
    pub(crate) fn tidy(self, threshold: f32) -> f32 {
        let (Some(below), Some(_)) = (self.below, self.above) else {
            return threshold; // Outside the seen values there is no gap.
        };
        let rounded = (0..9)
            .filter_map(|digits| format!("{threshold:.digits$e}").parse::<f32>().ok())
            .find(|&short| self.holds(short))
            .unwrap_or(threshold);
        if digits(below) < digits(rounded) { below } else { rounded }
    }

    /// The shortest decimal among a threshold and its nearest f32 neighbours, unless that would move a seen
    /// value.
    ///
    /// The midpoint of 0.027 and 0.029 is 0.027999999 in f32; one step away is 0.028, which is what was
    /// meant. Since both values were rounded too, it may take a step or two more: 0.96 and 0.98 give
    /// 0.9699999, and 0.97 is two steps away.
    pub(crate) fn neat(self, threshold: f32) -> f32 {
        let steps = |next: fn(f32) -> f32| {
            std::iter::successors(Some(threshold), move |&near| Some(next(near))).skip(1).take(NEAR_STEPS)
        };
        // The nearest come first, because ties in length go to the first.
        let pairs = steps(f32::next_up).zip(steps(f32::next_down)).flat_map(|(up, down)| [up, down]);
        std::iter::once(threshold)
            .chain(pairs)
            .filter(|&near| near.is_finite() && self.holds(near))
            .min_by_key(|near| near.to_string().len())
            .unwrap_or(threshold)
    }
}

/// How many f32 steps a midpoint may be moved for a shorter decimal.
const NEAR_STEPS: usize = 4;

/// Significant digits of the shortest decimal that reads back as this value.
fn digits(value: f32) -> usize {
    format!("{value:e}").bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit).count()
}

/// Maps f32 to integers in numerical order; -0 and 0 are neighbours.
fn rank(x: f32) -> i64 {
    let bits = i64::from(x.to_bits());
    if x.is_sign_negative() { 0x7fff_ffff - bits } else { bits }
}

fn unrank(rank: i64) -> f32 {
    let bits = if rank < 0 { 0x7fff_ffff - rank } else { rank };
    f32::from_bits(u32::try_from(bits).expect("ranks come from f32"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_ordered_and_invertible() {
        let values = [f32::MIN, -1.0, -f32::MIN_POSITIVE, -0.0, 0.0, f32::MIN_POSITIVE, 1.0, f32::MAX];
        for pair in values.windows(2) {
            assert!(rank(pair[0]) < rank(pair[1]), "{pair:?}");
        }
        for value in values {
            assert_eq!(unrank(rank(value)).to_bits(), value.to_bits());
        }
    }

    #[test]
    fn the_raw_threshold_separates_exactly_where_the_encoded_one_does() {
        let encode = |x: f32| ((f64::from(x) - 3.7) * 0.123) as f32;
        for threshold in [-5.2, -0.1, 0.0, 1e-30, 0.777, 12.5] {
            let raw = raw_threshold(encode, threshold);
            assert!(encode(raw) <= threshold);
            assert!(encode(raw.next_up()) > threshold);
        }
        assert_eq!(raw_threshold(encode, f32::MAX), f32::MAX);
        assert_eq!(raw_threshold(|_| 1.0, 0.0), f32::MIN);
    }

    #[test]
    fn the_gap_is_the_same_among_values_that_ascend() {
        let seen = [-3.0, -1.5, 0.0, 0.25, 0.25, 7.0, 1e30];
        for at in [f32::MIN, -3.0, -2.0, 0.1, 0.25, 0.3, 6.0, 7.0, 1e30, f32::MAX] {
            for more in [None, Some(0.2), Some(-9.0)] {
                let shuffled = [3, 0, 6, 1, 5, 4, 2].map(|place| seen[place]).into_iter().chain(more);
                assert_eq!(Gap::within(at, &seen, more), Gap::around(at, shuffled), "{at} {more:?}");
            }
        }
        assert_eq!(Gap::within(0.0, &[], None), Gap { below: None, above: None });
    }

    #[test]
    fn tidy_thresholds_are_short_and_move_no_value() {
        let tidy = |seen: &[f32], at: f32| Gap::around(at, seen.iter().copied()).tidy(at);
        let seen = [0.6, 0.1, 250.0, f32::NAN, 0.2, 1.0];
        assert_eq!(tidy(&seen, 0.792_834_16), 0.8);
        assert_eq!(tidy(&seen, 0.234_567), 0.2);
        assert_eq!(tidy(&seen, 101.234), 100.0);
        assert_eq!(tidy(&[15.0, 16.0, 17.0], 16.7), 16.0);
        assert_eq!(tidy(&[0.435, 0.436], 0.435_98), 0.435);
        assert_eq!(tidy(&seen, 0.05), 0.05);
        assert_eq!(tidy(&seen, 300.123), 300.123);
        let close = [1.000_000_1, 1.000_000_3];
        let between = tidy(&close, 1.000_000_2);
        assert!(close[0] <= between && between < close[1]);
    }

    #[test]
    fn neat_thresholds_move_by_few_steps_and_move_no_value() {
        let neat = |seen: &[f32], at: f32| Gap::around(at, seen.iter().copied()).neat(at);
        assert_eq!(neat(&[0.027, 0.029], 0.028f32.next_down()), 0.028);
        let twice = 0.97f32.next_down().next_down();
        assert_eq!((twice.to_string().as_str(), neat(&[0.96, 0.98], twice)), ("0.9699999", 0.97));
        assert_eq!(neat(&[0.0, 1.0], 0.123_456_7), 0.123_456_7, "no shorter one is near");
        assert_eq!(neat(&[0.027, 0.028], 0.028f32.next_down()), 0.028f32.next_down());
        assert_eq!(neat(&[0.0, f32::MAX], f32::MAX), f32::MAX);
    }
}
