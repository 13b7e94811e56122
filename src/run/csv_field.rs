//! Cells of a CSV file that is opened in a spreadsheet.

use crate::export::words::unique;

/// Adds a cell, quoted where it must be.
///
/// A spreadsheet runs what looks like a formula, and names and words come from files of strangers: a cell
/// that begins like one gets an apostrophe, which makes it text. Numbers with a sign stay as they are, and so
/// do words such as `-` and `+49 30`: after a sign only a call or a reference to another program does harm.
pub(super) fn push_field(text: &mut String, cell: &str) {
    let quote = cell.contains([',', '"', '\r', '\n']);
    if quote {
        text.push('"');
    }
    if is_formula(cell) {
        text.push('\'');
    }
    match quote {
        true => {
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        }
        false => text.push_str(cell),
    }
}

fn is_formula(cell: &str) -> bool {
    match cell.chars().next() {
        // Also in their full-width forms, which some spreadsheets take for the same.
        Some('=' | '@' | '\t' | '\r' | '\u{ff1d}' | '\u{ff20}') => true,
        Some('+' | '-' | '\u{ff0b}' | '\u{ff0d}') => cell.contains(['(', '|', '!', '[', '{']),
        _ => false,
    }
}

/// Names of the columns of the answers, different from those of the file: `prediction`, a probability per
/// class, `leaf`.
pub(super) fn added_names(names: &[String], classes: &[String]) -> Vec<String> {
    let mut used: Vec<String> = names.to_vec();
    let probabilities = classes.iter().map(|class| format!("probability_{class}"));
    for name in std::iter::once("prediction".to_owned()).chain(probabilities).chain(["leaf".to_owned()]) {
        let name = unique(&name, &|name| used.iter().any(|used| used == name));
        used.push(name);
    }
    used.split_off(names.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cell: &str, expected: &str) {
        let mut text = String::new();
        push_field(&mut text, cell);
        assert_eq!(text, expected);
    }

    #[test]
    fn formulas_become_text_and_all_else_stays() {
        check("=cmd()|' /C calc'!A0", "'=cmd()|' /C calc'!A0");
        check("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
        check("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
        check("-2+SUM(A1)", "'-2+SUM(A1)");
        check("@SUM(1)", "'@SUM(1)");
        check("\u{ff1d}1+1", "'\u{ff1d}1+1");
        check("\t=1", "'\t=1");
        for cell in ["-5", "+1.5e3", "-", "-5 %", "-1.234,5 €", "+49 30 1234", "a=b", "", "yes"] {
            let quoted = if cell.contains(',') { format!("\"{cell}\"") } else { cell.to_owned() };
            check(cell, &quoted);
        }
    }
}
