//! A tree as a Python module and program without dependencies.

use std::fmt;

use super::cells::{Parts, reading};
use super::literal::{Language, string, strings};
use super::{Syntax, answers, constant_outputs, formulas, leaves, numbers, proof_outputs, tested, walk};
use crate::export::{Document, ProofRow};
use crate::numeric::format::UNITS;
use crate::tree::{Feature, FeatureKind, Model};

/// Writes a document as Python: `predict(row)`, and `python3 tree.py DATA.csv`.
pub(crate) struct Python<'a>(pub &'a Document);

impl fmt::Display for Python<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Python(document) = self;
        let model = &document.model;
        writeln!(f, "{}", head())?;
        writeln!(f, "TARGET = {}", text(model.target.name()))?;
        writeln!(f, "CLASSES = [{}]", strings(model.target.classes(), Language::Python))?;
        writeln!(f, "FEATURES = [")?;
        model.features.iter().try_for_each(|one| writeln!(f, "    {},", feature(one)))?;
        writeln!(f, "]\n# Positions of the features that the tree reads.")?;
        writeln!(f, "TESTED = {:?}", tested(model).into_iter().collect::<Vec<_>>())?;
        writeln!(f, "# The outputs of each leaf that gives every row the same ones.\nOUTPUTS = {{")?;
        for leaf in leaves(model) {
            if let Some(outputs) = constant_outputs(model, leaf) {
                writeln!(f, "    {leaf}: [{}],", numbers(&outputs))?;
            }
        }
        writeln!(f, "}}")?;
        if !model.target.classes().is_empty() {
            let answers: Vec<String> =
                answers(model).map(|(leaf, class)| format!("{leaf}: {class}")).collect();
            writeln!(
                f,
                "# The position of the class that each of these leaves answers: {}.",
                model.decision.meaning()
            )?;
            writeln!(f, "ANSWERS = {{{}}}", answers.join(", "))?;
        }
        writeln!(f, "\n\n{}{}", walk(model, &Walk), outputs_of(model))?;
        write!(f, "{}", readers(model))?;
        writeln!(
            f,
            "# Constructed rows of cells with the leaf and the outputs that they must give.\nPROOF = ["
        )?;
        document.verification.iter().try_for_each(|row| writeln!(f, "    {},", proof(row)))?;
        write!(f, "]\n\n{}\n\n{}", include_str!("cells.py"), include_str!("program.py"))
    }
}

fn head() -> String {
    format!(
        "#!/usr/bin/env python3\n\
         \"\"\"A decision tree as a program, written by espalier {}. \
         It needs nothing but Python 3.7 or newer.\n\n\
         As a module, predict(row) answers for a row that maps column names to cells as text.\n\
         As a program, `python3 tree.py DATA.csv` prints the rows followed by their predictions; \
         `--test` runs the proof rows.\n\n\
         Numbers are rounded to 32 bits before they are compared: \
         without that, rows on a threshold change sides.\n\"\"\"\n\n\
         import csv\nimport io\nimport itertools\nimport math\nimport re\nimport struct\nimport sys\n\
         from decimal import Decimal\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn text(value: &str) -> String {
    string(value, Language::Python)
}

/// How a feature's cells are read.
pub(super) fn feature(feature: &Feature) -> String {
    let mut entry = format!(
        "{{\"name\": {}, \"column\": {}, \"missing\": [{}]",
        text(&feature.name),
        text(feature.column()),
        strings(&feature.missing_tokens, Language::Python)
    );
    if let FeatureKind::Categorical { categories } = &feature.kind {
        let words = strings(categories, Language::Python);
        entry += &format!(", \"words\": {{word: at for at, word in enumerate([{words}])}}");
    }
    for (key, literal) in reading(feature, Language::Python) {
        entry += &format!(", \"{key}\": {literal}");
    }
    entry + "}"
}

pub(super) fn proof(row: &ProofRow) -> String {
    format!("([{}], {}, [{}])", strings(&row.cells, Language::Python), row.leaf, numbers(proof_outputs(row)))
}

/// The functions that read the numbers of a model's columns.
pub(super) fn readers(model: &Model) -> String {
    let parts = Parts::of(model);
    let mut body = String::from(
        "def number_of(feature, text):\n    \"\"\"The number that a cell of a column spells, \
         or None.\"\"\"\n",
    );
    if parts.dates {
        body += "    if \"date\" in feature:\n        return date_number(feature, text)\n";
    }
    if parts.formats {
        body += "    if \"decimal\" in feature:\n        return formatted_number(feature, text)\n";
    }
    body += "    return plain_number(text)\n\n\n";
    if parts.formats {
        let units: Vec<String> = UNITS.iter().map(|&unit| unit.to_owned()).collect();
        body +=
            &format!("UNITS = [{}]\n{}\n\n", strings(&units, Language::Python), include_str!("formats.py"));
    }
    if parts.dates {
        body += &format!("{}\n\n", include_str!("dates.py"));
    }
    body
}

/// The function that returns a leaf's outputs.
fn outputs_of(model: &Model) -> String {
    let mut body = String::from(
        "def outputs_of(leaf, x):\n    \"\"\"The probability of each class, or the number, \
         in a list.\"\"\"\n",
    );
    for (leaf, answer) in formulas(model) {
        body += &format!("    if leaf == {leaf}:\n        return {answer}\n");
    }
    body + "    return OUTPUTS[leaf]\n\n"
}

struct Walk;

impl Syntax for Walk {
    fn function(&self, node: usize) -> String {
        match node {
            0 => "def leaf_of(x):\n    \"\"\"The leaf of a row of values. \
                  Missing values are NaN and take the last branch.\"\"\""
                .into(),
            _ => format!("def leaf_below_{node}(x):"),
        }
    }

    fn go_on(&self, node: usize) -> String {
        format!("return leaf_below_{node}(x)")
    }

    fn answer(&self, leaf: usize) -> String {
        format!("return {leaf}")
    }

    fn branch(&self, condition: &str) -> String {
        format!("if {condition}:")
    }

    fn otherwise(&self) -> &'static str {
        "else:"
    }

    fn end(&self) -> &'static str {
        ""
    }

    fn comment(&self, words: &str) -> String {
        format!("  # {words}")
    }

    fn one_of(&self, feature: usize, codes: &[usize]) -> String {
        let list: Vec<String> = codes.iter().map(usize::to_string).collect();
        match list.as_slice() {
            [one] => format!("x[{feature}] == {one}"),
            // A set in braces is built once, not for every row; the empty set is spelled differently.
            [] => "False".into(),
            _ => format!("x[{feature}] in {{{}}}", list.join(", ")),
        }
    }
}
