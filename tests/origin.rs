//! Where trees come from: a run's statement about its tree is true, and its figures agree.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use espalier::encode::{Selection, Shares, Task};
use espalier::export;
use espalier::learn::{self, Start, Value, Work};
use espalier::run::{Fitted, Run, STOPPED, Settings, configure};
use espalier::table::{Overrides, Table};

/// Two numeric columns, and a target: classes of which one is rare, or a number.
fn table(numbers: bool) -> Arc<Table> {
    let mut text = "a,b,y\n".to_owned();
    for i in 0..300usize {
        let (a, b) = (i * 7919 % 1000, i * 104_729 % 997);
        let noisy = i % 13 == 0;
        let y = match (numbers, a > 700 && b > 400 || noisy) {
            (true, rare) => format!("{}.5", a + 2 * b + 500 * usize::from(rare)),
            (false, rare) => ["usual", "rare"][usize::from(rare)].to_owned(),
        };
        text += &format!("{a}.25,{b}.25,{y}\n");
    }
    Arc::new(Table::read(text.as_bytes(), &Overrides::default()).unwrap())
}

fn begin(numbers: bool, key: &str, values: &[(&str, &str)]) -> Run {
    let mut learner = learn::Settings::new(key).unwrap();
    let value = |text: &str| text.parse().map_or_else(|_| Value::Choice(text.into()), Value::Number);
    configure(&mut learner, values.iter().map(|(key, text)| (*key, value(text)))).unwrap();
    let task = if numbers { Task::Regression } else { Task::Auto };
    let selection = Selection { target: "y".into(), task, ignore: vec![], positive: None };
    let settings = Settings { aim: selection.into(), shares: Shares::default(), learner, seed: 1 };
    Run::alone(table(numbers), settings).unwrap()
}

fn finished(numbers: bool, key: &str, values: &[(&str, &str)]) -> (Run, Fitted) {
    let mut run = begin(numbers, key, values);
    while run.step().stop.is_none() {}
    let fitted = run.finish(STOPPED);
    (run, fitted)
}

#[test]
fn descent_alone_is_what_random_starts_alone_would_have_kept() {
    let common = [("depth", "3"), ("epochs", "40")];
    let with = |more: &[(&'static str, &'static str)]| [&common[..], more].concat();
    for numbers in [false, true] {
        // The first of the two starts is the greedy one.
        let (run, fitted) = finished(numbers, "gradtree", &with(&[("restarts", "2"), ("caution", "10")]));
        let alone = run.gradient(STOPPED).expect("the second start is random");
        assert_eq!((fitted.kept.start, fitted.kept.restart, fitted.kept.taught), (Start::Greedy, 1, 50));
        assert_eq!((alone.kept.start, alone.kept.restart, alone.kept.taught), (Start::Random, 2, 0));
        let (random, result) =
            finished(numbers, "gradtree", &with(&[("restarts", "1"), ("start", "random")]));
        assert!(random.gradient(STOPPED).is_none() && result.kept.is_descent_alone());
        assert_eq!((&alone.model, &alone.metrics), (&result.model, &result.metrics));
        assert_eq!(alone.kept.gradient_epochs, result.kept.gradient_epochs);
        // Without random starts there is no second tree.
        let (greedy, only) = finished(numbers, "gradtree", &with(&[("start", "greedy"), ("caution", "10")]));
        assert!(greedy.gradient(STOPPED).is_none());
        assert_eq!(only.model, fitted.model, "what stands beside the result does not change it");
    }
}

#[test]
fn no_gradient_touches_a_greedy_tree_without_descent() {
    let (_, grown) = finished(
        false,
        "gradtree",
        &[("depth", "3"), ("refine", "0"), ("start", "greedy"), ("teacher", "0")],
    );
    assert_eq!((grown.kept.gradient_epochs, grown.kept.taught, grown.kept.synthetic_rows), (0, 0, 0));
    let (_, cart) = finished(false, "cart", &[("depth", "3")]);
    assert_eq!((cart.kept.start, cart.kept.restart, cart.kept.selected_on().as_str()), (Start::Cart, 1, ""));
}

#[test]
fn every_learner_says_where_its_tree_came_from_and_its_file_keeps_it() {
    let quick = [("depth", "3"), ("epochs", "8")];
    for (numbers, key) in
        [(false, "gradtree"), (false, "get"), (true, "get"), (true, "get-linear"), (false, "relaxed")]
    {
        let (run, fitted) = finished(numbers, key, &quick);
        let kept = fitted.kept;
        assert!(
            kept.start != Start::Constant && kept.restart >= 1 && kept.restart <= fitted.progress.restarts,
            "{key}"
        );
        assert!(kept.chosen.is_some() && kept.refitted, "{key}: {kept:?}");
        let document = run.document(&fitted);
        let text = export::write(&document).unwrap();
        assert_eq!(export::read(&text).unwrap().training.unwrap().kept, Some(espalier::run::kept(&kept)));
        // One of the starts is random; if it was not kept, its tree is shown next to the result.
        let alone = run.gradient(STOPPED);
        assert_eq!(alone.is_none(), kept.is_descent_alone(), "{key}");
        if let Some(alone) = alone {
            assert!(alone.kept.is_descent_alone() && alone.kept.refitted, "{key}: {:?}", alone.kept);
            assert!(export::verify(&run.document(&alone)).unwrap() > 0, "{key}");
            assert!(["train", "valid", "test"].iter().all(|part| !alone.metrics[part].is_empty()), "{key}");
        }
    }
}

