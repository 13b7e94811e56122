//! The browser for tests, and its driver.

use crate::process::{ask, on_path, program, run};
use crate::project::Project;
use crate::{Outcome, setup};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Browsers that chromedriver can drive, best first.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser and its driver, both found on this computer.
pub struct Browser {
    pub chromium: PathBuf,
    pub chromedriver: PathBuf,
}

impl Browser {
    /// Finds both, or installs them from the distribution if that needs no confirmation.
    pub fn find_or_install(project: &Project) -> Outcome<Browser> {
        if let Some(browser) = Browser::find()? {
            return Ok(browser);
        }
        let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        let root = ask(program("id", &project.root).arg("-u")).is_some_and(|id| id == "0");
        let Some(packages) = distribution_packages(&release).filter(|_| root) else {
            return Err(advice(&release));
        };
        println!("No Chromium with its driver was found; installing {}.", packages.join(" and "));
        let apt = || {
            let mut command = program("apt-get", &project.root);
            command.env("DEBIAN_FRONTEND", "noninteractive");
            command
        };
        // An unreadable third-party package list must not stop us; if it matters, the installation fails.
        if let Err(error) = run(apt().args(["update", "--quiet"])) {
            println!("{error}; trying with the package lists that are there.");
        }
        run(apt().args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages))
            .map_err(|error| format!("{error}; {}", advice(&release)))?;
        Browser::find()?.ok_or_else(|| advice(&release))
    }

    /// Uses the variables CHROMIUM and CHROMEDRIVER first, then PATH.
    fn find() -> Outcome<Option<Browser>> {
        let find = |variable: &str, names: &[&str]| match std::env::var_os(variable) {
            Some(path) if Path::new(&path).is_file() => Ok(Some(PathBuf::from(path))),
            Some(path) => Err(format!("{variable} names {}, which is not a file", path.display())),
            None => Ok(on_path(names)),
        };
        let chromium = find("CHROMIUM", &BROWSERS)?;
        let chromedriver = find("CHROMEDRIVER", &["chromedriver"])?;
        Ok(chromium.zip(chromedriver).map(|(chromium, chromedriver)| Browser { chromium, chromedriver }))
    }

    /// Writes a copy of the project's webdriver.json with this browser in it, and returns its path.
    pub fn write_capabilities(&self, project: &Project) -> Outcome<PathBuf> {
        let text = std::fs::read_to_string(project.root.join("webdriver.json"))
            .map_err(|error| format!("cannot read webdriver.json: {error}"))?;
        let capabilities = with_binary(&text, &self.chromium)?;
        let path = project.cache.join("webdriver.json");
        setup::write(&path, &capabilities)?;
        Ok(path)
    }
}

/// The packages to install, chosen by the distribution's os-release file.
fn distribution_packages(os_release: &str) -> Option<[&'static str; 2]> {
    let field = |key: &str| {
        let line = os_release.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or("").trim_matches('"').to_string()
    };
    let (id, like) = (field("ID="), field("ID_LIKE="));
    let is = |name: &str| id == name || like.split_whitespace().any(|word| word == name);
    if is("ubuntu") {
        Some(["chromium-browser", "chromium-chromedriver"])
    } else if is("debian") {
        Some(["chromium", "chromium-driver"])
    } else {
        None
    }
}

/// One line of advice on what to install.
fn advice(os_release: &str) -> String {
    match distribution_packages(os_release) {
        Some(packages) => format!(
            "the tests need Chromium and chromedriver: run `sudo apt-get install {}`, \
             or set CHROMIUM and CHROMEDRIVER",
            packages.join(" ")
        ),
        None => "the tests need Chromium (or Chrome) and a chromedriver of the same version: \
                 install both on PATH, or set CHROMIUM and CHROMEDRIVER"
            .into(),
    }
}

/// The capabilities in `text` with the browser's path added.
fn with_binary(text: &str, chromium: &Path) -> Outcome<String> {
    let wrong = |error: String| format!("webdriver.json: {error}");
    let mut capabilities: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let options = capabilities.entry("goog:chromeOptions").or_insert_with(|| Value::Object(Map::new()));
    let options =
        options.as_object_mut().ok_or_else(|| wrong("goog:chromeOptions must be an object".into()))?;
    options.insert("binary".into(), Value::from(chromium.to_string_lossy()));
    Ok(Value::Object(capabilities).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_told_apart() {
        let check = |text: &str, first: Option<&str>| {
            assert_eq!(distribution_packages(text).map(|packages| packages[0]), first, "{text}");
        };
        check("NAME=x\nID=debian\n", Some("chromium"));
        check("ID=\"debian\"", Some("chromium"));
        check("ID=raspbian\nID_LIKE=debian", Some("chromium"));
        check("ID=ubuntu\nID_LIKE=debian", Some("chromium-browser"));
        check("ID=linuxmint\nID_LIKE=\"ubuntu debian\"", Some("chromium-browser"));
        check("ID=fedora\nVERSION_ID=45", None);
        check("", None);
    }

    #[test]
    fn advice_is_one_line() {
        for text in ["ID=debian", "ID=ubuntu", "ID=fedora"] {
            assert!(!advice(text).contains('\n'));
        }
    }

    #[test]
    fn the_browser_is_added_to_the_capabilities() {
        let merged =
            with_binary(r#"{"goog:chromeOptions":{"args":["--headless=new"]}}"#, Path::new("some/chromium"))
                .unwrap();
        let merged: Value = serde_json::from_str(&merged).unwrap();
        assert_eq!(merged["goog:chromeOptions"]["binary"], "some/chromium");
        assert_eq!(merged["goog:chromeOptions"]["args"][0], "--headless=new");
        assert!(with_binary("{}", Path::new("b")).unwrap().contains("binary"));
        assert!(with_binary("[1]", Path::new("b")).unwrap_err().starts_with("webdriver.json"));
    }
}
