//! Relaxed trees on awkward data, at both ends of the pruning strength, and where the right tree is known.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::{Columns, Config, Settings, TargetKind, Value};
use espalier::numeric::random::Random;
use espalier::tree::{Node, Split, Tree};
use nalgebra::DMatrix;

fn config(settings: &[(&str, f64)], words: &[(&str, &str)]) -> Config {
    let mut config = Settings::new("relaxed").unwrap();
    for (key, value) in settings {
        config.set(key, &Value::Number(*value)).unwrap();
    }
    for (key, word) in words {
        config.set(key, &Value::Choice((*word).into())).unwrap();
    }
    config.resolve(TargetKind::Number)
}

fn train(config: Config, train: &Arc<Design>, valid: &Arc<Design>) -> Tree {
    let mut training = config.check(train).unwrap().start(train.clone(), valid.clone(), 1);
    while training.step().stop.is_none() {}
    training.best()
}

fn values(seed: u64, rows: usize, features: usize, y: impl Fn(&[f32]) -> f64) -> Arc<Design> {
    let mut random = Random::new(seed);
    let x = DMatrix::from_fn(features, rows, |_, _| random.normal() as f32);
    let y = (0..rows).map(|i| y(x.column(i).as_slice())).collect();
    Arc::new(Design { x, y: Labels::Values(y) })
}

fn classes(design: &Design, cuts: &[f64]) -> Arc<Design> {
    let Labels::Values(values) = &design.y else { unreachable!() };
    let label = values.iter().map(|&y| cuts.iter().filter(|&&cut| y > cut).count() as u32).collect();
    Arc::new(Design { x: design.x.clone(), y: Labels::Classes { label, classes: cuts.len() + 1 } })
}

fn none_of(design: &Design) -> Arc<Design> {
    Arc::new(Design { x: DMatrix::zeros(design.features(), 0), y: design.y.select(&[]) })
}

/// Mean squared error, or the share of wrong classes; no prediction may be NaN.
fn error(tree: &Tree, design: &Design) -> f64 {
    let off = |i: usize| {
        let answer = tree.output(tree.leaf_of(design.row(i)), design.row(i));
        assert!(answer.iter().all(|value| value.is_finite()));
        match &design.y {
            Labels::Values(y) => (y[i] - answer[0]) * (y[i] - answer[0]),
            Labels::Classes { label, .. } => {
                let best =
                    (1..answer.len()).fold(0, |best, k| if answer[k] > answer[best] { k } else { best });
                f64::from(u8::from(best != label[i] as usize))
            }
        }
    };
    (0..design.samples()).map(off).sum::<f64>() / design.samples() as f64
}

#[test]
fn an_oblique_border_is_found() {
    let border = |x: &[f32]| f64::from(x[0] + 2.0 * x[1] - x[2]);
    let (part, valid, test) =
        (values(1, 600, 3, border), values(2, 200, 3, border), values(3, 600, 3, border));
    let [part, valid, test] = [part, valid, test].map(|design| classes(&design, &[0.3]));
    let tree = train(config(&[("depth", 3.0)], &[]), &part, &valid);
    assert!(error(&tree, &test) < 0.03, "{}", error(&tree, &test));
    for version in ["a", "b"] {
        for predictor in ["traversal", "linear", "mlp"] {
            let words = [("version", version), ("predictor", predictor)];
            let tree = train(config(&[("depth", 2.0), ("restarts", 2.0)], &words), &part, &valid);
            assert!(error(&tree, &test) < 0.1, "{version} {predictor}: {}", error(&tree, &test));
        }
    }
}

#[test]
fn the_pruning_strength_leads_from_everything_to_one_split() {
    let bumps = |x: &[f32]| f64::from(x[0].signum() + 0.5 * x[1].signum() * x[0].signum() + 0.1 * x[2]);
    let (part, valid) = (values(4, 800, 3, bumps), values(5, 300, 3, bumps));
    let size = |prune: f64| {
        train(config(&[("depth", 5.0), ("prune", prune), ("restarts", 2.0)], &[]), &part, &valid).size()
    };
    let sizes = [0.0, 0.5, 0.8, 1.0].map(size);
    assert!(sizes[0] > 20, "{sizes:?}");
    assert!(sizes.windows(2).all(|pair| pair[1] <= pair[0]), "{sizes:?}");
    assert_eq!(sizes[3], 3, "one split: {sizes:?}");
}

