//! Proof rows reach everything reachable, and detect changes.

use std::collections::BTreeSet;

use espalier::Code;
use espalier::export::{Document, MOST_DOUBTFUL, MOST_HELD, Metrics, verify};
use espalier::tree::{
    Bounds, CellReading, Decision, Feature, FeatureKind, Leaf, Model, Node, PostTransform, Split, Target,
    Tree,
};
use proptest::prelude::*;

use super::models::{Dice, document, telling_rows};

/// The document with another tree but the old proof rows.
fn with_nodes(document: &Document, nodes: Vec<Node>) -> Document {
    let mut changed = document.clone();
    changed.model.tree = Tree::new(nodes).unwrap();
    changed
}

/// Whether any row gets another prediction from the changed model.
fn differ(document: &Document, changed: &Document) -> bool {
    let mut rows = telling_rows(&document.model);
    rows.extend(telling_rows(&changed.model));
    rows.iter().any(|row| document.model.predict(row) != changed.model.predict(row))
}

proptest! {
    #[test]
    fn every_leaf_that_a_row_can_reach_has_a_proof_row(seed: u64) {
        let document = document(seed, false);
        let reachable: BTreeSet<usize> =
            telling_rows(&document.model).iter().map(|row| document.model.tree.leaf_of(row)).collect();
        let proved: BTreeSet<usize> = document.verification.iter().map(|row| row.leaf).collect();
        prop_assert_eq!(proved, reachable);
    }

    #[test]
    fn a_threshold_moved_by_one_step_is_noticed(seed: u64, up: bool) {
        let document = document(seed, false);
        for id in 0..document.model.tree.size() {
            let mut nodes = document.model.tree.nodes().to_vec();
            let Node::Split { split, .. } = &mut nodes[id] else { continue };
            let Split::Numerical { threshold, .. } = split else { continue };
            *threshold = if up { threshold.next_up() } else { threshold.next_down() };
            if threshold.is_finite() {
                let changed = with_nodes(&document, nodes);
                if differ(&document, &changed) {
                    prop_assert_eq!(verify(&changed).unwrap_err().code, Code::Unproved);
                }
            }
        }
    }

    #[test]
    fn a_changed_leaf_is_noticed(seed: u64) {
        let document = document(seed, false);
        let reached: BTreeSet<usize> = document.verification.iter().map(|row| row.leaf).collect();
        for id in reached {
            let mut nodes = document.model.tree.nodes().to_vec();
            match &mut nodes[id] {
                Node::Leaf(Leaf::Scores(scores)) => scores[0] = scores[0].next_up(),
                Node::Leaf(Leaf::Constant(value)) => {
                    *value = if *value > 0.0 { value.next_down() } else { value.next_up() };
                }
                // One step of the constant may vanish in the sum or beyond a bound, so other linear leaves
                // have tests of their own.
                Node::Leaf(Leaf::Linear { constant, features, bounds: None, .. }) if features.is_empty() => {
                    *constant = if *constant == 1.0 { 2.0 } else { 1.0 };
                }
                _ => continue,
            }
            let changed = with_nodes(&document, nodes);
            prop_assert_eq!(verify(&changed).unwrap_err().code, Code::Unproved);
        }
    }

    #[test]
    fn a_turned_default_is_noticed(seed: u64) {
        let document = document(seed, false);
        for id in 0..document.model.tree.size() {
            let mut nodes = document.model.tree.nodes().to_vec();
            let Node::Split { default_left, .. } = &mut nodes[id] else { continue };
            *default_left = !*default_left;
            let changed = with_nodes(&document, nodes);
            if differ(&document, &changed) {
                prop_assert_eq!(verify(&changed).unwrap_err().code, Code::Unproved);
            }
        }
    }

    #[test]
    fn swapped_children_are_noticed(seed: u64) {
        let document = document(seed, false);
        for id in 0..document.model.tree.size() {
            let mut nodes = document.model.tree.nodes().to_vec();
            let Node::Split { left, right, .. } = nodes[id] else { continue };
            // Larger swapped subtrees may happen to agree on the given rows, and so may two leaves of which
            // one is linear. Other pairs leave no doubt.
            let both = |is: fn(&Node) -> bool| is(&nodes[left]) && is(&nodes[right]);
            let linear = |node: &Node| matches!(node, Node::Leaf(Leaf::Linear { .. }));
            let one_linear = linear(&nodes[left]) || linear(&nodes[right]);
            if both(|node| matches!(node, Node::Split { .. }))
                || both(|node| matches!(node, Node::Leaf(_))) && one_linear
            {
                continue;
            }
            if let Node::Split { left: first, right: second, .. } = &mut nodes[id] {
                (*first, *second) = (right, left);
            }
            let changed = with_nodes(&document, nodes);
            if differ(&document, &changed) {
                prop_assert_eq!(verify(&changed).unwrap_err().code, Code::Unproved);
            }
        }
    }

    #[test]
    fn proof_rows_are_bounded_and_reproducible(seed: u64) {
        let document = document(seed, true);
        let leaves = document.model.tree.leaves();
        prop_assert!(document.verification.len() <= 3 * leaves + MOST_DOUBTFUL + MOST_HELD);
        let again = Document::new(document.model.clone(), Metrics::default(), None, None);
        prop_assert!(again.verification == document.verification);
    }
}

