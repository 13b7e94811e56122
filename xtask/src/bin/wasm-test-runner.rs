//! Runs one compiled wasm test file in a browser; `cargo test --target wasm32-unknown-unknown` calls it.
//!
//! It is wasm-bindgen's own runner, linked as a library, so that its version is the one in Cargo.lock and no
//! tool has to be installed first.

use std::process::ExitCode;

fn main() -> ExitCode {
    match wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not the debug form: the failing test has already said what is wrong, and our own stack does not
            // matter.
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
