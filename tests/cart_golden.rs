//! CART compared with the trees that scikit-learn grew on four data sets.
//!
//! Most of those trees depend on the random order in which scikit-learn visits features, so each is followed
//! node by node. Our search gets the samples that the *stored* splits send to a node. It must return the
//! stored split or one that the file lists as equally good. A tree without ties must be reproduced whole, and
//! every tree must reach the stored training score.

use std::collections::BTreeMap;
use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::cart::{CartTraining, ClassWeight, Config, Criterion};
use espalier::learn::greedy::exact::Splitter;
use espalier::learn::{self, StopReason, Training};
use espalier::tree::{Node, Split, Tree, round_down};
use nalgebra::DMatrix;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

/// A stored tree: nodes in pre-order, child −1 at a leaf.
#[derive(Deserialize)]
struct Case {
    data: String,
    criterion: String,
    params: Params,
    tie_free_over_12_seeds: bool,
    train_score_over_seeds: Vec<f64>,
    node_count: usize,
    leaves: usize,
    depth: usize,
    tied_alternatives: BTreeMap<usize, Vec<(usize, f64)>>,
    #[serde(default)]
    pure_nodes_split_by_rounding: Vec<usize>,
    children_left: Vec<i64>,
    children_right: Vec<i64>,
    feature: Vec<i64>,
    threshold: Vec<f64>,
    impurity: Vec<f64>,
    n_node_samples: Vec<usize>,
    value: Vec<Answer>,
    leaf_of_row: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    max_depth: Option<u32>,
    min_samples_split: Option<u32>,
    min_samples_leaf: Option<u32>,
    min_impurity_decrease: Option<f64>,
    ccp_alpha: Option<f64>,
    class_weight: Option<String>,
}

/// Class shares, or a mean.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Shares(Vec<f64>),
    Mean(f64),
}

impl Answer {
    fn values(&self) -> &[f64] {
        match self {
            Answer::Shares(shares) => shares,
            Answer::Mean(mean) => std::slice::from_ref(mean),
        }
    }
}

fn cases(file: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(format!("tests/golden/{file}")).unwrap();
    serde_json::from_str::<File>(&text).unwrap().cases
}

/// A table with the target last. Classes are whole numbers from 0, except in diabetes, which is a regression.
fn design(name: &str) -> Arc<Design> {
    let text = std::fs::read_to_string(format!("tests/golden/data/{name}.csv")).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let features = rows[0].len() - 1;
    let target: Vec<f64> = rows.iter().map(|row| row[features]).collect();
    let y = if name == "diabetes" {
        Labels::Values(target)
    } else {
        let label: Vec<u32> = target.iter().map(|&class| class as u32).collect();
        let classes = *label.iter().max().unwrap() as usize + 1;
        Labels::Classes { label, classes }
    };
    Arc::new(Design {
        x: DMatrix::from_fn(features, rows.len(), |feature, row| rows[row][feature] as f32),
        y,
    })
}

impl Case {
    fn name(&self) -> String {
        format!("{} {} {} nodes", self.data, self.criterion, self.node_count)
    }

    fn config(&self) -> Config {
        let params = &self.params;
        Config {
            // No stored tree comes near a depth of 32, so 32 means no limit.
            depth: params.max_depth.unwrap_or(32),
            criterion: match self.criterion.as_str() {
                "gini" => Criterion::Gini,
                "entropy" => Criterion::Entropy,
                "squared_error" => Criterion::SquaredError,
                other => panic!("unknown criterion {other}"),
            },
            min_samples_split: params.min_samples_split.unwrap_or(2),
            min_samples_leaf: params.min_samples_leaf.unwrap_or(1),
            min_impurity_decrease: params.min_impurity_decrease.unwrap_or(0.0),
            ccp_alpha: params.ccp_alpha.unwrap_or(0.0),
            class_weight: match params.class_weight.as_deref() {
                None => ClassWeight::None,
                Some("balanced") => ClassWeight::Balanced,
                Some(other) => panic!("unknown class weight {other}"),
            },
            ..Config::default()
        }
    }

    /// The stored split and those equally good, as (feature, threshold in f32).
    fn accepted(&self, node: usize) -> Vec<(usize, f32)> {
        let stored = (self.feature[node] as usize, self.threshold[node]);
        let tied = self.tied_alternatives.get(&node).into_iter().flatten().copied();
        std::iter::once(stored)
            .chain(tied)
            .map(|(feature, threshold)| (feature, round_down(threshold)))
            .collect()
    }

    fn children(&self, node: usize) -> Option<[usize; 2]> {
        let children = [self.children_left[node], self.children_right[node]];
        (children[0] >= 0).then(|| children.map(|child| child as usize))
    }
}

/// Within the file's tolerance for impurities; its values have 14 decimals.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs() + 1e-13
}

