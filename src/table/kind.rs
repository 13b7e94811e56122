//! The kind of a column, and what was inferred about it.

use super::Profile;
use crate::error::{Code, Error, Result, listed, quoted};
use crate::numeric::{DateFormat, NumberFormat};

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Words from a set.
    Category,
    /// A pair of words such as yes and no.
    YesNo,
    /// Dates, times, or both.
    Date,
    /// Words that rarely repeat.
    Text,
    /// The same value in every row, or no value at all.
    Constant,
    /// A distinct value in every row: a row number or a key.
    Identifier,
}

/// How cells become values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// As numbers.
    Number(NumberFormat),
    /// As dates.
    Date(DateFormat),
    /// As words.
    Words,
}

/// A cell that does not fit its column's kind and counts as missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// Its line in the file, from 1.
    pub line: u64,
    /// The cell as the file spells it.
    pub cell: String,
}

/// What was inferred about a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name, unique within the table.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// How its cells become values.
    pub reading: Reading,
    /// Whether its present cells are all whole numbers.
    pub whole: bool,
    /// Number of missing cells, including cells that do not fit.
    pub missing: usize,
    /// Number of distinct present values.
    pub distinct: usize,
    /// Spellings of a missing value that occur in it, besides the empty cell.
    pub missing_tokens: Vec<String>,
    /// How many cells do not fit and count as missing.
    pub unfit_count: usize,
    /// The first of those cells.
    pub unfit: Vec<Unfit>,
    /// A summary of its present cells.
    pub profile: Profile,
    /// Sentences for the user about the column.
    pub(super) remarks: Vec<String>,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: [Kind; 7] =
        [Kind::Number, Kind::Category, Kind::YesNo, Kind::Date, Kind::Text, Kind::Constant, Kind::Identifier];

    /// Parses the name of a kind.
    pub fn parse(word: &str) -> Result<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| {
            let message = format!("There is no kind of column called {}.", quoted(word));
            Error::new(
                Code::BadValue,
                message,
                format!("Use one of {}.", listed(Kind::ALL.map(Kind::as_str))),
            )
        })
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Category => "category",
            Kind::YesNo => "yes-no",
            Kind::Date => "date",
            Kind::Text => "text",
            Kind::Constant => "constant",
            Kind::Identifier => "identifier",
        }
    }
}

impl Column {
    /// Whether it can be a feature.
    pub fn usable(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Category | Kind::YesNo | Kind::Date)
    }

    /// Why it is not used; empty if it is.
    pub fn note(&self) -> &'static str {
        match self.kind {
            Kind::Number | Kind::Category | Kind::YesNo | Kind::Date => "",
            Kind::Text => "Hardly any value repeats, so no rule could use it.",
            Kind::Constant if self.distinct == 0 => "Every cell is empty.",
            Kind::Constant if self.distinct == 1 && self.missing > 0 => {
                "Every row has the same value or none."
            }
            Kind::Constant if self.distinct > 1 => "You set it to constant, so it is left out.",
            Kind::Constant => "Every row has the same value.",
            Kind::Identifier => "It identifies rows, like a row number, so no rule could use it.",
        }
    }

    /// Whether a cell is empty or spelled as missing.
    pub(crate) fn is_missing(&self, cell: &str) -> bool {
        cell.is_empty() || self.missing_tokens.iter().any(|token| token == cell)
    }

    /// Whether a cell holds a value that fits the column.
    pub fn is_present(&self, cell: &str) -> bool {
        !self.is_missing(cell)
            && match (self.kind, &self.reading) {
                (Kind::Number, Reading::Number(format)) => format.parse(cell).is_some(),
                (Kind::Date, Reading::Date(format)) => format.parse(cell).is_some(),
                _ => true,
            }
    }

    /// The number in a cell, if the column holds numbers.
    pub fn number(&self, cell: &str) -> Option<f64> {
        match &self.reading {
            Reading::Number(format) if !self.is_missing(cell) => format.parse(cell),
            _ => None,
        }
    }

    /// Describes how numbers or dates are spelled; empty for plain numbers and for words.
    pub fn format(&self) -> String {
        let parts = match &self.reading {
            Reading::Words => vec![],
            Reading::Date(format) => vec![format.as_str().to_owned()],
            Reading::Number(format) => [
                format.decimal_comma.then(|| "decimal comma".to_owned()),
                format.thousands.map(|separator| format!("thousands as in 1{}000", separator.as_str())),
                format.unit.map(|unit| format!("with {unit}")),
            ]
            .into_iter()
            .flatten()
            .collect(),
        };
        parts.join(", ")
    }

    /// Sentences for the user about the column.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        let unfit = self.unfit.first().map(|first| {
            let count = self.unfit_count;
            let what = if self.kind == Kind::Date { "date" } else { "number" };
            format!(
                "{count} {} not a {what} and {} as missing, first {} on line {}.",
                if count == 1 { "cell is" } else { "cells are" },
                if count == 1 { "counts" } else { "count" },
                quoted(&first.cell),
                first.line,
            )
        });
        let name = quoted(&self.name);
        unfit
            .into_iter()
            .chain(self.remarks.iter().cloned())
            .map(move |text| format!("Column {name}: {text}"))
    }
}
