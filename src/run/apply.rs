//! A finished model on rows of another file.
//!
//! Rows are read and answered one after another, so that a file of a million rows can be written piece by
//! piece while the caller sees how far it is.

use super::csv_field::{added_names, push_field};
use crate::error::{Code, Error, Result, listed, quoted};
use crate::table::Records;
use crate::tree::{CellReading, Feature, FeatureKind, Leaf, Model, Node, Prediction};

/// A model's answers for every row of a file.
#[derive(Debug, Clone)]
pub struct Applied {
    /// One answer per row.
    pub predictions: Vec<Prediction>,
    /// What the user should know about the rows: one sentence each.
    pub warnings: Vec<String>,
}

/// Predicts every row. The file's columns are found by name; one that the tree never tests may be absent.
pub fn apply(model: &Model, records: &Records) -> Result<Applied> {
    let mut rows = Rows::new(model, records.names())?;
    let predictions = (0..records.rows()).map(|row| model.predict(rows.read(model, records, row))).collect();
    Ok(Applied { predictions, warnings: rows.warnings(model) })
}

/// The values of a file's first row, as a model reads them.
pub(crate) fn first_row(model: &Model, records: &Records) -> Result<Vec<f32>> {
    let mut rows = Rows::new(model, records.names())?;
    Ok(if records.rows() > 0 { rows.read(model, records, 0).to_vec() } else { rows.values })
}

/// The file's rows with the answers behind them: `prediction`, a probability per class, `leaf`.
pub fn predictions_csv(model: &Model, records: &Records, predictions: &[Prediction]) -> String {
    let mut text = header(model, records.names());
    for (row, answer) in predictions.iter().enumerate() {
        push_cells(&mut text, records, row);
        push_answer(&mut text, model, answer);
    }
    text
}

/// Answers on their way into a CSV file: the [`header`](Answers::header), then the rows of one piece of a
/// file after another.
pub struct Answers {
    model: Model,
    names: Vec<String>,
    rows: Rows,
    /// What stands behind the cells of a row, by leaf; none for leaves whose answer depends on the row.
    endings: Vec<Option<String>>,
}

impl Answers {
    /// Finds the model's columns among those of the file.
    pub fn new(model: Model, names: Vec<String>) -> Result<Answers> {
        let ending = |(id, node): (usize, &Node)| match node {
            Node::Leaf(Leaf::Constant(_) | Leaf::Scores(_)) => {
                let mut text = String::new();
                push_answer(&mut text, &model, &model.answer(id, &[]));
                Some(text)
            }
            _ => None,
        };
        let endings = model.tree.nodes().iter().enumerate().map(ending).collect();
        Ok(Answers { rows: Rows::new(&model, &names)?, endings, names, model })
    }

    /// The first line: the file's columns and those of the answers.
    pub fn header(&self) -> String {
        header(&self.model, &self.names)
    }

    /// Adds the lines of some rows, which have the file's columns.
    pub fn write(&mut self, records: &Records, text: &mut String) {
        for row in 0..records.rows() {
            push_cells(text, records, row);
            let values = self.rows.read(&self.model, records, row);
            let leaf = self.model.tree.leaf_of(values);
            match &self.endings[leaf] {
                Some(ending) => text.push_str(ending),
                None => push_answer(text, &self.model, &self.model.answer(leaf, values)),
            }
        }
    }

    /// What the user should know about the rows that were written: one sentence each.
    pub fn warnings(&self) -> Vec<String> {
        self.rows.warnings(&self.model)
    }
}

fn header(model: &Model, names: &[String]) -> String {
    let mut text = String::new();
    for name in names.iter().chain(&added_names(names, model.target.classes())) {
        push_field(&mut text, name);
        text.push(',');
    }
    text.pop();
    text.push('\n');
    text
}

fn push_cells(text: &mut String, records: &Records, row: usize) {
    for column in 0..records.names().len() {
        push_field(text, records.cell(row, column));
        text.push(',');
    }
}

fn push_answer(text: &mut String, model: &Model, answer: &Prediction) {
    match answer.class {
        Some(class) => {
            push_field(text, &model.target.classes()[class]);
            answer.values.iter().for_each(|p| *text += &format!(",{p}"));
        }
        None => *text += &answer.values[0].to_string(),
    }
    *text += &format!(",{}\n", answer.leaf);
}

/// The rows of a file as a model's values.
struct Rows {
    columns: Vec<Option<usize>>,
    odd: Vec<Odd>,
    values: Vec<f32>,
}

/// Cells of a feature that cannot be used: how many, and the first one with its line.
#[derive(Clone, Default)]
struct Odd {
    count: usize,
    cell: String,
    line: u64,
}

impl Rows {
    fn new(model: &Model, names: &[String]) -> Result<Rows> {
        let (columns, features) = (columns_of(model, names)?, model.features.len());
        Ok(Rows { columns, odd: vec![Odd::default(); features], values: vec![f32::NAN; features] })
    }

