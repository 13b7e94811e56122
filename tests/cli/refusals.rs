//! Bad input and wrong usage: one line on stderr with what, where and how to fix it, and nothing else.

use super::support::{Folder, flowers};

/// Checks the status, exactly one line on stderr with these words, and nothing on stdout.
pub fn check(folder: &Folder, args: &[&str], status: i32, words: &[&str]) {
    let answer = folder.run(args);
    assert_eq!(answer.status, status, "{args:?}: {answer:?}");
    assert_eq!(answer.out, "", "{args:?}");
    assert!(answer.err.starts_with("espalier: ") && answer.err.ends_with('\n'), "{args:?}: {}", answer.err);
    assert_eq!(answer.err.lines().count(), 1, "{args:?}: {}", answer.err);
    for word in words {
        assert!(answer.err.contains(word), "{args:?}: expected {word:?} in {}", answer.err);
    }
    assert!(!answer.err.contains("panic") && !answer.err.contains("internal error"), "{}", answer.err);
}

/// A file that neither `train` nor `compare` can learn from; both must print only the error.
fn check_data(name: &str, content: impl AsRef<[u8]>, words: &[&str]) {
    let folder = Folder::new(name);
    folder.write("data.csv", content);
    for args in [&["train", "data.csv", "--target", "y"], &["compare", "data.csv", "--target", "y"]] {
        check(&folder, args, 1, &[&["data.csv: "], words].concat());
    }
}

#[test]
fn files_that_cannot_be_learned_from() {
    check_data("empty", "", &["The file is empty.", "header line"]);
    check_data("blank", "\n \r\n\n", &["The file is empty."]);
    check_data("header-only", "x,y\n", &["header line but no rows", "at least two rows"]);
    check_data("one-row", "x,y\n1,a\n", &["Only 1 row", "at least 2", "more rows"]);
    check_data("one-class", "x,y\n1,a\n2,a\n3,a\n4,a\n", &["Column \"y\"", "same class, \"a\""]);
    check_data("no-feature", "x,y\n1,a\n1,b\n1,a\n1,b\n", &["No column is left to learn from", "constant"]);
    check_data(
        "target-missing",
        "x,y\n1,?\n2,\n3,?\n4,\n",
        &["Column \"y\"", "Every cell of the target is missing."],
    );
    check_data("binary", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &["not a text file", "save it as CSV"]);
    check_data("open-quote", "x,y\n1,a\n2,\"b\n3,a\n", &["Line 3", "never closed"]);
    check_data("ragged", "x,y\n1,a\n2,b,c\n", &["Line 3", "3 fields", "2 fields"]);
}

#[test]
fn a_bad_file_is_refused_by_inspect_and_predict_too() {
    let folder = Folder::new("bad-file");
    folder.write("empty.csv", "");
    folder.write("flowers.csv", flowers());
    folder.succeed(&["train", "flowers.csv", "--target", "kind", "--model", "cart", "--tree", "t.json"]);
    check(&folder, &["inspect", "empty.csv"], 1, &["empty.csv: The file is empty."]);
    check(&folder, &["predict", "t.json", "empty.csv"], 1, &["empty.csv: The file is empty."]);
    folder.write("other.csv", "a,b\n1,2\n");
    check(&folder, &["predict", "t.json", "other.csv"], 1, &["other.csv: The tree tests", "rename or add"]);
}

#[test]
fn broken_trees() {
    let folder = Folder::new("broken-trees");
    folder.write("flowers.csv", flowers());
    folder.succeed(&["train", "flowers.csv", "--target", "kind", "--model", "cart", "--tree", "t.json"]);
    let whole = folder.read("t.json");
    folder.write("cut.json", &whole[..whole.len() / 2]);
    folder.write("list.json", "[1, 2]");
    folder.write("newer.json", whole.replacen("\"1.1\"", "\"2.0\"", 1));
    folder.write("bytes.json", b"\xff\xfe\0\0");
    folder.write("empty.json", "");
    for file in ["cut.json", "list.json", "newer.json", "bytes.json", "empty.json", "flowers.csv"] {
        let place = format!("{file}: ");
        check(&folder, &["verify", file], 1, &[&place]);
        check(&folder, &["export", file, "--to", "text"], 1, &[&place]);
        check(&folder, &["predict", file, "flowers.csv"], 1, &[&place]);
    }
    let mut unproved = folder.json("t.json");
    let row = &mut unproved["verification"]["rows"][0];
    let leaf = row["leaf"].as_u64().expect("a proof row names its leaf");
    row["leaf"] = (leaf + 1).into();
    folder.write("unproved.json", unproved.to_string());
    check(&folder, &["verify", "unproved.json"], 1, &["unproved.json: "]);
    check(&folder, &["export", "t.json", "--to", "onyx"], 1, &["\"onyx\"", "json, text, markdown,"]);
}

