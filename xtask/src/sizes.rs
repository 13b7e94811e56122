//! The size of the page: the size table and the budget.

use crate::Outcome;
use crate::process::{ask, node};
use crate::project::Project;
use crate::recipe::Recipe;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Bytes of one or several files: raw, and as a host sends them.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Size {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Size>>(sizes: I) -> Size {
        sizes.fold(Size::default(), |a, b| Size {
            raw: a.raw + b.raw,
            gzip: a.gzip + b.gzip,
            brotli: a.brotli + b.brotli,
        })
    }
}

/// Prints the table for the site in `dist/`. Fails if the first load is over the budget.
pub fn report(project: &Project, recipe: &Recipe) -> Outcome {
    let files = read_site(&project.dist)?;
    let (first, later) = loads(&files, &recipe.on_demand())?;
    let sizes = measure(&project.dist, &first)?;
    let wasm = sizes.iter().filter(|(name, _)| name.ends_with(".wasm"));
    let wasm: Size = wasm.map(|&(_, size)| size).sum();
    let total: Size = sizes.iter().map(|&(_, size)| size).sum();

    println!();
    println!("{:<44} {:>9} {:>9} {:>9}", "bytes", "raw", "gzip", "brotli");
    let line = |name: &str, Size { raw, gzip, brotli }: Size| {
        println!("{name:<44} {raw:>9} {gzip:>9} {brotli:>9}");
    };
    sizes.iter().for_each(|(name, size)| line(name, *size));
    line("= wasm", wasm);
    line("= first load", total);
    measure(&project.dist, &later)?.iter().for_each(|(name, size)| line(&format!("later: {name}"), *size));
    println!();
    within_budget(total.brotli, recipe.budget.first_load_brotli)
}

fn within_budget(brotli: u64, budget: u64) -> Outcome {
    if brotli <= budget {
        return Ok(());
    }
    Err(format!(
        "the first load is {brotli} bytes as brotli, {} over the budget of {budget} in wasm-pack.toml: \
         make it smaller, or raise the budget and say why",
        brotli - budget
    ))
}

/// The files that opening the page fetches, and those of the modules that it fetches on demand.
///
/// The first group is the files that `index.html` names and those that they name in turn, except files whose
/// name begins with that of a module on demand. Data such as the samples is not counted, because naming a
/// sample does not load it.
fn loads(files: &BTreeMap<String, Vec<u8>>, on_demand: &[&str]) -> Outcome<(Vec<String>, Vec<String>)> {
    if !files.contains_key("index.html") {
        return Err("the page's build left no index.html in dist/".into());
    }
    let is_later = |name: &String| on_demand.iter().any(|module| last_part(name).starts_with(module));
    let (later, counted): (Vec<&String>, Vec<&String>) =
        files.keys().filter(|name| is_counted(name)).partition(|name| is_later(name));
    let mut found = BTreeSet::from(["index.html".to_string()]);
    let mut unread = vec!["index.html".to_string()];
    while let Some(name) = unread.pop() {
        // A wasm module cannot fetch anything by itself, and its bytes could look like a name by accident.
        if name.ends_with(".wasm") {
            continue;
        }
        let text = String::from_utf8_lossy(&files[&name]);
        for &other in &counted {
            // Bundlers put a hash into names, so the last part alone identifies a reference.
            if text.contains(last_part(other)) && found.insert(other.clone()) {
                unread.push(other.clone());
            }
        }
    }
    if !found.iter().any(|name| name.ends_with(".wasm")) {
        return Err(
            "the page in dist/ does not lead to the wasm module; does the worker import the package?".into(),
        );
    }
    Ok((found.into_iter().collect(), later.into_iter().cloned().collect()))
}

/// A file's name without its folders.
fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn is_counted(name: &str) -> bool {
    [".css", ".js", ".mjs", ".wasm", ".woff2"].iter().any(|end| name.ends_with(end))
}

