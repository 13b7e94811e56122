//! The core cannot reach out: no web, no clock, no system randomness, and no import against the layers.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Names of the crates that a native build of the library pulls in, except those that only tests need.
fn dependencies(arguments: &[&str]) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "espalier",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
            "--locked",
        ])
        .args(arguments)
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "cargo tree failed: {}", String::from_utf8_lossy(&tree.stderr));
    let listing = String::from_utf8(tree.stdout).expect("crate names are text");
    listing.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn a_dependent_without_features_gets_nothing_that_only_the_program_needs() {
    let program = dependencies(&[]);
    let library = dependencies(&["--no-default-features"]);
    for name in ["clap", "ctrlc", "sha2"] {
        assert!(
            program.iter().any(|found| found == name),
            "{name} is not in the program: is this test out of date?"
        );
    }
    for name in ["clap", "clap_builder", "clap_derive", "ctrlc", "nix", "windows-sys", "sha2", "digest"] {
        assert!(
            !library.iter().any(|found| found == name),
            "{name} reaches a crate that depends on the library"
        );
    }
    let direct = dependencies(&["--no-default-features", "--depth", "1"]);
    assert_eq!(direct, ["espalier", "csv", "libm", "nalgebra", "postcard", "rand", "serde", "serde_json"]);
}

#[test]
fn the_native_dependency_tree_has_no_web_no_clock_and_no_system_randomness() {
    let crates = dependencies(&[]);
    let crates: Vec<&str> = crates.iter().map(String::as_str).collect();
    assert!(crates.contains(&"nalgebra") && crates.contains(&"rand"), "the listing looks wrong: {crates:?}");
    let banned = [
        "wasm-bindgen",
        "js-sys",
        "web-sys",
        "serde-wasm-bindgen",
        "getrandom",
        "chacha20",
        "rand_chacha",
        "fastrand",
        "ahash",
        "chrono",
        "time",
        "jiff",
        "instant",
        "web-time",
        "tokio",
        "reqwest",
        "ureq",
    ];
    for name in banned {
        assert!(!crates.contains(&name), "{name} is in the native dependency tree");
    }
}

#[test]
fn the_package_holds_sources_and_no_data_pictures_or_page() {
    let list = Command::new(env!("CARGO"))
        .args(["package", "--package", "espalier", "--list", "--allow-dirty", "--offline", "--quiet"])
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    assert!(list.status.success(), "cargo package failed: {}", String::from_utf8_lossy(&list.stderr));
    let files = String::from_utf8(list.stdout).expect("file names are text");
    assert!(files.lines().any(|file| file == "src/lib.rs"), "the listing looks wrong: {files}");
    for file in files.lines() {
        let folder =
            ["src", "examples", "schema", "docs"].iter().any(|folder| Path::new(file).starts_with(folder));
        let known = [".rs", ".py", ".mjs", ".md", ".json"].iter().any(|ending| file.ends_with(ending));
        let at_the_root = !file.contains(['/', '\\']);
        assert!(at_the_root || (folder && known), "{file} is in the package");
    }
}

/// Rust files of the core: everything except the command line and the boundary to JavaScript.
fn core_files() -> Vec<PathBuf> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the source folder can be read") {
            let path = entry.expect("the source folder can be read").path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = vec![];
    walk(&Path::new(ROOT).join("src"), &mut files);
    files.retain(|path| {
        let inside = path.strip_prefix(ROOT).expect("below the root");
        !inside.starts_with("src/bin") && !inside.starts_with("src/wasm")
    });
    assert!(files.len() > 20, "the core has more files than {}", files.len());
    files
}

/// The file's text without its unit tests, which may do what the core may not.
fn product_text(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("source files are text");
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
}

#[test]
fn the_core_names_no_clock_no_files_no_hash_order_and_no_platform_function() {
    let banned = [
        "std::time",
        "SystemTime",
        "Instant::",
        "std::fs",
        "std::net",
        "std::process",
        "std::env::",
        "std::thread",
        "HashMap",
        "HashSet",
        "RandomState",
        "web_sys",
        "js_sys",
        "wasm_bindgen",
        ".exp()",
        ".ln()",
        ".log2()",
        ".powf(",
        ".powi(",
        ".tanh()",
        ".mul_add(",
        ".exp_m1()",
        ".ln_1p()",
        ".sin()",
        ".cos()",
    ];
    for path in core_files() {
        // The generator of the TypeScript types is a test in a file of its own.
        if path.ends_with("protocol/typescript.rs") {
            continue;
        }
        let text = product_text(&path);
        for word in banned {
            assert!(!text.contains(word), "{} uses {word}", path.display());
        }
    }
}

