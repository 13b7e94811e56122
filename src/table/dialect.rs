//! Detects the delimiter, and whether the first line is a header.

use csv::{ByteRecord, ReaderBuilder};

use crate::error::{Code, Error, Result, quoted};
use crate::numeric::format::split_unit;
use crate::numeric::order::sort_positions;
use crate::numeric::{DateFormat, NumberFormat};

/// The character between the fields of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`, common where the comma is the decimal separator.
    Semicolon,
    /// The tab character.
    Tab,
    /// `|`
    Bar,
}

/// Bytes at the start of a file from which the dialect is guessed.
const HEAD: usize = 64 * 1024;

/// Rows below the first that are compared with it.
const ROWS_BELOW: usize = 100;

impl Delimiter {
    /// Every delimiter, the most common first.
    pub const ALL: [Delimiter; 4] = [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab, Delimiter::Bar];

    /// The character.
    pub(crate) fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Semicolon => b';',
            Delimiter::Tab => b'\t',
            Delimiter::Bar => b'|',
        }
    }

    /// The character as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Delimiter::Comma => ",",
            Delimiter::Semicolon => ";",
            Delimiter::Tab => "\t",
            Delimiter::Bar => "|",
        }
    }

    /// Its plural noun, for use in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Delimiter::Comma => "commas",
            Delimiter::Semicolon => "semicolons",
            Delimiter::Tab => "tabs",
            Delimiter::Bar => "bars",
        }
    }

    /// Parses a character or a word.
    pub fn parse(text: &str) -> Result<Delimiter> {
        let word = match text {
            "comma" => ",",
            "semicolon" => ";",
            "tab" | "\\t" => "\t",
            "bar" | "pipe" => "|",
            other => other,
        };
        Delimiter::ALL.into_iter().find(|delimiter| delimiter.as_str() == word).ok_or_else(|| {
            Error::new(
                Code::BadValue,
                format!("{} is not a delimiter.", quoted(text)),
                "Choose comma, semicolon, tab or bar.",
            )
        })
    }

    /// Detects the delimiter of a text, taking quotes into account.
    ///
    /// The candidates are the delimiters that occur in the first row. The one that gives the largest share of
    /// rows the same number of fields wins. Ties go to the one that gives more fields; the comma comes last,
    /// because it may be a decimal comma.
    pub(crate) fn detect(text: &[u8]) -> Delimiter {
        let mut best =
            (Delimiter::Comma, Score { comma: true, in_first: false, same: 0, rows: 1, fields: 1 });
        for delimiter in Delimiter::ALL {
            let score = score(text, delimiter);
            if score.fields > 1 && score.beats(&best.1) {
                best = (delimiter, score);
            }
        }
        best.0
    }
}

struct Score {
    comma: bool,
    in_first: bool,
    /// Rows with the most frequent number of fields.
    same: usize,
    rows: usize,
    /// That most frequent number of fields.
    fields: usize,
}

impl Score {
    fn beats(&self, other: &Score) -> bool {
        let (mine, theirs) = (self.same * other.rows, other.same * self.rows);
        (self.in_first, mine, !self.comma, self.fields) > (other.in_first, theirs, !other.comma, other.fields)
    }
}

fn score(text: &[u8], delimiter: Delimiter) -> Score {
    let counts: Vec<usize> = head(text, delimiter).iter().map(ByteRecord::len).collect();
    let mut best = Score {
        comma: delimiter == Delimiter::Comma,
        in_first: counts.first().is_some_and(|&count| count > 1),
        same: 0,
        rows: counts.len().max(1),
        fields: 1,
    };
    let mut sorted = counts;
    sort_positions(&mut sorted, &|a, b| a.cmp(&b));
    for run in sorted.chunk_by(|a, b| a == b) {
        if run.len() >= best.same {
            (best.same, best.fields) = (run.len(), run[0]);
        }
    }
    best
}

/// The records in the first bytes. The last one is dropped if it may have been cut.
fn head(text: &[u8], delimiter: Delimiter) -> Vec<ByteRecord> {
    let cut = text.len() > HEAD;
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter.byte())
        .from_reader(&text[..text.len().min(HEAD)]);
    // Reading byte records from memory cannot fail, because they need not be UTF-8.
    let mut records: Vec<ByteRecord> = reader.byte_records().map_while(std::result::Result::ok).collect();
    if cut && records.len() > 1 {
        records.pop();
    }
    records
}

