//! The boundary to JavaScript, compiled for wasm32 only. One class; nothing numeric.

mod engine;

pub use engine::Engine;
