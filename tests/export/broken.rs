//! Broken files: each gets an error that names its place, and nothing panics.

use espalier::Code;
use espalier::export::{read, write};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::models::{Dice, document};

/// A small valid file with every kind of split.
pub fn sample() -> Value {
    json!({
        "format": "espalier-tree",
        "format_version": "1.0",
        "generator": {"name": "hand", "version": "1"},
        "task": "classification",
        "target": {"name": "Survived", "classes": ["no", "yes"]},
        "features": [
            {"name": "Age", "type": "numerical", "missing_tokens": ["?"], "decimal_separator": ".",
             "summary": {"min": 0.0, "quartiles": [20.0, 28.0, 38.0], "max": 80.0}},
            {"name": "Fare", "type": "numerical",
             "summary": {"min": 0, "quartiles": [8, 14, 31], "max": 512}},
            {"name": "Sex", "type": "categorical", "categories": ["female", "male"]}
        ],
        "precision": {"input_type": "float32"},
        "trees": [{"root": 0, "nodes": [
            {"node_id": 0, "split_type": "categorical", "split_feature": 2, "category_list": ["female"],
             "left_child": 1, "right_child": 2, "default_left": false},
            {"node_id": 1, "split_type": "oblique", "split_features": [1, 0], "weights": [0.25, -1.1],
             "missing_values": [14, 28], "comparison_op": "<=", "threshold": 0.3,
             "left_child": 3, "right_child": 4, "default_left": true},
            {"node_id": 2, "split_type": "numerical", "split_feature": 0, "comparison_op": "<=",
             "threshold": 6.5, "left_child": 5, "right_child": 6, "default_left": false},
            {"node_id": 3, "leaf_value": [1.9]},
            {"node_id": 4, "leaf_const": 0.5, "leaf_features": [0], "leaf_coeff": [0.01],
             "missing_values": [28], "leaf_bounds": [-2.5, 1.75]},
            {"node_id": 5, "leaf_value": [0.7]},
            {"node_id": 6, "leaf_value": [-1.6]}
        ]}],
        "post_transform": "logistic",
        "verification": {"rows": [{"input": {"Age": "6.5", "Sex": "male"}, "leaf": 5, "output": [0.7],
                                   "probabilities": [0.3, 0.7]}]},
        "an unknown key": {"is": "ignored"}
    })
}

