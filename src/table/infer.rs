//! What kind of thing a column holds, by stated rules.

use std::collections::BTreeMap;

use super::Records;
use crate::error::{Code, Error, Result, listed, quoted};
use crate::numeric::parse_number;

/// Spellings of a missing value, beside the empty cell. A spelling counts only in a column where it occurs.
pub const MISSING_TOKENS: &[&str] =
    &["?", "-", ".", "NA", "N/A", "n/a", "na", "#N/A", "NaN", "nan", "null", "NULL", "Null", "None", "none", "missing"];

/// A column is one of numbers if at least this share of its present cells are numbers.
const NUMBER_SHARE: f64 = 0.9;

/// Fewer rows than this never make an identifier: in a handful of rows everything is different.
const IDENTIFIER_ROWS: usize = 20;

/// A column of words with more different ones than this, and more than half as many as rows, is running text.
const TEXT_WORDS: usize = 50;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Words out of a set.
    Category,
    /// Words that hardly ever repeat.
    Text,
    /// The same everywhere, or nothing at all.
    Constant,
    /// A different value in every row: a running number, a key.
    Identifier,
}

impl Kind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Category => "category",
            Kind::Text => "text",
            Kind::Constant => "constant",
            Kind::Identifier => "identifier",
        }
    }
}

/// A cell that does not fit its column's kind and counts as missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The line of the file, from 1.
    pub line: u64,
    /// The cell as the file spells it.
    pub cell: String,
}

/// What was understood of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name, unique within the table.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Whether its present cells are all whole numbers.
    pub whole: bool,
    /// Missing cells, cells that do not fit included.
    pub missing: usize,
    /// Different present values.
    pub distinct: usize,
    /// Spellings of a missing value that occur in it, beside the empty cell.
    pub missing_tokens: Vec<String>,
    /// Cells that do not fit and count as missing.
    pub unfit: Vec<Unfit>,
}

/// What the user knows better, by column name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overrides {
    /// Read as numbers whatever they look like.
    pub numeric: Vec<String>,
    /// Read as categories whatever they look like.
    pub categorical: Vec<String>,
}

impl Column {
    /// Whether it is worth learning from.
    pub fn usable(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Category)
    }

    /// Why it is not used, or nothing.
    pub fn note(&self) -> &'static str {
        match self.kind {
            Kind::Number | Kind::Category => "",
            Kind::Text => "Hardly any value repeats, so no rule could use it.",
            Kind::Constant if self.distinct == 0 => "Every cell is empty.",
            Kind::Constant => "Every row has the same value.",
            Kind::Identifier => "Every row has a value of its own, like a row number.",
        }
    }

    /// A sentence about cells that do not fit, if there are any.
    pub(super) fn warning(&self) -> Option<String> {
        let first = self.unfit.first()?;
        let count = self.unfit.len();
        Some(format!(
            "Column {}: {count} {} not a number and {} as missing, first {} on line {}.",
            quoted(&self.name),
            if count == 1 { "cell is" } else { "cells are" },
            if count == 1 { "counts" } else { "count" },
            quoted(&first.cell),
            first.line,
        ))
    }
}

/// What was understood of every column.
pub(super) fn columns(records: &Records, overrides: &Overrides) -> Result<Vec<Column>> {
    for name in overrides.numeric.iter().chain(&overrides.categorical) {
        if !records.names().contains(name) {
            return Err(Error::new(
                Code::UnknownColumn,
                format!("The file has no column called {}.", quoted(name)),
                format!("Its columns are {}.", listed(records.names().iter().map(String::as_str))),
            ));
        }
    }
    Ok((0..records.names().len()).map(|position| column(records, position, overrides)).collect())
}

