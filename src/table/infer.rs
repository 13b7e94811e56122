//! Infers the kind of a column by fixed rules.

use super::detect::{date_format, number_format};
use super::missing::is_missing_token;
use super::profile::{self, Profile};
use super::store::Cells;
use super::words::Words;
use super::{Column, Delimiter, Kind, Overrides, Reading, Records, Unfit};
use crate::numeric::order::{sort_numbers, sort_words};
use crate::numeric::{DatePart, NumberFormat, Thousands, parse_number};

/// A column holds numbers, or dates, if at least this share of its present cells do.
const MOSTLY: f64 = 0.9;

/// A column with fewer rows than this is never an identifier: in a handful of rows every value is unique.
const IDENTIFIER_ROWS: usize = 20;

/// An identifier is present in at least this share of the rows.
const PRESENT_IDENTIFIERS: f64 = 0.99;

/// Whole numbers that rise or fall from row to row are an identifier if they fill at least one in this many
/// places of their range.
const IDENTIFIER_GAPS: f64 = 4.0;

/// A column of words is running text if it has more distinct words than this, and more than half as many as
/// rows.
const TEXT_WORDS: usize = 50;

/// How many unfit cells are listed; more are only counted.
const MOST_LISTED: usize = 1000;

/// Pairs of words for no and yes, in lower case, the no first.
const YES_NO: &[(&str, &str)] = &[
    ("no", "yes"),
    ("false", "true"),
    ("n", "y"),
    ("f", "t"),
    ("off", "on"),
    ("nein", "ja"),
    ("nee", "ja"),
    ("nej", "ja"),
    ("non", "oui"),
    ("no", "si"),
    ("no", "sí"),
    ("no", "sì"),
    ("não", "sim"),
    ("nie", "tak"),
    ("нет", "да"),
];

/// Infers one column.
pub(super) fn column(records: &Records, position: usize, overrides: &Overrides) -> Column {
    infer_as(records, position, overrides, false)
}

/// Looks at all columns a second time: if one has decimal commas, a dot before three digits elsewhere
/// separates thousands.
pub(super) fn reconsider(records: &Records, columns: &mut [Column], overrides: &Overrides) {
    let decimal_comma = |column: &Column| match &column.reading {
        Reading::Number(format) => format.decimal_comma,
        _ => false,
    };
    if !columns.iter().any(decimal_comma) {
        return;
    }
    for (position, column) in columns.iter_mut().enumerate() {
        let plain = matches!(&column.reading, Reading::Number(format) if format.is_plain());
        if plain && dots_group(records.column(position)) {
            *column = infer_as(records, position, overrides, true);
        }
    }
}

/// Infers a column, or takes the user's kind; `grouped` if dots are known to separate thousands. A column
/// that the user calls constant or identifier is read as what it looks like, because it is not used.
fn infer_as(records: &Records, position: usize, overrides: &Overrides, grouped: bool) -> Column {
    let user_kind = overrides.kind(&records.names()[position]);
    let unused = user_kind.filter(|kind| matches!(kind, Kind::Constant | Kind::Identifier));
    let reading = user_kind.filter(|_| unused.is_none());
    let likely_comma = grouped || records.dialect.delimiter == Delimiter::Semicolon;
    let inference = Inference { records, position, overrides, likely_comma, user_kind: reading };
    let mut column = if grouped { inference.grouped() } else { inference.column() };
    column.kind = unused.unwrap_or(column.kind);
    column
}

/// Whether at least one cell has a dot, and every dot separates thousands.
fn dots_group(cells: &Cells) -> bool {
    let german = NumberFormat { decimal_comma: true, thousands: Some(Thousands::Dot), unit: None };
    let mut seen = false;
    cells.iter().filter(|cell| cell.contains('.')).all(|cell| {
        let fits = is_missing_token(cell) || german.parse(cell).is_some();
        seen |= fits && parse_number(cell).is_some();
        fits
    }) && seen
}

struct Inference<'a> {
    records: &'a Records,
    position: usize,
    overrides: &'a Overrides,
    likely_comma: bool,
    /// The user's kind, where it decides how cells are read.
    user_kind: Option<Kind>,
}

/// The numbers of a column.
struct Numbers {
    format: NumberFormat,
    /// The present numbers, in row order if every row has a distinct one.
    values: Vec<f64>,
}

