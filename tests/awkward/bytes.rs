//! Whatever the bytes, the reader returns a table or an error with a message, and never panics.

use std::borrow::Cow;

use espalier::table::{Delimiter, Encoding, Loading, MissingTokens, Overrides, Table};
use proptest::prelude::*;

/// Pieces that mean something to the reader, so that random files get past the first check.
const PIECES: &[&str] = &[
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r",
    "\r\n",
    "\"",
    "\"\"",
    " ",
    "\u{a0}",
    "a",
    "b",
    "id",
    "yes",
    "no",
    "?",
    "NA",
    "-",
    "1",
    "2.5",
    "1,5",
    "1.000,5",
    "$5",
    "12%",
    "-€3",
    "1e9",
    "1e999",
    "2021-03-04",
    "4/3/21",
    "18:00",
    "#",
    "\u{feff}",
    "\0",
    "é",
    "😀",
    "-200",
    "999",
];

fn files() -> impl Strategy<Value = Vec<u8>> {
    let pieces =
        prop::collection::vec(prop::sample::select(PIECES), 0..200).prop_map(|p| p.concat().into_bytes());
    let utf16 = pieces.clone().prop_map(|bytes| {
        String::from_utf8_lossy(&bytes).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    });
    // A small table with a few bytes changed.
    let disturbed =
        (prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6)).prop_map(|changes| {
            let mut bytes =
                b"id;day;price;kind\n1;2.3.2020;1.000,50 \x80;a\n2;3.4.2021;;b\n3;?;2,5;\"a\"\"b\"\n"
                    .to_vec();
            changes.iter().for_each(|(at, byte)| {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            });
            bytes
        });
    prop_oneof![prop::collection::vec(any::<u8>(), 0..300), pieces, utf16, disturbed]
}

fn options() -> impl Strategy<Value = Overrides> {
    let delimiter = prop::option::of(prop::sample::select(&Delimiter::ALL));
    let encoding = prop::option::of(prop::sample::select(&Encoding::ALL));
    (delimiter, encoding, any::<Option<bool>>(), any::<[bool; 3]>()).prop_map(
        |(delimiter, encoding, header, flags)| {
            let tokens = if flags[1] { vec!["1".into(), "a".into()] } else { vec![] };
            let missing = vec![MissingTokens { column: "*".into(), tokens }];
            let [skip_bad_rows, told, keep_empty_rows] = flags;
            let missing = if told { missing } else { vec![] };
            Overrides {
                delimiter,
                encoding,
                header,
                skip_bad_rows,
                keep_empty_rows,
                missing,
                ..Overrides::default()
            }
        },
    )
}

/// Checks what holds for every table.
fn check_table(table: &Table) {
    for (at, column) in table.columns().iter().enumerate() {
        assert!(!column.name.is_empty());
        assert!(table.columns()[..at].iter().all(|other| other.name != column.name), "{:?}", column.name);
        let present = (0..table.rows()).filter(|&row| column.is_present(table.cell(row, at))).count();
        assert_eq!(column.missing, table.rows() - present, "{column:?}");
        assert!(column.distinct <= present && column.unfit_count <= column.missing, "{column:?}");
    }
    assert!((0..table.rows()).all(|row| table.line(row) >= 1));
    assert!((1..table.rows()).all(|row| table.line(row) > table.line(row - 1)));
    table.warnings();
    table.suggestion();
}

proptest! {
    // PROPTEST_CASES can ask for more.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(4000)))]

    #[test]
    fn arbitrary_bytes_give_a_table_or_an_error(bytes in files(), options in options()) {
        match Table::read(&bytes, &options) {
            Ok(table) => check_table(&table),
            Err(error) => assert!(!error.message.is_empty() && !error.hint.is_empty(), "{error:?}"),
        }
    }

    #[test]
    fn reading_in_slices_gives_the_same_table(bytes in files(), rows in 1usize..5) {
        let whole = Table::read(&bytes, &Overrides::default());
        let mut loading = Loading::new(Cow::Owned(bytes), Overrides::default());
        let sliced = (move || {
            let mut last = 0.0;
            loop {
                let share = loading.advance(rows)?;
                assert!((last..=1.0).contains(&share), "{last} {share}");
                last = share;
                if share >= 1.0 {
                    return loading.finish();
                }
            }
        })();
        match (whole, sliced) {
            (Ok(whole), Ok(sliced)) => {
                assert_eq!((whole.rows(), whole.columns()), (sliced.rows(), sliced.columns()));
            }
            (Err(whole), Err(sliced)) => assert_eq!(whole, sliced),
            (whole, sliced) => panic!("{whole:?} {sliced:?}"),
        }
    }
}
