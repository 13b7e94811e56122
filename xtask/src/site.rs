//! Builds the static site in `dist/`: the wasm package, the page, and the size table.

use crate::process::{npm, run};
use crate::project::Project;
use crate::recipe::Recipe;
use crate::{Outcome, sizes, wasm};

/// Sets up, then builds the package and the page, and prints the size table.
pub fn build(project: &Project) -> Outcome {
    let recipe = Recipe::read(&project.root)?;
    wasm::set_up(project)?;
    wasm::build(project, &recipe)?;
    run(npm(&project.www).args(["run", "build"]))?;
    sizes::report(project, &recipe)
}