impl Inference<'_> {
    fn cells(&self) -> &Cells {
        self.records.column(self.position)
    }

    fn name(&self) -> &String {
        &self.records.names()[self.position]
    }

    fn is_token(&self, cell: &str) -> bool {
        match self.overrides.missing_tokens(self.name()) {
            Some(tokens) => tokens.iter().any(|token| token == cell || same_number(token, cell)),
            None => is_missing_token(cell),
        }
    }

    fn column(&self) -> Column {
        if matches!(self.user_kind, None | Some(Kind::Number))
            && let Some((numbers, tokens)) = self.plain_numbers()
            && !numbers.values.is_empty()
        {
            return self.number_column(numbers, tokens);
        }
        self.word_column()
    }

    /// A column whose dots separate thousands.
    fn grouped(&self) -> Column {
        match self.user_kind {
            None | Some(Kind::Number) => self.word_column(),
            Some(_) => self.column(),
        }
    }

    /// The common case, in one pass: every cell is a plain number or missing. `None` if any cell is something
    /// else.
    fn plain_numbers(&self) -> Option<(Numbers, Vec<String>)> {
        let told_tokens = self.overrides.missing_tokens(self.name()).is_some_and(|tokens| !tokens.is_empty());
        let mut values = Vec::with_capacity(self.cells().len());
        let mut tokens: Vec<&str> = vec![];
        for cell in self.cells().iter() {
            if cell.is_empty() {
                continue;
            }
            if told_tokens && self.is_token(cell) {
                note_token(&mut tokens, cell);
                continue;
            }
            match parse_number(cell) {
                Some(value) => values.push(value),
                None if self.is_token(cell) => note_token(&mut tokens, cell),
                None => return None,
            }
        }
        Some((Numbers { format: NumberFormat::default(), values }, sorted(tokens)))
    }

    /// Infers any other column from its distinct words.
    fn word_column(&self) -> Column {
        let all = Words::count(self.cells());
        let (mut tokens, mut words, mut present) = (vec![], vec![], 0);
        for (word, count) in all.iter() {
            if word.is_empty() {
            } else if self.is_token(word) {
                tokens.push(word);
            } else {
                words.push((word, count));
                present += count;
            }
        }
        let tokens = sorted(tokens);
        let mostly = |count: usize| present > 0 && count as f64 >= MOSTLY * present as f64;
        let user_kind = self.user_kind;

        let (format, numbers) = number_format(words.iter().copied(), self.likely_comma);
        if user_kind == Some(Kind::Number) || user_kind.is_none() && mostly(numbers) {
            let values = words.iter().filter_map(|&(word, count)| Some((format.parse(word)?, count)));
            let values = values.flat_map(|(value, count)| std::iter::repeat_n(value, count)).collect();
            return self.number_column(Numbers { format, values }, tokens);
        }
        let (format, dates, ambiguous) = date_format(words.iter().copied());
        if user_kind == Some(Kind::Date) || user_kind.is_none() && mostly(dates) && words.len() > 1 {
            let part = if format
                .parse(words.first().map_or("", |word| word.0))
                .is_some_and(|m| DatePart::Days.of(m).is_some())
            {
                DatePart::Days
            } else {
                DatePart::Hour
            };
            let values =
                words.iter().filter_map(|&(word, count)| Some((part.of(format.parse(word)?)?, count)));
            let mut values: Vec<f64> =
                values.flat_map(|(value, count)| std::iter::repeat_n(value, count)).collect();
            sort_numbers(&mut values);
            let mut column =
                self.finish(Kind::Date, Reading::Date(format), tokens, present, profile::numbers(&values));
            column.distinct = words.iter().filter(|(word, _)| format.parse(word).is_some()).count();
            if ambiguous {
                let order = if format.as_str().starts_with("day") {
                    "day comes before the month"
                } else {
                    "month comes before the day"
                };
                column.remarks.push(format!(
                    "No date shows whether the day or the month comes first; here the {order}."
                ));
            }
            return column;
        }
        let too_many = user_kind == Some(Kind::YesNo) && words.len() > 2;
        let kind = user_kind.filter(|_| !too_many).unwrap_or_else(|| self.word_kind(&words, present));
        let mut column =
            self.finish(kind, Reading::Words, tokens, present, profile::words(words.iter().copied()));
        column.distinct = words.len();
        if too_many {
            let kind = kind.as_str();
            column.remarks.push(format!(
                "It has {} different values, too many for yes and no: it is read as {kind}.",
                words.len()
            ));
        }
        column
    }

    fn word_kind(&self, words: &[(&str, usize)], present: usize) -> Kind {
        let rows = self.records.rows();
        let of_several_words = words.iter().filter(|(word, _)| word.contains(' ')).count();
        if words.len() <= 1 {
            Kind::Constant
        } else if is_yes_no(words) {
            Kind::YesNo
        } else if words.len() == rows && rows >= IDENTIFIER_ROWS && 2 * of_several_words <= words.len() {
            Kind::Identifier
        } else if words.len() > TEXT_WORDS && 2 * words.len() > present {
            Kind::Text
        } else {
            Kind::Category
        }
    }

    fn number_column(&self, numbers: Numbers, tokens: Vec<String>) -> Column {
        let Numbers { format, mut values } = numbers;
        let rising = values.is_sorted_by(|a, b| a < b) || values.is_sorted_by(|a, b| a > b);
        sort_numbers(&mut values);
        let distinct = values.chunk_by(|a, b| a == b).count();
        let whole = !values.is_empty() && values.iter().all(|value| value.fract() == 0.0);
        let kind = self.user_kind.unwrap_or_else(|| {
            if distinct <= 1 {
                Kind::Constant
            } else if whole && distinct == values.len() && self.is_identifier(&values, rising) {
                Kind::Identifier
            } else {
                Kind::Number
            }
        });
        let present = values.len();
        let mut column =
            self.finish(kind, Reading::Number(format), tokens, present, profile::numbers(&values));
        column.distinct = distinct;
        column.whole = whole && column.unfit_count == 0;
        column.remarks.extend(placeholder(&values).filter(|_| kind == Kind::Number));
        column
    }

    /// Whether distinct whole numbers merely number the rows. They do if they have no gaps, in any order; if
    /// they rise or fall with few gaps; or if the column's name says so.
    fn is_identifier(&self, sorted: &[f64], rising: bool) -> bool {
        let span = sorted[sorted.len() - 1] - sorted[0] + 1.0;
        let rows = sorted.len() as f64;
        sorted.len() >= IDENTIFIER_ROWS
            && rows >= PRESENT_IDENTIFIERS * self.records.rows() as f64
            && (span == rows || rising && span <= IDENTIFIER_GAPS * rows || is_identifier_name(self.name()))
    }

    /// Builds the column and counts its missing and unfit cells. In a column of words, `present` cells are
    /// those that are neither empty nor spelled as missing; in one of numbers or dates, those that fit.
    fn finish(
        &self,
        kind: Kind,
        reading: Reading,
        missing_tokens: Vec<String>,
        present: usize,
        profile: Profile,
    ) -> Column {
        let mut column = Column {
            name: self.name().clone(),
            kind,
            reading,
            whole: false,
            missing: self.records.rows() - present,
            distinct: 0,
            missing_tokens,
            unfit_count: 0,
            unfit: vec![],
            profile,
            remarks: vec![],
        };
        let may_be_unfit = match (&column.reading, kind) {
            (Reading::Number(_), _) => column.missing > 0,
            (Reading::Date(_), _) => true,
            _ => false,
        };
        if may_be_unfit {
            let fits = |cell: &str| match &column.reading {
                Reading::Number(format) => format.parse(cell).is_some(),
                Reading::Date(format) => format.parse(cell).is_some(),
                Reading::Words => true,
            };
            let (mut count, mut unfit, mut missing) = (0, vec![], 0);
            for (row, cell) in self.cells().iter().enumerate() {
                if column.is_missing(cell) {
                    missing += 1;
                } else if !fits(cell) {
                    count += 1;
                    if unfit.len() < MOST_LISTED {
                        unfit.push(Unfit { line: self.records.line(row), cell: cell.to_owned() });
                    }
                }
            }
            (column.unfit_count, column.unfit, column.missing) = (count, unfit, missing + count);
        }
        column
    }
}

