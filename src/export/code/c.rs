//! A tree as C: one function over an array of doubles.

use std::fmt;

use super::literal::{Language, string, strings};
use super::{Needs, Syntax, answers, constant_outputs, formula, leaves, proof_outputs, walk};
use crate::export::{Document, ProofRow};
use crate::tree::{Model, PostTransform};

/// Writes a document as C99.
pub(crate) struct CSource<'a>(pub &'a Document);

impl fmt::Display for CSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CSource(document) = self;
        let model = &document.model;
        let outputs = model.target.classes().len().max(1);
        writeln!(
            f,
            "// A decision tree in C99, written by espalier {}. It needs the standard library only; \
             link with -lm.\n//\n\
             // predict(row, output) returns the leaf and fills output with the probability of each class, \
             or with the number;\n\
             // answer(leaf, output) gives the position of the class that is answered.\n\
             // A row has one double per feature, in the order of tree_features: \
             a number, or the position of the word in the\n\
             // column's categories; NAN when missing, -1 for an unseen word. \
             Compiled with -DTREE_TEST this file is a program\n\
             // that runs the proof rows.\n//\n\
             // Numbers are rounded to float before they are compared: \
             without that, rows on a threshold change sides.\n",
            env!("CARGO_PKG_VERSION")
        )?;
        writeln!(f, "#include <math.h>\n#include <stddef.h>\n")?;
        writeln!(f, "enum {{ TREE_FEATURES = {}, TREE_OUTPUTS = {outputs} }};\n", model.features.len())?;
        let names = model.features.iter().map(|feature| feature.name.clone()).collect::<Vec<_>>();
        write!(f, "{}", array("tree_features", &names))?;
        for (at, feature) in model.features.iter().enumerate() {
            if let Some(words) = super::categories(model, at) {
                writeln!(f, "// Positions of the words of {}.", super::literal::plain(&feature.name))?;
                write!(f, "{}", array(&format!("tree_categories_{at}"), words))?;
            }
        }
        write!(f, "{}", array("tree_classes", model.target.classes()))?;
        writeln!(f, "const char *const tree_target = {};\n", string(model.target.name(), Language::C))?;
        write!(f, "{}{}{}{}", helpers(model), walk(model, &Walk), predict(model), answer(model))?;
        test(f, document)
    }
}

fn array(name: &str, texts: &[String]) -> String {
    // An array must not be empty; a null pointer ends each.
    let comma = if texts.is_empty() { "" } else { ", " };
    format!("const char *const {name}[] = {{{}{comma}NULL}};\n", strings(texts, Language::C))
}

fn helpers(model: &Model) -> String {
    let needs = Needs::of(model);
    let mut text = String::from(
        "static float single_of(double number) {\n    float value = (float)number;\n    \
         return isfinite(value) ? value : NAN;\n}\n\n",
    );
    if needs.sets {
        text += "static int one_of(float value, const int *codes, size_t count) {\n    \
            for (size_t i = 0; i < count; i++) {\n        \
                 if (value >= 0 && (int)value == codes[i]) {\n            return 1;\n        }\n    }\n    \
                 return 0;\n}\n\n";
    }
    if needs.sums {
        text += "static double at(float value, double stand_in) {\n    \
            return isnan(value) ? stand_in : (double)value;\n}\n\n";
    }
    if needs.bounds {
        text += "static double hold(double sum, double low, double high) {\n    \
            return sum > high ? high : sum >= low ? sum : low;\n}\n\n";
    }
    text
}

fn predict(model: &Model) -> String {
    let mut text = String::from(
        "int predict(const double *row, double *output) {\n    float x[TREE_FEATURES + 1];\n    \
         for (int i = 0; i < TREE_FEATURES; i++) {\n        x[i] = single_of(row[i]);\n    }\n    \
         x[TREE_FEATURES] = NAN;\n    int leaf = leaf_of(x);\n    switch (leaf) {\n",
    );
    for leaf in leaves(model) {
        text += &format!("    case {leaf}:\n");
        match formula(&model.tree.nodes()[leaf]) {
            Some(answer) => {
                text += &match model.post_transform {
                    PostTransform::Logistic => {
                        format!(
                            "        output[1] = 1.0 / (1.0 + exp(-({answer})));\n        \
                             output[0] = 1.0 - output[1];\n"
                        )
                    }
                    _ => format!("        output[0] = {answer};\n"),
                };
            }
            None => {
                for (at, value) in constant_outputs(model, leaf).into_iter().flatten().enumerate() {
                    text += &format!("        output[{at}] = {value:?};\n");
                }
            }
        }
        text += "        break;\n";
    }
    text + "    }\n    return leaf;\n}\n"
}

