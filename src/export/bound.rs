//! Thresholds for programs that compare in f64.

/// The largest f64 that rounds to an f32 of at most `threshold`. For every f64 `x`, `f32(x) <= threshold`
/// exactly when `x <= last_left(threshold)`.
pub(super) fn last_left(threshold: f32) -> f64 {
    let here = f64::from(threshold);
    // Above the largest f32, the step is the one below it.
    let step = match threshold.next_up() {
        above if above.is_finite() => f64::from(above) - here,
        _ => here - f64::from(threshold.next_down()),
    };
    let middle = here + step / 2.0;
    if middle as f32 <= threshold { middle } else { middle.next_down() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_in_f64_cuts_where_the_rounded_comparison_does() {
        for threshold in
            [0.8f32, 0.1, -0.0, 0.0, 1.0, -1.0, 6.5, 16_777_216.0, 1e-45, -1e-45, f32::MIN, 3.3e38]
        {
            let bound = last_left(threshold);
            assert!(bound as f32 <= threshold, "{threshold}");
            assert!(bound.next_up() as f32 > threshold, "{threshold}");
        }
        assert_eq!(last_left(f32::MAX) as f32, f32::MAX);
        assert_eq!(last_left(f32::MAX).next_up() as f32, f32::INFINITY);
    }
}
