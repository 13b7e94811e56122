//! How the cells of a model's columns are read, for languages whose programs read cells.

use super::literal::{Language, string};
use crate::numeric::{NumberFormat, Thousands};
use crate::tree::{CellReading, Feature, FeatureKind, Model};

/// The parsing functions that a model's columns need.
pub(super) struct Parts {
    pub formats: bool,
    pub dates: bool,
}

impl Parts {
    pub(super) fn of(model: &Model) -> Parts {
        let readings = || {
            model.features.iter().filter_map(|feature| match &feature.kind {
                FeatureKind::Numerical { reading, .. } => Some(reading),
                FeatureKind::Categorical { .. } => None,
            })
        };
        let formatted = |reading: &CellReading| match reading {
            CellReading::Number(format) => *format != NumberFormat::default(),
            CellReading::Date { .. } => false,
        };
        Parts {
            formats: readings().any(formatted),
            dates: readings().any(|reading| matches!(reading, CellReading::Date { .. })),
        }
    }
}

/// The keys and literals in a feature's entry that describe its numbers. Empty for plain numbers and for
/// words.
pub(super) fn reading(feature: &Feature, language: Language) -> Vec<(&'static str, String)> {
    let words = match &feature.kind {
        FeatureKind::Numerical { reading: CellReading::Number(format), .. } if !format.is_plain() => vec![
            ("decimal", Some(format.decimal_separator())),
            ("thousands", format.thousands.map(Thousands::as_str)),
            ("unit", format.unit),
        ],
        FeatureKind::Numerical { reading: CellReading::Date { format, part, .. }, .. } => {
            vec![("date", Some(format.as_str())), ("part", Some(part.as_str()))]
        }
        FeatureKind::Numerical { .. } | FeatureKind::Categorical { .. } => vec![],
    };
    words.into_iter().filter_map(|(key, word)| Some((key, string(word?, language)))).collect()
}
