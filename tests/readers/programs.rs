//! The programs: each gets the folder of all trees and prints one JSON object per tree and reader.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::cases::Case;

/// CPython with its installed packages, the C compiler, and both databases.
pub fn python(folder: &Path, _cases: &[Case]) -> Vec<Value> {
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("python");
    let inside = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let python = if inside.is_file() { inside } else { PathBuf::from("python3") };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/check.py");
    match Command::new(python).arg("-I").arg(script).arg(folder).output() {
        Ok(output) => printed("check.py", &output),
        Err(_) => skipped("Python 3"),
    }
}

/// Node, and Graphviz compiled for it.
pub fn node(folder: &Path, _cases: &[Case]) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/check.mjs");
    match Command::new("node").arg(script).arg(folder).output() {
        Ok(output) => printed("check.mjs", &output),
        Err(_) => skipped("Node"),
    }
}

/// The Rust compiler: all trees in one program, which prints leaf and outputs for rows given as bits.
pub fn rustc(folder: &Path, cases: &[Case]) -> Vec<Value> {
    let mut source = String::new();
    let mut calls = String::new();
    for (at, case) in cases.iter().enumerate() {
        source += &format!("#[path = \"{}/tree.rs\"]\n#[allow(dead_code)]\nmod tree_{at};\n", case.name);
        calls += &format!("    print(&folder, \"{}\", |row| {{\n", case.name);
        calls += &format!(
            "        let (leaf, outputs) = tree_{at}::predict(row.try_into().expect(\"one value per \
             feature\"));\n"
        );
        // The predicted class comes after the outputs.
        let class = match case.document.model.target.classes() {
            [] => String::new(),
            _ => format!("tree_{at}::answer(leaf, &outputs) as f64"),
        };
        calls += &format!("        (leaf, outputs.into_iter().chain([{class}]).collect())\n    }});\n");
        let rows = case.rows_json();
        let rows = rows["rows"].as_array().unwrap().iter().map(|row| {
            let bits = |value: &Value| value.as_f64().unwrap_or(f64::NAN).to_bits().to_string();
            row["numbers"].as_array().unwrap().iter().map(bits).collect::<Vec<_>>().join(" ") + "\n"
        });
        std::fs::write(folder.join(&case.name).join("rows.bits"), rows.collect::<String>()).unwrap();
    }
    source += include_str!("print.rs");
    source += &format!(
        "\nfn main() {{\n    let folder = std::env::args().nth(1).expect(\"a folder\");\n{calls}}}\n"
    );
    let (main, program) = (folder.join("main.rs"), folder.join("rust-trees"));
    std::fs::write(&main, source).unwrap();
    let compiler = std::env::var("RUSTC").unwrap_or("rustc".into());
    let compile = |more: &[&str], out: &Path| {
        Command::new(&compiler)
            .args(["--edition", "2021", "-D", "warnings"])
            .args(more)
            .arg(&main)
            .arg("-o")
            .arg(out)
            .output()
    };
    let Ok(output) = compile(&[], &program) else { return skipped("rustc") };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // The proof rows as the file's own tests.
    let tests = folder.join("rust-tests");
    let output = compile(&["--test"], &tests).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&tests).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));

    let output = Command::new(&program).arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    cases.iter().map(|case| compared(case, &mut lines)).collect()
}

fn compared<'a>(case: &Case, lines: &mut impl Iterator<Item = &'a str>) -> Value {
    let rows = case.rows_json();
    let (mut leaves, mut answers) = (0, 0);
    for row in rows["rows"].as_array().unwrap() {
        let numbers: Vec<f64> =
            lines.next().unwrap().split(' ').map(|bits| f64::from_bits(bits.parse().unwrap())).collect();
        leaves += usize::from(numbers[0] != row["leaf"].as_f64().unwrap());
        let probabilities = row["probabilities"].as_array().unwrap();
        let near = |(a, b): (&f64, &Value)| (a - b.as_f64().unwrap()).abs() <= 1e-6;
        let same = match probabilities.is_empty() {
            true => numbers[1] == row["prediction"].as_f64().unwrap(),
            false => {
                let classes = case.document.model.target.classes();
                let said = &classes[numbers[numbers.len() - 1] as usize];
                numbers[1..].iter().zip(probabilities).all(near) && row["prediction"] == said.as_str()
            }
        };
        answers += usize::from(!same);
    }
    json!({
        "reader": "rustc", "case": case.name, "rows": case.rows.len(),
        "leaves": leaves, "answers": answers, "note": "",
    })
}

fn printed(script: &str, output: &Output) -> Vec<Value> {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} failed: {errors}");
    // The notes about missing readers are for the reader of the test's output.
    print!("{errors}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{script} printed {line}")))
        .collect()
}

fn skipped(program: &str) -> Vec<Value> {
    println!("{program} is not on this computer; its comparisons are left out.");
    vec![]
}
