//! One error type for every user mistake: what is wrong, where, and how to fix it.

use std::fmt;

/// The kind of an error, for programs; the message is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The file has no bytes, or nothing but blank lines.
    EmptyFile,
    /// The file is not text.
    NotText,
    /// The file is too large to hold.
    TooLarge,
    /// There are too few data rows for the task.
    TooFewRows,
    /// A row cannot be read.
    BadRow,
    /// The file has no column with the given name.
    UnknownColumn,
    /// The target cannot be learned: all its values are missing or the same.
    BadTarget,
    /// No column is left to learn from.
    NoFeatures,
    /// A task does not suit the target or the learner.
    BadTask,
    /// There is no learner with the given name.
    UnknownModel,
    /// There is no hyper-parameter with the given name.
    UnknownParameter,
    /// A value is outside the range of a setting.
    BadValue,
    /// A tree file is broken, or has another version.
    BadTree,
    /// A tree file's proof rows do not give the results that the file states.
    Unproved,
    /// There is no export format with the given name, or it cannot hold this tree.
    BadFormat,
    /// A file cannot be opened or written.
    Io,
    /// A message from the page was not understood, or came at the wrong time.
    BadRequest,
}

impl Code {
    /// The stable name of this kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::EmptyFile => "empty_file",
            Code::NotText => "not_text",
            Code::TooLarge => "too_large",
            Code::TooFewRows => "too_few_rows",
            Code::BadRow => "bad_row",
            Code::UnknownColumn => "unknown_column",
            Code::BadTarget => "bad_target",
            Code::NoFeatures => "no_features",
            Code::BadTask => "bad_task",
            Code::UnknownModel => "unknown_model",
            Code::UnknownParameter => "unknown_parameter",
            Code::BadValue => "bad_value",
            Code::BadTree => "bad_tree",
            Code::Unproved => "unproved",
            Code::BadFormat => "bad_format",
            Code::Io => "io",
            Code::BadRequest => "bad_request",
        }
    }
}

/// Bad input. A broken invariant of our own is a bug and panics instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The kind.
    pub code: Code,
    /// What is wrong: one sentence, without the place.
    pub message: String,
    /// How to fix it: one sentence.
    pub hint: String,
    /// The line of the file, from 1.
    pub line: Option<u64>,
    /// The column's name.
    pub column: Option<String>,
    /// The rows that cannot be read, if skipping them would help.
    pub bad_rows: Option<Box<BadRows>>,
}

/// Rows that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRows {
    /// How many were found.
    pub count: usize,
    /// The lines on which the first of them begin, from 1.
    pub lines: Vec<u64>,
}

/// A result with this error type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error without a place.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Error { code, message: message.into(), hint: hint.into(), line: None, column: None, bad_rows: None }
    }

    /// Adds the line of the file, from 1.
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Adds the column.
    pub fn in_column(mut self, name: impl Into<String>) -> Self {
        self.column = Some(name.into());
        self
    }

    /// Adds the rows that could be skipped.
    pub fn about_rows(mut self, count: usize, lines: Vec<u64>) -> Self {
        self.bad_rows = Some(Box::new(BadRows { count, lines }));
        self
    }

    /// The message after its place: `Line 18, column "age": expected a number.`
    pub fn placed_message(&self) -> String {
        match (self.line, &self.column) {
            (None, None) => self.message.clone(),
            (Some(line), None) => format!("Line {line}: {}", self.message),
            (None, Some(column)) => format!("Column {}: {}", quoted(column), self.message),
            (Some(line), Some(column)) => format!("Line {line}, column {}: {}", quoted(column), self.message),
        }
    }
}

impl fmt::Display for Error {
    /// One line: place, message and hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.placed_message())?;
        if !self.hint.is_empty() {
            write!(f, " {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// A name or a cell for a message: in quotes, on one line, and cut to a readable length.
#[doc(hidden)]
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// A list for a message: `"a", "b" and "c"`, cut after a dozen.
#[doc(hidden)]
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let names: Vec<&str> = names.into_iter().collect();
    let mut shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
    if names.len() > MOST {
        shown.push(format!("{} more", names.len() - MOST));
    }
    match shown.as_slice() {
        [] => "none".into(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reads_as_one_line_with_its_place() {
        let error = Error::new(Code::BadRow, "Expected a number, found \"n/a\".", "Mark \"n/a\" as missing.")
            .at_line(18)
            .in_column("age\n");
        assert_eq!(
            error.to_string(),
            "Line 18, column \"age\\n\": Expected a number, found \"n/a\". Mark \"n/a\" as missing."
        );
    }

    #[test]
    fn long_names_and_lists_are_cut() {
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 63);
        assert_eq!(listed(["a", "b", "c"]), "\"a\", \"b\" and \"c\"");
        let many: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert!(listed(many.iter().map(String::as_str)).ends_with("\"11\" and 8 more"));
    }
}
