//! `espalier predict`: a tree's answers for the rows of a file.

use std::path::PathBuf;

use espalier::export;
use espalier::run::{apply, predictions_csv};
use espalier::table::Records;

use super::failure::{Failure, say};
use super::files;

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
}

/// Reads both files and writes the answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    files::check_outputs(&[&args.tree, &args.data], &[args.out.as_deref()])?;
    let document = export::read(&files::read_text(&args.tree)?).map_err(Failure::in_file(&args.tree))?;
    let records = Records::read(&files::read(&args.data)?).map_err(Failure::in_file(&args.data))?;
    let applied = apply(&document.model, &records).map_err(Failure::in_file(&args.data))?;
    for warning in &applied.warnings {
        say(&format!("warning: {warning}"));
    }
    files::write_or_print(args.out.as_deref(), &predictions_csv(&document.model, &records, &applied.predictions))
}