/// All files in the folder, by relative path with `/` between the parts.
fn read_site(dist: &Path) -> Outcome<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders: Vec<(PathBuf, String)> = vec![(dist.to_path_buf(), String::new())];
    let wrong = |error: std::io::Error| format!("cannot read {}: {error}", dist.display());
    while let Some((folder, prefix)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
            if path.is_dir() {
                folders.push((path, name + "/"));
            } else {
                files.insert(name, std::fs::read(&path).map_err(wrong)?);
            }
        }
    }
    Ok(files)
}

/// Compresses each of these files in `dist` with Node's own zlib and brotli.
fn measure(dist: &Path, names: &[String]) -> Outcome<Vec<(String, Size)>> {
    let mut command = node(dist);
    command.args(["--input-type=module", "--eval", include_str!("compress.mjs")]);
    // After the separator, node passes every word to the script.
    let answer = ask(command.arg("--").args(names));
    let answer = answer.ok_or("node could not compress the files in dist/")?;
    let sizes: BTreeMap<String, (u64, u64, u64)> =
        serde_json::from_str(&answer).map_err(|error| format!("the sizes are not understood: {error}"))?;
    let find = |name: &String| {
        let &(raw, gzip, brotli) = sizes.get(name).ok_or_else(|| format!("{name} was not measured"))?;
        Ok((name.clone(), Size { raw, gzip, brotli }))
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn site(files: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        files.iter().map(|&(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn the_first_load_follows_references() {
        let files = site(&[
            ("index.html", "<script src='./assets/main-a1.js'></script><link href='./assets/main-a1.css'>"),
            (
                "assets/main-a1.js",
                "new Worker(new URL('worker-b2.js')); import('./exporter-e5.js'); fetch('samples/iris.csv')",
            ),
            ("assets/main-a1.css", "body {}"),
            ("assets/worker-b2.js", "new URL('espalier_bg-c3.wasm')"),
            ("assets/espalier_bg-c3.wasm", "stale-d4.js"),
            ("assets/stale-d4.js", "never named by a script"),
            ("assets/exporter-e5.js", "new URL('exporter_bg-f6.wasm')"),
            ("assets/exporter_bg-f6.wasm", ""),
            ("samples/iris.csv", "a,b"),
        ]);
        let (found, later) = loads(&files, &["exporter"]).unwrap();
        let expected = [
            "assets/espalier_bg-c3.wasm",
            "assets/main-a1.css",
            "assets/main-a1.js",
            "assets/worker-b2.js",
            "index.html",
        ];
        assert_eq!(found, expected);
        assert_eq!(later, ["assets/exporter-e5.js", "assets/exporter_bg-f6.wasm"]);
    }

    #[test]
    fn a_site_without_a_page_or_module_is_an_error() {
        let check = |files, part| {
            let message = loads(&site(files), &[]).unwrap_err();
            assert!(message.contains(part), "{message}");
        };
        check(&[("main.js", "")], "index.html");
        check(&[("index.html", "<p>"), ("assets/x.wasm", "")], "wasm");
    }

    #[test]
    fn files_are_compressed_by_name() {
        let dist = Scratch::new("sizes");
        std::fs::write(dist.join("a.js"), "a".repeat(10_000)).unwrap();
        std::fs::write(dist.join("b.js"), "b").unwrap();
        let sizes = measure(&dist, &["a.js".into(), "b.js".into()]).unwrap();
        let (name, a) = &sizes[0];
        assert_eq!((name.as_str(), a.raw), ("a.js", 10_000));
        assert!(a.gzip > 10 && a.gzip < 100 && a.brotli > 5 && a.brotli < a.gzip, "{a:?}");
        assert_eq!((sizes[1].0.as_str(), sizes[1].1.raw), ("b.js", 1));
        assert!(measure(&dist, &["missing.js".into()]).is_err());
    }

    #[test]
    fn the_budget_is_a_limit() {
        assert!(within_budget(400_000, 400_000).is_ok());
        let message = within_budget(400_010, 400_000).unwrap_err();
        assert!(message.contains("10 over the budget of 400000"), "{message}");
    }

    #[test]
    fn sizes_add_up() {
        let one = Size { raw: 3, gzip: 2, brotli: 1 };
        assert_eq!([one, one].into_iter().sum::<Size>(), Size { raw: 6, gzip: 4, brotli: 2 });
    }
}
