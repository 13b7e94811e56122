//! Trees with the rows they are tested on: trained on files, and random ones with every kind of split, leaf
//! and name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use espalier::Code;
use espalier::encode::{Selection, Shares, Task};
use espalier::export::{self, Document, MOST_DEPTH};
use espalier::learn::{self, Value};
use espalier::run::{Aim, Rule, Run, STOPPED, Settings, apply, predictions_csv};
use espalier::table::{Kind, Overrides, Records, Table};
use espalier::tree::{
    CellReading, Feature, FeatureKind, Leaf, Model, Node, PostTransform, Split, Target, Tree,
};
use serde_json::json;

use super::models::{self, Dice};

/// Files in the project and, if present, in the folder next to it. They are small, because every row goes
/// through a dozen programs.
const FILES: [&str; 18] = [
    "tests/golden/data/iris.csv",
    "tests/golden/data/wine.csv",
    "tests/golden/data/breast_cancer.csv",
    "tests/golden/data/diabetes.csv",
    "tests/awkward/french-euros.csv",
    "tests/awkward/percent.csv",
    "tests/awkward/iso-dates.csv",
    "tests/awkward/swiss-francs.csv",
    "tests/awkward/month-names.csv",
    "../shared/data/titanic.csv",
    "../shared/data/zoo.csv",
    "../shared/data/glass.csv",
    "../shared/data/hepatitis.csv",
    "../shared/data/horse-colic.csv",
    "../shared/data/absenteeism.csv",
    "../shared/data/german-credit.csv",
    "../shared/data/airfoil-self-noise.csv",
    "../shared/data/heart-failure.csv",
];

/// Number of random trees, unless `ESPALIER_TREES` sets it.
const RANDOM: u64 = 60;

/// Maximum number of constructed rows for a tree.
const MOST_ROWS: usize = 400;

/// A tree and its rows.
pub struct Case {
    /// The learner or `random`, then a distinguishing suffix.
    pub name: String,
    /// The tree.
    pub document: Document,
    /// Cells as text, one per feature.
    pub rows: Vec<Vec<String>>,
    /// A file, and what `espalier predict` prints for it.
    pub file: Option<(Vec<u8>, String)>,
}

/// A folder of this test's own.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Every tree.
pub fn all() -> Vec<Case> {
    let mut cases = vec![];
    for file in FILES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let Ok(bytes) = std::fs::read(&path) else {
            println!("{file} is not there; its trees are left out.");
            continue;
        };
        cases.extend(
            ["cart", "gradtree", "get", "get-linear", "relaxed"]
                .into_iter()
                .filter_map(|key| trained(key, file, &bytes, Rule::Auto)),
        );
        // Every leaf that can do so predicts another class than its most probable one.
        let balanced = trained("cart", file, &bytes, Rule::Balanced);
        cases.extend(balanced.map(|case| Case { name: format!("balanced_{}", case.name), ..case }));
        cases.extend(clustered(file, &bytes));
    }
    let random = std::env::var("ESPALIER_TREES").ok().and_then(|text| text.parse().ok()).unwrap_or(RANDOM);
    for seed in 0..random {
        let document = models::document(seed, seed % 2 == 1);
        let rows = edge_rows(&document.model, seed);
        cases.push(Case { name: format!("random-{seed}"), document, rows, file: None });
    }
    let document = chain(MOST_DEPTH);
    let rows = edge_rows(&document.model, 0);
    cases.push(Case { name: "random-chain".into(), document, rows, file: None });
    cases
}

/// A tree as deep as a file may have: each level splits off one leaf.
fn chain(levels: usize) -> Document {
    let mut model = models::model(3, false);
    let reading = CellReading::default();
    model.features = vec![Feature {
        name: "x".into(),
        kind: FeatureKind::Numerical { min: 0.0, max: 1.0, quartiles: [0.0; 3], reading },
        missing_tokens: vec![],
    }];
    model.target = Target::Value { name: "y".into() };
    model.post_transform = PostTransform::None;
    let mut nodes = vec![];
    for level in 0..levels {
        let split = Split::Numerical { feature: 0, threshold: level as f32 };
        let (left, right) = (2 * level + 1, 2 * level + 2);
        nodes.push(Node::Split { split, left, right, default_left: level % 3 == 2 });
        nodes.push(Node::Leaf(Leaf::Constant(level as f32)));
    }
    nodes.push(Node::Leaf(Leaf::Constant(-1.0)));
    model.tree = Tree::new(nodes).unwrap();
    model.stats = vec![];
    Document::new(model, Default::default(), None, None)
}

