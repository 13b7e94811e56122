//! Versions that must agree: wasm-bindgen's library with its tools, and Node with the page's needs.

use crate::Outcome;
use serde::Deserialize;
use std::path::Path;

/// The oldest major version of Node that builds the page.
const NODE_MAJOR: u32 = 20;

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
}

/// The version of wasm-bindgen in Cargo.lock, after checking that the tools have the same one.
pub fn wasm_bindgen(root: &Path) -> Outcome<String> {
    let text = std::fs::read_to_string(root.join("Cargo.lock"))
        .map_err(|error| format!("cannot read Cargo.lock: {error}"))?;
    agreed_wasm_bindgen(&text)
}

/// The format between library and tools changes without notice, so only equal versions work together.
fn agreed_wasm_bindgen(lock: &str) -> Outcome<String> {
    let lock: Lock = toml::from_str(lock).map_err(|error| format!("Cargo.lock: {}", error.message()))?;
    let version = |name: &str| {
        lock.package.iter().find(|package| package.name == name).map(|package| package.version.clone())
    };
    let library = version("wasm-bindgen")
        .ok_or("Cargo.lock has no wasm-bindgen; the espalier crate must depend on it")?;
    for tool in ["wasm-bindgen-cli-support", "wasm-bindgen-cli"] {
        let found = version(tool).unwrap_or("none".into());
        if found != library {
            return Err(format!(
                "Cargo.lock has wasm-bindgen {library}, but {tool} {found}: \
                 set {tool} = \"={library}\" in xtask/Cargo.toml"
            ));
        }
    }
    Ok(library)
}

/// Checks the output of `node --version`; `None` means that Node is not installed.
pub fn check_node(answer: Option<&str>) -> Outcome {
    let Some(answer) = answer else {
        return Err(format!("Node.js is not installed: install Node {NODE_MAJOR} or newer (with npm)"));
    };
    let major = answer.trim_start_matches('v').split('.').next().and_then(|text| text.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE_MAJOR => Ok(()),
        _ => Err(format!("Node is {answer}, but the page needs {NODE_MAJOR} or newer: install a newer Node")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(library: &str, support: &str, runner: &str) -> String {
        let entry =
            |name: &str, version: &str| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
        entry("wasm-bindgen-cli", runner)
            + &entry("wasm-bindgen", library)
            + &entry("wasm-bindgen-cli-support", support)
    }

    #[test]
    fn equal_versions_are_accepted() {
        assert_eq!(agreed_wasm_bindgen(&lock("0.2.130", "0.2.130", "0.2.130")).unwrap(), "0.2.130");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert!(wasm_bindgen(root).is_ok());
    }

    #[test]
    fn a_mismatch_says_what_to_change() {
        let message = agreed_wasm_bindgen(&lock("0.2.131", "0.2.130", "0.2.131")).unwrap_err();
        assert!(
            message.contains("set wasm-bindgen-cli-support = \"=0.2.131\" in xtask/Cargo.toml"),
            "{message}"
        );
        let message = agreed_wasm_bindgen(&lock("0.2.131", "0.2.131", "0.2.130")).unwrap_err();
        assert!(message.contains("set wasm-bindgen-cli = \"=0.2.131\""), "{message}");
        let message = agreed_wasm_bindgen("package = []").unwrap_err();
        assert!(message.contains("no wasm-bindgen"), "{message}");
    }

    #[test]
    fn node_must_be_new_enough() {
        assert!(check_node(Some("v20.20.2")).is_ok());
        assert!(check_node(Some("v26.0.0")).is_ok());
        assert!(check_node(Some("v18.19.0")).unwrap_err().contains("v18.19.0"));
        assert!(check_node(Some("nonsense")).is_err());
        assert!(check_node(None).unwrap_err().contains("not installed"));
    }
}
