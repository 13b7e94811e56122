//! Ctrl-C: the first one asks the training to end with the best tree so far, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::say;

static ASKED: AtomicBool = AtomicBool::new(false);

/// The status shells give to a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Begins to listen. Where the system does not let us, Ctrl-C ends the program as usual.
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
