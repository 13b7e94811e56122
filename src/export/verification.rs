//! Proof rows: constructed rows with the leaf and the output they must give, so that any reader of the file
//! can verify itself.
//!
//! Every leaf has a row. Every threshold has one row on it and one an f32 step above it. Up to
//! [`MOST_DOUBTFUL`] rows have a missing or an unseen value. So there are at most three rows per leaf, plus
//! these.
//!
//! If a leaf has a linear model with bounds, these rows stay within the bounds if possible, so that they test
//! the model. Up to [`MOST_HELD`] further rows test the bounds. Unreachable cases are left out. The rows are
//! built from the tree and the columns' summaries; they are never rows of the user's file.

use std::collections::BTreeSet;

use super::document::{Document, ProofRow};
use super::region::Regions;
use super::words::number;
use crate::error::{Code, Error, Result};
use crate::numeric::order::sort_positions;
use crate::tree::{Feature, FeatureKind, Leaf, Model, Node, PostTransform, Split};

/// Maximum number of proof rows with a missing or an unseen value.
pub const MOST_DOUBTFUL: usize = 128;

/// Maximum number of proof rows beyond a bound: one for each end.
pub const MOST_HELD: usize = 2;

/// Limits of the search for a row beyond a bound: leaves, columns per leaf, and steps per column, each twice
/// as long as the last.
const TRIED: [usize; 3] = [16, 8, 12];

/// Tolerance for probabilities. Leaves and outputs are compared exactly, but the last bits of `exp` may
/// differ between implementations.
const TOLERANCE: f64 = 1e-6;

/// Builds the proof rows of a model.
pub(super) fn proof_rows(model: &Model) -> Vec<ProofRow> {
    let mut proof = Proof { model, regions: Regions::new(model), seen: BTreeSet::new(), rows: vec![] };
    let mut on_edge = BTreeSet::new();
    for (id, node) in model.tree.nodes().iter().enumerate() {
        if let Node::Leaf(_) = node
            && !proof.leaf(id, &mut on_edge)
        {
            proof.to(id, &[]);
        }
    }
    for (id, node) in model.tree.nodes().iter().enumerate() {
        if let Node::Split { split, left, right, .. } = node {
            proof.both_sides(id, split, [*left, *right], &on_edge);
        }
    }
    proof.doubtful_rows();
    proof.held_rows();
    proof.rows
}

/// The missing value, and for categories also the unseen one.
fn doubtful(feature: &Feature) -> &'static [f32] {
    match feature.kind {
        FeatureKind::Numerical { .. } => &[f32::NAN],
        FeatureKind::Categorical { .. } => &[f32::NAN, -1.0],
    }
}

/// The rows so far.
struct Proof<'a> {
    model: &'a Model,
    regions: Regions<'a>,
    seen: BTreeSet<Vec<String>>,
    rows: Vec<ProofRow>,
}

