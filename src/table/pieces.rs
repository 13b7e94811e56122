//! Reads a file in pieces: decodes its bytes to text, and cuts the text where a row ends.
//!
//! Where a cut may be depends on everything before it, because a line end within quotes does not end a row. A
//! test compares reading in pieces with reading at once.

use super::Encoding;
use super::decode::unfinished;

/// Decodes bytes to UTF-8, wherever the pieces are cut.
pub(super) struct Decoder {
    encoding: Encoding,
    /// Whether the encoding is only a guess, which later bytes may disprove.
    guessed: bool,
    begun: bool,
    /// An incomplete character at the end of the last piece, or the first bytes of the file.
    held: Vec<u8>,
}

impl Decoder {
    /// If UTF-8 is only a guess, the first bytes that are not UTF-8 disprove it.
    pub(super) fn new(encoding: Encoding, guessed: bool) -> Decoder {
        Decoder { encoding, guessed: guessed && encoding == Encoding::Utf8, begun: false, held: vec![] }
    }

    /// Appends the text of the next bytes. Returns false if they show that the file has another encoding.
    pub(super) fn push(&mut self, bytes: &[u8], last: bool, text: &mut Vec<u8>) -> bool {
        let joined;
        let mut bytes = match self.held.is_empty() {
            true => bytes,
            false => {
                self.held.extend_from_slice(bytes);
                joined = std::mem::take(&mut self.held);
                &joined
            }
        };
        if !self.begun {
            if bytes.len() < 4 && !last {
                self.held = bytes.to_vec();
                return true;
            }
            self.begun = true;
            if let Some(rest) = bytes.strip_prefix(self.encoding.mark()) {
                // A byte-order mark settles the encoding, so invalid bytes after it are replaced.
                self.guessed &= rest.len() == bytes.len();
                bytes = rest;
            }
        }
        if !last {
            let (now, later) = bytes.split_at(bytes.len() - self.unfinished(bytes));
            self.held = later.to_vec();
            bytes = now;
        }
        if self.guessed && std::str::from_utf8(bytes).is_err() {
            return false;
        }
        match self.guessed {
            true => text.extend_from_slice(bytes),
            false => text.extend_from_slice(&self.encoding.decode_rest(bytes)),
        }
        true
    }

    /// Counts the bytes at the end that need the next piece to be decoded.
    fn unfinished(&self, bytes: &[u8]) -> usize {
        let odd = bytes.len() % 2;
        let whole = &bytes[..bytes.len() - odd];
        let surrogate = |high: Option<&u8>| matches!(high, Some(0xd8..=0xdb));
        match self.encoding {
            Encoding::Utf8 => unfinished(bytes),
            Encoding::Utf16Le if surrogate(whole.last()) => odd + 2,
            Encoding::Utf16Be if surrogate(whole.iter().nth_back(1)) => odd + 2,
            Encoding::Utf16Le | Encoding::Utf16Be => odd,
            Encoding::Windows1252 => 0,
        }
    }
}

/// Hands on text up to the end of its last complete row.
pub(super) struct Cutter {
    delimiter: u8,
    text: Vec<u8>,
    /// How far the text was scanned.
    seen: usize,
    /// Where the last complete row ends.
    end: usize,
    quoted: bool,
    at_field_start: bool,
}

impl Cutter {
    /// Starts with the first text.
    pub(super) fn new(delimiter: u8, text: Vec<u8>) -> Cutter {
        Cutter { delimiter, text, seen: 0, end: 0, quoted: false, at_field_start: true }
    }

    /// The text not yet handed on; the caller appends to it.
    pub(super) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Takes the complete rows, or all that is left if this is the last piece. Returns `None` if there is no
    /// row.
    pub(super) fn take(&mut self, last: bool) -> Option<Vec<u8>> {
        self.look();
        let end = if last { self.text.len() } else { self.end };
        if self.text[..end].iter().all(|&byte| byte == b'\n' || byte == b'\r') {
            return None;
        }
        let rest = self.text.split_off(end);
        self.seen = self.seen.saturating_sub(end);
        self.end = 0;
        Some(std::mem::replace(&mut self.text, rest))
    }

    /// Scans the new text for row ends.
    fn look(&mut self) {
        let text = &self.text;
        if !self.quoted && !text[self.seen..].contains(&b'"') {
            // The LF of a CR at the very end may be in the next piece.
            let end = text.len() - usize::from(text.last() == Some(&b'\r'));
            if let Some(at) = text[self.seen..end].iter().rposition(|&byte| byte == b'\n' || byte == b'\r') {
                self.end = self.seen + at + 1;
            }
            if let Some(&byte) = text[self.seen..end].last() {
                self.at_field_start = byte == self.delimiter || byte == b'\n' || byte == b'\r';
            }
            self.seen = end;
            return;
        }
        while let Some(&byte) = text.get(self.seen) {
            let next = text.get(self.seen + 1);
            match byte {
                // The meaning of these depends on the next byte.
                b'\r' | b'"' if next.is_none() => break,
                b'"' if self.quoted && next == Some(&b'"') => self.seen += 1,
                b'"' if self.quoted => self.quoted = false,
                _ if self.quoted => {}
                b'"' => {
                    self.quoted = self.at_field_start;
                    self.at_field_start = false;
                }
                b'\n' | b'\r' => {
                    self.at_field_start = true;
                    if byte == b'\n' || next != Some(&b'\n') {
                        self.end = self.seen + 1;
                    }
                }
                _ => self.at_field_start = byte == self.delimiter,
            }
            self.seen += 1;
        }
    }
}
