//! Reads the nodes of a `*.tree.json`.

use super::check;
use super::cursor::{At, bad_tree};
use super::wire::COMPARISON;
use crate::error::{Result, quoted};
use crate::tree::{Bounds, Feature, FeatureKind, Leaf, Model, Node, NodeStats, Split, Target, Tree};

/// The one tree of the file, and its training statistics by node (empty if the file has none).
pub(super) fn tree(top: &At, features: &[Feature], target: &Target) -> Result<(Tree, Vec<NodeStats>)> {
    let trees = top.key("trees")?;
    let list = trees.list()?;
    let [at] = list.as_slice() else {
        let what = format!("found {} trees; this version reads files with one.", list.len());
        return Err(trees.error(what, "Use a newer version of this program, or a file with one tree."));
    };
    if let Some(root) = at.get("root")?
        && root.whole()? != 0
    {
        return Err(root.error("the root is not the first node.", "Put the root first and write 0 here."));
    }
    let at = at.key("nodes")?;
    let list = at.list()?;
    let mut nodes = Vec::with_capacity(list.len());
    let mut stats = Vec::with_capacity(list.len());
    for (id, at) in list.iter().enumerate() {
        if let Some(named) = at.get("node_id")?
            && named.whole()? != id as u64
        {
            let what = format!("the node's id is {}, but its position is {id}.", named.whole()?);
            return Err(named.error(what, "Number the nodes by their position, from 0."));
        }
        nodes.push(node(at, features, target)?);
        stats.extend(node_stats(at, target)?);
    }
    if !stats.is_empty() && stats.len() != nodes.len() {
        let what = format!("{} of {} nodes have a data_count.", stats.len(), nodes.len());
        return Err(at.error(what, "Give it for every node or for none."));
    }
    let written = nodes.clone();
    let tree = Tree::new(nodes).map_err(|problem| {
        at.error(format!("{problem}."), "Every node but the root is the child of one other node.")
    })?;
    // Proof rows refer to leaves by position, so positions must be right.
    if let Some(id) = tree.nodes().iter().zip(&written).position(|(ordered, written)| ordered != written) {
        let what = "the nodes are not in breadth-first order.";
        return Err(bad_tree(&check::node_path(id), what, "List them level by level, left to right."));
    }
    Ok((tree, stats))
}

/// Refuses a leaf whose stated class is not the one that the file's answer rule gives.
pub(super) fn leaf_classes(top: &At, model: &Model) -> Result<()> {
    let trees = top.key("trees")?.list()?;
    let nodes = trees.iter().map(|at| at.key("nodes")?.list()).collect::<Result<Vec<_>>>()?;
    for (id, at) in nodes.iter().flatten().enumerate() {
        let Some(said) = at.get("leaf_class")? else { continue };
        let class = model.leaf_class(id).map(|class| model.target.classes()[class].as_str());
        if class != Some(said.text()?) {
            let what =
                format!("the leaf answers {} by the rule of the file.", quoted(class.unwrap_or("no class")));
            return Err(
                said.error(what, "The file was changed after it was written: download the tree again.")
            );
        }
    }
    Ok(())
}

fn node(at: &At, features: &[Feature], target: &Target) -> Result<Node> {
    let Some(split_type) = at.get("split_type")? else {
        return leaf(at, target).map(Node::Leaf);
    };
    let split = match split_type.text()? {
        "numerical" => {
            at.key("comparison_op")?.only(COMPARISON)?;
            Split::Numerical {
                feature: at.key("split_feature")?.index()?,
                threshold: at.key("threshold")?.single()?,
            }
        }
        "categorical" => categorical(at, features)?,
        "oblique" => {
            at.key("comparison_op")?.only(COMPARISON)?;
            Split::Oblique {
                features: at.key("split_features")?.each(At::index)?,
                weights: at.key("weights")?.each(At::single)?,
                missing_values: at.key("missing_values")?.each(At::single)?,
                threshold: at.key("threshold")?.number()?,
            }
        }
        other => {
            let what = format!("the split type {} is not known.", quoted(other));
            let hint =
                "Use \"numerical\", \"categorical\" or \"oblique\", or a newer version of this program.";
            return Err(split_type.error(what, hint));
        }
    };
    Ok(Node::Split {
        split,
        left: at.key("left_child")?.index()?,
        right: at.key("right_child")?.index()?,
        default_left: at.key("default_left")?.flag()?,
    })
}

