//! A tree as indented rules, for human readers.

use std::fmt;

use super::words::{against_majority, answer, bounds, condition, one_line, rows_of, share};
use crate::tree::{Model, Node, Split, Target};

/// Writes a model as indented rules in the file's words. The text is for reading: numbers are shortest
/// decimals and long sets are cut. The JSON is exact.
pub struct Rules<'a>(pub &'a Model);

impl fmt::Display for Rules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules(model) = self;
        let (splits, leaves) = (model.tree.size() - model.tree.leaves(), model.tree.leaves());
        let task = model.target.task();
        write!(f, "{}: {task}, {splits} splits, {leaves} leaves", one_line(model.target.name()))?;
        match bounds(model).as_str() {
            "" => writeln!(f)?,
            words => writeln!(f, "; {words}")?,
        }
        // A stack instead of recursion, because the depth comes from a file.
        let mut stack = vec![(0, 0, "")];
        while let Some((id, depth, label)) = stack.pop() {
            write!(f, "{:indent$}{label}", "", indent = 2 * depth)?;
            match &model.tree.nodes()[id] {
                Node::Split { split, left, right, default_left } => {
                    write!(f, "{}?", condition(model, id))?;
                    let side = if *default_left { "yes" } else { "no" };
                    match split {
                        // The condition itself shows where missing values go.
                        Split::Numerical { threshold, .. } if *threshold == f32::MAX && !default_left => {}
                        Split::Numerical { .. } => write!(f, "  (missing: {side})")?,
                        Split::Categorical { .. } => write!(f, "  (missing or unseen: {side})")?,
                        Split::Oblique { .. } => {}
                    }
                    stack.push((*right, depth + 1, "no: "));
                    stack.push((*left, depth + 1, "yes: "));
                }
                Node::Leaf(_) => write!(f, "{}{}", answer(model, id), Support(model, id))?,
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The number of training rows in a leaf, and the share of them in the class it predicts:
/// `  (94 % of 24 rows)`.
pub(super) struct Support<'a>(pub &'a Model, pub usize);

impl fmt::Display for Support<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Support(model, id) = self;
        let mut parts = vec![];
        parts.extend(
            [share(model, *id), against_majority(model, *id)].into_iter().filter(|words| !words.is_empty()),
        );
        if let Some(stats) = model.stats.get(*id) {
            if model.leaf_class(*id).is_none() {
                parts.push(rows_of(stats.rows));
            }
            if let (Target::Value { .. }, true) = (&model.target, stats.rows > 0) {
                parts.push(format!("deviation {}", super::words::number(stats.deviation as f32)));
            }
            parts.extend(stats.description.iter().map(|line| one_line(line)));
        }
        if parts.is_empty() { Ok(()) } else { write!(f, "  ({})", parts.join(", ")) }
    }
}
