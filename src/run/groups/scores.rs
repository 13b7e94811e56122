//! Scores of groups: how much of the predicted columns they explain, and how pure they are by a label.

use super::GroupsFit;
use crate::metrics::{Hierarchy, dendrogram_purity};
use crate::numeric::order::{map_of, sort_words};
use crate::run::Metrics;
use crate::run::fit::Sources;
use crate::table::Table;

/// What the groups are learned by predicting.
pub(super) struct Predicted {
    /// Positions of the columns.
    pub columns: Vec<usize>,
    /// Their values in training units (N × outputs).
    pub values: Vec<f64>,
    /// The numbers per row.
    pub outputs: usize,
}

impl Predicted {
    /// The share of the values' variance over some rows that the means of the training rows in each leaf
    /// explain.
    pub(super) fn explained(&self, train: &[usize], leaf: &[usize], rows: &[usize]) -> Option<f64> {
        let width = self.outputs;
        let mut sums = vec![(vec![0.0; width], 0.0); leaf.iter().max()? + 1];
        for &i in train {
            let (sum, count) = &mut sums[leaf[i]];
            sum.iter_mut().zip(&self.values[i * width..]).for_each(|(sum, y)| *sum += y);
            *count += 1.0;
        }
        let mut means = vec![0.0; width];
        rows.iter().for_each(|&i| means.iter_mut().zip(&self.values[i * width..]).for_each(|(m, y)| *m += y));
        means.iter_mut().for_each(|mean| *mean /= rows.len().max(1) as f64);
        let (mut off, mut spread) = (0.0, 0.0);
        for &i in rows {
            let (sum, count) = &sums[leaf[i]];
            for k in 0..width {
                let y = self.values[i * width + k];
                // Values have mean 0 over the training rows, which is the answer where none of them is.
                let answer = if *count > 0.0 { sum[k] / count } else { 0.0 };
                off += (y - answer) * (y - answer);
                spread += (y - means[k]) * (y - means[k]);
            }
        }
        (spread > 0.0).then(|| 1.0 - off / spread)
    }
}

impl GroupsFit {
    /// The scores of a hierarchy by part, given the node above each node and the leaf of each row.
    pub(super) fn scores(&self, from: Sources<'_>, parent: &[usize], leaf: &[usize]) -> Metrics {
        let all: Vec<usize> = (0..leaf.len()).collect();
        let parts = [("train", &from.parts.train), ("valid", &from.parts.valid), ("test", &from.parts.test)];
        let labels = self.label.as_ref().map(|name| labels(from.table, name));
        let scored = |(part, rows): (&'static str, &Vec<usize>)| {
            let explained = self.predicted.explained(&from.parts.train, leaf, rows);
            let mut scores = map_of(explained.map(|r2| ("r2", r2)));
            if let Some((label, classes)) = &labels
                && let Some(purity) = purity(parent, leaf, label, *classes, rows)
            {
                scores.insert("dendrogram_purity", purity);
            }
            (part, scores)
        };
        let parts = parts.into_iter().chain([("all", &all)]);
        map_of(parts.filter(|(_, rows)| !rows.is_empty()).map(scored))
    }
}

/// The labels of all rows as numbers, and how many there are; a missing label is a class of its own.
fn labels(table: &Table, name: &str) -> (Vec<u32>, usize) {
    let column = table.position(name).expect("the column was found before");
    let cells: Vec<&str> = (0..table.rows()).map(|row| table.cell(row, column)).collect();
    let mut words = cells.clone();
    sort_words(&mut words);
    let place = |cell: &&str| words.binary_search(cell).expect("every word was listed") as u32;
    (cells.iter().map(place).collect(), words.len())
}

/// Dendrogram purity of some rows in a hierarchy; the root is node 0.
fn purity(parent: &[usize], leaf: &[usize], label: &[u32], classes: usize, rows: &[usize]) -> Option<f64> {
    let mut members = vec![vec![0.0; classes]; parent.len()];
    for &i in rows {
        let mut at = leaf[i];
        loop {
            members[at][label[i] as usize] += 1.0;
            if at == 0 {
                break;
            }
            at = parent[at];
        }
    }
    let leaves: Vec<usize> = rows.iter().map(|&i| leaf[i]).collect();
    let labels: Vec<u32> = rows.iter().map(|&i| label[i]).collect();
    dendrogram_purity(&Hierarchy { parent, leaf: &leaves, members: &members }, &labels)
}
