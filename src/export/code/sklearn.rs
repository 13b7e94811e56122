//! A script that builds a scikit-learn tree.

use std::fmt::Write;

use super::literal::{Language, string, strings};
use super::python::{feature, proof, readers};
use super::{answers, constant_outputs, numbers};
use crate::error::Result;
use crate::export::Document;
use crate::export::columns::{comparisons, refuse_sums};
use crate::tree::{Node, Target};

/// Writes a document as a Python script with a `DecisionTreeClassifier` or `DecisionTreeRegressor` in it.
pub(crate) struct Sklearn<'a>(pub &'a Document);

impl Sklearn<'_> {
    /// The script; fails for a tree with weighted sums.
    pub(crate) fn text(&self) -> Result<String> {
        let Sklearn(document) = self;
        refuse_sums(&document.model, "scikit-learn")?;
        let mut text = String::new();
        self.write(&mut text).expect("writing to a string");
        Ok(text)
    }

    fn write(&self, f: &mut String) -> std::fmt::Result {
        let Sklearn(document) = self;
        let model = &document.model;
        let classes = model.target.classes();
        writeln!(
            f,
            "\"\"\"A decision tree for scikit-learn 1.3 or newer, written by espalier {}.\n\n\
             `model` is the estimator and `matrix(rows)` makes its input from rows that map column names \
             to cells as text.\n\
             A column of words is its word's position, and each set of words that the tree tests is a \
             further column, 0 for rows\n\
             that go left. Leaves keep their numbers: model.apply(X) gives those of the tree file.\n\
             Run as a program it tests itself with the proof rows.\n\"\"\"\n\n\
             import math\nimport re\nimport struct\nimport sys\n\n\
             import numpy\nfrom sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor\n\
             from sklearn.tree._tree import NODE_DTYPE, Tree\n",
            env!("CARGO_PKG_VERSION")
        )?;
        writeln!(f, "TARGET = {}", string(model.target.name(), Language::Python))?;
        writeln!(f, "CLASSES = [{}]", strings(classes, Language::Python))?;
        writeln!(f, "FEATURES = [")?;
        model.features.iter().try_for_each(|one| writeln!(f, "    {},", feature(one)))?;
        let tree = comparisons(model);
        writeln!(
            f,
            "]\n# Sets of words: the feature, the positions of the words, \
             and the column's value for them.\nSETS = ["
        )?;
        for set in &tree.indicators {
            let codes: Vec<String> = set.codes.iter().map(usize::to_string).collect();
            writeln!(f, "    ({}, frozenset([{}]), {}),", set.feature, codes.join(", "), set.inside)?;
        }
        writeln!(
            f,
            "]\n# left_child, right_child, column, threshold, rows, whether a missing value goes left\n\
             NODES = ["
        )?;
        for (id, node) in model.tree.nodes().iter().enumerate() {
            let rows = model.stats.get(id).map_or(1, |stats| stats.rows.max(1));
            match (node, tree.tests[id]) {
                (Node::Split { left, right, default_left, .. }, Some((column, threshold))) => {
                    let (threshold, missing) = (f64::from(threshold), u8::from(*default_left));
                    writeln!(f, "    ({left}, {right}, {column}, {threshold:?}, {rows}, {missing}),")?;
                }
                _ => writeln!(f, "    (-1, -1, -2, -2.0, {rows}, 0),")?,
            }
        }
        writeln!(f, "]\n# The answer of each node; only those of leaves are ever given.\nVALUES = [")?;
        for id in 0..model.tree.size() {
            let outputs = constant_outputs(model, id).unwrap_or_else(|| self.inner_value(id));
            writeln!(f, "    [{}],", numbers(&outputs))?;
        }
        writeln!(f, "]")?;
        let answers: Vec<String> = answers(model).map(|(leaf, class)| format!("{leaf}: {class}")).collect();
        writeln!(f, "# The position of the class that each leaf answers: {}.", model.decision.meaning())?;
        writeln!(f, "ANSWERS = {{{}}}\nDEPTH = {}", answers.join(", "), model.tree.depth())?;
        writeln!(
            f,
            "# Constructed rows of cells with the leaf and the outputs that they must give.\nPROOF = ["
        )?;
        document.verification.iter().try_for_each(|row| writeln!(f, "    {},", proof(row)))?;
        writeln!(f, "]\n\n")?;
        write!(f, "{}", readers(model))?;
        write!(f, "{}\n\n{}", include_str!("cells.py"), include_str!("sklearn.py"))
    }

    /// Statistics of the training rows at an internal node.
    fn inner_value(&self, id: usize) -> Vec<f64> {
        let model = &self.0.model;
        match (&model.target, model.stats.get(id)) {
            (Target::Value { .. } | Target::Clusters { .. }, stats) => {
                vec![stats.map_or(0.0, |stats| stats.mean)]
            }
            (Target::Classes { classes, .. }, Some(stats)) if stats.counts.len() == classes.len() => {
                let rows = stats.counts.iter().sum::<usize>().max(1) as f64;
                stats.counts.iter().map(|&count| count as f64 / rows).collect()
            }
            (Target::Classes { classes, .. }, _) => vec![0.0; classes.len()],
        }
    }
}
