//! Writes `*.tree.json`, format 1.1. Every feature, node and proof row has a line of its own, so that two
//! trees can be compared by a diff.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;

use super::document::Document;
use super::{check, wire};
use crate::error::Result;

/// The value of `format`.
pub(super) const FORMAT: &str = "espalier-tree";
/// The value of `format_version`; a reader refuses another major version.
pub(super) const FORMAT_VERSION: &str = "1.1";

/// The text of a `*.tree.json` file.
///
/// Fails with [`BadTree`](crate::Code::BadTree) if the document could not be read back, because of a number
/// that is not finite or a split on a column that does not exist.
pub fn write(document: &Document) -> Result<String> {
    let model = &document.model;
    check::model(model)?;
    check_extras(document)?;
    let generator = [("name", &document.generator.name), ("version", &document.generator.version)];

    let mut json = JsonWriter { text: String::from("{"), indent: 1, first: true };
    json.entry("format", &FORMAT);
    json.entry("format_version", &FORMAT_VERSION);
    json.entry("generator", &wire::Pairs(generator.to_vec()));
    json.entry("task", &model.target.task());
    json.entry("target", &wire::target(&model.target));
    json.lines("features", model.features.iter().map(wire::feature));
    json.entry("precision", &wire::Pairs(wire::PRECISION.to_vec()));
    json.open("trees", "[");
    json.item_open("{");
    json.entry("root", &0);
    json.lines("nodes", (0..model.tree.size()).map(|id| wire::node(model, id)));
    json.close("}");
    json.close("]");
    json.entry("post_transform", &model.post_transform.as_str());
    if !model.target.classes().is_empty() {
        json.entry("decision", &wire::decision(&model.decision));
    }
    json.open("verification", "{");
    json.lines("rows", document.verification.iter().map(|row| wire::proof(model, row)));
    json.close("}");
    json.entry("metrics", &wire::metrics(document));
    if let Some(training) = &document.training {
        json.entry("training", &wire::training(training));
    }
    if let Some(data) = &document.data {
        json.entry("data", &wire::data(data));
    }
    json.text.push_str("\n}\n");
    Ok(json.text)
}

/// Checks everything around the model: numbers must be finite, and nothing may be read back as something
/// else.
fn check_extras(document: &Document) -> Result<()> {
    use super::cursor::bad_tree;
    use super::document::Setting;

    if document.metrics.tree.contains_key("baseline") {
        return Err(bad_tree(
            "metrics",
            "a part of the rows is called \"baseline\".",
            "Give it another name.",
        ));
    }
    let parts = [Some(&document.metrics.tree), document.metrics.baseline.as_ref()];
    check::finite(
        "metrics",
        parts.into_iter().flatten().flat_map(|parts| parts.values()).flat_map(|s| s.values().copied()),
    )?;
    if let Some(training) = &document.training {
        let numbers =
            training.config.values().chain(training.said.iter().flat_map(|said| said.values())).filter_map(
                |setting| match setting {
                    Setting::Number(number) => Some(*number),
                    _ => None,
                },
            );
        check::finite(
            "training",
            numbers.chain(training.shares.values().copied()).chain(training.shrinkage),
        )?;
    }
    for (at, row) in document.verification.iter().enumerate() {
        let path = format!("verification.rows[{at}]");
        if row.cells.len() != document.model.features.len() {
            let what = format!("{} cells for {} columns.", row.cells.len(), document.model.features.len());
            return Err(bad_tree(&path, what, "Give one cell per column."));
        }
        check::finite(&path, row.output.iter().chain(&row.probabilities).copied())?;
    }
    Ok(())
}

/// A JSON text that is written line by line.
struct JsonWriter {
    text: String,
    indent: usize,
    first: bool,
}

impl JsonWriter {
    /// Starts a new line for the next item.
    fn next(&mut self) {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.indent));
    }

    fn key(&mut self, key: &str) {
        self.next();
        self.text.push_str(&compact(&key));
        self.text.push_str(": ");
    }

    /// A key and its value on one line.
    fn entry(&mut self, key: &str, value: &impl Serialize) {
        self.key(key);
        self.text.push_str(&compact(value));
    }

    /// A key and a list with one item per line.
    fn lines<T: Serialize>(&mut self, key: &str, items: impl Iterator<Item = T>) {
        self.open(key, "[");
        for item in items {
            self.next();
            self.text.push_str(&compact(&item));
        }
        self.close("]");
    }

    fn open(&mut self, key: &str, bracket: &str) {
        self.key(key);
        self.enter(bracket);
    }

    fn item_open(&mut self, bracket: &str) {
        self.next();
        self.enter(bracket);
    }

    fn enter(&mut self, bracket: &str) {
        self.text.push_str(bracket);
        self.indent += 1;
        self.first = true;
    }

    fn close(&mut self, bracket: &str) {
        self.indent -= 1;
        if !self.first {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n("  ", self.indent));
        }
        self.text.push_str(bracket);
        self.first = false;
    }
}

/// A value on one line, with a space after each comma and colon.
fn compact(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    value.serialize(&mut serializer).expect("texts, numbers and maps with text keys always serialise");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// The compact format with spaces.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
