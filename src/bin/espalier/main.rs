//! The command line.

#[cfg(not(target_arch = "wasm32"))]
mod cli;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    cli::main()
}

/// The command line is native only, but a test build for wasm32 builds every binary.
#[cfg(target_arch = "wasm32")]
fn main() {}
