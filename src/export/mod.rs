//! Exports a tree: as exact JSON with proof rows, and in formats for people and other programs.
//!
//! [`Document`] is the content of a file. [`write()`] and [`read()`] are inverses of each other, in values
//! and in bytes. To add a format, add a file with a `Display` over a borrowed model, a line in [`FORMATS`]
//! and one in [`export`].

mod bound;
mod check;
mod code;
mod columns;
mod cursor;
mod document;
mod dot;
mod interchange;
mod json;
mod kept;
mod markdown;
mod read;
mod read_nodes;
mod region;
mod svg;
mod text;
mod verification;
mod wire;
#[doc(hidden)]
pub mod words;
mod xml;

pub use document::{DataInfo, Document, Generator, Metrics, Parts, ProofRow, Setting, Training};
pub use dot::Graph;
pub use json::write;
pub use kept::Kept;
pub use read::read;
pub use text::Rules;
pub use verification::verify;

#[doc(hidden)]
pub use {
    check::MOST_DEPTH,
    verification::{MOST_DOUBTFUL, MOST_HELD},
};

use crate::error::{Code, Error, Result, quoted};

/// A format in which a tree can be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The key in requests and on the command line.
    pub key: &'static str,
    /// The name shown to users.
    pub name: &'static str,
    /// The file extension, without the dot.
    pub extension: &'static str,
    /// The media type.
    pub mime: &'static str,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    Format {
        key: "json",
        name: "JSON (exact, can be loaded again)",
        extension: "tree.json",
        mime: "application/json",
    },
    Format { key: "text", name: "Rules as text", extension: "txt", mime: "text/plain" },
    Format { key: "markdown", name: "Model card", extension: "md", mime: "text/markdown" },
    Format { key: "svg", name: "Picture (SVG)", extension: "svg", mime: "image/svg+xml" },
    Format { key: "dot", name: "Graphviz", extension: "dot", mime: "text/vnd.graphviz" },
    Format { key: "python", name: "Python", extension: "py", mime: "text/x-python" },
    Format { key: "javascript", name: "JavaScript", extension: "mjs", mime: "text/javascript" },
    Format { key: "c", name: "C", extension: "c", mime: "text/x-c" },
    Format { key: "rust", name: "Rust", extension: "rs", mime: "text/x-rust" },
    Format { key: "sql", name: "SQL", extension: "sql", mime: "application/sql" },
    Format { key: "sklearn", name: "scikit-learn", extension: "sklearn.py", mime: "text/x-python" },
    Format { key: "onnx", name: "ONNX", extension: "onnx", mime: "application/octet-stream" },
    Format { key: "xgboost", name: "XGBoost", extension: "xgboost.json", mime: "application/json" },
    Format { key: "pmml", name: "PMML", extension: "pmml", mime: "application/xml" },
];

/// The format with a key.
pub fn format(key: &str) -> Result<&'static Format> {
    FORMATS.iter().find(|format| format.key == key).ok_or_else(|| {
        let message = format!("There is no export format called {}.", quoted(key));
        Error::new(
            Code::BadFormat,
            message,
            format!(
                "Choose one of {}.",
                FORMATS.iter().map(|format| format.key).collect::<Vec<_>>().join(", ")
            ),
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

/// Converts a document to a file. `key` is that of a [`Format`].
pub fn file(document: &Document, key: &str) -> Result<File> {
    let format = format(key)?;
    let name = format!("{}.{}", file_stem(document.model.target.name()), format.extension);
    Ok(File { name, mime: format.mime, bytes: export(document, key)? })
}

/// Converts a document to another format. `key` is that of a [`Format`].
pub fn export(document: &Document, key: &str) -> Result<Vec<u8>> {
    let model = &document.model;
    let text = match format(key)?.key {
        "json" => write(document)?,
        "text" => Rules(model).to_string(),
        "markdown" => markdown::Card(document).to_string(),
        "svg" => svg::Picture(model).to_string(),
        "dot" => Graph(model).to_string(),
        "python" => code::Python(document).to_string(),
        "javascript" => code::JavaScript(document).to_string(),
        "c" => code::CSource(document).to_string(),
        "rust" => code::RustSource(document).to_string(),
        "sql" => code::Sql(model).text()?,
        "sklearn" => code::Sklearn(document).text()?,
        "onnx" => return interchange::onnx(document),
        "xgboost" => interchange::xgboost(document)?,
        "pmml" => interchange::pmml(document)?,
        other => unreachable!("format {other} is listed but not written"),
    };
    Ok(text.into_bytes())
}

/// A file name from a target's name: only letters, digits and hyphens, which every file system accepts.
fn file_stem(name: &str) -> String {
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(60).collect();
    let trimmed = safe.trim_matches('-');
    if trimmed.is_empty() { "tree".into() } else { trimmed.into() }
}