#[test]
fn settings_that_do_not_exist_or_are_out_of_range() {
    let folder = Folder::new("settings");
    folder.write("flowers.csv", flowers());
    let refuse = |args: &[&str], words: &[&str]| {
        check(&folder, &[&["train", "flowers.csv", "--target", "kind"], args].concat(), 1, words);
    };
    refuse(
        &["--set", "speed=3"],
        &["gradtree has no hyper-parameter \"speed\"", "depth", "patience", "tie_init"],
    );
    refuse(
        &["--model", "cart", "--set", "epochs=3"],
        &["cart has no hyper-parameter \"epochs\"", "ccp_alpha"],
    );
    refuse(&["--model", "cart", "--restarts", "2"], &["cart has no hyper-parameter \"restarts\""]);
    refuse(&["--depth", "99"], &["depth", "cannot be 99", "whole number from 1"]);
    refuse(&["--depth", "-1"], &["cannot be -1"]);
    refuse(&["--depth", "deep"], &["cannot be \"deep\"", "whole number"]);
    refuse(&["--set", "loss=hinge"], &["\"hinge\"", "cross_entropy"]);
    refuse(&["--model", "oak"], &["no model called \"oak\"", "\"gradtree\""]);
    refuse(&["--task", "sorting"], &["no task called \"sorting\"", "regression", "clustering"]);
    refuse(&["--task", "clustering"], &["--target has no meaning for clustering", "--label"]);
    refuse(&["--task", "regression"], &["Column \"kind\"", "Regression needs a target of numbers"]);
    refuse(&["--test", "1.5"], &["test share cannot be 1.5", "0 to 0.9"]);
    refuse(&["--valid", "-0.1"], &["valid share cannot be -0.1"]);
    refuse(&["--test", "0.5", "--valid", "0.5"], &["leave too few rows"]);
    let compare = |args: &[&str], words: &[&str]| {
        check(&folder, &[&["compare", "flowers.csv"], args].concat(), 1, words)
    };
    compare(&["--set", "speed=3"], &["None of the models", "\"speed\"", "ccp_alpha", "tie_init"]);
    compare(&["--models", "cart,oak"], &["no model called \"oak\""]);
    compare(&["--models", "cart,cart"], &["\"cart\" is named twice"]);
    compare(&["--seed", "4294967295", "--seeds", "2"], &["largest seed"]);
}

#[test]
fn columns_that_do_not_exist() {
    let folder = Folder::new("unknown-columns");
    folder.write("flowers.csv", flowers());
    let refuse = |args: &[&str], words: &[&str]| {
        check(&folder, &[&["train", "flowers.csv"], args].concat(), 1, &[&["flowers.csv: "], words].concat());
    };
    refuse(
        &["--target", "colour"],
        &["no column called \"colour\"", "\"length\", \"width\", \"place\" and \"kind\""],
    );
    refuse(&["--target", "5"], &["no column number 5", "4 columns"]);
    refuse(&["--target", "0"], &["no column number 0"]);
    for option in ["--ignore", "--categorical", "--numeric", "--split-column"] {
        refuse(&["--target", "kind", option, "colour"], &["no column called \"colour\""]);
    }
    refuse(&["--target", "kind", "--split-column", "place"], &["Line 2", "train, valid or test", "\"hill\""]);
    let both = ["train", "flowers.csv", "--numeric", "width", "--categorical", "length,width"];
    check(&folder, &both, 1, &["\"width\"", "both category and number"]);
    let unknown = ["train", "flowers.csv", "--kind", "width=colour"];
    check(&folder, &unknown, 1, &["kind of column called \"colour\"", "identifier"]);
    check(
        &folder,
        &["train", "flowers.csv", "--kind", "width"],
        1,
        &["does not name a column and its kind", "COLUMN=KIND"],
    );
}

#[test]
fn files_that_cannot_be_opened_or_written() {
    let folder = Folder::new("paths");
    folder.write("flowers.csv", flowers());
    for subcommand in ["inspect", "train", "compare", "verify"] {
        check(
            &folder,
            &[subcommand, "absent.file"],
            1,
            &["Cannot read absent.file: No such file", "Check the path"],
        );
    }
    let train = ["train", "flowers.csv", "--target", "kind"];
    for option in ["--tree", "--report", "--predictions"] {
        let refuse =
            |path: &str, words: &[&str]| check(&folder, &[&train[..], &[option, path]].concat(), 1, words);
        // Progress would be on stderr if the training had started: exactly one line shows that it had not.
        refuse("no/such/folder/file", &["Cannot write no/such/folder/file", "No such file"]);
        refuse(".", &["Cannot write .", "directory"]);
        refuse("flowers.csv", &["flowers.csv is named twice"]);
    }
    assert_eq!(folder.read("flowers.csv"), flowers());
    check(&folder, &[&train[..], &["--tree", "a", "--report", "./a"]].concat(), 1, &["named twice"]);
    assert!(!folder.path("a").exists(), "a file that was only tried is left behind");
    check(&folder, &["compare", "flowers.csv", "--report", "no/file"], 1, &["Cannot write no/file"]);
}