/// A complete oblique tree over three columns of very different ranges, with splits through the middle of the
/// data.
fn oblique(seed: u64, depth: u32) -> Model {
    let mut dice = Dice(seed);
    let ranges = [1.0f32, 1000.0, 0.01];
    let feature = |(at, &range): (usize, &f32)| Feature {
        name: format!("x{at}"),
        kind: FeatureKind::Numerical {
            min: -range,
            max: range,
            quartiles: [-range / 2.0, 0.0, range / 2.0],
            reading: CellReading::default(),
        },
        missing_tokens: vec![],
    };
    let splits = (1usize << depth) - 1;
    let nodes = (0..2 * splits + 1).map(|id| {
        if id >= splits {
            return Node::Leaf(Leaf::Constant(id as f32));
        }
        let split = Split::Oblique {
            features: vec![0, 1, 2],
            weights: ranges.iter().map(|range| dice.unit() / range).collect(),
            missing_values: vec![0.0; 3],
            threshold: f64::from(dice.unit()) / 4.0,
        };
        Node::Split { split, left: 2 * id + 1, right: 2 * id + 2, default_left: false }
    });
    Model {
        tree: Tree::new(nodes.collect()).unwrap(),
        features: ranges.iter().enumerate().map(feature).collect(),
        target: Target::Value { name: "y".into() },
        post_transform: PostTransform::None,
        decision: Decision::Likeliest,
        stats: vec![],
    }
}

#[test]
fn oblique_regions_that_hold_data_are_reached_and_their_edges_crossed() {
    for seed in 0..40 {
        let model = oblique(seed, 4);
        let mut dice = Dice(seed + 1000);
        let mut arrivals = vec![0; model.tree.size()];
        for _ in 0..4000 {
            let row = [dice.unit(), 1000.0 * dice.unit(), 0.01 * dice.unit()];
            model.tree.path_of(&row).for_each(|id| arrivals[id] += 1);
        }
        let document = Document::new(model.clone(), Metrics::default(), None, None);
        let rows: Vec<Vec<f32>> = document
            .verification
            .iter()
            .map(|row| {
                model.features.iter().zip(&row.cells).map(|(feature, cell)| feature.parse(cell)).collect()
            })
            .collect();
        for (id, node) in model.tree.nodes().iter().enumerate() {
            if arrivals[id] == 0 {
                continue;
            }
            assert!(
                rows.iter().any(|row| model.tree.path_of(row).any(|at| at == id)),
                "seed {seed}, node {id}"
            );
            // A split with data on both sides has a pair of rows that differ in one cell by one f32 step.
            if let Node::Split { left, right, .. } = node
                && arrivals[*left] > 0
                && arrivals[*right] > 0
            {
                let visits = |row: &[f32], id: usize| model.tree.path_of(row).any(|at| at == id);
                let step = |a: f32, b: f32| a.next_up() == b || a.next_down() == b;
                let close = |a: &[f32], b: &[f32]| {
                    let apart: Vec<usize> = (0..3).filter(|&at| a[at] != b[at]).collect();
                    matches!(apart.as_slice(), [at] if step(a[*at], b[*at]))
                };
                let crossed = rows
                    .iter()
                    .filter(|a| visits(a, *left))
                    .any(|a| rows.iter().any(|b| visits(b, *right) && close(a, b)));
                assert!(crossed, "seed {seed}, split {id}");
            }
        }
        assert_eq!(verify(&document).unwrap(), document.verification.len());
    }
}

