//! A tree as a program: nested conditions in four languages, a query, and a script for scikit-learn.
//!
//! This file has what the four languages share. A row is a list `x` of f32 values, one per feature, as from
//! [`Feature::parse`](crate::tree::Feature::parse); `leaf_of` routes it to a leaf. Every number is written as
//! the shortest decimal of its f64, and an f32 is widened first, so that no language can round it to a
//! neighbour. Products of two f32 are exact in f64, so only the order of a sum matters; it is that of the
//! tree.

mod c;
mod cells;
mod javascript;
mod literal;
mod python;
mod rust;
mod sklearn;
mod sql;

pub(super) use c::CSource;
pub(super) use javascript::JavaScript;
pub(super) use python::Python;
pub(super) use rust::RustSource;
pub(super) use sklearn::Sklearn;
pub(super) use sql::Sql;

use std::collections::BTreeSet;

use crate::export::words::{condition, opposite};
use crate::tree::{Bounds, FeatureKind, Leaf, Model, Node, PostTransform, Split};

/// Levels of conditions in one function. Deeper nodes become functions of their own, so that no compiler's
/// limit is reached.
const LEVELS: usize = 12;

/// How a language writes the routing to a leaf. The defaults are for languages with braces.
trait Syntax {
    /// The first line of the function that routes from a node; the root's is `leaf_of`.
    fn function(&self, node: usize) -> String;
    /// The line that calls it.
    fn go_on(&self, node: usize) -> String;
    /// The line that returns a leaf.
    fn answer(&self, leaf: usize) -> String;
    /// A test of whether the value of a feature is one of these codes. False for missing and unseen values.
    fn one_of(&self, feature: usize, codes: &[usize]) -> String;
    /// The line that begins a condition.
    fn branch(&self, condition: &str) -> String {
        format!("if ({condition}) {{")
    }
    /// The line between a condition's two blocks.
    fn otherwise(&self) -> &'static str {
        "} else {"
    }
    /// The line that ends a condition or a function; may be empty.
    fn end(&self) -> &'static str {
        "}"
    }
    /// A comment at the end of a line.
    fn comment(&self, words: &str) -> String {
        format!(" // {words}")
    }
    /// Indentation of one level.
    fn indent(&self) -> usize {
        4
    }
}

/// The functions that route to a leaf, the deepest first, so that each is defined before it is called.
fn walk(model: &Model, syntax: &dyn Syntax) -> String {
    let mut heads = vec![];
    let mut pending = vec![0];
    while let Some(head) = pending.pop() {
        heads.push(head);
        below(model, head, LEVELS, &mut pending);
    }
    heads.sort_unstable();
    let mut text = String::new();
    for &head in heads.iter().rev() {
        text += &format!("{}\n", syntax.function(head));
        subtree(model, syntax, head, LEVELS, 1, &mut text);
        line(&mut text, 0, syntax.end());
        text += if syntax.end().is_empty() { "\n\n" } else { "\n" };
    }
    text
}

/// Collects the splits that are `levels` levels below a node.
fn below(model: &Model, node: usize, levels: usize, found: &mut Vec<usize>) {
    if let Node::Split { left, right, .. } = &model.tree.nodes()[node] {
        match levels {
            0 => found.push(node),
            _ => [*left, *right].into_iter().for_each(|child| below(model, child, levels - 1, found)),
        }
    }
}

fn subtree(model: &Model, syntax: &dyn Syntax, node: usize, levels: usize, depth: usize, text: &mut String) {
    let indent = depth * syntax.indent();
    let Node::Split { split, left, right, default_left } = &model.tree.nodes()[node] else {
        return line(text, indent, &syntax.answer(node));
    };
    if levels == 0 {
        return line(text, indent, &syntax.go_on(node));
    }
    let (test, first, second) = match split {
        Split::Oblique { features, weights, missing_values, threshold } => {
            let sum = sum(None, features, weights, missing_values);
            (format!("{sum} <= {threshold:?}"), left, right)
        }
        // A missing value fails every comparison and is in no set, so the default side comes last.
        Split::Numerical { feature, threshold } => {
            let sign = if *default_left { ">" } else { "<=" };
            let test = format!("x[{feature}] {sign} {:?}", f64::from(*threshold));
            if *default_left { (test, right, left) } else { (test, left, right) }
        }
        Split::Categorical { feature, left: goes_left } => {
            let test = syntax.one_of(*feature, &codes(goes_left, !default_left));
            if *default_left { (test, right, left) } else { (test, left, right) }
        }
    };
    let words = if first == left { condition(model, node) } else { opposite(model, node) };
    let words = syntax.comment(&literal::plain(&words));
    line(text, indent, &format!("{}{words}", syntax.branch(&test)));
    subtree(model, syntax, *first, levels - 1, depth + 1, text);
    line(text, indent, syntax.otherwise());
    subtree(model, syntax, *second, levels - 1, depth + 1, text);
    line(text, indent, syntax.end());
}

