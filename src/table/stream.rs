//! Reads a file of any length in two passes, in pieces. The first pass, a [`Survey`], finds what only the
//! whole file shows; the second pass reads the rows.
//!
//! Memory holds one piece and the longest row. Rows, notes and errors equal those of reading the file at
//! once.

use std::borrow::Cow;

use super::csv::empty;
use super::decode::{check_text, check_zeros};
use super::dialect::has_header;
use super::lines::open_quote;
use super::pieces::{Cutter, Decoder};
use super::records::{note_on_columns, unnamed_from};
use super::{Delimiter, Dialect, Encoding, Overrides, Reader, Records};
use crate::error::{Code, Error, Result};

/// Bytes from which encoding, delimiter and header are detected: several times what detection looks at.
const HEAD: usize = 256 * 1024;

/// The longest row that is accepted. Without a limit, an unclosed quote would take in the rest of the file.
const LONGEST_ROW: usize = 256 << 20;

/// What the first pass found.
#[derive(Debug, Clone)]
pub struct Surveyed {
    /// The file's delimiter, encoding and header.
    pub dialect: Dialect,
    /// The column names: trimmed, not empty, unique.
    pub names: Vec<String>,
    /// The number of rows that can be read.
    pub rows: usize,
    /// Sentences for the user.
    pub notes: Vec<String>,
    options: Overrides,
    guessed: bool,
}

/// The first pass over a file.
pub struct Survey {
    options: Overrides,
    /// Bytes needed for detection.
    enough: usize,
    /// The first bytes, until there are enough for detection.
    head: Vec<u8>,
    /// Whether the file was taken for UTF-8 but is not.
    not_utf8: bool,
    reading: Option<Reading>,
    rows: usize,
    /// Number of columns up to the last one with a name or a value.
    columns: usize,
}

struct Reading {
    decoder: Decoder,
    cutter: Cutter,
    dialect: Dialect,
    guessed: bool,
    reader: Option<Reader<'static>>,
}

/// How a survey continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fed {
    /// With the next bytes.
    On,
    /// From the start of the file: its encoding is not the one first detected.
    Again,
}

impl Survey {
    /// Starts a survey; what the options leave open is detected. Every row is kept, even without any value.
    pub fn new(options: &Overrides) -> Survey {
        Survey::guessing_from(HEAD, options.clone(), false)
    }

    fn guessing_from(enough: usize, options: Overrides, not_utf8: bool) -> Survey {
        Survey { options, enough, head: vec![], not_utf8, reading: None, rows: 0, columns: 0 }
    }

    /// The number of rows so far.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Reads the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Fed> {
        if self.reading.is_some() {
            return self.read(bytes, false);
        }
        self.head.extend_from_slice(bytes);
        if self.head.len() < self.enough { Ok(Fed::On) } else { self.begin(false) }
    }

    /// Ends the survey at the end of the file. Returns `None` if the file has to be fed again from the start.
    pub fn finish(&mut self) -> Result<Option<Surveyed>> {
        let fed = if self.reading.is_some() { self.read(&[], true)? } else { self.begin(true)? };
        if fed == Fed::Again {
            return Ok(None);
        }
        let Some(Reading { dialect, guessed, reader: Some(reader), .. }) = &self.reading else {
            return Err(empty());
        };
        let mut notes: Vec<String> = reader.note_on_bad_rows()?.into_iter().collect();
        let mut names = reader.names().to_vec();
        if self.rows > 0 {
            notes.extend(note_on_columns(names.len() - self.columns));
            names.truncate(self.columns);
        }
        let (dialect, options) = (*dialect, self.options.clone());
        Ok(Some(Surveyed { dialect, names, rows: self.rows, notes, options, guessed: *guessed }))
    }

    /// Detects the dialect from the first bytes and reads them.
    fn begin(&mut self, last: bool) -> Result<Fed> {
        let head = std::mem::take(&mut self.head);
        let guessed = self.options.encoding.is_none() && !self.not_utf8;
        let encoding = match self.options.encoding {
            Some(given) => given,
            None if self.not_utf8 => Encoding::Windows1252,
            None if last => Encoding::detect(&head),
            None => Encoding::detect_head(&head),
        };
        let mut decoder = Decoder::new(encoding, guessed);
        let mut text = vec![];
        if !decoder.push(&head, last, &mut text) {
            return Ok(self.again());
        }
        // Whitespace alone is not enough for detection, and a file of nothing else is empty.
        if text.iter().all(u8::is_ascii_whitespace) {
            if last {
                return Err(empty());
            }
            self.head = head;
            return Ok(Fed::On);
        }
        check_text(&text)?;
        let delimiter = self.options.delimiter.unwrap_or_else(|| Delimiter::detect(&text));
        let header = self.options.header.unwrap_or_else(|| has_header(&text, delimiter));
        let dialect = Dialect { delimiter, encoding, header };
        let cutter = Cutter::new(delimiter.byte(), text);
        self.reading = Some(Reading { decoder, cutter, dialect, guessed, reader: None });
        self.take(last)
    }

    fn read(&mut self, bytes: &[u8], last: bool) -> Result<Fed> {
        let reading = self.reading.as_mut().expect("asked only when it has begun");
        let text = reading.cutter.text();
        let before = text.len();
        if !reading.decoder.push(bytes, last, text) {
            return Ok(self.again());
        }
        if text[before..].contains(&0) {
            let line = reading.reader.as_mut().map_or(1, Reader::next_line);
            check_zeros(text, line)?;
        }
        self.take(last)
    }

    /// Counts the complete rows.
    fn take(&mut self, last: bool) -> Result<Fed> {
        let reading = self.reading.as_mut().expect("asked only when it has begun");
        let Some(records) = reading.rows(last, &self.options)? else { return Ok(Fed::On) };
        self.rows += records.rows();
        let unnamed = unnamed_from(records.names());
        self.columns = self.columns.max(unnamed);
        while let Some(column) =
            (self.columns..records.names().len()).rfind(|&at| !records.column(at).is_blank())
        {
            self.columns = column + 1;
        }
        if let Some(reader) = &mut reading.reader {
            reader.store_from(self.columns);
        }
        Ok(Fed::On)
    }

    fn again(&mut self) -> Fed {
        *self = Survey::guessing_from(self.enough, self.options.clone(), true);
        Fed::Again
    }
}

