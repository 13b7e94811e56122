//! Predicts how long the result takes after the last training step, from earlier measurements. The training
//! leaves that much of the budget unused.

use std::collections::BTreeSet;
use std::time::Duration;

use espalier::learn::Progress;
use espalier::run::{Extra, Fitted, RowCounts};

use super::deadline::{BUDGET, Deadline};

/// Rehearsals take at most one part in this many of the training time.
const REHEARSALS: u32 = 20;
/// If the model may have changed, it is rehearsed only if the time left is at least this many times as long.
const WORTH: u32 = 4;
/// The tree before the last step may take slightly less time than the last one.
const MARGIN: f64 = 1.25;
/// The margin for a model that was never rehearsed.
const UNREHEARSED: f64 = 1.5;
/// Scoring a row takes at most this share of the time to encode it. So does each row in making a model.
const ENCODED: f64 = 0.35;
/// The part of the budget that may be reserved for extras.
const EXTRAS: f64 = 0.1;

/// The time that the work after the last step needs, as far as it is known.
pub struct Reserve {
    deadline: Deadline,
    /// Rows to score, and rows that a model is made from.
    scored: usize,
    counted: usize,
    /// Whether the tree chosen by validation is not the result itself.
    chosen: bool,
    /// Seconds to process a row once.
    per_row: f64,
    /// How long it takes to make the model, once measured, and when it was measured.
    model: Option<Duration>,
    last: Duration,
    /// At that time: whether the learner had a tree of its own, and whether its last stage had begun.
    stage: [bool; 2],
    /// The part of the result in progress: its start, and its rows.
    piece: Option<(Duration, usize)>,
    left_out: BTreeSet<Extra>,
    /// Whether the learner has found a tree of its own.
    own: bool,
}

impl Reserve {
    /// An estimate from the time to encode the rows.
    pub fn by_encoding(deadline: Deadline, rows: RowCounts, chosen: bool, encode: Duration) -> Reserve {
        let (scored, counted) = (rows.train + rows.valid + rows.test, rows.train + rows.valid);
        let per_row = ENCODED * encode.as_secs_f64() / scored.max(1) as f64;
        let (last, stage) = (deadline.now(), [false; 2]);
        let (model, piece, left_out, own) = (None, None, BTreeSet::new(), false);
        Reserve { deadline, scored, counted, chosen, per_row, model, last, stage, piece, left_out, own }
    }

    /// An estimate from the time to make and score the greedy tree on the same rows.
    pub fn by_scoring(self, scoring: Duration) -> Reserve {
        Reserve { per_row: scoring.as_secs_f64() / (self.scored + self.counted).max(1) as f64, ..self }
    }

    /// How long the model takes to make.
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

    /// The deadline for training steps.
    pub fn deadline(&self) -> Deadline {
        let beside = self.deadline.budget().map_or(Duration::ZERO, |budget| budget.mul_f64(EXTRAS));
        self.deadline.with_reserve(self.result() + self.result().min(beside))
    }

    /// Records how the training ended.
    pub fn note_end(&mut self, fitted: &Fitted) {
        self.own = fitted.stop_reason != BUDGET || fitted.model.tree.size() > 1;
    }

    /// Measures how long the model takes to make, if that may have changed and the measurement is worth its
    /// time.
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

    /// Whether there is time for a part of the result that processes this many rows.
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

    /// The parts that there was no time for.
    pub fn left_out(&self) -> Vec<Extra> {
        self.left_out.iter().copied().collect()
    }

    /// Sentences about the budget after the run; none if it was kept and nothing was left out.
    pub fn verdict(&self, encode: Duration) -> Vec<String> {
        let mut lines = vec![];
        if let Some(budget) = self.deadline.budget() {
            let over = self.deadline.exceeded();
            let [budget_s, encode_s] = [budget, encode].map(|time| time.as_secs_f64());
            if encode > budget {
                lines.push(format!(
                    "Encoding the rows alone took {encode_s:.1} s, \
                     longer than the budget of {budget_s:.1} s. \
                     The result took {:.1} s longer than the budget, without any training. \
                     Use a larger --budget or fewer rows.",
                    over.as_secs_f64()
                ));
            } else {
                lines.extend(self.deadline.lateness());
            }
        }
        if !self.own {
            let line = "The budget was used up before the learner had a tree of its own, \
                        so the result gives every row the same prediction. Use a larger --budget.";
            lines.push(line.to_owned());
        }
        if !self.left_out.is_empty() {
            let words: Vec<&str> = self.left_out.iter().map(|extra| extra.words()).collect();
            lines.push(format!("Left out because the budget was used up: {}.", words.join(", ")));
        }
        lines
    }
}
