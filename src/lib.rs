//! Espalier trains one decision tree by gradient descent and compares it with the greedy tree on the same
//! rows.
//!
//! The input is a CSV file. The output is a small tree in the file's own units and words. It can be saved as
//! rules to read, as JSON that can be loaded again, or as a program in Python, JavaScript, C, Rust or SQL.
//! Four learners use gradient descent: GradTree, GET, GET-Linear and relaxed trees. CART is the greedy
//! baseline. [`learn::LEARNERS`] lists them all.
//!
//! # One call
//!
//! ```
//! use espalier::run::Settings;
//!
//! # fn main() -> espalier::Result<()> {
//! // Forty fruits: plums are narrow, and of the wide ones pears are tall.
//! let mut csv = String::from("width,height,fruit\n");
//! for i in 0..40 {
//!     let (width, height) = (4.0 + (i * 7 % 40) as f64 / 8.0, 4.0 + (i * 11 % 40) as f64 / 8.0);
//!     let fruit = if width < 6.0 { "plum" } else if height < 6.0 { "apple" } else { "pear" };
//!     csv += &format!("{width},{height},{fruit}\n");
//! }
//!
//! let mut settings = Settings::new("fruit");
//! settings.learner.set("depth", &2.into())?;
//! settings.seed = 1;
//! let trained = espalier::fit(&csv, settings)?;
//!
//! println!("{}", trained.rules());
//! assert!(trained.rules().starts_with("fruit: classification"));
//! assert!(trained.score("train", "accuracy") > Some(0.9));
//!
//! // The exact form, which can be loaded again, and one of the others.
//! let json = trained.json()?;
//! let document = espalier::export::read(&json)?;
//! assert_eq!(&document.model, trained.model());
//! let python = espalier::export::export(&document, "python")?;
//! assert!(!python.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # Step by step
//!
//! [`fit()`] wraps a [`run::Run`], which can also be driven step by step. A step is a small piece of work.
//! Between two steps the caller can inspect the current tree, show progress, or stop with the best tree so
//! far. The examples `train_from_csv`, `watch_a_split` and `export` in the repository show both ways.
//!
//! # The data flow is the module layout
//!
//! ```text
//!  bytes ─ table ─> Table ─ encode ─> Design ─ learn ─> Tree ─ encode ─> Model ─ export ─> *.tree.json
//!                                         (steps driven from outside)      └── metrics ──> Scores
//!
//!  fit       one call from bytes to a scored Model
//!  run       one experiment from a Table to a scored Model: what the command line and the page share
//!  session   requests of the page in, events out;  protocol  their types;  wasm  their JavaScript form
//! ```
//!
//! Everything except `wasm` and the command line is pure: no web, no clock, no files, no randomness except
//! from a seed, and the same bits natively and in WebAssembly. `tests/purity.rs` lists what each module may
//! import, and checks it.
//!
//! # Features
//!
//! `cli`, on by default, is the program `espalier`. A crate that uses the library sets
//! `default-features = false` to avoid dependencies that only the program needs. `engine`, `study` and
//! `exporter` select what a module for the page contains. They matter only on wasm32, where GET and relaxed
//! trees need `study`.

#![warn(unreachable_pub)]

// Hidden items, here and in the modules, are for the program, the tests and the benchmarks. They may change
// with any version and are not part of the library's public interface.
#[doc(hidden)]
pub mod encode;
pub mod error;
pub mod export;
mod fit;
pub mod learn;
#[doc(hidden)]
pub mod metrics;
#[doc(hidden)]
pub mod numeric;
#[doc(hidden)]
pub mod protocol;
pub mod run;
#[doc(hidden)]
pub mod session;
pub mod table;
pub mod tree;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use error::{Code, Error, Result};
pub use fit::{Trained, fit};
