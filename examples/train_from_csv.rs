//! Trains a tree on a CSV file and prints its scores and rules.
//!
//! ```text
//! cargo run --release --example train_from_csv -- FILE.csv TARGET
//! cargo run --release --example train_from_csv
//! ```
//!
//! Without arguments it trains on a small table of fruits that it makes itself.

use std::error::Error;

use espalier::run::Settings;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (csv, target) = match arguments.as_slice() {
        [] => (fruits(), "fruit"),
        [file, target] => (std::fs::read_to_string(file)?, target.as_str()),
        _ => return Err("give a file and the name of its target column, or nothing".into()),
    };
    print!("{}", train(&csv, target)?);
    Ok(())
}

/// The scores of the tree beside those of the greedy one, and the rules of the tree.
pub fn train(csv: &str, target: &str) -> espalier::Result<String> {
    let mut settings = Settings::new(target);
    settings.learner.set("depth", &2.into())?;
    let trained = espalier::fit(csv, settings)?;

    let mut report = String::new();
    for warning in &trained.run.problem().warnings {
        report += &format!("Note: {warning}\n");
    }
    for fitted in [Some(&trained.fitted), trained.run.baseline()].into_iter().flatten() {
        for (name, score) in fitted.metrics.get("test").into_iter().flatten() {
            report += &format!("{:>8}: test {name} {score:.3}\n", fitted.config.key());
        }
    }
    Ok(report + "\n" + &trained.rules())
}

/// A table of 120 fruits: plums are narrow, and of the others pears are tall.
pub fn fruits() -> String {
    let rows = (0..120).map(|i| {
        let (width, height) = (4.0 + f64::from(i * 37 % 100) / 20.0, 4.0 + f64::from(i * 53 % 97) / 20.0);
        let fruit = match (width < 6.0, height < 6.0) {
            (true, _) => "plum",
            (false, true) => "apple",
            (false, false) => "pear",
        };
        format!("{width},{height},{fruit}\n")
    });
    std::iter::once("width,height,fruit\n".to_owned()).chain(rows).collect()
}
