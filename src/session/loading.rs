//! Reading a file in slices.

use std::sync::Arc;

use super::{Activity, Reply, Session, convert, describe, failed};
use crate::error::{Code, Error, Result};
use crate::protocol::{Event, ReadOptions};
use crate::table::Loading;

/// A file that is being read.
pub(super) struct Reading {
    run: u32,
    loading: Loading<'static>,
    /// What goes on if the file cannot be used.
    before: Box<Activity>,
}

impl Activity {
    /// This, or what goes on again if the file that is being read cannot be used.
    pub(super) fn beside_reading(&mut self) -> &mut Activity {
        match self {
            Activity::Loading(reading) => &mut reading.before,
            other => other,
        }
    }
}

impl Session {
    /// Reads a file at once.
    pub(super) fn load(&mut self, run: u32, options: ReadOptions, bytes: &[u8]) -> Reply {
        let mut reply = self.begin_load(run, options, bytes.to_vec());
        while let Event::Reading { .. } = reply.event {
            reply = self.read_on(u32::MAX);
        }
        reply
    }

    /// Begins to read a file in slices: [`read_on`](Session::read_on) does the rest.
    pub fn begin_load(&mut self, run: u32, options: ReadOptions, bytes: Vec<u8>) -> Reply {
        match convert::overrides(options) {
            Ok(overrides) => {
                self.drop_load();
                let before = Box::new(std::mem::take(&mut self.activity));
                let loading = Loading::new(bytes.into(), overrides);
                self.activity = Activity::Loading(Reading { run, loading, before });
                Event::Reading { run, share: 0.0, rows: 0 }.into()
            }
            Err(error) => failed(run, &error),
        }
    }

    /// Lets go of a file that is being read. The present table and what was done with it stay.
    pub fn drop_load(&mut self) {
        self.activity = match std::mem::take(&mut self.activity) {
            Activity::Loading(reading) => *reading.before,
            other => other,
        };
    }

    /// Reads on for some rows, or understands one column: `reading` while there is more, then `loaded` or
    /// `failed`.
    pub fn read_on(&mut self, rows: u32) -> Reply {
        let Activity::Loading(Reading { run, loading, .. }) = &mut self.activity else {
            let error = Error::new(Code::BadRequest, "No file is being read.", "Choose a file first.");
            return failed(0, &error);
        };
        let run = *run;
        match loading.advance(rows as usize) {
            Ok(share) if share < 1.0 => Event::Reading { run, share, rows: loading.rows() as u32 }.into(),
            end => self.end_load(end).unwrap_or_else(|error| failed(run, &error)),
        }
    }

    /// Takes the table of a file that was read to its end. A file that cannot be used leaves the present one
    /// in place.
    fn end_load(&mut self, end: Result<f64>) -> Result<Reply> {
        let Activity::Loading(Reading { run, loading, before }) = std::mem::take(&mut self.activity) else {
            unreachable!("the caller has looked")
        };
        self.activity = *before;
        end?;
        let table = loading.finish()?;
        if table.rows() == 0 {
            return Err(Error::new(
                Code::TooFewRows,
                "The file has a header line but no rows of data.",
                "Choose a file with at least two rows below the header.",
            ));
        }
        let info = describe::table(&table);
        self.table = Some(Arc::new(table));
        self.activity = Activity::Idle;
        Ok(Event::Loaded { run, table: info }.into())
    }

    /// Notes the SHA-256 of the file that was loaded last, before a training begins on it.
    pub fn identify(&mut self, sha256: String) {
        if let Some(table) = &self.table {
            table.identify(sha256);
        }
    }
}
