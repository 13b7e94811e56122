//! Exports in the programs that read them: CPython, scikit-learn, ONNX Runtime, XGBoost, two PMML readers,
//! SQLite, DuckDB, Node, the C compiler, rustc, Graphviz.
//!
//! For every tree the same rows go through every reader. They are all rows of the file, rows on and one f32
//! step next to each threshold, missing cells, unseen words, and rows far beyond all data. Leaf and
//! prediction must equal the library's. Readers that are not installed are listed, and the rest runs.
#![cfg(not(target_arch = "wasm32"))]

mod cases;
#[path = "../export/models.rs"]
#[allow(dead_code)]
mod models;
mod programs;

use std::collections::{BTreeMap, BTreeSet};

use cases::{Case, folder};
use espalier::Code;
use espalier::export::{self, FORMATS};
use serde_json::Value;

/// Formats that hold only trees with axis-aligned splits.
const AXIS_ALIGNED: [&str; 3] = ["sklearn", "xgboost", "pmml"];

#[test]
fn every_reader_gives_the_same_leaf_and_answer() {
    let folder = folder("readers");
    let cases = cases::all();
    for case in &cases {
        write(case, &folder.join(&case.name));
    }
    // Formulas are also tested where their bounds clamp them, at both ends.
    let held = cases.iter().map(Case::held).fold([0, 0], |sum, held| [sum[0] + held[0], sum[1] + held[1]]);
    println!("{held:?} rows are held at the least and at the greatest answer of a formula.");
    assert!(held.iter().all(|&rows| rows > 100), "only {held:?} rows are held");
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    std::fs::write(folder.join("cases.json"), serde_json::to_string(&names).unwrap()).unwrap();

    let mut results: Vec<Value> = vec![];
    for run in [programs::python, programs::node, programs::rustc] {
        results.extend(run(&folder, &cases));
    }
    let mut table: BTreeMap<(String, String), [u64; 3]> = BTreeMap::new();
    for result in &results {
        let text = |key: &str| result[key].as_str().unwrap_or_default().to_owned();
        let kind = text("case").split('-').next().unwrap_or_default().to_owned();
        let sums = table.entry((text("reader"), kind)).or_default();
        sums[0] += result["rows"].as_u64().unwrap();
        sums[1] += result["leaves"].as_u64().unwrap();
        sums[2] += result["answers"].as_u64().unwrap();
        if result["note"] != "" || result["leaves"] != 0 || result["answers"] != 0 {
            println!("{result}");
        }
    }
    let table = markdown(&table);
    println!("{table}");
    if let Ok(path) = std::env::var("ESPALIER_TABLE") {
        std::fs::write(path, table).unwrap();
    }
    assert!(!results.is_empty(), "no reader ran");
    let wrong: Vec<&Value> =
        results.iter().filter(|r| r["leaves"] != 0 || r["answers"] != 0 || r["rows"] == 0).collect();
    assert!(wrong.is_empty(), "{} of {} comparisons differ, first {}", wrong.len(), results.len(), wrong[0]);
}

/// A table with readers down and kinds of trees across. A cell has the number of rows compared and, after a
/// slash, those with another leaf and those with another prediction, if any. An empty cell means that the
/// format does not hold such trees, or that the reader is not installed.
fn markdown(table: &BTreeMap<(String, String), [u64; 3]>) -> String {
    let kinds: BTreeSet<&str> = table.keys().map(|(_, kind)| kind.as_str()).collect();
    let readers: BTreeSet<&str> = table.keys().map(|(reader, _)| reader.as_str()).collect();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(std::iter::once("reader").chain(kinds.iter().copied()).map(str::to_owned).collect());
    text += &line(vec!["---".to_owned(); kinds.len() + 1]);
    for reader in readers {
        let cell = |kind: &&str| match table.get(&(reader.to_owned(), (*kind).to_owned())) {
            None => String::new(),
            Some([rows, 0, 0]) => rows.to_string(),
            Some([rows, leaves, answers]) => format!("{rows} / {leaves} / {answers}"),
        };
        text += &line(std::iter::once(reader.to_owned()).chain(kinds.iter().map(cell)).collect());
    }
    text
}

/// Writes a tree in every format that can hold it. A format that cannot must say why, and only for known
/// reasons.
fn write(case: &Case, folder: &std::path::Path) {
    std::fs::create_dir_all(folder).unwrap();
    for format in FORMATS {
        match export::export(&case.document, format.key) {
            Ok(bytes) => std::fs::write(folder.join(format!("tree.{}", format.extension)), bytes).unwrap(),
            Err(error) => {
                assert_eq!(error.code, Code::BadFormat, "{error}");
                let unnameable = ["sql", "pmml"].contains(&format.key) && case.has_control_characters();
                let sums = AXIS_ALIGNED.contains(&format.key) && case.has_sums();
                let deep = ["sql", "pmml"].contains(&format.key) && case.document.model.tree.depth() > 200;
                let answers = format.key == "xgboost" && error.message.contains("likeliest");
                assert!(unnameable || sums || deep || answers, "{} {}: {error}", case.name, format.key);
            }
        }
    }
    std::fs::write(folder.join("rows.json"), case.rows_json().to_string()).unwrap();
    if let Some((csv, answers)) = &case.file {
        std::fs::write(folder.join("data.csv"), csv).unwrap();
        std::fs::write(folder.join("answers.csv"), answers).unwrap();
    }
}