#[test]
fn a_large_tree_is_proved_leaf_by_leaf() {
    let mut model = oblique(0, 10);
    let mut dice = Dice(5);
    let mut nodes = model.tree.nodes().to_vec();
    // The path to a node splits the columns in turn, each time in the remaining half, so no region is empty.
    let mut regions = vec![[(-1.0f32, 1.0f32); 3]];
    for id in 0..nodes.len() {
        let region = regions[id];
        if let Node::Split { split, default_left, .. } = &mut nodes[id] {
            let feature = dice.below(3);
            let (low, high) = region[feature];
            let threshold = (low + high) / 2.0;
            *split = Split::Numerical { feature, threshold };
            *default_left = dice.coin();
            for side in [(low, threshold), (threshold, high)] {
                let mut region = region;
                region[feature] = side;
                regions.push(region);
            }
        }
    }
    model.tree = Tree::new(nodes).unwrap();
    let document = Document::new(model, Metrics::default(), None, None);
    let proved: BTreeSet<usize> = document.verification.iter().map(|row| row.leaf).collect();
    assert_eq!(proved.len(), 1024);
    assert!(document.verification.len() <= 3 * 1024 + MOST_DOUBTFUL);
    verify(&document).unwrap();
}

#[test]
fn a_changed_linear_leaf_is_noticed() {
    let mut model = oblique(7, 2);
    let linear = |constant: f32, coefficient: f32| {
        Node::Leaf(Leaf::Linear {
            constant,
            features: vec![0, 1],
            coefficients: vec![coefficient, 0.5],
            missing_values: vec![0.25, 8.0],
            bounds: None,
        })
    };
    let mut nodes = model.tree.nodes().to_vec();
    let last = nodes.len() - 1;
    nodes[last] = linear(1.0, 2.0);
    model.tree = Tree::new(nodes.clone()).unwrap();
    let document = Document::new(model, Metrics::default(), None, None);
    verify(&document).unwrap();
    for changed in [linear(1.0f32.next_up(), 2.0), linear(1.0, 2.0f32.next_down())] {
        nodes[last] = changed;
        assert_eq!(verify(&with_nodes(&document, nodes.clone())).unwrap_err().code, Code::Unproved);
    }
}

/// An oblique tree whose leaves all have the same formula, `1 + 2 x0 + 0.005 x1`, which ranges from -6 to 8
/// on the data.
fn bounded(low: f64, high: f64) -> Document {
    let mut model = oblique(7, 2);
    let nodes = model.tree.nodes().iter().cloned().map(|node| match node {
        Node::Leaf(_) => Node::Leaf(Leaf::Linear {
            constant: 1.0,
            features: vec![0, 1],
            coefficients: vec![2.0, 0.005],
            missing_values: vec![0.25, 8.0],
            bounds: Some(Bounds { low, high }),
        }),
        split => split,
    });
    model.tree = Tree::new(nodes.collect()).unwrap();
    Document::new(model, Metrics::default(), None, None)
}

