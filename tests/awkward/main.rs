//! More awkward files, each made for one difficulty, and arbitrary bytes.
#![cfg(not(target_arch = "wasm32"))]

mod bytes;

use espalier::Code;
use espalier::table::{Delimiter, Encoding, Kind, Overrides, Table};

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/awkward/{name}", env!("CARGO_MANIFEST_DIR"))).expect(name)
}

/// Reads a file and checks its shape and the kinds of its columns.
fn check(name: &str, rows: usize, kinds: &[Kind]) -> Table {
    let table =
        Table::read(&bytes(name), &Overrides::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let found: Vec<Kind> = table.columns().iter().map(|column| column.kind).collect();
    assert_eq!((table.rows(), found.as_slice()), (rows, kinds), "{name}: {:?}", table.columns());
    assert!(table.columns().iter().all(|column| column.unfit_count == 0), "{name}");
    table
}

use Kind::{Category, Constant, Date, Identifier, Number, YesNo};

#[test]
fn swiss_francs_with_apostrophes() {
    let table = check("swiss-francs.csv", 40, &[Category, Number, Number]);
    assert_eq!(table.columns()[1].format(), "thousands as in 1'000, with CHF");
    assert_eq!(table.columns()[1].number("CHF 1'234.50"), Some(1234.5));
    assert_eq!(table.dialect().delimiter, Delimiter::Tab);
}

#[test]
fn french_euros_with_no_break_spaces() {
    let table = check("french-euros.csv", 30, &[Category, Number, Number]);
    assert_eq!(table.dialect().encoding, Encoding::Windows1252);
    assert_eq!(table.columns()[1].number("12\u{a0}345,5 €"), Some(12345.5));
    assert_eq!(table.columns()[1].number("12 345,5 €"), Some(12345.5));
}

#[test]
fn percents_stay_in_percent() {
    let table = check("percent.csv", 30, &[Category, Number, Number]);
    assert_eq!(
        (table.columns()[1].number("12.5%"), table.columns()[2].number("-3 %")),
        (Some(12.5), Some(-3.0))
    );
}

#[test]
fn utf16_high_byte_first_without_a_mark() {
    let table = check("utf16be-no-mark.csv", 25, &[Category, Number]);
    assert_eq!((table.dialect().encoding, table.columns()[1].name.as_str()), (Encoding::Utf16Be, "größe"));
}

#[test]
fn dates_with_time_zones_and_missing_ones() {
    let table = check("iso-dates.csv", 60, &[Date, Number]);
    assert_eq!((table.columns()[0].missing, table.columns()[0].format()), (6, "year-month-day".into()));
}

#[test]
fn months_by_name() {
    assert_eq!(check("month-names.csv", 48, &[Date, Category]).columns()[0].format(), "month-day-year");
}

#[test]
fn dates_that_could_be_either_are_pointed_out() {
    let table = check("ambiguous-dates.csv", 24, &[Date, Number]);
    assert_eq!(
        table.warnings(),
        ["Column \"d\": No date shows whether the day or the month comes first; \
             here the month comes before the day."]
    );
}

#[test]
fn everything_in_quotes() {
    let table = check("all-quoted.csv", 30, &[Identifier, Category, Number]);
    assert_eq!((table.columns()[1].name.as_str(), table.columns()[2].name.as_str()), ("b;c", "d \"x\""));
    assert_eq!(table.columns()[2].number("1,5"), Some(1.5));
}

#[test]
fn a_title_above_the_header_is_named_as_the_trouble() {
    let error = Table::read(&bytes("title-line.csv"), &Overrides::default()).unwrap_err();
    assert_eq!((error.code, error.line), (Code::BadRow, Some(2)));
    assert!(error.message.contains("3 fields, but the header has 1 field. 24 more rows"), "{error}");
}

#[test]
fn bars_with_commas_in_names_and_cells() {
    let table = check("bars.csv", 40, &[Category, Number, Category]);
    assert_eq!((table.dialect().delimiter, table.columns()[1].name.as_str()), (Delimiter::Bar, "size, cm"));
}

#[test]
fn every_line_end_in_one_file() {
    let table = check("mixed-line-ends.csv", 4, &[Number, Number, Category]);
    assert_eq!([0, 1, 2, 3].map(|row| table.line(row)), [2, 3, 5, 8]);
}

#[test]
fn a_delimiter_at_the_end_of_every_line() {
    let table = check("trailing-delimiter.csv", 25, &[Identifier, Number, Category]);
    assert_eq!(table.warnings(), ["The last column has no name and no value and is left out."]);
}

#[test]
fn blanks_around_names_and_cells() {
    let table = check("blank-padded.csv", 30, &[Number, Number, YesNo]);
    assert_eq!((table.columns()[0].name.as_str(), table.cell(0, 2)), ("a", "yes"));
}

#[test]
fn thousands_in_a_few_cells_only() {
    let table = check("thousands-rare.csv", 60, &[Number, Number]);
    assert_eq!(
        (table.columns()[0].number("2,185"), table.columns()[0].number("185")),
        (Some(2185.0), Some(185.0))
    );
}

#[test]
fn a_stand_in_for_missing_is_pointed_out() {
    let table = check("stand-ins.csv", 80, &[YesNo, Number]);
    assert!(table.warnings()[0].contains("999 occurs 12 times"), "{:?}", table.warnings());
}

#[test]
fn more_columns_than_rows() {
    let table = Table::read(&bytes("wide.csv"), &Overrides::default()).unwrap();
    assert_eq!((table.rows(), table.columns().len(), table.columns()[0].kind), (3, 1500, Constant));
}

#[test]
fn a_spreadsheet_called_csv() {
    let error = Table::read(&bytes("spreadsheet.xlsx.csv"), &Overrides::default()).unwrap_err();
    assert_eq!((error.code, error.hint.contains("save it as CSV")), (Code::NotText, true), "{error}");
}

#[test]
fn other_scripts() {
    let table = check("scripts.csv", 24, &[Category, Number, Category]);
    assert_eq!((table.columns()[2].name.as_str(), table.cell(1, 2)), ("😀", "👍"));
}
