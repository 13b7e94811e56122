//! Finds the tools, and installs those that need no confirmation.

use crate::process::{ask, cargo, node, npm, program, run};
use crate::project::Project;
use crate::{Outcome, versions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// The target of every wasm build.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Installs the standard library for wasm32.
pub fn wasm_target(project: &Project) -> Outcome {
    // Asks the compiler, not rustup: a distribution's toolchain may have the target as well.
    let mut question = program("rustc", &project.root);
    let library = ask(question.args(["--print", "target-libdir", "--target", WASM_TARGET]));
    if library.is_some_and(|folder| PathBuf::from(folder).is_dir()) {
        return Ok(());
    }
    println!("The target {WASM_TARGET} is missing; adding it.");
    rustup(project, &["target", "add", WASM_TARGET])
}

/// Installs the formatter and the linter.
pub fn rust_components(project: &Project) -> Outcome {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if ask(cargo(&project.root).args([subcommand, "--version"])).is_none() {
            println!("{component} is missing; adding it.");
            rustup(project, &["component", "add", component])?;
        }
    }
    Ok(())
}

fn rustup(project: &Project, args: &[&str]) -> Outcome {
    if ask(program("rustup", &project.root).arg("--version")).is_none() {
        return Err(format!(
            "rustup is not installed: install it (https://rustup.rs), or do what `rustup {}` would do",
            args.join(" ")
        ));
    }
    run(program("rustup", &project.root).args(args)).map_err(|error| {
        format!("{error}; `rustup toolchain install` in the project folder installs everything it needs")
    })
}

/// Checks Node and npm, and installs the page's packages, exactly those of the lock file.
pub fn npm_packages(project: &Project) -> Outcome {
    let version = ask(node(&project.root).arg("--version"));
    versions::check_node(version.as_deref())?;
    if ask(npm(&project.root).arg("--version")).is_none() {
        return Err("npm is not installed: install it (it usually comes with Node.js)".into());
    }

    let lock = std::fs::read(project.www.join("package-lock.json")).map_err(|error| {
        format!(
            "cannot read www/package-lock.json ({error}): run `npm install` in www once and commit the file"
        )
    })?;
    // Packages may have parts compiled for one version of Node, so the version is part of the fingerprint.
    let wanted = fingerprint(&(lock, version));
    let stamp = project.www.join("node_modules/.xtask-stamp");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    // All the tools are development dependencies, which NODE_ENV=production would leave out.
    run(npm(&project.www).args(["ci", "--include=dev", "--no-audit", "--no-fund"]))?;
    write(&stamp, &wanted)
}

/// A short text that changes when the value does. It is good enough to skip work, but not secure.
pub fn fingerprint(value: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Writes a small file; the error names it.
pub fn write(path: &std::path::Path, content: &str) -> Outcome {
    std::fs::write(path, content).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The program that runs wasm tests: one on PATH if it has the right version, otherwise our own.
pub fn wasm_test_runner(project: &Project) -> Outcome<PathBuf> {
    let version = versions::wasm_bindgen(&project.root)?;
    let name = "wasm-bindgen-test-runner";
    let answer = ask(program(name, &project.root).arg("--version"));
    if answer.is_some_and(|answer| answer == format!("{name} {version}")) {
        return Ok(name.into());
    }
    let mut build = cargo(&project.root);
    build.args(["build", "--quiet", "--package", "xtask", "--bin", "wasm-test-runner"]);
    build.args(["--features", "test-runner"]);
    // We cannot fix the runner's dependencies, so cargo need not repeat its notes about them.
    build.args(["--config", "future-incompat-report.frequency='never'"]);
    run(&mut build)?;
    let file = format!("wasm-test-runner{}", std::env::consts::EXE_SUFFIX);
    Ok(project.target.join("debug").join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_follows_its_value() {
        assert_eq!(fingerprint(&("lock", 20)), fingerprint(&("lock", 20)));
        assert_ne!(fingerprint(&("lock", 20)), fingerprint(&("lock", 22)));
    }
}
