//! The project's folders.

use crate::{Outcome, process};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The folders that the commands work in, all absolute.
pub struct Project {
    /// The folder of the workspace's Cargo.toml.
    pub root: PathBuf,
    /// The page's sources and its package.json.
    pub www: PathBuf,
    /// The finished site.
    pub dist: PathBuf,
    /// Cargo's output folder, wherever the caller's settings put it.
    pub target: PathBuf,
    /// Our own caches and stamps, inside `target`.
    pub cache: PathBuf,
    /// Names of the benchmark programs in `benches/`.
    pub benches: Vec<String>,
}

/// The part of `cargo metadata` that we read.
#[derive(Deserialize)]
struct Metadata {
    target_directory: PathBuf,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

impl Project {
    /// Asks cargo, and creates the cache folder.
    pub fn find() -> Outcome<Project> {
        // `cargo run` sets the variable; the constant is for a binary that is started by hand.
        let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or(PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = xtask.parent().unwrap_or(Path::new(".")).to_path_buf();

        let mut command = process::cargo(&root);
        command.args(["metadata", "--format-version=1", "--no-deps", "--offline"]);
        let text = process::ask(&mut command)
            .ok_or("`cargo metadata` failed; run it in the project folder to see why")?;
        let metadata: Metadata = serde_json::from_str(&text)
            .map_err(|error| format!("`cargo metadata` is not understood: {error}"))?;

        let cache = metadata.target_directory.join("xtask");
        std::fs::create_dir_all(&cache)
            .map_err(|error| format!("cannot create {}: {error}", cache.display()))?;
        let benches = metadata.packages.into_iter().filter(|package| package.name == "espalier");
        let benches = benches
            .flat_map(|package| package.targets)
            .filter(|target| target.kind.iter().any(|kind| kind == "bench"))
            .map(|target| target.name)
            .collect();
        Ok(Project {
            www: root.join("www"),
            dist: root.join("dist"),
            target: metadata.target_directory,
            cache,
            benches,
            root,
        })
    }

    /// The path relative to the project's folder, where commands run: shorter to read, and without anything
    /// about this computer.
    pub fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }
}
