//! Bytes to text: detects a file's encoding and converts its characters to UTF-8.
//!
//! Decoding is done here, not by the browser or a crate, so that page and command line get the same text from
//! the same bytes. The encodings that spreadsheets write are simple: UTF-16 is in the standard library, and
//! windows-1252 is a table of 32 characters. A test compares every byte with `encoding_rs`.

use std::borrow::Cow;

use crate::error::{Code, Error, Result, quoted};

/// A character encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 with or without a byte-order mark, including ASCII.
    Utf8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// windows-1252, a superset of the printable characters of ISO-8859-1: one byte per character.
    Windows1252,
}

/// The characters of windows-1252 at 0x80 to 0x9F; elsewhere a byte is its own code point. The five undefined
/// bytes are control characters, as in the WHATWG's Encoding Standard.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The byte-order mark of UTF-8.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes scanned to tell text from other files, and to detect UTF-16 without a byte-order mark.
const HEAD: usize = 64 * 1024;

/// A file is not text if it has more than one control byte in this many.
const TEXT_PER_CONTROL: usize = 50;

impl Encoding {
    /// Every encoding.
    pub const ALL: [Encoding; 4] =
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Windows1252];

    /// The name browsers use.
    pub fn as_str(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Windows1252 => "windows-1252",
        }
    }

    /// Parses a name; `latin1` and `iso-8859-1` mean windows-1252, as in browsers.
    pub fn parse(name: &str) -> Result<Encoding> {
        let lower = name.to_ascii_lowercase();
        let known = match lower.as_str() {
            "utf8" => "utf-8",
            "utf-16" | "utf16" | "utf16le" => "utf-16le",
            "utf16be" => "utf-16be",
            "latin1" | "iso-8859-1" | "cp1252" | "ascii" => "windows-1252",
            other => other,
        };
        Encoding::ALL.into_iter().find(|encoding| encoding.as_str() == known).ok_or_else(|| {
            Error::new(
                Code::BadValue,
                format!("There is no encoding called {}.", quoted(name)),
                "Choose utf-8, utf-16le, utf-16be or windows-1252.",
            )
        })
    }

    /// Detects the encoding of a file: by its byte-order mark; UTF-16 also by the positions of its zero
    /// bytes; UTF-8 if all bytes are valid; otherwise windows-1252.
    pub(crate) fn detect(bytes: &[u8]) -> Encoding {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Encoding::Utf8,
            [0xff, 0xfe, ..] => Encoding::Utf16Le,
            [0xfe, 0xff, ..] => Encoding::Utf16Be,
            _ => utf16_without_mark(bytes).unwrap_or_else(|| match std::str::from_utf8(bytes) {
                Ok(_) => Encoding::Utf8,
                Err(_) => Encoding::Windows1252,
            }),
        }
    }

    /// Guesses the encoding from the first bytes. A guess of UTF-8 may turn out to be windows-1252 further
    /// on.
    pub(super) fn detect_head(head: &[u8]) -> Encoding {
        Encoding::detect(&head[..head.len() - unfinished(head)])
    }

    /// Decodes a file to UTF-8 without a byte-order mark. Invalid bytes become U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        self.decode_rest(bytes.strip_prefix(self.mark()).unwrap_or(bytes))
    }

    /// The byte-order mark; empty if the encoding has none.
    pub(super) fn mark(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => UTF8_MARK,
            Encoding::Utf16Le => b"\xff\xfe",
            Encoding::Utf16Be => b"\xfe\xff",
            Encoding::Windows1252 => b"",
        }
    }

    /// Decodes the bytes after the byte-order mark.
    pub(super) fn decode_rest(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Encoding::Utf8 => match std::str::from_utf8(bytes) {
                Ok(_) => Cow::Borrowed(bytes),
                Err(_) => Cow::Owned(String::from_utf8_lossy(bytes).into_owned().into_bytes()),
            },
            Encoding::Utf16Le => utf16(bytes, u16::from_le_bytes),
            Encoding::Utf16Be => utf16(bytes, u16::from_be_bytes),
            Encoding::Windows1252 => {
                let mut text = String::with_capacity(bytes.len() + bytes.len() / 16);
                for &byte in bytes {
                    text.push(match byte {
                        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
                        _ => char::from(byte),
                    });
                }
                Cow::Owned(text.into_bytes())
            }
        }
    }
}

/// Decodes a file to UTF-8 text, from the given encoding or else from the detected one.
pub(super) fn decoded(bytes: Cow<'_, [u8]>, given: Option<Encoding>) -> (Encoding, Cow<'_, [u8]>) {
    let encoding = given.unwrap_or_else(|| Encoding::detect(&bytes));
    if given.is_none() && encoding == Encoding::Utf8 && !bytes.starts_with(UTF8_MARK) {
        // Without a byte-order mark, UTF-8 is detected only if every byte is valid.
        return (encoding, bytes);
    }
    let text = match bytes {
        Cow::Borrowed(bytes) => encoding.decode(bytes),
        Cow::Owned(bytes) => match encoding.decode(&bytes) {
            Cow::Owned(text) => Cow::Owned(text),
            Cow::Borrowed(text) if text.len() == bytes.len() => Cow::Owned(bytes),
            Cow::Borrowed(text) => Cow::Owned(text.to_vec()),
        },
    };
    (encoding, text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Cow<'static, [u8]> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(pairs.len());
    for character in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Cow::Owned(text.into_bytes())
}

/// Detects UTF-16 without a byte-order mark: nearly every second byte is zero and the others never are. This
/// holds for Latin text.
fn utf16_without_mark(bytes: &[u8]) -> Option<Encoding> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let (pairs, _) = head.as_chunks::<2>();
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    let sure = |with: usize, without: usize| pairs.len() >= 4 && without == 0 && 4 * with >= 3 * pairs.len();
    if sure(second, first) {
        Some(Encoding::Utf16Le)
    } else if sure(first, second) {
        Some(Encoding::Utf16Be)
    } else {
        None
    }
}