#[test]
fn bounds_are_proved_by_one_row_at_each_end_and_by_no_other() {
    let document = bounded(-12.0, 16.0);
    let at = |bound: f64| document.verification.iter().filter(|row| row.output == [bound]).count();
    assert_eq!((at(-12.0), at(16.0)), (1, 1));
    let (rows, held) = (document.verification.len(), MOST_HELD);
    assert!(
        document.verification[rows - held..].iter().all(|row| [[-12.0], [16.0]].contains(&[row.output[0]]))
    );
    // No further out than necessary: the columns' ranges are 2 and 2000.
    for row in &document.verification {
        let value = |cell: &String| cell.parse::<f32>().unwrap_or(0.0).abs();
        assert!(value(&row.cells[0]) < 20.0 && value(&row.cells[1]) < 20_000.0, "{row:?}");
    }
    // A reader without bounds agrees on all rows that test routes and formulas.
    let mut older = document.clone();
    older.model.tree = bounded(f64::MIN, f64::MAX).model.tree;
    older.verification.truncate(rows - held);
    verify(&older).unwrap();
}

#[test]
fn changed_bounds_are_noticed() {
    let document = bounded(-12.0, 16.0);
    verify(&document).unwrap();
    for (low, high) in [(f64::MIN, 16.0), (-12.0, f64::MAX), (-12.000_000_1, 16.0), (-12.0, 15.999_999)] {
        let mut changed = document.clone();
        changed.model.tree = bounded(low, high).model.tree;
        assert_eq!(verify(&changed).unwrap_err().code, Code::Unproved, "{low} {high}");
    }
}

#[test]
fn rows_that_prove_a_formula_lie_between_its_bounds_where_they_can() {
    // Medians give 1, beyond these bounds; lower quartiles give -2.5, within them.
    let mut model = stump_of_formulas(Bounds { low: -4.0, high: 0.5 });
    let document = Document::new(model.clone(), Metrics::default(), None, None);
    let free: BTreeSet<usize> =
        document.verification.iter().filter(|row| row.output == [-2.5]).map(|row| row.leaf).collect();
    assert_eq!(free, BTreeSet::from([1, 2]), "{:?}", document.verification);
    // If no row can be within the bounds, the routes are still proved.
    model.tree = model.tree.within(Bounds { low: 9.0, high: 9.0 });
    let document = Document::new(model, Metrics::default(), None, None);
    let leaves: BTreeSet<usize> = document.verification.iter().map(|row| row.leaf).collect();
    assert_eq!(leaves, BTreeSet::from([1, 2]));
    assert!(document.verification.iter().all(|row| row.output == [9.0]));
}

/// Two leaves with the same formula `1 + 7 x0` below a split on another column.
fn stump_of_formulas(bounds: Bounds) -> Model {
    let mut model = oblique(0, 1);
    let leaf = || {
        let (features, coefficients, missing_values) = (vec![0], vec![7.0], vec![0.0]);
        Node::Leaf(Leaf::Linear {
            constant: 1.0,
            features,
            coefficients,
            missing_values,
            bounds: Some(bounds),
        })
    };
    let split = Split::Numerical { feature: 1, threshold: 0.0 };
    model.tree =
        Tree::new(vec![Node::Split { split, left: 1, right: 2, default_left: true }, leaf(), leaf()])
            .unwrap();
    model
}

#[test]
fn a_file_without_proof_rows_is_not_proved() {
    let mut document = document(1, true);
    document.verification.clear();
    assert_eq!(verify(&document).unwrap_err().code, Code::Unproved);
}

#[test]
fn another_output_transform_is_noticed() {
    let mut document = (0..200)
        .map(|seed| document(seed, true))
        .find(|document| document.model.post_transform == PostTransform::Softmax)
        .expect("some model ends in softmax");
    document.model.post_transform = PostTransform::None;
    assert_eq!(verify(&document).unwrap_err().code, Code::Unproved);
}
