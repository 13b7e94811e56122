//! What is asked of a tree file rather than of a training: the page's second module, so that the first load
//! does not carry it.

use super::{Reply, Session, convert, explore};
use crate::error::Result;
use crate::export;
use crate::protocol::{Event, Request};
use crate::run::Run;

impl Session {
    /// Answers a request that reads a tree; the caller passes no other.
    pub(super) fn study(&self, request: Request, bytes: &[u8]) -> Result<Reply> {
        match request {
            Request::Open { run, tree } => {
                let document = export::read(&tree)?;
                let proved = export::verify(&document)? as u32;
                let (problem, result) = convert::opened(&document)?;
                Ok(Event::Opened { run, problem, result, proved }.into())
            }
            Request::Trace { run, tree } => explore::trace(run, &export::read(&tree)?.model, bytes),
            Request::Why { run, settings, tree } => {
                let asked = Run::start(self.table()?, convert::settings(settings)?)?;
                explore::why(run, &asked, &export::read(&tree)?)
            }
            _ => unreachable!("the caller names the three"),
        }
    }
}
