//! Tests that a budget is exceeded by at most 5 % and one slice, in whichever phase it ends. The work itself
//! moves the clock.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use espalier::encode::{Selection, Shares, Task};
use espalier::error::Error;
use espalier::learn;
use espalier::run::{Extra, Fitted, Run, Settings};
use espalier::table::{Overrides, Table};

use super::super::deadline::tests::{pass, still};
use super::super::deadline::{BUDGET, Deadline};
use super::super::progress::{Mode, Progress};
use super::super::reserve::Reserve;
use super::{Driven, baseline, train};

const SLICE: f64 = 0.1;

/// Costs of the work in seconds, as measured on 900,000 rows.
#[derive(Clone, Copy)]
struct Costs {
    encode: f64,
    /// Making and scoring the greedy tree.
    greedy: f64,
    /// Making the learner's model.
    model: f64,
    /// Scoring it on all rows.
    scores: f64,
}

/// A run whose work moves the clock.
struct Costly {
    run: Run,
    costs: Costs,
}

fn spend(seconds: f64) {
    pass(Duration::from_secs_f64(seconds));
}

impl Costly {
    /// The greedy learner has no second greedy tree for comparison.
    fn spend_on_baseline(&self, seconds: f64) {
        spend(if self.run.has_baseline() { seconds } else { 0.0 });
    }
}

impl Driven for Costly {
    fn run(&mut self) -> &mut Run {
        &mut self.run
    }

    fn begin_baseline(&mut self) -> Result<(), Error> {
        self.spend_on_baseline(0.7 * self.costs.encode);
        self.run.begin_baseline()
    }

    fn step_baseline(&mut self) -> Option<learn::Progress> {
        self.spend_on_baseline(SLICE);
        self.run.step_baseline()
    }

    fn end_baseline(&mut self, stop_reason: &'static str) {
        self.spend_on_baseline(self.costs.greedy);
        self.run.end_baseline(stop_reason);
    }

    fn step(&mut self) -> learn::Progress {
        spend(SLICE);
        self.run.step()
    }

    fn rehearse(&mut self) {
        spend(self.costs.model);
    }

    fn finish(&mut self, stop_reason: &'static str, wanted: &mut dyn FnMut(Extra, usize) -> bool) -> Fitted {
        let rows = self.run.rows();
        let per_row = self.costs.scores / (rows.train + rows.valid + rows.test) as f64;
        // The result itself: its model, and its scores on the test rows.
        spend(self.costs.model + per_row * rows.test as f64);
        self.run.finish_with(stop_reason, &mut |extra, rows| {
            let goes_on = wanted(extra, rows);
            if goes_on {
                spend(per_row * rows as f64);
            }
            goes_on
        })
    }
}

fn run(learner: &str) -> Run {
    let mut text = "a,b,c,y\n".to_owned();
    for i in 0..300 {
        let (a, b) = (i * 7919 % 1000, i * 104_729 % 997);
        writeln!(text, "{a},{b},{},{}", ["x", "y", "z"][i % 3], a + b / 2 + 300 * (i % 3)).unwrap();
    }
    let selection = Selection { target: "y".into(), task: Task::Regression, ignore: vec![], positive: None };
    let learner = learn::Settings::new(learner).unwrap();
    let settings = Settings { aim: selection.into(), shares: Shares::default(), learner, seed: 0 };
    Run::alone(Arc::new(Table::read(text.as_bytes(), &Overrides::default()).unwrap()), settings).unwrap()
}

/// Trains within a budget. Returns how long it took and why it ended.
fn driven(learner: &str, costs: Costs, budget: f64) -> (f64, &'static str, Reserve) {
    let deadline = Deadline::begin(still, Some(Duration::from_secs_f64(budget)));
    let mut work = Costly { run: run(learner), costs };
    spend(costs.encode);
    let encode = deadline.elapsed();
    let mut progress = Progress::new(Mode::None);
    let mut reserve = baseline(&mut work, deadline, encode, &mut progress).unwrap();
    let (fitted, _) = train(&mut work, &mut reserve, 1, &mut progress);
    assert!(fitted.metrics["test"].contains_key("r2"), "the scores of the result are there");
    (deadline.elapsed().as_secs_f64(), fitted.stop_reason, reserve)
}

#[test]
fn a_budget_is_kept_in_every_phase() {
    let light = Costs { encode: 1.1, greedy: 0.7, model: 0.3, scores: 0.4 };
    // A learner whose model takes longer to make than the greedy one.
    let heavy = Costs { model: 1.0, ..light };
    let mut ended = 0;
    for learner in ["cart", "gradtree", "get", "get-linear", "relaxed"] {
        for costs in [light, heavy] {
            for budget in [3.0, 4.1, 5.0, 7.3, 10.0, 14.9, 20.0, 40.0] {
                let (took, reason, _) = driven(learner, costs, budget);
                assert!(took <= 1.05 * budget + SLICE + 1e-6, "{learner} took {took} of {budget} s");
                // It must not leave much of the budget unused either.
                assert!(reason != BUDGET || took >= 0.6 * budget, "{learner} took only {took} of {budget} s");
                ended += usize::from(reason == BUDGET);
            }
        }
    }
    assert!(ended > 50, "only {ended} were ended by their budget");
}

#[test]
fn rows_that_take_longer_to_encode_than_there_is_time_are_told() {
    let costs = Costs { encode: 3.0, greedy: 0.7, model: 0.3, scores: 0.4 };
    let (took, reason, reserve) = driven("gradtree", costs, 2.0);
    assert!(
        took < 3.0 + costs.model + costs.scores && reason == BUDGET,
        "{took}: no second encoding, no step"
    );
    let said = reserve.verdict(Duration::from_secs(3));
    assert!(
        said[0].starts_with("Encoding the rows alone took 3.0 s, longer than the budget of 2.0 s"),
        "{said:?}"
    );
    assert!(said.iter().any(|line| line.contains("scores on the training rows")), "{said:?}");
}
