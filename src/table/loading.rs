//! A file on its way to a table, in pieces, so that whoever reads a large one can show how far it is and stay responsive.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::{Column, Overrides, Reader, Records, Table, infer};
use crate::error::Result;

/// Bytes that are hashed in one piece.
const HASHED_AT_ONCE: usize = 4 << 20;

/// Share of the work after which the file is hashed, and after which it is cut into cells; the rest is understanding.
const HASHED: f64 = 0.2;
const READ: f64 = 0.7;

/// A file on its way to a table: call [`advance`](Loading::advance) until it says 1, then [`finish`](Loading::finish).
pub struct Loading<'a> {
    stage: Stage<'a>,
    overrides: Overrides,
    hash: Sha256,
    columns: Vec<Column>,
}

enum Stage<'a> {
    /// The bytes, and how many of them are hashed.
    Hashing(Cow<'a, [u8]>, usize),
    Reading(Box<Reader<'a>>),
    Understanding(Records),
}

impl<'a> Loading<'a> {
    /// Begins with a file's bytes.
    pub fn new(bytes: Cow<'a, [u8]>, overrides: Overrides) -> Loading<'a> {
        Loading { stage: Stage::Hashing(bytes, 0), overrides, hash: Sha256::new(), columns: vec![] }
    }

    /// A piece of the work: some bytes hashed, at most so many rows read, or one column understood. The share of the work
    /// that is done; 1 at the end.
    pub fn advance(&mut self, rows: usize) -> Result<f64> {
        match &mut self.stage {
            Stage::Hashing(bytes, at) => {
                let end = bytes.len().min(*at + HASHED_AT_ONCE);
                self.hash.update(&bytes[*at..end]);
                *at = end;
                if end < bytes.len() {
                    return Ok(HASHED * (end as f64 / bytes.len() as f64));
                }
                let reader = Reader::new(std::mem::take(bytes), &self.overrides)?;
                self.stage = Stage::Reading(Box::new(reader));
                Ok(HASHED)
            }
            Stage::Reading(reader) => {
                let share = reader.advance(rows)?;
                if !reader.is_done() {
                    return Ok(HASHED + (READ - HASHED) * share);
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

    /// The rows that were read so far.
    pub fn rows(&self) -> usize {
        match &self.stage {
            Stage::Hashing(..) => 0,
            Stage::Reading(reader) => reader.rows(),
            Stage::Understanding(records) => records.rows(),
        }
    }

    /// Does what is left and gives the table.
    pub fn finish(mut self) -> Result<Table> {
        while self.advance(usize::MAX)? < 1.0 {}
        match self.stage {
            Stage::Understanding(records) => {
                let sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
                Ok(Table { records, columns: self.columns, sha256 })
            }
            _ => unreachable!("the loop above ends with the last column"),
        }
    }
}
