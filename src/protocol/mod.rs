//! The messages between the page and its worker, typed once.
//!
//! The Rust types here are the schema. A test writes their TypeScript form to `www/src/protocol.ts` (run it
//! with `ESPALIER_WRITE=1` after a change) and fails when the committed file differs; `tests/messages/` holds
//! a JSON sample of every message that the Rust and the page's tests both read.
//!
//! Nothing here knows a core type or a JavaScript value: `wasm::convert` maps between the worlds. Every
//! message names its run, so that a late message of an old run can be told from the present one. Bulk data
//! (CSV bytes, loss curves) travels beside a message as a transferred buffer and never inside it.

mod decode;
mod event;
mod offer;
mod request;
mod table;

pub use decode::read_request;
pub use event::*;
pub use offer::*;
pub use request::*;
pub use table::*;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod typescript;
