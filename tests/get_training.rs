//! GET as a learner: what it finds, that it is reproducible, and that awkward data is either learned or
//! refused with a message.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::{Brought, Columns, Found, Moments, Settings, Start, Training, Value, Work};
use espalier::numeric::random::Random;
use espalier::tree::{Leaf, Node, Split, Tree};
use nalgebra::DMatrix;

fn design(features: usize, samples: usize, seed: u64, y: impl Fn(&[f32]) -> f64) -> Arc<Design> {
    let mut random = Random::new(seed);
    let x = DMatrix::from_fn(features, samples, |_, _| random.uniform() as f32);
    let y = x.column_iter().map(|column| y(column.as_slice())).collect();
    Arc::new(Design { x, y: Labels::Values(y) })
}

fn config(key: &str, settings: &[(&str, f64)]) -> Settings {
    let mut config = Settings::new(key).unwrap();
    settings.iter().for_each(|(key, value)| config.set(key, &Value::Number(*value)).unwrap());
    config
}

fn begin(config: Settings, train: &Arc<Design>, valid: &Arc<Design>) -> Box<dyn Training> {
    config.resolve(&train.y).check(train).unwrap().start(train.clone(), valid.clone(), 7)
}

fn train(config: Settings, train: &Arc<Design>, valid: &Arc<Design>) -> Tree {
    let mut training = begin(config, train, valid);
    while training.step().stop.is_none() {}
    training.best()
}

fn r2(tree: &Tree, design: &Design) -> f64 {
    let Labels::Values(y) = &design.y else { panic!("numbers") };
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    let error = |(row, y): (&[f32], &f64)| (tree.output(tree.leaf_of(row), row)[0] - y).powi(2);
    1.0 - design.rows().zip(y).map(error).sum::<f64>() / y.iter().map(|y| (y - mean).powi(2)).sum::<f64>()
}

/// A step along a slanted edge: no axis-aligned tree of depth 2 comes close.
fn slanted(x: &[f32]) -> f64 {
    f64::from(u8::from(x[0] + x[1] > 1.0)) + 2.0 * f64::from(u8::from(x[0] - 2.0 * x[2] > 0.0))
}

#[test]
fn a_slanted_target_is_found_where_cart_fails() {
    let [train_part, valid, test] =
        [(600, 1), (200, 2), (1000, 3)].map(|(n, seed)| design(4, n, seed, slanted));
    let cart = train(config("cart", &[("depth", 2.0)]), &train_part, &valid);
    for key in ["get", "get-linear"] {
        let tree = train(config(key, &[("depth", 2.0)]), &train_part, &valid);
        let (ours, greedy) = (r2(&tree, &test), r2(&cart, &test));
        assert!(ours > 0.93 && greedy < 0.7, "{key} {ours}, cart {greedy}");
    }
}

#[test]
fn the_published_settings_are_never_worse_than_cart_on_training_rows() {
    let part = design(3, 150, 5, |x| f64::from(x[0] * x[1]) + f64::from(x[2]).sqrt());
    let cart = train(config("cart", &[("depth", 3.0)]), &part, &part);
    for key in ["get", "get-linear"] {
        let mut settings = config(key, &[("depth", 3.0), ("epochs", 200.0), ("starts", 2.0)]);
        settings.set("preset", &Value::Choice("paper".into())).unwrap();
        assert!(!settings.resolve(&part.y).wants().validation, "the paper has no validation part");
        let tree = train(settings, &part, &part);
        assert!(r2(&tree, &part) > r2(&cart, &part), "{key}");
        assert!(tree.depth() <= 3);
    }
}