/// A briefly trained tree; `None` if the learner cannot learn such a target. `get-linear` uses the last
/// numeric column, so that it has as many files as the others.
fn trained(learner: &str, file: &str, bytes: &[u8], answers: Rule) -> Option<Case> {
    let table = Arc::new(Table::read(bytes, &Overrides::default()).unwrap());
    let suggested = table.suggestion().unwrap_or_else(|| panic!("{file} has no target"));
    let columns = table.columns();
    let (target, task) = match columns.iter().rposition(|column| column.kind == Kind::Number) {
        Some(number) if learner == "get-linear" => (number, Task::Regression),
        _ => (suggested.target, Task::Auto),
    };
    let selection = Selection { target: columns[target].name.clone(), task, ignore: vec![], positive: None };
    let mut asked = learn::Settings::new(learner).unwrap();
    let quick: &[(&str, f64)] = match learner {
        "cart" => &[("depth", 5.0)],
        "gradtree" => &[("depth", 5.0), ("epochs", 15.0), ("restarts", 1.0)],
        "relaxed" => &[("depth", 3.0), ("epochs", 20.0), ("restarts", 1.0)],
        _ => &[("depth", 3.0), ("epochs", 20.0), ("starts", 1.0)],
    };
    for (key, value) in quick {
        asked.set(key, &Value::Number(*value)).unwrap();
    }
    let aim = Aim::Target { selection, split_column: None, answers };
    let settings = Settings { aim, shares: Shares::default(), learner: asked, seed: 1 };
    let mut run = match Run::start(table.clone(), settings) {
        Ok(run) => run,
        Err(error) if error.code == Code::BadTask => return None,
        // Numbers have no classes to balance.
        Err(error) if error.message.contains("answer rule") => return None,
        Err(error) => panic!("{file}: {error}"),
    };
    while run.step().stop.is_none() {}
    Some(case(learner, run.document(&run.finish(STOPPED)), file, bytes))
}

/// The same without a target; `None` if no column is left to predict or to split the rows by.
fn clustered(file: &str, bytes: &[u8]) -> Option<Case> {
    let table = Arc::new(Table::read(bytes, &Overrides::default()).unwrap());
    let mut learner = learn::Settings::new("relaxed").unwrap();
    for (key, value) in [("depth", 3.0), ("epochs", 20.0), ("restarts", 1.0)] {
        learner.set(key, &Value::Number(value)).unwrap();
    }
    let aim = Aim::Groups { ignore: vec![], predicted: vec![], label: None };
    let settings = Settings { aim, shares: Shares::default(), learner, seed: 1 };
    let mut run = match Run::start(table, settings) {
        Ok(run) => run,
        Err(error) if error.code == Code::NoFeatures => {
            println!("{file} cannot be divided without a target: {error}");
            return None;
        }
        Err(error) => panic!("{file}: {error}"),
    };
    let clustered = run.complete();
    Some(case("clusters", run.document(&clustered), file, bytes))
}

/// A tree with the rows of its training file, and rows constructed for it.
fn case(learner: &str, document: Document, file: &str, bytes: &[u8]) -> Case {
    // The tree under test is the one read back from its file.
    let document = export::read(&export::write(&document).unwrap()).unwrap();

    let overrides = Overrides { keep_empty_rows: true, ..Overrides::default() };
    let records = Records::read_as(bytes, &overrides).unwrap();
    let model = &document.model;
    let place = |feature: &Feature| records.names().iter().position(|name| name == feature.column()).unwrap();
    let columns: Vec<usize> = model.features.iter().map(place).collect();
    let mut rows: Vec<Vec<String>> = (0..records.rows())
        .map(|row| columns.iter().map(|&column| records.cell(row, column).to_owned()).collect())
        .collect();
    rows.extend(edge_rows(model, 0));
    let applied = apply(model, &records).unwrap();
    let answers = predictions_csv(model, &records, &applied.predictions);
    let stem = Path::new(file).file_stem().unwrap().to_string_lossy().replace('_', "-");
    let name = format!("{}-{stem}", learner.replace('-', "_"));
    Case { name, document, rows, file: Some((bytes.to_vec(), answers)) }
}

/// The proof rows, rows far from all data, and random rows with values on and next to the thresholds, missing
/// and unseen.
fn edge_rows(model: &Model, seed: u64) -> Vec<Vec<String>> {
    let mut dice = Dice(seed);
    let values = models::telling_values(model);
    let proof = Document::new(model.clone(), Default::default(), None, None).verification;
    let mut rows: Vec<Vec<String>> = proof.into_iter().map(|row| row.cells).collect();
    rows.extend(far_rows(model));
    // Every distinguishable value once, with the rest of the row at random.
    let all = (0..values.len()).flat_map(|feature| (0..values[feature].len()).map(move |at| (feature, at)));
    for (feature, at) in all {
        let row = values.iter().enumerate().map(|(other, values)| {
            let at = if other == feature { at } else { dice.below(values.len()) };
            spelled(&model.features[other], values[at])
        });
        rows.extend(row.collect::<Option<Vec<String>>>());
    }
    rows.truncate(MOST_ROWS);
    rows
}