/// What is put where, and what the message must contain. A value of `Null` removes the key.
pub fn breakages() -> Vec<(&'static str, Value, &'static str)> {
    let none = Value::Null;
    vec![
        ("/format", json!("xgboost"), "\"format\" is not"),
        ("/format", none.clone(), "\"format\" is not"),
        ("/format_version", json!("2.0"), "format version \"2.0\""),
        ("/format_version", json!(1.0), "at format_version: expected a text, found 1.0"),
        ("/generator", none.clone(), "\"generator\" is missing"),
        ("/task", json!("ranking"), "at task: the task \"ranking\""),
        ("/target", json!([]), "at target: expected an object, found a list of 0"),
        ("/target/classes", none.clone(), "at target: the key \"classes\" is missing"),
        ("/target/classes", json!(["no"]), "at target.classes"),
        ("/target/classes", json!(["no", "no"]), "\"no\" is listed twice"),
        ("/target/classes", json!(["a", "b", "c"]), "at post_transform: \"logistic\" has two classes"),
        ("/features", json!({}), "at features: expected a list"),
        ("/features/0/type", json!("date"), "at features[0].type: the type \"date\""),
        ("/features/1/name", json!("Age"), "at features[1].name: a second column is called \"Age\""),
        ("/features/0/summary", none.clone(), "at features[0]: the key \"summary\""),
        ("/features/0/summary/quartiles", json!([1, 2]), "at features[0].summary.quartiles: expected three"),
        (
            "/features/0/summary/min",
            json!(1e39),
            "at features[0].summary.min: expected a number within the range",
        ),
        ("/features/0/decimal_separator", json!("·"), "at features[0].decimal_separator"),
        (
            "/features/2/categories",
            json!(["male", "female"]),
            "at features[2].categories: \"female\" does not come after",
        ),
        ("/precision/input_type", json!("float64"), "at precision.input_type"),
        ("/trees", json!([]), "at trees: found 0 trees"),
        ("/trees/0/root", json!(3), "at trees[0].root"),
        ("/trees/0/nodes", json!([]), "there are no nodes"),
        ("/trees/0/nodes/0/node_id", json!(7), "at trees[0].nodes[0].node_id: the node's id is 7"),
        (
            "/trees/0/nodes/0/split_type",
            json!("radial"),
            "at trees[0].nodes[0].split_type: the split type \"radial\"",
        ),
        (
            "/trees/0/nodes/0/category_list",
            json!(["child"]),
            "at trees[0].nodes[0].category_list[0]: column \"Sex\" has no",
        ),
        (
            "/trees/0/nodes/0/split_feature",
            json!(0),
            "at trees[0].nodes[0].split_feature: column \"Age\" is numerical",
        ),
        ("/trees/0/nodes/0/split_feature", json!(9), "there is no column 9; there are 3"),
        ("/trees/0/nodes/0/left_child", json!(99), "node 0 has a child 99"),
        ("/trees/0/nodes/0/left_child", json!(0), "node 0 is the child of more than one"),
        (
            "/trees/0/nodes/0/left_child",
            json!(-1),
            "at trees[0].nodes[0].left_child: expected a whole number",
        ),
        ("/trees/0/nodes/1/left_child", json!(0), "node 0 is the child of more than one"),
        (
            "/trees/0/nodes/0/default_left",
            json!("no"),
            "at trees[0].nodes[0].default_left: expected true or false",
        ),
        (
            "/trees/0/nodes/1/weights",
            json!([0.5]),
            "at trees[0].nodes[1].weights: found 1 numbers for 2 columns",
        ),
        ("/trees/0/nodes/1/missing_values", json!([]), "at trees[0].nodes[1].missing_values: found 0"),
        (
            "/trees/0/nodes/1/split_features",
            json!([1, 2]),
            "at trees[0].nodes[1].split_features[1]: column \"Sex\" is cat",
        ),
        (
            "/trees/0/nodes/2/split_feature",
            json!(2),
            "at trees[0].nodes[2].split_feature: column \"Sex\" is categorical",
        ),
        (
            "/trees/0/nodes/2/comparison_op",
            json!("<"),
            "at trees[0].nodes[2].comparison_op: \"<\" is not known",
        ),
        (
            "/trees/0/nodes/2/threshold",
            json!("6.5"),
            "at trees[0].nodes[2].threshold: expected a number, found \"6.5\"",
        ),
        ("/trees/0/nodes/2/threshold", none.clone(), "the key \"threshold\" is missing"),
        (
            "/trees/0/nodes/3/leaf_value",
            json!([1, 2]),
            "at trees[0].nodes[3].leaf_value: the leaf has 2 outputs",
        ),
        ("/trees/0/nodes/3/leaf_value", none.clone(), "at trees[0].nodes[3]: the node has neither"),
        ("/trees/0/nodes/3/data_count", json!(5), "at trees[0].nodes[3]: the key \"leaf_distribution\""),
        ("/trees/0/nodes/4/leaf_coeff", json!([]), "at trees[0].nodes[4].leaf_coeff: found 0 numbers"),
        (
            "/trees/0/nodes/4/leaf_bounds",
            json!(3),
            "at trees[0].nodes[4].leaf_bounds: expected a list, found 3",
        ),
        (
            "/trees/0/nodes/4/leaf_bounds",
            json!([1]),
            "at trees[0].nodes[4].leaf_bounds: expected two numbers, found 1",
        ),
        ("/trees/0/nodes/4/leaf_bounds", json!([1, 2, 3]), "leaf_bounds: expected two numbers, found 3"),
        (
            "/trees/0/nodes/4/leaf_bounds",
            json!(["low", 2]),
            "at trees[0].nodes[4].leaf_bounds[0]: expected a number, found \"low\"",
        ),
        (
            "/trees/0/nodes/4/leaf_bounds",
            json!([2.5, -1]),
            "at trees[0].nodes[4].leaf_bounds: the lower bound, 2.5, is above the upper bound, -1",
        ),
        ("/post_transform", json!("probit"), "at post_transform: the output transform \"probit\""),
        ("/verification/rows/0/leaf", json!(1.5), "at verification.rows[0].leaf: expected a whole number"),
        ("/verification/rows/0/input/Age", json!(6.5), "at verification.rows[0].input.Age: expected a text"),
    ]
}

/// The sample with one change; see [`breakages`].
pub fn broken(pointer: &str, value: &Value) -> Value {
    let mut file = sample();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match file.pointer_mut(parent).unwrap() {
        Value::Object(map) if value.is_null() => {
            map.remove(key);
        }
        Value::Object(map) => {
            map.insert(key.into(), value.clone());
        }
        _ => panic!("{pointer} is not in an object"),
    }
    file
}

#[test]
fn the_sample_itself_is_fine() {
    let document = read(&sample().to_string()).unwrap();
    assert_eq!(document.model.tree.depth(), 2);
    assert_eq!(read(&write(&document).unwrap()).unwrap(), document);
}

