//! The fast path for files without quotes, where every delimiter ends a field and every line end a row.
//!
//! Its rows equal those of the `csv` crate, which reads all other files; a test compares the two on arbitrary
//! text.

/// Finds where the rows of a text without quotes begin and end.
pub(super) struct PlainRows {
    delimiter: u8,
    /// The next byte to look at, and the line it is on.
    at: usize,
    line: u64,
    /// Where each field of the current row ends.
    ends: Vec<usize>,
    /// Where the current row begins.
    start: usize,
}

/// Bytes that are compared at once.
const WORD: usize = size_of::<u64>();
const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl PlainRows {
    /// Starts at the top of a text whose first line has this number.
    pub(super) fn new(delimiter: u8, line: u64) -> PlainRows {
        PlainRows { delimiter, at: 0, line, ends: vec![], start: 0 }
    }

    /// The next byte to read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Moves to the next row that is not blank. Returns its line number, or `None` at the end of the text.
    pub(super) fn next(&mut self, text: &[u8]) -> Option<u64> {
        while let Some(&byte @ (b'\n' | b'\r')) = text.get(self.at) {
            self.end_line(text, byte);
        }
        if self.at >= text.len() {
            return None;
        }
        let line = self.line;
        self.start = self.at;
        self.ends.clear();
        self.at = self.find_ends(text);
        if let Some(&byte) = text.get(self.at) {
            self.end_line(text, byte);
        }
        Some(line)
    }

    /// The number of fields in the current row.
    pub(super) fn fields(&self) -> usize {
        self.ends.len()
    }

    /// The current row's fields, as ranges of the text.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut start = self.start;
        self.ends.iter().map(move |&end| {
            let range = (start, end);
            start = end + 1;
            range
        })
    }

    /// Skips a line end; CR LF counts as one.
    fn end_line(&mut self, text: &[u8], byte: u8) {
        let pair = byte == b'\r' && text.get(self.at + 1) == Some(&b'\n');
        self.at += if pair { 2 } else { 1 };
        self.line += 1;
    }

    /// Records where the fields of a row end. Returns the end of the row, which is the end of its last field.
    fn find_ends(&mut self, text: &[u8]) -> usize {
        let [delimiter, lf, cr] = [self.delimiter, b'\n', b'\r'].map(|byte| u64::from_le_bytes([byte; WORD]));
        let mut at = self.start;
        while let Some(word) = text.get(at..at + WORD) {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            let mut found = equal(word, delimiter) | equal(word, lf) | equal(word, cr);
            while found != 0 {
                let end = at + found.trailing_zeros() as usize / 8;
                self.ends.push(end);
                if text[end] != self.delimiter {
                    return end;
                }
                found &= found - 1;
            }
            at += WORD;
        }
        for (end, &byte) in text.iter().enumerate().skip(at) {
            if byte == self.delimiter {
                self.ends.push(end);
            } else if byte == b'\n' || byte == b'\r' {
                self.ends.push(end);
                return end;
            }
        }
        self.ends.push(text.len());
        text.len()
    }
}

/// Sets the highest bit of each byte in which two words agree, and no other bit.
fn equal(word: u64, other: u64) -> u64 {
    let differing = word ^ other;
    // A byte is zero exactly if neither its low bits nor its highest bit are set. No sum carries into the
    // next byte.
    !(((differing & LOW_BITS) + LOW_BITS) | differing | LOW_BITS)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Fields and line of each row.
    fn rows(text: &[u8], delimiter: u8) -> Vec<(u64, Vec<Vec<u8>>)> {
        let mut plain = PlainRows::new(delimiter, 1);
        let mut rows: Vec<(u64, Vec<Vec<u8>>)> = vec![];
        while let Some(line) = plain.next(text) {
            rows.push((line, plain.ranges().map(|(start, end)| text[start..end].to_vec()).collect()));
            assert_eq!(plain.fields(), rows.last().unwrap().1.len());
        }
        assert_eq!(plain.at(), text.len());
        rows
    }

    #[test]
    fn lines_are_numbered_with_blank_ones() {
        let found = rows(b"\na,b\r\n\r\n1,,3\r\r4 5\n\n6,", b',');
        let lines: Vec<u64> = found.iter().map(|row| row.0).collect();
        assert_eq!(lines, [2, 4, 6, 8]);
        assert_eq!(found[1].1, [b"1".to_vec(), vec![], b"3".to_vec()]);
        assert_eq!(found[3].1, [b"6".to_vec(), vec![]]);
        assert_eq!(rows(b"", b','), []);
    }

    proptest! {
        #[test]
        fn rows_are_those_of_the_csv_crate(
            text in "([a-c,;|\t\r\n0-9. é]|\r\n){0,200}",
            delimiter in "[,;|\t]",
        ) {
            let delimiter = delimiter.as_bytes()[0];
            let mut options = csv::ReaderBuilder::new();
            let mut reader =
                options.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
            let fields = |record: csv::ByteRecord| record.iter().map(<[u8]>::to_vec).collect();
            let slow: Vec<Vec<Vec<u8>>> =
                reader.byte_records().map(|record| fields(record.unwrap())).collect();
            let quick: Vec<Vec<Vec<u8>>> =
                rows(text.as_bytes(), delimiter).into_iter().map(|row| row.1).collect();
            assert_eq!(quick, slow);
        }
    }
}
