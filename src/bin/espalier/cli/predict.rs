//! `espalier predict`: a tree's answers for the rows of a file, piece by piece.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use espalier::export;
use espalier::run::Answers;
use espalier::table::{Overrides, Reader};

use super::failure::{Failure, say};
use super::files;
use super::progress::{Counter, Mode};
use super::reading::Rows;

/// Rows that are read, or predicted and written, between two looks at the clock.
const PIECE: usize = 10_000;

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
    /// How progress is shown: on a terminal, in lines, as JSON, or not at all
    #[arg(long, value_enum, default_value = "auto")]
    progress: Mode,
    #[command(flatten)]
    rows: Rows,
}

/// Reads both files and writes the answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    files::check_outputs(&[&args.tree, &args.data], &[args.out.as_deref()])?;
    let document = export::read(&files::read_tree(&args.tree)?).map_err(Failure::in_file(&args.tree))?;
    let overrides = Overrides { keep_empty_rows: true, ..args.rows.overrides()? };
    let mut counter = Counter::new(args.progress);

    let bytes = files::read(&args.data)?;
    let mut reader = Reader::new(Cow::Owned(bytes), &overrides).map_err(Failure::in_file(&args.data))?;
    while !reader.is_done() {
        let share = reader.advance(PIECE).map_err(Failure::in_file(&args.data))?;
        counter.show("reading", reader.rows(), share);
    }
    let records = reader.finish().map_err(Failure::in_file(&args.data))?;
    for note in &records.notes {
        counter.clear();
        say(&format!("warning: {note}"));
    }

    let mut answers = Answers::new(document.model, records).map_err(Failure::in_file(&args.data))?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(File::create(path).map_err(|error| files::cannot_write(path, &error))?),
        None => Box::new(io::stdout().lock()),
    };
    let mut out = BufWriter::with_capacity(1 << 20, &mut out);
    let failed = |error: io::Error| files::output_failure(args.out.as_deref(), &error);
    let mut text = answers.header();
    let rows = answers.rows();
    for begin in (0..rows).step_by(PIECE) {
        let end = rows.min(begin + PIECE);
        answers.write(begin..end, &mut text);
        out.write_all(text.as_bytes()).map_err(failed)?;
        text.clear();
        counter.show("predicting", end, end as f64 / rows as f64);
    }
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(failed)?;
    counter.clear();
    for warning in &answers.warnings() {
        say(&format!("warning: {warning}"));
    }
    Ok(())
}