#[test]
fn modules_import_only_what_their_layer_may() {
    let error = "error";
    let may: BTreeMap<&str, Vec<&str>> = BTreeMap::from([
        ("error", vec![]),
        ("numeric", vec![error]),
        ("protocol", vec![]),
        ("tree", vec![error, "numeric"]),
        ("table", vec![error, "numeric"]),
        ("encode", vec![error, "numeric", "table", "tree"]),
        ("learn", vec![error, "numeric", "tree", "encode"]),
        ("metrics", vec![error, "numeric", "tree", "encode"]),
        ("export", vec![error, "numeric", "tree"]),
        ("run", vec![error, "numeric", "table", "tree", "encode", "learn", "metrics", "export"]),
        ("fit", vec![error, "table", "tree", "export", "run"]),
        (
            "session",
            vec![
                error, "numeric", "table", "tree", "encode", "learn", "metrics", "export", "run", "protocol",
            ],
        ),
    ]);
    for path in core_files() {
        let inside = path.strip_prefix(Path::new(ROOT).join("src")).expect("below src");
        let module =
            inside.components().next().expect("a file").as_os_str().to_string_lossy().replace(".rs", "");
        if module == "lib" {
            continue;
        }
        let allowed =
            may.get(module.as_str()).unwrap_or_else(|| panic!("{module} has no layer: add it to this test"));
        for used in product_text(&path).split("crate::").skip(1) {
            let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            // The crate root re-exports the error types; everything else is a module.
            let from_root = used.is_empty() || ["Code", "Error", "Result"].contains(&used.as_str());
            let fine = used == module || allowed.contains(&used.as_str()) || from_root;
            assert!(fine, "{} imports crate::{used}, which its layer may not", path.display());
        }
    }
}

/// Whether a text names a module, in a `use` or as a part of a path. A method or variable of that name does
/// not count.
fn names_module(text: &str, module: &str) -> bool {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let is_word = |at: usize| {
        let around = [code[..at].chars().next_back(), code[at + module.len()..].chars().next()];
        around.iter().flatten().all(|c| !c.is_alphanumeric() && *c != '_')
    };
    code.match_indices(module).filter(|(at, _)| is_word(*at)).any(|(at, _)| {
        let (before, behind) = (code[..at].trim_end(), code[at + module.len()..].trim_start());
        let statement = before.rsplit(';').next().unwrap_or_default();
        let used =
            statement.lines().any(|line| line.trim_start().starts_with("use ") || line.contains("pub use "));
        let declared = before.ends_with("mod") && behind.starts_with(';');
        used || declared || before.ends_with("::") || behind.starts_with("::")
    })
}

#[test]
fn a_published_algorithm_names_nothing_that_was_added_to_it() {
    assert!(
        names_module("use super::{kernel, ours};", "ours")
            && names_module("let x = super::ours::x();", "ours")
    );
    assert!(!names_module("let some = blocks.select(&rows); // as in ours::x", "select"));
    assert!(!names_module("use super::hours;\nlet ours = 1;", "ours"));
    let mut learners = vec![];
    for path in core_files() {
        let inside = path.strip_prefix(Path::new(ROOT).join("src/learn"));
        let Some(parts) = inside.ok().map(|inside| inside.iter().collect::<Vec<_>>()) else { continue };
        let [learner, room, ..] = parts[..] else { continue };
        if room != "paper" {
            continue;
        }
        learners.push(learner.to_owned());
        let text = product_text(&path);
        for added in ["ours", "teach", "select"] {
            assert!(!names_module(&text, added), "{} names {added}", path.display());
        }
    }
    assert!(!learners.is_empty(), "no learner has a folder for its paper");
}

/// Each room of a learner imports only the rooms before it in this list.
#[test]
fn rooms_of_get_import_only_those_below_them() {
    let rooms = ["settings", "kernel", "paper", "ours", "plan"];
    for path in core_files() {
        let Ok(inside) = path.strip_prefix(Path::new(ROOT).join("src/learn/get")) else { continue };
        let room = inside.iter().next().expect("a file").to_string_lossy().replace(".rs", "");
        let Some(at) = rooms.iter().position(|name| **name == *room) else { continue };
        let text = product_text(&path);
        for above in &rooms[at + 1..] {
            assert!(!text.contains(&format!("get::{above}")), "{} imports {above}", path.display());
        }
    }
}
