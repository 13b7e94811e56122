//! Text inside XML.

use crate::error::{Code, Error, Result, quoted};

/// Escapes a text for an element or for an attribute in double quotes; line ends and tabs survive in both.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe += &format!("&#{};", u32::from(c)),
            c => safe.push(c),
        }
    }
    safe
}

/// Refuses a text with a character that XML 1.0 cannot hold, even escaped.
pub(super) fn check(text: &str) -> Result<()> {
    let control = |c: &char| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}');
    let odd = |c: &char| control(c) || matches!(c, '\u{fffe}' | '\u{ffff}');
    match text.chars().find(odd) {
        None => Ok(()),
        Some(c) => Err(Error::new(
            Code::BadFormat,
            format!("XML cannot hold {}, which contains the character U+{:04X}.", quoted(text), u32::from(c)),
            "Rename it in the file and train again, or choose another format, such as json.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("a<b>&\"]]>\n"), "a&lt;b&gt;&amp;&quot;]]&gt;&#10;");
        assert!(check("tab\tline\n é 🌳").is_ok());
        assert_eq!(check("a\u{7}").unwrap_err().code, Code::BadFormat);
    }
}