impl Proof<'_> {
    /// Adds a row for a leaf that is also on the edge of the split above it. Returns whether there is one.
    fn leaf(&mut self, leaf: usize, on_edge: &mut BTreeSet<(usize, bool)>) -> bool {
        let Some((parent, is_left)) = self.regions.parent(leaf) else { return false };
        let Node::Split { split: Split::Numerical { feature, threshold }, .. } =
            &self.model.tree.nodes()[parent]
        else {
            return false;
        };
        let found = self.to(leaf, &[(*feature, if is_left { *threshold } else { threshold.next_up() })]);
        if found {
            on_edge.insert((parent, is_left));
        }
        found
    }

    /// Adds rows on both sides of a split, one f32 step apart, unless there are some already.
    fn both_sides(
        &mut self,
        id: usize,
        split: &Split,
        children: [usize; 2],
        on_edge: &BTreeSet<(usize, bool)>,
    ) {
        match split {
            Split::Numerical { feature, threshold } => {
                for (is_left, child, value) in
                    [(true, children[0], *threshold), (false, children[1], threshold.next_up())]
                {
                    if !on_edge.contains(&(id, is_left)) {
                        self.to(child, &[(*feature, value)]);
                    }
                }
            }
            Split::Oblique { .. } => {
                let is_held = |rows: &[Vec<f32>; 2]| rows.iter().any(|row| beyond(self.model, row).is_some());
                let rows =
                    free_or_first(self.regions.starts(), |from| self.regions.across(id, from), is_held);
                for (row, child) in rows.into_iter().flatten().zip(children) {
                    self.add(row, child);
                }
            }
            // The category list shows the side of every word, and the leaves' rows take both sides.
            Split::Categorical { .. } => {}
        }
    }

    /// Adds rows with a missing or an unseen value at each split, the upper splits first.
    fn doubtful_rows(&mut self) {
        let most = self.rows.len() + MOST_DOUBTFUL;
        let mut weighed = BTreeSet::new();
        for (id, node) in self.model.tree.nodes().iter().enumerate() {
            let Node::Split { split, left, right, default_left } = node else { continue };
            let oblique = matches!(split, Split::Oblique { .. });
            for &feature in split.features() {
                // An oblique split has no default side: its replacement values decide. One row per column is
                // enough to test that.
                if oblique && !weighed.insert(feature) {
                    continue;
                }
                let reached = match (oblique, default_left) {
                    (true, _) => id,
                    (false, true) => *left,
                    (false, false) => *right,
                };
                for value in doubtful(&self.model.features[feature]) {
                    if self.rows.len() < most {
                        self.to(reached, &[(feature, *value)]);
                    }
                }
            }
        }
    }

    /// Adds rows slightly beyond the bounds of a linear leaf, one for each end.
    fn held_rows(&mut self) {
        for greatest in [false, true] {
            let linear = |(id, node): (usize, &Node)| {
                matches!(node, Node::Leaf(Leaf::Linear { bounds: Some(_), .. })).then_some(id)
            };
            let leaves = self.model.tree.nodes().iter().enumerate().filter_map(linear).take(TRIED[0]);
            if let Some((row, leaf)) =
                leaves.filter_map(|leaf| Some((self.row_beyond(leaf, greatest)?, leaf))).next()
            {
                self.add(row, leaf);
            }
        }
    }

    /// A row of a leaf whose linear model exceeds the upper or the lower bound. One column leaves its range,
    /// the strongest first.
    fn row_beyond(&self, leaf: usize, greatest: bool) -> Option<Vec<f32>> {
        let Node::Leaf(answer @ Leaf::Linear { features, coefficients, bounds: Some(bounds), .. }) =
            &self.model.tree.nodes()[leaf]
        else {
            return None;
        };
        let row = self.regions.row_to(leaf, &[], 0)?;
        let mut order: Vec<usize> = (0..features.len()).filter(|&at| !row[features[at]].is_nan()).collect();
        let pull = |at: usize| f64::from(coefficients[at].abs()) * self.regions.range(features[at]);
        sort_positions(&mut order, &|a, b| pull(b).total_cmp(&pull(a)));
        order.into_iter().take(TRIED[1]).find_map(|at| {
            let (feature, up) = (features[at], (coefficients[at] > 0.0) == greatest);
            let mut step = if up { self.regions.range(feature) } else { -self.regions.range(feature) };
            for _ in 0..TRIED[2] {
                let mut moved = row.clone();
                moved[feature] = (f64::from(row[feature]) + step) as f32;
                if !moved[feature].is_finite() || !self.regions.visits(&moved, leaf) {
                    return None;
                }
                if answer.beyond(&moved).is_some_and(|sum| (sum > bounds.high) == greatest) {
                    return Some(moved);
                }
                step *= 2.0;
            }
            None
        })
    }

    /// Adds a row that visits a node, with some features fixed. Returns whether there is one.
    fn to(&mut self, node: usize, held: &[(usize, f32)]) -> bool {
        if held.iter().any(|(_, value)| value.is_infinite()) {
            return false;
        }
        let is_held = |row: &Vec<f32>| beyond(self.model, row).is_some();
        let row = free_or_first(self.regions.starts(), |from| self.regions.row_to(node, held, from), is_held);
        row.is_some_and(|row| self.add(row, node))
    }

    /// Adds a row if it can be spelled and still visits the node when read back. Returns whether it does.
    fn add(&mut self, row: Vec<f32>, node: usize) -> bool {
        let features = &self.model.features;
        let Some(cells) =
            features.iter().zip(row).map(|(f, value)| spell(f, value)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let row = parse(features, &cells);
        if !self.regions.visits(&row, node) {
            return false;
        }
        if self.seen.insert(cells.clone()) {
            self.rows.push(answer(self.model, cells, &row));
        }
        true
    }
}

