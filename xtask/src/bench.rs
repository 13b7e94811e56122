//! `cargo xtask bench`: the benchmarks, natively and in wasm.

use crate::process::{cargo, node, run};
use crate::project::Project;
use crate::recipe::Recipe;
use crate::report::Report;
use crate::{Outcome, wasm};

/// Runs all benchmarks; `args` are passed to each program, for example a part of a name to select some.
pub fn bench(args: &[String]) -> Outcome {
    let project = Project::find()?;
    let recipe = Recipe::read(&project.root)?;
    let script = project.root.join("benches/wasm.mjs");
    if project.benches.is_empty() && !script.is_file() {
        return Err("there is no benchmark: add one to benches/ (*.rs natively, wasm.mjs for wasm)".into());
    }

    let mut report = Report::default();
    if !project.benches.is_empty() {
        report.step("native", || {
            let mut command = cargo(&project.root);
            command.arg("bench");
            // By name, because plain `cargo bench` also starts the unit tests' program, which refuses unknown
            // arguments.
            project.benches.iter().for_each(|name| {
                command.args(["--bench", name]);
            });
            run(command.arg("--").args(args))
        });
    }
    if script.is_file() {
        report.step("wasm", || {
            wasm::set_up(&project)?;
            wasm::build(&project, &recipe)?;
            let package = project.root.join(&recipe.bindings.out_dir);
            run(node(&project.root).arg(&script).args(args).env("ESPALIER_PKG", package))
        });
    }
    report.finish()
}
