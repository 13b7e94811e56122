//! GradTree's training loop as its caller sees it.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::{Config, Progress, StopReason, Training, Value};
use espalier::numeric::random::Random;
use espalier::tree::{Leaf, Node, PostTransform, Tree};
use nalgebra::DMatrix;

/// Samples whose label depends on the first two of four features.
fn design(samples: usize, labels: impl Fn(&[f32]) -> f64, classes: Option<usize>) -> Arc<Design> {
    let mut random = Random::new(samples as u64);
    let x = DMatrix::from_fn(4, samples, |_, _| random.normal() as f32);
    let values: Vec<f64> = (0..samples).map(|i| labels(&x.as_slice()[4 * i..4 * i + 4])).collect();
    let y = match classes {
        Some(classes) => {
            Labels::Classes { label: values.iter().map(|&value| value as u32).collect(), classes }
        }
        None => Labels::Values(values),
    };
    Arc::new(Design { x, y })
}

fn quadrant(x: &[f32]) -> f64 {
    f64::from(u8::from(x[0] > 0.3)) + f64::from(u8::from(x[1] > -0.2))
}

fn config(settings: &[(&str, &str)]) -> Config {
    let mut config = Config::new("gradtree").unwrap();
    let published =
        [("start", "random"), ("teach", "off"), ("refit", "false"), ("depth", "3"), ("restarts", "2")];
    for (key, value) in published.iter().chain(&[("epochs", "40"), ("patience", "15")]).chain(settings) {
        config.set(key, &Value::parse(value)).unwrap();
    }
    config
}

fn start(
    settings: &[(&str, &str)],
    train: &Arc<Design>,
    valid: &Arc<Design>,
    seed: u64,
) -> Box<dyn Training> {
    config(settings).check(train).unwrap().start(train.clone(), valid.clone(), seed)
}

/// Runs to the end and returns all progress.
fn finish(training: &mut dyn Training) -> Vec<Progress> {
    let mut seen = vec![];
    loop {
        seen.push(training.step());
        assert_eq!(training.progress(), *seen.last().unwrap());
        if seen.last().unwrap().stop.is_some() {
            return seen;
        }
    }
}

fn bits(tree: &Tree) -> String {
    // The shortest text that reads back as the same f32 differs for different bits.
    format!("{tree:?}")
}

#[test]
fn a_seed_is_a_tree() {
    let (train, valid) = (design(150, quadrant, Some(3)), design(50, quadrant, Some(3)));
    let tree = |seed| {
        let mut training = start(&[], &train, &valid, seed);
        let seen = finish(training.as_mut());
        (bits(&training.best()), seen.last().unwrap().best_loss.unwrap().to_bits())
    };
    assert_eq!(tree(4), tree(4));
    assert_ne!(tree(4), tree(5));
}

#[test]
fn progress_counts_and_never_goes_back() {
    let (train, valid) = (design(101, quadrant, Some(3)), design(30, quadrant, Some(3)));
    let mut training = start(&[("batch", "16"), ("restarts", "3")], &train, &valid, 1);
    let seen = finish(training.as_mut());
    let last = *seen.last().unwrap();
    let mut least = f64::INFINITY;
    for (at, pair) in seen.windows(2).enumerate() {
        let (before, now) = (pair[0], pair[1]);
        assert_eq!(now.step, at as u64 + 2);
        assert!(now.share >= before.share && now.share <= 1.0);
        assert!(now.restart == before.restart || (now.restart == before.restart + 1 && now.epoch == 0));
        // 101 samples in batches of 16 are seven steps, the last one short.
        if now.restart == before.restart && now.epoch_ended {
            assert_eq!(now.epoch, before.epoch + 1);
        }
        if now.epoch_ended {
            least = least.min(now.valid_loss.unwrap());
            assert!(now.train_loss.unwrap().is_finite());
        }
    }
    assert_eq!(seen.iter().filter(|p| p.restart == 0 && p.epoch == 0).count(), 6);
    assert_eq!((last.restart, last.restarts, last.share), (2, 3, 1.0));
    assert_eq!(last.best_loss, Some(least));
    let best = seen.iter().find(|p| p.epoch_ended && p.valid_loss == Some(least)).unwrap();
    assert_eq!((last.best_epoch, last.best_restart), (best.epoch, best.restart));
    // A step after the end does nothing.
    assert_eq!(training.step(), last);
}

#[test]
fn the_best_tree_has_the_best_loss() {
    // Without validation samples the training loss is monitored, and pruning does not change the prediction
    // for any training sample.
    let (train, none) = (design(200, quadrant, Some(3)), design(0, quadrant, Some(3)));
    let mut training = start(&[], &train, &none, 3);
    let best_loss = finish(training.as_mut()).last().unwrap().best_loss.unwrap();
    let Labels::Classes { label, .. } = &train.y else { panic!("classes") };
    let (tree, transform) = (training.best(), training.post_transform());
    assert_eq!(transform, PostTransform::Softmax);
    let losses = train
        .rows()
        .zip(label)
        .map(|(row, &class)| -transform.apply(&tree.output(tree.leaf_of(row), row))[class as usize].ln());
    let loss = losses.sum::<f64>() / label.len() as f64;
    // Each sample's loss was computed in f32.
    assert!((loss - best_loss).abs() < 1e-6, "{loss} {best_loss}");
}

