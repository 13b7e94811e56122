//! Estimates how long a training will still take.

use std::time::Duration;

/// An estimate needs at least this share of the work,
const LEAST_SHARE: f64 = 0.02;
/// and at least this many measured seconds.
const LEAST_SECONDS: f64 = 0.5;
/// An estimate replaces the previous one, counted down, only if it differs by at least this share.
const STEADY: f64 = 0.2;
/// Below this many seconds no number is shown: the last stage and the scores may take as long.
const FEW_SECONDS: f64 = 5.0;

/// The time left, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Left {
    /// Estimated from the measured rate; it may rise.
    About(f64),
    /// The rest of the budget.
    AtMost(f64),
}

/// The time left, as it was last shown.
#[derive(Debug, Default)]
pub struct TimeLeft {
    /// When the training is expected to end, in seconds from its start.
    end: Option<f64>,
}

impl TimeLeft {
    /// The time left in words, if anything is known. `share` is the part of the work done after `elapsed`;
    /// `budget` is the rest of the budget.
    pub fn say(&mut self, share: f64, elapsed: Duration, budget: Option<Duration>) -> Option<String> {
        self.estimate(share, elapsed.as_secs_f64(), budget.map(|budget| budget.as_secs_f64())).map(words)
    }

    fn estimate(&mut self, share: f64, elapsed: f64, budget: Option<f64>) -> Option<Left> {
        let known = share >= LEAST_SHARE && elapsed >= LEAST_SECONDS;
        let fresh = known.then(|| elapsed * (1.0 - share) / share);
        let before = self.end.map(|end| end - elapsed);
        let left = fresh.map(|fresh| match before {
            Some(before) if before > 0.0 && (fresh - before).abs() < STEADY * fresh => before,
            _ => fresh,
        });
        self.end = left.map(|left| elapsed + left);
        match (left, budget) {
            (Some(left), Some(budget)) if left >= budget => Some(Left::AtMost(budget)),
            (Some(left), _) => Some(Left::About(left)),
            (None, budget) => budget.map(Left::AtMost),
        }
    }
}

fn words(left: Left) -> String {
    match left {
        Left::AtMost(seconds) => format!("at most {} left", duration(seconds.ceil())),
        Left::About(seconds) if seconds < FEW_SECONDS => "a few seconds left".to_owned(),
        Left::About(seconds) if seconds < 60.0 => {
            format!("about {} left", duration((seconds / 5.0).round() * 5.0))
        }
        Left::About(seconds) => format!("about {} left", duration(seconds)),
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", (seconds / 60.0).ceil()),
        _ => format!("{:.0} h", (seconds / 3600.0).ceil()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(share: f64, elapsed: f64, budget: Option<f64>) -> Option<String> {
        TimeLeft::default().estimate(share, elapsed, budget).map(words)
    }

    #[test]
    fn nothing_is_said_while_nothing_is_known() {
        assert_eq!(said(0.0, 30.0, None), None);
        assert_eq!(said(0.5, 0.1, None), None);
        assert_eq!(said(0.0, 3.0, Some(42.0)).unwrap(), "at most 42 s left");
    }

    #[test]
    fn the_budget_is_the_most() {
        // 5 % after 40 s would be 13 min more; 5 s of the budget remain.
        assert_eq!(said(0.05, 40.0, Some(5.0)).unwrap(), "at most 5 s left");
        assert_eq!(said(0.05, 40.0, None).unwrap(), "about 13 min left");
        for share in [0.0, 0.01, 0.02, 0.3, 0.99, 1.0] {
            for elapsed in [0.0, 1.0, 44.0] {
                let left = TimeLeft::default().estimate(share, elapsed, Some(45.0 - elapsed));
                let (Some(Left::About(seconds)) | Some(Left::AtMost(seconds))) = left else {
                    panic!("it has a bound")
                };
                assert!(seconds <= 45.0 - elapsed);
            }
        }
    }

    #[test]
    fn no_second_is_promised_that_was_not_measured() {
        assert_eq!(said(0.99, 20.0, None).unwrap(), "a few seconds left");
        assert_eq!(said(1.0, 20.0, None).unwrap(), "a few seconds left");
    }

    #[test]
    fn small_changes_of_the_rate_count_down() {
        let mut left = TimeLeft::default();
        assert_eq!(left.estimate(0.25, 10.0, None), Some(Left::About(30.0)));
        // Slightly slower than before: it continues to count down.
        assert_eq!(left.estimate(0.27, 12.0, None), Some(Left::About(28.0)));
        // Much slower: the estimate changes.
        assert_eq!(left.estimate(0.27, 27.0, None), Some(Left::About(73.0)));
    }
}
