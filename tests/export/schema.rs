//! The schema accepts what is written and refuses what is broken.

use espalier::export::write;
use jsonschema::Validator;
use serde_json::Value;

use super::broken::{breakages, broken, sample};
use super::models::document;

fn schema() -> Validator {
    let schema: Value =
        serde_json::from_str(include_str!("../../schema/espalier-tree-1.1.schema.json")).unwrap();
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a valid schema");
    jsonschema::draft202012::new(&schema).expect("the schema compiles")
}

#[test]
fn every_written_document_is_valid() {
    let schema = schema();
    for seed in 0..300 {
        let file: Value = serde_json::from_str(&write(&document(seed, true)).unwrap()).unwrap();
        if let Err(error) = schema.validate(&file) {
            panic!("seed {seed}, at {}: {error}", error.instance_path());
        }
    }
    assert!(schema.is_valid(&sample()), "the sample is valid");
}

/// Breakages that a schema cannot detect, because they relate two places of the file.
const BEYOND: &[&str] = &[
    "/features/1/name",
    "/trees/0/nodes/0/node_id",
    "/trees/0/nodes/0/category_list",
    "/trees/0/nodes/0/split_feature",
    "/trees/0/nodes/1/left_child",
    "/trees/0/nodes/1/weights",
    "/trees/0/nodes/1/missing_values",
    "/trees/0/nodes/1/split_features",
    "/trees/0/nodes/2/split_feature",
    "/trees/0/nodes/4/leaf_coeff",
];

#[test]
fn broken_documents_are_invalid() {
    let schema = schema();
    let mut refused = 0;
    for (pointer, value, _) in breakages() {
        let related = BEYOND.contains(&pointer)
            || (pointer == "/features/2/categories")                                   // order
            || (pointer == "/trees/0/nodes/0/left_child" && value.as_i64() != Some(-1)) // range
            || (pointer == "/trees/0/nodes/3/leaf_value" && value.is_array())          // number of classes
            || (pointer == "/trees/0/nodes/4/leaf_bounds" && value[0] == 2.5); // order of two numbers
        if !related {
            assert!(!schema.is_valid(&broken(pointer, &value)), "{pointer} = {value}");
            refused += 1;
        }
    }
    assert!(refused >= 25, "only {refused} breakages were tried");
}
