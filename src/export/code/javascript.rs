//! A tree as an ES module, for pages and for Node.

use std::fmt;

use super::cells::{Parts, reading};
use super::literal::{Language, string, strings};
use super::{Syntax, answers, constant_outputs, formulas, leaves, numbers, proof_outputs, tested, walk};
use crate::export::{Document, ProofRow};
use crate::numeric::format::UNITS;
use crate::tree::{Feature, FeatureKind, Model};

/// Writes a document as JavaScript: `predict(row)`, and `node tree.mjs DATA.csv`.
pub(crate) struct JavaScript<'a>(pub &'a Document);

impl fmt::Display for JavaScript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JavaScript(document) = self;
        let model = &document.model;
        writeln!(f, "{}", head())?;
        writeln!(f, "export const TARGET = {};", text(model.target.name()))?;
        writeln!(f, "export const CLASSES = [{}];", strings(model.target.classes(), Language::JavaScript))?;
        writeln!(f, "const FEATURES = [")?;
        model.features.iter().try_for_each(|one| writeln!(f, "  {},", feature(one)))?;
        writeln!(f, "];\n// Positions of the features that the tree reads.")?;
        writeln!(f, "const TESTED = {:?};", tested(model).into_iter().collect::<Vec<_>>())?;
        writeln!(f, "// The outputs of each leaf that gives every row the same ones.\nconst OUTPUTS = {{")?;
        for leaf in leaves(model) {
            if let Some(outputs) = constant_outputs(model, leaf) {
                writeln!(f, "  {leaf}: [{}],", numbers(&outputs))?;
            }
        }
        writeln!(f, "}};")?;
        let answers: Vec<String> = answers(model).map(|(leaf, class)| format!("{leaf}: {class}")).collect();
        if !model.target.classes().is_empty() {
            writeln!(
                f,
                "// The position of the class that each of these leaves answers: {}.",
                model.decision.meaning()
            )?;
        }
        writeln!(
            f,
            "const ANSWERS = {{{}}};\n\n{}{}",
            answers.join(", "),
            walk(model, &Walk),
            outputs_of(model)
        )?;
        let parts = Parts::of(model);
        writeln!(f, "{}", number_of(&parts))?;
        if parts.formats {
            let units: Vec<String> = UNITS.iter().map(|&unit| unit.to_owned()).collect();
            let units = strings(&units, Language::JavaScript);
            writeln!(f, "const UNITS = [{units}];\n{}", include_str!("formats.mjs"))?;
        }
        if parts.dates {
            writeln!(f, "{}", include_str!("dates.mjs"))?;
        }
        writeln!(
            f,
            "// Constructed rows of cells with the leaf and the outputs that they must give.\nconst PROOF = ["
        )?;
        document.verification.iter().try_for_each(|row| writeln!(f, "  {},", proof(row)))?;
        write!(f, "];\n\n{}", include_str!("program.mjs"))
    }
}

fn head() -> String {
    format!(
        "#!/usr/bin/env node\n\
         // A decision tree as an ES module, written by espalier {}. It needs nothing else.\n//\n\
         // As a module, predict(row) answers for a row that maps column names to cells as text.\n\
         // As a program, `node tree.mjs DATA.csv` prints the rows followed by their predictions; \
         `--test` runs the proof rows.\n//\n\
         // Numbers are rounded to 32 bits before they are compared: \
         without that, rows on a threshold change sides.\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn text(value: &str) -> String {
    string(value, Language::JavaScript)
}

/// How a feature's cells are read.
fn feature(feature: &Feature) -> String {
    let mut entry = format!(
        "{{ name: {}, column: {}, missing: [{}]",
        text(&feature.name),
        text(feature.column()),
        strings(&feature.missing_tokens, Language::JavaScript)
    );
    if let FeatureKind::Categorical { categories } = &feature.kind {
        let words = strings(categories, Language::JavaScript);
        entry += &format!(", words: new Map([{words}].map((word, at) => [word, at]))");
    }
    for (key, literal) in reading(feature, Language::JavaScript) {
        entry += &format!(", {key}: {literal}");
    }
    entry + " }"
}

fn proof(row: &ProofRow) -> String {
    format!(
        "[[{}], {}, [{}]]",
        strings(&row.cells, Language::JavaScript),
        row.leaf,
        numbers(proof_outputs(row))
    )
}

fn number_of(parts: &Parts) -> String {
    let mut body = String::from(
        "/** The number that a cell of a column spells, or null. */\nfunction numberOf(feature, text) {\n",
    );
    if parts.dates {
        body += "  if (feature.date) return dateNumber(feature, text);\n";
    }
    if parts.formats {
        body += "  if (feature.decimal) return formattedNumber(feature, text);\n";
    }
    body + "  return plainNumber(text);\n}\n"
}

/// The function that returns a leaf's outputs.
fn outputs_of(model: &Model) -> String {
    let mut body = String::from(
        "/** The probability of each class, or the number, in a list. */\nfunction outputsOf(leaf, x) {\n  \
         switch (leaf) {\n",
    );
    for (leaf, answer) in formulas(model) {
        body += &format!("    case {leaf}:\n      return {answer};\n");
    }
    body + "    default:\n      return OUTPUTS[leaf];\n  }\n}\n"
}

struct Walk;

impl Syntax for Walk {
    fn function(&self, node: usize) -> String {
        match node {
            0 => "/** The leaf of a row of values. Missing values are NaN and take the last branch. */\n\
                function leafOf(x) {"
                .into(),
            _ => format!("function leafBelow{node}(x) {{"),
        }
    }

    fn go_on(&self, node: usize) -> String {
        format!("return leafBelow{node}(x);")
    }

    fn answer(&self, leaf: usize) -> String {
        format!("return {leaf};")
    }

    fn one_of(&self, feature: usize, codes: &[usize]) -> String {
        match codes {
            [one] => format!("x[{feature}] === {one}"),
            _ => format!("{codes:?}.includes(x[{feature}])"),
        }
    }

    fn indent(&self) -> usize {
        2
    }
}
