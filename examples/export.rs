//! Trains a tree and writes it in every format that can hold it.
//!
//! ```text
//! cargo run --release --example export -- FOLDER
//! ```
//!
//! Without a folder it only lists what it would write.

use std::error::Error;
use std::path::Path;

use espalier::export::{self, FORMATS, File};
use espalier::learn;
use espalier::run::Settings;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1);
    for file in export_all(&loans(), "repaid")? {
        println!("{:>7} bytes  {:<26} {}", file.bytes.len(), file.mime, file.name);
        if let Some(folder) = &folder {
            std::fs::write(Path::new(folder).join(&file.name), &file.bytes)?;
        }
    }
    Ok(())
}

/// A tree trained on a table, as one file per format. The JSON is read back and proved first.
pub fn export_all(csv: &str, target: &str) -> espalier::Result<Vec<File>> {
    let mut settings = Settings::new(target);
    settings.learner = learn::Settings::new("cart")?;
    settings.learner.set("depth", &2.into())?;
    let trained = espalier::fit(csv, settings)?;

    let document = export::read(&trained.json()?)?;
    export::verify(&document)?;
    FORMATS.iter().map(|format| export::file(&document, format.key)).collect()
}

/// A table of 90 loans with a number, a word and an answer.
pub fn loans() -> String {
    let mut csv = String::from("income,home,repaid\n");
    for i in 0..90 {
        let (income, home) = (18 + i * 29 % 90, ["owned", "rented", "shared"][i * 7 % 3]);
        let repaid = if income > 60 || (income > 35 && home == "owned") { "yes" } else { "no" };
        csv += &format!("{income},{home},{repaid}\n");
    }
    csv
}
