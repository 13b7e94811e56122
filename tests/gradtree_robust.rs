//! GradTree on difficult data: it trains or says why not, and no prediction is ever NaN.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::{Brought, Config, Found, Moments, Progress, Training, Value};
use espalier::numeric::random::Random;
use espalier::tree::Tree;
use nalgebra::DMatrix;

fn classes(label: Vec<u32>, classes: usize) -> Labels {
    Labels::Classes { label, classes }
}

fn design(features: usize, samples: usize, x: impl FnMut(usize, usize) -> f32, y: Labels) -> Arc<Design> {
    Arc::new(Design { x: DMatrix::from_fn(features, samples, x), y })
}

fn train(settings: &[(&str, &str)], train: &Arc<Design>, valid: &Arc<Design>) -> (Tree, Progress) {
    let mut config = Config::new("gradtree").unwrap();
    for (key, value) in [("restarts", "2"), ("epochs", "20")].iter().chain(settings) {
        config.set(key, &Value::parse(value)).unwrap();
    }
    let mut training: Box<dyn Training> = config.check(train).unwrap().start(train.clone(), valid.clone(), 1);
    let mut last = 0.0;
    loop {
        let progress = training.step();
        assert!(progress.share >= last && progress.share <= 1.0);
        last = progress.share;
        let losses = [progress.train_loss, progress.valid_loss, progress.best_loss];
        assert!(losses.iter().flatten().all(|loss| loss.is_finite()), "{progress:?}");
        if progress.stop.is_some() {
            let tree = training.best();
            for row in train.rows().chain(valid.rows()) {
                assert!(tree.output(tree.leaf_of(row), row).iter().all(|output| output.is_finite()));
            }
            return (tree, progress);
        }
    }
}

/// Classes that follow from the first feature where it varies.
fn halves(samples: usize) -> Labels {
    classes((0..samples as u32).map(|i| i % 2).collect(), 2)
}

/// How many rows a tree with one logit labels correctly.
fn right(tree: &Tree, design: &Design) -> usize {
    let Labels::Classes { label, .. } = &design.y else { panic!("classes") };
    let says = |row: &[f32]| u32::from(tree.output(tree.leaf_of(row), row)[0] > 0.0);
    design.rows().zip(label).filter(|(row, class)| says(row) == **class).count()
}

#[test]
fn constant_features_and_duplicated_rows() {
    let constant = design(3, 40, |_, _| 1.0, halves(40));
    let (tree, _) = train(&[], &constant, &constant);
    assert_eq!(tree.size(), 1);
    let twice = design(2, 40, |j, i| if j == 0 { (i % 2) as f32 } else { 0.5 }, halves(40));
    let (tree, _) = train(&[], &twice, &twice);
    assert_eq!((tree.size(), right(&tree, &twice)), (3, 40));
}

#[test]
fn one_feature_and_five_hundred() {
    let one = design(1, 60, |_, i| (i % 2) as f32 + (i as f32) / 1000.0, halves(60));
    let (tree, _) = train(&[], &one, &one);
    assert_eq!(right(&tree, &one), 60);
    let mut random = Random::new(3);
    let noise = |j: usize, i: usize| if j == 499 { (i % 2) as f32 } else { random.normal() as f32 };
    let many = design(500, 200, noise, halves(200));
    let (tree, _) = train(&[], &many, &many);
    assert_eq!((tree.size(), right(&tree, &many)), (3, 200));
}

#[test]
fn fifty_classes_and_classes_of_one_row() {
    let fifty = design(1, 500, |_, i| (i % 50) as f32, classes((0..500).map(|i| i % 50).collect(), 50));
    let (tree, _) = train(&[], &fifty, &fifty);
    assert!(tree.leaves() >= 40, "{}", tree.leaves());
    let single = classes((0..60).map(|i| if i < 57 { i % 2 } else { i - 55 }).collect(), 5);
    let single = design(2, 60, |j, i| (i * (j + 3) % 17) as f32, single);
    let (_, progress) = train(&[], &single, &single);
    assert!(progress.stop.is_some());
}

#[test]
fn a_hundred_thousand_rows_and_twenty() {
    let mut random = Random::new(5);
    let many = design(
        4,
        100_000,
        |j, i| if j == 0 { (i % 2) as f32 } else { random.uniform() as f32 },
        halves(100_000),
    );
    let few = design(4, 1000, |j, i| if j == 0 { (i % 2) as f32 } else { 0.5 }, halves(1000));
    let (tree, _) = train(&[("teacher", "2"), ("restarts", "1")], &many, &few);
    assert_eq!(right(&tree, &few), 1000);
    let twenty = design(3, 16, |j, i| ((i * 7 + j) % 5) as f32, halves(16));
    let rest = design(3, 4, |j, i| (i + j) as f32, halves(4));
    let none = design(3, 0, |_, _| 0.0, halves(0));
    train(&[], &twenty, &rest);
    train(&[], &twenty, &none);
}