#[test]
fn the_validation_loss_of_the_kept_tree_is_one_number() {
    let small = [("depth", "3"), ("epochs", "30")];
    let cases: [(&str, &[(&str, &str)]); 6] = [
        ("gradtree", &[]),
        ("gradtree", &[("refine", "0")]),
        ("gradtree", &[("start", "random")]),
        ("gradtree", &[("start", "random"), ("class_weight", "balanced")]),
        ("gradtree", &[("start", "random"), ("loss", "focal")]),
        ("relaxed", &[("restarts", "3")]),
    ];
    for (key, more) in cases {
        let mut run = begin(false, key, &[&small[..], more].concat());
        let mut points = vec![];
        loop {
            let now = run.step();
            if now.epoch_ended && !now.finishing {
                points.push((now.restart, now.epoch, now.valid_loss.unwrap()));
            }
            if now.stop.is_some() {
                break;
            }
        }
        let Fitted { metrics, progress, .. } = run.finish(STOPPED);
        let (best, scored) = (progress.best_loss.unwrap(), metrics["valid"]["log_loss"]);
        assert!((best - scored).abs() < 1e-5, "{key} {more:?}: {best} in progress, {scored} in the scores");
        let drawn = points
            .iter()
            .any(|(restart, epoch, _)| (*restart, *epoch) == (progress.best_restart, progress.best_epoch));
        assert!(drawn || progress.best_epoch == 0, "{key} {more:?}: only a tree as it began has no point");
    }
}

#[test]
fn phases_are_named_with_their_counts() {
    let mut run =
        begin(false, "gradtree", &[("depth", "3"), ("epochs", "5"), ("restarts", "3"), ("teacher", "4")]);
    let mut seen: Vec<(Work, String)> = vec![];
    loop {
        let now = run.step();
        seen.push((now.phase.work, now.phase.to_string()));
        if now.stop.is_some() {
            break;
        }
    }
    let said = |text: &str| seen.iter().any(|(_, said)| said == text);
    for text in [
        "growing the 4 trees that teach: 2 of 4 (fold 1 of 24)",
        "descent from a greedy tree, epoch 3 of 6",
        "random start 1 of 2, epoch 4",
        "random start 2 of 2, epoch 4",
        "choosing by validation",
        "growing the 4 trees that teach: 2 of 4 (refitting on all rows)",
        "refitting on all rows (descent alone)",
    ] {
        assert!(said(text), "{text}: {:?}", seen.iter().map(|(_, said)| said).collect::<Vec<_>>());
    }
    assert!(seen.iter().any(|(work, _)| *work == Work::MadeUpRows));
}

/// The settings that make a search short, by learner.
fn short(key: &str) -> Vec<(&'static str, &'static str)> {
    match key {
        "cart" => vec![("depth", "3")],
        "gradtree" => vec![("depth", "3"), ("epochs", "20"), ("restarts", "2")],
        "relaxed" => vec![("depth", "3"), ("epochs", "10"), ("restarts", "3")],
        _ => vec![("depth", "3"), ("epochs", "20"), ("starts", "3")],
    }
}

#[test]
fn a_forest_can_teach_every_learner_and_says_so() {
    for (key, numbers) in [
        ("cart", false),
        ("cart", true),
        ("gradtree", false),
        ("gradtree", true),
        ("get", false),
        ("relaxed", false),
        ("relaxed", true),
    ] {
        let with = |teach, start| {
            let own = [("teach", teach), ("start", start)];
            // CART has no start to choose; GradTree's greedy start has a teacher of its own.
            let own = if key == "cart" { &own[..1] } else { &own[..] };
            finished(numbers, key, &[&short(key)[..], own].concat())
        };
        let (_, taught) = with("forest", "random");
        let kept = taught.kept;
        assert!(kept.taught == 50 && kept.synthetic_rows >= 4 * 180, "{key}: {kept:?}");
        assert!(!kept.is_descent_alone(), "{key}");
        let (_, alone) = with("off", "random");
        assert_eq!((alone.kept.taught, alone.kept.synthetic_rows), (0, 0), "{key}");
        if key != "cart" {
            assert!(alone.kept.is_descent_alone(), "{key}: {:?}", alone.kept);
        }
        // Counts are of real rows, and no branch is left that only synthetic rows reach.
        assert_eq!(taught.model.stats[0].rows, alone.model.stats[0].rows, "{key}");
        assert!(taught.model.stats.iter().all(|stats| stats.rows > 0), "{key}");
    }
}

#[test]
fn descents_start_where_they_are_told_to() {
    for key in ["gradtree", "get", "relaxed"] {
        let of = |start| finished(true, key, &[&short(key)[..], &[("start", start)]].concat()).1.kept;
        assert!(of("random").is_descent_alone(), "{key}");
        assert!(!matches!(of("greedy").start, Start::Random | Start::Constant), "{key}");
    }
}
