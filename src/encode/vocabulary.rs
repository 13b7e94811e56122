//! Cells to file values: which columns, which words, and what counts as missing.

use nalgebra::DMatrix;

use super::Problem;
use crate::numeric::order::{sort_values, sort_words};
use crate::numeric::parse_number;
use crate::table::{Column, Kind, Table};
use crate::tree::{Feature, FeatureKind};

/// The features of a model, fitted on its training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Vocabulary {
    /// The features in the order of a row's values.
    pub features: Vec<Feature>,
    /// Each feature's column in the table.
    columns: Vec<usize>,
}

impl Vocabulary {
    /// Learns the words and the range of each column from some rows of the problem (positions in `problem.rows`).
    /// A column that says nothing on these rows is left out.
    pub fn fit(table: &Table, problem: &Problem, rows: &[usize]) -> Vocabulary {
        let mut vocabulary = Vocabulary { features: vec![], columns: vec![] };
        for &at in &problem.columns {
            let column = &table.columns()[at];
            let cells = rows.iter().map(|&row| table.cell(problem.rows[row], at));
            let present = cells.filter(|cell| !is_missing(column, cell));
            if let Some(kind) = kind_of(column, present) {
                let missing_tokens = column.missing_tokens.clone();
                vocabulary.features.push(Feature { name: column.name.clone(), kind, missing_tokens });
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

fn is_missing(column: &Column, cell: &str) -> bool {
    cell.is_empty() || column.missing_tokens.iter().any(|token| token == cell)
}

/// The words or the range of the present cells; none if they do not differ.
fn kind_of<'a>(column: &Column, present: impl Iterator<Item = &'a str>) -> Option<FeatureKind> {
    if column.kind == Kind::Number {
        let mut values: Vec<f32> = present.filter_map(parse_number).map(|value| value as f32).collect();
        sort_values(&mut values);
        let (&min, &max) = (values.first()?, values.last()?);
        let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(&values, share));
        (min < max).then_some(FeatureKind::Numerical { min, max, quartiles })
    } else {
        let mut words: Vec<&str> = present.collect();
        sort_words(&mut words);
        let categories: Vec<String> = words.into_iter().map(str::to_owned).collect();
        (categories.len() > 1).then_some(FeatureKind::Categorical { categories })
    }
}

/// Quantile of sorted values, by linear interpolation.
pub(super) fn quantile(sorted: &[f32], share: f64) -> f32 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    let weight = place - place.floor();
    (f64::from(below) * (1.0 - weight) + f64::from(above) * weight) as f32
}
