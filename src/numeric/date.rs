//! Dates and times in cells, and the numbers that a tree can compare.
//!
//! A date column is read in one order of day, month and year, which is stored with the tree. Month names are
//! English.

/// The order of a date's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateFormat {
    /// `2021-03-04`, `2021/3/4`, `2021.03.04`, `2021-Mar-04`.
    YearMonthDay,
    /// `4.3.2021`, `04/03/21`, `4 March 2021`.
    DayMonthYear,
    /// `3/4/2021`, `March 4, 2021`.
    MonthDayYear,
    /// A time of day without a date: `18:30`, `18.30.00`.
    TimeOnly,
}

/// A number derived from a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatePart {
    /// Days since 1970-01-01, with the time of day as a fraction.
    Days,
    /// The year.
    Year,
    /// The month, 1 to 12.
    Month,
    /// The day of the month, 1 to 31.
    Day,
    /// The day of the week, 1 for Monday to 7 for Sunday.
    Weekday,
    /// The hour, 0 to 24, with minutes and seconds as a fraction.
    Hour,
}

/// A date, a time, or both, as a cell spells it. An offset from UTC is ignored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Year, month and day.
    date: Option<(i32, u32, u32)>,
    /// Seconds since midnight.
    seconds: Option<f64>,
}

/// Two-digit years from this one on are in the last century, as in spreadsheets.
const PIVOT: u32 = 70;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl DateFormat {
    /// Every format.
    pub const ALL: [DateFormat; 4] =
        [DateFormat::YearMonthDay, DateFormat::DayMonthYear, DateFormat::MonthDayYear, DateFormat::TimeOnly];

    /// Its name in the file format.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            DateFormat::YearMonthDay => "year-month-day",
            DateFormat::DayMonthYear => "day-month-year",
            DateFormat::MonthDayYear => "month-day-year",
            DateFormat::TimeOnly => "time",
        }
    }

    /// Parses a cell in this format.
    pub(crate) fn parse(self, cell: &str) -> Option<Moment> {
        if cell.len() > 40 || !cell.is_ascii() || !cell.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if self == DateFormat::TimeOnly {
            return Some(Moment { date: None, seconds: Some(time(cell)?) });
        }
        let (first, rest) = piece(cell);
        let (second, rest) = piece(separator(rest)?);
        let rest = separator(rest)?;
        let (third, rest) = piece(rest);
        let (year, month, day) = match self {
            DateFormat::YearMonthDay => (first, second, third),
            DateFormat::DayMonthYear => (third, second, first),
            _ => (third, first, second),
        };
        let date =
            (parse_year(year, self == DateFormat::YearMonthDay)?, parse_month(month)?, parse_small(day)?);
        if date.2 < 1 || date.2 > days_in(date.0, date.1) {
            return None;
        }
        let clock = match rest.strip_prefix(['T', 't']) {
            Some(clock) => clock,
            None if rest.is_empty() => return Some(Moment { date: Some(date), seconds: None }),
            None => rest.strip_prefix([' ', ',']).map(str::trim_start)?,
        };
        Some(Moment { date: Some(date), seconds: Some(time(clock)?) })
    }
}

impl DatePart {
    /// Every part, the plain day count first.
    pub const ALL: [DatePart; 6] =
        [DatePart::Days, DatePart::Year, DatePart::Month, DatePart::Day, DatePart::Weekday, DatePart::Hour];

    /// Its name in the file format.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            DatePart::Days => "days",
            DatePart::Year => "year",
            DatePart::Month => "month",
            DatePart::Day => "day",
            DatePart::Weekday => "weekday",
            DatePart::Hour => "hour",
        }
    }

    /// A description for the name of a feature.
    pub(crate) fn words(self) -> &'static str {
        match self {
            DatePart::Days => "days since 1970-01-01",
            DatePart::Year => "year",
            DatePart::Month => "month",
            DatePart::Day => "day of month",
            DatePart::Weekday => "weekday, 1 is Monday",
            DatePart::Hour => "hour",
        }
    }

    /// The number, if the moment has this part. A date without a time has no hour; a time without a date has
    /// only the hour.
    pub(crate) fn of(self, moment: Moment) -> Option<f64> {
        if self == DatePart::Hour {
            return moment.seconds.map(|seconds| seconds / 3600.0);
        }
        let (year, month, day) = moment.date?;
        Some(match self {
            DatePart::Days => {
                f64::from(days_since_1970(year, month, day)) + moment.seconds.unwrap_or(0.0) / 86_400.0
            }
            DatePart::Year => f64::from(year),
            DatePart::Month => f64::from(month),
            DatePart::Day => f64::from(day),
            // 1970-01-01 was a Thursday.
            _ => f64::from((days_since_1970(year, month, day) + 3).rem_euclid(7) + 1),
        })
    }
}

/// Splits off the letters or the digits at the start.
fn piece(text: &str) -> (&str, &str) {
    let letters = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let of_kind = |c: char| if letters { c.is_ascii_alphabetic() } else { c.is_ascii_digit() };
    text.split_at(text.find(|c| !of_kind(c)).unwrap_or(text.len()))
}

/// Skips a separator between the parts of a date: `-`, `/`, `.`, a space, or punctuation and a space.
fn separator(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '/', '.', ',', ' '])?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

fn parse_small(digits: &str) -> Option<u32> {
    (1..=2).contains(&digits.len()).then(|| digits.parse().ok())?
}

/// Parses a year: four digits, or two where it cannot be mistaken for a day.
fn parse_year(digits: &str, leading: bool) -> Option<i32> {
    match digits.len() {
        4 => digits.parse().ok(),
        2 if !leading => {
            let year: u32 = digits.parse().ok()?;
            Some((year + if year >= PIVOT { 1900 } else { 2000 }) as i32)
        }
        _ => None,
    }
}

