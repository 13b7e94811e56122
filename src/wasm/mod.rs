//! The boundary to JavaScript, compiled only for wasm32, as two modules that the page loads separately: the
//! engine at once, the exporter when a tree is exported. It has no numeric code.

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
