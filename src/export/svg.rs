//! A tree as a picture. It uses only attributes and hexadecimal colours, so that every SVG program draws it
//! alike.

use std::fmt::{self, Write};

use super::text::Support;
use super::words::{answer, bounds, condition, one_line, probabilities};
use super::xml::escaped;
use crate::tree::{Model, Node};

/// Width of a node and of the space beside it, height of a level, and the margin around everything.
const NODE: f64 = 172.0;
const GAP: f64 = 16.0;
const BOX: f64 = 52.0;
const LEVEL: f64 = 104.0;
const MARGIN: f64 = 24.0;
/// Height of a line of words below the tree.
const LINE: f64 = 18.0;
/// Characters that fit in a node: of a condition, of a prediction (bold), and of the small line below.
/// Digits, which are frequent in formulas, are wider than most letters.
const FITS: [usize; 3] = [22, 20, 26];
/// Width of the widest link; the narrowest is 1.
const WIDEST: f64 = 9.0;
/// Maximum number of classes in the legend.
const MOST_CLASSES: usize = 24;

/// Colours of classes, as on the page; the last one is for all further classes.
const CLASSES: [&str; 8] =
    ["#b97500", "#2a86bd", "#00815e", "#8a7f00", "#0a5c95", "#c65400", "#b0588a", "#5d5a55"];
const PAPER: &str = "#fcfaf4";
const CARD: &str = "#ffffff";
const INK: &str = "#25221c";
const MUTED: &str = "#5e584c";
const BRANCH: &str = "#7c8568";
const EDGE: &str = "#857d6c";

/// Writes a model as an SVG drawing.
pub(super) struct Picture<'a>(pub &'a Model);

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Picture(model) = self;
        let places = layout(model);
        let legend = model.target.classes().len().min(MOST_CLASSES).div_ceil(4) as f64 * 22.0;
        let width = places.iter().fold(0.0, |most: f64, place| most.max(place.0)) + NODE / 2.0 + MARGIN;
        let width = width.max(4.0 * 150.0 + 2.0 * MARGIN);
        let words = bounds(model);
        let bottom = places.iter().fold(0.0, |most: f64, place| most.max(place.1)) + BOX + MARGIN;
        let bottom = bottom + if words.is_empty() { 0.0 } else { LINE };
        let height = bottom + legend + if legend > 0.0 { MARGIN } else { 0.0 };
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 \
             {width} {height}\" \
             role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"{INK}\">"
        )?;
        let (splits, leaves) = (model.tree.size() - model.tree.leaves(), model.tree.leaves());
        let name = visible(model.target.name(), usize::MAX);
        writeln!(f, "  <title>Decision tree for {name}: {splits} splits, {leaves} leaves</title>")?;
        writeln!(f, "  <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>")?;
        links(f, model, &places)?;
        (0..model.tree.size()).try_for_each(|id| node(f, model, id, places[id]))?;
        if !words.is_empty() {
            let (y, words) = (bottom - LINE, visible(&words, usize::MAX));
            writeln!(f, "  <text x=\"{MARGIN}\" y=\"{y}\" font-size=\"11\" fill=\"{MUTED}\">{words}</text>")?;
        }
        classes(f, model, bottom)?;
        writeln!(f, "</svg>")
    }
}

/// The centre of each node's upper edge. Leaves are side by side; a split is centred above its children.
fn layout(model: &Model) -> Vec<(f64, f64)> {
    let nodes = model.tree.nodes();
    let mut places = vec![(0.0, MARGIN); nodes.len()];
    // From left to right, with a stack instead of recursion, because the depth comes from a file.
    let mut stack = vec![0];
    let mut next = MARGIN + NODE / 2.0;
    while let Some(id) = stack.pop() {
        match &nodes[id] {
            Node::Split { left, right, .. } => {
                let below = places[id].1 + LEVEL;
                (places[*left].1, places[*right].1) = (below, below);
                stack.extend([*right, *left]);
            }
            Node::Leaf(_) => {
                places[id].0 = next;
                next += NODE + GAP;
            }
        }
    }
    // Children come after their parent, so going backwards every child is already placed.
    for id in (0..nodes.len()).rev() {
        if let Node::Split { left, right, .. } = &nodes[id] {
            places[id].0 = (places[*left].0 + places[*right].0) / 2.0;
        }
    }
    places
}

