//! Spellings of a missing value.

/// Spellings of a missing value besides the empty cell. A spelling counts only in a column where it occurs.
/// Sorted by bytes, for the binary search below.
pub(crate) const MISSING_TOKENS: &[&str] = &[
    "#DIV/0!", "#N/A", "#NA", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "(blank)", "(null)", "-",
    "--", "---", ".", "..", "...", "<NA>", "?", "MISSING", "Missing", "N.A.", "N/A", "NA", "NAN", "NULL",
    "NaN", "Nan", "None", "Null", "\\N", "missing", "n.a.", "n/a", "na", "nan", "none", "null", "–", "—",
];

/// Whether a cell is one of these spellings.
pub(super) fn is_missing_token(cell: &str) -> bool {
    MISSING_TOKENS.binary_search(&cell).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_every_spelling_found() {
        assert!(MISSING_TOKENS.is_sorted());
        assert!(MISSING_TOKENS.iter().all(|token| is_missing_token(token)));
        for token in ["?", "NA", "-", "N/A", "null", "NaN", "None", "#N/A", "nan", "."] {
            assert!(is_missing_token(token), "{token}");
        }
        assert!(!is_missing_token("0") && !is_missing_token("") && !is_missing_token("North"));
    }
}
