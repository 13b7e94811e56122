//! `bench`.

use super::support::{Folder, flowers, keys, prices};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("flowers.csv", flowers());
    folder.write("prices.csv", prices());
    let mut manifest = String::from("name,file,task,target,n,p,categorical_columns\n");
    manifest += "flowers,flowers.csv,binary,kind,120,3,place\n";
    manifest += "flowers-full,flowers.csv,binary,kind,120,3,\n";
    manifest += "prices,prices.csv,regression,price,90,2,\n";
    folder.write("MANIFEST.csv", manifest);
    folder
}

#[test]
fn models_are_scored_on_every_dataset_whatever_the_number_of_threads() {
    let folder = folder("bench");
    let run = |threads: &str, json: &str| {
        let models = "cart,cart-tuned,gradtree:epochs=5";
        let args =
            ["bench", "classification", "--data", ".", "--models", models, "--seeds", "3", "--json", json];
        folder.succeed(&[args.as_slice(), &["--threads", threads, "--set", "depth=3"]].concat())
    };
    let (one, three) = (run("1", "one.json"), run("3", "three.json"));
    let untimed =
        |text: &str| text.lines().filter(|line| !line.contains("seconds")).collect::<Vec<_>>().join("\n");
    assert_eq!(untimed(&one.out), untimed(&three.out));
    assert!(one.out.contains("| flowers | 120 | 3 |") && !one.out.contains("flowers-full"), "{}", one.out);
    assert_eq!(one.err.lines().count(), 9);

    let report = folder.json("one.json");
    assert_eq!(keys(&report), ["datasets", "espalier", "metric", "models", "protocol", "statistics", "task"]);
    let models = &report["datasets"][0]["models"];
    assert_eq!(keys(models), ["cart", "cart-tuned", "gradtree:epochs=5"]);
    assert_eq!(keys(&models["cart"]), ["metrics", "nodes", "parameters", "score", "seconds", "train_score"]);
    assert_eq!(models["cart"]["score"].as_array().unwrap().len(), 3);
    for key in ["score", "train_score", "nodes"] {
        let other = &folder.json("three.json")["datasets"][0]["models"];
        assert!(keys(models).iter().all(|model| models[*model][key] == other[*model][key]), "{key}");
    }
}

#[test]
fn numbers_have_their_own_protocol_and_test_rows_can_be_left_alone() {
    let folder = folder("bench-regression");
    let args = [
        "bench",
        "regression",
        "--data",
        ".",
        "--models",
        "cart",
        "--seeds",
        "2",
        "--quiet",
        "--json",
        "r.json",
    ];
    let test = folder.succeed(&args);
    assert!(
        test.out.starts_with("Score: r2.") && test.out.contains("| prices | 90 | 2 |") && test.err.is_empty()
    );
    let scores = |folder: &Folder| folder.json("r.json")["datasets"][0]["models"]["cart"]["score"].clone();
    let on_test = scores(&folder);
    folder.succeed(&[args.as_slice(), &["--judge", "valid"]].concat());
    assert_ne!(on_test, scores(&folder));
}

#[test]
fn what_cannot_be_benchmarked_is_said() {
    let folder = folder("bench-refused");
    let refuse = |args: &[&str], words: &str| {
        let answer = folder.run(&[&["bench"], args].concat());
        assert!(
            answer.status == 1 && answer.err.lines().count() == 1 && answer.err.contains(words),
            "{answer:?}"
        );
    };
    refuse(&["sorting", "--data", "."], "classification, regression or clustering");
    refuse(&["classification", "--data", "nowhere"], "MANIFEST.csv");
    refuse(&["classification", "--data", ".", "--only", "roses"], "flowers");
    refuse(&["regression", "--data", ".", "--models", "oak"], "cart-tuned");
    folder.write("MANIFEST.csv", "name,file\na,b\n");
    refuse(&["classification", "--data", "."], "\"task\"");
}

#[test]
fn statistics_over_datasets_stand_below_the_table_and_in_the_file() {
    let folder = folder("bench-statistics");
    let mut manifest = String::from("name,file,task,target,n,p,categorical_columns\n");
    for set in 0..6 {
        let rows: Vec<String> =
            flowers().lines().enumerate().filter(|(at, _)| at % 7 != set + 1).map(|r| r.1.into()).collect();
        folder.write(&format!("{set}.csv"), rows.join("\n"));
        manifest += &format!("set-{set},{set}.csv,binary,kind,100,3,\n");
    }
    folder.write("MANIFEST.csv", manifest);
    let run = |models: &str| {
        let args = [
            "bench",
            "classification",
            "--data",
            ".",
            "--seeds",
            "3",
            "--quiet",
            "--json",
            "s.json",
            "--models",
        ];
        folder.succeed(&[args.as_slice(), &[models]].concat()).out
    };
    let out = run("cart:depth=6,cart:depth=1,forest");
    let report = folder.json("s.json");
    let statistics = &report["statistics"];
    assert_eq!((&statistics["datasets"], statistics["pairs"].as_array().unwrap().len()), (&6.into(), 3));
    let mean = |set: &serde_json::Value, model: &str| {
        let scores: Vec<f64> =
            set["models"][model]["score"].as_array().unwrap().iter().filter_map(|s| s.as_f64()).collect();
        scores.iter().sum::<f64>() / scores.len() as f64
    };
    let sets = report["datasets"].as_array().unwrap();
    let pair = &statistics["pairs"][0];
    assert_eq!((&pair["first"], &pair["second"]), (&"cart:depth=6".into(), &"cart:depth=1".into()));
    let differences: Vec<f64> =
        sets.iter().map(|set| mean(set, "cart:depth=6") - mean(set, "cart:depth=1")).collect();
    assert!(
        (pair["mean_difference"].as_f64().unwrap() - differences.iter().sum::<f64>() / 6.0).abs() < 1e-12
    );
    assert!(differences.iter().all(|d| *d > 0.0), "a stump cannot hold this target: {differences:?}");
    // All six of one sign: two of 2^6 ways.
    assert_eq!(
        (&pair["wins"], &pair["wilcoxon"]["p"], &pair["wilcoxon"]["exact"]),
        (&6.into(), &0.03125.into(), &true.into())
    );
    assert_eq!(statistics["friedman"]["mean_ranks"].as_array().unwrap().len(), 3);
    assert!(statistics["friedman"]["critical_difference"].as_f64().unwrap() > 1.0);
    assert!(out.contains("## Over datasets\n\nThe models differ over 6 datasets: "), "{out}");
    assert!(out.contains("    cart:depth=6  cart:depth=1") && out.contains("Nemenyi"), "{out}");
    assert!(
        run("cart:depth=6,cart:depth=1")
            .contains("cart:depth=6 scores higher than cart:depth=1 over 6 datasets")
    );
    assert!(!run("cart").contains("Over datasets") && folder.json("s.json")["statistics"].is_null());
}
