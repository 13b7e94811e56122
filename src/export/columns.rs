//! Categorical splits as numeric comparisons, for programs whose trees only compare numbers.
//!
//! Each set of words becomes a column that is 0 for rows that go left and 1 for the others, and is tested by
//! `<= 0.5`. So the tree keeps its nodes and their positions. A missing or unseen word is in no set and takes
//! the default side.

use super::words::{against_likeliest, probabilities};
use crate::error::{Code, Error, Result};
use crate::tree::{Leaf, Model, Node, Split};

/// An indicator column for a set of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Indicator {
    /// The categorical feature.
    pub feature: usize,
    /// Positions of the words in the set.
    pub codes: Vec<usize>,
    /// The column's value for words in the set, 0 or 1; everything else has the other one.
    pub inside: u8,
}

/// A tree of numeric comparisons.
pub(super) struct Comparisons {
    /// The columns after those of the features.
    pub indicators: Vec<Indicator>,
    /// The column and the threshold that each node tests; `None` for a leaf.
    pub tests: Vec<Option<(usize, f32)>>,
}

/// Converts the tree to comparisons. An oblique split has no test here: see `refuse_sums`.
pub(super) fn comparisons(model: &Model) -> Comparisons {
    let mut indicators: Vec<Indicator> = vec![];
    let tests = model.tree.nodes().iter().map(|node| match node {
        Node::Split { split: Split::Numerical { feature, threshold }, .. } => Some((*feature, *threshold)),
        Node::Split { split: Split::Categorical { feature, left }, default_left, .. } => {
            let codes = (0..left.len()).filter(|&code| left[code] != *default_left).collect();
            let wanted = Indicator { feature: *feature, codes, inside: u8::from(*default_left) };
            let at = indicators.iter().position(|known| *known == wanted).unwrap_or_else(|| {
                indicators.push(wanted);
                indicators.len() - 1
            });
            Some((model.features.len() + at, 0.5))
        }
        _ => None,
    });
    let tests = tests.collect();
    Comparisons { indicators, tests }
}

/// Refuses a tree with weighted sums in a split or in a leaf.
pub(super) fn refuse_sums(model: &Model, program: &str) -> Result<()> {
    let odd = model.tree.nodes().iter().enumerate().find_map(|(id, node)| match node {
        Node::Split { split: Split::Oblique { .. }, .. } => Some((id, "weighs several columns in one split")),
        Node::Leaf(Leaf::Linear { .. }) => Some((id, "answers with a formula")),
        _ => None,
    });
    match odd {
        None => Ok(()),
        Some((id, what)) => Err(Error::new(
            Code::BadFormat,
            format!(
                "{program} compares one column at a time and answers with constants, but node {id} {what}."
            ),
            "Choose another format, such as onnx, python or sql, or train a learner with axis-aligned \
             splits.",
        )),
    }
}

/// Refuses a classifier with a leaf that does not predict its most probable class, which the program cannot
/// express.
pub(super) fn refuse_other_answers(model: &Model, program: &str) -> Result<()> {
    let odd = (0..model.tree.size()).find(|&id| !against_likeliest(model, id).is_empty());
    match odd {
        None => Ok(()),
        Some(id) => Err(Error::new(
            Code::BadFormat,
            format!("{program} answers the likeliest class, but leaf {id} {}.", against_likeliest(model, id)),
            "Choose another format, such as onnx, python or sql, or train with the answer rule likeliest.",
        )),
    }
}

/// Refuses a classifier whose leaves do not hold probabilities although the output transform is none.
pub(super) fn refuse_no_shares(model: &Model, program: &str) -> Result<()> {
    // Probabilities are stored in f32, so each is off by up to 2^-25.
    let is_share = |shares: &[f64]| {
        shares.iter().all(|share| (0.0..=1.0).contains(share))
            && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-5
    };
    let odd = (0..model.tree.size()).find(|&id| {
        let shares = probabilities(model, id);
        !shares.is_empty() && !is_share(&shares)
    });
    match odd {
        None => Ok(()),
        Some(id) => Err(Error::new(
            Code::BadFormat,
            format!(
                "A classifier of {program} gives probabilities, but the outputs of leaf {id} are not \
                 probabilities."
            ),
            "Make them add up to 1, or choose another format, such as python.",
        )),
    }
}
