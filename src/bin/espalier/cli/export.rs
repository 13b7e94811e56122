//! `espalier export`: writes a tree in another format.

use std::path::PathBuf;

use espalier::export;

use super::failure::Failure;
use super::files;

/// Write a tree in another format
#[derive(clap::Args)]
pub struct Args {
    /// A tree file written by train
    #[arg(value_name = "TREE.json")]
    tree: PathBuf,
    /// The format: json, text, markdown, svg, dot, python, javascript, c, rust, sql, sklearn, onnx, xgboost
    /// or pmml
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// Write to a file instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Reads the tree and writes it in the requested format.
pub fn run(args: &Args) -> Result<(), Failure> {
    export::format(&args.to)?;
    files::check_outputs(&[&args.tree], &[args.out.as_deref()])?;
    let document = export::read(&files::read_tree(&args.tree)?).map_err(Failure::in_file(&args.tree))?;
    let bytes = export::export(&document, &args.to).map_err(Failure::in_file(&args.tree))?;
    files::write_or_print(args.out.as_deref(), &bytes)
}