/// Adds an indented line; nothing if the content is empty.
fn line(text: &mut String, indent: usize, content: &str) {
    if !content.is_empty() {
        text.extend(std::iter::repeat_n(' ', indent));
        text.push_str(content);
        text.push('\n');
    }
}

/// The positions of the categories that go left, or of those that go right.
fn codes(goes_left: &[bool], side: bool) -> Vec<usize> {
    (0..goes_left.len()).filter(|&code| goes_left[code] == side).collect()
}

/// `1.5 + 0.25 * at(x[3], 14.5) + …` in f64, in the listed order. The written program defines `at`, which
/// replaces missing values.
fn sum(constant: Option<f32>, features: &[usize], weights: &[f32], stand_ins: &[f32]) -> String {
    let constant = constant.map(|value| format!("{:?}", f64::from(value)));
    let terms = features.iter().zip(weights).zip(stand_ins);
    let terms = terms.map(|((feature, &weight), &stand_in)| {
        format!("{:?} * at(x[{feature}], {:?})", f64::from(weight), f64::from(stand_in))
    });
    let terms: Vec<String> = constant.into_iter().chain(terms).collect();
    if terms.is_empty() { "0.0".into() } else { terms.join(" + ") }
}

/// The output of a linear leaf before the output transform; `None` for another node. The written program
/// defines `hold`, which clamps a sum to its bounds.
fn formula(node: &Node) -> Option<String> {
    let Node::Leaf(Leaf::Linear { constant, features, coefficients, missing_values, bounds }) = node else {
        return None;
    };
    let sum = sum(Some(*constant), features, coefficients, missing_values);
    Some(match bounds {
        Some(Bounds { low, high }) => format!("hold({sum}, {low:?}, {high:?})"),
        None => sum,
    })
}

/// Leaves whose output depends on the row, with the expression for it as a list. The written program defines
/// `logistic`.
fn formulas(model: &Model) -> impl Iterator<Item = (usize, String)> {
    leaves(model).filter_map(|leaf| {
        let answer = formula(&model.tree.nodes()[leaf])?;
        Some(match model.post_transform {
            PostTransform::Logistic => (leaf, format!("logistic({answer})")),
            _ => (leaf, format!("[{answer}]")),
        })
    })
}

/// The outputs of a leaf after the output transform; `None` if they depend on the row.
fn constant_outputs(model: &Model, leaf: usize) -> Option<Vec<f64>> {
    match &model.tree.nodes()[leaf] {
        Node::Leaf(Leaf::Linear { .. }) | Node::Split { .. } => None,
        Node::Leaf(_) => Some(model.post_transform.apply(&model.tree.output(leaf, &[]))),
    }
}

/// The leaves that predict the same class for every row, with the position of that class. Other leaves
/// predict the most probable class.
fn answers(model: &Model) -> impl Iterator<Item = (usize, usize)> {
    leaves(model).filter_map(|leaf| Some((leaf, model.leaf_class(leaf)?)))
}

/// Positions of the leaves.
fn leaves(model: &Model) -> impl Iterator<Item = usize> {
    (0..model.tree.size()).filter(|&id| matches!(model.tree.nodes()[id], Node::Leaf(_)))
}

/// The outputs a proof row must give, after the output transform.
fn proof_outputs(row: &super::ProofRow) -> &[f64] {
    if row.probabilities.is_empty() { &row.output } else { &row.probabilities }
}

/// The features that any node reads.
fn tested(model: &Model) -> BTreeSet<usize> {
    model.tree.nodes().iter().flat_map(|node| node.features().iter().copied()).collect()
}

/// Numbers as a list without its brackets.
fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
}

/// The helper functions that a program needs.
struct Needs {
    sets: bool,
    sums: bool,
    bounds: bool,
}

impl Needs {
    fn of(model: &Model) -> Needs {
        let nodes = model.tree.nodes();
        let is_sum = |node: &Node| match node {
            Node::Split { split: Split::Oblique { features, .. }, .. } => !features.is_empty(),
            Node::Leaf(Leaf::Linear { features, .. }) => !features.is_empty(),
            _ => false,
        };
        let is_set = |node: &Node| matches!(node, Node::Split { split: Split::Categorical { .. }, .. });
        let is_bounded = |node: &Node| matches!(node, Node::Leaf(Leaf::Linear { bounds: Some(_), .. }));
        let any = |is: &dyn Fn(&Node) -> bool| nodes.iter().any(is);
        Needs { sets: any(&is_set), sums: any(&is_sum), bounds: any(&is_bounded) }
    }
}

/// The words of a categorical feature; `None` for a numeric one.
fn categories(model: &Model, feature: usize) -> Option<&[String]> {
    match &model.features[feature].kind {
        FeatureKind::Categorical { categories } => Some(categories),
        FeatureKind::Numerical { .. } => None,
    }
}