/// The unbounded output of a row's leaf, if it is clamped.
fn beyond(model: &Model, row: &[f32]) -> Option<f64> {
    match &model.tree.nodes()[model.tree.leaf_of(row)] {
        Node::Leaf(leaf) => leaf.beyond(row),
        Node::Split { .. } => None,
    }
}

/// The result from the first starting row. If that one is clamped to a bound, the first further result that
/// is not, if there is one.
fn free_or_first<T>(
    starts: usize,
    find: impl Fn(usize) -> Option<T>,
    is_held: impl Fn(&T) -> bool,
) -> Option<T> {
    let first = find(0)?;
    if !is_held(&first) {
        return Some(first);
    }
    let free = (1..starts).filter_map(find).find(|found| !is_held(found));
    Some(free.unwrap_or(first))
}

/// Parses a row of cells.
fn parse(features: &[Feature], cells: &[String]) -> Vec<f32> {
    features.iter().zip(cells).map(|(feature, cell)| feature.parse(cell)).collect()
}

fn answer(model: &Model, cells: Vec<String>, row: &[f32]) -> ProofRow {
    let prediction = model.predict(row);
    let output = model.tree.output(prediction.leaf, row);
    let plain = model.post_transform == PostTransform::None;
    ProofRow {
        cells,
        leaf: prediction.leaf,
        output,
        probabilities: if plain { vec![] } else { prediction.values },
    }
}

/// A cell that is read as exactly this value. `None` if every spelling of it is read as something else.
fn spell(feature: &Feature, value: f32) -> Option<String> {
    if value.is_nan() {
        return Some(String::new());
    }
    match &feature.kind {
        FeatureKind::Numerical { reading, .. } => {
            // The short form is the most readable, but it may round to a neighbour when read through f64. Any
            // form may also happen to be a missing-value token.
            let exact = f64::from(value);
            let forms = [
                number(value),
                exact.to_string(),
                format!("{exact:.1}"),
                format!("{exact:e}"),
                format!("{exact}e0"),
            ];
            forms.into_iter().map(|plain| reading.spell(&plain)).find(|cell| feature.parse(cell) == value)
        }
        FeatureKind::Categorical { categories } if value >= 0.0 => {
            categories.get(value as usize).filter(|word| feature.parse(word) == value).cloned()
        }
        FeatureKind::Categorical { .. } => {
            let numbered = (2..).map(|n| format!("unseen {n}"));
            std::iter::once("unseen".to_owned()).chain(numbered).find(|word| feature.parse(word) == -1.0)
        }
    }
}

/// Checks the proof rows of a document. Returns how many there are, or an error for the first that gives
/// another result.
pub fn verify(document: &Document) -> Result<usize> {
    const HINT: &str = "The file was changed after it was written: download the tree again.";
    let (model, rows) = (&document.model, &document.verification);
    if rows.is_empty() {
        return Err(Error::new(Code::Unproved, "The tree file has no proof rows.", HINT));
    }
    for (at, expected) in rows.iter().enumerate() {
        let found = answer(model, expected.cells.clone(), &parse(&model.features, &expected.cells));
        let unproved =
            |what: String| Err(Error::new(Code::Unproved, format!("Proof row {at} {what}."), HINT));
        if found.leaf != expected.leaf {
            return unproved(format!("falls into leaf {}, but the file says {}", found.leaf, expected.leaf));
        }
        if found.output != expected.output {
            return unproved(format!(
                "gives {:?} in leaf {}, but the file says {:?}",
                found.output, found.leaf, expected.output
            ));
        }
        let same = found.probabilities.len() == expected.probabilities.len()
            && found
                .probabilities
                .iter()
                .zip(&expected.probabilities)
                .all(|(a, b)| (a - b).abs() <= TOLERANCE);
        if !same {
            return unproved(format!(
                "has the probabilities {:?}, but the file says {:?}",
                found.probabilities, expected.probabilities
            ));
        }
    }
    Ok(rows.len())
}
