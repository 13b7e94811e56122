//! `compare`.

use super::refusals::check;
use super::support::{Folder, flowers, keys, prices};

#[test]
fn models_are_compared_over_seeds_on_the_same_parts() {
    let folder = Folder::new("compare");
    folder.write("flowers.csv", flowers());
    let args = [
        "compare",
        "flowers.csv",
        "--target",
        "kind",
        "--models",
        "cart,gradtree",
        "--seeds",
        "3",
        "--seed",
        "4",
        "--set",
        "epochs=20",
        "--depth",
        "3",
        "--report",
        "c.json",
        "--progress",
        "none",
    ];
    let answer = folder.succeed(&args);
    let lines: Vec<&str> = answer.out.lines().collect();
    assert_eq!(lines[0], "Test scores on 24 rows, mean ± deviation over seeds");
    assert!(lines[2].starts_with("model") && lines[2].contains("macro_f1") && lines[2].ends_with("seconds"));
    assert!(lines[3].starts_with("cart ") && lines[4].starts_with("gradtree ") && lines[4].contains(" ± "));

    let report = folder.json("c.json");
    assert_eq!(keys(&report), ["runs", "summary"]);
    let runs = report["runs"].as_array().unwrap();
    let order: Vec<String> =
        runs.iter().map(|run| format!("{} {}", run["model"].as_str().unwrap(), run["seed"])).collect();
    assert_eq!(order, ["cart 4", "gradtree 4", "cart 5", "gradtree 5", "cart 6", "gradtree 6"]);
    for run in runs {
        assert_eq!(run["rows"]["test"], 24);
        assert_eq!(run["config"]["depth"], 3);
        assert!(run["tree"]["depth"].as_u64().unwrap() <= 3);
    }
    let summary = &report["summary"][1];
    assert_eq!((&summary["model"], &summary["seeds"]), (&"gradtree".into(), &3.into()));
    let scores: Vec<f64> = [1, 3, 5].map(|at| runs[at]["metrics"]["test"]["macro_f1"].as_f64().unwrap()).into();
    let mean = scores.iter().sum::<f64>() / 3.0;
    let deviation = (scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
    let found = &summary["metrics"]["test"]["macro_f1"];
    // Two orders of the same three additions differ by a few units in the last place at most.
    assert!((found["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
    assert!((found["deviation"].as_f64().unwrap() - deviation).abs() < 1e-12);
}

#[test]
fn a_comparison_holds_the_same_models_that_train_makes() {
    let folder = Folder::new("compare-train");
    folder.write("prices.csv", prices());
    let common = ["prices.csv", "--target", "price", "--seed", "2", "--set", "epochs=15", "--progress", "none"];
    folder.succeed(&[&["compare", "--models", "gradtree,cart", "--report", "c.json"], &common[..]].concat());
    folder.succeed(&[&["train", "--report", "r.json"], &common[..]].concat());
    let (comparison, report) = (folder.json("c.json"), folder.json("r.json"));
    for key in ["metrics", "rows", "tree", "config", "stop_reason", "data", "seed"] {
        assert_eq!(comparison["runs"][0][key], report[key], "{key}");
    }
    // One run has no deviation.
    assert!(comparison["summary"][0]["metrics"]["test"]["r2"]["deviation"].is_null());
}

#[test]
fn a_forest_is_a_yardstick_without_a_tree() {
    let folder = Folder::new("forest");
    folder.write("prices.csv", prices());
    let common = ["prices.csv", "--target", "price", "--progress", "none"];
    let with = |first: &[&'static str], last: &[&'static str]| [first, &common, last].concat();
    folder.succeed(&with(&["compare"], &["--models", "cart,forest", "--depth", "3", "--report", "c.json"]));
    let runs = &folder.json("c.json")["runs"];
    assert_eq!(keys(&runs[0]), keys(&runs[1]), "a report of a forest has the keys of all reports");
    let test = |at: usize| runs[at]["metrics"]["test"]["r2"].as_f64().unwrap();
    assert!(runs[1]["model"] == "forest" && test(1) > 0.9, "{} {}", test(0), test(1));

    folder.succeed(&with(&["train"], &["--model", "forest", "--report", "t.json"]));
    assert_eq!(folder.json("t.json")["metrics"], runs[1]["metrics"]);
    assert!(folder.succeed(&with(&["train"], &["--model", "forest"])).out.starts_with("100 trees of "));
    let refuse =
        |first: &'static str, last: &[&'static str], word: &str| check(&folder, &with(&[first], last), 1, &[word]);
    refuse("train", &["--model", "forest", "--tree", "x.json"], "has no one tree");
    refuse("train", &["--model", "forest", "--depth", "3"], "has no hyper-parameter \"depth\"");
    refuse("compare", &["--models", "forest", "--depth", "3"], "The forest has none");
}
