//! Ctrl-C: the first asks the training to end with the best tree so far, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::say;

static ASKED: AtomicBool = AtomicBool::new(false);

/// The exit status of an interrupted program in shells.
const INTERRUPTED: i32 = 130;

/// Installs the handler. If the system does not allow it, Ctrl-C ends the program as usual.
pub fn listen() {
    let outcome = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    });
    if let Err(error) = outcome {
        say(&format!("warning: Ctrl-C will end the program without a tree: {error}"));
    }
}

/// Whether the user has asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
