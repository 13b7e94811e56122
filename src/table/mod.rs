//! CSV bytes to named, typed columns.
//!
//! A [`Table`] keeps every cell as the file spells it, so that the finished tree can use the file's own
//! words. It also keeps what was inferred about each column. It knows nothing about targets, encodings or
//! learners.
//!
//! A file passes through these modules in order:
//!
//! 1. `decode`: bytes to text.
//! 2. `dialect`: delimiter and header.
//! 3. `csv`: text to cells, by column. `plain` is the fast path for files without quotes; `pieces` and
//!    `stream` read files that are too large to hold.
//! 4. `infer`: the kind of each column, with `detect` for number and date formats.
//! 5. `profile`: a summary of each column.

mod csv;
mod decode;
mod detect;
mod dialect;
mod infer;
mod kind;
mod lines;
mod loading;
mod missing;
mod names;
mod options;
mod pieces;
mod plain;
mod profile;
mod records;
mod store;
mod stream;
mod suggest;
mod words;

use std::borrow::Cow;
use std::sync::OnceLock;

pub use decode::Encoding;
pub use dialect::Delimiter;
pub use kind::{Column, Kind, Reading, Unfit};
pub use loading::Loading;
pub use options::{EVERY_COLUMN, MissingTokens, Overrides};
pub use profile::Profile;
pub use records::{Dialect, Records, SkippedRow};
pub use suggest::Suggestion;

#[doc(hidden)]
pub use {
    csv::Reader,
    stream::{Fed, Stream, Survey, Surveyed},
};

use crate::error::{Code, Error, Result, listed, quoted};

/// A file that was read.
#[derive(Debug, Clone)]
pub struct Table {
    records: Records,
    columns: Vec<Column>,
    sha256: OnceLock<String>,
}

impl Table {
    /// Reads a file with the user's options, and detects the rest.
    pub fn read(bytes: &[u8], overrides: &Overrides) -> Result<Table> {
        Loading::new(Cow::Borrowed(bytes), overrides.clone()).finish()
    }

    /// The number of data rows.
    pub fn rows(&self) -> usize {
        self.records.rows()
    }

    /// The columns in the file's order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// A cell as the file spells it, without surrounding whitespace.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.records.cell(row, column)
    }

    /// The line of the file on which a row begins, from 1.
    pub fn line(&self, row: usize) -> u64 {
        self.records.line(row)
    }

    /// The file's delimiter, encoding and header.
    pub fn dialect(&self) -> Dialect {
        self.records.dialect
    }

    /// Rows that were left out because they cannot be read.
    pub fn skipped(&self) -> &[SkippedRow] {
        &self.records.skipped
    }

    /// The cells alone, without what was inferred about them.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// The SHA-256 of the file's bytes in hexadecimal, if [`identify`](Table::identify) was called.
    pub fn sha256(&self) -> Option<&str> {
        self.sha256.get().map(String::as_str)
    }

    /// Sets the SHA-256 of the file's bytes; later calls are ignored. The caller computes it in parallel with
    /// reading, because hashing takes longer than splitting the file into cells.
    pub fn identify(&self, sha256: String) {
        self.sha256.get_or_init(|| sha256);
    }

    /// The position of a column by its name.
    pub fn position(&self, name: &str) -> Result<usize> {
        self.columns.iter().position(|column| column.name == name).ok_or_else(|| {
            Error::new(
                Code::UnknownColumn,
                format!("The file has no column called {}.", quoted(name)),
                format!(
                    "Its columns are {}.",
                    listed(self.columns.iter().map(|column| column.name.as_str()))
                ),
            )
        })
    }

    /// Sentences for the user about how the file was read.
    pub fn warnings(&self) -> Vec<String> {
        self.records.notes.iter().cloned().chain(self.columns.iter().flat_map(Column::warnings)).collect()
    }
}
