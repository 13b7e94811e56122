//! Bytes to text cells, row by row.

use std::borrow::Cow;
use std::io::Cursor;

use csv::{ByteRecord, ReaderBuilder};

use super::decode::{check_text, decoded};
use super::dialect::has_header;
use super::lines::{Lines, open_quote};
use super::names::unique_names;
use super::plain::PlainRows;
use super::store::GrowingColumn;
use super::{Delimiter, Dialect, Overrides, Records, SkippedRow};
use crate::error::{Code, Error, Result};

/// A file being split into cells, in steps, so that the caller can show progress on a large file.
pub struct Reader<'a> {
    text: csv::Reader<Cursor<Cow<'a, [u8]>>>,
    /// The fast path, used from the second row on if the file has no quotes.
    plain: Option<PlainRows>,
    record: ByteRecord,
    lines: Lines,
    dialect: Dialect,
    skip_bad_rows: bool,
    keep_empty_rows: bool,
    names: Vec<String>,
    /// Columns before this one are counted but not stored.
    stored_from: usize,
    cells: Vec<GrowingColumn>,
    starts: Vec<u32>,
    bad: Vec<SkippedRow>,
    bad_rows: usize,
    open_quotes: usize,
    done: bool,
}

/// A file with more columns than this was split at the wrong character.
const MOST_COLUMNS: usize = 20_000;

/// Rows after which memory for the rest of the file is estimated.
const ROWS_TO_ESTIMATE: usize = 2000;

/// How many rows with an unclosed quote may be skipped.
const MOST_OPEN_QUOTES: usize = 20;

/// How many bad rows an error lists.
const LINES_IN_MESSAGE: usize = 20;

/// How many bad rows are listed at all; more are only counted.
const MOST_LISTED: usize = 1000;

impl<'a> Reader<'a> {
    /// Decodes the bytes, detects what the options leave open, and starts to read.
    pub fn new(bytes: Cow<'a, [u8]>, options: &Overrides) -> Result<Reader<'a>> {
        if bytes.len() > u32::MAX as usize {
            return Err(Error::new(
                Code::TooLarge,
                "The file is larger than 4 GB.",
                "Take a random sample of its rows, or split it.",
            ));
        }
        let (encoding, text) = decoded(bytes, options.encoding);
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err(empty());
        }
        check_text(&text)?;
        let delimiter = options.delimiter.unwrap_or_else(|| Delimiter::detect(&text));
        let header = options.header.unwrap_or_else(|| has_header(&text, delimiter));
        Reader::of_text(text, Dialect { delimiter, encoding, header }, options)
    }

