//! The cells of a file, and the file's dialect.

use std::borrow::Cow;

use super::store::Cells;
use super::{Delimiter, Encoding, Overrides, Reader};
use crate::error::Result;

/// The cells of a file as text, stored by column, and the column names.
#[derive(Debug, Clone)]
pub struct Records {
    pub(super) names: Vec<String>,
    pub(super) cells: Vec<Cells>,
    /// The line on which each row begins.
    pub(super) lines: Vec<u32>,
    /// The file's delimiter, encoding and header.
    pub dialect: Dialect,
    /// Rows that were left out because they cannot be read.
    pub skipped: Vec<SkippedRow>,
    /// Sentences for the user about how the file was split into cells.
    pub notes: Vec<String>,
}

/// How a CSV file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The character between fields.
    pub delimiter: Delimiter,
    /// The character encoding.
    pub encoding: Encoding,
    /// Whether the first line is a header.
    pub header: bool,
}

/// A row that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkippedRow {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// How many fields every other row has.
    pub expected: usize,
    /// How many fields it has; `None` if a quote opens in it and is never closed.
    pub found: Option<usize>,
}

impl Records {
    /// Reads a file and detects everything about it.
    pub fn read(bytes: &[u8]) -> Result<Records> {
        Records::read_as(bytes, &Overrides::default())
    }

    /// Reads a file with the user's options, and detects the rest.
    pub fn read_as(bytes: &[u8], options: &Overrides) -> Result<Records> {
        Reader::new(Cow::Borrowed(bytes), options)?.finish()
    }

    /// The column names: trimmed, not empty, unique.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of data rows.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The line on which a row begins, from 1.
    pub(crate) fn line(&self, row: usize) -> u64 {
        u64::from(self.lines[row])
    }

    /// A cell without surrounding whitespace.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.cells[column].get(row)
    }

    /// The cells of a column.
    pub(super) fn column(&self, column: usize) -> &Cells {
        &self.cells[column]
    }

    /// Drops columns on the right that have neither a name nor a value: spreadsheets save the empty part of a
    /// sheet too.
    pub(super) fn drop_empty_columns(&mut self) {
        let mut columns = self.names.len();
        let unnamed = unnamed_from(&self.names);
        while columns > unnamed && self.cells[columns - 1].is_blank() && self.rows() > 0 {
            columns -= 1;
        }
        self.notes.extend(note_on_columns(self.names.len() - columns));
        self.keep_columns(columns);
    }

    /// Keeps the first columns.
    pub(super) fn keep_columns(&mut self, columns: usize) {
        self.names.truncate(columns);
        self.cells.truncate(columns);
    }

    /// Drops empty rows at the end, for the same reason.
    pub(super) fn drop_empty_rows(&mut self) {
        let mut rows = self.rows();
        // With a single column, an empty cell is a blank line, which is never a row.
        while rows > 0 && self.cells.iter().all(|column| column.get(rows - 1).is_empty()) {
            rows -= 1;
        }
        if rows < self.rows() {
            let dropped = self.rows() - rows;
            self.notes.push(match dropped {
                1 => "The last row has no value and is left out.".into(),
                _ => format!("The last {dropped} rows have no value and are left out."),
            });
            self.lines.truncate(rows);
            self.cells.iter_mut().for_each(|column| column.truncate(rows));
        }
    }
}

/// The first of the columns on the right that have no name of their own. It is at least 1, because a table
/// has a column.
pub(super) fn unnamed_from(names: &[String]) -> usize {
    let named = names.iter().enumerate().rposition(|(at, name)| *name != format!("column {}", at + 1));
    named.map_or(1, |at| at + 1).max(1)
}

/// The note for the user about dropped columns.
pub(super) fn note_on_columns(dropped: usize) -> Option<String> {
    match dropped {
        0 => None,
        1 => Some("The last column has no name and no value and is left out.".into()),
        _ => Some(format!("The last {dropped} columns have no name and no value and are left out.")),
    }
}