#[test]
fn leaves_are_linear_where_asked_and_the_same_seed_gives_the_same_tree() {
    let [part, valid] =
        [(300, 1), (100, 2)].map(|(n, seed)| design(3, n, seed, |x| f64::from(x[0] * x[1] - x[2])));
    for (key, linear) in [("get", false), ("get-linear", true)] {
        let settings = || config(key, &[("depth", 3.0)]);
        let tree = train(settings(), &part, &valid);
        assert_eq!(tree, train(settings(), &part, &valid));
        let is_linear = |node: &Node| matches!(node, Node::Leaf(Leaf::Linear { .. }));
        assert_eq!(tree.nodes().iter().any(is_linear), linear, "{key}");
        assert!(r2(&tree, &valid) > if linear { 0.97 } else { 0.8 }, "{key} {}", r2(&tree, &valid));
    }
}

#[test]
fn a_tree_that_is_taught_is_chosen_where_it_is_better() {
    // Few rows of a wavy surface: single trees of that depth differ much, and their mean is smoother.
    let surface = |x: &[f32]| f64::from((6.0 * x[0]).sin() + (5.0 * x[1]).cos() * x[2] + (4.0 * x[2]).sin());
    let [part, valid, test] = [(300, 1), (150, 2), (1500, 3)].map(|(n, seed)| design(4, n, seed, surface));
    let taught = |teach: &str| {
        let mut settings = config("get", &[("depth", 7.0)]);
        settings.set("teach", &Value::Choice(teach.into())).unwrap();
        train(settings, &part, &valid)
    };
    let [alone, with] = ["off", "forest"].map(taught);
    assert_ne!(alone, with, "the taught tree is chosen here");
    assert!(r2(&with, &test) > r2(&alone, &test), "{} {}", r2(&with, &test), r2(&alone, &test));
    assert_eq!(with, taught("forest"));
}

#[test]
fn a_run_can_be_left_at_any_step_with_a_tree() {
    for teach in ["off", "forest"] {
        leave_at_any_step(teach);
    }
}

fn leave_at_any_step(teach: &str) {
    let part = design(3, 500, 9, |x| f64::from(x[0] + x[1] * x[2]));
    let mut settings = config("get", &[("depth", 3.0)]);
    settings.set("teach", &Value::Choice(teach.into())).unwrap();
    let mut training = begin(settings, &part, &part);
    let (mut share, mut seen_losses) = (0.0, false);
    for step in 0.. {
        let progress = training.step();
        assert!(progress.share >= share - 1e-9 && progress.share <= 1.0, "{} after {share}", progress.share);
        share = progress.share;
        seen_losses |=
            progress.train_loss.is_some_and(f64::is_finite) && progress.best_loss.is_some_and(f64::is_finite);
        if step % 97 == 0 {
            for tree in [training.best(), training.current()] {
                assert!(r2(&tree, &part) > -1e-6);
            }
        }
        if progress.stop.is_some() {
            break;
        }
    }
    assert!(seen_losses && share == 1.0);
    let end = training.best();
    assert_eq!(training.step().stop, training.progress().stop, "nothing happens after the end");
    assert_eq!(training.best(), end);
}

#[test]
fn classes_are_told_apart_along_slanted_edges() {
    let labelled = |samples: usize, seed: u64| {
        let part = design(3, samples, seed, |_| 0.0);
        let label = part.rows().map(|x| u32::from(x[0] + x[1] > 1.0) + u32::from(x[1] > x[2])).collect();
        Arc::new(Design { x: part.x.clone(), y: Labels::Classes { label, classes: 3 } })
    };
    let [part, valid, test] = [(500, 1), (150, 2), (800, 3)].map(|(n, seed)| labelled(n, seed));
    let right = |tree: &Tree| {
        let Labels::Classes { label, .. } = &test.y else { unreachable!() };
        let answer =
            |row: &[f32]| espalier::numeric::order::first_largest(&tree.output(tree.leaf_of(row), row));
        test.rows().zip(label).filter(|(row, label)| answer(row) == **label as usize).count() as f64 / 800.0
    };
    let ours = right(&train(config("get", &[("depth", 3.0)]), &part, &valid));
    let cart = right(&train(config("cart", &[("depth", 3.0)]), &part, &valid));
    assert!(ours > 0.92 && ours > cart + 0.1, "{ours} {cart}");
    let refused = config("get-linear", &[]).resolve(&part.y).check(&part).unwrap_err();
    assert!(refused.message.contains("numbers") && refused.hint.contains("get"), "{refused}");
}

