//! Detects the format of a column's numbers or dates: the one that reads most of its cells.

use crate::numeric::format::{PERCENT, UNITS, split_unit};
use crate::numeric::{DateFormat, NumberFormat};

/// The format that reads the most cells as numbers, and how many it reads.
///
/// If several formats read the same cells, the plain one comes first. `1,234` is read as 1234, unless the
/// file is likely to use decimal commas.
pub(super) fn number_format<'a>(
    words: impl Iterator<Item = (&'a str, usize)> + Clone,
    likely_comma: bool,
) -> (NumberFormat, usize) {
    let mut candidates = NumberFormat::candidates().to_vec();
    // A format with decimal commas reads `1,234` too, so the order of the candidates decides between 1.234
    // and 1234.
    candidates.swap(1, 2);
    if likely_comma {
        // A stable partition: within each half the order stays.
        let (comma, point): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|format| format.decimal_comma);
        candidates = comma.into_iter().chain(point).collect();
    }
    // Cells read by each candidate, by unit; the last place is for cells without a unit.
    let mut read = vec![[0usize; UNITS.len() + 1]; candidates.len()];
    for (word, count) in words.clone() {
        let (_, body, unit) = split_unit(word);
        if !body.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | ',')) {
            continue;
        }
        let unit = unit
            .map_or(UNITS.len(), |unit| UNITS.iter().position(|known| *known == unit).unwrap_or(UNITS.len()));
        for (format, read) in candidates.iter().zip(&mut read) {
            if format.parse(body).is_some() {
                read[unit] += count;
            }
        }
    }
    let mut best = (NumberFormat::default(), 0);
    for (format, read) in candidates.iter().zip(&read) {
        let bare = read[UNITS.len()];
        let with_unit = UNITS.iter().zip(read).map(|(&unit, &count)| match (unit, count) {
            (_, 0) => (None, 0),
            (PERCENT, count) => (Some(unit), count),
            _ => (Some(unit), bare + count),
        });
        for (unit, count) in std::iter::once((None, bare)).chain(with_unit) {
            if count > best.1 {
                best = (NumberFormat { unit, ..format.clone() }, count);
            }
        }
    }
    let (format, _) = best;
    // A sign on either side of a currency symbol is understood only by the format itself.
    let count = words.filter(|(word, _)| format.parse(word).is_some()).map(|(_, count)| count).sum();
    (format, count)
}

/// The format that reads the most cells as dates, how many it reads, and whether another format reads as
/// many.
pub(super) fn date_format<'a>(words: impl Iterator<Item = (&'a str, usize)>) -> (DateFormat, usize, bool) {
    let mut read = [0; DateFormat::ALL.len()];
    let mut slashes = false;
    for (word, count) in words {
        slashes |= word.contains('/');
        for (format, read) in DateFormat::ALL.iter().zip(&mut read) {
            if format.parse(word).is_some() {
                *read += count;
            }
        }
    }
    let [year_first, day_first, month_first, time] = read;
    let ambiguous = day_first == month_first && day_first > 0 && day_first >= year_first.max(time);
    if ambiguous {
        // Dates with slashes are mostly American; dates with dots or hyphens never are.
        let format = if slashes { DateFormat::MonthDayYear } else { DateFormat::DayMonthYear };
        return (format, day_first, true);
    }
    let mut best = (DateFormat::YearMonthDay, 0);
    for (&format, &count) in DateFormat::ALL.iter().zip(&read) {
        if count > best.1 {
            best = (format, count);
        }
    }
    (best.0, best.1, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::Thousands;

    fn numbers(cells: &[&'static str], likely_comma: bool) -> (NumberFormat, usize) {
        number_format(cells.iter().map(|cell| (*cell, 1)), likely_comma)
    }

    #[test]
    fn the_format_is_the_one_that_reads_the_column() {
        let check = |cells: &[&'static str], decimal_comma, thousands, unit| {
            assert_eq!(
                numbers(cells, false),
                (NumberFormat { decimal_comma, thousands, unit }, cells.len()),
                "{cells:?}"
            );
        };
        check(&["1", "2.5"], false, None, None);
        check(&["1", "2,5"], true, None, None);
        check(&["1.137,35", "12,5"], true, Some(Thousands::Dot), None);
        check(&["999", "1,234"], false, Some(Thousands::Comma), None);
        check(&["1,234.5", "1,234"], false, Some(Thousands::Comma), None);
        check(&["1 234,5", "12"], true, Some(Thousands::Blank), None);
        check(&["1'234.5", "12"], false, Some(Thousands::Apostrophe), None);
        check(&["$5.00", "-$7", "$-3", "4"], false, None, Some("$"));
        check(&["12%", "1.5 %"], false, None, Some("%"));
        check(&["12,50 €", "1.000,00 €"], true, Some(Thousands::Dot), Some("€"));
    }

    #[test]
    fn a_semicolon_file_says_that_commas_are_decimal() {
        assert!(numbers(&["1,234", "5,678"], true).0.decimal_comma);
        assert!(!numbers(&["1,234", "5,678"], false).0.decimal_comma);
        assert_eq!(numbers(&["1.137", "2.375"], true).0.thousands, Some(Thousands::Dot));
    }

    #[test]
    fn what_cannot_be_one_format_is_not_read_whole() {
        assert_eq!(numbers(&["12%", "0.12"], false).1, 1);
        assert_eq!(numbers(&["$5", "€5", "€6"], false).1, 2);
        assert_eq!(numbers(&["a", "b"], false).1, 0);
    }

    #[test]
    fn days_and_months_are_told_apart_where_they_can_be() {
        let check = |cells: &[&'static str], expected| {
            assert_eq!(date_format(cells.iter().map(|cell| (*cell, 1))), expected, "{cells:?}");
        };
        check(&["2021-03-04", "2021-03-13"], (DateFormat::YearMonthDay, 2, false));
        check(&["10/03/2004", "13/03/2004"], (DateFormat::DayMonthYear, 2, false));
        check(&["10/16/17 22:59", "9/3/17 2:22"], (DateFormat::MonthDayYear, 2, false));
        check(&["1/2/2003", "3/4/2005"], (DateFormat::MonthDayYear, 2, true));
        check(&["1.2.2003", "3.4.2005"], (DateFormat::DayMonthYear, 2, true));
        check(&["18.00.00", "19:30"], (DateFormat::TimeOnly, 2, false));
        check(&["x"], (DateFormat::YearMonthDay, 0, false));
    }
}