    /// The values of a row; cells that cannot be used are counted.
    fn read(&mut self, model: &Model, records: &Records, row: usize) -> &[f32] {
        for (at, feature) in model.features.iter().enumerate() {
            let Some(column) = self.columns[at] else { continue };
            let cell = records.cell(row, column);
            let value = feature.parse(cell);
            let unfit = value.is_nan()
                && !cell.is_empty()
                && !feature.missing_tokens.iter().any(|token| token == cell);
            if unfit || value < 0.0 && matches!(feature.kind, FeatureKind::Categorical { .. }) {
                let odd = &mut self.odd[at];
                if odd.count == 0 {
                    (odd.cell, odd.line) = (cell.to_owned(), records.line(row));
                }
                odd.count += 1;
            }
            self.values[at] = value;
        }
        &self.values
    }

    fn warnings(&self, model: &Model) -> Vec<String> {
        let odd = model.features.iter().zip(&self.odd).filter(|(_, odd)| odd.count > 0);
        odd.map(|(feature, Odd { count, cell, line })| {
            let what = match feature.kind {
                FeatureKind::Numerical { reading: CellReading::Date { .. }, .. } => {
                    "not a date and counted as missing"
                }
                FeatureKind::Numerical { .. } => "not a number and counted as missing",
                FeatureKind::Categorical { .. } => "not known to the tree and sent the way of missing values",
            };
            let (name, cell) = (quoted(&feature.name), quoted(cell));
            let cells = if *count == 1 { "cell is" } else { "cells are" };
            format!("Column {name}: {count} {cells} {what}, first {cell} on line {line}.")
        })
        .collect()
    }
}

/// Each feature's column in the file.
fn columns_of(model: &Model, names: &[String]) -> Result<Vec<Option<usize>>> {
    let mut tested = vec![false; model.features.len()];
    for node in model.tree.nodes() {
        node.features().iter().for_each(|&feature| tested[feature] = true);
    }
    let place = |column: &str| names.iter().position(|name| name == column);
    // A part of a date may also stand in a column of its own.
    let find = |feature: &Feature| place(feature.column()).or_else(|| place(&feature.name));
    let columns: Vec<Option<usize>> = model.features.iter().map(find).collect();
    let mut absent: Vec<&str> = model
        .features
        .iter()
        .zip(&columns)
        .zip(&tested)
        .filter(|((_, column), tested)| column.is_none() && **tested)
        .map(|((feature, _), _)| feature.column())
        .collect();
    absent.dedup();
    if absent.is_empty() {
        return Ok(columns);
    }
    Err(Error::new(
        Code::UnknownColumn,
        format!(
            "The tree tests {}, which the file does not have.",
            if absent.len() == 1 {
                format!("the column {}", quoted(absent[0]))
            } else {
                format!("the columns {}", listed(absent))
            }
        ),
        format!(
            "Its columns are {}: rename or add what is missing.",
            listed(names.iter().map(String::as_str))
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Decision, Leaf, Node, PostTransform, Split, Target, Tree};

    fn model() -> Model {
        let number = FeatureKind::Numerical {
            min: 0.0,
            max: 9.0,
            quartiles: [0.0; 3],
            reading: CellReading::default(),
        };
        let words = FeatureKind::Categorical { categories: vec!["a".into(), "b".into()] };
        let feature =
            |name: &str, kind| Feature { name: name.into(), kind, missing_tokens: vec!["?".into()] };
        let split = Split::Numerical { feature: 0, threshold: 0.5 };
        Model {
            features: vec![feature("x", number.clone()), feature("w", words), feature("unused", number)],
            target: Target::Classes { name: "y".into(), classes: vec!["no".into(), "yes, sure".into()] },
            tree: Tree::new(vec![
                Node::Split { split, left: 1, right: 2, default_left: false },
                Node::Leaf(Leaf::Scores(vec![0.75, 0.25])),
                Node::Leaf(Leaf::Scores(vec![0.0, 1.0])),
            ])
            .unwrap(),
            post_transform: PostTransform::None,
            decision: Decision::Likeliest,
            stats: vec![],
        }
    }

    #[test]
    fn answers_stand_behind_the_files_own_columns() {
        let records = Records::read(b"w,x,leaf\na,0.5,k\nz,?,\nb,big,\n").unwrap();
        let applied = apply(&model(), &records).unwrap();
        assert_eq!(
            predictions_csv(&model(), &records, &applied.predictions),
            "w,x,leaf,prediction,probability_no,\"probability_yes, sure\",leaf \
             (2)\na,0.5,k,no,0.75,0.25,1\nz,?,,\"yes, sure\",0,1,2\nb,big,,\"yes, sure\",0,1,2\n"
        );
        assert_eq!(
            applied.warnings,
            [
                "Column \"x\": 1 cell is not a number and counted as missing, first \"big\" on line 4.",
                "Column \"w\": 1 cell is not known to the tree and sent the way of missing values, first \
                 \"z\" on line 3."
            ]
        );
    }

    #[test]
    fn a_column_that_is_tested_must_be_there() {
        let records = Records::read(b"w,z\na,1\n").unwrap();
        let error = apply(&model(), &records).unwrap_err();
        assert_eq!(error.code, Code::UnknownColumn);
        assert!(error.message.contains("\"x\"") && !error.message.contains("unused"), "{error}");
    }
}
