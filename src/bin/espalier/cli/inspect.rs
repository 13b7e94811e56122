//! `espalier inspect`: shows what was inferred about a file.

use std::path::PathBuf;

use espalier::table::{Column, Kind, Profile, Table};
use serde::Serialize;

use super::failure::{Failure, one_line};
use super::files;
use super::layout::{self, Align};
use super::reading::{self, Columns, Rows};
use super::report;

/// Words of a column that the table of columns shows.
const SHOWN_WORDS: usize = 3;

/// Maximum number of letters of each.
const SHOWN_LETTERS: usize = 24;

/// Show how a CSV file is read
#[derive(clap::Args)]
pub struct Args {
    /// A CSV file with a header line
    #[arg(value_name = "DATA.csv")]
    data: PathBuf,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rows: Rows,
    #[command(flatten)]
    columns: Columns,
}

#[derive(Serialize)]
struct Inspection<'a> {
    rows: usize,
    columns: Vec<ColumnInfo<'a>>,
    delimiter: &'static str,
    encoding: &'static str,
    header: bool,
    skipped_rows: Vec<SkippedRow>,
    warnings: Vec<String>,
    suggested_target: Option<&'a str>,
    suggested_task: Option<&'static str>,
}

#[derive(Serialize)]
struct ColumnInfo<'a> {
    name: &'a str,
    kind: &'static str,
    r#use: bool,
    missing: usize,
    distinct: usize,
    missing_tokens: &'a [String],
    unfit_cells: Vec<UnfitCell<'a>>,
    unfit_count: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<ProfileInfo<'a>>,
}

#[derive(Serialize)]
struct SkippedRow {
    line: u64,
    expected: usize,
    found: Option<usize>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ProfileInfo<'a> {
    Numbers { quantiles: [f64; 5], edges: &'a [f64], counts: &'a [usize] },
    Words { top: Vec<WordCount<'a>>, others: usize },
}

#[derive(Serialize)]
struct WordCount<'a> {
    word: &'a str,
    count: usize,
}

#[derive(Serialize)]
struct UnfitCell<'a> {
    line: u64,
    cell: &'a str,
}

/// Reads the file and prints what was inferred.
pub fn run(args: &Args) -> Result<(), Failure> {
    let bytes = files::read(&args.data)?;
    let (overrides, _) = reading::overrides(&args.rows, &args.columns, &[], &bytes, &args.data)?;
    let table = Table::read(&bytes, &overrides).map_err(Failure::in_file(&args.data))?;
    let found = inspection(&table);
    files::print(&if args.json { report::json(&found) } else { shown(&table, &found) })
}

fn inspection(table: &Table) -> Inspection<'_> {
    let suggestion = table.suggestion();
    Inspection {
        rows: table.rows(),
        columns: table.columns().iter().map(column).collect(),
        delimiter: table.dialect().delimiter.as_str(),
        encoding: table.dialect().encoding.as_str(),
        header: table.dialect().header,
        skipped_rows: table
            .skipped()
            .iter()
            .map(|row| SkippedRow { line: row.line, expected: row.expected, found: row.found })
            .collect(),
        warnings: table.warnings(),
        suggested_target: suggestion.as_ref().map(|found| table.columns()[found.target].name.as_str()),
        suggested_task: suggestion.map(|found| found.task),
    }
}

fn column(column: &Column) -> ColumnInfo<'_> {
    ColumnInfo {
        name: &column.name,
        kind: column.kind.as_str(),
        r#use: column.usable(),
        missing: column.missing,
        distinct: column.distinct,
        missing_tokens: &column.missing_tokens,
        unfit_cells: column
            .unfit
            .iter()
            .map(|unfit| UnfitCell { line: unfit.line, cell: &unfit.cell })
            .collect(),
        unfit_count: column.unfit_count,
        format: column.format(),
        profile: profile(&column.profile),
    }
}

fn profile(profile: &Profile) -> Option<ProfileInfo<'_>> {
    match profile {
        Profile::Empty => None,
        Profile::Numbers { quantiles, edges, counts } => {
            Some(ProfileInfo::Numbers { quantiles: *quantiles, edges, counts })
        }
        Profile::Words { top, others } => {
            let top = top.iter().map(|(word, count)| WordCount { word, count: *count }).collect();
            Some(ProfileInfo::Words { top, others: *others })
        }
    }
}

fn shown(table: &Table, found: &Inspection) -> String {
    let mut text = format!(
        "{} rows, {} columns; separated by {}, {}, {}\n\n",
        found.rows,
        found.columns.len(),
        table.dialect().delimiter.words(),
        found.encoding,
        if found.header { "with a header" } else { "without a header" }
    );
    let header = [
        ("#", Align::Right),
        ("column", Align::Left),
        ("kind", Align::Left),
        ("used", Align::Left),
        ("missing", Align::Right),
        ("distinct", Align::Right),
        ("note", Align::Left),
    ];
    let rows: Vec<Vec<String>> = found
        .columns
        .iter()
        .zip(table.columns())
        .enumerate()
        .map(|(at, (column, source))| {
            let tokens = match column.missing_tokens {
                [] => String::new(),
                tokens => format!("Missing is spelled {}. ", tokens.join(" ")),
            };
            let format =
                if column.format.is_empty() { String::new() } else { format!("Spelled {}. ", column.format) };
            vec![
                (at + 1).to_string(),
                one_line(column.name),
                column.kind.to_owned(),
                if column.r#use { "yes" } else { "no" }.to_owned(),
                column.missing.to_string(),
                column.distinct.to_string(),
                format!("{tokens}{format}{}{}", source.note(), values(source)),
            ]
        })
        .collect();
    text.push_str(&layout::table(&header, &rows));
    text.push('\n');
    for warning in &found.warnings {
        text.push_str(&format!("Warning: {warning}\n"));
    }
    match (found.suggested_target, found.suggested_task) {
        (Some(target), Some(task)) => {
            text.push_str(&format!("Suggested target: {} ({task})\n", one_line(target)))
        }
        _ => text.push_str("No column can be a target: each is constant, an identifier or free text.\n"),
    }
    text
}

/// Minimum, median and maximum, or the most frequent words, for a note of one line.
fn values(column: &Column) -> String {
    match &column.profile {
        Profile::Numbers { quantiles: [least, _, median, _, greatest], .. }
            if column.kind == Kind::Number =>
        {
            // The precision of f32 is enough for a note, and hides the digits that interpolation adds.
            let [least, median, greatest] = [least, median, greatest].map(|value| *value as f32);
            format!("{least} to {greatest}, median {median}.")
        }
        Profile::Words { top, others } if column.usable() => {
            let shown: Vec<String> = top
                .iter()
                .take(SHOWN_WORDS)
                .map(|(word, count)| format!("{} {count}", short(word)))
                .collect();
            let more = top.len() > SHOWN_WORDS || *others > 0;
            format!("{}{}", shown.join(", "), if more { ", …" } else { "" })
        }
        _ => String::new(),
    }
}

fn short(word: &str) -> String {
    let word = one_line(word);
    if word.chars().count() <= SHOWN_LETTERS {
        word
    } else {
        word.chars().take(SHOWN_LETTERS - 1).chain(['…']).collect()
    }
}