fn categorical(at: &At, features: &[Feature]) -> Result<Split> {
    let place = at.key("split_feature")?;
    let position = place.index()?;
    let feature = check::known(place.path(), position, features)?;
    let FeatureKind::Categorical { categories } = &feature.kind else {
        let what = format!("column {} is numerical, but the split lists categories.", quoted(&feature.name));
        return Err(place.error(what, "Use a column of type \"categorical\"."));
    };
    let mut left = vec![false; categories.len()];
    for at in at.key("category_list")?.list()? {
        let word = at.text()?;
        let Ok(code) = categories.binary_search_by(|known| known.as_str().cmp(word)) else {
            let what = format!("column {} has no category {}.", quoted(&feature.name), quoted(word));
            return Err(at.error(what, "Use words from the column's categories."));
        };
        left[code] = true;
    }
    Ok(Split::Categorical { feature: position, left })
}

fn leaf(at: &At, target: &Target) -> Result<Leaf> {
    if let Some(constant) = at.get("leaf_const")? {
        return Ok(Leaf::Linear {
            constant: constant.single()?,
            features: at.key("leaf_features")?.each(At::index)?,
            coefficients: at.key("leaf_coeff")?.each(At::single)?,
            missing_values: at.key("missing_values")?.each(At::single)?,
            bounds: at.get("leaf_bounds")?.map(|at| bounds(&at)).transpose()?,
        });
    }
    let Some(value) = at.get("leaf_value")? else {
        let what = "the node has neither \"split_type\" nor \"leaf_value\" nor \"leaf_const\".";
        return Err(at.error(what, "Make it a split or a leaf."));
    };
    let outputs = value.each(At::single)?;
    match (target, outputs.as_slice()) {
        (Target::Classes { .. }, _) => Ok(Leaf::Scores(outputs)),
        (Target::Value { .. } | Target::Clusters { .. }, [number]) => Ok(Leaf::Constant(*number)),
        (Target::Value { .. } | Target::Clusters { .. }, _) => {
            let what = format!("a leaf of a {} tree has one number, found {}.", target.task(), outputs.len());
            Err(value.error(what, "Give one number."))
        }
    }
}

fn bounds(at: &At) -> Result<Bounds> {
    match at.each(At::number)?[..] {
        [low, high] => Ok(Bounds { low, high }),
        ref other => {
            let what = format!("expected two numbers, found {}.", other.len());
            Err(at.error(what, "Give the lower and the upper bound of the leaf."))
        }
    }
}

fn node_stats(at: &At, target: &Target) -> Result<Option<NodeStats>> {
    let Some(rows) = at.get("data_count")? else { return Ok(None) };
    let rows = rows.index()?;
    if let Target::Clusters { .. } = target {
        let description =
            at.get("description")?.map(|at| at.each(At::string)).transpose()?.unwrap_or_default();
        return Ok(Some(NodeStats { rows, description, ..NodeStats::default() }));
    }
    let at = at.key("leaf_distribution")?;
    Ok(Some(match target {
        Target::Classes { .. } => NodeStats { rows, counts: at.each(At::index)?, ..NodeStats::default() },
        Target::Value { .. } | Target::Clusters { .. } => NodeStats {
            rows,
            mean: at.key("mean")?.number()?,
            deviation: at.key("deviation")?.number()?,
            ..NodeStats::default()
        },
    }))
}
