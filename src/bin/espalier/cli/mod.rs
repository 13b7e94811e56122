//! Arguments, dispatch and exit codes, with one file per subcommand. To add one, add a module with `Args` and
//! `run`, a member of [`Command`] and a line in [`dispatch`].

mod bench;
mod cluster;
mod compare;
mod deadline;
mod drive;
mod export;
mod failure;
mod files;
mod forest;
mod inspect;
mod interrupt;
mod layout;
mod models;
mod options;
mod predict;
mod progress;
mod reading;
mod report;
mod reserve;
mod time_left;
mod train;
mod twice;
mod verify;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use failure::Failure;

/// Decision trees trained by gradient descent, compared with the greedy tree.
#[derive(Parser)]
#[command(name = "espalier", version, arg_required_else_help = false)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Inspect(inspect::Args),
    Train(Box<train::Args>),
    Compare(Box<compare::Args>),
    Predict(predict::Args),
    Export(export::Args),
    Verify(verify::Args),
    Bench(bench::Args),
}

/// Exit status: 0; 1 for bad input; 2 for wrong usage. Each failure is one line on stderr.
pub fn main() -> ExitCode {
    failure::install_panic_hook();
    let outcome = match Cli::try_parse() {
        Ok(cli) => dispatch(cli.command),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            // A closed output (`espalier --help | head -1`) is not a failure.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => Err(Failure::usage(&error.to_string())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Inspect(args) => inspect::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Predict(args) => predict::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Bench(args) => bench::run(&args),
    }
}
