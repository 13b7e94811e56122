//! Every awkward file of the shared collection gives the table that its README describes, or the expected
//! error.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use espalier::encode::{Selection, Shares, Task};
use espalier::learn::{self, Value};
use espalier::run::{Fitted, Run, STOPPED, Settings, apply};
use espalier::table::{
    Delimiter, Encoding, Kind, MissingTokens, Overrides, Profile, Records, SkippedRow, Table,
};
use espalier::{Code, Error, export};

fn bytes(name: &str) -> Option<Vec<u8>> {
    let path = format!("{}/../shared/data/messy/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).ok();
    if bytes.is_none() {
        eprintln!("skipped: ../shared/data/messy/{name} is not here");
    }
    bytes
}

/// Reads a file of the collection and checks its shape.
fn check_as(name: &str, overrides: &Overrides, rows: usize, columns: usize) -> Option<Table> {
    let table = Table::read(&bytes(name)?, overrides).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((table.rows(), table.columns().len()), (rows, columns), "{name}");
    Some(table)
}

fn check(name: &str, rows: usize, columns: usize) -> Option<Table> {
    check_as(name, &Overrides::default(), rows, columns)
}

fn refused(name: &str) -> Option<Error> {
    Some(Table::read(&bytes(name)?, &Overrides::default()).expect_err(name))
}

fn kinds(table: &Table) -> Vec<&'static str> {
    table.columns().iter().map(|column| column.kind.as_str()).collect()
}

fn kind(table: &Table, name: &str) -> Kind {
    table.columns()[table.position(name).unwrap()].kind
}

fn suggested(table: &Table) -> (String, &'static str) {
    let found = table.suggestion().expect("a suggestion");
    (table.columns()[found.target].name.clone(), found.task)
}

/// Grows a greedy tree and verifies it through its own file.
fn grown(table: Table, target: &str, task: Task, depth: f64) -> Result<(Fitted, String), Error> {
    let mut learner = learn::Settings::new("cart")?;
    learner.set("depth", &Value::Number(depth))?;
    let selection = Selection { target: target.into(), task, ignore: vec![], positive: None };
    let settings = Settings { aim: selection.into(), shares: Shares::default(), learner, seed: 1 };
    let mut run = Run::start(Arc::new(table), settings)?;
    while run.step().stop.is_none() {}
    let fitted = run.finish(STOPPED);
    let text = export::write(&run.document(&fitted))?;
    let document = export::read(&text)?;
    assert!(export::verify(&document)? > 0);
    assert_eq!(document.model, fitted.model);
    Ok((fitted, text))
}

#[test]
fn air_quality_decimal_comma() {
    let name = "air-quality-decimal-comma.csv";
    let Some(table) = check(name, 9357, 15) else { return };
    assert_eq!(table.dialect().delimiter, Delimiter::Semicolon);
    assert_eq!((kind(&table, "Date"), kind(&table, "Time")), (Kind::Date, Kind::Date));
    assert!(kinds(&table)[2..].iter().all(|&kind| kind == "number"), "{:?}", kinds(&table));
    let co = &table.columns()[2];
    assert_eq!((co.number("2,6"), co.number("1360"), co.unfit_count), (Some(2.6), Some(1360.0), 0));
    let warnings = table.warnings();
    assert!(
        warnings.contains(&"The last 114 rows have no value and are left out.".to_owned()),
        "{warnings:?}"
    );
    assert!(warnings.iter().any(|text| text.contains("\"CO(GT)\": -200 occurs 1683 times")), "{warnings:?}");

    let missing = vec![MissingTokens { column: "*".into(), tokens: vec!["-200".into()] }];
    let told = check_as(name, &Overrides { missing, ..Overrides::default() }, 9357, 15).unwrap();
    assert_eq!(
        (told.columns()[2].missing, told.columns()[2].missing_tokens.join(" ")),
        (1683, "-200 -200,0".into())
    );
    let Profile::Numbers { quantiles, .. } = &told.columns()[2].profile else { panic!() };
    assert_eq!((quantiles[0], quantiles[4]), (0.1, 11.9));
    let records = told.records().clone();
    let (fitted, text) = grown(told, "CO(GT)", Task::Auto, 4.0).unwrap();
    assert!(fitted.metrics["test"]["r2"] > 0.75, "{:?}", fitted.metrics["test"]);
    assert!(
        text.contains("\"decimal_separator\": \",\"") && text.contains("\"date_part\": \"hour\""),
        "{text}"
    );
    // The raw file is predicted without a single unreadable cell.
    let applied = apply(&export::read(&text).unwrap().model, &records).unwrap();
    assert_eq!((applied.predictions.len(), applied.warnings.len()), (9357, 0), "{:?}", applied.warnings);
}

