//! `--recipe`: the source of hyper-parameters that are not set by hand.

use serde_json::json;

use super::refusals::check;
use super::support::{Folder, flowers, prices};

#[test]
fn a_recipe_gives_what_is_not_set_and_the_files_say_so() {
    let folder = Folder::new("recipe");
    folder.write("flowers.csv", flowers());
    let outputs = ["--report", "report.json", "--tree", "tree.json", "--progress", "none"];
    // 1000 and 8 are the other recipe's values, but still count as set by hand.
    let set = ["--set", "epochs=1000", "--set", "patience=5", "--restarts", "8"];
    for recipe in [["--recipe", "published"], ["--set", "preset=paper"]] {
        folder
            .succeed(&[&["train", "flowers.csv", "--target", "kind"], &recipe[..], &set, &outputs].concat());
        for file in [folder.json("report.json"), folder.json("tree.json")["training"].take()] {
            assert_eq!(file["recipe"], "published");
            assert_eq!(file["said"], json!({"epochs": 1000, "patience": 5, "restarts": 8}));
            let config = &file["config"];
            assert_eq!(config["epochs"], 1000);
            assert_eq!((&config["depth"], &config["restarts"]), (&10.into(), &8.into()));
            assert_eq!((&config["lr_leaf"], &config["start"]), (&0.005.into(), &"random".into()));
            assert!(config.get("preset").is_none());
        }
    }
    folder.succeed(
        &[&["train", "flowers.csv", "--target", "kind", "--set", "epochs=20"], &outputs[..]].concat(),
    );
    let report = folder.json("report.json");
    assert_eq!((&report["recipe"], &report["said"]), (&"espalier".into(), &json!({"epochs": 20})));
    assert_eq!(report["config"]["start"], "both");
}

#[test]
fn compare_trains_every_model_by_the_recipe() {
    let folder = Folder::new("recipe-compare");
    folder.write("prices.csv", prices());
    let args =
        ["compare", "prices.csv", "--target", "price", "--models", "cart,gradtree", "--recipe", "published"];
    let set = ["--set", "epochs=20", "--progress", "none", "--report", "report.json"];
    folder.succeed(&[&args[..], &set].concat());
    let report = folder.json("report.json");
    let [cart, gradtree] = [0, 1].map(|at| &report["runs"][at]);
    assert_eq!(
        (&cart["recipe"], &cart["config"]["depth"], &cart["said"]),
        (&"published".into(), &32.into(), &json!({}))
    );
    assert_eq!((&gradtree["recipe"], &gradtree["config"]["depth"]), (&"published".into(), &10.into()));
    assert_eq!(gradtree["said"], json!({"epochs": 20}));
}

#[test]
fn what_a_recipe_cannot_be_is_said_in_one_line() {
    let folder = Folder::new("recipe-refused");
    folder.write("flowers.csv", flowers());
    folder.write("prices.csv", prices());
    for command in ["train", "compare"] {
        let known = ["no recipe called \"paper\"", "\"espalier\" and \"published\""];
        check(&folder, &[command, "flowers.csv", "--recipe", "paper"], 1, &known);
        let both = [command, "flowers.csv", "--recipe", "published", "--set", "preset=default"];
        check(&folder, &both, 1, &["--recipe published and --set preset", "Give one of them"]);
        let deep = [command, "flowers.csv", "--recipe", "published", "--depth", "40"];
        check(&folder, &deep, 1, &["depth of", "cannot be 40", "from 1 to"]);
    }
    check(
        &folder,
        &["train", "flowers.csv", "--set", "preset=cake"],
        1,
        &["no recipe called \"cake\"", "\"published\""],
    );
    let tuned = ["train", "prices.csv", "--model", "get", "--recipe", "published", "--valid", "0"];
    check(&folder, &tuned, 1, &["chooses its depth by validation", "set a depth"]);
    let greedy = ["train", "flowers.csv", "--set", "categories=leave_one_out"];
    check(&folder, &greedy, 1, &["need random starts", "Set start to random"]);
    let taught = ["train", "prices.csv", "--model", "get", "--set", "teach=forest", "--set", "refine=off"];
    check(&folder, &taught, 1, &["teach \"forest\"", "Set refine to on"]);
    let range = ["train", "prices.csv", "--model", "get", "--set", "alpha_first_min=30"];
    check(&folder, &range, 1, &["30 is above 25", "alpha_first_min"]);
}