#[test]
fn an_output_that_is_there_survives_a_refusal() {
    let folder = Folder::new("survives");
    folder.write("empty.csv", "");
    folder.write("t.json", "precious");
    check(&folder, &["train", "empty.csv", "--tree", "t.json"], 1, &["The file is empty."]);
    assert_eq!(folder.read("t.json"), "precious");
}

#[test]
fn wrong_usage() {
    let folder = Folder::new("usage");
    let refuse = |args: &[&str], words: &[&str]| {
        check(&folder, args, 2, &[words, &["Try 'espalier --help'."]].concat())
    };
    refuse(&[], &["requires a subcommand", "inspect, train"]);
    refuse(&["grow"], &["unrecognized subcommand 'grow'"]);
    refuse(&["bench"], &["--data <DIR>"]);
    refuse(&["prune"], &["unrecognized subcommand 'prune'"]);
    refuse(&["train"], &["required arguments", "<DATA.csv>"]);
    refuse(&["train", "x.csv", "--sed", "3"], &["unexpected argument '--sed'", "'--seed'"]);
    refuse(&["train", "x.csv", "--seed", "-1"], &["'-1' for '--seed <S>'"]);
    refuse(&["train", "x.csv", "--threads", "0"], &["'0' for '--threads <T>'"]);
    refuse(&["train", "x.csv", "--budget", "30"], &["'30' for '--budget <TIME>'", "500ms, 30s or 2m"]);
    refuse(&["train", "x.csv", "--set", "depth"], &["'depth' for '--set <KEY=VALUE>'", "key=value"]);
    refuse(&["train", "x.csv", "--test", "half"], &["'half' for '--test <SHARE>'"]);
    refuse(&["train", "x.csv", "--progress", "loud"], &["'loud'", "auto, plain, json, none"]);
    refuse(&["compare", "x.csv", "--seeds", "0"], &["'0' for '--seeds <N>'"]);
    refuse(&["export", "t.json"], &["required arguments", "--to <FORMAT>"]);
    refuse(&["inspect", "two\nlines", "--flag\nwith\nlines"], &["unexpected argument"]);
}

#[test]
fn answer_rules_that_cannot_be_followed() {
    let folder = Folder::new("answer-rules");
    folder.write("flowers.csv", flowers());
    folder.write("short.csv", "true,rose,thorn\nrose,0,1\n");
    let refused = |rule: &str, words: &[&str]| {
        check(&folder, &["train", "flowers.csv", "--target", "kind", "--answers", rule], 1, words);
        check(&folder, &["compare", "flowers.csv", "--target", "kind", "--answers", rule], 1, words);
    };
    refused("sometimes", &["no answer rule called \"sometimes\"", "likeliest", "balanced"]);
    refused("costs:rose>tulip=5", &["The costs name \"tulip\"", "The classes are \"rose\" and \"thorn\""]);
    refused("costs:0,-1;5,0", &["The cost is -1", "from 0 on"]);
    refused("costs:0,1;5", &["not square", "a row per true class"]);
    refused("costs:0,1,1;1,0,1;1,1,0", &["are for 3 classes, but the target has 2", "The classes are"]);
    refused("costs:0,0;0,0", &["All costs are zero", "above 0"]);
    refused("costs:short.csv", &["short.csv", "not square: 1 true classes, 2 answers"]);
    refused("costs:lost.csv", &["lost.csv"]);
}

#[test]
fn settings_that_contradict_each_other() {
    let folder = Folder::new("contradictions");
    folder.write("flowers.csv", flowers());
    let refused = |settings: &[&str], words: &[&str]| {
        check(&folder, &[&["train", "flowers.csv", "--target", "kind"], settings].concat(), 1, words);
    };
    refused(&["--depth", "4", "--set", "depth=6"], &["--depth and --set depth contradict", "Give one"]);
    refused(
        &["--recipe", "published", "--depth", "4", "--set", "depth=6"],
        &["--depth and --set depth contradict"],
    );
    refused(
        &["--recipe", "espalier", "--set", "preset=paper"],
        &["--recipe espalier and --set preset contradict"],
    );
    refused(&["--recipe", "classic"], &["no recipe called \"classic\"", "published"]);
    let both = &["compare", "flowers.csv", "--target", "kind", "--depth", "4", "--set", "depth=6"];
    check(&folder, both, 1, &["--depth and --set depth contradict"]);
}
