//! The boundary to JavaScript, compiled only for wasm32. It has no numeric code.
//!
//! The page loads it as three separate modules, chosen by cargo feature: the engine at once, `study` (the
//! engine with the oblique learners) when one of these is needed, and the exporter when a tree is exported or
//! a file is predicted.

#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "exporter")]
mod exporter;
#[cfg(feature = "exporter")]
mod predictor;
#[cfg(feature = "engine")]
mod seed;

#[cfg(feature = "engine")]
pub use engine::Engine;
#[cfg(feature = "exporter")]
pub use exporter::export_tree;
#[cfg(feature = "exporter")]
pub use predictor::Predictor;
#[cfg(feature = "engine")]
pub use seed::fresh_seed;
