//! Writing and reading back: the same document, the same bytes, the same predictions.

use espalier::export::{Document, Metrics, read, verify, write};
use espalier::tree::{
    Bounds, CellReading, Decision, Feature, FeatureKind, Leaf, Model, Node, PostTransform, Split, Target,
    Tree,
};
use proptest::prelude::*;

use super::models::{document, hostile, telling_rows};

proptest! {
    #[test]
    fn a_document_survives_in_value_and_in_bytes(seed: u64) {
        let written = document(seed, true);
        let text = write(&written).unwrap();
        let again = read(&text).unwrap();
        prop_assert!(again == written, "the document changed");
        prop_assert_eq!(write(&again).unwrap(), text);
        prop_assert_eq!(verify(&again).unwrap(), written.verification.len());
    }

    #[test]
    fn a_model_that_was_read_predicts_the_same_bits(seed: u64) {
        let written = document(seed, true);
        let again = read(&write(&written).unwrap()).unwrap();
        for row in telling_rows(&written.model) {
            let (before, after) = (written.model.predict(&row), again.model.predict(&row));
            prop_assert_eq!(before.leaf, after.leaf);
            prop_assert_eq!(before.class, after.class);
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&before.values), bits(&after.values));
        }
    }
}

/// A stump on one numeric column.
pub fn stump(name: &str, threshold: f32) -> Model {
    Model {
        features: vec![Feature {
            name: name.into(),
            kind: FeatureKind::Numerical {
                min: 0.0,
                max: 2.0,
                quartiles: [0.5, 1.0, 1.5],
                reading: CellReading::default(),
            },
            missing_tokens: vec![],
        }],
        target: Target::Value { name: "y".into() },
        tree: Tree::new(vec![
            Node::Split {
                split: Split::Numerical { feature: 0, threshold },
                left: 1,
                right: 2,
                default_left: true,
            },
            Node::Leaf(Leaf::Constant(1.0)),
            Node::Leaf(Leaf::Constant(0.1)),
        ])
        .unwrap(),
        post_transform: PostTransform::None,
        decision: Decision::Likeliest,
        stats: vec![],
    }
}

fn plain(model: Model) -> Document {
    Document::new(model, Metrics::default(), None, None)
}

#[test]
fn an_f32_is_written_as_its_exact_decimal_and_each_node_on_its_line() {
    let text = write(&plain(stump("x", 0.8))).unwrap();
    let nodes: Vec<&str> = text.lines().map(str::trim).filter(|line| line.contains("node_id")).collect();
    assert_eq!(
        nodes,
        [
            "{\"node_id\": 0, \"split_type\": \"numerical\", \"split_feature\": 0, \
             \"comparison_op\": \"<=\", \"threshold\": 0.800000011920929, \
             \"left_child\": 1, \"right_child\": 2, \"default_left\": true},",
            r#"{"node_id": 1, "leaf_value": [1.0]},"#,
            r#"{"node_id": 2, "leaf_value": [0.10000000149011612]}"#,
        ]
    );
    assert!(text.contains(r#"{"input": {"x": "0.8"}, "leaf": 1, "output": [1.0]}"#), "{text}");
    assert!(
        text.contains(r#"{"input": {"x": "0.8000001"}, "leaf": 2, "output": [0.10000000149011612]}"#),
        "{text}"
    );
}

#[test]
fn every_hostile_name_comes_back() {
    for name in hostile() {
        let written = plain(stump(&name, 1.0));
        let text = write(&written).unwrap();
        assert_eq!(read(&text).unwrap(), written);
    }
}

#[test]
fn every_size_of_number_comes_back() {
    for threshold in [0.0, -0.0, 1e-45, f32::MIN_POSITIVE, f32::MIN, f32::MAX, 16_777_217.0, 1.0 / 3.0] {
        let written = plain(stump("x", threshold));
        let again = read(&write(&written).unwrap()).unwrap();
        let Node::Split { split: Split::Numerical { threshold: back, .. }, .. } =
            &again.model.tree.nodes()[0]
        else {
            panic!("the root is a numerical split")
        };
        assert_eq!(back.to_bits(), threshold.to_bits());
        verify(&again).unwrap();
    }
}

/// A leaf with the output `1 + 2 x` within bounds.
fn formula(bounds: Option<Bounds>) -> Model {
    let (features, coefficients, missing_values) = (vec![0], vec![2.0], vec![0.0]);
    let leaf = Leaf::Linear { constant: 1.0, features, coefficients, missing_values, bounds };
    Model { tree: Tree::leaf(leaf), ..stump("x", 1.0) }
}

#[test]
fn bounds_come_back_to_the_bit() {
    let ends = [0.1 + 0.2, -0.0, 1e-320, f64::MIN_POSITIVE, 1e12 + 1.0 / 3.0, f64::MAX];
    for bound in ends {
        let written = plain(formula(Some(Bounds { low: -bound, high: bound.abs() })));
        let again = read(&write(&written).unwrap()).unwrap();
        let Node::Leaf(Leaf::Linear { bounds: Some(Bounds { low, high }), .. }) =
            &again.model.tree.nodes()[0]
        else {
            panic!("the leaf has bounds")
        };
        assert_eq!((low.to_bits(), high.to_bits()), ((-bound).to_bits(), bound.abs().to_bits()));
        verify(&again).unwrap();
    }
    let text = write(&plain(formula(Some(Bounds { low: -1.0, high: 4.5 })))).unwrap();
    assert!(text.contains(r#""missing_values": [0.0], "leaf_bounds": [-1.0, 4.5]}"#), "{text}");
}

#[test]
fn a_formula_without_bounds_is_written_and_read_as_before() {
    let text = write(&plain(formula(None))).unwrap();
    assert!(!text.contains("leaf_bounds"), "{text}");
    assert_eq!(read(&text).unwrap().model.predict(&[1e9]).values, [2e9 + 1.0]);
}

#[test]
fn bounds_that_are_no_numbers_or_cross_are_not_written() {
    for (low, high) in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (1.0, 0.0)] {
        let mut document = plain(formula(None));
        document.model = formula(Some(Bounds { low, high }));
        assert!(write(&document).unwrap_err().message.contains("trees[0].nodes[0].leaf_bounds"));
    }
}

#[test]
fn a_model_that_cannot_be_read_back_is_not_written() {
    for threshold in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut document = plain(stump("x", 1.0));
        document.model = stump("x", threshold);
        assert!(write(&document).unwrap_err().message.contains("trees[0].nodes[0].threshold"));
    }
    let mut document = plain(stump("x", 1.0));
    document.metrics.tree.entry("test".into()).or_default().insert("r2".into(), f64::NAN);
    assert!(write(&document).unwrap_err().message.contains("metrics"));
}

#[test]
fn a_tree_without_columns_has_one_proof_row() {
    let mut model = stump("x", 1.0);
    model.features.clear();
    model.tree = Tree::leaf(Leaf::Constant(3.0));
    let again = read(&write(&plain(model)).unwrap()).unwrap();
    assert_eq!(verify(&again).unwrap(), 1);
}
