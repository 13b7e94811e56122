//! GradTree with absolute and quantile loss, from settings to leaves.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::{Config, Recipe, Settings, Value};
use espalier::numeric::pinball::Pinball;
use espalier::numeric::random::Random;
use espalier::tree::Tree;
use nalgebra::DMatrix;

/// A step in the first feature, a spread that depends on the second, and strongly skewed noise.
fn skewed(seed: u64, samples: usize) -> Arc<Design> {
    let mut random = Random::new(seed);
    let x = DMatrix::from_fn(3, samples, |_, _| random.normal() as f32);
    let noise = |random: &mut Random| -libm::log(1.0 - random.uniform());
    let y = (0..samples).map(|i| {
        let spread = if x[(1, i)] > 0.0 { 4.0 } else { 0.5 };
        (if x[(0, i)] > 0.2 { 10.0 } else { 0.0 }) + spread * noise(&mut random)
    });
    let y = Labels::Values(y.collect());
    Arc::new(Design { x, y })
}

fn values(design: &Design) -> &[f64] {
    let Labels::Values(values) = &design.y else { unreachable!("they are numbers") };
    values
}

fn trained(settings: &[(&str, &str)], train: &Arc<Design>, valid: &Arc<Design>) -> Tree {
    let mut config = Config::new("gradtree").unwrap();
    for (key, value) in [("depth", "4"), ("restarts", "3"), ("epochs", "60")].iter().chain(settings) {
        config.set(key, &Value::parse(value)).unwrap();
    }
    let mut training = config.check(train).unwrap().start(train.clone(), valid.clone(), 1);
    while training.step().stop.is_none() {}
    training.best()
}

fn answers(tree: &Tree, design: &Design) -> Vec<f64> {
    design.rows().map(|row| tree.output(tree.leaf_of(row), row)[0]).collect()
}

fn loss(pinball: Pinball, tree: &Tree, design: &Design) -> f64 {
    let losses = values(design).iter().zip(answers(tree, design)).map(|(&y, answer)| pinball.loss(y, answer));
    losses.sum::<f64>() / design.samples() as f64
}

const STARTS: [&str; 2] = ["both", "random"];

#[test]
fn leaves_answer_with_the_quantile_of_all_their_samples() {
    let (train, valid) = (skewed(1, 400), skewed(2, 120));
    for start in STARTS {
        for (settings, pinball) in [
            (vec![("loss", "absolute")], Pinball::ABSOLUTE),
            (vec![("loss", "quantile"), ("quantile", "0.9")], Pinball::of(0.9)),
        ] {
            let tree = trained(
                &[settings.as_slice(), &[("start", start), ("teach", "off")]].concat(),
                &train,
                &valid,
            );
            assert!(tree.leaves() > 2, "{start} {pinball:?}: {} leaves", tree.leaves());
            let mut reached = vec![vec![]; tree.size()];
            for design in [&train, &valid] {
                for (row, &y) in design.rows().zip(values(design)) {
                    reached[tree.leaf_of(row)].push(y);
                }
            }
            for (leaf, reached) in reached.into_iter().enumerate().filter(|(_, reached)| !reached.is_empty())
            {
                let (found, best) = (tree.output(leaf, &[])[0], pinball.answer_to(reached));
                // Targets are f32 in units of a standard deviation near 5.
                assert!((found - best).abs() < 1e-5, "{start} {pinball:?}: {found} and {best}");
            }
        }
    }
}

#[test]
fn each_loss_is_least_where_it_was_asked_for() {
    let (train, valid, test) = (skewed(3, 600), skewed(4, 200), skewed(5, 4000));
    for start in STARTS {
        let tree = |settings: &[(&str, &str)]| {
            trained(&[settings, &[("start", start), ("teach", "off")]].concat(), &train, &valid)
        };
        let squared = tree(&[]);
        let absolute = tree(&[("loss", "absolute")]);
        let high = tree(&[("loss", "quantile"), ("quantile", "0.9")]);
        let by = |pinball| [&squared, &absolute, &high].map(|tree| loss(pinball, tree, &test));
        let [of_squared, of_absolute, _] = by(Pinball::ABSOLUTE);
        assert!(of_absolute < 0.97 * of_squared, "{start}: {of_absolute} and {of_squared}");
        let [of_squared, of_absolute, of_high] = by(Pinball::of(0.9));
        assert!(
            of_high < 0.8 * of_squared.min(of_absolute),
            "{start}: {of_high}, {of_squared}, {of_absolute}"
        );
        let below =
            values(&test).iter().zip(answers(&high, &test)).filter(|(y, answer)| *y <= answer).count();
        // 4000 samples have a standard error of 0.005; a tree fitted to 800 samples is off by a few times
        // that.
        assert!((below as f64 / 4000.0 - 0.9).abs() < 0.04, "{start}: {below} of 4000 lie below");
        assert_eq!(tree(&[("loss", "squared")]), squared, "the squared error is what it was");
    }
}

#[test]
fn losses_that_do_not_fit_are_refused() {
    let numbers = skewed(1, 20);
    let classes =
        Design { x: numbers.x.clone(), y: Labels::Classes { label: [0, 1].repeat(10), classes: 2 } };
    let message = |settings: &[(&str, &str)], design: &Design| {
        let mut config = Config::new("gradtree").unwrap();
        settings.iter().for_each(|(key, value)| config.set(key, &Value::parse(value)).unwrap());
        config.check(design).unwrap_err().message
    };
    for loss in ["squared", "absolute", "quantile"] {
        assert!(message(&[("loss", loss)], &classes).contains("is for numbers"), "{loss}");
    }
    assert!(message(&[("quantile", "0.9")], &numbers).contains("0.9 has no use"));
}

#[test]
fn the_published_settings_keep_a_loss_of_numbers() {
    let (train, valid) = (skewed(6, 300), skewed(7, 100));
    let tree = |loss: Option<&str>| {
        let mut settings = Settings::new("gradtree").unwrap().with_recipe(Recipe::Published);
        for (key, value) in [("restarts", "1"), ("epochs", "150"), ("depth", "3")]
            .into_iter()
            .chain(loss.map(|l| ("loss", l)))
        {
            settings.set(key, &Value::parse(value)).unwrap();
        }
        let config = settings.resolve(&train.y);
        let loss = config.params().into_iter().find(|param| param.key == "loss").unwrap().value.to_string();
        let mut training = config.check(&train).unwrap().start(train.clone(), valid.clone(), 1);
        while training.step().stop.is_none() {}
        (loss, training.best())
    };
    let (absolute, squared, unsaid) = (tree(Some("absolute")), tree(Some("squared")), tree(None));
    assert_ne!(absolute.1, squared.1);
    assert_eq!(
        (absolute.0.as_str(), unsaid.0.as_str()),
        ("absolute", "squared"),
        "what runs is what is recorded"
    );
    assert_eq!(unsaid.1, squared.1);
}