/// No prediction is NaN, for the training rows and for rows far away.
fn check_numbers(tree: &Tree, part: &Design, what: &str) {
    let far = vec![1e6f32; part.features()];
    for row in part.rows().chain([&far[..]]) {
        let answer = tree.output(tree.leaf_of(row), row);
        assert!(answer.iter().all(|y| y.is_finite()), "{what}: {answer:?}");
    }
    for node in tree.nodes() {
        if let Node::Split { split: Split::Oblique { weights, threshold, .. }, .. } = node {
            assert!(weights.iter().all(|w| w.is_finite()) && threshold.is_finite(), "{what}");
        }
    }
}

#[test]
fn awkward_tables_are_trained_on() {
    let values = |x: DMatrix<f32>, y: Vec<f64>| Arc::new(Design { x, y: Labels::Values(y) });
    let mut random = Random::new(3);
    let noise = |rows: usize, columns: usize, random: &mut Random| {
        DMatrix::from_fn(columns, rows, |_, _| random.uniform() as f32)
    };
    let mut tables = vec![];
    let x = DMatrix::from_fn(3, 50, |j, i| if j == 0 { 0.0 } else { (i * (j + 2) % 50) as f32 / 50.0 });
    tables.push(("a constant column", values(x, (0..50).map(|i| f64::from(i) * 2.0).collect())));
    let x = DMatrix::from_fn(4, 80, |j, i| i as f32 / 80.0 * if j % 2 == 0 { 1.0 } else { -1.0 });
    tables.push(("collinear columns", values(x, (0..80).map(|i| f64::from(i % 40)).collect())));
    tables.push((
        "more columns than rows",
        values(noise(20, 60, &mut random), (0..20).map(f64::from).collect()),
    ));
    tables.push(("five rows", values(noise(5, 3, &mut random), vec![1.0, 5.0, 2.0, 4.0, 3.0])));
    tables.push(("one row", values(noise(1, 2, &mut random), vec![4.0])));
    let outlier = (0..60).map(|i| if i == 7 { 1e12 } else { f64::from(i) }).collect();
    tables.push(("a target of 1e12", values(noise(60, 3, &mut random), outlier)));
    tables.push(("a constant target", values(noise(60, 3, &mut random), vec![-3.5; 60])));
    for (what, part) in tables {
        for key in ["get", "get-linear"] {
            for preset in ["quick", "paper"] {
                let mut settings = config(key, &[("depth", 4.0), ("epochs", 30.0)]);
                settings.set("preset", &Value::Choice(preset.into())).unwrap();
                let tree = train(settings, &part, &part);
                check_numbers(&tree, &part, what);
                // If all targets are equal, there is no variance to explain.
                let alike = part.samples() == 1 || what == "a constant target";
                assert!(alike || r2(&tree, &part) > -1e-3, "{what} {key} {}", r2(&tree, &part));
            }
        }
        if what == "a constant target" {
            assert_eq!(train(config("get", &[]), &part, &part).size(), 1);
        }
    }
}

#[test]
fn what_cannot_be_trained_on_is_refused_in_words() {
    let part = design(2, 10, 1, |_| 1.0);
    let check = |key: &str, settings: &[(&str, f64)], part: &Design, words: &str| {
        let error = config(key, settings).resolve(&part.y).check(part).unwrap_err();
        assert!(error.message.contains(words) && !error.hint.is_empty(), "{error}");
    };
    check("get", &[], &Design { x: DMatrix::zeros(0, 10), y: part.y.clone() }, "no column");
    check("get", &[], &Design { x: DMatrix::zeros(2, 0), y: Labels::Values(vec![]) }, "no training row");
    check("get", &[], &Design { x: DMatrix::zeros(2, 1), y: Labels::Values(vec![f64::NAN]) }, "not numbers");
    check(
        "get",
        &[],
        &Design { x: DMatrix::from_element(2, 1, f32::NAN), y: Labels::Values(vec![1.0]) },
        "row 1",
    );
    check(
        "get",
        &[("depth", 12.0)],
        &Design { x: DMatrix::zeros(900, 2), y: Labels::Values(vec![1.0, 2.0]) },
        "numbers to learn",
    );
}

