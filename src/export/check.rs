//! The conditions on every model in a file. Writing checks them too, so that every written file can be read.

use std::collections::BTreeSet;

use super::cursor::bad_tree;
use crate::error::{Error, Result, quoted};
use crate::tree::{
    Bounds, Decision, Feature, FeatureKind, Leaf, Model, Node, NodeStats, PostTransform, Split, Target,
};

/// Maximum depth of a tree in a file: far more than a learner grows, but few enough that the indented text of
/// a tree stays in proportion to the tree.
pub const MOST_DEPTH: usize = 1000;

/// Checks a model; the error names the place of the first problem.
pub(super) fn model(model: &Model) -> Result<()> {
    features(&model.features)?;
    target(model)?;
    depth(model.tree.nodes())?;
    for (id, node) in model.tree.nodes().iter().enumerate() {
        match node {
            Node::Split { split, .. } => check_split(id, split, &model.features)?,
            Node::Leaf(leaf) => check_leaf(id, leaf, model)?,
        }
    }
    stats(model)
}

/// The path of a node in the file.
pub(super) fn node_path(id: usize) -> String {
    format!("trees[0].nodes[{id}]")
}

/// Checks the columns, before the nodes are read.
pub(super) fn features(features: &[Feature]) -> Result<()> {
    let mut names = BTreeSet::new();
    for (at, feature) in features.iter().enumerate() {
        let path = format!("features[{at}]");
        if !names.insert(feature.name.as_str()) {
            let what = format!("a second column is called {}.", quoted(&feature.name));
            return Err(bad_tree(&format!("{path}.name"), what, "Give every column a name of its own."));
        }
        match &feature.kind {
            FeatureKind::Numerical { min, max, quartiles, .. } => {
                let values = [*min, quartiles[0], quartiles[1], quartiles[2], *max];
                finite(&format!("{path}.summary"), values.into_iter().map(f64::from))?;
            }
            FeatureKind::Categorical { categories } => {
                if let Some(pair) = categories.windows(2).find(|pair| pair[0] >= pair[1]) {
                    let what = format!("{} does not come after {}.", quoted(&pair[1]), quoted(&pair[0]));
                    let hint = "Sort the categories by their bytes and list each one once.";
                    return Err(bad_tree(&format!("{path}.categories"), what, hint));
                }
            }
        }
    }
    Ok(())
}

