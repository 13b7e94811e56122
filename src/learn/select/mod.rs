//! Choosing among trees by held-out samples.
//!
//! | file | holds |
//! | --- | --- |
//! | `folds` | which samples are held out |
//! | `scoreboard` | scores of many alternatives on held-out samples |

mod folds;
mod scoreboard;

pub(super) use folds::{Fold, folds};
pub(super) use scoreboard::Scoreboard;
