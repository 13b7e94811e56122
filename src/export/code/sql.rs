//! A tree as one `SELECT`: nested `CASE`, standard SQL.
//!
//! An engine may have only f64 numbers, so the rounding of a value to f32 is moved into the threshold: for
//! every f64 `x`, `f32(x) <= t` exactly when `x <= last_left(t)`. Weighted sums need the rounded values
//! themselves. A derived table computes these, and another one around the tree computes the sums of leaves,
//! so that each is written once. Real literals have an exponent, which makes them approximate numbers, not
//! decimals.

use super::literal::plain;
use super::{codes, leaves};
use crate::error::{Code, Error, Result, quoted};
use crate::export::bound::last_left;
use crate::export::words::{condition, opposite};
use crate::tree::{Bounds, CellReading, FeatureKind, Leaf, Model, Node, PostTransform, Split};

/// Levels of `CASE` that every engine accepts: SQLite and DuckDB stop at a thousand levels of an expression.
const MOST_LEVELS: usize = 200;

/// `2^29 + 1`: `x * SPLITTER - (x * SPLITTER - x)` is `x` rounded to the 24 bits of an f32.
const SPLITTER: &str = "536870913e0";

/// Up to this logit both classes have the same probability in f64, and ties go to the first class.
const EVEN: f64 = 1.6653345369377348e-16;

/// Writes a model as a query on a table `data`.
pub(crate) struct Sql<'a>(pub &'a Model);

impl Sql<'_> {
    /// The query. Fails if SQL cannot refer to a column or a word, or if the tree is too deep for any engine.
    pub(crate) fn text(&self) -> Result<String> {
        let Sql(model) = self;
        check(model)?;
        let query = Query { model, sums: super::Needs::of(model).sums };
        let mut text = query.head();
        text += "SELECT\n  leaf,\n  CASE leaf\n";
        for leaf in leaves(model) {
            text += &format!("    WHEN {leaf} THEN {}\n", query.answer(leaf));
        }
        text += "  END AS prediction\nFROM (\n";
        let scores = query.scores();
        text += &scores;
        text += "  SELECT\n";
        query.case(0, 4, &mut text);
        text += " AS leaf";
        if query.sums {
            super::tested(model).iter().for_each(|feature| text += &format!(",\n    x{feature}"));
        }
        text += "\n  FROM ";
        text += &if query.sums { query.rounded_values() } else { "data".into() };
        text += if scores.is_empty() { "\n) AS tree\n" } else { "\n) AS tree\n) AS scores\n" };
        Ok(text)
    }
}

struct Query<'a> {
    model: &'a Model,
    /// Whether any node has a weighted sum.
    sums: bool,
}

