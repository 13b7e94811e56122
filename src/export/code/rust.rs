//! A tree as Rust: one function over a slice of doubles.

use std::fmt;

use super::literal::{Language, string, strings};
use super::{Needs, Syntax, answers, constant_outputs, formula, leaves, numbers, proof_outputs, walk};
use crate::export::Document;
use crate::tree::{Model, PostTransform};

/// Writes a document as a Rust module without dependencies.
pub(crate) struct RustSource<'a>(pub &'a Document);

impl fmt::Display for RustSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RustSource(document) = self;
        let model = &document.model;
        let (features, outputs) = (model.features.len(), model.target.classes().len().max(1));
        writeln!(
            f,
            "// A decision tree in Rust, written by espalier {}. It needs the standard library only.\n//\n\
             // Numbers are rounded to f32 before they are compared: without that, rows on a threshold change
             // sides.\n",
            env!("CARGO_PKG_VERSION")
        )?;
        let names: Vec<String> = model.features.iter().map(|feature| feature.name.clone()).collect();
        writeln!(f, "/// The columns, in the order of a row's values.")?;
        writeln!(f, "pub const FEATURES: [&str; {features}] = [{}];", strings(&names, Language::Rust))?;
        writeln!(f, "/// The words of each column by position; none for a number.")?;
        writeln!(f, "pub const CATEGORIES: [&[&str]; {features}] = [")?;
        for at in 0..features {
            let words = super::categories(model, at).unwrap_or_default();
            writeln!(f, "    &[{}],", strings(words, Language::Rust))?;
        }
        writeln!(f, "];\n/// The column that is predicted.")?;
        writeln!(f, "pub const TARGET: &str = {};", string(model.target.name(), Language::Rust))?;
        let classes = model.target.classes();
        writeln!(f, "/// The classes in the order of the outputs; none for a number.")?;
        writeln!(
            f,
            "pub const CLASSES: [&str; {}] = [{}];\n",
            classes.len(),
            strings(classes, Language::Rust)
        )?;
        let predict = predict(model, features, outputs);
        writeln!(f, "{}{}{predict}{}", helpers(model), walk(model, &Walk), answer(model))?;
        test(f, document)
    }
}

fn helpers(model: &Model) -> String {
    let needs = Needs::of(model);
    let mut text = String::new();
    if needs.sets {
        text += "fn one_of(value: f32, codes: &[u32]) -> bool {\n    \
            value >= 0.0 && codes.contains(&(value as u32))\n}\n\n";
    }
    if needs.sums {
        text += "fn at(value: f32, stand_in: f64) -> f64 {\n    \
            if value.is_nan() { stand_in } else { f64::from(value) }\n}\n\n";
    }
    if needs.bounds {
        text += "fn hold(sum: f64, low: f64, high: f64) -> f64 {\n    if sum > high {\n        high\n    \
            } else if sum >= low {\n        sum\n    } else {\n        low\n    }\n}\n\n";
    }
    text
}

fn predict(model: &Model, features: usize, outputs: usize) -> String {
    let mut text = format!(
        "/// The leaf of a row, and the probability of each class or the number.\n///\n\
         /// A row has one value per feature, in the order of `FEATURES`: \
         a number, or the position of the word in `CATEGORIES`;\n\
         /// NaN when missing, -1 for an unseen word.\n\
         pub(crate) fn predict(row: &[f64; {features}]) -> (usize, [f64; {outputs}]) {{\n    \
         let x = row.map(|number| {{\n        let value = number as f32;\n        \
         if value.is_finite() {{ value }} else {{ f32::NAN }}\n    }});\n    \
         let leaf = leaf_of(&x);\n    let output = match leaf {{\n"
    );
    for leaf in leaves(model) {
        let answer = match (formula(&model.tree.nodes()[leaf]), model.post_transform) {
            (Some(answer), PostTransform::Logistic) => {
                format!(
                    "{{\n            let p = 1.0 / (1.0 + f64::exp(-({answer})));\n            \
                     [1.0 - p, p]\n        }}"
                )
            }
            (Some(answer), _) => format!("[{answer}]"),
            (None, _) => format!("[{}]", numbers(&constant_outputs(model, leaf).unwrap_or_default())),
        };
        text += &format!("        {leaf} => {answer},\n");
    }
    text + "        other => unreachable!(\"{other} is not a leaf\"),\n    };\n    (leaf, output)\n}\n"
}

/// The function that returns the class; empty for regression.
fn answer(model: &Model) -> String {
    let classes = model.target.classes().len();
    if classes == 0 {
        return String::new();
    }
    let mut text = format!(
        "\n/// The position in `CLASSES` of what a leaf answers: {}.\n\
         pub(crate) fn answer(leaf: usize, output: &[f64; {classes}]) -> usize {{\n    match leaf {{\n",
        model.decision.meaning()
    );
    for (leaf, class) in answers(model) {
        text += &format!("        {leaf} => {class},\n");
    }
    text + "        _ => (1..output.len())\
        .fold(0, |best, k| if output[k] > output[best] { k } else { best }),\n    }\n}\n"
}

fn test(f: &mut fmt::Formatter<'_>, document: &Document) -> fmt::Result {
    writeln!(
        f,
        "#[cfg(test)]\nmod tests {{\n    \
         /// Constructed rows with the leaf and the outputs that they must give."
    )?;
    writeln!(f, "    #[test]\n    fn proof_rows() {{\n        let nan = f64::NAN;")?;
    let (features, outputs) = (document.model.features.len(), document.model.target.classes().len().max(1));
    writeln!(
        f,
        "        let proof: [([f64; {features}], usize, [f64; {outputs}]); {}] = [",
        document.verification.len()
    )?;
    for row in &document.verification {
        let values =
            document.model.features.iter().zip(&row.cells).map(|(feature, cell)| feature.parse(cell));
        let values =
            values.map(|value| if value.is_nan() { "nan".into() } else { format!("{:?}", f64::from(value)) });
        let values: Vec<String> = values.collect();
        writeln!(
            f,
            "            ([{}], {}, [{}]),",
            values.join(", "),
            row.leaf,
            numbers(proof_outputs(row))
        )?;
    }
    writeln!(
        f,
        "        ];\n        assert!(nan.is_nan());\n        \
         for (row, leaf, outputs) in proof {{\n            \
         let found = super::predict(&row);\n            \
         assert_eq!(found.0, leaf, \"{{row:?}}\");\n            \
         for (a, b) in found.1.iter().zip(outputs) {{\n                \
         assert!((a - b).abs() <= 1e-6, \"{{row:?}}\");\n            \
         }}\n        }}\n    }}\n}}"
    )
}

struct Walk;

impl Syntax for Walk {
    fn function(&self, node: usize) -> String {
        match node {
            0 => "/// The leaf of a row of values. Missing values are NaN and take the last branch.\n\
                  #[allow(unused_variables, clippy::all)]\nfn leaf_of(x: &[f32]) -> usize {"
                .into(),
            _ => format!("#[allow(clippy::all)]\nfn leaf_below_{node}(x: &[f32]) -> usize {{"),
        }
    }

    fn go_on(&self, node: usize) -> String {
        format!("leaf_below_{node}(x)")
    }

    fn answer(&self, leaf: usize) -> String {
        leaf.to_string()
    }

    fn branch(&self, condition: &str) -> String {
        format!("if {condition} {{")
    }

    fn one_of(&self, feature: usize, codes: &[usize]) -> String {
        format!("one_of(x[{feature}], &{codes:?})")
    }
}
