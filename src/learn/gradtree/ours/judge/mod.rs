//! Judging on folds: which samples are held out, and the scores of alternatives on them.

mod folds;
mod scoreboard;

pub use folds::{Fold, folds};
pub use scoreboard::Scoreboard;
