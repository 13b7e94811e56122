//! The tree as a file: the exact JSON with its proof, and forms for people and other programs.
//!
//! [`Document`] is what a file holds. [`write`] and [`read`] are inverse to each other, in values and in bytes. To add a
//! format: a file with a `Display` over a borrowed model, a line in [`FORMATS`] and one in [`export`].

mod check;
mod cursor;
mod document;
mod dot;
mod json;
mod read;
mod read_nodes;
mod region;
mod text;
mod verification;
mod wire;
pub mod words;

pub use check::MOST_DEPTH;
pub use document::{DataInfo, Document, Generator, Metrics, Parts, ProofRow, Setting, Training};
pub use dot::Graph;
pub use json::write;
pub use read::read;
pub use text::Rules;
pub use verification::{MOST_DOUBTFUL, verify};

use crate::error::{Code, Error, Result, listed, quoted};

/// A form in which a tree can be taken home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The key in requests and on the command line.
    pub key: &'static str,
    /// The name people read.
    pub name: &'static str,
    /// The end of the file's name, without the point.
    pub extension: &'static str,
    /// The media type.
    pub mime: &'static str,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    Format { key: "json", name: "JSON (exact, can be loaded again)", extension: "tree.json", mime: "application/json" },
    Format { key: "text", name: "Rules as text", extension: "txt", mime: "text/plain" },
    Format { key: "dot", name: "Graphviz", extension: "dot", mime: "text/vnd.graphviz" },
];

/// The format of a key.
pub fn format(key: &str) -> Result<&'static Format> {
    FORMATS.iter().find(|format| format.key == key).ok_or_else(|| {
        let message = format!("There is no export format called {}.", quoted(key));
        Error::new(
            Code::BadFormat,
            message,
            format!("Choose one of {}.", listed(FORMATS.iter().map(|format| format.key))),
        )
    })
}

/// A file to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, made from the target's.
    pub name: String,
    /// Its media type.
    pub mime: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A document in another form, as a file. `key` is that of a [`Format`].
pub fn file(document: &Document, key: &str) -> Result<File> {
    let format = format(key)?;
    let name = format!("{}.{}", file_stem(document.model.target.name()), format.extension);
    Ok(File { name, mime: format.mime, bytes: export(document, key)? })
}

/// A document in another form. `key` is that of a [`Format`].
pub fn export(document: &Document, key: &str) -> Result<Vec<u8>> {
    let text = match format(key)?.key {
        "json" => write(document)?,
        "text" => Rules(&document.model).to_string(),
        "dot" => Graph(&document.model).to_string(),
        other => unreachable!("format {other} is listed but not written"),
    };
    Ok(text.into_bytes())
}

/// A file name from a target's name: letters and digits, and nothing a file system could object to.
fn file_stem(name: &str) -> String {
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(60).collect();
    let trimmed = safe.trim_matches('-');
    if trimmed.is_empty() { "tree".into() } else { trimmed.into() }
}
