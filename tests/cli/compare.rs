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
    assert!(lines[2].starts_with("model") && lines[2].contains("macro_f1") && lines[2].ends_with("set"));
    assert!(lines[3].starts_with("cart ") && lines[4].starts_with("gradtree ") && lines[4].contains(" ± "));
    assert!(lines[3].ends_with("  depth=3") && lines[4].ends_with("  depth=3 epochs=20"), "{}", answer.out);

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
    let scores: Vec<f64> =
        [1, 3, 5].map(|at| runs[at]["metrics"]["test"]["macro_f1"].as_f64().unwrap()).into();
    let mean = scores.iter().sum::<f64>() / 3.0;
    let deviation = (scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
    let found = &summary["metrics"]["test"]["macro_f1"];
    // Two orders of the same three additions differ by at most a few units in the last place.
    assert!((found["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
    assert!((found["deviation"].as_f64().unwrap() - deviation).abs() < 1e-12);
}

#[test]
fn a_comparison_holds_the_same_models_that_train_makes() {
    let folder = Folder::new("compare-train");
    folder.write("prices.csv", prices());
    let common =
        ["prices.csv", "--target", "price", "--seed", "2", "--set", "epochs=15", "--progress", "none"];
    folder.succeed(&[&["compare", "--models", "gradtree,cart", "--report", "c.json"], &common[..]].concat());
    folder.succeed(&[&["train", "--report", "r.json"], &common[..]].concat());
    let (comparison, report) = (folder.json("c.json"), folder.json("r.json"));
    for key in ["metrics", "rows", "tree", "config", "stop_reason", "data", "seed"] {
        assert_eq!(comparison["runs"][0][key], report[key], "{key}");
    }
    // One run has no standard deviation.
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
    assert_eq!(keys(&runs[1]), keys(&runs[0]), "a forest has the keys of all reports");
    assert!(
        runs[1]["kept"].is_null() && runs[1]["said"].as_object().unwrap().is_empty(),
        "no tree was kept, and nothing set by hand"
    );
    assert!(folder.json("c.json")["summary"][1].get("recipe").is_none());
    let test = |at: usize| runs[at]["metrics"]["test"]["r2"].as_f64().unwrap();
    assert!(runs[1]["model"] == "forest" && test(1) > 0.9, "{} {}", test(0), test(1));

    folder.succeed(&with(&["train"], &["--model", "forest", "--report", "t.json"]));
    assert_eq!(folder.json("t.json")["metrics"], runs[1]["metrics"]);
    assert!(folder.succeed(&with(&["train"], &["--model", "forest"])).out.starts_with("100 trees of "));
    let refuse = |first: &'static str, last: &[&'static str], word: &str| {
        check(&folder, &with(&[first], last), 1, &[word])
    };
    refuse("train", &["--model", "forest", "--tree", "x.json"], "has no single tree");
    refuse("train", &["--model", "forest", "--depth", "3"], "has no hyper-parameter \"depth\"");
    refuse("compare", &["--models", "forest", "--depth", "3"], "The forest has none");
}

#[test]
fn a_learner_comes_several_times_under_the_name_of_its_whole_spec() {
    let folder = Folder::new("compare-specs");
    folder.write("flowers.csv", flowers());
    let models = "gradtree:depth=2,gradtree@published:epochs=8,cart,gradtree";
    let common = ["compare", "flowers.csv", "--target", "kind", "--progress", "none"];
    let last = ["--models", models, "--set", "epochs=5", "--seeds", "2", "--report", "c.json"];
    let answer = folder.succeed(&[common.as_slice(), &last].concat());
    let line = |name: &str| {
        answer.out.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap().to_owned()
    };
    assert!(line("gradtree:depth=2").ends_with("  depth=2 epochs=5"), "{}", answer.out);
    assert!(line("gradtree@published:epochs=8").ends_with("  epochs=8 recipe=published"), "{}", answer.out);
    let report = folder.json("c.json");
    let names: Vec<&str> =
        report["runs"].as_array().unwrap().iter().map(|r| r["model"].as_str().unwrap()).collect();
    let list: Vec<&str> = models.split(',').collect();
    assert_eq!(names, [list.as_slice(), &list].concat());
    let published = &report["summary"][1];
    assert_eq!((&published["model"], &published["learner"]), (&list[1].into(), &"gradtree".into()));
    assert_eq!(
        (&published["said"], &published["recipe"]),
        (&serde_json::json!({"epochs": 8}), &"published".into())
    );
    assert_eq!(report["runs"][1]["config"]["patience"], 200, "the recipe has run");
    assert_eq!(report["runs"][0]["config"]["depth"], 2);
}

#[test]
fn bad_model_lists_are_one_line() {
    let folder = Folder::new("compare-bad-specs");
    folder.write("flowers.csv", flowers());
    folder.write(
        "MANIFEST.csv",
        "name,file,task,target,n,p,categorical_columns\nflowers,flowers.csv,binary,kind,120,3,\n",
    );
    for (models, words) in [
        ("gradtree@foo", "\"espalier\" and \"published\""),
        ("gradtree:depth", "not key=value"),
        ("gradtree:depth=", "has no value"),
        (":x=1", "no learner's name"),
        ("gradtree:x=1", "no hyper-parameter \"x\""),
        ("cart,cart", "named twice"),
        ("get:depth=3:l1=0,get:l1=0:depth=3", "are the same"),
    ] {
        check(&folder, &["compare", "flowers.csv", "--target", "kind", "--models", models], 1, &[words]);
        check(&folder, &["bench", "classification", "--data", ".", "--models", models], 1, &[words]);
    }
    check(
        &folder,
        &["compare", "flowers.csv", "--models", "cart-tuned"],
        1,
        &["\"cart-tuned\"", "\"forest\""],
    );
}