/// Follows the stored tree; returns how many splits were compared.
fn follow(
    case: &Case,
    splitter: &Splitter,
    design: &Design,
    node: usize,
    depth: u32,
    samples: &[u32],
) -> usize {
    let at = format!("{}, node {node}", case.name());
    let summary = splitter.summary(samples);
    assert_eq!(summary.rows, case.n_node_samples[node], "{at}");
    // Class weights may leave a rounding residue in a pure node; ours is exactly 0.
    assert!(
        near(summary.impurity, case.impurity[node]) || summary.impurity == 0.0 && case.impurity[node] < 1e-14,
        "{at}: impurity {} instead of {}",
        summary.impurity,
        case.impurity[node]
    );
    let stored = case.value[node].values();
    assert_eq!(summary.answer.len(), stored.len(), "{at}");
    for (ours, stored) in summary.answer.iter().zip(stored) {
        assert!(near(*ours, *stored), "{at}: answer {ours} instead of {stored}");
    }

    let features: Vec<usize> = (0..design.features()).collect();
    let ours = splitter.split(&mut samples.to_vec(), depth, &summary, &features);
    if case.pure_nodes_split_by_rounding.contains(&node) {
        assert_eq!(ours, None, "{at}: a pure node must not be split");
        return 0;
    }
    let Some(children) = case.children(node) else {
        // A leaf of a pruned tree may have been a split before the pruning.
        assert!(ours.is_none() || case.params.ccp_alpha.is_some(), "{at}: must be a leaf, but is {ours:?}");
        return 0;
    };
    let best = ours.unwrap_or_else(|| panic!("{at}: must be split")).cut;
    let found = (best.feature, round_down(best.threshold));
    assert!(case.accepted(node).contains(&found), "{at}: {found:?} is none of {:?}", case.accepted(node));

    let (feature, threshold) = (case.feature[node] as usize, case.threshold[node]);
    let (left, right): (Vec<u32>, Vec<u32>) =
        samples.iter().partition(|&&sample| f64::from(design.row(sample as usize)[feature]) <= threshold);
    1 + follow(case, splitter, design, children[0], depth + 1, &left)
        + follow(case, splitter, design, children[1], depth + 1, &right)
}

/// Checks that both trees are equal node by node. Returns the stored number of each of our leaves.
fn same_tree(case: &Case, tree: &Tree) -> BTreeMap<usize, usize> {
    let mut stored_leaf = BTreeMap::new();
    let mut pairs = vec![(0, 0)];
    while let Some((ours, stored)) = pairs.pop() {
        let at = format!("{}, node {stored}", case.name());
        match (&tree.nodes()[ours], case.children(stored)) {
            (Node::Split { split, left, right, .. }, Some(children)) => {
                let feature = case.feature[stored] as usize;
                let expected = Split::Numerical { feature, threshold: round_down(case.threshold[stored]) };
                assert_eq!(*split, expected, "{at}");
                pairs.extend([(*left, children[0]), (*right, children[1])]);
            }
            (Node::Leaf(leaf), None) => {
                for (ours, stored) in leaf.output(&[]).iter().zip(case.value[stored].values()) {
                    // A leaf's output is stored in f32.
                    assert!(
                        (ours - stored).abs() <= f64::from(f32::EPSILON) * stored.abs(),
                        "{at}: {ours} {stored}"
                    );
                }
                stored_leaf.insert(ours, stored);
            }
            (ours, _) => panic!("{at}: {ours:?} has another shape"),
        }
    }
    stored_leaf
}

/// Accuracy, or R² for regression, on the training samples.
fn score(tree: &Tree, design: &Design) -> f64 {
    let outputs: Vec<Vec<f64>> = design.rows().map(|row| tree.output(tree.leaf_of(row), row)).collect();
    match &design.y {
        Labels::Classes { label, .. } => {
            let first_of_greatest =
                |shares: &[f64]| (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
            let right =
                outputs.iter().zip(label).filter(|(o, y)| first_of_greatest(o) == Some(**y as usize)).count();
            right as f64 / label.len() as f64
        }
        Labels::Values(values) => {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let error: f64 = outputs.iter().zip(values).map(|(o, y)| (y - o[0]) * (y - o[0])).sum();
            let spread: f64 = values.iter().map(|y| (y - mean) * (y - mean)).sum();
            1.0 - error / spread
        }
    }
}

fn check(file: &str, expected_cases: usize) {
    let cases = cases(file);
    assert_eq!(cases.len(), expected_cases);
    for case in &cases {
        let (design, name) = (design(&case.data), case.name());
        let config = case.config();
        learn::Config::Cart(config.clone()).check(&design).unwrap();

        let splitter = Splitter::new(config.rules(), design.clone());
        let all: Vec<u32> = (0..design.samples() as u32).collect();
        let compared = follow(case, &splitter, &design, 0, 0, &all);
        let below_pure = 2 * case.pure_nodes_split_by_rounding.len();
        assert_eq!(2 * compared + 1, case.node_count - below_pure, "{name}: all splits were compared");

        let mut growth = CartTraining::new(&config, design.clone());
        while growth.progress().stop.is_none() {
            growth.step();
        }
        assert_eq!(growth.progress().stop, Some(StopReason::Grown));
        assert_eq!(growth.progress().share, 1.0);
        let tree = growth.best();
        assert_eq!(case.train_score_over_seeds.len(), 1, "{name}: all orders of the features score the same");
        let (ours, stored) = (score(&tree, &design), case.train_score_over_seeds[0]);
        // Stored with ten decimals.
        assert!((ours - stored).abs() < 6e-11, "{name}: score {ours} instead of {stored}");

        if case.tie_free_over_12_seeds {
            let stored_leaf = same_tree(case, &tree);
            assert_eq!(
                (tree.size(), tree.leaves(), tree.depth()),
                (case.node_count, case.leaves, case.depth),
                "{name}"
            );
            let leaf_of_row: Vec<usize> = design.rows().map(|row| stored_leaf[&tree.leaf_of(row)]).collect();
            assert_eq!(leaf_of_row, case.leaf_of_row, "{name}");
        }
    }
}

#[test]
fn iris_wine_and_diabetes_grow_as_in_scikit_learn() {
    check("cart_small.json", 32);
}

#[test]
fn breast_cancer_grows_as_in_scikit_learn() {
    check("cart_breast_cancer.json", 13);
}