/// The second pass over a file: its rows.
pub struct Stream {
    surveyed: Surveyed,
    reading: Reading,
    rows: usize,
}

impl Stream {
    /// Starts again at the file's first byte.
    pub fn new(surveyed: Surveyed) -> Stream {
        let Surveyed { dialect, guessed, .. } = surveyed;
        let decoder = Decoder::new(dialect.encoding, guessed);
        let cutter = Cutter::new(dialect.delimiter.byte(), vec![]);
        Stream { surveyed, reading: Reading { decoder, cutter, dialect, guessed, reader: None }, rows: 0 }
    }

    /// Returns the rows that the next bytes complete, if any.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Option<Records>> {
        self.read(bytes, false)
    }

    /// Returns the rows that are left at the end of the file.
    pub fn finish(&mut self) -> Result<Option<Records>> {
        let records = self.read(&[], true)?;
        if self.rows == self.surveyed.rows { Ok(records) } else { Err(changed()) }
    }

    fn read(&mut self, bytes: &[u8], last: bool) -> Result<Option<Records>> {
        if !self.reading.decoder.push(bytes, last, self.reading.cutter.text()) {
            return Err(changed());
        }
        let mut records = self.reading.rows(last, &self.surveyed.options)?;
        if let Some(records) = &mut records {
            records.keep_columns(self.surveyed.names.len());
            self.rows += records.rows();
            if records.names != self.surveyed.names || self.rows > self.surveyed.rows {
                return Err(changed());
            }
        }
        Ok(records)
    }
}

impl Reading {
    /// Returns the complete rows, or all that are left if this is the last piece.
    fn rows(&mut self, last: bool, options: &Overrides) -> Result<Option<Records>> {
        let Some(text) = self.cutter.take(last) else {
            return if self.cutter.text().len() > LONGEST_ROW { Err(self.too_long()) } else { Ok(None) };
        };
        let reader = match &mut self.reader {
            Some(reader) => {
                reader.refill(Cow::Owned(text));
                reader
            }
            none => none.insert(Reader::of_text(Cow::Owned(text), self.dialect, options)?),
        };
        while !reader.is_done() {
            reader.advance(usize::MAX)?;
        }
        Ok(Some(reader.drain()))
    }

    fn too_long(&mut self) -> Error {
        let text = self.cutter.text();
        let quote = open_quote(text, 0, self.dialect.delimiter.byte());
        let before = text[..quote.unwrap_or(0)].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let line = self.reader.as_mut().map_or(1, Reader::next_line) + before;
        let what =
            if quote.is_some() { "A quote opens here and is not closed" } else { "This row does not end" };
        let message = format!("{what} within {} MB.", LONGEST_ROW >> 20);
        Error::new(Code::BadRow, message, "Close it, or put line ends between the rows.").at_line(line)
    }
}

