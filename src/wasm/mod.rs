//! The boundary to JavaScript, compiled for wasm32 only, as two modules that the page loads apart: the engine at once, the
//! exporter when a tree is taken in another form. Nothing numeric.

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
