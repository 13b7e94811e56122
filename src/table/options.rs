//! What the user knows better than the reader.

use super::{Delimiter, Encoding, Kind};
use crate::error::{Code, Error, Result, listed, quoted};

/// What the user knows better. Whatever is not said is guessed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overrides {
    /// What separates the fields.
    pub delimiter: Option<Delimiter>,
    /// How characters are spelled as bytes.
    pub encoding: Option<Encoding>,
    /// Whether the first line names the columns.
    pub header: Option<bool>,
    /// Leave out rows that cannot be read, instead of refusing the file.
    pub skip_bad_rows: bool,
    /// Keep rows at the end that have no value at all, as for predictions: every row has its answer.
    pub keep_empty_rows: bool,
    /// Columns with what they hold, whatever they look like.
    pub kinds: Vec<(String, Kind)>,
    /// The spellings of a missing value in a column, instead of the usual ones.
    pub missing: Vec<MissingTokens>,
}

/// The spellings of a missing value in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTokens {
    /// The column's name, or [`EVERY_COLUMN`].
    pub column: String,
    /// The spellings, beside the empty cell.
    pub tokens: Vec<String>,
}

/// Stands for every column that is not named apart.
pub const EVERY_COLUMN: &str = "*";

impl Overrides {
    /// Checks that every column named here is there, and of one kind only.
    pub(super) fn check(&self, names: &[String]) -> Result<()> {
        for (name, kind) in &self.kinds {
            known(names, name)?;
            if let Some(other) = self.kind(name).filter(|other| other != kind) {
                let (one, two) = (other.as_str(), kind.as_str());
                let message = format!("The column {} cannot be both {one} and {two}.", quoted(name));
                return Err(Error::new(Code::BadValue, message, "Give it one of the two kinds."));
            }
        }
        self.missing.iter().filter(|missing| missing.column != EVERY_COLUMN).try_for_each(|m| known(names, &m.column))
    }

    /// What the user says a column holds.
    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        self.kinds.iter().find(|(column, _)| column == name).map(|&(_, kind)| kind)
    }

    /// The spellings of a missing value that the user gave for a column; none if nothing was said about it.
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
