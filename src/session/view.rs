//! A model as the page draws it.

use crate::export::words;
use crate::learn::NodeChoice;
use crate::numeric::DatePart;
use crate::numeric::order::sort_positions;
use crate::protocol::{DateInfo, FeatureInfo, NodeView, TreeView};
use crate::tree::{Bounds, CellReading, Feature, FeatureKind, Leaf, Model, Node, Split, Target, Tree};

/// The tree to draw.
pub(super) fn tree(model: &Model) -> TreeView {
    let tree = &model.tree;
    let nodes = tree.paths().into_iter().enumerate().map(|(id, path)| node(model, id, path)).collect();
    TreeView { nodes, size: tree.size() as u32, leaves: tree.leaves() as u32, depth: tree.depth() as u32 }
}

/// The columns that a model may read.
pub(super) fn features(model: &Model) -> Vec<FeatureInfo> {
    let mut read = vec![false; model.features.len()];
    model.tree.nodes().iter().flat_map(Node::features).for_each(|&feature| read[feature] = true);
    model.features.iter().zip(read).map(|(feature, read)| column(feature, read)).collect()
}

fn column(feature: &Feature, read: bool) -> FeatureInfo {
    let (words, range, reading) = match &feature.kind {
        FeatureKind::Categorical { categories } => (categories.clone(), vec![], None),
        FeatureKind::Numerical { reading, min, max, quartiles } => {
            (vec![], vec![f64::from(*min), f64::from(quartiles[1]), f64::from(*max)], Some(reading))
        }
    };
    let (part, decimal, unit) = match reading {
        None => (None, "", ""),
        Some(CellReading::Date { part, .. }) => (Some(part.as_str().to_owned()), "", ""),
        Some(CellReading::Number(format)) => {
            (None, format.decimal_separator(), format.unit.unwrap_or_default())
        }
    };
    let (name, column) = (feature.name.clone(), feature.column().to_owned());
    FeatureInfo { name, column, read, words, part, range, decimal: decimal.into(), unit: unit.into() }
}

/// The tree of a training that goes on, with what its splits waver between and how much of its nodes is kept.
/// What moves has no use for every digit, and 2.4999998 is hard to read in passing.
pub(super) fn moving(model: &Model, choices: &[NodeChoice], keeping: &[f32]) -> TreeView {
    let nodes = model.tree.nodes().iter().cloned().map(|mut node| {
        if let Node::Split { split: Split::Numerical { threshold, .. }, .. } = &mut node {
            *threshold = in_passing(*threshold);
        }
        node
    });
    let nodes = Tree::new(nodes.collect()).expect("the same tree");
    let mut view = tree(&Model { tree: nodes, ..model.clone() });
    if keeping.len() == view.nodes.len() {
        view.nodes.iter_mut().zip(keeping).for_each(|(node, &kept)| node.kept = Some(f64::from(kept)));
    }
    for choice in choices {
        let Some(node) = view.nodes.get_mut(choice.node) else { continue };
        node.leading =
            choice.leading.iter().map(|&(feature, _)| model.features[feature].name.clone()).collect();
        node.shares = choice.leading.iter().map(|&(_, share)| f64::from(share)).collect();
        node.locked = choice.locked;
    }
    view
}

/// A threshold to five digits; the largest of all stand for every number and stay.
fn in_passing(threshold: f32) -> f32 {
    if threshold.abs() == f32::MAX {
        return threshold;
    }
    format!("{threshold:.4e}").parse().unwrap_or(threshold)
}