fn changed() -> Error {
    Error::new(
        Code::BadRow,
        "The file changed while it was read.",
        "Wait until it is written, then try again.",
    )
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Names, cells with their lines, and notes; or the error.
    type Found = std::result::Result<(Vec<String>, Vec<(u64, Vec<String>)>, Vec<String>), String>;

    fn rows(records: &Records) -> Vec<(u64, Vec<String>)> {
        let cells =
            |row| (0..records.names().len()).map(|column| records.cell(row, column).to_owned()).collect();
        (0..records.rows()).map(|row| (records.line(row), cells(row))).collect()
    }

    fn at_once(bytes: &[u8], options: &Overrides) -> Found {
        let every_row = Overrides { keep_empty_rows: true, ..options.clone() };
        let records = Records::read_as(bytes, &every_row).map_err(|error| error.to_string())?;
        Ok((records.names().to_vec(), rows(&records), records.notes.clone()))
    }

    fn in_pieces(bytes: &[u8], options: &Overrides, enough: usize, piece: usize) -> Found {
        let told = |error: Error| error.to_string();
        let mut survey = Survey::guessing_from(enough, options.clone(), false);
        let surveyed = 'again: loop {
            for piece in bytes.chunks(piece) {
                if survey.feed(piece).map_err(told)? == Fed::Again {
                    continue 'again;
                }
            }
            if let Some(surveyed) = survey.finish().map_err(told)? {
                break surveyed;
            }
        };
        let (names, notes) = (surveyed.names.clone(), surveyed.notes.clone());
        let mut stream = Stream::new(surveyed);
        let mut found = vec![];
        for piece in bytes.chunks(piece) {
            found.extend(stream.feed(piece).map_err(told)?.iter().flat_map(rows));
        }
        found.extend(stream.finish().map_err(told)?.iter().flat_map(rows));
        Ok((names, found, notes))
    }

    /// Sets what would be detected from the head, so that a head of a few bytes is enough.
    fn options(skip_bad_rows: bool, header: bool) -> Overrides {
        Overrides {
            delimiter: Some(Delimiter::Comma),
            header: Some(header),
            skip_bad_rows,
            ..Overrides::default()
        }
    }

    fn check(bytes: &[u8], options: &Overrides) {
        let whole = at_once(bytes, options);
        for piece in [1, 2, 3, 7, 64, 1000] {
            assert_eq!(in_pieces(bytes, options, 1, piece), whole, "{:?}", String::from_utf8_lossy(bytes));
        }
        let guessing = Overrides { skip_bad_rows: options.skip_bad_rows, ..Overrides::default() };
        assert_eq!(in_pieces(bytes, &guessing, HEAD, 5), at_once(bytes, &guessing));
    }

    #[test]
    fn pieces_give_what_the_whole_gives() {
        let cases: [&[u8]; 12] = [
            b"a,b\n1,2\n3,4\n",
            b"\n\n a,b\r\n\r\n1,\"2\r\n,\"\"3\"\r\n4,5",
            b"a,b,,\n1,2,,\n3,4,,\n,,,\n",
            b"a,b,,\n1,2,,\n3,4,x,\n",
            b"a,b\r1,2\r\r3,4\r5\r",
            "\u{feff}gr\u{f6}\u{df}e,b\n\u{1f600},\u{a0}\n".as_bytes(),
            b"gr\xf6\xdfe,b\n1,\x80\n",
            b"plain,ascii\n1,2\n3,4\n5,\xe9\n",
            b"\xef\xbb\xbfa,b\n1,\xff\n",
            b"a,b\n1,\"2\n3,4\n5,6\n",
            b"a,b\n1,2\n\"x\"y\",3\n4,5,6\n\"",
            b" \n\n",
        ];
        for bytes in cases {
            for (skip, header) in [(false, true), (true, true), (true, false)] {
                check(bytes, &options(skip, header));
            }
        }
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let unit = |unit: u16| {
                if encoding == Encoding::Utf16Le { unit.to_le_bytes() } else { unit.to_be_bytes() }
            };
            let text = "\u{feff}a,b\n1,\u{1f600}\n\"x\ny\",2\n".encode_utf16().chain([0x33, 0x2c, 0xd83d]);
            let bytes: Vec<u8> = text.flat_map(unit).collect();
            check(&bytes, &Overrides { encoding: Some(encoding), ..options(true, true) });
        }
    }

    #[test]
    fn a_zero_byte_is_found_with_its_line() {
        let mut bytes = b"a,b\n".repeat(9);
        bytes.extend(b"1,\x00\n");
        let error = in_pieces(&bytes, &options(true, true), 1, 3).unwrap_err();
        assert!(error.starts_with("Line 10: This is not a text file"), "{error}");
    }

    #[test]
    fn a_file_that_changed_in_between_is_noticed() {
        let mut survey = Survey::new(&Overrides::default());
        survey.feed(b"a,b\n1,2\n").unwrap();
        let surveyed = survey.finish().unwrap().unwrap();
        for other in [&b"a,b\n1,2\n3,4\n"[..], b"a,b\n", b"a,c\n1,2\n", b"a,b\n1,\xe9\n"] {
            let mut stream = Stream::new(surveyed.clone());
            let found = stream.feed(other).and_then(|_| stream.finish());
            assert!(found.is_err_and(|error| error.message.contains("changed")), "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_of_any_length_give_what_the_whole_gives(
            text in "([a-c,\\r\\n\" 0-9\u{e9}\u{1f600}\u{a0}]|\\r\\n|\"\"){1,120}",
            latin in proptest::bool::ANY,
            skip in proptest::bool::ANY,
            header in proptest::bool::ANY,
        ) {
            let latin1 = |text: &str| text.chars().map(|c| c as u32 as u8).collect();
            let bytes = if latin { latin1(&text) } else { text.into_bytes() };
            // Half of a surrogate pair may look like a zero byte or a control character, and those are
            // refused in another order.
            prop_assume!(!bytes.iter().any(|&byte| byte < 0x20 && byte != b'\n' && byte != b'\r'));
            check(&bytes, &options(skip, header));
        }
    }
}
