//! The Python environment with the programs that read our exports, for the tests.

use crate::Outcome;
use crate::process::{ask, program, run};
use crate::project::Project;
use crate::setup::{fingerprint, write};

/// Creates `target/python` with the packages of `tests/readers/requirements.txt`, unless it exists.
///
/// The tests also run without it and report what they skip, so a failure here is printed but does not stop
/// the run.
pub fn set_up(project: &Project) {
    if let Err(message) = environment(project) {
        println!("{message}; the tests leave out the readers that are not installed.");
    }
}

fn environment(project: &Project) -> Outcome {
    let requirements = project.root.join("tests/readers/requirements.txt");
    let list =
        std::fs::read(&requirements).map_err(|error| format!("cannot read the list of readers: {error}"))?;
    let name = if cfg!(windows) { "python" } else { "python3" };
    let version = ask(program(name, &project.root).arg("--version")).ok_or("Python 3 is not installed")?;
    let folder = project.target.join("python");
    let stamp = folder.join("xtask-stamp");
    let wanted = fingerprint(&(list, version));
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    run(program(name, &project.root).args(["-m", "venv", "--clear"]).arg(&folder))
        .map_err(|error| format!("{error}: on Debian and Ubuntu install python3-venv"))?;
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    run(program(inside, &project.root).args(install).arg(project.relative(&requirements)))?;
    write(&stamp, &wanted)
}
