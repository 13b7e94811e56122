//! `cargo xtask test`: runs all tests, in the programs that will run the code.

use crate::browser::Browser;
use crate::process::{cargo, npm, run};
use crate::project::Project;
use crate::recipe::Recipe;
use crate::report::Report;
use crate::{Outcome, python, setup, site, wasm};

/// Sets up, then runs all runners; a failing one does not stop the others.
pub fn test() -> Outcome {
    let project = Project::find()?;
    let recipe = Recipe::read(&project.root)?;
    wasm::set_up(&project)?;
    let browser = Browser::find_or_install(&project)?;
    python::set_up(&project);

    let mut report = Report::default();
    report.step("native", || run(cargo(&project.root).args(["test", "--workspace", "--no-fail-fast"])));
    report.step("wasm in Chromium", || wasm_tests(&project, &recipe, &browser));
    report.step("build", || site::build(&project));
    report.step("page", || run(npm(&project.www).args(["test"])));
    let built = report.passed("build");
    report.step("end to end in Chromium", || match built {
        true => end_to_end(&project, &browser),
        false => Err("not run, because there is no site to test: the build failed".into()),
    });
    report.finish()
}

/// Runs the crate's own tests and the boundary's in the browser, compiled like the page's module.
fn wasm_tests(project: &Project, recipe: &Recipe, browser: &Browser) -> Outcome {
    let runner = setup::wasm_test_runner(project)?;
    let capabilities = browser.write_capabilities(project)?;
    let mut command = wasm::cargo_for_wasm(project, recipe);
    command
        .args(["test", "--package", &recipe.package.name, "--all-features", "--lib", "--test", "boundary"])
        .args(["--no-fail-fast", "--target", setup::WASM_TARGET])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .env("CHROMEDRIVER", &browser.chromedriver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
        // Tests that do not say where they run would otherwise run in Node.
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        // In seconds. The defaults are for idle machines; a busy one needs longer to start a browser.
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("WASM_BINDGEN_TEST_TIMEOUT", "600");
    // Each of these would override CHROMEDRIVER or the mode.
    for other in ["GECKODRIVER", "SAFARIDRIVER", "CHROMEDRIVER_REMOTE", "GECKODRIVER_REMOTE", "NO_HEADLESS"] {
        command.env_remove(other);
    }
    run(&mut command)
}

/// Tests the built page as a user would use it, and compares with the command line's results.
fn end_to_end(project: &Project, browser: &Browser) -> Outcome {
    run(cargo(&project.root).args(["build", "--package", "espalier", "--bin", "espalier"]))?;
    let program = format!("espalier{}", std::env::consts::EXE_SUFFIX);
    run(npm(&project.www)
        .args(["run", "e2e"])
        .env("ESPALIER_DIST", &project.dist)
        .env("ESPALIER_BIN", project.target.join("debug").join(program))
        .env("CHROMIUM", &browser.chromium))
}
