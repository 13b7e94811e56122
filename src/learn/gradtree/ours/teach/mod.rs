//! The teacher of a greedy tree: a forest whose votes soften the targets, and synthetic rows that it answers.

mod forest;
mod synthetic;

pub use forest::TeacherForest;
pub use synthetic::{SyntheticBuilder, SyntheticSamples, answer_real};
