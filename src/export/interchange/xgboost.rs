//! A tree as an XGBoost model in JSON.
//!
//! XGBoost sends `x < condition` left, so a condition is the next f32 above our threshold. The categories of
//! a split are those that go right. A classifier adds logits: one tree of the same shape per class, or a
//! single one for two classes. Class shares become their logarithms, which softmax undoes. An unseen word
//! must be passed as missing.

use serde_json::{Value, json};

use crate::error::Result;
use crate::export::Document;
use crate::export::columns::{refuse_no_shares, refuse_other_answers, refuse_sums};
use crate::export::words::{probabilities, unique};
use crate::tree::{FeatureKind, Leaf, Model, Node, PostTransform, Split};

/// The logarithm for a share of zero: its exponential vanishes next to any other in f32.
const NEVER: f64 = -120.0;

/// The parent of the root, by XGBoost's convention.
const NO_PARENT: i64 = 2_147_483_647;

/// Converts a document to an XGBoost model; fails for a tree with weighted sums.
pub(crate) fn xgboost(document: &Document) -> Result<String> {
    let model = &document.model;
    refuse_sums(model, "XGBoost")?;
    refuse_no_shares(model, "XGBoost")?;
    refuse_other_answers(model, "XGBoost")?;
    let classes = model.target.classes().len();
    let groups = if classes > 2 { classes } else { 1 };
    let trees: Vec<Value> = (0..groups).map(|group| tree(model, group)).collect();
    let (objective, base_score) = match classes {
        0 => (json!({"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}}), "0E0"),
        2 => (json!({"name": "binary:logistic", "reg_loss_param": {"scale_pos_weight": "1"}}), "5E-1"),
        _ => {
            let param = json!({"num_class": classes.to_string()});
            (json!({"name": "multi:softprob", "softmax_multiclass_param": param}), "0E0")
        }
    };
    let types: Vec<&str> = model
        .features
        .iter()
        .map(|feature| if matches!(feature.kind, FeatureKind::Categorical { .. }) { "c" } else { "q" })
        .collect();
    let words = model.features.iter().map(|feature| match &feature.kind {
        FeatureKind::Categorical { categories } => json!(categories),
        FeatureKind::Numerical { .. } => Value::Null,
    });
    let words: Vec<Value> = words.collect();
    let originals: Vec<&str> = model.features.iter().map(|feature| feature.name.as_str()).collect();
    let file = json!({
        "version": [2, 1, 0],
        "learner": {
            "attributes": {
                "generator": concat!("espalier ", env!("CARGO_PKG_VERSION")),
                "target": model.target.name(),
                "classes": json!(model.target.classes()).to_string(),
                "columns": json!(originals).to_string(),
                "categories": json!(words).to_string(),
            },
            "feature_names": names(model),
            "feature_types": types,
            "gradient_booster": {
                "name": "gbtree",
                "model": {
                    "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": groups.to_string()},
                    "iteration_indptr": [0, groups],
                    "tree_info": (0..groups).collect::<Vec<_>>(),
                    "trees": trees,
                },
            },
            "learner_model_param": {
                "base_score": base_score,
                "boost_from_average": "0",
                "num_class": if classes > 2 { classes } else { 0 }.to_string(),
                "num_feature": model.features.len().to_string(),
                "num_target": "1",
            },
            "objective": objective,
        },
    });
    Ok(file.to_string() + "\n")
}

/// The columns' names without the three characters that XGBoost refuses, made unique.
fn names(model: &Model) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for feature in &model.features {
        let plain = feature.name.replace(['[', ']', '<'], "_");
        names.push(unique(&plain, &|name| names.iter().any(|used| used == name)));
    }
    names
}

/// One tree: the nodes as lists. Leaves hold their output in place of the condition.
fn tree(model: &Model, group: usize) -> Value {
    let nodes = model.tree.nodes();
    let mut parents = vec![NO_PARENT; nodes.len()];
    let (mut categories, mut categories_nodes, mut segments, mut sizes) = (vec![], vec![], vec![], vec![]);
    let mut left_children = vec![-1; nodes.len()];
    let mut right_children = vec![-1; nodes.len()];
    let mut default_left = vec![0; nodes.len()];
    let mut split_indices = vec![0; nodes.len()];
    let mut split_type = vec![0; nodes.len()];
    let mut conditions: Vec<Value> = vec![];
    for (id, node) in nodes.iter().enumerate() {
        let Node::Split { split, left, right, default_left: to_left } = node else {
            conditions.push(single(output(model, id, group) as f32));
            continue;
        };
        (parents[*left], parents[*right]) = (id as i64, id as i64);
        (left_children[id], right_children[id]) = (*left as i64, *right as i64);
        default_left[id] = u8::from(*to_left);
        split_indices[id] = split.features().first().copied().unwrap_or(0);
        match split {
            Split::Numerical { threshold, .. } => conditions.push(single(threshold.next_up())),
            Split::Categorical { left, .. } => {
                let mut goes_right: Vec<usize> = (0..left.len()).filter(|&code| !left[code]).collect();
                if goes_right.is_empty() {
                    // A set must not be empty; no word has this position.
                    goes_right.push(left.len());
                }
                split_type[id] = 1;
                categories_nodes.push(id);
                segments.push(categories.len());
                sizes.push(goes_right.len());
                categories.extend(goes_right);
                conditions.push(single(0.0));
            }
            Split::Oblique { .. } => unreachable!("sums were refused"),
        }
    }
    let rows = |id: usize| model.stats.get(id).map_or(1.0, |stats| stats.rows as f64);
    json!({
        "id": group,
        "base_weights": vec![0.0; nodes.len()],
        "categories": categories,
        "categories_nodes": categories_nodes,
        "categories_segments": segments,
        "categories_sizes": sizes,
        "default_left": default_left,
        "left_children": left_children,
        "right_children": right_children,
        "loss_changes": vec![0.0; nodes.len()],
        "parents": parents,
        "split_conditions": conditions,
        "split_indices": split_indices,
        "split_type": split_type,
        "sum_hessian": (0..nodes.len()).map(rows).collect::<Vec<_>>(),
        "tree_param": {
            "num_deleted": "0",
            "num_feature": model.features.len().to_string(),
            "num_nodes": nodes.len().to_string(),
            "size_leaf_vector": "1",
        },
    })
}

/// The amount that a leaf adds to the margin of a class.
fn output(model: &Model, leaf: usize, group: usize) -> f64 {
    let logarithm = |p: f64| if p > 0.0 { libm::log(p).max(NEVER) } else { NEVER };
    match (&model.tree.nodes()[leaf], model.post_transform) {
        (Node::Leaf(Leaf::Constant(value)), _) => f64::from(*value),
        (Node::Leaf(Leaf::Scores(scores)), PostTransform::Logistic) => f64::from(scores[0]),
        (Node::Leaf(Leaf::Scores(scores)), PostTransform::Softmax) if scores.len() > 2 => {
            f64::from(scores[group])
        }
        _ => match probabilities(model, leaf).as_slice() {
            [first, second] => logarithm(*second) - logarithm(*first),
            shares => logarithm(shares[group]),
        },
    }
}

/// The shortest decimal of an f32. JSON has no infinity, but a number outside the range of f32 is read as
/// infinite.
fn single(value: f32) -> Value {
    // The number is built from its text: widened to f64, it would have more digits than XGBoost's parser
    // accepts.
    let text = if value.is_finite() { format!("{value:e}") } else { "1e39".to_owned() };
    serde_json::from_str(&text).expect("a number")
}
