//! GET-Linear's leaf formulas on rows unlike all that they were fitted to: bounds clamp them, everywhere
//! alike.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use espalier::encode::{Labels, Selection, Shares, Task};
use espalier::export::{self, Document, verify};
use espalier::learn::{self, Value};
use espalier::run::{Aim, Fitted, Rule, Run, STOPPED, Settings, apply, predictions_csv};
use espalier::table::{Overrides, Records, Table};
use espalier::tree::{Bounds, Leaf, Model, Node};

/// A training of GET-Linear, its result and its file. The column `part` assigns rows to parts.
fn trained(text: &str, target: &str) -> (Run, Fitted, Document) {
    let table = Arc::new(Table::read(text.as_bytes(), &Overrides::default()).unwrap());
    let mut learner = learn::Settings::new("get-linear").unwrap();
    for (key, value) in [("depth", 2.0), ("epochs", 20.0), ("starts", 2.0)] {
        learner.set(key, &Value::Number(value)).unwrap();
    }
    let split_column = text.lines().next().unwrap().contains("part").then(|| "part".to_owned());
    let selection =
        Selection { target: target.into(), task: Task::Regression, ignore: vec![], positive: None };
    let aim = Aim::Target { selection, split_column, answers: Rule::Auto };
    let settings = Settings { aim, shares: Shares::default(), learner, seed: 1 };
    let mut run = Run::start(table, settings).unwrap();
    while run.step().stop.is_none() {}
    let fitted = run.finish(STOPPED);
    let document = run.document(&fitted);
    (run, fitted, document)
}

/// The bounds of all formulas of a model, which must be equal; `None` if it has none.
fn bounds(model: &Model) -> Option<Bounds> {
    let mut all = model.tree.nodes().iter().filter_map(|node| match node {
        Node::Leaf(Leaf::Linear { bounds, .. }) => Some(bounds.expect("every formula has bounds")),
        _ => None,
    });
    let first = all.next()?;
    assert!(all.all(|other| other == first));
    Some(first)
}

/// The range of the targets of the training and validation rows, extended by its own length.
fn expected(run: &Run) -> Bounds {
    let Labels::Values(y) = &run.problem().labels else { panic!("numbers") };
    let seen: Vec<f64> = run.parts().train_and_valid().into_iter().map(|row| y[row]).collect();
    let least = seen.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = seen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Bounds { low: least - (greatest - least), high: greatest + (greatest - least) }
}

/// Rows with every number, or one, at a power of ten from 1e3 to 1e38 of either sign, and the others at the
/// median.
fn absurd_rows(model: &Model) -> Vec<Vec<f32>> {
    let columns = model.features.len();
    let mut rows = vec![];
    for power in [3, 6, 9, 12, 20, 30, 38] {
        for sign in [1.0, -1.0] {
            let far = sign * 10f32.powi(power);
            rows.push(vec![far; columns]);
            rows.extend(
                (0..columns)
                    .map(|moved| (0..columns).map(|at| if at == moved { far } else { 0.0 }).collect()),
            );
        }
    }
    rows
}

#[test]
fn absurd_rows_are_answered_within_the_bounds_and_everywhere_alike() {
    let (run, _, document) = trained(include_str!("golden/data/diabetes.csv"), "y");
    let model = &document.model;
    let held = bounds(model).expect("the tree has formulas");
    assert_eq!(held, expected(&run));

    let rows = absurd_rows(model);
    let answers: Vec<f64> = rows.iter().map(|row| model.predict(row).values[0]).collect();
    assert!(answers.iter().all(|answer| (held.low..=held.high).contains(answer)), "{answers:?}");
    for end in [held.low, held.high] {
        assert!(answers.iter().filter(|&&answer| answer == end).count() > 10, "{end} of {answers:?}");
    }

    // The same after writing and reading the file, and through a CSV.
    let again = export::read(&export::write(&document).unwrap()).unwrap();
    assert_eq!(again, document);
    verify(&again).unwrap();
    let names: Vec<&str> = model.features.iter().map(|feature| feature.name.as_str()).collect();
    let lines = rows.iter().map(|row| row.iter().map(f32::to_string).collect::<Vec<_>>().join(","));
    let csv = format!("{}\n{}\n", names.join(","), lines.collect::<Vec<_>>().join("\n"));
    let records = Records::read_as(csv.as_bytes(), &Overrides::default()).unwrap();
    let applied = apply(&again.model, &records).unwrap();
    let written = predictions_csv(&again.model, &records, &applied.predictions);
    let cells =
        written.lines().skip(1).map(|line| line.split(',').rev().nth(1).unwrap().parse::<f64>().unwrap());
    assert_eq!(cells.collect::<Vec<f64>>(), answers);
}

