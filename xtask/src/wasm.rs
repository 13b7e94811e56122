//! Builds the wasm package according to the recipe: cargo, then bindings, then wasm-opt.

use crate::process::{cargo, node, run};
use crate::project::Project;
use crate::recipe::{Module, Recipe};
use crate::setup::{WASM_TARGET, fingerprint, write};
use crate::{Outcome, setup, versions};
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// A cargo command for wasm32 that compiles with the recipe's target features.
pub fn cargo_for_wasm(project: &Project, recipe: &Recipe) -> Command {
    let mut command = cargo(&project.root);
    // The caller's RUSTFLAGS would override every other setting, and are meant for other builds.
    command.env("RUSTFLAGS", recipe.rustflags()).env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// Builds every module into the recipe's folder, skipping what the last build already did.
///
/// Needs the wasm32 target and the npm packages.
pub fn build(project: &Project, recipe: &Recipe) -> Outcome {
    recipe.modules.iter().try_for_each(|module| build_module(project, recipe, module))
}

fn build_module(project: &Project, recipe: &Recipe, module: &Module) -> Outcome {
    let version = versions::wasm_bindgen(&project.root)?;
    let name = &recipe.package.name;
    run(cargo_for_wasm(project, recipe)
        .env("RUSTFLAGS", recipe.rustflags_of(module))
        .args(["build", "--lib", "--package", name, "--profile", &recipe.package.profile])
        .args(["--no-default-features", "--features", &module.feature, "--target", WASM_TARGET]))?;

    // Cargo gives every module the same file name, so it is read before the next one is built.
    let compiled =
        project.target.join(WASM_TARGET).join(recipe.profile_folder()).join(name.replace('-', "_"));
    let compiled = compiled.with_extension("wasm");
    let bytes = read(&compiled)?;
    let out = project.root.join(&recipe.bindings.out_dir);
    let files = package_files(&out, &module.name);
    let binaryen = project.www.join("node_modules/binaryen");
    // The manifest names the version, so another version of wasm-opt means another package.
    let wasm_opt_version = read(&binaryen.join("package.json"))
        .map_err(|_| "wasm-opt is missing: `binaryen` must be in devDependencies of www/package.json")?;

    // Includes our own source, so that a change to the calls below counts as well.
    let wanted = fingerprint(&(&bytes, recipe, &version, wasm_opt_version, include_str!("wasm.rs")));
    let stamp = project.cache.join(format!("{}.stamp", module.name));
    let done = std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted);
    if done && files.iter().all(|file| file.is_file()) {
        println!("  {} is up to date.", project.relative(&files[2]).display());
        return Ok(());
    }
    // Otherwise, a build that stops half-way would look finished next time.
    let _ = std::fs::remove_file(&stamp);

    println!("  > wasm-bindgen {version} -> {}", project.relative(&out).display());
    let bound = project.cache.join("bindings");
    bind(&compiled, &module.name, &bound)?;
    // The recipe's folder only ever holds optimised modules, so the slow step works outside it.
    let file = format!("{}_bg.wasm", module.name);
    let optimised = project.cache.join(&file);
    run(node(&project.root)
        // Called through node, not as a program, because that works on every system.
        .arg(project.relative(&binaryen.join("bin/wasm-opt")))
        .args(&recipe.optimize.passes)
        .arg(project.relative(&bound.join(&file)))
        .arg("-o")
        .arg(project.relative(&optimised)))?;
    install(&bound, &optimised, &out)?;
    if let Some(missing) = files.iter().find(|file| !file.is_file()) {
        return Err(format!(
            "the bindings lack {}; does the crate export anything?",
            project.relative(missing).display()
        ));
    }
    write(&stamp, &wanted)
}

/// The three files that the page imports.
fn package_files(out: &Path, name: &str) -> [PathBuf; 3] {
    [".js", ".d.ts", "_bg.wasm"].map(|end| out.join(format!("{name}{end}")))
}

/// JavaScript and TypeScript for a module that the page loads by URL.
fn bind(compiled: &Path, name: &str, out: &Path) -> Outcome {
    clear(out)?;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(compiled)
        .out_name(name)
        .typescript(true)
        // The script then finds the module next to itself, in a form that bundlers recognise.
        .omit_default_module_path(false);
    let generated = bindgen.web(true).and_then(|bindgen| bindgen.generate(out));
    generated.map_err(|error| format!("wasm-bindgen could not make the bindings: {error:#}"))
}

/// Copies the bindings into the recipe's folder, with the optimised module in place of the plain one.
fn install(bound: &Path, optimised: &Path, out: &Path) -> Outcome {
    copy_folder(bound, out)?;
    let target = out.join(optimised.file_name().unwrap_or_default());
    std::fs::copy(optimised, &target)
        .map_err(|error| format!("cannot write {}: {error}", target.display()))?;
    Ok(())
}

/// Copies a folder with its sub-folders (`snippets/` holds inline JavaScript, if there is any).
fn copy_folder(from: &Path, to: &Path) -> Outcome {
    let copy = || -> std::io::Result<Vec<(PathBuf, PathBuf)>> {
        std::fs::create_dir_all(to)?;
        let mut folders = Vec::new();
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            if source.is_dir() {
                folders.push((source, target));
            } else {
                std::fs::copy(source, target)?;
            }
        }
        Ok(folders)
    };
    let folders =
        copy().map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))?;
    folders.iter().try_for_each(|(source, target)| copy_folder(source, target))
}

/// Replaces a folder by an empty one.
fn clear(folder: &Path) -> Outcome {
    let removed = match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    };
    removed
        .and_then(|()| std::fs::create_dir_all(folder))
        .map_err(|error| format!("cannot empty {}: {error}", folder.display()))
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Sets up everything that building a package needs.
pub fn set_up(project: &Project) -> Outcome {
    setup::wasm_target(project)?;
    setup::npm_packages(project)
}
