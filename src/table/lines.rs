//! Line numbers as an editor counts them, and quotes that are never closed.

use csv::Position;

/// Counts lines. The `csv` crate counts only LF, and puts a record before the blank lines above it.
pub(super) struct Lines {
    /// Whether the text has a CR without LF. If not, the crate's count only misses the blank lines.
    lone_cr: bool,
    /// The number of the text's first line.
    first: u64,
    at: usize,
    line: u64,
}

impl Lines {
    /// Counts the lines of a text whose first line has this number.
    pub(super) fn new(text: &[u8], first: u64) -> Lines {
        let lone_cr = text.contains(&b'\r')
            && (text.windows(2).any(|pair| pair[0] == b'\r' && pair[1] != b'\n')
                || text.last() == Some(&b'\r'));
        Lines { lone_cr, first, at: 0, line: first }
    }

    /// The line of a record, given the crate's position of it. Records come in order.
    pub(super) fn of_record(&mut self, text: &[u8], position: Option<&Position>) -> u64 {
        let (byte, line) = position.map_or((0, 1), |position| (position.byte() as usize, position.line()));
        let blank = text[byte..].iter().take_while(|&&byte| byte == b'\r' || byte == b'\n');
        if self.lone_cr {
            let blank = blank.count();
            self.at(text, byte + blank)
        } else {
            self.first - 1 + line + blank.filter(|&&byte| byte == b'\n').count() as u64
        }
    }

    /// The line of a byte. If the byte is before the last one asked for, counting starts over.
    pub(super) fn at(&mut self, text: &[u8], byte: usize) -> u64 {
        if byte < self.at {
            (self.at, self.line) = (0, self.first);
        }
        while self.at < byte {
            match text[self.at] {
                b'\n' => self.line += 1,
                b'\r' if text.get(self.at + 1) != Some(&b'\n') => self.line += 1,
                _ => {}
            }
            self.at += 1;
        }
        self.line
    }

    /// The line of a byte as the `csv` crate counts it: each text begins with line 1.
    pub(super) fn within(&mut self, text: &[u8], byte: usize) -> u64 {
        self.at(text, byte) - (self.first - 1)
    }

    /// The number of the line after the text's last line end.
    pub(super) fn after(&mut self, text: &[u8]) -> u64 {
        if self.lone_cr {
            return self.at(text, text.len());
        }
        self.first + text.iter().filter(|&&byte| byte == b'\n').count() as u64
    }
}

/// Finds the quote that the last record opens and never closes. The record begins at `start`.
pub(super) fn open_quote(text: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    let mut opened = None;
    let mut at_field_start = true;
    let mut at = start;
    while at < text.len() {
        let byte = text[at];
        if opened.is_some() {
            if byte == b'"' {
                if text.get(at + 1) == Some(&b'"') {
                    at += 1;
                } else {
                    opened = None;
                }
            }
        } else {
            if byte == b'"' && at_field_start {
                opened = Some(at);
            }
            at_field_start = byte == delimiter || byte == b'\n' || byte == b'\r';
        }
        at += 1;
    }
    opened
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_with_every_line_end() {
        for (text, lines) in [("a\nb\nc", [1, 2, 3]), ("a\rb\rc", [1, 2, 3]), ("a\r\nb\n\rc", [1, 2, 4])] {
            let place = |letter: char| text.find(letter).unwrap();
            let mut counter = Lines::new(text.as_bytes(), 1);
            assert_eq!(
                ['a', 'b', 'c'].map(|letter| counter.at(text.as_bytes(), place(letter))),
                lines,
                "{text:?}"
            );
            assert_eq!(counter.at(text.as_bytes(), place('b')), lines[1], "backwards");
            let mut later = Lines::new(text.as_bytes(), 11);
            assert_eq!(later.at(text.as_bytes(), place('c')), lines[2] + 10);
            assert_eq!(
                (later.within(text.as_bytes(), place('c')), later.after(text.as_bytes())),
                (lines[2], lines[2] + 10)
            );
        }
        assert!(!Lines::new(b"a\r\nb\r\n", 1).lone_cr);
        assert!(Lines::new(b"a\r", 1).lone_cr);
    }

    #[test]
    fn an_open_quote_is_found_and_a_closed_one_is_not() {
        let check =
            |text: &str, expected| assert_eq!(open_quote(text.as_bytes(), 0, b','), expected, "{text:?}");
        check("1,\"2\n3", Some(2));
        check("1,\"2\"\"\n3", Some(2));
        check("1,\"2\"\n", None);
        check("1,a\"b\n", None);
        check("1,\"a\"b\"c", None);
        check("\"", Some(0));
    }
}
