//! Parses a number in a cell.

/// The number that a cell spells, if it is finite in f32.
///
/// Sign, digits, a point, an exponent: `-1`, `.5`, `5.`, `1.1380000e+00`. Words such as `inf` and `nan`,
/// which Rust's own parser accepts, are not numbers here. Neither is a value outside the range of f32, which
/// no split could compare.
pub(crate) fn parse_number(cell: &str) -> Option<f64> {
    let digits = cell.strip_prefix(['+', '-']).unwrap_or(cell);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value: f64 = short_decimal(cell.as_bytes()).or_else(|| cell.parse().ok())?;
    (value as f32).is_finite().then_some(value)
}

/// Fast path for a plain decimal of at most fifteen digits. Digits and power of ten are then both exact, so a
/// single division rounds as the standard library does.
fn short_decimal(cell: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = match cell {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, cell),
    };
    if digits.len() > 16 {
        return None;
    }
    let (mut whole, mut count, mut decimals) = (0u64, 0, None);
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                whole = 10 * whole + u64::from(byte - b'0');
                count += 1;
                decimals = decimals.map(|places: usize| places + 1);
            }
            b'.' if decimals.is_none() => decimals = Some(0),
            _ => return None,
        }
    }
    let value = whole as f64 / POWERS[decimals.unwrap_or(0).min(15)];
    (1..=15).contains(&count).then_some(if negative { -value } else { value })
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_decimals_are_read_as_the_standard_library_does(cell in "-?[0-9]{0,9}\\.?[0-9]{0,9}") {
            if let Some(value) = short_decimal(cell.as_bytes()) {
                assert_eq!(value.to_bits(), cell.parse::<f64>().unwrap().to_bits(), "{cell}");
            }
        }
    }

    #[test]
    fn numbers_are_numbers_and_nothing_else_is() {
        for (cell, value) in
            [("1", 1.0), ("-1", -1.0), ("+.5", 0.5), ("5.", 5.0), ("0610.0", 610.0), ("1.1380000e+00", 1.138)]
        {
            assert_eq!(parse_number(cell), Some(value), "{cell}");
        }
        for cell in ["", ".", "-", "inf", "-inf", "nan", "1e39", "1E400", "0x10", "1,5", "1 2", "one", "१"]
        {
            assert_eq!(parse_number(cell), None, "{cell}");
        }
    }
}
