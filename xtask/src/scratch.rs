//! A folder for one test, gone when the test ends.

use std::path::{Path, PathBuf};

/// Removes its folder when dropped, so that tests leave nothing behind.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new empty folder; `name` keeps tests that run side by side apart.
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
