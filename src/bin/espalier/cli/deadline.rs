//! When work has to end: on the user's Ctrl-C, or when the budget is used up, with time reserved for the work
//! that follows.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use espalier::run::STOPPED;

use super::interrupt;

/// The stop reason if the time is up.
pub const BUDGET: &str = "budget";

/// The longest piece of work between two checks of the clock.
const SLICE: Duration = Duration::from_millis(100);

/// Time since a fixed moment. Tests use their own clock.
pub type Clock = fn() -> Duration;

/// The system clock.
pub fn system() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// The time for one model, from the start of its encoding to its scores.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    clock: Clock,
    begun: Duration,
    budget: Option<Duration>,
    /// Time reserved for the work after the last step: decoding the tree into the file's words, and scoring
    /// it.
    reserve: Duration,
}

impl Deadline {
    /// Starts the work for a model now.
    pub fn begin(clock: Clock, budget: Option<Duration>) -> Deadline {
        Deadline { clock, begun: clock(), budget, reserve: Duration::ZERO }
    }

    /// Reserves time, at most half of the budget.
    pub fn with_reserve(self, reserve: Duration) -> Deadline {
        let most = self.budget.map_or(reserve, |budget| budget / 2);
        Deadline { reserve: reserve.min(most), ..self }
    }

    /// A deadline for a part of the work that may use this share of the budget.
    pub fn share(self, share: f64) -> Deadline {
        Deadline { budget: self.budget.map(|budget| budget.mul_f64(share)), ..self }
    }

    /// The whole budget; `None` if there is no limit.
    pub fn budget(&self) -> Option<Duration> {
        self.budget
    }

    /// The current time of the clock.
    pub fn now(&self) -> Duration {
        (self.clock)()
    }

    /// Time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.now().saturating_sub(self.begun)
    }

    /// The rest of the budget; `None` if there is no limit.
    pub fn left(&self) -> Option<Duration> {
        self.budget.map(|budget| budget.saturating_sub(self.elapsed()))
    }

    /// How much longer than the budget the work has taken so far.
    pub fn exceeded(&self) -> Duration {
        self.budget.map_or(Duration::ZERO, |budget| self.elapsed().saturating_sub(budget))
    }

    /// A sentence for the user if the work exceeded the budget by more than 5 % and one slice.
    pub fn lateness(&self) -> Option<String> {
        let (budget, over) = (self.budget?, self.exceeded());
        let late = over > budget.mul_f64(0.05) + SLICE;
        let [budget, over] = [budget, over].map(|time| time.as_secs_f64());
        late.then(|| format!("The budget of {budget:.1} s was exceeded by {over:.1} s."))
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
pub mod tests {
    use std::cell::Cell;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    thread_local! {
        static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    /// A clock that stands still until it is moved.
    pub fn still() -> Duration {
        NOW.get()
    }

    /// Moves that clock.
    pub fn pass(time: Duration) {
        NOW.set(NOW.get() + time);
    }

    #[test]
    fn time_is_kept_back_for_what_follows() {
        let deadline = Deadline::begin(still, Some(10 * SECOND));
        let unlimited = Deadline::begin(still, None);
        assert_eq!(
            deadline.with_reserve(60 * SECOND).over(),
            None,
            "at most half of the budget is kept back"
        );
        pass(6 * SECOND);
        assert_eq!((deadline.over(), deadline.exceeded()), (None, Duration::ZERO));
        assert_eq!(deadline.with_reserve(3 * SECOND).over(), None);
        assert_eq!(deadline.with_reserve(5 * SECOND).over(), Some(BUDGET));
        assert_eq!(deadline.share(0.5).over(), Some(BUDGET));
        assert_eq!(deadline.with_reserve(60 * SECOND).over(), Some(BUDGET));
        assert_eq!(unlimited.with_reserve(60 * SECOND).over(), None);
        pass(5 * SECOND);
        assert_eq!((deadline.exceeded(), unlimited.exceeded()), (SECOND, Duration::ZERO));
        assert_eq!(deadline.lateness().as_deref(), Some("The budget of 10.0 s was exceeded by 1.0 s."));
        assert_eq!((unlimited.lateness(), deadline.share(1.1).lateness()), (None, None));
    }
}
