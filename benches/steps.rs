//! The longest step of every learner, by phase: the longest that a budget, a pause or Ctrl-C has to wait.
//!
//! `cargo bench --bench steps [-- LEARNER [ROWS [SECONDS]]]` trains on a generated table and prints the
//! longest step of each phase in milliseconds. `SECONDS` ends each training early.

#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use espalier::learn::{self, Phase};
use espalier::run::{Run, STOPPED, Settings};
use espalier::table::{Overrides, Table};

const COLUMNS: u32 = 8;

/// Two classes, or a number, that depend on eight columns with some noise.
fn csv(rows: u32, numbers: bool) -> String {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 12
    };
    let mut text: String = (0..COLUMNS).map(|j| format!("x{j},")).collect::<String>() + "y\n";
    for _ in 0..rows {
        let row: Vec<u32> = (0..COLUMNS).map(|_| next() % 100_000).collect();
        row.iter().for_each(|value| write!(text, "{value},").expect("writing to a string"));
        let value = row[0] / 2 + row[1] / 3 + 30_000 * u32::from(row[2] > row[3]) + next() % 20_000;
        let class = if value > 60_000 { "yes" } else { "no" };
        if numbers { writeln!(text, "{value}") } else { writeln!(text, "{class}") }
            .expect("writing to a string");
    }
    text
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|text| !text.starts_with('-')).collect();
    let number = |at: usize, usual: f64| args.get(at).map_or(usual, |text| text.parse().expect("a number"));
    let (rows, seconds) = (number(1, 900_000.0) as u32, number(2, 60.0));
    for key in ["cart", "gradtree", "relaxed", "get", "get-linear"] {
        if args.first().is_some_and(|wanted| wanted != "all" && wanted != key) {
            continue;
        }
        let table = Table::read(csv(rows, key.starts_with("get")).as_bytes(), &Overrides::default())
            .expect("a table");
        measure(Arc::new(table), key, seconds);
    }
}

/// Processor time of this thread in milliseconds, which a busy machine affects less than the clock. The clock
/// is used if the system does not report it.
fn processor_ms() -> f64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = said.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds
        .map_or_else(|| BEGUN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3, |time| time / 1e6)
}

/// A phase without its counts.
fn phase(phase: Phase) -> String {
    format!("{} on {:?}", phase.as_str(), phase.on)
}

fn measure(table: Arc<Table>, key: &str, seconds: f64) {
    let learner = learn::Settings::new(key).expect("a learner");
    let settings = Settings { learner, ..Settings::new("y") };
    let begun = Instant::now();
    // By phase: the longest step in milliseconds, the number of steps, and their total time.
    let mut longest: BTreeMap<String, (f64, u64, f64)> = BTreeMap::new();
    let mut note = |phase: String, from: f64| {
        let ms = processor_ms() - from;
        let (most, steps, all) = longest.entry(phase).or_default();
        (*most, *steps, *all) = (most.max(ms), *steps + 1, *all + ms);
    };
    let from = processor_ms();
    let mut run = Run::alone(table, settings).expect("the settings suit the table");
    note("0 begin".into(), from);
    let from = processor_ms();
    run.begin_baseline().expect("the settings suit the table");
    note("1 begin of the baseline".into(), from);
    loop {
        let from = processor_ms();
        let Some(progress) = run.step_baseline() else { break };
        note("1 steps of the baseline".into(), from);
        if progress.stop.is_some() {
            break;
        }
    }
    let from = processor_ms();
    run.end_baseline(STOPPED);
    note("1 scores of the baseline".into(), from);
    while begun.elapsed().as_secs_f64() < seconds {
        let (before, from) = (run.progress(), processor_ms());
        let progress = run.step();
        let end = if progress.epoch_ended { ", epoch ends" } else { "" };
        note(format!("2 restart {}: {}{end}", before.restart.min(1), phase(before.phase)), from);
        if progress.stop.is_some() {
            break;
        }
    }
    let from = processor_ms();
    let fitted = run.finish(STOPPED);
    note("3 finish".into(), from);
    println!(
        "{key}: {} rows, {:.1} s, {}",
        run.table().rows(),
        begun.elapsed().as_secs_f64(),
        fitted.stop_reason
    );
    for (phase, (most, steps, all)) in longest {
        println!("  {phase:<50}{most:>10.1} ms at most of {steps:>7} steps, {all:>10.0} ms in all");
    }
}
