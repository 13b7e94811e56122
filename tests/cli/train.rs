//! `inspect` and `train`.

use std::path::Path;

use super::support::{Folder, flowers, keys, prices};

#[test]
fn inspect_says_what_was_understood() {
    let folder = Folder::new("inspect");
    folder.write("odd.csv", "id,age,word,same,class\n1,20,a,x,0\n2,?,b,x,1\n3,31,a,x,0\n4,44,b,x,1\n");
    let shown = folder.succeed(&["inspect", "odd.csv"]);
    assert!(
        shown.out.starts_with("4 rows, 5 columns; separated by commas, utf-8, with a header\n"),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("Missing is spelled ?.") && shown.out.contains("Every row has the same value.")
    );
    assert!(shown.out.ends_with("Suggested target: class (classification)\n"));
    assert_eq!(shown.err, "");

    let answer = folder.succeed(&["inspect", "odd.csv", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(
        keys(&found),
        [
            "columns",
            "delimiter",
            "encoding",
            "header",
            "rows",
            "skipped_rows",
            "suggested_target",
            "suggested_task",
            "warnings"
        ]
    );
    assert_eq!(
        (&found["rows"], &found["delimiter"], &found["header"]),
        (&4.into(), &",".into(), &true.into())
    );
    assert_eq!(
        keys(&found["columns"][0]),
        [
            "distinct",
            "kind",
            "missing",
            "missing_tokens",
            "name",
            "profile",
            "unfit_cells",
            "unfit_count",
            "use"
        ]
    );
    let age = &found["columns"][1];
    assert_eq!((&age["kind"], &age["missing"], &age["use"]), (&"number".into(), &1.into(), &true.into()));
    assert_eq!(age["missing_tokens"], serde_json::json!(["?"]));
    assert_eq!(
        (&found["columns"][3]["kind"], &found["columns"][3]["use"]),
        (&"constant".into(), &false.into())
    );
    assert_eq!(
        (&found["suggested_target"], &found["suggested_task"]),
        (&"class".into(), &"classification".into())
    );
}

#[test]
fn inspect_lists_cells_that_do_not_fit() {
    let folder = Folder::new("unfit");
    let rows: String = (0..30).map(|row| format!("{}.5,{}\n", row, row % 2)).collect();
    folder.write("unfit.csv", format!("x,y\n{rows}many,1\n"));
    let answer = folder.succeed(&["inspect", "unfit.csv", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(found["columns"][0]["unfit_cells"], serde_json::json!([{"line": 32, "cell": "many"}]));
    assert_eq!(found["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn train_prints_a_summary_and_says_which_target_it_took() {
    let folder = Folder::new("summary");
    folder.write("flowers.csv", flowers());
    let answer = folder.succeed(&["train", "flowers.csv", "--set", "epochs=30", "--progress", "none"]);
    assert_eq!(answer.err, "espalier: No --target was given: \"kind\" is taken as the target.\n");
    assert!(
        answer.out.starts_with("120 rows: 72 to train on, 24 for validation, 24 to test\n"),
        "{}",
        answer.out
    );
    let has = |model: &str, part: &str| {
        let begins =
            |line: &str| line.strip_prefix(model).is_some_and(|rest| rest.trim_start().starts_with(part));
        answer.out.lines().any(begins)
    };
    for model in ["gradtree ", "gradtree, descent alone ", "cart "] {
        for part in ["train ", "valid ", "test "] {
            assert_eq!(
                has(model, part),
                model != "cart " || part != "valid ",
                "{model} {part}: {}",
                answer.out
            );
        }
    }
    assert!(
        answer.out.contains("\nKept: a greedy tree, taught by 50 trees and 2,000 made-up rows"),
        "{}",
        answer.out
    );
    assert!(answer.out.contains("\nDescent alone: restart "), "{}", answer.out);
    assert!(
        answer.out.contains("\nEnded: ") && answer.out.contains("\nkind: classification, "),
        "{}",
        answer.out
    );
}

#[test]
fn a_tree_of_descent_alone_says_so_and_is_not_repeated() {
    let folder = Folder::new("alone");
    folder.write("flowers.csv", flowers());
    let args = ["train", "flowers.csv", "--target", "kind", "--set", "start=random", "--progress", "none"];
    let answer = folder.succeed(&args);
    assert!(answer.out.contains("\nThis is a tree of descent alone"), "{}", answer.out);
    assert!(!answer.out.contains("gradtree, descent alone"), "{}", answer.out);
    folder.succeed(&[&args[..], &["--report", "r.json", "--tree", "t.json"]].concat());
    let (report, tree) = (folder.json("r.json"), folder.json("t.json"));
    assert_eq!(report.get("gradient"), None);
    assert_eq!(report["kept"], tree["training"]["kept"]);
    let epochs = report["kept"]["gradient_epochs"].as_u64().unwrap();
    assert_eq!((&report["kept"]["start"], &report["kept"]["taught"]), (&"random".into(), &0.into()));
    assert!(epochs > 0 && Some(epochs) == tree["training"]["best_epoch"].as_u64());
    let card = folder.succeed(&["export", "t.json", "--to", "markdown"]).out;
    assert!(card.contains(&format!("a random start, after {epochs} epoch")), "{card}");
}

#[test]
fn a_report_has_exactly_the_stable_keys() {
    let folder = Folder::new("report");
    folder.write("flowers.csv", flowers());
    let args = [
        "train",
        "flowers.csv",
        "--target",
        "kind",
        "--report",
        "r.json",
        "--seed",
        "3",
        "--set",
        "epochs=20",
    ];
    let answer = folder.succeed(&args);
    assert_eq!(answer.out, "");
    let report = folder.json("r.json");
    assert_eq!(
        keys(&report),
        [
            "answers",
            "config",
            "data",
            "espalier",
            "gradient",
            "kept",
            "metrics",
            "model",
            "recipe",
            "rows",
            "said",
            "seconds",
            "seed",
            "stop_reason",
            "task",
            "tree"
        ]
    );
    let origin = ["gradient_epochs", "restart", "selected_on", "start", "synthetic_rows", "taught"];
    assert_eq!(keys(&report["kept"]), origin);
    assert_eq!((&report["kept"]["start"], &report["kept"]["taught"]), (&"greedy".into(), &50.into()));
    assert_eq!(keys(&report["gradient"]), ["kept", "metrics", "tree"]);
    assert_eq!(
        (keys(&report["gradient"]["kept"]), &report["gradient"]["kept"]["start"]),
        (origin.to_vec(), &"random".into())
    );
    assert_eq!(keys(&report["gradient"]["metrics"]), ["test", "train", "valid"]);
    assert_eq!(keys(&report["gradient"]["tree"]), ["depth", "leaves", "nodes"]);
    assert_eq!(report["espalier"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["data"], serde_json::json!({"file": "flowers.csv", "rows": 120, "columns": 4}));
    assert_eq!((&report["task"], &report["model"]), (&"classification".into(), &"gradtree".into()));
    assert_eq!(report["rows"], serde_json::json!({"train": 72, "valid": 24, "test": 24}));
    assert_eq!((&report["seed"], &report["config"]["epochs"]), (&3.into(), &20.into()));
    assert_eq!(keys(&report["seconds"]), ["encode", "read", "total", "train"]);
    let seconds = |key: &str| report["seconds"][key].as_f64().unwrap();
    assert!(
        seconds("train") > 0.0 && seconds("total") >= seconds("read") + seconds("encode") + seconds("train")
    );
    assert_eq!(keys(&report["metrics"]), ["test", "train", "valid"]);
    for part in ["train", "valid", "test"] {
        let names = ["accuracy", "auc", "balanced_accuracy", "calibration_error", "log_loss", "macro_f1"];
        assert_eq!(keys(&report["metrics"][part]), names, "{part}");
    }
    assert_eq!(keys(&report["tree"]), ["depth", "leaves", "nodes"]);
    let size = |key: &str| report["tree"][key].as_u64().unwrap();
    assert_eq!(size("nodes") + 1, 2 * size("leaves"));
}

#[test]
fn regression_is_scored_as_regression() {
    let folder = Folder::new("regression");
    folder.write("prices.csv", prices());
    folder.succeed(&["train", "prices.csv", "--model", "cart", "--depth", "3", "--report", "r.json"]);
    let report = folder.json("r.json");
    assert_eq!((&report["task"], &report["stop_reason"]), (&"regression".into(), &"grown".into()));
    assert_eq!(keys(&report["metrics"]["test"]), ["mae", "r2", "rmse"]);
    assert!(report["metrics"]["test"]["r2"].as_f64().unwrap() > 0.95, "{report}");
    // The greedy tree trains on the validation rows too.
    assert_eq!(report["rows"], serde_json::json!({"train": 72, "valid": 0, "test": 18}));
    assert_eq!(report["metrics"]["valid"], serde_json::json!({}));
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let folder = Folder::new("seeds");
    folder.write("flowers.csv", flowers());
    for model in ["gradtree", "cart"] {
        let tree = |file: &str, seed: &str| {
            let args = [
                "train",
                "flowers.csv",
                "--model",
                model,
                "--seed",
                seed,
                "--tree",
                file,
                "--progress",
                "none",
            ];
            folder.succeed(&args);
            folder.read(file)
        };
        let first = tree("a.json", "5");
        assert_eq!(first, tree("b.json", "5"), "{model}");
        assert_ne!(first, tree("c.json", "6"), "{model}");
    }
}

#[test]
fn columns_are_ignored_and_read_as_told() {
    let folder = Folder::new("columns");
    // A name that contains a comma; the file itself shows that it is not a list.
    folder.write("flowers.csv", flowers().replacen("length,width,place", "\"length, cm\",width,place", 1));
    let features = |args: &[&str]| {
        let always = [
            "train",
            "flowers.csv",
            "--target",
            "4",
            "--model",
            "cart",
            "--tree",
            "t.json",
            "--progress",
            "none",
        ];
        folder.succeed(&[&always, args].concat());
        let tree = folder.json("t.json");
        assert_eq!(tree["target"]["name"], "kind");
        let features = tree["features"].as_array().unwrap().iter();
        features
            .map(|f| format!("{}:{}", f["name"].as_str().unwrap(), f["type"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(features(&[]), ["length, cm:numerical", "width:numerical", "place:categorical"]);
    assert_eq!(features(&["--ignore", "width,place"]), ["length, cm:numerical"]);
    assert_eq!(features(&["--ignore", "length, cm", "--ignore", "width"]), ["place:categorical"]);
    assert_eq!(
        features(&["--ignore", "place", "--categorical", "width"]),
        ["length, cm:numerical", "width:categorical"]
    );
}

#[test]
fn a_column_can_say_which_part_a_row_belongs_to() {
    let folder = Folder::new("split");
    let part =
        |row: usize| ["part", "train", "valid", "train", "test"][if row == 0 { 0 } else { 1 + row % 4 }];
    let rows = flowers()
        .lines()
        .enumerate()
        .map(|(row, line)| format!("{line},{}\n", part(row)))
        .collect::<String>();
    folder.write("flowers.csv", rows);
    let args = [
        "train",
        "flowers.csv",
        "--target",
        "kind",
        "--split-column",
        "part",
        "--report",
        "r.json",
        "--tree",
        "t.json",
    ];
    folder.succeed(&args);
    assert_eq!(folder.json("r.json")["rows"], serde_json::json!({"train": 60, "valid": 30, "test": 30}));
    assert_eq!(folder.json("t.json")["features"].as_array().unwrap().len(), 3);
}

#[test]
fn progress_comes_as_asked() {
    let folder = Folder::new("progress");
    folder.write("flowers.csv", flowers());
    let err = |mode: &str| {
        folder
            .succeed(&["train", "flowers.csv", "--target", "kind", "--report", "r.json", "--progress", mode])
            .err
    };
    assert_eq!(err("none"), "");
    for mode in ["plain", "auto"] {
        let text = err(mode);
        assert!(text.starts_with("espalier: gradtree, seed 0: ") && !text.contains('\r'), "{text}");
    }
    let json = err("json");
    let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!((&last["kind"], &last["model"]), (&"done".into(), &"gradtree".into()));
    assert_eq!(last["stop_reason"], folder.json("r.json")["stop_reason"]);
}

#[test]
fn threads_change_nothing_but_the_time() {
    let folder = Folder::new("threads");
    folder.write("flowers.csv", flowers());
    let args = [
        "train",
        "flowers.csv",
        "--target",
        "kind",
        "--restarts",
        "4",
        "--set",
        "epochs=30",
        "--progress",
        "none",
    ];
    for threads in ["1", "2", "3", "9"] {
        folder.succeed(&[&args[..], &["--threads", threads, "--tree", &format!("{threads}.json")]].concat());
        assert_eq!(folder.read(&format!("{threads}.json")), folder.read("1.json"), "{threads} threads");
    }
}

#[test]
fn a_budget_ends_a_long_training_with_the_best_tree_so_far() {
    let folder = Folder::new("budget");
    folder.write("flowers.csv", flowers());
    let args = [
        "train",
        "flowers.csv",
        "--target",
        "kind",
        "--budget",
        "300ms",
        "--threads",
        "2",
        "--report",
        "r.json",
        "--tree",
        "t.json",
        "--set",
        "epochs=100000",
        "--set",
        "patience=100000",
    ];
    folder.succeed(&args);
    let report = folder.json("r.json");
    assert_eq!(report["stop_reason"], "budget");
    // Generous, because the machine may be busy; without the budget it would take minutes.
    assert!(report["seconds"]["train"].as_f64().unwrap() < 20.0, "{report}");
    assert!(folder.succeed(&["verify", "t.json"]).out.contains("proof rows"));
}

#[test]
fn the_papers_data_can_be_trained_on() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/titanic.csv");
    if !data.exists() {
        println!("skipped: ../shared/data/titanic.csv is not there");
        return;
    }
    let folder = Folder::new("titanic");
    let file = data.to_str().unwrap();
    folder.succeed(&["train", file, "--target", "Survived", "--tree", "t.json", "--report", "r.json"]);
    let accuracy = folder.json("r.json")["metrics"]["test"]["accuracy"].as_f64().unwrap();
    // Predicting that all died is right for 62 %; predicting that women survived, for 79 %.
    assert!(accuracy > 0.7, "{accuracy}");
    let answer = folder.succeed(&["predict", "t.json", file]);
    assert_eq!(answer.out.lines().count(), 892);
}

#[test]
fn a_spreadsheets_own_csv_is_understood_and_predicted_in_its_own_words() {
    let folder = Folder::new("spreadsheet");
    let mut text = "Tag;Preis;Gr\u{f6}\u{df}e;Kauf;;\r\n".to_owned();
    for i in 0..120 {
        let (day, month) = (i % 28 + 1, i % 12 + 1);
        let answer = if month > 6 { "ja" } else { "nein" };
        text += &format!("{day:02}.{month:02}.2020;1.{:03},50 \u{20ac};{},5;{answer};;\r\n", i * 8, i % 7);
    }
    // windows-1252: one byte for each of these.
    let bytes: Vec<u8> = text.chars().map(|c| if c == '\u{20ac}' { 0x80 } else { c as u8 }).collect();
    folder.write("kauf.csv", &bytes);
    let found: serde_json::Value =
        serde_json::from_str(&folder.succeed(&["inspect", "kauf.csv", "--json"]).out).unwrap();
    assert_eq!((&found["delimiter"], &found["encoding"]), (&";".into(), &"windows-1252".into()));
    let kinds: Vec<&str> =
        found["columns"].as_array().unwrap().iter().filter_map(|c| c["kind"].as_str()).collect();
    assert_eq!(kinds, ["date", "number", "number", "yes-no"]);
    assert_eq!(found["columns"][1]["format"], "decimal comma, thousands as in 1.000, with \u{20ac}");
    assert_eq!(found["columns"][1]["profile"]["quantiles"][0], 1000.5);

    let train =
        ["train", "kauf.csv", "--target", "Kauf", "--model", "cart", "--depth", "3", "--positive", "nein"];
    folder.succeed(&[train.as_slice(), &["--tree", "t.json", "--predictions", "p.csv"]].concat());
    let tree = folder.read("t.json");
    assert!(tree.contains("\"classes\": [\"ja\", \"nein\"]"), "{tree}");
    assert!(tree.contains("\"Tag (month)\"") && tree.contains("\"source\": \"Tag\""), "{tree}");
    folder.succeed(&["verify", "t.json"]);
    let answer = folder.succeed(&["predict", "t.json", "kauf.csv", "--out", "q.csv"]);
    assert!(!answer.err.contains("Column"), "{}", answer.err);
    assert_eq!(folder.read("p.csv"), folder.read("q.csv"));
    let predictions = folder.read("p.csv");
    let right = predictions.lines().skip(1).filter(|line| {
        let cells: Vec<&str> = line.rsplit(',').collect();
        // leaf, two probabilities, prediction, Kauf
        cells[3] == cells[4]
    });
    assert!(right.count() >= 110);
}

#[test]
fn what_was_guessed_can_be_said_otherwise() {
    let folder = Folder::new("otherwise");
    folder.write("o.csv", "1;2;a\n3;-9;b\n5\n7;8;a\n9;10;b\n");
    let inspect = |flags: &[&str]| -> serde_json::Value {
        serde_json::from_str(&folder.succeed(&[&["inspect", "o.csv", "--json"], flags].concat()).out).unwrap()
    };
    let found = inspect(&["--skip-bad-rows"]);
    assert_eq!((&found["rows"], &found["header"]), (&4.into(), &false.into()));
    assert_eq!(found["skipped_rows"], serde_json::json!([{"line": 3, "expected": 3, "found": 1}]));
    let found = inspect(&["--skip-bad-rows", "--header", "--missing", "2=-9", "--categorical", "1"]);
    assert_eq!((&found["rows"], &found["columns"][0]["kind"]), (&3.into(), &"category".into()));
    assert_eq!(found["columns"][1]["missing_tokens"], serde_json::json!(["-9"]));
    let found =
        inspect(&["--delimiter", "comma", "--encoding", "latin1", "--no-header", "--text", "column 1"]);
    assert_eq!((&found["columns"][0]["kind"], &found["encoding"]), (&"text".into(), &"windows-1252".into()));
    let refused = folder.run(&["inspect", "o.csv"]);
    assert!(refused.err.contains("Line 3") && refused.err.contains("--skip-bad-rows"), "{}", refused.err);
}
