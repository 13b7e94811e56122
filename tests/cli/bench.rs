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
        let args = ["bench", "classification", "--data", ".", "--models", models, "--seeds", "3", "--json", json];
        folder.succeed(&[args.as_slice(), &["--threads", threads, "--set", "depth=3"]].concat())
    };
    let (one, three) = (run("1", "one.json"), run("3", "three.json"));
    let untimed = |text: &str| text.lines().filter(|line| !line.contains("seconds")).collect::<Vec<_>>().join("\n");
    assert_eq!(untimed(&one.out), untimed(&three.out));
    assert!(one.out.contains("| flowers | 120 | 3 |") && !one.out.contains("flowers-full"), "{}", one.out);
    assert_eq!(one.err.lines().count(), 9);

    let report = folder.json("one.json");
    assert_eq!(keys(&report), ["datasets", "espalier", "metric", "models", "protocol", "task"]);
    let models = &report["datasets"][0]["models"];
    assert_eq!(keys(models), ["cart", "cart-tuned", "gradtree:epochs=5"]);
    assert_eq!(keys(&models["cart"]), ["nodes", "score", "seconds", "train_score"]);
    assert_eq!(models["cart"]["score"].as_array().unwrap().len(), 3);
    for key in ["score", "train_score", "nodes"] {
        let other = &folder.json("three.json")["datasets"][0]["models"];
        assert!(keys(models).iter().all(|model| models[*model][key] == other[*model][key]), "{key}");
    }
}

#[test]
fn numbers_have_their_own_protocol_and_test_rows_can_be_left_alone() {
    let folder = folder("bench-regression");
    let args =
        ["bench", "regression", "--data", ".", "--models", "cart", "--seeds", "2", "--quiet", "--json", "r.json"];
    let test = folder.succeed(&args);
    assert!(test.out.starts_with("Score: r2.") && test.out.contains("| prices | 90 | 2 |") && test.err.is_empty());
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
        assert!(answer.status == 1 && answer.err.lines().count() == 1 && answer.err.contains(words), "{answer:?}");
    };
    refuse(&["sorting", "--data", "."], "classification, regression or clustering");
    refuse(&["classification", "--data", "nowhere"], "MANIFEST.csv");
    refuse(&["classification", "--data", ".", "--only", "roses"], "flowers");
    refuse(&["regression", "--data", ".", "--models", "oak"], "cart-tuned");
    folder.write("MANIFEST.csv", "name,file\na,b\n");
    refuse(&["classification", "--data", "."], "\"task\"");
}
