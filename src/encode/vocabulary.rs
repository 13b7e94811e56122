//! Converts cells to file values: knows the columns, their words, and what counts as missing.

use nalgebra::DMatrix;

use super::Problem;
use crate::numeric::DatePart;
use crate::numeric::order::{sort_values, sort_words};
use crate::table::{Column, Kind, Reading, Table};
use crate::tree::{CellReading, Feature, FeatureKind};

/// The features of a model, fitted on its training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Vocabulary {
    /// The features in the order of a row's values.
    pub features: Vec<Feature>,
    /// Each feature's column in the table; the parts of a date share theirs.
    columns: Vec<usize>,
}

impl Vocabulary {
    /// Learns the words and the range of each column from some rows of the problem (positions in
    /// `problem.rows`). Columns that do not vary in these rows are left out.
    pub fn fit(table: &Table, problem: &Problem, rows: &[usize]) -> Vocabulary {
        let mut vocabulary = Vocabulary { features: vec![], columns: vec![] };
        for &at in &problem.columns {
            let column = &table.columns()[at];
            let cells = rows.iter().map(|&row| table.cell(problem.rows[row], at));
            let present: Vec<&str> = cells.filter(|cell| !column.is_missing(cell)).collect();
            for (mut name, kind) in features_of(column, &present) {
                // The name must not clash with another column.
                while name != column.name && table.columns().iter().any(|other| other.name == name) {
                    name.push('*');
                }
                let missing_tokens = column.missing_tokens.clone();
                vocabulary.features.push(Feature { name, kind, missing_tokens });
                vocabulary.columns.push(at);
            }
        }
        vocabulary
    }

    /// The file values of some rows of the problem: one sample per column of the matrix.
    pub fn values(&self, table: &Table, problem: &Problem, rows: &[usize]) -> DMatrix<f32> {
        DMatrix::from_fn(self.features.len(), rows.len(), |feature, sample| {
            self.features[feature].parse(table.cell(problem.rows[rows[sample]], self.columns[feature]))
        })
    }
}

/// The features that a column's present cells give: usually one with the column's name, for a date one per
/// part, and none if the cells do not vary.
fn features_of(column: &Column, present: &[&str]) -> Vec<(String, FeatureKind)> {
    let name = || column.name.clone();
    match (&column.reading, column.kind) {
        (Reading::Number(format), Kind::Number) => {
            let kind = numerical(present, CellReading::Number(format.clone()));
            kind.map(|kind| (name(), kind)).into_iter().collect()
        }
        (Reading::Date(format), Kind::Date) => DatePart::ALL
            .into_iter()
            .filter_map(|part| {
                let reading = CellReading::Date { column: name(), format: *format, part };
                Some((format!("{} ({})", column.name, part.words()), numerical(present, reading)?))
            })
            .collect(),
        _ => {
            let mut words = present.to_vec();
            sort_words(&mut words);
            let categories: Vec<String> = words.into_iter().map(str::to_owned).collect();
            let kind = (categories.len() > 1).then_some(FeatureKind::Categorical { categories });
            kind.map(|kind| (name(), kind)).into_iter().collect()
        }
    }
}

/// The range of the present cells; `None` if they do not vary.
fn numerical(present: &[&str], reading: CellReading) -> Option<FeatureKind> {
    let mut values: Vec<f32> =
        present.iter().filter_map(|cell| reading.number(cell)).map(|value| value as f32).collect();
    sort_values(&mut values);
    let (&min, &max) = (values.first()?, values.last()?);
    let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(&values, share));
    (min < max).then_some(FeatureKind::Numerical { min, max, quartiles, reading })
}

/// Quantile of sorted values, by linear interpolation.
pub(super) fn quantile(sorted: &[f32], share: f64) -> f32 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    let weight = place - place.floor();
    (f64::from(below) * (1.0 - weight) + f64::from(above) * weight) as f32
}
