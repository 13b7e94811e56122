//! What the user knows better than the reader.

use super::{Delimiter, Encoding};
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
    /// Columns to read as numbers whatever they look like.
    pub numeric: Vec<String>,
    /// Columns to read as categories whatever they look like.
    pub categorical: Vec<String>,
    /// Columns to read as dates whatever they look like.
    pub date: Vec<String>,
    /// Columns that hold free text, which no rule could use.
    pub text: Vec<String>,
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
    /// Checks that every column named here is there, and in one list only.
    pub(super) fn check(&self, names: &[String]) -> Result<()> {
        let lists = [
            ("numeric", &self.numeric),
            ("categorical", &self.categorical),
            ("date", &self.date),
            ("text", &self.text),
        ];
        let mut seen: Vec<(&str, &String)> = vec![];
        for (kind, list) in lists {
            for name in list {
                known(names, name)?;
                if let Some((other, _)) = seen.iter().find(|(other, column)| *column == name && *other != kind) {
                    let message = format!("The column {} cannot be both {other} and {kind}.", quoted(name));
                    return Err(Error::new(Code::BadValue, message, "Name it in one of the two options."));
                }
                seen.push((kind, name));
            }
        }
        self.missing.iter().filter(|missing| missing.column != EVERY_COLUMN).try_for_each(|m| known(names, &m.column))
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
