//! Drives a training step by step and prints how the threshold of the first split moves.
//!
//! ```text
//! cargo run --release --example watch_a_split
//! ```

use std::sync::Arc;

use espalier::learn::{self, Recipe};
use espalier::run::{Run, STOPPED, Settings};
use espalier::table::{Overrides, Table};
use espalier::tree::{Model, Node, Split};

fn main() -> espalier::Result<()> {
    let seen = watch(&steps_of_a_stair(), "level")?;
    for Seen { epoch, column, threshold, loss } in &seen.passed {
        let loss = loss.map_or("none yet".into(), |loss| format!("{loss:.4}"));
        println!("epoch {epoch:>3}: {column} ≤ {threshold:.3}, validation loss {loss}");
    }
    println!("\nThe tree that validation chose:\n\n{}", seen.rules);
    Ok(())
}

/// The first split at the end of an epoch.
pub struct Seen {
    /// The epoch, from 1.
    pub epoch: u32,
    /// The column that the split tests.
    pub column: String,
    /// Rows with a value at most this go left, in the units of the file.
    pub threshold: f32,
    /// The loss on the validation rows.
    pub loss: Option<f64>,
}

/// What was seen of a training.
pub struct Watched {
    /// The first split whenever it had moved by a tenth.
    pub passed: Vec<Seen>,
    /// The rules of the chosen tree.
    pub rules: String,
}

/// Trains as GradTree's paper does, from one random start, and looks at the tree after every epoch.
pub fn watch(csv: &str, target: &str) -> espalier::Result<Watched> {
    let table = Arc::new(Table::read(csv.as_bytes(), &Overrides::default())?);
    let mut settings = Settings::new(target);
    settings.learner = learn::Settings::new("gradtree")?.with_recipe(Recipe::Published);
    settings.learner.set("depth", &1.into())?;
    settings.learner.set("restarts", &1.into())?;

    let mut run = Run::alone(table, settings)?;
    let mut passed: Vec<Seen> = vec![];
    loop {
        let progress = run.step();
        if progress.epoch_ended
            && let Some((column, threshold)) = first_split(&run.current())
            && passed
                .last()
                .is_none_or(|last| last.column != column || (last.threshold - threshold).abs() >= 0.1)
        {
            passed.push(Seen { epoch: progress.epoch, column, threshold, loss: progress.valid_loss });
        }
        if progress.stop.is_some() {
            break;
        }
    }
    let rules = espalier::export::Rules(&run.finish(STOPPED).model).to_string();
    Ok(Watched { passed, rules })
}

/// The column and the threshold of the root; none where the tree is a leaf or tests words.
fn first_split(model: &Model) -> Option<(String, f32)> {
    match &model.tree.nodes()[0] {
        Node::Split { split: Split::Numerical { feature, threshold }, .. } => {
            Some((model.features[*feature].name.clone(), *threshold))
        }
        _ => None,
    }
}

/// A table of 200 rows whose target is 1 up to a position of 6.5, and 3 from there on, with a little noise.
pub fn steps_of_a_stair() -> String {
    let mut csv = String::from("position,level\n");
    for i in 0..200 {
        let position = f64::from(i * 77 % 200) / 20.0;
        let noise = f64::from(i * 31 % 17) / 40.0;
        csv += &format!("{position},{}\n", if position <= 6.5 { 1.0 + noise } else { 3.0 + noise });
    }
    csv
}