    /// Starts to read a text, or the first piece of one. It holds at least one row and ends where a row ends.
    pub(super) fn of_text(text: Cow<'a, [u8]>, dialect: Dialect, options: &Overrides) -> Result<Reader<'a>> {
        let mut reader = Reader {
            lines: Lines::new(&text, 1),
            plain: plain(&text, dialect.delimiter, 1),
            text: parser(text, dialect.delimiter),
            record: ByteRecord::new(),
            dialect,
            skip_bad_rows: options.skip_bad_rows,
            keep_empty_rows: options.keep_empty_rows,
            names: vec![],
            stored_from: 0,
            cells: vec![],
            starts: vec![],
            bad: vec![],
            bad_rows: 0,
            open_quotes: 0,
            done: false,
        };
        reader.first_row()?;
        if let Some(plain) = &mut reader.plain {
            plain.next(reader.text.get_ref().get_ref());
        }
        Ok(reader)
    }

    /// Continues with the next piece of a text, after the current one was read to its end. Each piece ends
    /// where a row ends.
    pub(super) fn refill(&mut self, text: Cow<'a, [u8]>) {
        let line = self.next_line();
        self.lines = Lines::new(&text, line);
        self.plain = plain(&text, self.dialect.delimiter, line);
        self.text = parser(text, self.dialect.delimiter);
        self.done = false;
    }

    /// The line on which the next piece begins.
    pub(super) fn next_line(&mut self) -> u64 {
        self.lines.after(self.text.get_ref().get_ref())
    }

    /// From now on, stores only the columns from this one on.
    pub(super) fn store_from(&mut self, column: usize) {
        self.stored_from = column;
    }

    /// Hands over the rows read so far and forgets them.
    pub(super) fn drain(&mut self) -> Records {
        let columns = self.cells.len();
        let cells = std::mem::replace(&mut self.cells, vec![GrowingColumn::default(); columns]);
        Records {
            names: self.names.clone(),
            cells: cells.into_iter().map(GrowingColumn::finish).collect(),
            lines: std::mem::take(&mut self.starts),
            dialect: self.dialect,
            skipped: vec![],
            notes: vec![],
        }
    }

    /// Reads up to `rows` more rows. Returns the share of the file that is read, 1 at the end.
    pub fn advance(&mut self, rows: usize) -> Result<f64> {
        if self.plain.is_some() {
            return Ok(self.advance_plain(rows));
        }
        for _ in 0..rows {
            if !self.next()? {
                self.done = true;
                return Ok(1.0);
            }
            self.keep()?;
        }
        let length = self.text.get_ref().get_ref().len();
        Ok(self.text.position().byte() as f64 / length as f64)
    }

    /// [`advance`](Reader::advance) for a file without quotes.
    fn advance_plain(&mut self, rows: usize) -> f64 {
        let mut plain = self.plain.take().expect("asked only where there is one");
        for _ in 0..rows {
            let text = self.text.get_ref().get_ref();
            let Some(line) = plain.next(text) else {
                self.done = true;
                break;
            };
            if plain.fields() != self.cells.len() {
                self.note_bad(SkippedRow { line, expected: self.cells.len(), found: Some(plain.fields()) });
                continue;
            }
            for (column, (start, end)) in self.cells.iter_mut().zip(plain.ranges()).skip(self.stored_from) {
                column.push_from(text, start, end);
            }
            self.end_row(line, plain.at());
        }
        let length = self.text.get_ref().get_ref().len();
        let share = if self.done { 1.0 } else { plain.at() as f64 / length as f64 };
        self.plain = Some(plain);
        share
    }

    /// The column names.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of rows read so far.
    pub(crate) fn rows(&self) -> usize {
        self.starts.len()
    }

    /// Whether the whole file was read.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Reads to the end and returns the cells.
    pub fn finish(mut self) -> Result<Records> {
        while !self.done {
            self.advance(usize::MAX)?;
        }
        self.take()
    }

    /// Hands over the cells of a file that was read to its end.
    pub(super) fn take(&mut self) -> Result<Records> {
        let notes = self.note_on_bad_rows()?.into_iter().collect();
        let mut records = Records { notes, ..self.drain() };
        records.skipped = std::mem::take(&mut self.bad);
        records.drop_empty_columns();
        if !self.keep_empty_rows {
            records.drop_empty_rows();
        }
        Ok(records)
    }

    /// The note for the user about rows that cannot be read; an error unless bad rows may be skipped.
    pub(super) fn note_on_bad_rows(&self) -> Result<Option<String>> {
        let Some(first) = self.bad.first() else { return Ok(None) };
        if !self.skip_bad_rows {
            return Err(self.bad_row(first));
        }
        let (rows, are) = match self.bad_rows {
            1 => ("1 row".into(), "is"),
            rows => (format!("{rows} rows"), "are"),
        };
        Ok(Some(format!("{rows} cannot be read and {are} left out, the first on line {}.", first.line)))
    }

    /// Moves to the next record. Returns false at the end.
    fn next(&mut self) -> Result<bool> {
        loop {
            // Reading byte records from memory cannot fail.
            let found = self.text.read_byte_record(&mut self.record).map_err(|_| unreadable())?;
            let text = self.text.get_ref().get_ref();
            if !found || self.text.position().byte() < text.len() as u64 {
                return Ok(found);
            }
            // The last record may hold the rest of the file, after a quote that is never closed.
            let start = self.record.position().map_or(0, |position| position.byte() as usize);
            let Some(quote) = open_quote(text, start, self.dialect.delimiter.byte()) else { return Ok(true) };
            let line = self.lines.at(text, quote);
            self.open_quotes += 1;
            // Each unclosed quote costs a scan to the end of the file.
            let too_many = self.names.is_empty() || self.open_quotes > MOST_OPEN_QUOTES;
            if !self.skip_bad_rows || too_many {
                let error = Error::new(
                    Code::BadRow,
                    "A quote opens here and is never closed.",
                    "Close it or remove it, or skip rows that cannot be read.",
                )
                .at_line(line);
                let lines = self.bad_lines().chain([line]).collect();
                return Err(if too_many { error } else { error.about_rows(self.bad_rows + 1, lines) });
            }
            self.note_bad(SkippedRow { line, expected: self.names.len(), found: None });
            self.resume_after_line(quote);
        }
    }

    /// Resumes on the line below the one at `quote`; quotes from there on count as usual.
    fn resume_after_line(&mut self, quote: usize) {
        let text = self.text.get_ref().get_ref();
        let rest = &text[quote..];
        let end =
            rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').map_or(text.len(), |at| quote + at);
        let position = {
            let mut position = csv::Position::new();
            position.set_byte(end as u64).set_line(self.lines.within(text, end));
            position
        };
        self.text.seek(position).expect("a place within memory");
    }

    /// Reads the first record: the header, or a row.
    fn first_row(&mut self) -> Result<()> {
        if !self.next()? {
            return Err(unreadable());
        }
        let fields = self.record.len();
        if fields > MOST_COLUMNS {
            return Err(Error::new(
                Code::BadRow,
                format!(
                    "The first line has {fields} fields, more than the {MOST_COLUMNS} columns a table \
                    can have."
                ),
                "Check the delimiter and the line ends of the file.",
            )
            .at_line(1));
        }
        self.cells = vec![GrowingColumn::default(); fields];
        if self.dialect.header {
            let names: Vec<Cow<str>> = self.record.iter().map(String::from_utf8_lossy).collect();
            self.names = unique_names(names.iter().map(AsRef::as_ref));
            Ok(())
        } else {
            self.names = unique_names(std::iter::repeat_n("", fields));
            self.keep()
        }
    }

    /// Stores the current record, or records that it cannot be read.
    fn keep(&mut self) -> Result<()> {
        let text = self.text.get_ref().get_ref();
        let line = self.lines.of_record(text, self.record.position());
        if self.record.len() != self.cells.len() {
            self.note_bad(SkippedRow { line, expected: self.cells.len(), found: Some(self.record.len()) });
            return Ok(());
        }
        for (column, field) in self.cells.iter_mut().zip(&self.record).skip(self.stored_from) {
            column.push(field);
        }
        self.end_row(line, self.text.position().byte() as usize);
        Ok(())
    }

    /// Counts a row whose cells are stored; `at` is the position in the file.
    fn end_row(&mut self, line: u64, at: usize) {
        self.starts.push(line as u32);
        if self.starts.len() == ROWS_TO_ESTIMATE {
            let length = self.text.get_ref().get_ref().len();
            let rows = (length as f64 / at.max(1) as f64 * ROWS_TO_ESTIMATE as f64 * 1.02) as usize;
            self.cells.iter_mut().for_each(|column| column.reserve_for(rows));
            self.starts.reserve_exact(rows.saturating_sub(ROWS_TO_ESTIMATE));
        }
    }

    fn note_bad(&mut self, row: SkippedRow) {
        self.bad_rows += 1;
        if self.bad.len() < MOST_LISTED {
            self.bad.push(row);
        }
    }

    fn bad_row(&self, first: &SkippedRow) -> Error {
        let others = match self.bad_rows - 1 {
            0 => String::new(),
            1 => " Another row has the same problem.".into(),
            others => format!(" {others} more rows have the same problem."),
        };
        let whose = if self.dialect.header { "the header has" } else { "the first line has" };
        let message = format!(
            "This row has {}, but {whose} {}.{others}",
            fields(first.found.unwrap_or(0)),
            fields(first.expected)
        );
        let hint = "Put text that contains the delimiter or line breaks in double quotes, \
             or skip rows that cannot be read.";
        Error::new(Code::BadRow, message, hint)
            .at_line(first.line)
            .about_rows(self.bad_rows, self.bad_lines().collect())
    }

    /// The lines that an error lists.
    fn bad_lines(&self) -> impl Iterator<Item = u64> {
        self.bad.iter().take(LINES_IN_MESSAGE).map(|row| row.line)
    }
}

/// The fast path from the given line on, if the text has no quotes.
fn plain(text: &[u8], delimiter: Delimiter, line: u64) -> Option<PlainRows> {
    (!text.contains(&b'"')).then(|| PlainRows::new(delimiter.byte(), line))
}

fn parser(text: Cow<'_, [u8]>, delimiter: Delimiter) -> csv::Reader<Cursor<Cow<'_, [u8]>>> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter.byte())
        .buffer_capacity(64 * 1024)
        .from_reader(Cursor::new(text))
}

