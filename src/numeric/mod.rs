//! Functions of numbers, independent of tables, trees and learners.
//!
//! Everything is plain arithmetic in a fixed order, so that native and WebAssembly builds give the same bits.
//! `exp` and similar functions come from `libm` or are written out, never from the system.

pub mod activation;
pub mod date;
pub mod format;
pub mod four;
pub mod lanes;
pub mod loss;
mod normal;
mod number;
pub mod optim;
pub mod order;
pub mod pinball;
mod radix;
pub mod random;
mod real;
pub mod rows;
pub mod scores;
pub mod simplex;
pub mod slices;
pub mod solve;

pub use date::{DateFormat, DatePart};
pub use format::{NumberFormat, Thousands};
pub use real::Real;

pub(crate) use normal::ndtri;
pub(crate) use number::parse_number;
pub(crate) use real::decay_within;
