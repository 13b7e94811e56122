//! Number formats: decimal separator, thousands separator, a currency or percent sign.
//!
//! The format belongs to the column, not to the cell: `1,234` alone could be either of two numbers. It is
//! stored with a tree, so that cells are read the same way when the tree is used.

use super::parse_number;

/// The thousands separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thousands {
    /// A dot: `1.234,5`.
    Dot,
    /// A comma: `1,234.5`.
    Comma,
    /// A space of any width: `1 234.5`.
    Blank,
    /// An apostrophe, straight or curly: `1'234.5`.
    Apostrophe,
}

/// A number format. The default is plain: a decimal point and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberFormat {
    /// Whether the decimal separator is a comma, not a point.
    pub decimal_comma: bool,
    /// The thousands separator, if there is one.
    pub thousands: Option<Thousands>,
    /// A sign before or after the number: one of `UNITS`. A number without it is accepted too, unless the
    /// sign is percent: whether `0.5` next to `50%` means the same would be a guess.
    pub unit: Option<&'static str>,
}

/// The percent sign. `12%` is 12: numbers keep the units of the file.
pub(crate) const PERCENT: &str = "%";

/// Signs before or after a number: percent and currencies.
pub(crate) const UNITS: [&str; 30] = [
    PERCENT, "US$", "A$", "C$", "R$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "₪", "₫", "฿", "₦", "¢",
    "kr", "zł", "Kč", "Fr.", "CHF", "USD", "EUR", "GBP", "JPY", "CNY", "INR",
];

impl Thousands {
    /// Every thousands separator.
    pub(crate) const ALL: [Thousands; 4] =
        [Thousands::Dot, Thousands::Comma, Thousands::Blank, Thousands::Apostrophe];

    /// The separator as a person would type it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Thousands::Dot => ".",
            Thousands::Comma => ",",
            Thousands::Blank => " ",
            Thousands::Apostrophe => "'",
        }
    }

    fn is(self, character: char) -> bool {
        match self {
            Thousands::Dot => character == '.',
            Thousands::Comma => character == ',',
            // No-break, thin and narrow no-break space.
            Thousands::Blank => matches!(character, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}'),
            Thousands::Apostrophe => matches!(character, '\'' | '’'),
        }
    }
}

impl NumberFormat {
    /// Every sensible pair of decimal and thousands separator, the plain one first.
    pub fn candidates() -> [NumberFormat; 8] {
        use Thousands::{Apostrophe, Blank, Comma, Dot};
        [
            (false, None),
            (true, None),
            (false, Some(Comma)),
            (true, Some(Dot)),
            (false, Some(Blank)),
            (true, Some(Blank)),
            (false, Some(Apostrophe)),
            (true, Some(Apostrophe)),
        ]
        .map(|(decimal_comma, thousands)| NumberFormat { decimal_comma, thousands, unit: None })
    }

    /// Whether this is the plain format.
    pub(crate) fn is_plain(&self) -> bool {
        *self == NumberFormat::default()
    }

    /// The decimal separator.
    pub(crate) fn decimal_separator(&self) -> &'static str {
        if self.decimal_comma { "," } else { "." }
    }

    /// The number that a cell spells in this format, if it is finite in f32.
    pub(crate) fn parse(&self, cell: &str) -> Option<f64> {
        let Some(wanted) = self.unit else { return self.number(cell) };
        match split_unit(cell) {
            (_, _, None) if wanted == PERCENT => None,
            (_, _, None) => self.number(cell),
            (_, _, Some(unit)) if unit != wanted => None,
            ("", rest, _) => self.number(rest),
            // The sign comes before the unit, as in -$5; a second sign would not be a number.
            (_, rest, _) if rest.starts_with(['+', '-']) => None,
            (sign, rest, _) => self.number(rest).map(|value| if sign == "-" { -value } else { value }),
        }
    }

    /// Parses a cell without its unit.
    fn number(&self, cell: &str) -> Option<f64> {
        if !self.decimal_comma && self.thousands.is_none() {
            return parse_number(cell);
        }
        let unsigned = cell.strip_prefix(['+', '-']).unwrap_or(cell);
        if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',') {
            return None;
        }
        let mut plain = String::with_capacity(cell.len());
        plain.push_str(&cell[..cell.len() - unsigned.len()]);
        let decimal = if self.decimal_comma { ',' } else { '.' };
        // Digits since the last separator; `None` before the first separator.
        let mut group: Option<usize> = None;
        let mut digits = 0;
        let mut whole = true;
        for character in unsigned.chars() {
            if whole && character.is_ascii_digit() {
                digits += 1;
                plain.push(character);
            } else if whole && self.thousands.is_some_and(|separator| separator.is(character)) {
                let fits = match group {
                    None => (1..=3).contains(&digits) && !unsigned.starts_with('0'),
                    Some(_) => digits == 3,
                };
                if !fits {
                    return None;
                }
                group = Some(0);
                digits = 0;
            } else if whole && (character == decimal || character == 'e' || character == 'E') {
                if group.is_some() && digits != 3 {
                    return None;
                }
                whole = false;
                plain.push(if character == decimal { '.' } else { character });
            } else if !whole && (character.is_ascii_digit() || matches!(character, 'e' | 'E' | '+' | '-')) {
                plain.push(character);
            } else {
                return None;
            }
        }
        if whole && group.is_some() && digits != 3 {
            return None;
        }
        parse_number(&plain)
    }

    /// Spells a plain number in this format, without thousands separators.
    pub(crate) fn spell(&self, plain: &str) -> String {
        let body = if self.decimal_comma { plain.replace('.', ",") } else { plain.to_owned() };
        if self.unit == Some(PERCENT) { body + PERCENT } else { body }
    }
}

