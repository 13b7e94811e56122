//! Decision trees trained by gradient descent, beside the greedy tree on the same rows.
//!
//! The data flow is the module layout. Everything but `wasm` and the command line is pure: no web, no clock, no files, no
//! randomness but that of a seed, and the same bits natively and in WebAssembly.
//!
//! ```text
//!  bytes ── table ──> Table ── encode ──> Design ── learn ──> Tree ── encode ──> Model ── export ──> *.tree.json
//!                                             (steps driven from outside)          └── metrics ──> Scores
//!
//!  run       one experiment from a Table to a scored Model: what the command line and the page share
//!  session   requests of the page in, events out;  protocol  their types;  wasm  their JavaScript form
//! ```
//!
//! What each module may import is listed, and checked, in `tests/purity.rs`.

pub mod encode;
pub mod error;
pub mod export;
pub mod learn;
pub mod metrics;
pub mod numeric;
pub mod protocol;
pub mod run;
pub mod session;
pub mod table;
pub mod tree;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use error::{Code, Error, Result};
