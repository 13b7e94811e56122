//! `espalier predict`: a tree's answers for the rows of a file.

use std::path::PathBuf;

use espalier::export;
use espalier::run::{apply, predictions_csv};
use espalier::table::{Overrides, Records};

use super::failure::{Failure, say};
use super::files;
use super::reading::Rows;

/// Predict the rows of a CSV file: its columns with prediction, one probability per class and leaf behind them
#[derive(clap::Args)]
pub struct Args {
    /// A tree that train has written
    #[arg(value_name = "TREE.json")]
    tree: PathBuf,
    /// A CSV file with the columns that the tree tests
    #[arg(value_name = "DATA.csv")]
    data: PathBuf,
    /// Write to a file instead of the standard output
    #[arg(long, value_name = "PRED.csv")]
    out: Option<PathBuf>,
    #[command(flatten)]
    rows: Rows,
}

/// Reads both files and writes the answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    files::check_outputs(&[&args.tree, &args.data], &[args.out.as_deref()])?;
    let document = export::read(&files::read_text(&args.tree)?).map_err(Failure::in_file(&args.tree))?;
    let overrides = Overrides { keep_empty_rows: true, ..args.rows.overrides()? };
    let records = Records::read_as(&files::read(&args.data)?, &overrides).map_err(Failure::in_file(&args.data))?;
    for note in &records.notes {
        say(&format!("warning: {note}"));
    }
    let applied = apply(&document.model, &records).map_err(Failure::in_file(&args.data))?;
    for warning in &applied.warnings {
        say(&format!("warning: {warning}"));
    }
    files::write_or_print(args.out.as_deref(), &predictions_csv(&document.model, &records, &applied.predictions))
}
