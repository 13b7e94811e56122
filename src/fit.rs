//! The shortest way from CSV text to a tree: one call, for callers that want the result but not the steps.

use std::sync::Arc;

use crate::error::Result;
use crate::export::{self, Document};
use crate::run::{Fitted, Run, STOPPED, Settings};
use crate::table::{Overrides, Table};
use crate::tree::Model;

/// A finished training: the tree with its scores, and its run.
pub struct Trained {
    /// The run: the table, the rows of each part, and the greedy tree on the same rows ([`Run::baseline`]).
    pub run: Run,
    /// The tree with its scores.
    pub fitted: Fitted,
}

/// Trains a tree on a CSV file until the training ends by itself.
///
/// `csv` is the content of the file, as text or bytes. The delimiter, the encoding and the kind of each
/// column are detected. To set them, read a [`Table`] with your own [`Overrides`] and drive a [`Run`]. The
/// same file, settings and seed always give the same tree, on every machine.
///
/// The call returns when the training has ended, which takes seconds for a thousand rows and minutes for many
/// more. Use [`Run`] to show progress, to stop early, or to inspect the tree during training.
///
/// # Errors
/// If the file cannot be read, if it has no such target, or if the target cannot be learned with these
/// settings. The [`Error`](crate::Error) says what is wrong and how to fix it.
pub fn fit(csv: impl AsRef<[u8]>, settings: Settings) -> Result<Trained> {
    let table = Table::read(csv.as_ref(), &Overrides::default())?;
    let mut run = Run::start(Arc::new(table), settings)?;
    while run.step().stop.is_none() {}
    let fitted = run.finish(STOPPED);
    Ok(Trained { run, fitted })
}

impl Trained {
    /// The tree, with all that is needed to read a row of the file and to name a prediction.
    pub fn model(&self) -> &Model {
        &self.fitted.model
    }

    /// A score by part (`train`, `valid` or `test`) and name (for instance `accuracy`, or `r2` for
    /// regression); `None` if it is not defined.
    pub fn score(&self, part: &str, name: &str) -> Option<f64> {
        self.fitted.metrics.get(part)?.get(name).copied()
    }

    /// The tree as indented rules, for human readers.
    pub fn rules(&self) -> String {
        export::Rules(self.model()).to_string()
    }

    /// The tree as the document that [`export::export`] writes in any format.
    pub fn document(&self) -> Document {
        self.run.document(&self.fitted)
    }

    /// The tree as JSON: exact, with proof rows, and readable by [`export::read`].
    ///
    /// # Errors
    /// If the tree has a number that JSON cannot hold.
    pub fn json(&self) -> Result<String> {
        export::write(&self.document())
    }
}