#[test]
fn extreme_values() {
    let extreme = |j: usize, i: usize| match (j, i % 4) {
        (0, k) => [1e30, -1e30, 3e38, -3e38][k],
        _ => i as f32 * 1e-30,
    };
    let rows = design(2, 80, extreme, halves(80));
    for settings in [&[][..], &[("start", "random"), ("teach", "off"), ("refit", "false")]] {
        train(settings, &rows, &rows);
    }
    let large: Vec<f64> = (0..80).map(|i| if i % 2 == 0 { 1e30 } else { -1e30 }).collect();
    let rows = design(2, 80, |j, i| if j == 0 { (i % 2) as f32 } else { 0.0 }, Labels::Values(large.clone()));
    let (tree, _) = train(&[], &rows, &rows);
    for (row, value) in rows.rows().zip(large) {
        assert!((tree.output(tree.leaf_of(row), row)[0] / value - 1.0).abs() < 1e-3);
    }
}

#[test]
fn a_run_that_diverges_stops_and_keeps_what_it_had() {
    let rows =
        design(2, 80, |j, i| if j == 0 { (i % 2) as f32 } else { i as f32 }, Labels::Values(vec![1e3; 80]));
    let fast = [("lr_leaf", "10"), ("lr_values", "10"), ("lr_index", "10"), ("refine_rate", "10")];
    train(&fast, &rows, &rows);
    train(&[fast.as_slice(), &[("start", "random"), ("teach", "off")]].concat(), &rows, &rows);
}

#[test]
fn units_on_threads_give_the_same_tree_as_one_after_another() {
    let mut random = Random::new(9);
    let x: Vec<f32> = (0..4 * 150).map(|_| random.normal() as f32).collect();
    let label = (0..150).map(|i| u32::from(x[4 * i] > 0.0) + u32::from(x[4 * i + 1] > 0.3)).collect();
    let rows = design(4, 150, |j, i| x[4 * i + j], classes(label, 3));
    let mut config = Config::new("gradtree").unwrap();
    for (key, value) in [("restarts", 4.0), ("epochs", 30.0)] {
        config.set(key, &Value::Number(value)).unwrap();
    }
    let start = || config.clone().check(&rows).unwrap().start(rows.clone(), rows.clone(), 2);
    let finish = |mut training: Box<dyn Training>| {
        while training.step().stop.is_none() {}
        (training.best(), training.progress().step)
    };
    let alone = finish(start());
    let mut together = start();
    let plan = together.plan().unwrap();
    let lent: Vec<u32> = std::iter::from_fn(|| together.lend()).collect();
    assert_eq!(lent, [1, 2, 3]);
    let found: Vec<_> = std::thread::scope(|scope| {
        let unit = |index| {
            let mut unit = plan.unit(index);
            let mut steps = 1;
            while unit.step().stop.is_none() {
                steps += 1;
            }
            // Through the encoding in which results travel between workers.
            let found = Found { steps, outcome: unit.outcome() };
            let bytes = Brought { found, moments: Moments::default() }.to_bytes();
            (index, Brought::from_bytes(&bytes).unwrap().found)
        };
        let threads: Vec<_> = lent.iter().rev().map(|&index| scope.spawn(move || unit(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (index, found) in found {
        together.take(index, Some(found));
    }
    assert_eq!(finish(together), alone);
}

#[test]
fn choices_belong_to_the_present_tree() {
    let rows = design(3, 120, |j, i| ((i * (2 * j + 3)) % 23) as f32, halves(120));
    let mut config = Config::new("gradtree").unwrap();
    config.set("start", &Value::Choice("random".into())).unwrap();
    config.set("teach", &Value::Choice("off".into())).unwrap();
    let mut training = config.check(&rows).unwrap().start(rows.clone(), rows.clone(), 0);
    for _ in 0..30 {
        training.step();
        let tree = training.current();
        let choices = training.choices();
        assert_eq!(choices.len(), tree.size() - tree.leaves());
        for choice in choices {
            assert_eq!(tree.nodes()[choice.node].features(), [choice.leading[0].0]);
            let shares: f32 = choice.leading.iter().map(|(_, share)| share).sum();
            assert!(shares <= 1.0 + 1e-5 && choice.locked == (choice.leading.len() == 1));
            assert!(choice.leading.is_sorted_by(|a, b| a.1 >= b.1));
        }
    }
}
