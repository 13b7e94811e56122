//! The user's corrections to what the reader detects.

use super::{Delimiter, Encoding, Kind};
use crate::error::{Code, Error, Result, listed, quoted};

/// The user's corrections. Everything left open is detected.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overrides {
    /// The character between fields.
    pub delimiter: Option<Delimiter>,
    /// The character encoding.
    pub encoding: Option<Encoding>,
    /// Whether the first line is a header.
    pub header: Option<bool>,
    /// Skip rows that cannot be read, instead of refusing the file.
    pub skip_bad_rows: bool,
    /// Keep empty rows at the end. Predictions need this: every row gets its prediction.
    pub keep_empty_rows: bool,
    /// The kind of some columns, whatever they look like.
    pub kinds: Vec<(String, Kind)>,
    /// Spellings of a missing value in some columns, in place of the usual ones.
    pub missing: Vec<MissingTokens>,
}

/// The spellings of a missing value in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTokens {
    /// The column's name, or [`EVERY_COLUMN`].
    pub column: String,
    /// The spellings, besides the empty cell.
    pub tokens: Vec<String>,
}

/// Stands for every column that is not listed by name.
pub const EVERY_COLUMN: &str = "*";

impl Overrides {
    /// Checks that every column named here exists and has only one kind.
    pub(super) fn check(&self, names: &[String]) -> Result<()> {
        for (name, kind) in &self.kinds {
            known(names, name)?;
            if let Some(other) = self.kind(name).filter(|other| other != kind) {
                let (one, two) = (other.as_str(), kind.as_str());
                let message = format!("The column {} cannot be both {one} and {two}.", quoted(name));
                return Err(Error::new(Code::BadValue, message, "Give it one of the two kinds."));
            }
        }
        self.missing
            .iter()
            .filter(|missing| missing.column != EVERY_COLUMN)
            .try_for_each(|m| known(names, &m.column))
    }

    /// The kind that the user set for a column.
    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        self.kinds.iter().find(|(column, _)| column == name).map(|&(_, kind)| kind)
    }

    /// The user's spellings of a missing value in a column; `None` if there are none for it.
    pub(super) fn missing_tokens(&self, name: &str) -> Option<&[String]> {
        let of = |name: &str| self.missing.iter().find(|missing| missing.column == name);
        of(name).or_else(|| of(EVERY_COLUMN)).map(|missing| missing.tokens.as_slice())
    }
}

fn known(names: &[String], name: &String) -> Result<()> {
    if names.contains(name) {
        return Ok(());
    }
    Err(Error::new(
        Code::UnknownColumn,
        format!("The file has no column called {}.", quoted(name)),
        format!("Its columns are {}.", listed(names.iter().map(String::as_str))),
    ))
}
