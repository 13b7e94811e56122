//! `cargo xtask check`: checks the sources without building the site.

use crate::process::{cargo, npm, run};
use crate::project::Project;
use crate::recipe::Recipe;
use crate::report::Report;
use crate::{Outcome, setup, wasm};

/// Checks format and lints for both targets, and format, lints and types of the page.
pub fn check() -> Outcome {
    let project = Project::find()?;
    let recipe = Recipe::read(&project.root)?;
    setup::rust_components(&project)?;
    wasm::set_up(&project)?;

    let mut report = Report::default();
    report.step("format", || run(cargo(&project.root).args(["fmt", "--all", "--check"])));
    report.step("lints, native", || {
        run(cargo(&project.root).args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    });
    report.step("lints, library without the program", || {
        let package = ["clippy", "--package", &recipe.package.name, "--lib", "--no-default-features"];
        run(cargo(&project.root).args(package).args(["--", "-D", "warnings"]))
    });
    report.step("lints, wasm32", || {
        let mut clippy = wasm::cargo_for_wasm(&project, &recipe);
        clippy.args([
            "clippy",
            "--package",
            &recipe.package.name,
            "--all-features",
            "--lib",
            "--test",
            "boundary",
        ]);
        run(clippy.args(["--target", setup::WASM_TARGET, "--", "-D", "warnings"]))
    });
    report.step("page: format, lints, types", || run(npm(&project.www).args(["run", "check"])));
    report.finish()
}