#[test]
fn patience_and_the_epoch_limit_end_a_run() {
    let (train, valid) = (design(60, quadrant, Some(3)), design(30, quadrant, Some(3)));
    let mut training = start(&[("epochs", "5"), ("restarts", "1")], &train, &valid, 0);
    let seen = finish(training.as_mut());
    assert_eq!(seen.last().unwrap().stop, Some(StopReason::EpochLimit));
    assert_eq!(seen.last().unwrap().epoch, 5);

    // Without any movement the first epoch stays the best.
    let still =
        [("lr_index", "0"), ("lr_values", "0"), ("lr_leaf", "0"), ("patience", "7"), ("restarts", "1")];
    let mut training = start(&still, &train, &valid, 0);
    let last = *finish(training.as_mut()).last().unwrap();
    assert_eq!((last.stop, last.epoch, last.best_epoch), (Some(StopReason::NoImprovement), 8, 1));
}

#[test]
fn two_classes_have_one_logit() {
    let label = |x: &[f32]| f64::from(u8::from(x[0] > 0.0));
    let (train, valid) = (design(120, label, Some(2)), design(40, label, Some(2)));
    for settings in [
        &[("loss", "focal")][..],
        &[("class_weight", "balanced"), ("split", "softsign")],
        &[("init", "normal")],
    ] {
        let mut training = start(settings, &train, &valid, 0);
        finish(training.as_mut());
        assert_eq!(training.post_transform(), PostTransform::Logistic);
        let tree = training.best();
        let leaves = tree.nodes().iter().filter(|node| matches!(node, Node::Leaf(_)));
        assert!(
            leaves.clone().all(|node| matches!(node, Node::Leaf(Leaf::Scores(scores)) if scores.len() == 1))
        );
        let right = train
            .rows()
            .filter(|row| (tree.output(tree.leaf_of(row), row)[0] > 0.0) == (row[0] > 0.0))
            .count();
        assert!(right >= 110, "{settings:?}: {right} of 120");
    }
}

#[test]
fn numbers_come_back_in_their_own_units() {
    let value = |x: &[f32]| if x[0] > 0.0 { 1e6 } else { 1e6 + 500.0 };
    let (train, valid) = (design(120, value, None), design(40, value, None));
    let mut training = start(
        &[("depth", "1"), ("epochs", "300"), ("patience", "100"), ("restarts", "8")],
        &train,
        &valid,
        0,
    );
    finish(training.as_mut());
    assert_eq!(training.post_transform(), PostTransform::None);
    let tree = training.best();
    assert_eq!(tree.leaves(), 2);
    let near =
        train.rows().filter(|row| (tree.output(tree.leaf_of(row), row)[0] - value(row)).abs() < 25.0).count();
    assert!(near > 110, "{near} of 120");
}

#[test]
fn a_constant_target_and_no_validation_are_no_trouble() {
    let constant = |_: &[f32]| 42.0;
    let train = design(30, constant, None);
    let none = design(0, constant, None);
    let mut training = start(&[("epochs", "400"), ("patience", "200")], &train, &none, 0);
    let last = *finish(training.as_mut()).last().unwrap();
    assert_eq!(last.valid_loss, None);
    assert!(last.best_loss.unwrap() < 1e-3, "{last:?}");
    let tree = training.best();
    for row in train.rows() {
        assert!((tree.output(tree.leaf_of(row), row)[0] - 42.0).abs() < 0.1);
    }
}

#[test]
fn one_sample_is_enough_to_run() {
    let (train, none) = (design(1, quadrant, Some(3)), design(0, quadrant, Some(3)));
    let mut training = start(&[], &train, &none, 0);
    assert!(training.best().size() >= 1);
    finish(training.as_mut());
    // Only one path is reached, so only its leaf is left.
    assert_eq!(training.best().size(), 1);
    assert_eq!(training.current().size(), 1);
}

#[test]
fn bad_settings_and_bad_data_are_refused_in_words() {
    let train = design(20, quadrant, Some(3));
    let check = |settings: &[(&str, &str)], design: &Design, words: &str| {
        let error = config(settings).check(design).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let wide = Design { x: DMatrix::zeros(600, 20), y: train.y.clone() };
    check(&[("depth", "12")], &wide, "depth 12 over 600 encoded columns");
    check(&[], &design(0, quadrant, Some(3)), "no training row");
    check(&[], &Design { x: DMatrix::zeros(0, 20), y: train.y.clone() }, "no column");
    let mut holes = (*train).clone();
    holes.x[(2, 7)] = f32::NAN;
    check(&[], &holes, "row 8 has no number in encoded column 3");
    let one = Labels::Classes { label: vec![0; 20], classes: 1 };
    check(&[], &Design { x: train.x.clone(), y: one }, "fewer than two classes");
    let endless = Labels::Values(vec![f64::INFINITY; 20]);
    check(&[], &Design { x: train.x.clone(), y: endless }, "not numbers");

    let mut config = config(&[]);
    for (key, value, words) in [
        ("depth", "13", "from 1 to 12"),
        ("depth", "2.5", "whole number"),
        ("split", "step", "\"sigmoid\" and \"softsign\""),
        ("tie_init", "1", "true or false"),
        ("lr", "1", "lr_index"),
    ] {
        let error = config.set(key, &Value::parse(value)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
