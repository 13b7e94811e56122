//! Bytes to a table: never a panic, and what the user says about the file changes nothing about that. The
//! first byte of the input chooses the options.
#![no_main]

use espalier::table::{Delimiter, Encoding, Overrides, Table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let choice = usize::from(choice);
    let options = Overrides {
        delimiter: Delimiter::ALL.get(choice & 7).copied(),
        encoding: Encoding::ALL.get(choice >> 3 & 7).copied(),
        skip_bad_rows: choice & 64 != 0,
        header: (choice & 128 != 0).then_some(false),
        ..Overrides::default()
    };
    if let Ok(table) = Table::read(bytes, &options) {
        for row in 0..table.rows() {
            for (at, column) in table.columns().iter().enumerate() {
                column.is_present(table.cell(row, at));
            }
        }
        table.warnings();
        table.suggestion();
    }
});