#[test]
fn every_broken_file_is_named_by_its_place() {
    for (pointer, value, words) in breakages() {
        let error = read(&broken(pointer, &value).to_string()).expect_err(pointer);
        assert_eq!(error.code, Code::BadTree, "{pointer}");
        assert!(error.message.contains(words), "{pointer}: {}", error.message);
        assert!(!error.hint.is_empty() && !error.to_string().contains('\n'), "{pointer}");
    }
}

#[test]
fn nodes_out_of_order_are_refused() {
    let mut file = sample();
    file["trees"][0]["nodes"][0]["left_child"] = json!(2);
    file["trees"][0]["nodes"][0]["right_child"] = json!(1);
    assert!(read(&file.to_string()).unwrap_err().message.contains("breadth-first"));
}

#[test]
fn text_that_is_not_json_says_where_it_breaks() {
    let text = sample().to_string();
    for (broken, words) in [
        ("", "ends too early"),
        ("{", "ends too early"),
        (&text[..text.len() / 2], "ends too early"),
        ("name,age\n1,2\n", "not JSON"),
        (&text.replace(":6.5", ":NaN"), "not JSON"),
        (&text.replace(":6.5", ":1e999"), "not JSON"),
        (&"[".repeat(100_000), "not JSON"),
    ] {
        let error = read(broken).unwrap_err();
        assert_eq!(error.code, Code::BadTree);
        assert!(error.message.contains(words) && error.line.is_some(), "{error}");
    }
    assert!(read("[1, 2]").unwrap_err().message.contains("expected an object"));
}

#[test]
fn a_tree_of_absurd_depth_is_refused() {
    let mut file = sample();
    let mut nodes = vec![];
    for level in 0..2000 {
        nodes.push(
            json!({"split_type": "numerical", "split_feature": 0, "comparison_op": "<=", "threshold": level,
            "left_child": 2 * level + 1, "right_child": 2 * level + 2, "default_left": true}),
        );
        nodes.push(json!({"leaf_value": [0]}));
    }
    nodes.push(json!({"leaf_value": [0]}));
    // Breadth-first: root, then each level's leaf before its split.
    let order = |level: usize| if level == 0 { 0 } else { 2 * level };
    let mut placed = vec![Value::Null; nodes.len()];
    for (at, node) in nodes.into_iter().enumerate() {
        let place = if at % 2 == 0 { order(at / 2) } else { at };
        placed[place] = node;
    }
    file["trees"][0]["nodes"] = Value::Array(placed);
    assert!(read(&file.to_string()).unwrap_err().message.contains("deeper than 1000 levels"));
}

/// Replaces a random place of a JSON value.
fn disturb(value: &mut Value, dice: &mut Dice) {
    let inside = match value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    if inside > 0 && dice.below(6) > 0 {
        let at = dice.below(inside);
        match value {
            Value::Array(list) => disturb(&mut list[at], dice),
            Value::Object(map) => disturb(map.values_mut().nth(at).unwrap(), dice),
            _ => unreachable!("only lists and objects have something inside"),
        }
        return;
    }
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(3),
        json!(1e308),
        json!("x"),
        json!([]),
        json!([0]),
        json!({}),
    ];
    *value = others[dice.below(others.len())].clone();
}

proptest! {
    #[test]
    fn disturbed_values_never_panic(seed: u64) {
        let mut dice = Dice(seed);
        let mut value: Value = serde_json::from_str(&write(&document(seed % 500, true)).unwrap()).unwrap();
        disturb(&mut value, &mut dice);
        match read(&value.to_string()) {
            // A change that leaves a valid file must round-trip like any other file.
            Ok(read_back) => prop_assert_eq!(read(&write(&read_back).unwrap()).unwrap(), read_back),
            Err(error) => prop_assert_eq!(error.code, Code::BadTree),
        }
    }

    #[test]
    fn disturbed_bytes_never_panic(seed: u64, cut: bool) {
        let mut dice = Dice(seed);
        let mut bytes = write(&document(seed % 500, true)).unwrap().into_bytes();
        if cut {
            bytes.truncate(dice.below(bytes.len()));
        }
        for _ in 0..1 + dice.below(3) {
            if !bytes.is_empty() {
                let at = dice.below(bytes.len());
                bytes[at] = *b"0123456789-.eE\"{}[]:, ntf\\\x00\xff".get(dice.below(28)).unwrap();
            }
        }
        if let Err(error) = read(&String::from_utf8_lossy(&bytes)) {
            prop_assert_eq!(error.code, Code::BadTree);
        }
    }
}
