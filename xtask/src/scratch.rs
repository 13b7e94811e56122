//! A temporary folder for one test.

use std::path::{Path, PathBuf};

/// Removes its folder when dropped, so that tests leave nothing behind.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates an empty folder; `name` separates tests that run at the same time.
    pub fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder.canonicalize().unwrap())
    }
}

impl std::ops::Deref for Scratch {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
