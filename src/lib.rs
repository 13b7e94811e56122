//! Espalier.
pub mod encode;
pub mod error;
pub mod export;
pub mod learn;
pub mod metrics;
pub mod numeric;
pub mod protocol;
pub mod run;
pub mod table;
pub mod tree;

pub use error::{Code, Error, Result};
