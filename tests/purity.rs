//! The core cannot reach out: no web, no clock, no randomness of the system's, and no import against the layers.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_native_dependency_tree_has_no_web_no_clock_and_no_system_randomness() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "espalier", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--locked"])
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    let listing = String::from_utf8(tree.stdout).expect("crate names are text");
    assert!(tree.status.success(), "cargo tree failed: {}", String::from_utf8_lossy(&tree.stderr));
    let crates: Vec<&str> = listing.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains(&"nalgebra") && crates.contains(&"rand"), "the listing looks wrong: {listing}");
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

/// Rust files of the core: everything but the command line and the boundary to JavaScript.
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
        ("session", vec![error, "numeric", "table", "tree", "encode", "learn", "metrics", "export", "run", "protocol"]),
    ]);
    for path in core_files() {
        let inside = path.strip_prefix(Path::new(ROOT).join("src")).expect("below src");
        let module = inside.components().next().expect("a file").as_os_str().to_string_lossy().replace(".rs", "");
        if module == "lib" {
            continue;
        }
        let allowed = may.get(module.as_str()).unwrap_or_else(|| panic!("{module} has no layer: add it to this test"));
        for used in product_text(&path).split("crate::").skip(1) {
            let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            // The crate's own root re-exports the error's types; everything else is a module.
            let from_root = used.is_empty() || ["Code", "Error", "Result"].contains(&used.as_str());
            let fine = used == module || allowed.contains(&used.as_str()) || from_root;
            assert!(fine, "{} imports crate::{used}, which its layer may not", path.display());
        }
    }
}