#[test]
fn columns_apart_are_never_in_a_sum() {
    // The second column is as informative as the sum, but a category: it may only be tested alone.
    let part = design(3, 400, 4, |x| f64::from(u8::from(x[1] > 0.5)) * 3.0 + f64::from(x[0] + x[2]));
    for key in ["get", "get-linear"] {
        let checked = config(key, &[("depth", 4.0)]).resolve(&part.y).check(&part).unwrap();
        let columns = Columns { apart: vec![1], feature: vec![0, 1, 2] };
        let mut training = checked.start_with(columns, part.clone(), part.clone(), 1);
        while training.step().stop.is_none() {}
        let tree = training.best();
        let mut asked = false;
        for node in tree.nodes() {
            let columns = node.features();
            asked |= columns == [1];
            assert!(columns.len() < 2 || !columns.contains(&1), "{node:?}");
            assert!(!matches!(node, Node::Leaf(Leaf::Linear { features, .. }) if features.contains(&1)));
        }
        assert!(asked && r2(&tree, &part) > 0.9, "{key} {}", r2(&tree, &part));
    }
}

#[test]
fn splits_name_no_more_columns_than_asked() {
    let [part, valid] =
        [(500, 1), (150, 2)].map(|(n, seed)| design(6, n, seed, |x| f64::from(x[0] + 2.0 * x[3] - x[5])));
    for most in [1usize, 2, 3] {
        let tree = train(config("get", &[("depth", 5.0), ("columns", most as f64)]), &part, &valid);
        let named = tree
            .nodes()
            .iter()
            .filter(|node| matches!(node, Node::Split { .. }))
            .map(|node| node.features().len());
        assert!(named.clone().all(|named| named <= most), "{most}");
        assert_eq!(named.max(), Some(most));
        // There are only three columns in all, and then one direction is enough.
        assert!(r2(&tree, &valid) > if most == 3 { 0.95 } else { 0.6 }, "{most} {}", r2(&tree, &valid));
    }
}

