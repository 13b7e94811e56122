//! `espalier verify`: runs the proof rows inside a tree file again.

use std::path::PathBuf;

use espalier::export;

use super::failure::Failure;
use super::files;

/// Run the proof rows inside a tree file again
#[derive(clap::Args)]
pub struct Args {
    /// A tree file written by train
    #[arg(value_name = "TREE.json")]
    tree: PathBuf,
}

/// Reads the tree and checks it against its own proof rows.
pub fn run(args: &Args) -> Result<(), Failure> {
    let document = export::read(&files::read_tree(&args.tree)?).map_err(Failure::in_file(&args.tree))?;
    let rows = export::verify(&document).map_err(Failure::in_file(&args.tree))?;
    files::print(&format!(
        "{}: all {rows} proof rows give the leaf and output they must.\n",
        args.tree.display()
    ))
}
