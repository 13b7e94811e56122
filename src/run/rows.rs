//! Rows of the file as a model reads them, for looking at a tree rather than for training one.

use nalgebra::DMatrix;

use super::Run;
use crate::encode::Labels;
use crate::tree::{Feature, Node, Split, Tree};

/// Some rows of the problem: their file values in the order of a model's features, and their outcomes.
pub struct Rows {
    /// P × N, one row of the file per column.
    values: DMatrix<f32>,
    /// N outcomes.
    pub labels: Labels,
}

impl Rows {
    /// Reads some rows of a run's problem (positions in it) as `features` say.
    pub(super) fn read(run: &Run, features: &[Feature], rows: &[usize]) -> Rows {
        let table = run.table();
        let columns: Vec<usize> = features
            .iter()
            .map(|feature| table.position(feature.column()).expect("a run's model reads the run's columns"))
            .collect();
        let values = DMatrix::from_fn(features.len(), rows.len(), |feature, i| {
            features[feature].parse(table.cell(run.problem().rows[rows[i]], columns[feature]))
        });
        Rows { values, labels: run.problem().labels.select(rows) }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.values.ncols()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// P × N, one row of the file per column.
    pub(super) fn values(&self) -> &DMatrix<f32> {
        &self.values
    }

    /// The number of features.
    pub(super) fn features(&self) -> usize {
        self.values.nrows()
    }

    /// The values of row `i`.
    pub fn row(&self, i: usize) -> &[f32] {
        let features = self.values.nrows();
        &self.values.as_slice()[i * features..(i + 1) * features]
    }

    /// Changes a value of row `i`.
    pub(super) fn set(&mut self, i: usize, feature: usize, value: f32) {
        self.values[(feature, i)] = value;
    }

    /// The value of one feature in every row.
    pub(super) fn column(&self, feature: usize) -> Vec<f32> {
        self.values.row(feature).iter().copied().collect()
    }

    /// Which rows reach each node of a tree, ascending.
    pub(super) fn by_node(&self, tree: &Tree) -> Vec<Vec<usize>> {
        let mut reached = vec![vec![]; tree.size()];
        for i in 0..self.len() {
            tree.path_of(self.row(i)).for_each(|node| reached[node].push(i));
        }
        reached
    }

    /// What a numerical or oblique split compares with its threshold in row `i`; NaN if it is missing, and
    /// for words.
    pub(super) fn compared(&self, split: &Split, i: usize) -> f64 {
        compared(split, self.row(i))
    }
}

/// What a numerical or oblique split compares with its threshold; NaN if it is missing, and for words.
pub fn compared(split: &Split, row: &[f32]) -> f64 {
    match split {
        Split::Numerical { feature, .. } => f64::from(row[*feature]),
        Split::Categorical { .. } => f64::NAN,
        Split::Oblique { features, weights, missing_values, .. } => {
            let terms = features.iter().zip(weights).zip(missing_values);
            terms
                .map(|((&feature, &weight), &stand_in)| {
                    let value = row[feature];
                    f64::from(weight) * f64::from(if value.is_nan() { stand_in } else { value })
                })
                .sum()
        }
    }
}

/// The threshold of a numerical or oblique split; NaN for words.
pub fn threshold(split: &Split) -> f64 {
    match split {
        Split::Numerical { threshold, .. } => f64::from(*threshold),
        Split::Oblique { threshold, .. } => *threshold,
        Split::Categorical { .. } => f64::NAN,
    }
}

/// The split at a node; none for a leaf.
pub(super) fn split_of(node: &Node) -> Option<&Split> {
    match node {
        Node::Split { split, .. } => Some(split),
        Node::Leaf(_) => None,
    }
}