/// Whether a cell spells the same number as a missing-value token: `-200,0` for `-200`.
fn same_number(token: &str, cell: &str) -> bool {
    let number = |text: &str| parse_number(&text.replace(',', "."));
    cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | ','))
        && number(token).is_some_and(|value| number(cell) == Some(value))
}

fn note_token<'a>(tokens: &mut Vec<&'a str>, cell: &'a str) {
    if !tokens.contains(&cell) {
        tokens.push(cell);
    }
}

fn sorted(mut tokens: Vec<&str>) -> Vec<String> {
    sort_words(&mut tokens);
    tokens.into_iter().map(str::to_owned).collect()
}

fn is_yes_no(words: &[(&str, usize)]) -> bool {
    let [(a, _), (b, _)] = words else { return false };
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    YES_NO.iter().any(|&(no, yes)| (a == no && b == yes) || (a == yes && b == no))
}

/// `id`, `user_id`, `id-2`, `PassengerId`, `RespondentID`, but not `paid`.
fn is_identifier_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut parts = lower.split(|c: char| !c.is_alphanumeric());
    parts.any(|part| matches!(part, "id" | "ids" | "uuid" | "index" | "rownum" | "row" | "key"))
        || name.ends_with("Id")
        || name.ends_with("ID") && name.chars().nth_back(2).is_some_and(char::is_lowercase)
}

