//! Loads a file in steps, so that the caller can show progress and stay responsive.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::{Column, Overrides, Reader, Records, Table, infer};
use crate::error::Result;

/// The share of the progress that is for splitting the file into cells; the rest is for inferring columns.
const READ: f64 = 0.7;

/// A file being loaded: call [`advance`](Loading::advance) until it returns 1, then
/// [`finish`](Loading::finish).
pub struct Loading<'a> {
    stage: Stage<'a>,
    overrides: Overrides,
    columns: Vec<Column>,
}

enum Stage<'a> {
    Waiting(Cow<'a, [u8]>),
    Reading(Box<Reader<'a>>),
    Understanding(Records),
}

impl<'a> Loading<'a> {
    /// Starts with a file's bytes.
    pub fn new(bytes: Cow<'a, [u8]>, overrides: Overrides) -> Loading<'a> {
        Loading { stage: Stage::Waiting(bytes), overrides, columns: vec![] }
    }

    /// Does one step: decodes the bytes, reads at most `rows` rows, or infers one column. Returns the share
    /// of the work that is done, 1 at the end.
    pub fn advance(&mut self, rows: usize) -> Result<f64> {
        match &mut self.stage {
            Stage::Waiting(bytes) => {
                let reader = Reader::new(std::mem::take(bytes), &self.overrides)?;
                self.stage = Stage::Reading(Box::new(reader));
                Ok(0.0)
            }
            Stage::Reading(reader) => {
                let share = reader.advance(rows)?;
                if !reader.is_done() {
                    return Ok(READ * share);
                }
                let records = reader.take()?;
                self.overrides.check(records.names())?;
                self.stage = Stage::Understanding(records);
                Ok(READ)
            }
            Stage::Understanding(records) => {
                let columns = records.names().len();
                if self.columns.len() < columns {
                    self.columns.push(infer::column(records, self.columns.len(), &self.overrides));
                    if self.columns.len() == columns {
                        infer::reconsider(records, &mut self.columns, &self.overrides);
                        return Ok(1.0);
                    }
                }
                Ok(READ + (1.0 - READ) * (self.columns.len() as f64 / columns as f64))
            }
        }
    }

    /// The number of rows read so far.
    pub(crate) fn rows(&self) -> usize {
        match &self.stage {
            Stage::Waiting(_) => 0,
            Stage::Reading(reader) => reader.rows(),
            Stage::Understanding(records) => records.rows(),
        }
    }

    /// Does the remaining work and returns the table.
    pub fn finish(mut self) -> Result<Table> {
        while self.advance(usize::MAX)? < 1.0 {}
        match self.stage {
            Stage::Understanding(records) => {
                Ok(Table { records, columns: self.columns, sha256: OnceLock::new() })
            }
            _ => unreachable!("the loop above ends with the last column"),
        }
    }
}
