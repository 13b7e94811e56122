//! A budget covers everything except reading the file, on a table on which every pass takes long.

use std::fmt::Write as _;

use super::support::Folder;

const ROWS: u32 = 900_000;
/// Seconds for each model.
const BUDGET: f64 = 5.0;
/// The machine may be busy with other tests. The measured time is printed, and a run without a budget takes
/// minutes.
const SLACK: f64 = 5.0;

/// Three columns and a class, or a number.
fn table(numbers: bool) -> String {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 12
    };
    let mut text = "a,b,c,y\n".to_owned();
    for _ in 0..ROWS {
        let [a, b, c] = [next() % 10_000, next() % 10_000, next() % 100];
        let value = a / 2 + b / 3 + 20 * c * u32::from(a > b) + next() % 1000;
        let y = if numbers { value.to_string() } else { ["no", "yes"][usize::from(value > 4500)].to_owned() };
        writeln!(text, "{a},{b},{c},{y}").unwrap();
    }
    text
}

#[test]
fn a_budget_holds_for_every_model_on_many_rows() {
    let folder = Folder::new("budget-rows");
    folder.write("classes.csv", table(false));
    folder.write("numbers.csv", table(true));
    let budget = format!("{BUDGET}s");
    for (model, file) in [
        ("cart", "classes"),
        ("gradtree", "classes"),
        ("relaxed", "classes"),
        ("get", "numbers"),
        ("forest", "classes"),
    ] {
        let file = format!("{file}.csv");
        let common =
            ["train", &file, "--target", "y", "--model", model, "--budget", &budget, "--progress", "none"];
        let tree = ["--tree", "t.json"];
        let tree = if model == "forest" { &tree[..0] } else { &tree[..] };
        folder.succeed(&[&common, tree, &["--report", "r.json"]].concat());
        let report = folder.json("r.json");
        let seconds = |part: &str| report["seconds"][part].as_f64().unwrap();
        let used = seconds("total") - seconds("read");
        println!(
            "{model}: {used:.2} s of {BUDGET} s, {} nodes, ended: {}",
            report["tree"]["nodes"], report["stop_reason"]
        );
        assert!(used <= 1.05 * BUDGET + SLACK, "{model} took {used} s");
        // CART may finish before the time is up.
        let reasons: &[&str] = if model == "cart" { &["budget", "grown"] } else { &["budget"] };
        assert!(
            reasons.contains(&report["stop_reason"].as_str().unwrap()),
            "{model}: {}",
            report["stop_reason"]
        );
        assert!(
            report["metrics"]["test"]["accuracy"].is_f64() || report["metrics"]["test"]["r2"].is_f64(),
            "{model}"
        );
        if model != "forest" {
            folder.succeed(&["verify", "t.json"]);
        }
    }
}
