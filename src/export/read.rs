//! Reads `*.tree.json`. The file may come from anywhere, so every problem is an error that names its place.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Kept;
use super::check;
use super::cursor::At;
use super::document::{DataInfo, Document, Generator, Metrics, Parts, ProofRow, Setting, Training};
use super::json::{FORMAT, FORMAT_VERSION};
use super::read_nodes::{self, tree};
use super::wire::PRECISION;
use crate::error::{Code, Error, Result, listed, quoted};
use crate::numeric::format::UNITS;
use crate::numeric::{DateFormat, DatePart, NumberFormat, Thousands};
use crate::tree::{CellReading, Decision, Feature, FeatureKind, Model, PostTransform, Target};

/// Reads the text of a `*.tree.json` file. Unknown keys are ignored.
pub fn read(text: &str) -> Result<Document> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value = serde_json::from_str(text).map_err(not_json)?;
    let top = At::top(&value);
    version(&top)?;
    let target = target(&top)?;
    let features = top.key("features")?.each(feature)?;
    check::features(&features)?;
    precision(&top)?;
    let post_transform = post_transform(&top.key("post_transform")?)?;
    let (tree, stats) = tree(&top, &features, &target)?;
    let decision = top.get("decision")?.map(|at| decision(&at)).transpose()?.unwrap_or_default();
    let model = Model { features, target, tree, post_transform, decision, stats };
    check::model(&model)?;
    read_nodes::leaf_classes(&top, &model)?;
    let verification = match top.get("verification")? {
        Some(at) => at.key("rows")?.each(|row| proof_row(row, &model.features))?,
        None => Vec::new(),
    };
    Ok(Document {
        generator: generator(&top)?,
        metrics: top.get("metrics")?.map(|at| metrics(&at)).transpose()?.unwrap_or_default(),
        training: top.get("training")?.map(|at| training(&at)).transpose()?,
        data: top.get("data")?.map(|at| data(&at)).transpose()?,
        verification,
        model,
    })
}

fn not_json(error: serde_json::Error) -> Error {
    let what =
        if error.is_eof() { "The text ends too early to be a tree file." } else { "The text is not JSON." };
    // The parser's own message ends with the position, which the error carries separately.
    let detail = error.to_string();
    let detail = detail.split(" at line ").next().unwrap_or_default();
    let hint = format!("Choose a *.tree.json file as it was downloaded (JSON parser: {detail}).");
    Error::new(Code::BadTree, what, hint).at_line(error.line() as u64)
}

fn version(top: &At) -> Result<()> {
    match top.get("format")? {
        Some(at) if at.text()? == FORMAT => {}
        _ => {
            let what = format!("this is JSON, but its \"format\" is not {}.", quoted(FORMAT));
            return Err(top.error(what, "Choose a *.tree.json file that this program wrote."));
        }
    }
    let at = top.key("format_version")?;
    let version = at.text()?;
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if major(version) == major(FORMAT_VERSION) {
        return Ok(());
    }
    let what =
        format!("format version {} is not known; this program reads {FORMAT_VERSION}.", quoted(version));
    Err(at.error(what, "Use the version of the program that wrote the file, or a newer one."))
}

fn generator(top: &At) -> Result<Generator> {
    let at = top.key("generator")?;
    Ok(Generator { name: at.key("name")?.string()?, version: at.key("version")?.string()? })
}

fn target(top: &At) -> Result<Target> {
    let at = top.key("target")?;
    let name = at.key("name")?.string()?;
    let task = top.key("task")?;
    match task.text()? {
        "classification" => Ok(Target::Classes { name, classes: at.key("classes")?.each(At::string)? }),
        "regression" => Ok(Target::Value { name }),
        "clustering" => {
            let columns = at.get("columns")?.map(|at| at.each(At::string)).transpose()?.unwrap_or_default();
            Ok(Target::Clusters { name, columns })
        }
        other => {
            let what = format!("the task {} is not known.", quoted(other));
            Err(task.error(what, "Use \"classification\", \"regression\" or \"clustering\"."))
        }
    }
}

