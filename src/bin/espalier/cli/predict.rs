//! `espalier predict`: predicts the rows of a file with a tree, in pieces.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use espalier::export;
use espalier::run::Answers;
use espalier::table::{Fed, Records, Stream, Survey, Surveyed};

use super::failure::{Failure, say};
use super::files;
use super::progress::{Counter, Mode};
use super::reading::Rows;
use super::twice::Twice;

/// Predict the rows of a CSV file: its columns, followed by prediction, one probability per class, and leaf
#[derive(clap::Args)]
pub struct Args {
    /// A tree file written by train
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

/// Reads the tree, surveys the file, then predicts its rows in pieces: memory holds one piece, however long
/// the file is.
pub fn run(args: &Args) -> Result<(), Failure> {
    files::check_outputs(&[&args.tree, &args.data], &[args.out.as_deref()])?;
    let document = export::read(&files::read_tree(&args.tree)?).map_err(Failure::in_file(&args.tree))?;
    let in_data = Failure::in_file(&args.data);
    let mut counter = Counter::new(args.progress);
    let mut file = Twice::open(&args.data)?;
    let surveyed = survey(&mut file, args, &mut counter)?;
    for note in &surveyed.notes {
        counter.clear();
        say(&format!("warning: {note}"));
    }

    let mut answers = Answers::new(document.model, surveyed.names.clone()).map_err(&in_data)?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(File::create(path).map_err(|error| files::cannot_write(path, &error))?),
        None => Box::new(io::stdout().lock()),
    };
    let failed = |error: io::Error| files::output_failure(args.out.as_deref(), &error);
    let mut text = answers.header();
    let mut rows = 0;
    let mut stream = Stream::new(surveyed);
    let mut write = |records: Option<Records>| {
        let Some(records) = records else { return Ok(0) };
        answers.write(&records, &mut text);
        out.write_all(text.as_bytes()).map_err(failed)?;
        text.clear();
        rows += records.rows();
        Ok::<usize, Failure>(rows)
    };
    file.each(|piece, share| {
        let rows = write(stream.feed(piece).map_err(&in_data)?)?;
        counter.show("predicting", rows, share);
        Ok(true)
    })?;
    write(stream.finish().map_err(&in_data)?)?;
    // A file with only a header has no row to be written with it.
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(failed)?;
    counter.clear();
    for warning in &answers.warnings() {
        say(&format!("warning: {warning}"));
    }
    Ok(())
}

/// Finds what only the whole file shows: how it is written, its columns, and whether its rows can be read.
fn survey(file: &mut Twice, args: &Args, counter: &mut Counter) -> Result<Surveyed, Failure> {
    let in_data = Failure::in_file(&args.data);
    let mut survey = Survey::new(&args.rows.overrides()?);
    loop {
        let mut fed = Fed::On;
        file.each(|piece, share| {
            fed = survey.feed(piece).map_err(&in_data)?;
            counter.show("reading", survey.rows(), share);
            Ok(fed == Fed::On)
        })?;
        if fed == Fed::Again {
            continue;
        }
        if let Some(surveyed) = survey.finish().map_err(&in_data)? {
            return Ok(surveyed);
        }
    }
}
