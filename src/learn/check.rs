//! Refusals that several learners share.

use crate::encode::{Design, Labels};
use crate::error::{Code, Error, Result};

/// Most numbers a tree may be made of while it is learned.
const MOST_NUMBERS: usize = 1 << 21;

/// Refuses a tree that is made of too many numbers.
pub(crate) fn check_size(depth: u32, features: usize, numbers: usize) -> Result<()> {
    if numbers <= MOST_NUMBERS {
        return Ok(());
    }
    let message = format!(
        "A tree of depth {depth} over {features} encoded columns has {numbers} numbers to learn; \
         {MOST_NUMBERS} is the most."
    );
    Err(Error::new(Code::BadValue, message, "Choose a smaller depth, or leave out columns."))
}

/// Refuses training samples that no descent can learn from: no rows, no columns, cells without a number, one
/// class, targets that are not numbers. `key` is the learner's.
pub(crate) fn check_samples(key: &str, train: &Design) -> Result<()> {
    let refuse = |code, message: String, hint: &str| Err(Error::new(code, message, hint));
    let features = train.features();
    if train.samples() == 0 {
        let hint = "Give more rows, or make the validation and test parts smaller.";
        return refuse(Code::TooFewRows, format!("There is no training row for {key}."), hint);
    }
    if features == 0 {
        let hint = "Use at least one column besides the target.";
        return refuse(Code::NoFeatures, format!("There is no column for {key} to learn from."), hint);
    }
    if let Some(at) = train.x.as_slice().iter().position(|x| !x.is_finite()) {
        let (row, column) = (at / features + 1, at % features + 1);
        let message = format!("Training row {row} has no number in encoded column {column}.");
        return refuse(Code::BadValue, message, "Missing values must be filled in first.");
    }
    match &train.y {
        Labels::Classes { classes, .. } if *classes < 2 => {
            let hint = "Choose a target with at least two different values.";
            refuse(Code::BadTarget, "The target has fewer than two classes.".into(), hint)
        }
        Labels::Values(values) if values.iter().any(|y| !y.is_finite()) => {
            let message = "The target has values that are not numbers.".into();
            refuse(Code::BadTarget, message, "Leave out the rows without a target.")
        }
        _ => Ok(()),
    }
}
