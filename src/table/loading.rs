//! A file on its way to a table, in pieces, so that whoever reads a large one can show how far it is and stay responsive.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::{Column, Overrides, Reader, Records, Table, infer};
use crate::error::Result;

/// Share of the work that is cutting the file into cells; the rest is understanding the columns.
const READING: f64 = 0.6;

/// A file on its way to a table. Give rows to [`advance`](Loading::advance) until it says 1, then [`finish`](Loading::finish).
pub struct Loading<'a> {
    stage: Stage<'a>,
    overrides: Overrides,
    columns: Vec<Column>,
    sha256: String,
}

enum Stage<'a> {
    Reading(Box<Reader<'a>>),
    Understanding(Records),
}

impl<'a> Loading<'a> {
    /// Begins: decodes the bytes and guesses how the file is written.
    pub fn new(bytes: Cow<'a, [u8]>, overrides: Overrides) -> Result<Loading<'a>> {
        let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let reader = Reader::new(bytes, &overrides)?;
        Ok(Loading { stage: Stage::Reading(Box::new(reader)), overrides, columns: vec![], sha256 })
    }

    /// Reads at most so many rows, or understands one column. The share of the work that is done; 1 at the end.
    pub fn advance(&mut self, rows: usize) -> Result<f64> {
        match &mut self.stage {
            Stage::Reading(reader) => {
                let share = reader.advance(rows)?;
                if !reader.is_done() {
                    return Ok(READING * share);
                }
                let records = reader.take()?;
                self.overrides.check(records.names())?;
                self.stage = Stage::Understanding(records);
                Ok(READING)
            }
            Stage::Understanding(records) => {
                let columns = records.names().len();
                if self.columns.len() < columns {
                    self.columns.push(infer::column(records, self.columns.len(), &self.overrides));
                    if self.columns.len() == columns {
                        infer::reconsider(records, &mut self.columns, &self.overrides);
                    }
                }
                Ok(READING + (1.0 - READING) * (self.columns.len() as f64 / columns as f64))
            }
        }
    }

    /// The rows that were read so far.
    pub fn rows(&self) -> usize {
        match &self.stage {
            Stage::Reading(reader) => reader.rows(),
            Stage::Understanding(records) => records.rows(),
        }
    }

    /// The table, once everything has been read and understood.
    pub fn finish(mut self) -> Result<Table> {
        while self.advance(usize::MAX)? < 1.0 {}
        match self.stage {
            Stage::Understanding(records) => Ok(Table { records, columns: self.columns, sha256: self.sha256 }),
            Stage::Reading(_) => unreachable!("the loop above ends with the last column"),
        }
    }
}