/// A sentence if the minimum or the maximum looks like a placeholder for missing values. Such a placeholder
/// is a whole number like -200 or 9999 that occurs often and is far from all other values.
fn placeholder(sorted: &[f64]) -> Option<String> {
    let (&least, &greatest) = (sorted.first()?, sorted.last()?);
    let suspect = |value: f64, count: usize, nearest: f64, spread: f64| {
        let often = count >= 5 && count * 100 >= sorted.len();
        let nines = value.abs() >= 9.0 && format!("{}", value.abs()).bytes().all(|digit| digit == b'9');
        let shaped = value.fract() == 0.0 && (value < 0.0 && nearest >= 0.0 || nines || value == -200.0);
        (often && shaped && spread > 0.0 && (value - nearest).abs() > spread.min(100.0)).then(|| {
            format!(
                "{value} occurs {count} times, far from all other values. \
                 If it stands for a missing value, mark it as missing."
            )
        })
    };
    let low = sorted.partition_point(|&value| value <= least);
    let high = sorted.partition_point(|&value| value < greatest);
    let from_low = sorted.get(low).and_then(|&nearest| suspect(least, low, nearest, greatest - nearest));
    from_low.or_else(|| {
        let nearest = *sorted[..high].last()?;
        suspect(greatest, sorted.len() - high, nearest, nearest - least)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{MissingTokens, Table};
    use super::*;
    use crate::error::Code;

    fn with(cells: &[&str], overrides: &Overrides) -> Column {
        let text = format!("c;pad\n{};0\n", cells.join(";0\n"));
        Table::read(text.as_bytes(), overrides).unwrap().columns()[0].clone()
    }

    fn one(cells: &[&str]) -> Column {
        with(cells, &Overrides::default())
    }

    fn numbered(count: usize, spell: impl Fn(usize) -> String) -> Column {
        let cells: Vec<String> = (0..count).map(spell).collect();
        one(&cells.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn kinds_follow_the_stated_rules() {
        assert_eq!(one(&["1", "2.5", ""]).kind, Kind::Number);
        assert_eq!(one(&["a", "b", "a"]).kind, Kind::Category);
        assert_eq!(one(&["Yes", "No", "Yes", ""]).kind, Kind::YesNo);
        assert_eq!(one(&["a", "", "a"]).kind, Kind::Constant);
        assert_eq!(one(&["7", "", "7"]).kind, Kind::Constant);
        assert_eq!(one(&["", "?"]).note(), "Every cell is empty.");
        assert_eq!(one(&["2021-01-01", "2021-02-01", "?"]).kind, Kind::Date);
        assert_eq!(numbered(90, |i| format!("t{}", i * 2 / 3)).kind, Kind::Text);
        assert_eq!(numbered(30, |i| format!("it is {i} o'clock")).kind, Kind::Category);
        assert_eq!(numbered(60, |i| format!("it is {i} o'clock")).kind, Kind::Text);
    }

    #[test]
    fn identifiers_number_the_rows() {
        assert_eq!(numbered(30, |i| (i + 1).to_string()).kind, Kind::Identifier);
        assert_eq!(numbered(30, |i| (i * 7 % 30).to_string()).kind, Kind::Identifier, "in any order");
        assert_eq!(numbered(10, |i| i.to_string()).kind, Kind::Number, "ten rows are too few to tell");
        assert_eq!(numbered(30, |i| (2 * i + i % 2).to_string()).kind, Kind::Identifier, "with gaps");
        assert_eq!(numbered(30, |i| (i * i * 9).to_string()).kind, Kind::Number, "with large gaps");
        assert_eq!(numbered(30, |i| format!("k{i}")).kind, Kind::Identifier);
        for name in ["id", "User ID", "user_id", "PassengerId", "RespondentID"] {
            assert!(is_identifier_name(name), "{name}");
        }
        for name in ["paid", "ACID", "humidity", "idea", "Covid"] {
            assert!(!is_identifier_name(name), "{name}");
        }
    }

    #[test]
    fn nine_in_ten_numbers_make_a_number_column_and_the_tenth_is_reported() {
        let mut cells = vec!["1", "2", "3", "4", "5", "6", "7", "8", "9", "ten"];
        let column = one(&cells);
        assert_eq!((column.kind, column.missing, column.distinct, column.whole), (Kind::Number, 1, 9, false));
        assert_eq!(
            (column.unfit_count, column.unfit.clone()),
            (1, vec![Unfit { line: 11, cell: "ten".into() }])
        );
        assert!(column.warnings().next().unwrap().contains("first \"ten\" on line 11"));
        cells[0] = "one";
        assert_eq!(one(&cells).kind, Kind::Category);
    }

    #[test]
    fn missing_spellings_are_those_that_occur() {
        let column = one(&["1", "NA", "?", "2", ""]);
        assert_eq!((column.missing, column.missing_tokens), (3, vec!["?".to_owned(), "NA".into()]));
        let column = one(&["a", "NA", "?", "b", ""]);
        assert_eq!((column.missing, column.missing_tokens), (3, vec!["?".to_owned(), "NA".into()]));
    }

    #[test]
    fn the_user_knows_better() {
        let read = |overrides: &Overrides| Table::read(b"a,b\n1,x\n2,3\n3,x\n", overrides);
        let read_as = |kinds: &[(&str, Kind)]| {
            let kinds = kinds.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect();
            read(&Overrides { kinds, ..Overrides::default() })
        };
        let table = read_as(&[("b", Kind::Number), ("a", Kind::Category)]).unwrap();
        assert_eq!((table.columns()[0].kind, table.columns()[1].kind), (Kind::Category, Kind::Number));
        assert_eq!(table.columns()[1].unfit.len(), 2);
        let missing = vec![MissingTokens { column: "*".into(), tokens: vec!["x".into(), "2".into()] }];
        let table = read(&Overrides { missing, ..Overrides::default() }).unwrap();
        assert_eq!((table.columns()[0].missing, table.columns()[1].missing), (1, 2));
        assert_eq!((table.columns()[0].kind, table.columns()[1].kind), (Kind::Number, Kind::Constant));
        assert_eq!(read_as(&[("z", Kind::Number)]).unwrap_err().code, Code::UnknownColumn);
        assert_eq!(read_as(&[("a", Kind::Number), ("a", Kind::Date)]).unwrap_err().code, Code::BadValue);
        let table = read_as(&[("a", Kind::Identifier), ("b", Kind::YesNo)]).unwrap();
        assert_eq!((table.columns()[0].kind, table.columns()[1].kind), (Kind::Identifier, Kind::YesNo));
        assert!(!table.columns()[0].usable() && table.columns()[0].distinct == 3);
        let table = read_as(&[("a", Kind::YesNo), ("b", Kind::Constant)]).unwrap();
        assert_eq!((table.columns()[0].kind, table.columns()[1].kind), (Kind::Category, Kind::Constant));
        assert!(
            table.warnings()[0].contains("3 different values, too many for yes and no"),
            "{:?}",
            table.warnings()
        );
        assert!(table.columns()[1].note().contains("You set it to constant"));
    }

    #[test]
    fn dots_separate_thousands_where_commas_are_decimal_elsewhere() {
        let read = |other: &str| {
            let text = format!("a;b\n1.137;{other}\n2.375;7\n12;8\n");
            let table = Table::read(text.as_bytes(), &Overrides::default()).unwrap();
            (table.columns()[0].number("1.137"), table.columns()[0].number("12"))
        };
        assert_eq!(read("2,5"), (Some(1137.0), Some(12.0)));
        assert_eq!(read("2"), (Some(1.137), Some(12.0)));
    }

    #[test]
    fn a_stand_in_for_missing_is_pointed_out() {
        let remark = |spell: &dyn Fn(usize) -> String| numbered(200, spell).remarks.first().cloned();
        let found =
            remark(&|i| if i % 9 == 0 { "-200".into() } else { (i as f64 * 0.37 % 11.0).to_string() });
        assert!(found.as_ref().is_some_and(|text| text.contains("-200 occurs 23 times")), "{found:?}");
        assert!(remark(&|i| if i % 9 == 0 { "999".into() } else { (i * 31 % 70).to_string() }).is_some());
        assert_eq!(remark(&|i| (i * 31 % 70).to_string()), None);
        assert_eq!(remark(&|i| if i % 9 == 0 { "0".into() } else { (500 + i * 31 % 70).to_string() }), None);
    }
}
