//! Text inside programs. Names come from files and may contain anything: a quote, a line end, the end of a
//! comment, a mark that reverses the direction of writing. Letters and digits of every script are kept;
//! everything else outside printable ASCII is escaped.

/// A language with string literals in double quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    JavaScript,
    Rust,
    C,
}

/// Maximum number of characters in a comment.
const COMMENT: usize = 100;

/// A string literal.
pub(super) fn string(text: &str, language: Language) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            // An angle bracket could end the script in a page, and two question marks begin a trigraph in C.
            '<' if language == Language::JavaScript => literal.push_str("\\x3c"),
            '?' if language == Language::C => literal.push_str("\\?"),
            ' '..='~' => literal.push(c),
            c if c.is_alphanumeric() && language != Language::C => literal.push(c),
            c => escape(&mut literal, c, language),
        }
    }
    literal.push('"');
    literal
}

fn escape(literal: &mut String, c: char, language: Language) {
    let code = u32::from(c);
    match language {
        Language::JavaScript | Language::Rust => *literal += &format!("\\u{{{code:x}}}"),
        Language::Python if code < 0x1_0000 => *literal += &format!("\\u{code:04x}"),
        Language::Python => *literal += &format!("\\U{code:08x}"),
        // Three octal digits, because a hexadecimal escape would include digits that follow it.
        Language::C => {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| *literal += &format!("\\{byte:03o}"))
        }
    }
}

/// A list of string literals without its brackets.
pub(super) fn strings(texts: &[String], language: Language) -> String {
    texts.iter().map(|text| string(text, language)).collect::<Vec<_>>().join(", ")
}

/// Text for a comment that ends with its line: nothing in it can end it earlier, continue it, or open
/// another.
pub(super) fn plain(text: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || " _-.,:()%≤>·−+=".contains(c) { c } else { '?' };
    let mut words: String = text.chars().map(safe).take(COMMENT).collect();
    if text.chars().nth(COMMENT).is_some() {
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_inside_their_quotes() {
        for (text, python, javascript, c) in [
            ("a\"b\\", r#""a\"b\\""#, r#""a\"b\\""#, r#""a\"b\\""#),
            ("é\n9", "\"é\\u000a9\"", "\"é\\u{a}9\"", "\"\\303\\251\\0129\""),
            ("</b>??/", "\"</b>??/\"", "\"\\x3c/b>??/\"", "\"</b>\\?\\?/\""),
            (
                "🌳\u{202e}",
                "\"\\U0001f333\\u202e\"",
                "\"\\u{1f333}\\u{202e}\"",
                "\"\\360\\237\\214\\263\\342\\200\\256\"",
            ),
        ] {
            assert_eq!(string(text, Language::Python), python);
            assert_eq!(string(text, Language::JavaScript), javascript);
            assert_eq!(string(text, Language::C), c);
        }
    }

    #[test]
    fn comments_stay_on_their_line() {
        assert_eq!(plain("a\n*/ -- \\\u{2028}]]>"), "a??? -- ????>");
        assert_eq!(plain(&"x".repeat(200)).chars().count(), COMMENT + 1);
    }
}