#[test]
fn hr_attrition_bom_crlf() {
    let Some(table) = check("hr-attrition-bom-crlf.csv", 1470, 35) else { return };
    assert_eq!(table.columns()[0].name, "Age");
    for constant in ["EmployeeCount", "Over18", "StandardHours"] {
        assert_eq!(kind(&table, constant), Kind::Constant);
    }
    assert_eq!((kind(&table, "EmployeeNumber"), kind(&table, "Attrition")), (Kind::Identifier, Kind::YesNo));
    assert_eq!(suggested(&table), ("Attrition".into(), "classification"));
    let Profile::Words { top, others } = &table.columns()[1].profile else { panic!() };
    assert_eq!((top.as_slice(), *others), ([("No".to_owned(), 1233), ("Yes".to_owned(), 237)].as_slice(), 0));
}

#[test]
fn star_wars_survey_not_utf8() {
    let Some(table) = check("star-wars-survey-not-utf8.csv", 1187, 38) else { return };
    assert_eq!(table.dialect().encoding, Encoding::Windows1252);
    assert!(table.columns()[31].name.ends_with("Expanded Universe?Œæ"), "{}", table.columns()[31].name);
    assert_eq!(table.columns().iter().filter(|column| column.name.starts_with("column ")).count(), 23);
    assert!(table.columns()[15].name.contains("favorably, unfavorably, or"));
    assert_eq!(kind(&table, "RespondentID"), Kind::Identifier);
    assert_eq!(table.cell(0, 1), "Response");
    assert_eq!(table.columns()[1].task(), Some("classification"));
    assert_eq!((kind(&table, "Age"), kind(&table, "Household Income")), (Kind::Category, Kind::Category));
}

#[test]
fn tweets_quoted_newlines() {
    let Some(table) = check("tweets-quoted-newlines.csv", 3207, 7) else { return };
    assert_eq!(kinds(&table), ["date", "text", "identifier", "number", "number", "number", "constant"]);
    let breaks = |row: usize| (0..7).filter(|&column| table.cell(row, column).contains(['\r', '\n'])).count();
    assert_eq!((0..table.rows()).map(breaks).sum::<usize>(), 90);
    assert_eq!(suggested(&table), ("favorites".into(), "regression"));
}

#[test]
fn titanic_raw() {
    let Some(table) = check("titanic-raw.csv", 891, 12) else { return };
    assert_eq!((kind(&table, "PassengerId"), kind(&table, "Name")), (Kind::Identifier, Kind::Text));
    assert_eq!(table.columns()[10].missing, 687);
    assert!((0..891).any(|row| table.cell(row, 3).contains("\"Dolly\"")));
    assert_eq!(suggested(&table), ("Survived".into(), "classification"));
    assert!(grown(table, "Survived", Task::Auto, 3.0).unwrap().0.metrics["test"]["accuracy"] > 0.7);
}

#[test]
fn glass_no_header() {
    let Some(table) = check("glass-no-header.csv", 214, 11) else { return };
    assert!(!table.dialect().header);
    assert_eq!((table.columns()[1].name.as_str(), table.cell(0, 1)), ("column 2", "1.52101"));
    assert_eq!(table.columns()[0].kind, Kind::Identifier);
    assert_eq!(suggested(&table), ("column 11".into(), "classification"));
    let told = Overrides { header: Some(true), ..Overrides::default() };
    assert_eq!(check_as("glass-no-header.csv", &told, 213, 11).unwrap().columns()[1].name, "1.52101");
}

