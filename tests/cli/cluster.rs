//! `train --task clustering`: from a file without a target to a tree that other programs can read.

use super::support::{Folder, keys};

/// Three clusters of rows in four numeric columns and a categorical one. The cluster's name is used only for
/// scoring.
fn heaps() -> String {
    let mut text = "a,b,c,d,colour,heap\n".to_owned();
    for i in 0..150 {
        let heap = i % 3;
        let centre = [[0.0, 5.0], [6.0, 0.0], [-6.0, -5.0]][heap];
        let wobble = |k: usize| ((i * 37 + k * 101) % 97) as f64 / 97.0 - 0.5;
        let [x, y] = centre;
        let colour = ["red", "green", "blue"][(heap + usize::from(i % 20 == 0)) % 3];
        text += &format!(
            "{:.3},{:.3},{:.3},{:.3},{colour},h{heap}\n",
            x + wobble(1),
            y + wobble(2),
            x + y + wobble(3),
            x - y + wobble(4)
        );
    }
    text
}

const TRAIN: [&str; 10] = [
    "train",
    "heaps.csv",
    "--task",
    "clustering",
    "--label",
    "heap",
    "--progress",
    "none",
    "--set",
    "epochs=30",
];

#[test]
fn heaps_are_found_described_and_taken_home() {
    let folder = Folder::new("cluster");
    folder.write("heaps.csv", heaps());
    let files = ["--tree", "heaps.tree.json", "--report", "report.json", "--predictions", "rows.csv"];
    folder.succeed(&[&TRAIN[..], &files].concat());
    let report = folder.json("report.json");
    assert_eq!((&report["task"], &report["model"]), (&"clustering".into(), &"relaxed".into()));
    assert_eq!(keys(&report["metrics"]), ["all", "test", "train", "valid"]);
    let purity = report["metrics"]["all"]["dendrogram_purity"].as_f64().unwrap();
    assert!(purity > 0.9, "{purity}");

    let tree = folder.json("heaps.tree.json");
    assert_eq!((&tree["task"], &tree["target"]["type"]), (&"clustering".into(), &"cluster".into()));
    let nodes = tree["trees"][0]["nodes"].as_array().unwrap();
    assert_eq!(nodes[0]["data_count"], 150);
    // The label is in no split and in no description.
    assert!(!tree["features"].to_string().contains("heap"));
    for node in &nodes[1..] {
        let lines = node["description"].as_array().unwrap();
        assert!(
            !lines.is_empty() && lines.iter().all(|line| !line.as_str().unwrap().contains("heap")),
            "{node}"
        );
    }

    folder.succeed(&["verify", "heaps.tree.json"]);
    // A column with each row's leaf, and the same from the tree alone.
    let rows = folder.read("rows.csv");
    assert!(rows.starts_with("a,b,c,d,colour,heap,prediction,leaf\n"), "{rows}");
    assert_eq!(folder.succeed(&["predict", "heaps.tree.json", "heaps.csv", "--progress", "none"]).out, rows);
    for form in
        ["text", "dot", "svg", "python", "javascript", "c", "rust", "sql", "json", "markdown", "pmml", "onnx"]
    {
        let answer = folder.run(&["export", "heaps.tree.json", "--to", form, "--out", "exported"]);
        // A format either holds the tree or says in one line why it cannot.
        assert!(
            answer.status == 0 || answer.status == 1 && answer.err.lines().count() == 1,
            "{form}: {}",
            answer.err
        );
    }
    let text = folder.succeed(&["export", "heaps.tree.json", "--to", "text"]).out;
    assert!(text.contains("cluster 1") && text.contains("on average, elsewhere"), "{text}");
    // The same seed gives the same bytes, and the label has no influence.
    let first = folder.read("rows.csv");
    let blind: Vec<&str> =
        TRAIN.iter().copied().filter(|word| *word != "--label" && *word != "heap").collect();
    folder.succeed(
        &[&blind[..], &["--ignore", "heap", "--predictions", "again.csv", "--tree", "again.json"]].concat(),
    );
    assert_eq!(folder.read("again.csv"), first);
}

#[test]
fn a_summary_says_what_was_predicted_and_what_each_branch_is() {
    let folder = Folder::new("cluster-summary");
    folder.write("heaps.csv", heaps());
    let shown = folder.succeed(&[&TRAIN[..], &["--regress", "c,4"]].concat());
    assert!(
        shown.out.contains("learned by predicting c, d") && shown.out.contains("dendrogram_purity"),
        "{}",
        shown.out
    );
}

#[test]
fn what_cannot_be_clustered_is_refused_in_one_line() {
    let folder = Folder::new("cluster-refused");
    folder.write("heaps.csv", heaps());
    folder.write("few.csv", "a,b\n1,2\n3,4\n");
    folder.write("words.csv", "a\nx\ny\nx\ny\nx\n");
    let refuse = |args: &[&str], words: &str| {
        let answer = folder.run(args);
        assert!(
            answer.status == 1 && answer.err.lines().count() == 1,
            "{args:?}: {} {}",
            answer.status,
            answer.err
        );
        assert!(answer.err.contains(words), "{args:?}: {}", answer.err);
    };
    refuse(&["train", "few.csv", "--task", "clustering"], "at least 4");
    refuse(&["train", "words.csv", "--task", "clustering"], "No column is left");
    refuse(&["train", "heaps.csv", "--task", "clustering", "--model", "cart"], "cannot cluster");
    refuse(&["train", "heaps.csv", "--task", "clustering", "--target", "a"], "--label");
    refuse(&["train", "heaps.csv", "--task", "clustering", "--label", "nobody"], "nobody");
    refuse(
        &["train", "heaps.csv", "--task", "clustering", "--regress", "a,b,c,d,colour,heap"],
        "No column is left",
    );
    refuse(&["train", "heaps.csv", "--label", "heap"], "--task clustering");
    refuse(&["compare", "heaps.csv", "--task", "clustering"], "train alone");
}

#[test]
fn a_benchmark_has_a_yardstick_beside_it() {
    let folder = Folder::new("cluster-bench");
    folder.write("heaps.csv", heaps());
    folder.write(
        "MANIFEST.csv",
        "name,file,task,target,n,p,categorical_columns\nheaps,heaps.csv,multiclass,heap,150,5,\n",
    );
    let args = [
        "bench",
        "clustering",
        "--data",
        ".",
        "--seeds",
        "2",
        "--set",
        "epochs=20",
        "--quiet",
        "--json",
        "b.json",
    ];
    let shown = folder.succeed(&args);
    assert!(shown.out.contains("| relaxed |") && shown.out.contains("| k-means |"), "{}", shown.out);
    let purity = &folder.json("b.json")["datasets"][0]["models"]["relaxed"]["test"];
    assert!(purity.as_array().unwrap().iter().all(|purity| purity.as_f64().unwrap() > 0.8), "{purity}");
}