impl Query<'_> {
    fn head(&self) -> String {
        let mut text = format!(
            "-- A decision tree as a query, written by espalier {}.\n\
             -- It reads a table called data with the file's column names: \
             numbers as REAL or DOUBLE, words as TEXT, missing as NULL.\n\
             -- To keep columns such as a key, add them to every SELECT list.\n",
            env!("CARGO_PKG_VERSION")
        );
        for feature in super::tested(self.model) {
            if let FeatureKind::Numerical { reading: CellReading::Date { column, part, .. }, .. } =
                &self.model.features[feature].kind
            {
                let name = plain(&self.model.features[feature].name);
                text += &format!(
                    "-- The column {name} is a number: the {} of {}.\n",
                    part.words(),
                    plain(column)
                );
            }
        }
        text
    }

    /// The name of a feature inside the tree's query.
    fn name(&self, feature: usize) -> String {
        if self.sums { format!("x{feature}") } else { identifier(&self.model.features[feature].name) }
    }

    /// The nested `CASE` below a node, without a line end.
    fn case(&self, node: usize, indent: usize, text: &mut String) {
        let pad = " ".repeat(indent);
        let Node::Split { split, left, right, default_left } = &self.model.tree.nodes()[node] else {
            *text += &format!("{pad}{node}");
            return;
        };
        // NULL fails every condition, so the default side comes last.
        let last_is_left = *default_left && !matches!(split, Split::Oblique { .. });
        let (first, second) = if last_is_left { (right, left) } else { (left, right) };
        let words = if last_is_left { opposite(self.model, node) } else { condition(self.model, node) };
        let (test, words) = (self.test(split, last_is_left), plain(&words));
        *text += &format!("{pad}CASE\n{pad}  WHEN {test} THEN -- {words}\n");
        self.case(*first, indent + 4, text);
        *text += &format!("\n{pad}  ELSE\n");
        self.case(*second, indent + 4, text);
        *text += &format!("\n{pad}END");
    }

    fn test(&self, split: &Split, last_is_left: bool) -> String {
        match split {
            Split::Numerical { feature, threshold } => {
                let sign = if last_is_left { ">" } else { "<=" };
                format!("{} {sign} {:e}", self.name(*feature), last_left(*threshold))
            }
            Split::Categorical { feature, left } => {
                let words = super::categories(self.model, *feature).unwrap_or_default();
                let inside: Vec<String> =
                    codes(left, !last_is_left).into_iter().map(|code| literal(&words[code])).collect();
                match inside.as_slice() {
                    [] => "1 = 0".into(),
                    [one] => format!("{} = {one}", self.name(*feature)),
                    _ => format!("{} IN ({})", self.name(*feature), inside.join(", ")),
                }
            }
            Split::Oblique { features, weights, missing_values, threshold } => {
                format!("{} <= {threshold:e}", self.sum(None, features, weights, missing_values))
            }
        }
    }

    fn sum(&self, constant: Option<f32>, features: &[usize], weights: &[f32], stand_ins: &[f32]) -> String {
        let terms = features.iter().zip(weights).zip(stand_ins).map(|((&feature, &weight), &stand_in)| {
            format!("{:e} * COALESCE({}, {:e})", f64::from(weight), self.name(feature), f64::from(stand_in))
        });
        let constant = constant.map(|value| format!("{:e}", f64::from(value)));
        let terms: Vec<String> = constant.into_iter().chain(terms).collect();
        if terms.is_empty() { "0e0".into() } else { terms.join(" + ") }
    }

    /// The head of a query around the tree, which computes the sum of each linear leaf; empty if there is
    /// none.
    fn scores(&self) -> String {
        let sums = leaves(self.model).filter_map(|leaf| match &self.model.tree.nodes()[leaf] {
            Node::Leaf(Leaf::Linear { constant, features, coefficients, missing_values, .. }) => {
                let sum = self.sum(Some(*constant), features, coefficients, missing_values);
                Some(format!("    WHEN {leaf} THEN {sum}\n"))
            }
            _ => None,
        });
        let sums: String = sums.collect();
        if sums.is_empty() {
            sums
        } else {
            format!("SELECT\n  leaf,\n  CASE leaf\n{sums}  END AS score\nFROM (\n")
        }
    }

    fn answer(&self, leaf: usize) -> String {
        let classes = self.model.target.classes();
        match &self.model.tree.nodes()[leaf] {
            Node::Leaf(Leaf::Linear { bounds, .. }) => match (self.model.post_transform, classes, bounds) {
                // With two classes only the sign matters, so bounds on one side decide alone.
                (PostTransform::Logistic, [_, second], Some(Bounds { low, .. })) if *low > EVEN => {
                    literal(second)
                }
                (PostTransform::Logistic, [first, _], Some(Bounds { high, .. })) if *high <= EVEN => {
                    literal(first)
                }
                (PostTransform::Logistic, [first, second], _) => {
                    format!("CASE WHEN score > {EVEN:e} THEN {} ELSE {} END", literal(second), literal(first))
                }
                (_, _, Some(Bounds { low, high })) => {
                    format!(
                        "CASE WHEN score > {high:e} THEN {high:e} WHEN score < {low:e} THEN {low:e} ELSE \
                        score END"
                    )
                }
                _ => "score".into(),
            },
            Node::Leaf(Leaf::Constant(value)) => format!("{:e}", f64::from(*value)),
            _ => self.model.leaf_class(leaf).map_or_else(String::new, |class| literal(&classes[class])),
        }
    }

    /// The table with every column that is read, numbers rounded to f32. Some engines round by the cast,
    /// others by the arithmetic, which leaves a rounded number unchanged.
    fn rounded_values(&self) -> String {
        let columns: Vec<String> = super::tested(self.model)
            .into_iter()
            .map(|feature| {
                let name = identifier(&self.model.features[feature].name);
                match super::categories(self.model, feature) {
                    Some(_) => format!("      {name} AS x{feature}"),
                    None => {
                        let x = format!("CAST(CAST({name} AS REAL) AS DOUBLE PRECISION)");
                        format!("      {x} * {SPLITTER} - ({x} * {SPLITTER} - {x}) AS x{feature}")
                    }
                }
            })
            .collect();
        format!("(\n    SELECT\n{}\n    FROM data\n  ) AS cells", columns.join(",\n"))
    }
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(word: &str) -> String {
    format!("'{}'", word.replace('\'', "''"))
}

fn check(model: &Model) -> Result<()> {
    let no = |what: String, hint: &str| Err(Error::new(Code::BadFormat, what, hint));
    const OTHER: &str = "Rename it in the file and train again, or choose another format, such as python.";
    if model.tree.depth() > MOST_LEVELS {
        let what = format!(
            "The tree has {} levels; databases accept about {MOST_LEVELS} nested conditions.",
            model.tree.depth()
        );
        return no(what, "Train with a smaller depth, or choose another format, such as python.");
    }
    let mut texts: Vec<&String> = model.target.classes().iter().collect();
    for feature in super::tested(model) {
        let feature = &model.features[feature];
        if feature.name.is_empty() {
            return no("SQL cannot refer to a column without a name.".into(), OTHER);
        }
        texts.push(&feature.name);
        if let FeatureKind::Categorical { categories } = &feature.kind {
            texts.extend(categories);
        }
    }
    if let Some(text) = texts.into_iter().find(|text| text.contains('\0')) {
        return no(format!("SQL cannot hold {}, which contains a NUL character.", quoted(text)), OTHER);
    }
    Ok(())
}
