//! `espalier inspect`: what was understood of a file.

use std::path::PathBuf;

use espalier::table::{Column, Overrides, Table};
use serde::Serialize;

use super::failure::{Failure, one_line};
use super::files;
use super::layout::{self, Align};
use super::report;

/// Show what was understood of a CSV file
#[derive(clap::Args)]
pub struct Args {
    /// A CSV file with a header line
    #[arg(value_name = "DATA.csv")]
    data: PathBuf,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Inspection<'a> {
    rows: usize,
    columns: Vec<ColumnInfo<'a>>,
    delimiter: &'static str,
    encoding: &'static str,
    header: bool,
    skipped_rows: Vec<u64>,
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
}

#[derive(Serialize)]
struct UnfitCell<'a> {
    line: u64,
    cell: &'a str,
}

/// Reads the file and prints what was understood.
pub fn run(args: &Args) -> Result<(), Failure> {
    let bytes = files::read(&args.data)?;
    let table = Table::read(&bytes, &Overrides::default()).map_err(Failure::in_file(&args.data))?;
    let found = inspection(&table);
    files::print(&if args.json { report::json(&found) } else { shown(&table, &found) })
}

fn inspection(table: &Table) -> Inspection<'_> {
    let suggestion = table.suggestion();
    Inspection {
        rows: table.rows(),
        columns: table.columns().iter().map(column).collect(),
        // The reader takes nothing else yet, and refuses a file with a broken row rather than skipping it.
        delimiter: ",",
        encoding: "utf-8",
        header: true,
        skipped_rows: vec![],
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
        unfit_cells: column.unfit.iter().map(|unfit| UnfitCell { line: unfit.line, cell: &unfit.cell }).collect(),
    }
}

fn shown(table: &Table, found: &Inspection) -> String {
    let mut text = format!(
        "{} rows, {} columns; separated by \"{}\", {}, with a header\n\n",
        found.rows,
        found.columns.len(),
        found.delimiter,
        found.encoding
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
            vec![
                (at + 1).to_string(),
                one_line(column.name),
                column.kind.to_owned(),
                if column.r#use { "yes" } else { "no" }.to_owned(),
                column.missing.to_string(),
                column.distinct.to_string(),
                format!("{tokens}{}", source.note()),
            ]
        })
        .collect();
    text.push_str(&layout::table(&header, &rows));
    text.push('\n');
    for warning in &found.warnings {
        text.push_str(&format!("Warning: {warning}\n"));
    }
    match (found.suggested_target, found.suggested_task) {
        (Some(target), Some(task)) => text.push_str(&format!("Suggested target: {} ({task})\n", one_line(target))),
        _ => text.push_str("No column can be a target: each is constant, an identifier or free text.\n"),
    }
    text
}
