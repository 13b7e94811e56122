//! Espalier.
pub mod protocol;
