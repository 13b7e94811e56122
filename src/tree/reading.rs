//! How a cell of a numerical feature becomes a number.

use crate::numeric::{DateFormat, DatePart, NumberFormat, parse_number};

/// How a cell becomes a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellReading {
    /// The cell spells a number.
    Number(NumberFormat),
    /// The cell spells a date or a time, and one part of it is used. Several features can come from one
    /// column.
    Date {
        /// The column's name; the feature's own name adds the part.
        column: String,
        /// The order of day, month and year.
        format: DateFormat,
        /// The part.
        part: DatePart,
    },
}

impl Default for CellReading {
    /// Plain numbers.
    fn default() -> Self {
        CellReading::Number(NumberFormat::default())
    }
}

impl CellReading {
    /// The number in a cell; `None` if it has none.
    ///
    /// A plain number in place of a date is taken as the part itself, so that a row can also be given by its
    /// parts.
    pub fn number(&self, cell: &str) -> Option<f64> {
        match self {
            CellReading::Number(format) => format.parse(cell),
            CellReading::Date { format, part, .. } => match format.parse(cell) {
                Some(moment) => part.of(moment),
                None => parse_number(cell),
            },
        }
    }

    /// Spells a plain number so that the cell is read as that number.
    pub fn spell(&self, plain: &str) -> String {
        match self {
            CellReading::Number(format) => format.spell(plain),
            CellReading::Date { .. } => plain.to_owned(),
        }
    }
}
