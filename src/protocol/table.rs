//! What was understood of a file.

use serde::{Deserialize, Serialize};

/// What was understood of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableInfo {
    /// Data rows.
    pub rows: u32,
    /// The columns in the file's order.
    pub columns: Vec<ColumnInfo>,
    /// The first rows as text, a cell per column.
    pub preview: Vec<Vec<String>>,
    /// The field separator.
    pub delimiter: String,
    /// `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`.
    pub encoding: String,
    /// Whether the first line names the columns.
    pub header: bool,
    /// Rows that were left out because they cannot be read.
    pub skipped_rows: Vec<SkippedRowInfo>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// The column most likely to be the target.
    pub suggested_target: String,
    /// `classification` or `regression`, for that target.
    pub suggested_task: String,
}

/// What was understood of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ColumnInfo {
    /// The column's name, unique within the table.
    pub name: String,
    /// `number`, `category`, `yes-no`, `date`, `text`, `constant` or `identifier`.
    pub kind: String,
    /// Whether it is used as a feature unless it is the target.
    pub usable: bool,
    /// Why it is not used, or empty.
    pub note: String,
    /// Empty cells and cells spelled as missing.
    pub missing: u32,
    /// Different values.
    pub distinct: u32,
    /// The task it would pose as a target: `classification`, `regression`, or empty if it cannot be one.
    pub task: String,
    /// How its numbers or dates are spelled, in words; empty for plain numbers and for words.
    pub format: String,
    /// Spellings of a missing value that occur in it, beside the empty cell.
    pub missing_tokens: Vec<String>,
    /// How many cells do not fit and count as missing.
    pub unfit_count: u32,
    /// The first of them.
    pub unfit_cells: Vec<UnfitCellInfo>,
    /// What its present cells look like; null if there are none.
    pub profile: Option<ProfileInfo>,
}

/// A row that was left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SkippedRowInfo {
    /// The line on which it begins, from 1.
    pub line: u32,
    /// How many fields the other rows have.
    pub expected: u32,
    /// How many it has; null if a quote opens here that is never closed.
    pub found: Option<u32>,
}

/// A cell that does not fit its column and counts as missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnfitCellInfo {
    /// The line of the file, from 1.
    pub line: u32,
    /// The cell as the file spells it.
    pub cell: String,
}

/// What the present cells of a column look like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum ProfileInfo {
    /// Numbers; of dates the days since 1970-01-01, of times the hour.
    Numbers {
        /// Least value, lower quartile, median, upper quartile, greatest value.
        quantiles: Vec<f64>,
        /// Borders of the histogram's bars, one more than there are bars.
        edges: Vec<f64>,
        /// Cells in each bar.
        counts: Vec<u32>,
    },
    /// Words.
    Words {
        /// The most frequent words, most frequent first.
        words: Vec<String>,
        /// How often each of them occurs.
        counts: Vec<u32>,
        /// Cells with other words.
        others: u32,
    },
}