fn node(model: &Model, id: usize, path: String) -> NodeView {
    let stats = &model.stats.get(id).cloned().unwrap_or_default();
    let regression = matches!(model.target, Target::Value { .. }) && stats.rows > 0;
    let mut view = NodeView {
        path,
        left: None,
        right: None,
        condition: String::new(),
        feature: String::new(),
        threshold: None,
        date: None,
        default_left: false,
        rows: stats.rows as u32,
        counts: stats.counts.iter().map(|&count| count as u32).collect(),
        mean: regression.then_some(stats.mean),
        deviation: regression.then_some(stats.deviation),
        answer: String::new(),
        class: None,
        reason: String::new(),
        bounds: None,
        probabilities: vec![],
        leading: vec![],
        shares: vec![],
        weights: vec![],
        locked: false,
        kept: None,
        description: stats.description.clone(),
    };
    match &model.tree.nodes()[id] {
        Node::Split { split, left, right, default_left } => {
            view.left = Some(*left as u32);
            view.right = Some(*right as u32);
            view.default_left = *default_left;
            view.condition = words::condition(model, id);
            view.feature = leading_feature(model, split);
            match split {
                Split::Numerical { feature, threshold } => {
                    view.threshold = Some(f64::from(*threshold));
                    view.date = date(model, *feature);
                }
                Split::Categorical { .. } => {}
                Split::Oblique { features, weights, .. } => effects(model, features, weights, &mut view),
            }
        }
        Node::Leaf(leaf) => {
            view.answer = words::answer(model, id);
            view.class = model.leaf_class(id).map(|class| class as u32);
            view.reason = words::against_majority(model, id);
            view.probabilities = words::probabilities(model, id);
            // For classes they bound the logit, which is not shown.
            if let (Leaf::Linear { bounds: Some(Bounds { low, high }), .. }, Target::Value { .. }) =
                (leaf, &model.target)
            {
                view.bounds = Some([*low, *high]);
            }
        }
    }
    view
}

/// The part of a date that a feature is; none for others.
fn date(model: &Model, feature: usize) -> Option<DateInfo> {
    let part_of = |feature: &Feature| match &feature.kind {
        FeatureKind::Numerical { reading: CellReading::Date { column, part, .. }, min, .. } => {
            Some((column.clone(), *part, *min))
        }
        _ => None,
    };
    let (column, part, _) = part_of(&model.features[feature])?;
    let parts = model.features.iter().filter_map(part_of).filter(|(of, ..)| *of == column);
    // Times that differ give an hour; one that is always the same shows in the days.
    let times = parts.into_iter().any(|(_, part, least)| match part {
        DatePart::Hour => true,
        DatePart::Days => least.fract() != 0.0,
        _ => false,
    });
    Some(DateInfo { column, part: part.as_str().into(), times })
}

/// The columns of a weighted sum by what each can do to it.
fn effects(model: &Model, features: &[usize], weights: &[f32], view: &mut NodeView) {
    let spread = |feature: usize| match model.features[feature].kind {
        FeatureKind::Numerical { quartiles: [lower, _, upper], .. } if upper > lower => {
            f64::from(upper - lower)
        }
        // Half of the values are one: what is left is the range.
        FeatureKind::Numerical { min, max, .. } => f64::from(max - min),
        FeatureKind::Categorical { .. } => 1.0,
    };
    let effect = |at: usize| f64::from(weights[at]) * spread(features[at]);
    let mut order: Vec<usize> = (0..features.len()).collect();
    sort_positions(&mut order, &|a, b| effect(b).abs().total_cmp(&effect(a).abs()));
    let most = order.first().map_or(1.0, |&at| effect(at).abs()).max(f64::MIN_POSITIVE);
    view.leading = order.iter().map(|&at| model.features[features[at]].name.clone()).collect();
    view.weights = order.iter().map(|&at| effect(at) / most).collect();
}

/// The feature a split is named after: of an oblique one, that with the largest weight.
fn leading_feature(model: &Model, split: &Split) -> String {
    let leading = match split {
        Split::Numerical { feature, .. } | Split::Categorical { feature, .. } => Some(*feature),
        Split::Oblique { features, weights, .. } => features
            .iter()
            .zip(weights)
            .max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()))
            .map(|(feature, _)| *feature),
    };
    leading.map_or_else(String::new, |feature| model.features[feature].name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_in_passing_is_short() {
        assert_eq!(in_passing(2.5f32.next_down()), 2.5);
        assert_eq!(in_passing(-0.012_345_678), -0.012_346);
        assert_eq!((in_passing(f32::MAX), in_passing(f32::MIN), in_passing(0.0)), (f32::MAX, f32::MIN, 0.0));
    }
}