/// Counts the bytes at the end that begin an incomplete UTF-8 character.
pub(super) fn unfinished(bytes: &[u8]) -> usize {
    // A character has at most four bytes.
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let begins = |at: &usize| matches!(tail[*at], 0xc2..=0xf4);
    let Some(begin) = (0..tail.len()).rev().find(begins) else { return 0 };
    match std::str::from_utf8(&tail[begin..]) {
        Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() => tail.len() - begin,
        _ => 0,
    }
}

/// Refuses a file that is not text: one with zero bytes or many control characters. Takes decoded bytes.
pub(super) fn check_text(decoded: &[u8]) -> Result<()> {
    check_zeros(decoded, 1)?;
    let head = &decoded[..decoded.len().min(HEAD)];
    let is_control = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c) || byte == 0x7f;
    let controls = head.iter().filter(|&&byte| is_control(byte)).count();
    match head.iter().position(|&byte| is_control(byte)) {
        Some(at) if controls * TEXT_PER_CONTROL > head.len() => Err(not_text(decoded, at, 1)),
        _ => Ok(()),
    }
}

/// Refuses zero bytes in decoded text. `first_line` is the number of the text's first line.
pub(super) fn check_zeros(decoded: &[u8], first_line: u64) -> Result<()> {
    match decoded.contains(&0).then(|| decoded.iter().position(|&byte| byte == 0)).flatten() {
        Some(at) => Err(not_text(decoded, at, first_line)),
        None => Ok(()),
    }
}

fn not_text(decoded: &[u8], at: usize, first_line: u64) -> Error {
    let line = first_line + decoded[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
    Error::new(
        Code::NotText,
        "This is not a text file: it contains bytes that do not occur in CSV files.",
        "If it is a spreadsheet, save it as CSV first.",
    )
    .at_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(bytes: &[u8]) -> (Encoding, String) {
        let encoding = Encoding::detect(bytes);
        (encoding, String::from_utf8(encoding.decode(bytes).into_owned()).unwrap())
    }

    #[test]
    fn each_encoding_is_told_from_the_others() {
        assert_eq!(detected(b"a,b"), (Encoding::Utf8, "a,b".into()));
        assert_eq!(detected("\u{feff}Größe".as_bytes()), (Encoding::Utf8, "Größe".into()));
        assert_eq!(detected(b"Gr\xf6\xdfe \x80"), (Encoding::Windows1252, "Größe €".into()));
        let le: Vec<u8> = "Größe,1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = "Größe,1\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(detected(&le), (Encoding::Utf16Le, "Größe,1\n".into()));
        assert_eq!(detected(&be), (Encoding::Utf16Be, "Größe,1\n".into()));
        assert_eq!(detected(&[b"\xff\xfe", le.as_slice()].concat()), (Encoding::Utf16Le, "Größe,1\n".into()));
        assert_eq!(detected(&[b"\xfe\xff", be.as_slice()].concat()), (Encoding::Utf16Be, "Größe,1\n".into()));
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn every_byte_is_decoded_as_encoding_rs_does() {
        let all: Vec<u8> = (0..=255).collect();
        let ours = String::from_utf8(Encoding::Windows1252.decode(&all).into_owned()).unwrap();
        assert_eq!(ours, encoding_rs::WINDOWS_1252.decode_without_bom_handling(&all).0);
        // Surrogate pairs, lone surrogates, an odd byte at the end.
        let units = [0x41, 0xd83d, 0xde00, 0xd800, 0x42, 0xdc00, 0xffff, 0x0d, 0xd800];
        // A lone surrogate at the very end followed by an odd byte is one error to encoding_rs and two to us.
        for (units, odd) in [(&units[..], &[][..]), (&units[..8], &[7])] {
            let le: Vec<u8> =
                units.iter().flat_map(|unit: &u16| unit.to_le_bytes()).chain(odd.to_vec()).collect();
            let be: Vec<u8> =
                units.iter().flat_map(|unit: &u16| unit.to_be_bytes()).chain(odd.to_vec()).collect();
            let text = |bytes: Cow<[u8]>| String::from_utf8(bytes.into_owned()).unwrap();
            assert_eq!(
                text(Encoding::Utf16Le.decode(&le)),
                encoding_rs::UTF_16LE.decode_without_bom_handling(&le).0,
                "{le:x?}"
            );
            assert_eq!(
                text(Encoding::Utf16Be.decode(&be)),
                encoding_rs::UTF_16BE.decode_without_bom_handling(&be).0,
                "{be:x?}"
            );
        }
        let broken = b"a\xffb\xe2\x82";
        let ours = String::from_utf8(Encoding::Utf8.decode(broken).into_owned()).unwrap();
        assert_eq!(ours, encoding_rs::UTF_8.decode_without_bom_handling(broken).0);
    }

    #[test]
    fn names_of_encodings() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::parse(encoding.as_str()).unwrap(), encoding);
        }
        assert_eq!(Encoding::parse("Latin1").unwrap(), Encoding::Windows1252);
        assert_eq!(Encoding::parse("klingon").unwrap_err().code, Code::BadValue);
    }

    #[test]
    fn what_is_not_text_is_refused() {
        assert_eq!(check_text(b"PK\x03\x04\n\x00").unwrap_err().line, Some(2));
        assert!(check_text(b"a,b\x01\x02\n").is_err());
        assert!(check_text("a,b\tc\r\n\u{0c}ä".repeat(20).as_bytes()).is_ok());
    }
}
