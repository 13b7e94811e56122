//! Whole runs, natively: the conversation of a worker with the engine, timed by workload.
//!
//! `cargo bench --bench runs` prints a table and writes the figures to `target/runs.json`. `benches/wasm.mjs`
//! runs the same workloads in WebAssembly and puts the two side by side, so that a ratio comes from one run
//! on one machine.

#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use espalier::protocol::{Event, ParamValue, ReadOptions, Request, TrainSettings};
use espalier::session::Session;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Workload {
    name: String,
    model: String,
    depth: u32,
    rows: u32,
    features: u32,
    epochs: u32,
}

#[derive(Serialize)]
struct Figure<'a> {
    name: &'a str,
    read_ms: f64,
    cart_ms: f64,
    epoch_ms: f64,
}

/// Three classes separated by the first two columns; the others are noise. The text is the same as in
/// `wasm.mjs`. GET gets a number: a product, a step and a slope.
fn csv(rows: u32, features: u32, numbers: bool) -> String {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut text: String = (0..features).map(|j| format!("x{j},")).collect::<String>() + "y\n";
    for _ in 0..rows {
        let row: Vec<u32> = (0..features).map(|_| next() % 1000).collect();
        for value in &row {
            write!(text, "{value},").expect("writing to a string");
        }
        let class = u32::from(row[0] > 500) + u32::from(row[1] > row[0]);
        if numbers {
            let value =
                row[0] * row[1] / 1000 + 300 * u32::from(row[1] > row[0]) + row[features as usize - 1] / 4;
            writeln!(text, "{value}").expect("writing to a string");
        } else {
            writeln!(text, "{}", ["a", "b", "c"][class as usize]).expect("writing to a string");
        }
    }
    text
}

/// Processor time of this thread, which a busy machine affects less than the clock; `None` if the system does
/// not report it.
fn processor_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e6)
}

fn measure(work: &Workload) -> Figure<'_> {
    let get = work.model.starts_with("get");
    let text = csv(work.rows, work.features, get);
    let mut session = Session::default();
    let begun = Instant::now();
    let load = Request::Load { run: 1, name: String::new(), options: ReadOptions::default() };
    assert!(matches!(session.handle(load, text.as_bytes()).event, Event::Loaded { .. }));
    let read_ms = begun.elapsed().as_secs_f64() * 1e3;

    let number = |value: u32| ParamValue::Number(f64::from(value));
    let mut said: BTreeMap<String, ParamValue> = match work.model.as_str() {
        // One random start and nothing after it, so that only epochs of descent are timed.
        "gradtree" => [
            ("epochs", number(work.epochs)),
            ("patience", number(work.epochs)),
            ("restarts", number(1)),
            ("start", ParamValue::Choice("random".into())),
            ("refit", ParamValue::Flag(false)),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into(),
        // All rows in every step, ten starts, and two runs of this many epochs each.
        _ if get => [("epochs", number(work.epochs / 20)), ("polish", ParamValue::Choice("off".into()))]
            .map(|(key, value)| (key.to_owned(), value))
            .into(),
        _ => BTreeMap::new(),
    };
    said.insert("depth".to_owned(), number(work.depth));
    let settings = TrainSettings {
        target: "y".into(),
        task: if get { "regression" } else { "auto" }.into(),
        model: work.model.clone(),
        recipe: if get { "published" } else { "espalier" }.into(),
        seed: 1,
        test: 0.2,
        valid: 0.2,
        ignore: vec![],
        positive: String::new(),
        label: String::new(),
        answers: "auto".into(),
        said,
    };
    let begun = Instant::now();
    assert!(matches!(session.handle(Request::Train { run: 2, settings }, &[]).event, Event::Started { .. }));
    let cart_ms = begun.elapsed().as_secs_f64() * 1e3;
    let (begun, spent) = (Instant::now(), processor_ms());
    while !session.advance(1000, false) {}
    let wall_ms = begun.elapsed().as_secs_f64() * 1e3;
    let epoch_ms = match (spent, processor_ms()) {
        (Some(before), Some(after)) => after - before,
        _ => wall_ms,
    } / f64::from(work.epochs.max(1));
    Figure { name: &work.name, read_ms, cart_ms, epoch_ms }
}

fn main() {
    let workloads: Vec<Workload> =
        serde_json::from_str(include_str!("workloads.json")).expect("the workloads are listed");
    println!("{:<22}{:>12}{:>16}{:>14}", "native, ms", "read", "start with cart", "epoch");
    // An argument selects workloads by a part of their names; cargo adds an argument of its own.
    let wanted = std::env::args().skip(1).find(|text| !text.starts_with('-')).unwrap_or_default();
    let figures: Vec<Figure> = workloads
        .iter()
        .filter(|work| work.name.contains(&wanted))
        .map(|work| {
            // The best of three, because the machine may be busy with something else.
            let runs = [measure(work), measure(work), measure(work)];
            let best = |of: fn(&Figure) -> f64| runs.iter().map(of).fold(f64::INFINITY, f64::min);
            let figure = Figure {
                name: &work.name,
                read_ms: best(|f| f.read_ms),
                cart_ms: best(|f| f.cart_ms),
                epoch_ms: best(|f| f.epoch_ms),
            };
            println!(
                "{:<22}{:>12.2}{:>16.2}{:>14.3}",
                figure.name, figure.read_ms, figure.cart_ms, figure.epoch_ms
            );
            figure
        })
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/target/runs.json");
    std::fs::write(path, serde_json::to_string(&figures).expect("figures are numbers"))
        .expect("target can be written");
}
