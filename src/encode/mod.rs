//! From a table to the matrix a learner works on, and back to the file's own units and words.

mod design;

pub use design::{Design, Labels};
