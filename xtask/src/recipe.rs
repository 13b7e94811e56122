//! The build recipe in `wasm-pack.toml`: modules, folders, optimisation passes and budget.

use crate::Outcome;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The whole file. An unknown key is an error, so that a misspelt setting is not silently ignored.
#[derive(Debug, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    #[serde(rename = "crate")]
    pub package: Package,
    pub bindings: Bindings,
    #[serde(rename = "module")]
    pub modules: Vec<Module>,
    pub optimize: Optimize,
    pub budget: Budget,
}

/// What cargo compiles.
#[derive(Debug, Hash, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Package {
    pub name: String,
    pub profile: String,
    pub target_features: Vec<String>,
}

/// Where the JavaScript side goes.
#[derive(Debug, Hash, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Bindings {
    pub out_dir: PathBuf,
}

/// A wasm module of the crate with its JavaScript.
#[derive(Debug, Hash, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Module {
    /// The prefix of its files' names.
    pub name: String,
    /// The cargo feature that selects its boundary.
    pub feature: String,
    /// Whether opening the page fetches it.
    pub first_load: bool,
    /// LLVM's inlining threshold for this module; LLVM's default if absent.
    pub inline_threshold: Option<u32>,
}

/// How wasm-opt is called.
#[derive(Debug, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optimize {
    pub passes: Vec<String>,
}

/// The size limits of the site.
#[derive(Debug, Hash, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// Prefixes of the names of scripts and styles that opening the page does not fetch.
    pub on_demand: Vec<String>,
    pub first_load_brotli: u64,
}

impl Recipe {
    /// Reads `wasm-pack.toml` in the project folder.
    pub fn read(root: &Path) -> Outcome<Recipe> {
        let text = std::fs::read_to_string(root.join("wasm-pack.toml"))
            .map_err(|error| format!("cannot read wasm-pack.toml, the build recipe: {error}"))?;
        Recipe::parse(&text)
    }

    fn parse(text: &str) -> Outcome<Recipe> {
        let recipe: Recipe = toml::from_str(text)
            .map_err(|error| format!("wasm-pack.toml: {}", error.to_string().trim_end()))?;
        let bad = recipe.package.target_features.iter().find(|feature| !feature.starts_with(['+', '-']));
        if let Some(feature) = bad {
            return Err(format!(
                "wasm-pack.toml: target-features: `{feature}` must begin with + (use it) or - (leave it out)"
            ));
        }
        Ok(recipe)
    }

    /// The RUSTFLAGS of every wasm build and wasm test, so that tests see the code that ships.
    pub fn rustflags(&self) -> String {
        match self.package.target_features.as_slice() {
            [] => String::new(),
            features => format!("-C target-feature={}", features.join(",")),
        }
    }

    /// The RUSTFLAGS of a module's build.
    pub fn rustflags_of(&self, module: &Module) -> String {
        let inlining = module.inline_threshold.map(|limit| format!("-C llvm-args=-inline-threshold={limit}"));
        [self.rustflags()].into_iter().chain(inlining).collect::<Vec<_>>().join(" ")
    }

    /// The folder of the profile in cargo's output.
    pub fn profile_folder(&self) -> &str {
        if self.package.profile == "dev" { "debug" } else { &self.package.profile }
    }

    /// Prefixes of the names of everything that the page fetches on demand: modules, scripts, styles.
    pub fn on_demand(&self) -> Vec<&str> {
        let modules =
            self.modules.iter().filter(|module| !module.first_load).map(|module| module.name.as_str());
        modules.chain(self.budget.on_demand.iter().map(String::as_str)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "
        crate = { name = 'x', profile = 'release', target-features = ['+simd128', '+bulk-memory'] }
        bindings = { out-dir = 'www/src/pkg' }
        module = [{ name = 'x', feature = 'engine', first-load = true }, { name = 'y', feature = 'z', \
        first-load = false }]
        optimize = { passes = ['-O3'] }
        budget = { on-demand = ['later'], first-load-brotli = 400_000 }";

    #[test]
    fn the_recipe_of_the_project_is_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let recipe = Recipe::read(root).unwrap();
        assert_eq!(recipe.package.name, "espalier");
        assert!(recipe.rustflags().contains("+simd128"));
        let first_line = std::fs::read_to_string(root.join("wasm-pack.toml")).unwrap();
        assert!(first_line.lines().next().unwrap().contains("wasm-pack itself does not read this file"));
    }

    #[test]
    fn settings_reach_the_compiler() {
        let recipe = Recipe::parse(GOOD).unwrap();
        assert_eq!(recipe.rustflags(), "-C target-feature=+simd128,+bulk-memory");
        assert_eq!(recipe.rustflags_of(&recipe.modules[0]), recipe.rustflags());
        let less = Recipe::parse(&GOOD.replace("feature = 'z', ", "feature = 'z', inline-threshold = 150, "))
            .unwrap();
        let flags: Vec<_> = less.modules.iter().map(|module| less.rustflags_of(module)).collect();
        assert!(flags.iter().any(|flags| flags.ends_with("-C llvm-args=-inline-threshold=150")), "{flags:?}");
        assert_eq!(recipe.profile_folder(), "release");
        assert_eq!(recipe.budget.first_load_brotli, 400_000);
        assert_eq!(recipe.on_demand(), ["y", "later"]);
        let plain = Recipe::parse(&GOOD.replace("['+simd128', '+bulk-memory']", "[]")).unwrap();
        assert_eq!(plain.rustflags(), "");
        let dev = Recipe::parse(&GOOD.replace("'release'", "'dev'")).unwrap();
        assert_eq!(dev.profile_folder(), "debug");
    }

    #[test]
    fn mistakes_are_named() {
        let check = |from: &str, to: &str, part: &str| {
            let message = Recipe::parse(&GOOD.replace(from, to)).unwrap_err();
            assert!(message.starts_with("wasm-pack.toml") && message.contains(part), "{message}");
        };
        check("first-load-brotli", "first-load-brtli", "first-load-brtli");
        check("400_000", "'many'", "invalid type");
        check("'+simd128'", "'simd128'", "`simd128` must begin with +");
        check("feature = 'z', ", "", "feature");
    }
}