/// The function that returns the class; empty for regression.
fn answer(model: &Model) -> String {
    if model.target.classes().is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n// The position in tree_classes of what a leaf answers: {}.\n\
         int answer(int leaf, const double *output) {{\n    switch (leaf) {{\n",
        model.decision.meaning()
    );
    for (leaf, class) in answers(model) {
        text += &format!("    case {leaf}:\n        return {class};\n");
    }
    text + "    }\n    int best = 0;\n    for (int k = 1; k < TREE_OUTPUTS; k++) {\n        \
            best = output[k] > output[best] ? k : best;\n    }\n    return best;\n}\n"
}

fn test(f: &mut fmt::Formatter<'_>, document: &Document) -> fmt::Result {
    let rows: Vec<&ProofRow> = document.verification.iter().collect();
    writeln!(f, "\n#ifdef TREE_TEST\n#include <stdio.h>\n")?;
    writeln!(f, "// Constructed rows with the leaf and the outputs that they must give.")?;
    writeln!(
        f,
        "static const struct {{\n    double row[TREE_FEATURES + 1];\n    int leaf;\n    \
         double output[TREE_OUTPUTS];"
    )?;
    writeln!(f, "}} proof[] = {{")?;
    for row in &rows {
        let values = document
            .model
            .features
            .iter()
            .zip(&row.cells)
            .map(|(feature, cell)| number(feature.parse(cell).into()));
        let values: Vec<String> = values.chain([String::from("0")]).collect();
        let outputs: Vec<String> = proof_outputs(row).iter().map(|&value| number(value)).collect();
        writeln!(f, "    {{{{{}}}, {}, {{{}}}}},", values.join(", "), row.leaf, outputs.join(", "))?;
    }
    writeln!(
        f,
        "}};\n\nint main(void) {{\n    size_t rows = sizeof proof / sizeof proof[0];\n    \
         for (size_t i = 0; i < rows; i++) {{\n        \
         double output[TREE_OUTPUTS];\n        int leaf = predict(proof[i].row, output);\n        \
         int same = leaf == proof[i].leaf;\n        \
         for (int k = 0; k < TREE_OUTPUTS; k++) {{\n            \
         same = same && fabs(output[k] - proof[i].output[k]) <= 1e-6;\n        }}\n        \
         if (!same) {{\n            \
         printf(\"Proof row %zu gives leaf %d, not %d.\\n\", i, leaf, proof[i].leaf);\n            \
         return 1;\n        }}\n    }}\n    \
         printf(\"All %zu proof rows give the leaf and output they must.\\n\", rows);\n    return 0;\n}}\n\
         #endif"
    )
}

fn number(value: f64) -> String {
    if value.is_nan() { "NAN".into() } else { format!("{value:?}") }
}

struct Walk;

impl Syntax for Walk {
    fn function(&self, node: usize) -> String {
        match node {
            0 => "// Missing values are NAN and take the last branch.\n\
                static int leaf_of(const float *x) {\n    (void)x;"
                .into(),
            _ => format!("static int leaf_below_{node}(const float *x) {{"),
        }
    }

    fn go_on(&self, node: usize) -> String {
        format!("return leaf_below_{node}(x);")
    }

    fn answer(&self, leaf: usize) -> String {
        format!("return {leaf};")
    }

    fn one_of(&self, feature: usize, codes: &[usize]) -> String {
        let list: Vec<String> = codes.iter().map(usize::to_string).collect();
        match list.as_slice() {
            [] => "one_of(NAN, NULL, 0)".into(),
            _ => format!("one_of(x[{feature}], (const int[]){{{}}}, {})", list.join(", "), list.len()),
        }
    }
}
