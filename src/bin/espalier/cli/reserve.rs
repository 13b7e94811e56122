//! How long a result takes once the training has ended, by what was measured before: time that the training leaves.

use std::collections::BTreeSet;
use std::time::Duration;

use espalier::learn::Progress;
use espalier::run::{Extra, Fitted, RowCounts};

use super::deadline::{BUDGET, Deadline};

/// Rehearsals take at most one part in so many of the training's time.
const REHEARSALS: u32 = 20;
/// Where the model may have become another one, it is rehearsed if the time left is at least so many times as long.
const WORTH: u32 = 4;
/// What the tree before the last step took may be a little less than what the last one takes.
const MARGIN: f64 = 1.25;
/// A model that was never rehearsed is trusted less.
const UNREHEARSED: f64 = 1.5;
/// To score a row takes at most this share of what it took to encode it, and so does each row of a model.
const ENCODED: f64 = 0.35;
/// The part of the budget that may be kept back for extras.
const EXTRAS: f64 = 0.1;

/// What follows the last step, as far as it is known.
pub struct Reserve {
    deadline: Deadline,
    /// Rows that are scored, and that a model is made from.
    scored: usize,
    counted: usize,
    /// Whether the tree that validation chose is another one than the result.
    chosen: bool,
    /// Seconds to look at a row once.
    per_row: f64,
    /// How long it takes to make the model, once that was measured, and when.
    model: Option<Duration>,
    last: Duration,
    /// Whether the learner had a tree of its own then, and whether its last stage had begun.
    stage: [bool; 2],
    /// The piece of the result at work: when it began, and its rows.
    piece: Option<(Duration, usize)>,
    left_out: BTreeSet<Extra>,
    /// Whether the learner has had a tree of its own.
    own: bool,
}

impl Reserve {
    /// By what it took to encode the rows.
    pub fn by_encoding(deadline: Deadline, rows: RowCounts, chosen: bool, encode: Duration) -> Reserve {
        let (scored, counted) = (rows.train + rows.valid + rows.test, rows.train + rows.valid);
        let per_row = ENCODED * encode.as_secs_f64() / scored.max(1) as f64;
        let (last, stage) = (deadline.now(), [false; 2]);
        let (model, piece, left_out, own) = (None, None, BTreeSet::new(), false);
        Reserve { deadline, scored, counted, chosen, per_row, model, last, stage, piece, left_out, own }
    }

    /// By what it took to make and to score the greedy tree of the same rows.
    pub fn by_scoring(self, scoring: Duration) -> Reserve {
        Reserve { per_row: scoring.as_secs_f64() / (self.scored + self.counted).max(1) as f64, ..self }
    }

    /// How long the model takes.
    fn model(&self) -> Duration {
        match self.model {
            Some(measured) => measured.mul_f64(MARGIN),
            None => Duration::from_secs_f64(UNREHEARSED * self.per_row * self.counted as f64),
        }
    }

    /// How long the result with all its scores takes.
    fn result(&self) -> Duration {
        let models = 1 + u32::from(self.chosen);
        self.model() * models + Duration::from_secs_f64(self.per_row * self.scored as f64)
    }

    /// The deadline of the steps.
    pub fn deadline(&self) -> Deadline {
        let beside = self.deadline.budget().map_or(Duration::ZERO, |budget| budget.mul_f64(EXTRAS));
        self.deadline.with_reserve(self.result() + self.result().min(beside))
    }

    /// Notes where the training ended.
    pub fn note_end(&mut self, fitted: &Fitted) {
        self.own = fitted.stop_reason != BUDGET || fitted.model.tree.size() > 1;
    }

    /// Measures how long the model takes, if it may take another time than before and measuring it is worth it.
    pub fn rehearse(&mut self, now: &Progress, model: impl FnOnce()) {
        let Some(left) = self.deadline.left() else { return };
        let stage = [now.best_loss.is_some(), now.finishing];
        let begun = self.deadline.now();
        let turned = stage != self.stage && WORTH * self.model() <= left;
        let due = begun.saturating_sub(self.last) >= REHEARSALS * self.model();
        if turned || due {
            model();
            self.last = self.deadline.now();
            self.model = Some(self.last.saturating_sub(begun));
            self.stage = stage;
        }
    }

    /// Whether there is time for a piece of the result that looks at so many rows.
    pub fn has_time_for(&mut self, extra: Extra, rows: usize) -> bool {
        let now = self.deadline.now();
        if let Some((begun, before)) = self.piece.take() {
            let measured = now.saturating_sub(begun).as_secs_f64() / before.max(1) as f64;
            self.per_row = self.per_row.max(measured);
        }
        let takes = Duration::from_secs_f64(self.per_row * rows as f64);
        let fits = self.deadline.left().is_none_or(|left| takes <= left);
        if fits {
            self.piece = Some((now, rows));
        } else {
            self.left_out.insert(extra);
        }
        fits
    }

    /// What there was no time for.
    pub fn left_out(&self) -> Vec<Extra> {
        self.left_out.iter().copied().collect()
    }

    /// What to tell about the budget once all is done: nothing if it was kept and nothing left out.
    pub fn verdict(&self, encode: Duration) -> Vec<String> {
        let mut lines = vec![];
        if let Some(budget) = self.deadline.budget() {
            let over = self.deadline.exceeded();
            let [budget_s, encode_s] = [budget, encode].map(|time| time.as_secs_f64());
            if encode > budget {
                lines.push(format!(
                    "To encode the rows alone took {encode_s:.1} s, longer than the budget of {budget_s:.1} s: the result took {:.1} s \
                     longer than that, without any training. Use a larger --budget or fewer rows.",
                    over.as_secs_f64()
                ));
            } else {
                lines.extend(self.deadline.lateness());
            }
        }
        if !self.own {
            let line = "The budget was used up before the learner had a tree of its own, so the result answers all rows alike. \
                        Use a larger --budget.";
            lines.push(line.to_owned());
        }
        if !self.left_out.is_empty() {
            let words: Vec<&str> = self.left_out.iter().map(|extra| extra.words()).collect();
            lines.push(format!("Left out because the budget was used up: {}.", words.join(", ")));
        }
        lines
    }
}