/// Rows with absurd numbers, in all columns or one at a time: where a formula would give millions, its bounds
/// clamp it. For other trees they are ordinary rows.
fn far_rows(model: &Model) -> Vec<Vec<String>> {
    let is_number = |at: usize| matches!(model.features[at].kind, FeatureKind::Numerical { .. });
    let usual = |feature: &Feature| match &feature.kind {
        FeatureKind::Numerical { quartiles, .. } => quartiles[1],
        FeatureKind::Categorical { .. } => f32::NAN,
    };
    let mut rows = vec![];
    for far in [1e9, -1e9, 1e30, -1e30] {
        for moved in
            std::iter::once(None).chain((0..model.features.len()).filter(|&at| is_number(at)).map(Some))
        {
            let cells = model.features.iter().enumerate().map(|(at, feature)| {
                let is_far = is_number(at) && moved.is_none_or(|moved| moved == at);
                spelled(feature, if is_far { far } else { usual(feature) })
            });
            rows.extend(cells.collect::<Option<Vec<String>>>());
        }
    }
    rows
}

/// A cell that is read as this value, if there is one.
fn spelled(feature: &Feature, value: f32) -> Option<String> {
    let cell = match &feature.kind {
        _ if value.is_nan() => String::new(),
        FeatureKind::Numerical { reading, .. } => reading.spell(&format!("{:?}", f64::from(value))),
        FeatureKind::Categorical { categories } => {
            categories.get(value as usize).filter(|_| value >= 0.0).cloned().unwrap_or("never seen".into())
        }
    };
    (feature.parse(&cell) == value || value.is_nan()).then_some(cell)
}

impl Case {
    /// Whether a name or word has a character that SQL or XML cannot hold, or a column has no name.
    pub fn has_control_characters(&self) -> bool {
        let model = &self.document.model;
        let odd =
            |text: &String| text.is_empty() || text.chars().any(|c| c.is_control() && !"\t\n\r".contains(c));
        let words = model.features.iter().flat_map(|feature| match &feature.kind {
            FeatureKind::Categorical { categories } => categories.clone(),
            FeatureKind::Numerical { .. } => vec![],
        });
        let names = model.features.iter().map(|feature| feature.name.clone());
        let target = [model.target.name().to_owned()];
        words.chain(names).chain(target).chain(model.target.classes().to_vec()).any(|text| odd(&text))
    }

    /// Whether a split or a leaf has a weighted sum.
    pub fn has_sums(&self) -> bool {
        self.document.model.tree.nodes().iter().any(|node| {
            matches!(node, Node::Split { split: Split::Oblique { .. }, .. } | Node::Leaf(Leaf::Linear { .. }))
        })
    }

    /// How many rows are clamped to the lower and to the upper bound of a formula.
    pub fn held(&self) -> [usize; 2] {
        let model = &self.document.model;
        let mut held = [0; 2];
        for cells in &self.rows {
            let row: Vec<f32> =
                model.features.iter().zip(cells).map(|(feature, cell)| feature.parse(cell)).collect();
            let leaf = &model.tree.nodes()[model.tree.leaf_of(&row)];
            if let Node::Leaf(leaf @ Leaf::Linear { bounds: Some(bounds), .. }) = leaf
                && let Some(sum) = leaf.beyond(&row)
            {
                held[usize::from(sum > bounds.high)] += 1;
            }
        }
        held
    }

    /// The rows and what they must give, for the readers.
    pub fn rows_json(&self) -> serde_json::Value {
        let model = &self.document.model;
        let features: Vec<_> = model
            .features
            .iter()
            .map(|feature| match &feature.kind {
                FeatureKind::Numerical { .. } => {
                    json!({"name": feature.name, "column": feature.column(), "categories": null})
                }
                FeatureKind::Categorical { categories } => {
                    json!({"name": feature.name, "column": feature.column(), "categories": categories})
                }
            })
            .collect();
        let rows: Vec<_> = self.rows.iter().map(|cells| self.row_json(cells)).collect();
        json!({
            "features": features, "classes": model.target.classes(), "rows": rows, "sums": self.has_sums(),
            "file": self.file.is_some(),
        })
    }

    fn row_json(&self, cells: &[String]) -> serde_json::Value {
        let model = &self.document.model;
        let values: Vec<f32> =
            model.features.iter().zip(cells).map(|(feature, cell)| feature.parse(cell)).collect();
        let answer = model.predict(&values);
        // A number as a program has it before rounding; a word by its position.
        let numbers = model.features.iter().zip(cells).zip(&values).map(|((feature, cell), value)| {
            match &feature.kind {
                _ if value.is_nan() => None,
                FeatureKind::Numerical { reading, .. } => reading.number(cell.trim()),
                FeatureKind::Categorical { .. } => Some(f64::from(*value)),
            }
        });
        let numbers: Vec<Option<f64>> = numbers.collect();
        let prediction = match answer.class {
            Some(class) => json!(model.target.classes()[class]),
            None => json!(answer.values[0]),
        };
        let probabilities = if answer.class.is_some() { answer.values } else { vec![] };
        json!({
            "cells": cells, "numbers": numbers,
            "leaf": answer.leaf, "prediction": prediction, "probabilities": probabilities,
        })
    }
}