#[test]
fn starts_that_ran_elsewhere_give_the_same_tree_as_one_after_another() {
    let surface = |x: &[f32]| f64::from((6.0 * x[0]).sin() + x[1] * x[2]);
    let [part, valid] = [(300, 1), (100, 2)].map(|(n, seed)| design(3, n, seed, surface));
    // With the choice by validation, with polish and a second run per start, and with distillation from all
    // other trees.
    let cases: [(&str, &[(&str, &str)]); 3] = [
        ("get", &[]),
        ("get", &[("preset", "paper"), ("refine", "on")]),
        ("get-linear", &[("teach", "forest")]),
    ];
    for (key, choices) in cases {
        let mut settings = config(key, &[("depth", 3.0), ("starts", 4.0), ("epochs", 25.0)]);
        choices.iter().for_each(|(key, value)| settings.set(key, &Value::Choice((*value).into())).unwrap());
        let finish = |mut training: Box<dyn Training>| {
            while training.step().stop.is_none() {}
            let progress = training.progress();
            let best = (progress.best_loss, progress.best_epoch, progress.best_restart);
            (training.best(), training.chosen(), progress.step, best)
        };
        let alone = finish(begin(settings.clone(), &part, &valid));
        for here in [0, 1, 40] {
            let mut together = begin(settings.clone(), &part, &valid);
            let plan = together.plan().unwrap();
            (0..here).for_each(|_| _ = together.step());
            let lent: Vec<u32> = std::iter::from_fn(|| together.lend()).collect();
            assert_eq!(lent.last(), Some(&3));
            let found: Vec<_> = std::thread::scope(|scope| {
                let unit = |index| {
                    let mut unit = plan.unit(index);
                    let steps =
                        1 + std::iter::from_fn(|| unit.step().stop.is_none().then_some(())).count() as u64;
                    // Through the encoding in which results travel between workers.
                    let found = Found { steps, outcome: unit.outcome() };
                    let brought = Brought { found, moments: Moments::default() };
                    (index, Brought::from_bytes(&brought.to_bytes()).unwrap().found)
                };
                let threads: Vec<_> =
                    lent.iter().rev().map(|&index| scope.spawn(move || unit(index))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            for (index, found) in found {
                together.take(index, Some(found));
            }
            assert_eq!(finish(together), alone, "{key} {choices:?}, lent after {here} steps");
        }
    }
}

#[test]
fn a_run_says_what_it_is_doing() {
    let [part, valid] = [(200, 1), (80, 2)].map(|(n, seed)| design(3, n, seed, slanted));
    let mut settings = config("get", &[("depth", 2.0), ("starts", 3.0), ("epochs", 10.0)]);
    for (key, value) in [("preset", "paper"), ("refine", "on"), ("teach", "forest")] {
        settings.set(key, &Value::Choice(value.into())).unwrap();
    }
    let mut training = begin(settings, &part, &valid);
    let (mut phases, mut gap) = (vec![], 0);
    loop {
        let progress = training.step();
        let doing = (progress.restart, progress.phase.work);
        if phases.last() != Some(&doing) {
            phases.push(doing);
        }
        gap += usize::from(
            progress.epoch_ended && progress.train_loss.is_some() && progress.hard_loss.is_some(),
        );
        if progress.stop.is_some() {
            break;
        }
    }
    let descents = |start| {
        let from = if start == 0 { Start::Cart } else { Start::Random };
        [0, 1].map(|run| (start, Work::Descent { from, number: start, of: 2, run }))
    };
    // CART's tree grows first; the other starts of the published settings are random.
    let begun = [vec![(0, Work::Greedy)], [descents(0), descents(1), descents(2)].concat()].concat();
    assert_eq!(phases[..begun.len()], begun);
    let mut ends: Vec<Work> = phases[begun.len()..].iter().map(|(_, work)| *work).collect();
    ends.dedup();
    let polish = [0, 1, 2].map(|node| Work::Polish { node });
    let taught = [Work::Choice, Work::Teachers, Work::MadeUpRows, Work::Student, Work::Choice];
    let end = polish.len() + taught.len();
    assert_eq!(ends[..end], [&polish[..], &taught].concat(), "{phases:?}");
    assert!(ends.len() > end, "the chosen tree is made again on all samples: {phases:?}");
    assert!(gap >= 3 * 2 * 10, "soft and hard loss of every epoch, {gap}");
}

#[test]
fn a_hundred_thousand_rows_are_trained_on() {
    let target = |x: &[f32]| f64::from(x[0] + 2.0 * x[1] * x[2]) + f64::from(u8::from(x[3] > x[4]));
    let [many, few] = [(100_000, 1), (1000, 2)].map(|(n, seed)| design(10, n, seed, target));
    for key in ["get", "get-linear"] {
        // The defaults, except for the number of passes and starts.
        let tree = train(config(key, &[("epochs", 1.0), ("starts", 2.0)]), &many, &few);
        check_numbers(&tree, &many, key);
        assert!(r2(&tree, &few) > 0.9, "{key} {}", r2(&tree, &few));
        // Stopped in the middle of its work, as by a time budget.
        let mut training = begin(config(key, &[]), &many, &few);
        for step in 1..=600 {
            assert!(training.step().stop.is_none());
            if step % 200 == 0 {
                check_numbers(&training.best(), &few, key);
            }
        }
    }
}
