//! What counts as a number in a cell.

/// The number a cell spells, if it spells one that is finite in f32.
///
/// Sign, digits, a point, an exponent: `-1`, `.5`, `5.`, `1.1380000e+00`. Words such as `inf` and `nan`, which Rust's own
/// parser takes, are not numbers here, and neither is a value beyond the range of f32, which no split could compare.
pub fn parse_number(cell: &str) -> Option<f64> {
    let digits = cell.strip_prefix(['+', '-']).unwrap_or(cell);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value: f64 = cell.parse().ok()?;
    (value as f32).is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_numbers_and_nothing_else_is() {
        for (cell, value) in
            [("1", 1.0), ("-1", -1.0), ("+.5", 0.5), ("5.", 5.0), ("0610.0", 610.0), ("1.1380000e+00", 1.138)]
        {
            assert_eq!(parse_number(cell), Some(value), "{cell}");
        }
        for cell in ["", ".", "-", "inf", "-inf", "nan", "1e39", "1E400", "0x10", "1,5", "1 2", "one", "१"] {
            assert_eq!(parse_number(cell), None, "{cell}");
        }
    }
}