/// Splits a cell into a sign before the unit, the rest, and the unit if there is one.
pub(crate) fn split_unit(cell: &str) -> (&str, &str, Option<&'static str>) {
    let unsigned = cell.strip_prefix(['+', '-']).unwrap_or(cell);
    let sign = &cell[..cell.len() - unsigned.len()];
    // The common case returns here: a cell has a unit only if it begins or ends with something other than a
    // digit.
    let plain_end = cell.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    if plain_end && unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return ("", cell, None);
    }
    for unit in UNITS {
        if let Some(rest) = unsigned.strip_prefix(unit) {
            return (sign, rest.trim_start(), Some(unit));
        }
        if let Some(rest) = cell.strip_suffix(unit) {
            return ("", rest.trim_end(), Some(unit));
        }
    }
    ("", cell, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(decimal_comma: bool, thousands: Option<Thousands>, unit: Option<&'static str>) -> NumberFormat {
        NumberFormat { decimal_comma, thousands, unit }
    }

    #[test]
    fn the_plain_format_reads_what_it_always_read() {
        for cell in ["1", "-1", "+.5", "5.", "1e3", "1,5", "", "-", "inf", "1 000"] {
            assert_eq!(NumberFormat::default().parse(cell), parse_number(cell), "{cell}");
        }
        assert!(NumberFormat::candidates()[0].is_plain());
    }

    #[test]
    fn decimal_commas_and_thousands() {
        let german = format(true, Some(Thousands::Dot), None);
        for (cell, value) in [
            ("1.137,35", 1137.35),
            ("-1.000.000", -1e6),
            ("12", 12.0),
            (",5", 0.5),
            ("1137,35", 1137.35),
            ("2,5e3", 2500.0),
        ] {
            assert_eq!(german.parse(cell), Some(value), "{cell}");
        }
        for cell in ["1.13,5", "1.1374", "12.34", "0.123", "1,2,3", "1,234.5", "1..234", ".123", "1.234.", ""]
        {
            assert_eq!(german.parse(cell), None, "{cell}");
        }
        let english = format(false, Some(Thousands::Comma), None);
        assert_eq!(english.parse("1,234,567.89"), Some(1234567.89));
        assert_eq!(english.parse("1234.5"), Some(1234.5));
        assert_eq!(english.parse("1,23"), None);
        let french = format(true, Some(Thousands::Blank), None);
        for cell in ["12 345,5", "12\u{a0}345,5", "12\u{202f}345,5", "12\u{2009}345,5"] {
            assert_eq!(french.parse(cell), Some(12345.5), "{cell}");
        }
        let swiss = format(false, Some(Thousands::Apostrophe), None);
        assert_eq!((swiss.parse("1'234.5"), swiss.parse("1’234.5")), (Some(1234.5), Some(1234.5)));
    }

    #[test]
    fn currencies_and_percent() {
        let dollars = format(false, Some(Thousands::Comma), Some("$"));
        for (cell, value) in
            [("$5.00", 5.0), ("-$1,234", -1234.0), ("$-5", -5.0), ("5", 5.0), ("7 $", 7.0), ("$ 3", 3.0)]
        {
            assert_eq!(dollars.parse(cell), Some(value), "{cell}");
        }
        for cell in ["5%", "€5", "$", "-$-5", "$$5", "5 kg", "US$5"] {
            assert_eq!(dollars.parse(cell), None, "{cell}");
        }
        let percent = format(false, None, Some(PERCENT));
        assert_eq!(
            (percent.parse("12%"), percent.parse("12.5 %"), percent.parse("-1%")),
            (Some(12.0), Some(12.5), Some(-1.0))
        );
        assert_eq!(percent.parse("0.12"), None, "a share beside percents would be a guess");
        assert_eq!(format(true, Some(Thousands::Dot), Some("€")).parse("1.234,50 €"), Some(1234.5));
    }

    #[test]
    fn what_is_spelled_is_read_back() {
        for decimal_comma in [false, true] {
            for unit in [None, Some("€"), Some(PERCENT)] {
                for thousands in [None, Some(Thousands::Blank), Some(Thousands::Apostrophe)] {
                    let format = format(decimal_comma, thousands, unit);
                    for plain in ["0.5", "-1234567.25", "1e30", "7"] {
                        assert_eq!(
                            format.parse(&format.spell(plain)),
                            parse_number(plain),
                            "{format:?} {plain}"
                        );
                    }
                }
            }
        }
    }
}
