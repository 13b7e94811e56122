//! Failures that end the program early, each reported in one line on stderr.

use std::io::Write;
use std::panic::PanicHookInfo;
use std::path::Path;
use std::process::ExitCode;

use espalier::Error;

/// The exit status for a bug in this program (`EX_SOFTWARE` of sysexits.h).
const INTERNAL_ERROR: i32 = 70;

/// A failure that ends the program early.
#[derive(Debug)]
pub enum Failure {
    /// Bad input: status 1.
    Input(String),
    /// Wrong usage: status 2.
    Usage(String),
    /// The reader of our output has closed it: no message, status 0.
    OutputClosed,
}

impl Failure {
    /// Wrong usage, from the parser's multi-line text.
    pub fn usage(text: &str) -> Failure {
        let mut paragraphs = text.split("\n\n").map(str::trim);
        let what = paragraphs.next().unwrap_or_default();
        let what = what.strip_prefix("error: ").unwrap_or(what);
        let tip = paragraphs.find(|paragraph| paragraph.starts_with("tip: "));
        let tip = tip.map_or(String::new(), |tip| format!(" ({tip})"));
        Failure::Usage(format!("{what}{tip}. Try 'espalier --help'."))
    }

    /// Bad input in a file.
    pub fn in_file(path: &Path) -> impl Fn(Error) -> Failure {
        move |mut error| {
            // The reader's hint is written for the page too, where a button skips the rows.
            error.hint = error
                .hint
                .replace("skip rows that cannot be read", "leave out such rows with --skip-bad-rows");
            Failure::Input(format!("{}: {error}", path.display()))
        }
    }

    /// Prints the message and returns the exit status.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::Input(message) => {
                say(message);
                ExitCode::from(1)
            }
            Failure::Usage(message) => {
                say(message);
                ExitCode::from(2)
            }
            Failure::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Input(message) | Failure::Usage(message) => f.write_str(message),
            Failure::OutputClosed => Ok(()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Input(error.to_string())
    }
}

/// Prints one line on stderr, after the program's name. `eprintln!` would panic if stderr is closed.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "espalier: {}", one_line(message));
}

/// Puts a text on one line: every run of whitespace and control characters becomes one space.
pub fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Reports a panic, which is a bug of ours, in one line instead of a backtrace.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info: &PanicHookInfo| {
        let place =
            info.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
        say(&panic_message(info.payload_as_str().unwrap_or("unknown"), &place));
        std::process::exit(INTERNAL_ERROR);
    }));
}

fn panic_message(what: &str, place: &str) -> String {
    format!("internal error: {what}{place}. This is a bug: please report it with the command that led to it.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parsers_text_becomes_one_line() {
        let check = |text: &str, expected: &str| match Failure::usage(text) {
            Failure::Usage(message) => assert_eq!(one_line(&message), expected),
            other => panic!("{other:?}"),
        };
        check(
            "error: unexpected argument '--sed' found\n\n  tip: a similar argument exists: '--seed'\n\n\
             Usage: x\n",
            "unexpected argument '--sed' found (tip: a similar argument exists: '--seed'). \
             Try 'espalier --help'.",
        );
        check(
            "error: the following required arguments were not provided:\n  <DATA>\n\nUsage: x\n",
            "the following required arguments were not provided: <DATA>. Try 'espalier --help'.",
        );
    }

    #[test]
    fn a_panic_reads_as_one_line() {
        assert_eq!(
            one_line(&panic_message("left\n right", " at a.rs:1")),
            "internal error: left right at a.rs:1. This is a bug: \
             please report it with the command that led to it."
        );
    }
}