#[test]
fn awkward_data_gives_trees_no_worse_than_the_mean() {
    let sum = |x: &[f32]| f64::from(x[0]);
    let plain = values(6, 60, 2, sum);
    let reshaped = |f: &dyn Fn(usize, usize) -> f32, features: usize, rows: usize| {
        let Labels::Values(y) = &plain.y else { unreachable!() };
        Arc::new(Design { x: DMatrix::from_fn(features, rows, f), y: Labels::Values(y[..rows].to_vec()) })
    };
    let at = |j: usize, i: usize| plain.x[(j, i)];
    let cases: Vec<(&str, Arc<Design>)> = vec![
        ("constant columns", reshaped(&|j, i| if j == 0 { at(0, i) } else { 3.0 }, 3, 60)),
        ("all columns constant", reshaped(&|_, _| 1.0, 2, 60)),
        ("all zero", reshaped(&|_, _| 0.0, 2, 60)),
        ("collinear columns", reshaped(&|j, i| at(0, i) * (j + 1) as f32, 4, 60)),
        ("one feature", reshaped(&|_, i| at(0, i), 1, 60)),
        ("two rows", reshaped(&|j, i| at(j, i), 2, 2)),
        ("one row", reshaped(&|j, i| at(j, i), 2, 1)),
        ("few values, so ties everywhere", reshaped(&|j, i| at(j, i).signum(), 2, 60)),
        ("huge values", reshaped(&|j, i| at(j, i) * 1e18, 2, 60)),
        ("tiny values", reshaped(&|j, i| at(j, i) * 1e-18, 2, 60)),
    ];
    for (name, part) in cases {
        let spread = |design: &Design| {
            let Labels::Values(y) = &design.y else { unreachable!() };
            let mean = y.iter().sum::<f64>() / y.len() as f64;
            y.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / y.len() as f64
        };
        for version in ["a", "b"] {
            for prune in [0.0, 1e-9, 0.3, 0.999, 1.0] {
                for preset in ["quick", "paper"] {
                    let numbers = [
                        ("prune", prune),
                        ("depth", 4.0),
                        ("epochs", 12.0),
                        ("restarts", 1.0),
                        ("batch", 1000.0),
                    ];
                    let tree = train(
                        config(&numbers, &[("version", version), ("preset", preset)]),
                        &part,
                        &none_of(&part),
                    );
                    let (off, most) = (error(&tree, &part), spread(&part));
                    assert!(
                        off <= most * (1.0 + 1e-5) + 1e-12,
                        "{name} {version} {prune} {preset}: {off} and {most}"
                    );
                }
            }
        }
        if part.samples() > 2 {
            let sorted = classes(&part, &[0.0]);
            let tree = train(config(&[("epochs", 12.0), ("restarts", 1.0)], &[]), &sorted, &none_of(&sorted));
            let Labels::Classes { label, .. } = &sorted.y else { unreachable!() };
            let ones = label.iter().filter(|&&class| class == 1).count() as f64 / label.len() as f64;
            assert!(error(&tree, &sorted) <= ones.min(1.0 - ones) + 1e-12, "{name}");
        }
    }
}

#[test]
fn splits_have_as_few_columns_as_asked() {
    let sum = |x: &[f32]| f64::from(3.0 * x[0] - 2.0 * x[3] + 0.1 * x[5]);
    let (part, valid) = (values(8, 500, 6, sum), values(9, 200, 6, sum));
    for most in [1usize, 2] {
        let tree =
            train(config(&[("depth", 4.0), ("columns", most as f64), ("restarts", 2.0)], &[]), &part, &valid);
        assert!(tree.size() > 3);
        assert!(tree.nodes().iter().all(|node| node.features().len() <= most), "{most}");
        if most == 1 {
            let single = |node: &Node| {
                matches!(node, Node::Leaf(_) | Node::Split { split: Split::Numerical { .. }, .. })
            };
            assert!(tree.nodes().iter().all(single));
        }
    }
}