/// Rows of `y = 3 a − b` with some noise, whose test rows are far from the others.
fn far_test_rows() -> String {
    let mut text = String::from("a,b,part,y\n");
    for i in 0..200u32 {
        let (a, b) = (f64::from(i * 37 % 101) / 10.0, f64::from(i * 53 % 97) / 10.0);
        let part = ["train", "train", "valid", "test"][i as usize % 4];
        let far = if part == "test" { 1e6 } else { 1.0 };
        text += &format!("{},{b},{part},{}\n", a * far, 3.0 * a - b + f64::from(i % 7) / 10.0);
    }
    text
}

#[test]
fn scores_are_those_of_the_bounded_model() {
    let (run, fitted, _) = trained(&far_test_rows(), "y");
    let Bounds { low, high } = bounds(&fitted.model).expect("the tree has formulas");
    let rows = run.rows_of(&fitted.model, &run.parts().test);
    let Labels::Values(truth) = &rows.labels else { panic!("numbers") };
    let answers: Vec<f64> = (0..rows.len()).map(|i| fitted.model.predict(rows.row(i)).values[0]).collect();
    assert!(answers.iter().all(|answer| (low..=high).contains(answer)), "{answers:?}");
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let squares = |of: &dyn Fn(usize) -> f64| (0..truth.len()).map(|i| of(i) * of(i)).sum::<f64>();
    let r2 = 1.0 - squares(&|i| truth[i] - answers[i]) / squares(&|i| truth[i] - mean);
    assert!((fitted.metrics["test"]["r2"] - r2).abs() < 1e-9);
    // Without bounds the predictions would be in the millions.
    assert!(r2 > -40.0, "{r2}");
}

#[test]
fn an_outlier_widens_the_bounds_and_comes_back_from_the_file() {
    let mut text = String::from("a,b,y\n");
    for i in 0..120u32 {
        let (a, b) = (f64::from(i * 37 % 101) / 10.0, f64::from(i * 53 % 97) / 10.0);
        let y = if i == 3 { 1e12 + 1.0 / 3.0 } else { 2.0 * a - b };
        text += &format!("{a},{b},{y}\n");
    }
    let (run, _, document) = trained(&text, "y");
    let wanted = expected(&run);
    if let Some(held) = bounds(&document.model) {
        assert_eq!(held, wanted);
    }
    for row in absurd_rows(&document.model) {
        assert!((wanted.low..=wanted.high).contains(&document.model.predict(&row).values[0]), "{row:?}");
    }
    assert_eq!(export::read(&export::write(&document).unwrap()).unwrap(), document);
}

#[test]
fn a_target_that_never_changes_is_answered_as_it_is() {
    let mut text = String::from("a,b,part,y\n");
    for i in 0..80u32 {
        let part = ["train", "train", "valid", "test"][i as usize % 4];
        let y = if part == "test" { f64::from(i) } else { 7.3 };
        text += &format!("{},{},{part},{y}\n", i * 37 % 101, i * 53 % 97);
    }
    let (_, _, document) = trained(&text, "y");
    for row in absurd_rows(&document.model) {
        let answer = document.model.predict(&row).values[0];
        assert!((answer - 7.3).abs() < 1e-6, "{answer} for {row:?}");
    }
}
