//! Regression losses on the command line.

use super::refusals::check;
use super::support::{Folder, flowers, prices};

#[test]
fn a_quantile_is_scored_by_its_loss_beside_a_greedy_tree_of_the_same_loss() {
    let folder = Folder::new("quantile");
    folder.write("prices.csv", prices());
    folder.write("flowers.csv", flowers());
    let common = ["--depth", "3", "--progress", "none"];
    let losses = ["--set", "loss=quantile", "--set", "quantile=0.9"];
    let prices =
        |more: &[&'static str]| [&["train", "prices.csv", "--target", "price"], &common[..], more].concat();
    for model in ["cart", "gradtree"] {
        let asked = [&["--model", model, "--report", "r.json", "--tree", "t.json"], &losses[..]].concat();
        folder.succeed(&prices(&asked));
        let report = folder.json("r.json");
        assert_eq!(
            (&report["config"]["loss"], &report["config"]["quantile"]),
            (&"quantile".into(), &0.9.into())
        );
        for part in ["train", "test"] {
            let scores = &report["metrics"][part];
            // The pinball loss of 0.9 is at most nine tenths of the absolute error.
            let (pinball, mae) = (scores["pinball"].as_f64().unwrap(), scores["mae"].as_f64().unwrap());
            assert!(pinball > 0.0 && pinball <= 0.9 * mae + 1e-9, "{model} {part}: {pinball} {mae}");
        }
        folder.succeed(&["verify", "t.json"]);
        folder.succeed(&prices(&["--model", model, "--set", "loss=absolute", "--report", "r.json"]));
        assert!(folder.json("r.json")["metrics"]["test"].get("pinball").is_none());
    }
    let summary = folder.succeed(&prices(&losses)).out;
    assert!(summary.lines().any(|line| line.starts_with("model") && line.contains("pinball")), "{summary}");
    let greedy: Vec<&str> = summary.lines().filter(|line| line.starts_with("cart  ")).collect();
    assert!(
        greedy.len() == 2 && !greedy.iter().any(|line| line.contains('–')),
        "the greedy tree has it too: {summary}"
    );

    let flowers = |model: &'static str, settings: &[&'static str]| {
        let first = ["train", "flowers.csv", "--target", "kind", "--model", model];
        [first.as_slice(), settings].concat()
    };
    for model in ["cart", "gradtree"] {
        check(
            &folder,
            &flowers(model, &losses),
            1,
            &["\"quantile\" is for numbers", "predict the target as a number"],
        );
    }
    check(&folder, &prices(&["--set", "quantile=0.9"]), 1, &["0.9 has no use", "Set loss=quantile too"]);
    check(
        &folder,
        &prices(&["--set", "loss=quantile", "--set", "quantile=1"]),
        1,
        &["quantile", "from 0.001 to 0.999"],
    );
}
