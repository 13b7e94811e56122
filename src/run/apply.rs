//! A finished model on rows of another file.

use csv::WriterBuilder;

use crate::error::{Code, Error, Result, listed, quoted};
use crate::table::Records;
use crate::tree::{CellReading, Feature, FeatureKind, Model, Prediction};

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
    let (values, warnings) = read_values(model, records)?;
    let mut row = vec![0.0; model.features.len()];
    let predictions = (0..records.rows())
        .map(|i| {
            row.iter_mut().zip(&values).for_each(|(value, column)| *value = column[i]);
            model.predict(&row)
        })
        .collect();
    Ok(Applied { predictions, warnings })
}

/// The values of a file's first row, as a model reads them.
pub fn first_row(model: &Model, records: &Records) -> Result<Vec<f32>> {
    let (values, _) = read_values(model, records)?;
    Ok(values.into_iter().map(|column| column.first().copied().unwrap_or(f32::NAN)).collect())
}

/// A file's columns as a model reads them, with warnings about their cells.
fn read_values(model: &Model, records: &Records) -> Result<(Vec<Vec<f32>>, Vec<String>)> {
    let mut warnings = vec![];
    let columns = columns_of(model, records)?;
    let values = model
        .features
        .iter()
        .zip(&columns)
        .map(|(feature, column)| match column {
            Some(column) => read_column(feature, records, *column, &mut warnings),
            None => vec![f32::NAN; records.rows()],
        })
        .collect();
    Ok((values, warnings))
}

/// The file's rows with the answers behind them: `prediction`, a probability per class, `leaf`.
pub fn predictions_csv(model: &Model, records: &Records, predictions: &[Prediction]) -> String {
    let mut header: Vec<String> = records.names().to_vec();
    let classes = model.target.classes();
    let added = std::iter::once("prediction".to_owned())
        .chain(classes.iter().map(|class| format!("probability_{class}")))
        .chain(std::iter::once("leaf".to_owned()));
    for name in added {
        let copies = (1..).map(|copy| if copy == 1 { name.clone() } else { format!("{name} ({copy})") });
        let unique = copies.into_iter().find(|name| !header.contains(name)).expect("one of them is new");
        header.push(unique);
    }
    let mut writer = WriterBuilder::new().from_writer(vec![]);
    let mut write = |fields: &[String]| writer.write_record(fields).expect("writing to memory");
    write(&header);
    for (i, answer) in predictions.iter().enumerate() {
        let mut fields: Vec<String> =
            (0..records.names().len()).map(|column| records.cell(i, column).to_owned()).collect();
        match answer.class {
            Some(class) => {
                fields.push(classes[class].clone());
                fields.extend(answer.values.iter().map(f64::to_string));
            }
            None => fields.push(answer.values[0].to_string()),
        }
        fields.push(answer.leaf.to_string());
        write(&fields);
    }
    let bytes = writer.into_inner().expect("writing to memory");
    String::from_utf8(bytes).expect("cells and names are text")
}

/// Each feature's column in the file.
fn columns_of(model: &Model, records: &Records) -> Result<Vec<Option<usize>>> {
    let mut tested = vec![false; model.features.len()];
    for node in model.tree.nodes() {
        node.features().iter().for_each(|&feature| tested[feature] = true);
    }
    let place = |column: &str| records.names().iter().position(|name| name == column);
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
            listed(records.names().iter().map(String::as_str))
        ),
    ))
}

/// The values of a column; cells that cannot be used are counted in a warning.
fn read_column(feature: &Feature, records: &Records, column: usize, warnings: &mut Vec<String>) -> Vec<f32> {
    let mut odd = 0;
    let mut first = None;
    let values: Vec<f32> = (0..records.rows())
        .map(|row| {
            let cell = records.cell(row, column);
            let value = feature.parse(cell);
            let unfit = value.is_nan() && !cell.is_empty() && !feature.missing_tokens.iter().any(|token| token == cell);
            if unfit || value < 0.0 && matches!(feature.kind, FeatureKind::Categorical { .. }) {
                odd += 1;
                first.get_or_insert((records.line(row), cell));
            }
            value
        })
        .collect();
    if let Some((line, cell)) = first {
        let what = match feature.kind {
            FeatureKind::Numerical { reading: CellReading::Date { .. }, .. } => "not a date and counted as missing",
            FeatureKind::Numerical { .. } => "not a number and counted as missing",
            FeatureKind::Categorical { .. } => "not known to the tree and sent the way of missing values",
        };
        warnings.push(format!(
            "Column {}: {odd} {} {what}, first {} on line {line}.",
            quoted(&feature.name),
            if odd == 1 { "cell is" } else { "cells are" },
            quoted(cell),
        ));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Leaf, Node, PostTransform, Split, Target, Tree};

    fn model() -> Model {
        let number =
            FeatureKind::Numerical { min: 0.0, max: 9.0, quartiles: [0.0; 3], reading: CellReading::default() };
        let words = FeatureKind::Categorical { categories: vec!["a".into(), "b".into()] };
        let feature = |name: &str, kind| Feature { name: name.into(), kind, missing_tokens: vec!["?".into()] };
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
            stats: vec![],
        }
    }

    #[test]
    fn answers_stand_behind_the_files_own_columns() {
        let records = Records::read(b"w,x,leaf\na,0.5,k\nz,?,\nb,big,\n").unwrap();
        let applied = apply(&model(), &records).unwrap();
        assert_eq!(
            predictions_csv(&model(), &records, &applied.predictions),
            "w,x,leaf,prediction,probability_no,\"probability_yes, sure\",leaf (2)\n\
             a,0.5,k,no,0.75,0.25,1\nz,?,,\"yes, sure\",0,1,2\nb,big,,\"yes, sure\",0,1,2\n"
        );
        assert_eq!(
            applied.warnings,
            [
                "Column \"x\": 1 cell is not a number and counted as missing, first \"big\" on line 4.",
                "Column \"w\": 1 cell is not known to the tree and sent the way of missing values, first \"z\" on line 3."
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