#[test]
fn columns_apart_are_never_summed_with_others() {
    // Columns 2 to 4 are a one-hot encoding of three words; the word decides most.
    let mut random = Random::new(11);
    let rows = 500;
    let word: Vec<usize> = (0..rows).map(|_| random.below(3)).collect();
    let numbers: Vec<[f32; 2]> =
        (0..rows).map(|_| [random.normal() as f32, random.normal() as f32]).collect();
    let x =
        DMatrix::from_fn(
            5,
            rows,
            |j, i| if j < 2 { numbers[i][j] } else { f32::from(u8::from(word[i] == j - 2)) },
        );
    let y = (0..rows).map(|i| [0.0, 3.0, 1.0][word[i]] + 0.3 * f64::from(numbers[i][0])).collect();
    let part = Arc::new(Design { x, y: Labels::Values(y) });
    let checked = config(&[("depth", 4.0), ("restarts", 2.0)], &[]).check(&part).unwrap();
    let columns = Columns { apart: vec![2, 3, 4], feature: vec![0, 1, 2, 2, 2] };
    let mut training = checked.start_with(columns, part.clone(), part.clone(), 1);
    while training.step().stop.is_none() {}
    let tree = training.best();
    let mut by_word = 0;
    for node in tree.nodes() {
        let columns = node.features();
        let words = columns.iter().filter(|&&column| column >= 2).count();
        assert!(words == 0 || words == columns.len(), "{columns:?}");
        by_word += usize::from(words > 0);
    }
    assert!(by_word > 0 && error(&tree, &part) < 0.3, "{by_word} {}", error(&tree, &part));
}

#[test]
fn the_same_seed_gives_the_same_tree_and_the_relaxed_model_answers_too() {
    let sum = |x: &[f32]| f64::from(x[0] * x[1]);
    let (part, valid) = (values(12, 300, 2, sum), values(13, 100, 2, sum));
    let settings = || config(&[("restarts", 2.0), ("epochs", 10.0)], &[]);
    assert_eq!(train(settings(), &part, &valid), train(settings(), &part, &valid));
    let mut training = settings().check(&part).unwrap().start(part.clone(), valid.clone(), 1);
    while training.step().stop.is_none() {}
    let answers = training.relaxed_answers(&valid).expect("there is a relaxed model");
    assert!(answers.len() == 100 && answers.iter().all(|answer| answer.len() == 1 && answer[0].is_finite()));
    // A prediction depends only on its row: pruning is frozen.
    let one = Design { x: DMatrix::from_fn(2, 1, |j, _| valid.x[(j, 7)]), y: Labels::Values(vec![0.0]) };
    assert_eq!(training.relaxed_answers(&one).unwrap()[0], answers[7]);
}

#[test]
fn what_cannot_be_learned_is_refused_in_words() {
    let part = values(14, 20, 2, |x| f64::from(x[0]));
    let check = |settings: &[(&str, f64)], design: &Design, words: &str| {
        let refused = config(settings, &[]).check(design).unwrap_err();
        assert!(refused.message.contains(words) && !refused.hint.is_empty(), "{refused}");
    };
    check(&[], &Design { x: DMatrix::zeros(0, 10), y: part.y.clone() }, "no column");
    check(&[], &Design { x: DMatrix::zeros(2, 0), y: Labels::Values(vec![]) }, "no training row");
    check(&[], &Design { x: DMatrix::zeros(2, 1), y: Labels::Values(vec![f64::NAN]) }, "not numbers");
    check(&[], &Design { x: DMatrix::from_element(2, 1, f32::NAN), y: Labels::Values(vec![1.0]) }, "row 1");
    check(
        &[("depth", 10.0)],
        &Design { x: DMatrix::zeros(3000, 4), y: Labels::Values(vec![0.0; 4]) },
        "numbers to learn",
    );
    assert!(Config::new("relaxed").unwrap().set("prune", &Value::Number(1.5)).is_err());
}
