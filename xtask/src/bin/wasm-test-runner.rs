//! Runs one compiled wasm test file in a browser: what `cargo test --target wasm32-unknown-unknown` calls.
//!
//! It is wasm-bindgen's own runner, linked here as a library, so that its version is the one in
//! Cargo.lock and nobody has to install a tool first.

use std::process::ExitCode;

fn main() -> ExitCode {
    match wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not the debug form: the failing test has said what is wrong, and our own stack does not matter.
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