fn column(records: &Records, position: usize, overrides: &Overrides) -> Column {
    let name = records.names()[position].clone();
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    let mut missing = 0;
    let mut missing_tokens: Vec<String> = vec![];
    for row in 0..records.rows() {
        let cell = records.cell(row, position);
        if cell.is_empty() {
            missing += 1;
        } else if MISSING_TOKENS.contains(&cell) {
            missing += 1;
            if !missing_tokens.iter().any(|token| token == cell) {
                missing_tokens.push(cell.to_owned());
            }
        } else {
            *words.entry(cell).or_default() += 1;
        }
    }
    missing_tokens.sort();

    let present = records.rows() - missing;
    let numbers: usize = words.iter().filter(|(word, _)| parse_number(word).is_some()).map(|(_, count)| count).sum();
    let mostly_numbers = present > 0 && numbers as f64 >= NUMBER_SHARE * present as f64;
    let whole = present > 0 && words.keys().all(|word| parse_number(word).is_some_and(|value| value.fract() == 0.0));
    let told = if overrides.numeric.contains(&name) {
        Some(Kind::Number)
    } else if overrides.categorical.contains(&name) {
        Some(Kind::Category)
    } else {
        None
    };
    let kind = told.unwrap_or_else(|| {
        let every_row_differs = words.len() == records.rows() && records.rows() >= IDENTIFIER_ROWS;
        if words.len() <= 1 {
            Kind::Constant
        } else if every_row_differs && (!mostly_numbers || whole && consecutive(&words)) {
            Kind::Identifier
        } else if mostly_numbers {
            Kind::Number
        } else if words.len() > TEXT_WORDS && 2 * words.len() > present {
            Kind::Text
        } else {
            Kind::Category
        }
    });

    let mut unfit = vec![];
    if kind == Kind::Number && numbers < present {
        for row in 0..records.rows() {
            let cell = records.cell(row, position);
            if words.contains_key(cell) && parse_number(cell).is_none() {
                unfit.push(Unfit { line: records.line(row), cell: cell.to_owned() });
            }
        }
        missing += unfit.len();
    }
    let distinct = words.keys().filter(|word| kind != Kind::Number || parse_number(word).is_some()).count();
    Column { name, kind, whole, missing, distinct, missing_tokens, unfit }
}

/// Whether whole numbers, all different, leave no gap: 1, 2, 3, … in any order.
fn consecutive(words: &BTreeMap<&str, usize>) -> bool {
    let values = || words.keys().filter_map(|word| parse_number(word));
    let (least, most) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    most - least + 1.0 == words.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(cells: &[&str]) -> Column {
        let records = Records::read(format!("c,pad\n{},0\n", cells.join(",0\n")).as_bytes()).unwrap();
        columns(&records, &Overrides::default()).unwrap().remove(0)
    }

    #[test]
    fn kinds_follow_the_stated_rules() {
        assert_eq!(one(&["1", "2.5", ""]).kind, Kind::Number);
        assert_eq!(one(&["a", "b", "a"]).kind, Kind::Category);
        assert_eq!(one(&["a", "", "a"]).kind, Kind::Constant);
        assert_eq!(one(&["", "?"]).note(), "Every cell is empty.");
        let running: Vec<String> = (1..=30).map(|i| i.to_string()).collect();
        let running: Vec<&str> = running.iter().map(String::as_str).collect();
        assert_eq!(one(&running).kind, Kind::Identifier);
        assert_eq!(one(&running[..10]).kind, Kind::Number, "ten rows are too few to tell");
        let keys: Vec<String> = (1..=30).map(|i| format!("k{i}")).collect();
        assert_eq!(one(&keys.iter().map(String::as_str).collect::<Vec<_>>()).kind, Kind::Identifier);
        let text: Vec<String> = (0..90).map(|i| format!("t{}", i * 2 / 3)).collect();
        assert_eq!(one(&text.iter().map(String::as_str).collect::<Vec<_>>()).kind, Kind::Text);
    }

    #[test]
    fn nine_in_ten_numbers_make_a_number_column_and_the_tenth_is_reported() {
        let mut cells = vec!["1", "2", "3", "4", "5", "6", "7", "8", "9", "ten"];
        let column = one(&cells);
        assert_eq!((column.kind, column.missing, column.distinct), (Kind::Number, 1, 9));
        assert_eq!(column.unfit, [Unfit { line: 11, cell: "ten".into() }]);
        assert!(column.warning().unwrap().contains("first \"ten\" on line 11"));
        cells[0] = "one";
        assert_eq!(one(&cells).kind, Kind::Category);
    }

    #[test]
    fn missing_spellings_are_those_that_occur() {
        let column = one(&["1", "NA", "?", "2", ""]);
        assert_eq!((column.missing, column.missing_tokens), (3, vec!["?".to_owned(), "NA".into()]));
    }

    #[test]
    fn the_user_knows_better() {
        let records = Records::read(b"a,b\n1,x\n2,3\n").unwrap();
        let overrides = Overrides { numeric: vec!["b".into()], categorical: vec!["a".into()] };
        let columns_ = columns(&records, &overrides).unwrap();
        assert_eq!((columns_[0].kind, columns_[1].kind), (Kind::Category, Kind::Number));
        assert_eq!(columns_[1].unfit.len(), 1);
        let unknown = Overrides { numeric: vec!["z".into()], categorical: vec![] };
        assert_eq!(columns(&records, &unknown).unwrap_err().code, Code::UnknownColumn);
    }
}