fn parse_month(text: &str) -> Option<u32> {
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let start = text.get(..3)?.to_ascii_lowercase();
        return (text.len() <= 9)
            .then(|| MONTHS.iter().zip(1..).find(|(name, _)| **name == start))?
            .map(|(_, at)| at);
    }
    parse_small(text).filter(|month| (1..=12).contains(month))
}

/// Parses `18:30`, `6:30 PM`, `18.30.00`, `18:30:00.25`, `18:30Z`, `18:30+02:00` to seconds since midnight.
fn time(text: &str) -> Option<f64> {
    let (hour, rest) = piece(text);
    let mark = rest.chars().next().filter(|mark| matches!(mark, ':' | '.'))?;
    let (minute, rest) = piece(&rest[1..]);
    let mut fraction = 0.0;
    let (second, rest) = match rest.strip_prefix(mark) {
        None if mark == '.' => return None, // 18.30 is a number
        None => ("0", rest),
        Some(rest) => {
            let (second, mut rest) = piece(rest);
            if let Some(decimals) = rest.strip_prefix('.').filter(|_| mark == ':') {
                let (digits, after) = piece(decimals);
                fraction = format!("0.{digits}").parse().ok()?;
                rest = after;
            }
            (second, rest)
        }
    };
    let (mut hour, minute, second) = (parse_small(hour)?, parse_small(minute)?, parse_small(second)?);
    match rest.trim().to_ascii_lowercase().as_str() {
        "" | "z" | "utc" | "gmt" => {}
        "am" if (1..=12).contains(&hour) => hour %= 12,
        "pm" if (1..=12).contains(&hour) => hour = hour % 12 + 12,
        offset if offset.starts_with(['+', '-']) && offset.len() <= 6 => {
            offset[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b':').then_some(())?;
        }
        _ => return None,
    }
    let fits = hour <= 24 && minute < 60 && second <= 60;
    fits.then(|| f64::from(hour * 3600 + minute * 60 + second) + fraction)
}

fn days_in(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days of the proleptic Gregorian calendar. Years begin in March here, so that the leap day is the last day
/// of its year.
fn days_since_1970(year: i32, month: u32, day: u32) -> i32 {
    let (year, month) = if month > 2 { (year, month as i32 - 3) } else { (year - 1, month as i32 + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // From March on, the lengths of months repeat as 31 30 31 30 31: 153 days for five months.
    let before_month = (153 * month + 2) / 5;
    365 * year + leap_days + before_month + day as i32 - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: DateFormat, cell: &str, days: f64) {
        let moment = format.parse(cell).unwrap_or_else(|| panic!("{cell}"));
        assert_eq!(DatePart::Days.of(moment), Some(days), "{cell}");
    }

    #[test]
    fn dates_in_every_order() {
        check(DateFormat::YearMonthDay, "1970-01-01", 0.0);
        check(DateFormat::YearMonthDay, "2000-03-01", 11017.0);
        check(DateFormat::YearMonthDay, "1969/12/31", -1.0);
        check(DateFormat::YearMonthDay, "2021-03-04T12:00:00Z", 18690.5);
        check(DateFormat::YearMonthDay, "2021-03-04 06:00+02:00", 18690.25);
        check(DateFormat::DayMonthYear, "04.03.2021", 18690.0);
        check(DateFormat::DayMonthYear, "4 March 2021", 18690.0);
        check(DateFormat::DayMonthYear, "04-Mar-21", 18690.0);
        check(DateFormat::MonthDayYear, "3/4/21 18:00", 18690.75);
        check(DateFormat::MonthDayYear, "Mar 4, 2021 6:00 PM", 18690.75);
        check(DateFormat::MonthDayYear, "3/4/99", 10654.0);
    }

    #[test]
    fn what_is_no_date_is_none() {
        for format in DateFormat::ALL {
            for cell in [
                "",
                "1",
                "1.5",
                "18.30",
                "2021",
                "1.2.3.4",
                "13/13/2021",
                "2021-02-30",
                "a-b-c",
                "12:60",
                "99:00",
                "1/2",
                "é",
                "--",
                "1//2/2003",
            ] {
                assert_eq!(format.parse(cell), None, "{format:?} {cell}");
            }
        }
        assert!(DateFormat::YearMonthDay.parse("2020-02-29").is_some());
        assert!(DateFormat::YearMonthDay.parse("1900-02-29").is_none());
    }

    #[test]
    fn parts() {
        let moment = DateFormat::DayMonthYear.parse("16/11/2026 04:30").unwrap();
        let parts: Vec<f64> = DatePart::ALL.into_iter().skip(1).filter_map(|part| part.of(moment)).collect();
        assert_eq!(parts, [2026.0, 11.0, 16.0, 1.0, 4.5]);
        let time = DateFormat::TimeOnly.parse("18.00.00").unwrap();
        assert_eq!((DatePart::Hour.of(time), DatePart::Year.of(time)), (Some(18.0), None));
        assert_eq!(DatePart::Hour.of(DateFormat::YearMonthDay.parse("2021-01-01").unwrap()), None);
        assert_eq!(DatePart::Hour.of(DateFormat::TimeOnly.parse("12:15 am").unwrap()), Some(0.25));
    }

    #[test]
    fn days_agree_with_counting() {
        let mut days = days_since_1970(1583, 1, 1);
        for year in 1583..2500 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    assert_eq!(days_since_1970(year, month, day), days);
                    days += 1;
                }
            }
        }
    }
}