pub(super) fn empty() -> Error {
    Error::new(
        Code::EmptyFile,
        "The file is empty.",
        "Choose a CSV file with a header line and at least two rows of data.",
    )
}

fn unreadable() -> Error {
    Error::new(Code::BadRow, "The file cannot be read as CSV.", "Look for a stray quote and remove it.")
}

fn fields(count: usize) -> String {
    if count == 1 { "1 field".into() } else { format!("{count} fields") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::BadRows;

    fn cells(text: &str) -> Vec<Vec<String>> {
        let records = Records::read(text.as_bytes()).unwrap();
        (0..records.rows())
            .map(|row| {
                (0..records.names().len()).map(|column| records.cell(row, column).to_owned()).collect()
            })
            .collect()
    }

    fn skipping(text: &str) -> Records {
        Records::read_as(text.as_bytes(), &Overrides { skip_bad_rows: true, ..Overrides::default() }).unwrap()
    }

    #[test]
    fn quotes_line_ends_blanks_and_the_byte_order_mark() {
        assert_eq!(cells("a,b\n1,2\n"), [["1", "2"]]);
        assert_eq!(
            cells("\u{feff}a,b\r\n 1 ,\"2,\"\"x\"\"\n3\"\r\n\r\n,\r\n4,5"),
            [["1", "2,\"x\"\n3"], ["", ""], ["4", "5"]]
        );
        assert_eq!(cells("a,b\r1,2\r3,4"), [["1", "2"], ["3", "4"]]);
        assert_eq!(cells("a,b\n\u{a0}1\u{a0},\u{3000}ä\n"), [["1", "ä"]]);
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        let check = |bytes: &[u8], code: Code, line: Option<u64>| {
            let error = Records::read(bytes).unwrap_err();
            assert_eq!((error.code, error.line), (code, line), "{error}");
        };
        check(b"", Code::EmptyFile, None);
        check(b" \r\n\n", Code::EmptyFile, None);
        check(b"\xef\xbb\xbf", Code::EmptyFile, None);
        check(b"a,b\n1,2\n1,2,3\n", Code::BadRow, Some(3));
        check(b"a,b\n1,2\n\n\"1,2\n3,4\n", Code::BadRow, Some(4));
        check(b"a,b\r1,2\r\r1\r", Code::BadRow, Some(4));
        check(b"a,b\r\n1,\"2\r\n\"\r\n1\r\n", Code::BadRow, Some(4));
        check(b"a,\"b\n1,2\n", Code::BadRow, Some(1));
        check(b"PK\x03\x04\n\x00\x01", Code::NotText, Some(2));
    }

    #[test]
    fn bad_rows_can_be_skipped_and_are_counted() {
        let text = "a,b\n1,2\n1\n3,4\n\n1,2,3\n";
        let error = Records::read(text.as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Line 3: This row has 1 field, but the header has 2 fields. Another row has the same problem. \
             Put text that contains the delimiter or line breaks in double quotes, \
             or skip rows that cannot be read."
        );
        assert_eq!(error.bad_rows, Some(Box::new(BadRows { count: 2, lines: vec![3, 6] })));
        let records = skipping(text);
        assert_eq!((records.rows(), records.line(1)), (2, 4));
        let row = |line, found| SkippedRow { line, expected: 2, found: Some(found) };
        assert_eq!(records.skipped, [row(3, 1), row(6, 3)]);
        assert_eq!(records.notes, ["2 rows cannot be read and are left out, the first on line 3."]);
    }

    #[test]
    fn a_quote_that_is_never_closed_costs_one_row() {
        let text = "a,b,label\n1,2,x\n3,\"4,y\n5,6,x\n7,8,y\n";
        let error = Records::read(text.as_bytes()).unwrap_err();
        assert_eq!(error.bad_rows, Some(Box::new(BadRows { count: 1, lines: vec![3] })));
        assert_eq!(Records::read(b"a,\"b\n1,2\n").unwrap_err().bad_rows, None, "a header cannot be left out");
        let records = skipping(text);
        assert_eq!((records.rows(), records.line(1), records.cell(2, 2)), (3, 4, "y"));
        assert_eq!(records.skipped, [SkippedRow { line: 3, expected: 3, found: None }]);
        let many = format!("a,b\n{}", "\"x\"\"\n".repeat(1001));
        let overrides = Overrides { skip_bad_rows: true, ..Overrides::default() };
        assert!(Records::read_as(many.as_bytes(), &overrides).is_ok_and(|records| records.rows() == 0));
    }

    #[test]
    fn the_empty_part_of_a_sheet_is_left_out() {
        let records = Records::read(b"a;b;;\n1;2;;\n3;4;;\n;;;\n;;;\n").unwrap();
        assert_eq!((records.names().len(), records.rows()), (2, 2));
        assert_eq!(
            records.notes,
            [
                "The last 2 columns have no name and no value and are left out.",
                "The last 2 rows have no value and are left out."
            ]
        );
        let kept = Records::read(b"a,b,c\n1,2,\n3,4,\n").unwrap();
        assert_eq!((kept.names().len(), kept.notes.len()), (3, 0), "a column with a name stays");
    }

    #[test]
    fn a_file_without_header_has_numbered_columns() {
        let records = Records::read(b"1,2\n3,4\n").unwrap();
        assert_eq!(
            (records.names().join("|"), records.rows(), records.line(0)),
            ("column 1|column 2".into(), 2, 1)
        );
        let told = Overrides { header: Some(true), ..Overrides::default() };
        let records = Records::read_as(b"1,2\n3,4\n", &told).unwrap();
        assert_eq!((records.names().join("|"), records.rows()), ("1|2".into(), 1));
    }

    #[test]
    fn reading_in_pieces_gives_the_same_cells_and_moves_on() {
        let text: String =
            "x,y\n".to_owned() + &(0..5000).map(|i| format!("{i},\"w{}\"\n", i % 7)).collect::<String>();
        let mut reader = Reader::new(Cow::Owned(text.clone().into_bytes()), &Overrides::default()).unwrap();
        let mut shares = vec![];
        while !reader.is_done() {
            shares.push(reader.advance(500).unwrap());
        }
        assert!(
            shares.is_sorted() && shares.len() == 11 && shares[5] > 0.3 && shares[10] == 1.0,
            "{shares:?}"
        );
        let (pieces, whole) = (reader.finish().unwrap(), Records::read(text.as_bytes()).unwrap());
        assert_eq!((pieces.rows(), pieces.cell(4321, 1)), (whole.rows(), whole.cell(4321, 1)));
    }
}
