//! Refusals that several learners share.

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