fn feature(at: &At) -> Result<Feature> {
    let kind = at.key("type")?;
    let kind = match kind.text()? {
        "numerical" => {
            let summary = at.key("summary")?;
            let quartiles = summary.key("quartiles")?;
            let Ok([low, median, high]) = <[f32; 3]>::try_from(quartiles.each(At::single)?) else {
                return Err(quartiles
                    .error("expected three numbers.", "Give lower quartile, median, upper quartile."));
            };
            FeatureKind::Numerical {
                min: summary.key("min")?.single()?,
                max: summary.key("max")?.single()?,
                quartiles: [low, median, high],
                reading: cell_reading(at)?,
            }
        }
        "categorical" => FeatureKind::Categorical { categories: at.key("categories")?.each(At::string)? },
        other => {
            let what = format!("the type {} is not known.", quoted(other));
            return Err(kind.error(what, "Use \"numerical\" or \"categorical\"."));
        }
    };
    let missing_tokens =
        at.get("missing_tokens")?.map(|at| at.each(At::string)).transpose()?.unwrap_or_default();
    Ok(Feature { name: at.key("name")?.string()?, kind, missing_tokens })
}

/// How cells become numbers; plain if the file does not say.
fn cell_reading(at: &At) -> Result<CellReading> {
    if let Some(source) = at.get("source")? {
        let (format, part) = (at.key("date_format")?, at.key("date_part")?);
        return Ok(CellReading::Date {
            column: source.string()?,
            format: one_of(&format, &DateFormat::ALL, |format| format.as_str())?,
            part: one_of(&part, &DatePart::ALL, |part| part.as_str())?,
        });
    }
    let decimal_comma = match at.get("decimal_separator")? {
        Some(separator) => one_of(&separator, &[false, true], |comma| if comma { "," } else { "." })?,
        None => false,
    };
    let thousands = at.get("thousands_separator")?;
    let unit = at.get("unit")?;
    Ok(CellReading::Number(NumberFormat {
        decimal_comma,
        thousands: thousands.map(|at| one_of(&at, &Thousands::ALL, Thousands::as_str)).transpose()?,
        unit: unit.map(|at| one_of(&at, &UNITS, |unit| unit)).transpose()?,
    }))
}

/// The value whose name is given here. An unknown name is refused, because cells would be read differently.
fn one_of<T: Copy>(at: &At, values: &[T], word: impl Fn(T) -> &'static str) -> Result<T> {
    let found = at.text()?;
    values.iter().copied().find(|&value| word(value) == found).ok_or_else(|| {
        let known: Vec<&str> = values.iter().map(|&value| word(value)).collect();
        at.error(format!("{} is not known.", quoted(found)), format!("Use one of {}.", listed(known)))
    })
}

/// Refuses another rule for numbers, because it would route rows differently.
fn precision(top: &At) -> Result<()> {
    let Some(at) = top.get("precision")? else { return Ok(()) };
    for (key, known) in PRECISION {
        if let Some(at) = at.get(key)? {
            at.only(known)?;
        }
    }
    Ok(())
}

fn post_transform(at: &At) -> Result<PostTransform> {
    let word = at.text()?;
    let all = [PostTransform::None, PostTransform::Logistic, PostTransform::Softmax];
    all.into_iter().find(|known| known.as_str() == word).ok_or_else(|| {
        let what = format!("the output transform {} is not known.", quoted(word));
        at.error(what, "Use \"none\", \"logistic\" or \"softmax\", or a newer version of this program.")
    })
}