fn target(model: &Model) -> Result<()> {
    let path = "target.classes";
    let Target::Classes { classes, .. } = &model.target else {
        return match model.post_transform {
            PostTransform::None => Ok(()),
            other => Err(bad_tree(
                "post_transform",
                format!(
                    "{} gives probabilities, but the task is {}.",
                    quoted(other.as_str()),
                    model.target.task()
                ),
                "Use \"none\".",
            )),
        };
    };
    if classes.len() < 2 {
        return Err(bad_tree(
            path,
            format!("found {} classes, but at least two are needed.", classes.len()),
            "List them.",
        ));
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = classes.iter().find(|class| !seen.insert(class.as_str())) {
        return Err(bad_tree(path, format!("{} is listed twice.", quoted(twice)), "List every class once."));
    }
    decision(model, classes.len())?;
    if model.post_transform == PostTransform::Logistic && classes.len() != 2 {
        let what = format!("\"logistic\" has two classes, but {} are listed.", classes.len());
        return Err(bad_tree("post_transform", what, "Use \"softmax\" or \"none\"."));
    }
    Ok(())
}

/// Checks the answer rule: one weight per class, or one cost per pair of classes, all finite and not
/// negative.
fn decision(model: &Model, classes: usize) -> Result<()> {
    let numbers: Vec<f64> = match &model.decision {
        Decision::Likeliest => return Ok(()),
        Decision::Balanced { weights } if weights.len() == classes => weights.clone(),
        Decision::Costs { costs }
            if costs.len() == classes && costs.iter().all(|row| row.len() == classes) =>
        {
            costs.concat()
        }
        other => {
            let what = format!("the rule {} does not fit {classes} classes.", quoted(other.as_str()));
            return Err(bad_tree(
                "decision",
                what,
                "Give one weight per class, or one row of costs per class.",
            ));
        }
    };
    finite("decision", numbers.iter().copied())?;
    if numbers.iter().any(|&number| number < 0.0) || numbers.iter().all(|&number| number == 0.0) {
        let what = "weights and costs must not be negative, and not all of them zero.";
        return Err(bad_tree("decision", what, "Give a positive number."));
    }
    let linear = model.tree.nodes().iter().position(|node| matches!(node, Node::Leaf(Leaf::Linear { .. })));
    match linear {
        Some(id) => {
            let what = "a leaf with a formula answers the likeliest class.";
            Err(bad_tree(&node_path(id), what, "Use the rule \"likeliest\"."))
        }
        None => Ok(()),
    }
}

fn depth(nodes: &[Node]) -> Result<()> {
    let mut depth = vec![0; nodes.len()];
    for (id, node) in nodes.iter().enumerate() {
        if depth[id] > MOST_DEPTH {
            let what = format!("the tree is deeper than {MOST_DEPTH} levels here.");
            return Err(bad_tree(&node_path(id), what, "Use a shallower tree."));
        }
        if let Node::Split { left, right, .. } = node {
            depth[*left] = depth[id] + 1;
            depth[*right] = depth[id] + 1;
        }
    }
    Ok(())
}

fn check_split(id: usize, split: &Split, features: &[Feature]) -> Result<()> {
    let path = node_path(id);
    match split {
        Split::Numerical { feature, threshold } => {
            numerical(&format!("{path}.split_feature"), *feature, features)?;
            finite(&format!("{path}.threshold"), [f64::from(*threshold)])
        }
        Split::Categorical { feature, left } => {
            let place = format!("{path}.split_feature");
            let found = known(&place, *feature, features)?;
            match &found.kind {
                FeatureKind::Categorical { categories } if categories.len() == left.len() => Ok(()),
                FeatureKind::Categorical { categories } => Err(bad_tree(
                    &format!("{path}.category_list"),
                    format!(
                        "the split has {} categories, but the column has {}.",
                        left.len(),
                        categories.len()
                    ),
                    "Use the column's own categories.",
                )),
                FeatureKind::Numerical { .. } => Err(bad_tree(
                    &place,
                    format!("column {} is numerical, but the split lists categories.", quoted(&found.name)),
                    "Use a column of type \"categorical\".",
                )),
            }
        }
        Split::Oblique { features: used, weights, missing_values, threshold } => {
            sum(
                &path,
                ["split_features", "weights", "missing_values"],
                used,
                weights,
                missing_values,
                features,
            )?;
            finite(&format!("{path}.threshold"), [*threshold])
        }
    }
}

fn check_leaf(id: usize, leaf: &Leaf, model: &Model) -> Result<()> {
    let path = node_path(id);
    let classes = model.target.classes().len();
    let outputs = match (&model.target, model.post_transform) {
        (Target::Value { .. } | Target::Clusters { .. }, _) | (_, PostTransform::Logistic) => 1,
        _ => classes,
    };
    let expected = |found: usize| {
        let what = format!("the leaf has {found} outputs, but this task and post_transform need {outputs}.");
        bad_tree(
            &format!("{path}.leaf_value"),
            what,
            "Give one raw output per class, one logit, or one number.",
        )
    };
    match leaf {
        Leaf::Scores(scores) if classes > 0 && scores.len() == outputs => {
            finite(&format!("{path}.leaf_value"), scores.iter().map(|&score| f64::from(score)))
        }
        Leaf::Constant(value) if classes == 0 => finite(&format!("{path}.leaf_value"), [f64::from(*value)]),
        Leaf::Linear { constant, features, coefficients, missing_values, bounds } if outputs == 1 => {
            finite(&format!("{path}.leaf_const"), [f64::from(*constant)])?;
            bounds.map_or(Ok(()), |bounds| check_bounds(&format!("{path}.leaf_bounds"), bounds))?;
            let names = ["leaf_features", "leaf_coeff", "missing_values"];
            sum(&path, names, features, coefficients, missing_values, &model.features)
        }
        Leaf::Scores(scores) => Err(expected(scores.len())),
        Leaf::Constant(_) | Leaf::Linear { .. } => Err(expected(1)),
    }
}

fn check_bounds(path: &str, Bounds { low, high }: Bounds) -> Result<()> {
    finite(path, [low, high])?;
    if low <= high {
        return Ok(());
    }
    let what = format!("the lower bound, {low}, is above the upper bound, {high}.");
    Err(bad_tree(path, what, "Give the lower bound first, then the upper bound."))
}

/// Checks a weighted sum of numeric columns: three lists of equal length.
fn sum(
    path: &str,
    [used_name, weights_name, missing_name]: [&str; 3],
    used: &[usize],
    weights: &[f32],
    missing: &[f32],
    features: &[Feature],
) -> Result<()> {
    for (name, values) in [(weights_name, weights), (missing_name, missing)] {
        let place = format!("{path}.{name}");
        if values.len() != used.len() {
            let what = format!("found {} numbers for {} columns.", values.len(), used.len());
            return Err(bad_tree(&place, what, format!("Give one number for each of {used_name}.")));
        }
        finite(&place, values.iter().map(|&value| f64::from(value)))?;
    }
    for (at, &feature) in used.iter().enumerate() {
        numerical(&format!("{path}.{used_name}[{at}]"), feature, features)?;
    }
    Ok(())
}

fn numerical(path: &str, feature: usize, features: &[Feature]) -> Result<()> {
    let found = known(path, feature, features)?;
    match found.kind {
        FeatureKind::Numerical { .. } => Ok(()),
        FeatureKind::Categorical { .. } => {
            let what =
                format!("column {} is categorical and cannot be compared as a number.", quoted(&found.name));
            Err(bad_tree(path, what, "Use a column of type \"numerical\"."))
        }
    }
}

/// The feature at a position.
pub(super) fn known<'a>(path: &str, feature: usize, features: &'a [Feature]) -> Result<&'a Feature> {
    features.get(feature).ok_or_else(|| {
        let what = format!("there is no column {feature}; there are {}.", features.len());
        bad_tree(path, what, "Use a position in features, counted from 0.")
    })
}

fn stats(model: &Model) -> Result<()> {
    let (nodes, classes) = (model.tree.size(), model.target.classes().len());
    if !model.stats.is_empty() && model.stats.len() != nodes {
        let what = format!("{} of {nodes} nodes have a data_count.", model.stats.len());
        return Err(bad_tree("trees[0].nodes", what, "Give it for every node or for none."));
    }
    for (id, NodeStats { counts, mean, deviation, .. }) in model.stats.iter().enumerate() {
        let place = format!("{}.leaf_distribution", node_path(id));
        if counts.len() != classes {
            let what = format!("found counts for {} classes; there are {classes}.", counts.len());
            return Err(bad_tree(&place, what, "Give one count per class."));
        }
        finite(&place, [*mean, *deviation])?;
    }
    Ok(())
}

/// Refuses NaN and infinity, which JSON cannot hold.
pub(super) fn finite(path: &str, values: impl IntoIterator<Item = f64>) -> Result<()> {
    match values.into_iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(not_finite(path, value)),
    }
}

fn not_finite(path: &str, value: f64) -> Error {
    bad_tree(path, format!("{value} is not a finite number."), "Use a finite number.")
}
