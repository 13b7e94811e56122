//! From a table to the matrix a learner works on, and back to the file's own units and words.
//!
//! Three spaces follow one another. *Cells* are text as the file spells it. *File values* are one `f32` per feature column: a
//! number in the file's units, or the position of a word; NaN is missing. *Design values* are what a learner sees: scaled
//! numbers, indicators of categories and means of the target. [`Problem`] says which columns and rows take part,
//! [`Vocabulary`] takes cells to file values, [`Encoder`] takes file values to design values, and a learned tree the other
//! way, so that the tree that comes out reads cells directly. What is fitted is fitted on training rows only.

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
