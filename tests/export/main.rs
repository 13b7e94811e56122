//! The downloaded tree: round trips, proof rows, broken files, other formats, and the schema.
#![cfg(not(target_arch = "wasm32"))]

mod broken;
mod forms;
mod models;
mod proof;
mod roundtrip;
mod schema;
