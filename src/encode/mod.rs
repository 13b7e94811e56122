//! From a table to the matrix that a learner trains on, and back to the file's own units and words.
//!
//! There are three spaces. *Cells* are text as the file spells it. *File values* are one `f32` per feature
//! column: a number in the file's units, or the position of a word; NaN is missing. *Design values* are what
//! a learner sees: scaled numbers, indicators of categories and target means.
//!
//! [`Problem`] selects columns and rows. [`Vocabulary`] converts cells to file values. [`Encoder`] converts
//! file values to design values, and converts a learned tree back, so that the finished tree reads cells
//! directly. Everything that is fitted is fitted to training rows only.

mod categorical;
mod column;
mod decode;
mod design;
mod encoder;
#[cfg(test)]
mod fixture;
mod missing;
mod numeric;
mod oblique;
mod parts;
mod problem;
mod resample;
mod threshold;
mod vocabulary;

pub use categorical::{Categories, TargetMeans};
pub use decode::Thresholds;
pub use design::{Design, Labels, Wants};
pub use encoder::Encoder;
pub use missing::Missing;
pub use numeric::{QuantileNormal, Scale, Scaling};
pub use parts::{Parts, Shares};
pub use problem::{Problem, Selection, Task};
pub use resample::Resample;
pub use vocabulary::Vocabulary;

pub(crate) use resample::{has_rare_class, resampled};
