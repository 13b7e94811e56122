//! CSV bytes to named, typed columns.
//!
//! A [`Table`] keeps every cell as the file spells it, so that the tree that comes out can speak in the file's own words, and
//! beside it what was understood of each column. Targets, encodings and learners are none of its business.

mod csv;
mod infer;
mod suggest;

pub use csv::Records;
pub use infer::{Column, Kind, MISSING_TOKENS, Overrides, Unfit};
pub use suggest::Suggestion;

use sha2::{Digest, Sha256};

use crate::error::{Code, Error, Result, listed, quoted};

/// A file that was read.
#[derive(Debug, Clone)]
pub struct Table {
    records: Records,
    columns: Vec<Column>,
    sha256: String,
}

impl Table {
    /// Reads a file: comma-separated UTF-8 with a header.
    pub fn read(bytes: &[u8], overrides: &Overrides) -> Result<Table> {
        let records = Records::read(bytes)?;
        let columns = infer::columns(&records, overrides)?;
        let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Table { records, columns, sha256 })
    }

    /// The number of data rows.
    pub fn rows(&self) -> usize {
        self.records.rows()
    }

    /// The columns in the file's order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// A cell as the file spells it, without surrounding blanks.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.records.cell(row, column)
    }

    /// The line of the file on which a row begins, from 1.
    pub fn line(&self, row: usize) -> u64 {
        self.records.line(row)
    }

    /// The SHA-256 of the file's bytes, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The position of a column by its name.
    pub fn position(&self, name: &str) -> Result<usize> {
        self.columns.iter().position(|column| column.name == name).ok_or_else(|| {
            Error::new(
                Code::UnknownColumn,
                format!("The file has no column called {}.", quoted(name)),
                format!("Its columns are {}.", listed(self.columns.iter().map(|column| column.name.as_str()))),
            )
        })
    }

    /// What the user should know about how the file was read: one sentence each.
    pub fn warnings(&self) -> Vec<String> {
        self.columns.iter().filter_map(Column::warning).collect()
    }
}
