//! A tree as a Graphviz graph.

use std::fmt;

use super::text::Support;
use super::words::{answer, bounds, condition, one_line};
use crate::tree::{Model, Node};

/// Writes a model in the DOT language: `dot -Tsvg tree.dot`.
pub struct Graph<'a>(pub &'a Model);

impl fmt::Display for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Graph(model) = self;
        writeln!(f, "digraph tree {{")?;
        let name = one_line(model.target.name());
        let title = match bounds(model).as_str() {
            "" => name,
            words => format!("{name}; {words}"),
        };
        writeln!(f, "  label={};", Quoted(&title))?;
        writeln!(f, "  charset=\"UTF-8\";")?;
        writeln!(f, "  node [shape=box, fontname=\"sans-serif\"];")?;
        writeln!(f, "  edge [fontname=\"sans-serif\"];")?;
        for (id, node) in model.tree.nodes().iter().enumerate() {
            match node {
                Node::Split { left, right, .. } => {
                    writeln!(f, "  n{id} [label={}];", Quoted(&condition(model, id)))?;
                    // Left is true. Only the first edges are labelled, as in the drawing on the page.
                    let (yes, no) = if id == 0 { (" [label=\"yes\"]", " [label=\"no\"]") } else { ("", "") };
                    writeln!(f, "  n{id} -> n{left}{yes};")?;
                    writeln!(f, "  n{id} -> n{right}{no};")?;
                }
                Node::Leaf(_) => {
                    let label = format!("{}{}", answer(model, id), Support(model, id));
                    writeln!(f, "  n{id} [shape=box, style=rounded, label={}];", Quoted(&label))?;
                }
            }
        }
        writeln!(f, "}}")
    }
}

/// A quoted DOT string that shows exactly this text.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                // A backslash would begin an escape such as \N, and an ampersand an entity such as &lt;.
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '&' => f.write_str("&amp;")?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}