/// Draws the links from splits to children, as wide as their share of the rows.
fn links(f: &mut fmt::Formatter<'_>, model: &Model, places: &[(f64, f64)]) -> fmt::Result {
    let all = model.stats.first().map_or(0, |stats| stats.rows);
    writeln!(f, "  <g fill=\"none\" stroke=\"{BRANCH}\">")?;
    for (id, node) in model.tree.nodes().iter().enumerate() {
        let Node::Split { left, right, .. } = node else { continue };
        for child in [*left, *right] {
            let share = model.stats.get(child).map_or(0.0, |stats| stats.rows as f64 / all.max(1) as f64);
            let ((x, y), (to_x, to_y)) = (places[id], places[child]);
            let (y, middle) = (y + BOX, (y + BOX + to_y) / 2.0);
            let stroke = (1.0 + share * (WIDEST - 1.0)).clamp(1.0, WIDEST);
            writeln!(
                f,
                "    <path d=\"M{x} {y}C{x} {middle} {to_x} {middle} {to_x} {to_y}\" \
                 stroke-width=\"{stroke:.1}\"/>"
            )?;
        }
    }
    writeln!(f, "  </g>")?;
    // Left is true. Only the first links are labelled, as on the page.
    if let Some(Node::Split { left, right, .. }) = model.tree.nodes().first() {
        for (child, word) in [(left, "yes"), (right, "no")] {
            let (x, y) =
                ((places[0].0 + places[*child].0) / 2.0, (places[0].1 + BOX + places[*child].1) / 2.0);
            writeln!(
                f,
                "  <rect x=\"{}\" y=\"{}\" width=\"28\" height=\"16\" rx=\"3\" fill=\"{PAPER}\"/>",
                x - 14.0,
                y - 11.0
            )?;
            writeln!(
                f,
                "  <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"{MUTED}\">{word}</text>",
                y + 1.0
            )?;
        }
    }
    Ok(())
}

/// Draws a box with the condition or prediction, the rows behind it, and a bar of the classes.
fn node(f: &mut fmt::Formatter<'_>, model: &Model, id: usize, (x, y): (f64, f64)) -> fmt::Result {
    let is_leaf = matches!(model.tree.nodes()[id], Node::Leaf(_));
    let (words, weight) = if is_leaf { (answer(model, id), 700) } else { (condition(model, id), 400) };
    let support = Support(model, id).to_string();
    let support = support.trim().trim_start_matches('(').trim_end_matches(')');
    let (radius, left) = (if is_leaf { 14.0 } else { 4.0 }, x - NODE / 2.0);
    writeln!(f, "  <g>")?;
    writeln!(f, "    <title>{}</title>", visible(&format!("{words} ({support})"), usize::MAX))?;
    writeln!(
        f,
        "    <rect x=\"{left}\" y=\"{y}\" width=\"{NODE}\" height=\"{BOX}\" rx=\"{radius}\" \
         fill=\"{CARD}\" stroke=\"{}\"/>",
        leaf_colour(model, id)
    )?;
    let middle = "text-anchor=\"middle\"";
    writeln!(
        f,
        "    <text x=\"{x}\" y=\"{}\" {middle} font-weight=\"{weight}\">{}</text>",
        y + 18.0,
        visible(&words, FITS[usize::from(is_leaf)])
    )?;
    writeln!(
        f,
        "    <text x=\"{x}\" y=\"{}\" {middle} font-size=\"11\" fill=\"{MUTED}\">{}</text>",
        y + 33.0,
        visible(support, FITS[2])
    )?;
    bar(f, model, id, left + 14.0, y + 40.0)?;
    writeln!(f, "  </g>")
}

/// Draws the class shares of a node's training rows; in a leaf without rows, its probabilities.
fn bar(f: &mut fmt::Formatter<'_>, model: &Model, id: usize, left: f64, y: f64) -> fmt::Result {
    let shares: Vec<f64> = match model.stats.get(id) {
        Some(stats) if stats.counts.iter().any(|&count| count > 0) => {
            stats.counts.iter().map(|&count| count as f64).collect()
        }
        _ => probabilities(model, id),
    };
    let total: f64 = shares.iter().sum();
    let mut at = left;
    for (class, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        let width = (NODE - 28.0) * share / total;
        writeln!(
            f,
            "    <rect x=\"{at:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"5\" fill=\"{}\"/>",
            colour(class)
        )?;
        at += width;
    }
    Ok(())
}

fn leaf_colour(model: &Model, id: usize) -> &'static str {
    model.leaf_class(id).map_or(EDGE, colour)
}

fn colour(class: usize) -> &'static str {
    CLASSES[class.min(CLASSES.len() - 1)]
}

fn classes(f: &mut fmt::Formatter<'_>, model: &Model, top: f64) -> fmt::Result {
    for (class, name) in model.target.classes().iter().take(MOST_CLASSES).enumerate() {
        let (x, y) = (MARGIN + (class % 4) as f64 * 150.0, top + MARGIN + (class / 4) as f64 * 22.0);
        writeln!(
            f,
            "  <rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>",
            y - 10.0,
            colour(class)
        )?;
        writeln!(f, "  <text x=\"{}\" y=\"{y}\">{}</text>", x + 18.0, visible(name, 18))?;
    }
    Ok(())
}

/// A text on one line, cut to fit, escaped for XML.
fn visible(text: &str, most: usize) -> String {
    let line = one_line(text);
    // These two characters are never drawn, and XML cannot hold them.
    let mut shown: String =
        line.chars().filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).take(most).collect();
    if line.chars().nth(most).is_some() {
        shown.pop();
        shown.write_char('…').expect("writing to a string");
    }
    escaped(&shown)
}
