//! The only place that uses the browser's randomness. Everything else takes its seed from the caller.

use wasm_bindgen::prelude::*;

/// Six digits: enough seeds, and short enough to pass on.
const SEEDS: u32 = 1_000_000;

/// Draws a uniformly random seed below a million.
#[wasm_bindgen(js_name = freshSeed)]
pub fn fresh_seed() -> u32 {
    // Draws past the last whole million would make low seeds slightly more likely.
    const WHOLE: u32 = u32::MAX - u32::MAX % SEEDS;
    loop {
        match getrandom::u32() {
            Ok(drawn) if drawn < WHOLE => return drawn % SEEDS,
            Ok(_) => {}
            // Without a source of randomness, any fixed seed is as good as another.
            Err(_) => return 0,
        }
    }
}
