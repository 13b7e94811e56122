//! What a column holds, and what was understood of it.

use super::Profile;
use crate::error::{Code, Error, Result, listed, quoted};
use crate::numeric::{DateFormat, NumberFormat};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Words out of a set.
    Category,
    /// A pair of words such as yes and no.
    YesNo,
    /// Dates, times, or both.
    Date,
    /// Words that hardly ever repeat.
    Text,
    /// The same everywhere, or nothing at all.
    Constant,
    /// A different value in every row: a running number, a key.
    Identifier,
}

/// How the cells of a column become values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// As numbers.
    Number(NumberFormat),
    /// As dates.
    Date(DateFormat),
    /// As the words they are.
    Words,
}

/// A cell that does not fit its column's kind and counts as missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The line of the file, from 1.
    pub line: u64,
    /// The cell as the file spells it.
    pub cell: String,
}

/// What was understood of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name, unique within the table.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// How its cells become values.
    pub reading: Reading,
    /// Whether its present cells are all whole numbers.
    pub whole: bool,
    /// Missing cells, cells that do not fit included.
    pub missing: usize,
    /// Different present values.
    pub distinct: usize,
    /// Spellings of a missing value that occur in it, beside the empty cell.
    pub missing_tokens: Vec<String>,
    /// How many cells do not fit and count as missing.
    pub unfit_count: usize,
    /// The first of them.
    pub unfit: Vec<Unfit>,
    /// What its present cells look like.
    pub profile: Profile,
    /// What the user should know about it: one sentence each.
    pub(super) remarks: Vec<String>,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: [Kind; 7] =
        [Kind::Number, Kind::Category, Kind::YesNo, Kind::Date, Kind::Text, Kind::Constant, Kind::Identifier];

    /// The kind of a word.
    pub fn parse(word: &str) -> Result<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| {
            let message = format!("There is no kind of column called {}.", quoted(word));
            Error::new(Code::BadValue, message, format!("Use one of {}.", listed(Kind::ALL.map(Kind::as_str))))
        })
    }

    /// The word for it.
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
    /// Whether it is worth learning from.
    pub fn usable(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Category | Kind::YesNo | Kind::Date)
    }

    /// Why it is not used, or nothing.
    pub fn note(&self) -> &'static str {
        match self.kind {
            Kind::Number | Kind::Category | Kind::YesNo | Kind::Date => "",
            Kind::Text => "Hardly any value repeats, so no rule could use it.",
            Kind::Constant if self.distinct == 0 => "Every cell is empty.",
            Kind::Constant if self.distinct == 1 && self.missing > 0 => "Every row has the same value or none.",
            Kind::Constant if self.distinct > 1 => "It is left out like a constant, as you say.",
            Kind::Constant => "Every row has the same value.",
            Kind::Identifier => "It tells rows apart, like a row number, and no rule could use it.",
        }
    }

    /// Whether a cell is empty or spelled as missing.
    pub(crate) fn is_missing(&self, cell: &str) -> bool {
        cell.is_empty() || self.missing_tokens.iter().any(|token| token == cell)
    }

    /// Whether a cell has a value that fits the column.
    pub fn is_present(&self, cell: &str) -> bool {
        !self.is_missing(cell)
            && match (self.kind, &self.reading) {
                (Kind::Number, Reading::Number(format)) => format.parse(cell).is_some(),
                (Kind::Date, Reading::Date(format)) => format.parse(cell).is_some(),
                _ => true,
            }
    }

    /// The number of a cell, where the column's cells spell numbers.
    pub fn number(&self, cell: &str) -> Option<f64> {
        match &self.reading {
            Reading::Number(format) if !self.is_missing(cell) => format.parse(cell),
            _ => None,
        }
    }

    /// How numbers or dates are spelled, in words; nothing for plain numbers and for words.
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

    /// Sentences about the column.
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
        unfit.into_iter().chain(self.remarks.iter().cloned()).map(move |text| format!("Column {name}: {text}"))
    }
}
