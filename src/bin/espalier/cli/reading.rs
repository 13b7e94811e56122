//! Options for reading a file, for every subcommand that reads one.

use std::path::Path;

use espalier::error::{Code, Error, quoted};
use espalier::table::{Delimiter, Encoding, Kind, MissingTokens, Overrides, Records};

use super::failure::Failure;

/// How bytes become rows. Everything left open is detected.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Reading the file")]
pub struct Rows {
    /// Delimiter: comma, semicolon, tab or bar [default: detected]
    #[arg(long, value_name = "D")]
    delimiter: Option<String>,
    /// utf-8, utf-16le, utf-16be or windows-1252 [default: detected]
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// The first line is a header [default: detected]
    #[arg(long, conflicts_with = "no_header")]
    header: bool,
    /// The first line is a row like the others
    #[arg(long)]
    no_header: bool,
    /// Skip rows that cannot be read, instead of refusing the file
    #[arg(long)]
    skip_bad_rows: bool,
}

/// How columns are read. Everything left open is detected.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Reading the columns")]
pub struct Columns {
    /// Columns to read as categories; may be repeated
    #[arg(long, value_name = "A,B")]
    categorical: Vec<String>,
    /// Columns to read as numbers; may be repeated
    #[arg(long, value_name = "A,B")]
    numeric: Vec<String>,
    /// Columns to read as dates; may be repeated
    #[arg(long, value_name = "A,B")]
    date: Vec<String>,
    /// Columns that hold free text and are not used; may be repeated
    #[arg(long, value_name = "A,B")]
    text: Vec<String>,
    /// Kind of a column: number, category, yes-no, date, text, constant or identifier; may be repeated
    #[arg(long, value_name = "COL=KIND")]
    kind: Vec<String>,
    /// Spellings of a missing value in a column, instead of the usual ones; * means every other column; may
    /// be repeated
    #[arg(long, value_name = "COL=A,B")]
    missing: Vec<String>,
}

impl Rows {
    /// The reader's options.
    pub fn overrides(&self) -> Result<Overrides, Failure> {
        Ok(Overrides {
            delimiter: self.delimiter.as_deref().map(Delimiter::parse).transpose()?,
            encoding: self.encoding.as_deref().map(Encoding::parse).transpose()?,
            header: match (self.header, self.no_header) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
            skip_bad_rows: self.skip_bad_rows,
            ..Overrides::default()
        })
    }
}

/// All options together; further lists of names are split with the file's own names.
pub fn overrides(
    rows: &Rows,
    columns: &Columns,
    further: &[String],
    bytes: &[u8],
    data: &Path,
) -> Result<(Overrides, Vec<String>), Failure> {
    let mut overrides = rows.overrides()?;
    let lists = [further, &columns.categorical, &columns.numeric, &columns.date, &columns.text];
    // Only the file's own names can tell a name that contains a comma from a list.
    let with_comma = lists.iter().any(|list| list.iter().any(|value| value.contains(',')));
    let mut assigned = columns.missing.iter().chain(&columns.kind);
    let names = if with_comma || assigned.any(|text| text.matches('=').count() > 1) {
        Records::read_as(bytes, &overrides).map_err(Failure::in_file(data))?.names().to_vec()
    } else {
        vec![]
    };
    let [further, listed @ ..] = lists.map(|list| split_names(list, &names));
    let of = [Kind::Category, Kind::Number, Kind::Date, Kind::Text];
    let mut kinds: Vec<(String, Kind)> = of
        .into_iter()
        .zip(listed)
        .flat_map(|(kind, list)| list.into_iter().map(move |name| (name, kind)))
        .collect();
    for text in &columns.kind {
        let (column, kind) = assignment(text, &names).ok_or_else(|| {
            let message = format!("{} does not name a column and its kind.", quoted(text));
            Error::new(Code::BadValue, message, "Write it as COLUMN=KIND, for instance --kind zip=category.")
        })?;
        kinds.push((column.to_owned(), Kind::parse(kind.trim())?));
    }
    let missing =
        columns.missing.iter().map(|text| missing_tokens(text, &names)).collect::<Result<_, Error>>()?;
    overrides = Overrides { kinds, missing, ..overrides };
    Ok((overrides, further))
}

/// Splits lists of names: each value is a name in the file, or several names separated by commas.
fn split_names(values: &[String], names: &[String]) -> Vec<String> {
    let pieces = values.iter().flat_map(|value| {
        if names.contains(value) { vec![value.as_str()] } else { value.split(',').map(str::trim).collect() }
    });
    pieces.filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// Splits `COL=…` after the longest name in the file that ends at an equals sign, or else at the first equals
/// sign.
fn assignment<'a>(text: &'a str, names: &[String]) -> Option<(&'a str, &'a str)> {
    let signs = || text.match_indices('=').map(|(at, _)| at);
    let known = signs().rev().find(|&at| names.iter().any(|name| *name == text[..at]));
    known.or_else(|| signs().next()).map(|at| (text[..at].trim(), &text[at + 1..]))
}

/// `COL=A,B`.
fn missing_tokens(text: &str, names: &[String]) -> Result<MissingTokens, Error> {
    let (column, tokens) = assignment(text, names).ok_or_else(|| {
        let message = format!("{} does not name a column and its missing values.", quoted(text));
        Error::new(Code::BadValue, message, "Write it as COLUMN=A,B, for instance --missing age=-1,unknown.")
    })?;
    let tokens = tokens.split(',').map(str::trim).filter(|token| !token.is_empty()).map(str::to_owned);
    Ok(MissingTokens { column: column.to_owned(), tokens: tokens.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lists_unless_the_file_knows_them() {
        let values = ["a, b".to_owned(), "x,y".to_owned(), "c".to_owned()];
        assert_eq!(split_names(&values, &["x,y".to_owned()]), ["a", "b", "x,y", "c"]);
        assert_eq!(split_names(&values, &[]), ["a", "b", "x", "y", "c"]);
    }

    #[test]
    fn missing_spellings_belong_to_a_column() {
        fn check<const N: usize>(text: &str, column: &str, tokens: [&str; N]) {
            let found = missing_tokens(text, &["a=b".to_owned()]).unwrap();
            assert_eq!((found.column.as_str(), found.tokens), (column, tokens.map(str::to_owned).to_vec()));
        }
        check("age=-1, ?", "age", ["-1", "?"]);
        check("age=", "age", []);
        check("*=-200", "*", ["-200"]);
        check("a=b=c", "a=b", ["c"]);
        check("x=b=c", "x", ["b=c"]);
        assert_eq!(missing_tokens("age", &[]).unwrap_err().code, Code::BadValue);
    }
}
