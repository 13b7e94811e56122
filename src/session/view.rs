//! A model as the page draws it.

use crate::export::words;
use crate::protocol::{NodeView, TreeView};
use crate::tree::{Model, Node, Split, Target};

/// The tree to draw.
pub(super) fn tree(model: &Model) -> TreeView {
    let tree = &model.tree;
    let nodes = tree.paths().into_iter().enumerate().map(|(id, path)| node(model, id, path)).collect();
    TreeView { nodes, size: tree.size() as u32, leaves: tree.leaves() as u32, depth: tree.depth() as u32 }
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
        default_left: false,
        rows: stats.rows as u32,
        counts: stats.counts.iter().map(|&count| count as u32).collect(),
        mean: regression.then_some(stats.mean),
        deviation: regression.then_some(stats.deviation),
        answer: String::new(),
        probabilities: vec![],
    };
    match &model.tree.nodes()[id] {
        Node::Split { split, left, right, default_left } => {
            view.left = Some(*left as u32);
            view.right = Some(*right as u32);
            view.default_left = *default_left;
            view.condition = words::condition(model, id);
            view.feature = leading_feature(model, split);
            if let Split::Numerical { threshold, .. } = split {
                view.threshold = Some(f64::from(*threshold));
            }
        }
        Node::Leaf(_) => {
            view.answer = words::answer(model, id);
            view.probabilities = words::probabilities(model, id);
        }
    }
    view
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