#[test]
fn echocardiogram_missing_target() {
    let Some(table) = check("echocardiogram-missing-target.csv", 132, 13) else { return };
    let target = &table.columns()[12];
    assert_eq!(
        (target.name.as_str(), target.missing, target.missing_tokens.join("")),
        ("alive-at-1", 58, "?".into())
    );
    assert_eq!(kind(&table, "name"), Kind::Constant);
    let (fitted, _) = grown(table, "alive-at-1", Task::Auto, 2.0).unwrap();
    assert_eq!(fitted.rows.train + fitted.rows.valid + fitted.rows.test, 74);
}

#[test]
fn missing_tokens() {
    let Some(table) = check("missing-tokens.csv", 120, 9) else { return };
    assert_eq!(table.columns().iter().map(|column| column.missing).sum::<usize>(), 96);
    for name in ["Length", "Height", "Shucked_weight"] {
        let column = &table.columns()[table.position(name).unwrap()];
        assert_eq!((column.kind, column.unfit_count), (Kind::Number, 0), "{name}");
    }
    let sex = &table.columns()[0];
    assert_eq!((sex.kind, sex.distinct), (Kind::Category, 3));
    assert_eq!(sex.missing_tokens, ["#N/A", "-", ".", "?", "N/A", "NA", "NaN", "None", "nan", "null"]);
    assert_eq!(suggested(&table), ("Rings".into(), "regression"));
}

#[test]
fn quoted_newlines() {
    let Some(table) = check("quoted-newlines.csv", 70, 4) else { return };
    assert_eq!((table.cell(1, 1), table.cell(2, 1)), ("two\nlines", "three\r\nshort\nlines"));
    assert_eq!((table.cell(3, 1), table.columns()[1].missing), ("say \"hi\", twice", 10));
    assert_eq!(suggested(&table), ("y".into(), "classification"));
    let (fitted, _) = grown(table, "y", Task::Auto, 1.0).unwrap();
    assert_eq!(fitted.metrics["test"]["accuracy"], 1.0);
}

#[test]
fn mixed_types() {
    let Some(table) = check("mixed-types.csv", 75, 4) else { return };
    assert_eq!(kinds(&table), ["identifier", "category", "number", "yes-no"]);
    let amount = &table.columns()[1];
    assert_eq!((amount.missing, amount.unfit_count, amount.distinct), (0, 0, 25), "no cell is lost");
    let told = Overrides { kinds: vec![("amount".into(), Kind::Number)], ..Overrides::default() };
    let told = check_as("mixed-types.csv", &told, 75, 4).unwrap();
    let amount = &told.columns()[1];
    assert_eq!(amount.unfit_count, amount.missing, "told to read numbers, every other cell is reported");
    assert!(
        amount.unfit_count >= 40
            && amount.unfit.iter().any(|unfit| unfit.cell == "3.5 kg" && unfit.line == 7)
    );
}

#[test]
fn awkward_names() {
    let Some(table) = check("awkward-names.csv", 40, 14) else { return };
    let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names[..7], ["x", "x (2)", "column 3", "x (3)", "__proto__", "constructor", "toString"]);
    assert_eq!(names[7..], ["<b>bold</b>", "=1+1", "größe µm", "a,b", "say \"hi\"", "line\nbreak", "target"]);
    assert_eq!(suggested(&table), ("target".into(), "classification"));
    grown(table, "target", Task::Auto, 3.0).unwrap();
}

#[test]
fn latin1_decimal_comma() {
    let Some(table) = check("latin1-decimal-comma.csv", 48, 5) else { return };
    let dialect = table.dialect();
    assert_eq!((dialect.delimiter, dialect.encoding), (Delimiter::Semicolon, Encoding::Windows1252));
    let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["Größe (cm)", "Gewicht", "Straße", "Preis", "Note"]);
    assert_eq!(kinds(&table), ["number", "number", "category", "number", "category"]);
    assert_eq!(table.columns()[3].number("1.137,35"), Some(1137.35));
    let (_, text) = grown(table, "Note", Task::Auto, 3.0).unwrap();
    assert!(text.contains("\"thousands_separator\": \".\""), "{text}");
}