/// The answer rule. Files of version 1.0 have none and predict the most probable class.
fn decision(at: &At) -> Result<Decision> {
    let rule = at.key("rule")?;
    match rule.text()? {
        "likeliest" => Ok(Decision::Likeliest),
        "balanced" => Ok(Decision::Balanced { weights: at.key("weights")?.each(At::number)? }),
        "costs" => Ok(Decision::Costs { costs: at.key("costs")?.each(|row| row.each(At::number))? }),
        other => {
            let what = format!("the answer rule {} is not known.", quoted(other));
            Err(rule.error(
                what,
                "Use \"likeliest\", \"balanced\" or \"costs\", or a newer version of this program.",
            ))
        }
    }
}

/// Reads a proof row; a column that it does not name has an empty cell.
fn proof_row(at: &At, features: &[Feature]) -> Result<ProofRow> {
    let input = at.key("input")?;
    let cell = |feature: &Feature| match input.get(&feature.name)? {
        Some(cell) => cell.string(),
        None => Ok(String::new()),
    };
    Ok(ProofRow {
        cells: features.iter().map(cell).collect::<Result<_>>()?,
        leaf: at.key("leaf")?.index()?,
        output: at.key("output")?.each(At::number)?,
        probabilities: at
            .get("probabilities")?
            .map(|at| at.each(At::number))
            .transpose()?
            .unwrap_or_default(),
    })
}

/// Values by key.
fn by_key<'a, T>(at: &At<'a>, read: impl Fn(&At<'a>) -> Result<T>) -> Result<BTreeMap<String, T>> {
    let mut values = BTreeMap::new();
    for (key, value) in at.entries()? {
        values.insert(key.to_owned(), read(&value)?);
    }
    Ok(values)
}

fn scores(at: &At) -> Result<BTreeMap<String, f64>> {
    by_key(at, At::number)
}

fn metrics(at: &At) -> Result<Metrics> {
    let mut tree = Parts::new();
    for (part, at) in at.entries()? {
        if part != "baseline" {
            tree.insert(part.to_owned(), scores(&at)?);
        }
    }
    Ok(Metrics { tree, baseline: at.get("baseline")?.map(|at| by_key(&at, scores)).transpose()? })
}

fn training(at: &At) -> Result<Training> {
    let setting = |at: &At| at.scalar(Setting::Flag, Setting::Number, |word| Setting::Word(word.to_owned()));
    Ok(Training {
        algorithm: at.key("algorithm")?.string()?,
        config: by_key(&at.key("config")?, setting)?,
        recipe: at.get("recipe")?.map(|at| at.string()).transpose()?,
        said: at.get("said")?.map(|at| by_key(&at, setting)).transpose()?,
        seed: at.key("seed")?.whole()?,
        shares: by_key(&at.key("shares")?, At::number)?,
        rows: by_key(&at.key("rows")?, At::whole)?,
        steps: at.key("steps")?.whole()?,
        best_epoch: at.get("best_epoch")?.map(|at| at.whole()).transpose()?,
        stop_reason: at.key("stop_reason")?.string()?,
        shrinkage: at.get("shrinkage")?.map(|at| at.number()).transpose()?,
        kept: at.get("kept")?.map(|at| kept(&at)).transpose()?,
    })
}

fn kept(at: &At) -> Result<Kept> {
    Ok(Kept {
        start: at.key("start")?.string()?,
        restart: at.key("restart")?.whole()?,
        gradient_epochs: at.key("gradient_epochs")?.whole()?,
        taught: at.key("taught")?.whole()?,
        synthetic_rows: at.key("synthetic_rows")?.whole()?,
        selected_on: at.key("selected_on")?.string()?,
    })
}

fn data(at: &At) -> Result<DataInfo> {
    Ok(DataInfo {
        rows: at.key("rows")?.whole()?,
        columns: at.key("columns")?.whole()?,
        sha256: at.get("sha256")?.map(|at| at.string()).transpose()?,
        delimiter: at.key("delimiter")?.string()?,
        encoding: at.key("encoding")?.string()?,
    })
}
