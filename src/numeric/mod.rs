//! Functions of numbers: nothing here knows a table, a tree or a learner.

mod number;

pub use number::parse_number;