#[test]
fn utf16_tab() {
    let Some(table) = check("utf16-tab.csv", 60, 5) else { return };
    let dialect = table.dialect();
    assert_eq!((dialect.delimiter, dialect.encoding), (Delimiter::Tab, Encoding::Utf16Le));
    assert_eq!((table.columns()[4].distinct, suggested(&table).0.as_str()), (2, "class"));
}

#[test]
fn cr_only() {
    let Some(table) = check("cr-only.csv", 150, 5) else { return };
    assert_eq!((table.line(0), table.line(149)), (2, 151));
    assert_eq!(table.columns()[4].distinct, 3);
}

#[test]
fn ragged() {
    let Some(error) = refused("ragged.csv") else { return };
    assert_eq!((error.code, error.line), (Code::BadRow, Some(4)));
    assert!(error.message.contains("3 more rows"), "{error}");
    let skip = Overrides { skip_bad_rows: true, ..Overrides::default() };
    let table = check_as("ragged.csv", &skip, 15, 4).unwrap();
    let row = |line, found| SkippedRow { line, expected: 4, found: Some(found) };
    assert_eq!(table.skipped(), [row(4, 2), row(7, 6), row(13, 5), row(16, 1)]);
    assert!(table.warnings()[0].starts_with("4 rows cannot be read"), "{:?}", table.warnings());
}

#[test]
fn unterminated_quote() {
    let Some(error) = refused("unterminated-quote.csv") else { return };
    assert_eq!((error.code, error.line), (Code::BadRow, Some(3)));
    let skip = Overrides { skip_bad_rows: true, ..Overrides::default() };
    check_as("unterminated-quote.csv", &skip, 3, 3).unwrap();
}

#[test]
fn one_class() {
    let Some(table) = check("one-class.csv", 50, 5) else { return };
    let error = grown(table, "class", Task::Auto, 2.0).unwrap_err();
    assert_eq!(error.code, Code::BadTarget);
    assert!(error.message.contains("same class, \"Iris-setosa\""), "{error}");
}

#[test]
fn two_rows() {
    let Some(table) = check("two-rows.csv", 2, 5) else { return };
    let (fitted, _) = grown(table, "class", Task::Auto, 2.0).unwrap();
    assert_eq!(fitted.rows.test, 0);
}

#[test]
fn header_only() {
    let Some(table) = check("header-only.csv", 0, 5) else { return };
    assert_eq!(table.suggestion(), None);
    assert_eq!(grown(table, "class", Task::Auto, 2.0).unwrap_err().code, Code::TooFewRows);
}

#[test]
fn empty() {
    let Some(error) = refused("empty.csv") else { return };
    assert_eq!(error.code, Code::EmptyFile);
    assert!(Records::read(b"").is_err());
}

#[test]
fn one_column() {
    let Some(table) = check("one-column.csv", 150, 1) else { return };
    assert_eq!(grown(table, "class", Task::Auto, 2.0).unwrap_err().code, Code::NoFeatures);
}

#[test]
fn constant_and_id() {
    let Some(table) = check("constant-and-id.csv", 60, 6) else { return };
    assert_eq!(kinds(&table), ["identifier", "constant", "constant", "constant", "number", "category"]);
    let (fitted, _) = grown(table, "y", Task::Auto, 1.0).unwrap();
    assert_eq!((fitted.metrics["train"]["accuracy"], fitted.model.tree.leaves()), (1.0, 2));
}

#[test]
fn unique_categories() {
    let Some(table) = check("unique-categories.csv", 3000, 3) else { return };
    assert_eq!(kinds(&table), ["identifier", "number", "number"]);
    assert_eq!(suggested(&table), ("y".into(), "regression"));
    let (fitted, _) = grown(table, "y", Task::Auto, 2.0).unwrap();
    assert_eq!(fitted.model.features.len(), 1);
}
