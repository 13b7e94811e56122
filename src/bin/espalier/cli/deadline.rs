//! When a piece of work has to end: the user's Ctrl-C, or a budget that covers what is left to do after it.

use std::time::{Duration, Instant};

use espalier::run::STOPPED;

use super::interrupt;

/// The reason given when the time was up.
pub const BUDGET: &str = "budget";

/// The time for one model: from the begin of its encoding to its scores.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    begun: Instant,
    budget: Option<Duration>,
    /// Kept back for what follows the steps: reading the tree back into the file's words, and scoring it.
    reserve: Duration,
}

impl Deadline {
    /// `begun` is when the work for this model began.
    pub fn new(begun: Instant, budget: Option<Duration>) -> Deadline {
        Deadline { begun, budget, reserve: Duration::ZERO }
    }

    /// The same with time kept back: at most half of the budget.
    pub fn with_reserve(self, reserve: Duration) -> Deadline {
        let most = self.budget.map_or(reserve, |budget| budget / 2);
        Deadline { reserve: reserve.min(most), ..self }
    }

    /// The same for a part of the work that may use this share of the budget.
    pub fn share(self, share: f64) -> Deadline {
        Deadline { budget: self.budget.map(|budget| budget.mul_f64(share)), ..self }
    }

    /// Time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// What remains of the budget; none if there is none.
    pub fn left(&self) -> Option<Duration> {
        self.budget.map(|budget| budget.saturating_sub(self.elapsed()))
    }

    /// Why the work has to end now, if it has to.
    pub fn over(&self) -> Option<&'static str> {
        if interrupt::asked() {
            return Some(STOPPED);
        }
        self.left().is_some_and(|left| left <= self.reserve).then_some(BUDGET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_is_kept_back_for_what_follows() {
        let begun = Instant::now().checked_sub(6 * SECOND).expect("the machine has run for some seconds");
        let deadline = Deadline::new(begun, Some(10 * SECOND));
        assert_eq!(deadline.over(), None);
        assert_eq!(deadline.with_reserve(3 * SECOND).over(), None);
        assert_eq!(deadline.with_reserve(5 * SECOND).over(), Some(BUDGET));
        assert_eq!(deadline.share(0.5).over(), Some(BUDGET));
        assert_eq!(deadline.with_reserve(60 * SECOND).over(), Some(BUDGET));
        let fresh = Deadline::new(Instant::now(), Some(10 * SECOND)).with_reserve(60 * SECOND);
        assert_eq!(fresh.over(), None, "at most half of the budget is kept back");
        assert_eq!(Deadline::new(begun, None).with_reserve(60 * SECOND).over(), None);
    }
}
