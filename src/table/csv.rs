//! Bytes to text cells.

use crate::error::{Code, Error, Result};

/// The cells of a file as text, row by row, and the names in its header.
#[derive(Debug, Clone)]
pub struct Records {
    names: Vec<String>,
    /// All cells one after another; `ends[k]` is where cell k ends.
    text: String,
    ends: Vec<usize>,
    /// The line on which each row begins.
    lines: Vec<u64>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Records {
    /// Reads comma-separated UTF-8 with a header; quotes as in RFC 4180, any of the three line ends, blank lines skipped.
    pub fn read(bytes: &[u8]) -> Result<Records> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(Error::new(
                Code::EmptyFile,
                "The file is empty.",
                "Choose a CSV file with a header line and at least two rows of data.",
            ));
        }
        check_text(bytes)?;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut record = csv::StringRecord::new();
        let mut lines = Lines { bytes, at: 0, line: 1 };
        let mut records = Records { names: vec![], text: String::new(), ends: vec![], lines: vec![] };
        while read_record(&mut reader, &mut record)? {
            let line = lines.of_record(record.position().map_or(0, |position| position.byte() as usize));
            if records.names.is_empty() {
                records.names = unique_names(&record);
                continue;
            }
            if record.len() != records.names.len() {
                return Err(Error::new(
                    Code::BadRow,
                    format!(
                        "This row has {}, but the header has {}.",
                        fields(record.len()),
                        fields(records.names.len())
                    ),
                    "Put text that contains commas or line breaks in double quotes, or remove the row.",
                )
                .at_line(line));
            }
            records.lines.push(line);
            for cell in &record {
                records.text.push_str(cell.trim());
                records.ends.push(records.text.len());
            }
        }
        if records.lines.is_empty() {
            return Err(Error::new(
                Code::TooFewRows,
                "The file has a header line but no rows of data.",
                "Choose a file with at least two rows below the header.",
            ));
        }
        Ok(records)
    }

    /// The column names: trimmed, never empty, all different.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of data rows.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The line on which a row begins, from 1.
    pub fn line(&self, row: usize) -> u64 {
        self.lines[row]
    }

    /// A cell without surrounding blanks.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        let k = row * self.names.len() + column;
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.text[start..self.ends[k]]
    }
}

fn read_record(reader: &mut csv::Reader<&[u8]>, record: &mut csv::StringRecord) -> Result<bool> {
    reader.read_record(record).map_err(|error| {
        let line = error.position().map_or(1, csv::Position::line);
        Error::new(Code::BadRow, "This row cannot be read as CSV.", "Look for a stray quote and remove it.")
            .at_line(line)
    })
}

/// Counts lines as an editor does. The `csv` crate knows only LF, and places a record before the blank lines above it.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the record that the reader found from byte `start` on. Records come in order.
    fn of_record(&mut self, start: usize) -> u64 {
        let blank = self.bytes[start..].iter().take_while(|&&byte| byte == b'\r' || byte == b'\n').count();
        while self.at < start + blank {
            match self.bytes[self.at] {
                b'\n' => self.line += 1,
                b'\r' if self.bytes.get(self.at + 1) != Some(&b'\n') => self.line += 1,
                _ => {}
            }
            self.at += 1;
        }
        self.line
    }
}

/// Refuses what is not UTF-8 text, with the line where it stops being so.
fn check_text(bytes: &[u8]) -> Result<()> {
    let refuse = |at: usize, message: &str, hint: &str| {
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
        Err(Error::new(Code::NotText, message, hint).at_line(line))
    };
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return refuse(
            at,
            "This is not a text file: it contains bytes that no CSV has.",
            "If it is a spreadsheet, save it as CSV first.",
        );
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(()),
        Err(error) => {
            refuse(error.valid_up_to(), "The file is not UTF-8 text.", "Save it as “CSV UTF-8” and choose it again.")
        }
    }
}

/// The header's names: blanks trimmed, empty ones numbered, repeated ones told apart.
fn unique_names(header: &csv::StringRecord) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(header.len());
    for (position, name) in header.iter().enumerate() {
        let name = name.trim();
        let base = if name.is_empty() { format!("column {}", position + 1) } else { name.to_owned() };
        let mut unique = base.clone();
        let mut copy = 2;
        while names.contains(&unique) {
            unique = format!("{base} ({copy})");
            copy += 1;
        }
        names.push(unique);
    }
    names
}

fn fields(count: usize) -> String {
    if count == 1 { "1 field".into() } else { format!("{count} fields") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        let records = Records::read(text.as_bytes()).unwrap();
        (0..records.rows())
            .map(|row| (0..records.names().len()).map(|column| records.cell(row, column).to_owned()).collect())
            .collect()
    }

    #[test]
    fn quotes_line_ends_blanks_and_the_byte_order_mark() {
        assert_eq!(cells("a,b\n1,2\n"), [["1", "2"]]);
        assert_eq!(cells("\u{feff}a,b\r\n 1 ,\"2,\"\"x\"\"\n3\"\r\n\r\n,\r\n"), [["1", "2,\"x\"\n3"], ["", ""]]);
        assert_eq!(cells("a,b\r1,2\r3,4"), [["1", "2"], ["3", "4"]]);
    }

    #[test]
    fn names_are_trimmed_filled_and_told_apart() {
        let records = Records::read(b" a ,,a,a\n1,2,3,4\n").unwrap();
        assert_eq!(records.names(), ["a", "column 2", "a (2)", "a (3)"]);
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
        check(b"a,b\n", Code::TooFewRows, None);
        check(b"a,b\n1,2\n1,2,3\n", Code::BadRow, Some(3));
        check(b"a,b\n1,2\n\n\"1,2\n3,4\n", Code::BadRow, Some(4));
        check(b"a,b\r1,2\r\r1\r", Code::BadRow, Some(4));
        check(b"a,b\r\n1,\"2\r\n\"\r\n1\r\n", Code::BadRow, Some(4));
        check(b"PK\x03\x04\n\x00\x01", Code::NotText, Some(2));
        check(b"a\nGr\xf6\xdfe\n", Code::NotText, Some(2));
    }
}