/// Whether the first line is a header.
///
/// In a column whose other cells are numbers or dates, a first cell that is one too is data; any other first
/// cell is a name. One name is enough for a header. Without any such column, the first line is taken for a
/// header.
pub(super) fn has_header(text: &[u8], delimiter: Delimiter) -> bool {
    let records = head(text, delimiter);
    let Some((first, below)) = records.split_first() else { return true };
    let below = &below[..below.len().min(ROWS_BELOW)];
    let cell = |field: &[u8]| String::from_utf8_lossy(field).trim().to_owned();
    let mut data = 0;
    for (column, field) in first.iter().enumerate() {
        let name = cell(field);
        let cells: Vec<String> =
            below.iter().filter_map(|row| row.get(column)).map(cell).filter(|c| !c.is_empty()).collect();
        let values = cells.iter().filter(|cell| is_value(cell)).count();
        let mostly_values = 2 * values > cells.len() || below.is_empty();
        match (is_value(&name), mostly_values) {
            (false, true)
                if !name.is_empty() && !cells.is_empty() && !super::missing::is_missing_token(&name) =>
            {
                return true;
            }
            (true, true) => data += 1,
            _ => {}
        }
    }
    data == 0
}

/// Whether a cell is a number in some format, or a date.
fn is_value(cell: &str) -> bool {
    let (_, body, _) = split_unit(cell);
    NumberFormat::candidates().iter().any(|format| format.parse(body).is_some())
        || DateFormat::ALL.iter().any(|format| format.parse(cell).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_the_one_that_makes_a_table() {
        let check =
            |text: &str, expected| assert_eq!(Delimiter::detect(text.as_bytes()), expected, "{text:?}");
        check("", Delimiter::Comma);
        check("a\nb\n", Delimiter::Comma);
        check("a,b\n1,2\n", Delimiter::Comma);
        check("a;b\n1,5;2,5\n3,5;4,5\n", Delimiter::Semicolon);
        check("1,5;2,5;x\n3,5;4,5;y\n", Delimiter::Semicolon);
        check("1,5;2,5;3,5\n3,5;4,5;5,5\n", Delimiter::Semicolon);
        check("a\tb\n1,5\t\"x|y\"\n", Delimiter::Tab);
        check("a|b|c\n1|2|3\n", Delimiter::Bar);
        check("a,b\n\"x;y;z\",1\n\"x;y;z\",2\n", Delimiter::Comma);
        check("name,tags\nx,p|q\ny,r|s\nz,t|u,1\n", Delimiter::Comma);
        // A quoted cell longer than the part that is scanned.
        check(&format!("a;b\n1;\"{}\"\n", "x,y\n".repeat(40_000)), Delimiter::Semicolon);
    }

    #[test]
    fn a_header_is_what_differs_from_the_rows_below() {
        let check = |text: &str, expected| {
            assert_eq!(has_header(text.as_bytes(), Delimiter::Comma), expected, "{text:?}")
        };
        check("a,b\n1,2\n", true);
        check("1,2\n3,4\n", false);
        check("5.1,Iris\n4.9,Iris\n", false);
        check("2019,name,2020\n1,x,2\n", false);
        check("2019,size,2020\n1,5,2\n", true);
        check("a,b\nx,y\n", true);
        check("when,what\n2021-01-02,x\n", true);
        check("2021-01-01,y\n2021-01-02,x\n", false);
        check("$5.00,y\n$6.00,x\n", false);
        check("?,1\n3,4\n", false);
        check("a,b\n", true);
        check("1,2\n", false);
    }

    #[test]
    fn names_of_delimiters() {
        assert_eq!(Delimiter::parse("tab").unwrap(), Delimiter::Tab);
        assert_eq!(Delimiter::parse(";").unwrap(), Delimiter::Semicolon);
        assert_eq!(Delimiter::parse("x").unwrap_err().code, Code::BadValue);
    }
}
