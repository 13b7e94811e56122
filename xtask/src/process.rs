//! Runs other programs. Each is printed before it runs, and a failure names the program and its exit status.

use crate::Outcome;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command without standard input, so that nothing can stop and wait for an answer.
pub fn program(name: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(name);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// The cargo that started xtask, so that the caller's `+toolchain` applies to the whole run.
pub fn cargo(folder: &Path) -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), folder)
}

/// npm, which is a script with another name on Windows.
pub fn npm(folder: &Path) -> Command {
    program(if cfg!(windows) { "npm.cmd" } else { "npm" }, folder)
}

/// Node.js.
pub fn node(folder: &Path) -> Command {
    program("node", folder)
}

/// Prints the command line and runs it with its output visible. A failure becomes a one-line message.
pub fn run(command: &mut Command) -> Outcome {
    let line = command_line(command);
    println!("  > {line}");
    let status = command.status().map_err(|error| format!("`{line}` could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

/// Runs a command quietly and returns its standard output; `None` if it is missing or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
    output.status.success().then_some(text)
}

/// The first of these programs that is in a folder of PATH.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // Names come first: a better candidate in a later folder wins over a worse one in an earlier folder.
    names.iter().find_map(|name| {
        std::env::split_paths(&path)
            .map(|folder| folder.join(name).with_extension(std::env::consts::EXE_EXTENSION))
            .find(|file| file.is_file())
    })
}

/// Program and arguments as they would be typed; the program without its folder.
fn command_line(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command() {
        let mut missing = program("no-such-program-anywhere", Path::new("."));
        let message = run(missing.arg("--flag")).unwrap_err();
        assert!(message.contains("`no-such-program-anywhere --flag` could not be started"), "{message}");

        let mut failing = cargo(Path::new("."));
        let message = run(failing.arg("no-such-subcommand").stderr(Stdio::null())).unwrap_err();
        assert!(message.contains("`cargo no-such-subcommand` failed"), "{message}");
    }

    #[test]
    fn missing_programs_answer_nothing() {
        assert_eq!(ask(&mut program("no-such-program-anywhere", Path::new("."))), None);
        assert_eq!(on_path(&["no-such-program-anywhere"]), None);
    }
}
