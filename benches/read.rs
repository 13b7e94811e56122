//! Reads a large file: a million rows of twelve columns, numbers and categories, some 100 MB, generated in
//! memory.
//!
//! `cargo bench --bench read [-- ROWS]` prints the megabytes per second for splitting the file into cells and
//! for building the whole table (decoded, split, typed, profiled, hashed). It also prints the peak memory as
//! a multiple of the file.

use std::borrow::Cow;
use std::fmt::Write;
use std::time::Instant;

use espalier::table::{Loading, Overrides, Reader};

/// Rows read between two checks of the clock, as in the page's worker.
const SLICE: usize = 20_000;

fn main() {
    let rows = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(1_000_000);
    let file = file(rows).into_bytes();
    let megabytes = file.len() as f64 / 1e6;
    println!("{rows} rows, 12 columns, {megabytes:.1} MB");

    let begun = Instant::now();
    let mut reader = Reader::new(Cow::Borrowed(&file), &Overrides::default()).expect("the file can be read");
    while !reader.is_done() {
        reader.advance(SLICE).expect("the file can be read");
    }
    drop(reader.finish().expect("the file can be read"));
    let cells = begun.elapsed().as_secs_f64();
    println!("cells:  {cells:.3} s, {:.0} MB/s", megabytes / cells);

    let begun = Instant::now();
    let mut loading = Loading::new(Cow::Borrowed(&file), Overrides::default());
    let (mut slowest, mut slices, mut share) = (0f64, 0, 0.0);
    while share < 1.0 {
        let slice = Instant::now();
        share = loading.advance(SLICE).expect("the file can be read");
        slowest = slowest.max(slice.elapsed().as_secs_f64());
        slices += 1;
    }
    let table = loading.finish().expect("the file can be read");
    let whole = begun.elapsed().as_secs_f64();
    println!(
        "table:  {whole:.3} s, {:.0} MB/s; {slices} slices, the slowest {:.0} ms",
        megabytes / whole,
        slowest * 1e3
    );
    assert_eq!((table.rows(), table.columns().len()), (rows, 12));
    match peak_memory() {
        Some(peak) => {
            println!("peak:   {:.0} MB, {:.2} times the file", peak / 1e6, peak / file.len() as f64)
        }
        None => println!("peak:   not known on this system"),
    }
}

/// Eight numeric and four categorical columns, drawn by a small generator of our own.
fn file(rows: usize) -> String {
    const WORDS: [&str; 12] = [
        "north",
        "south",
        "east",
        "west",
        "engineering",
        "sales",
        "support",
        "research",
        "monthly",
        "weekly",
        "yearly",
        "once only",
    ];
    let mut text = String::with_capacity(rows * 104 + 200);
    text.push_str(
        "id,temperature,pressure,humidity,price,quantity,distance,duration,region,department,period,answer\n",
    );
    let mut state = 1u64;
    let mut draw = move |bound: u64| {
        // xorshift64: good enough for a test file.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    for row in 0..rows {
        let write =
            |text: &mut String, value: std::fmt::Arguments| text.write_fmt(value).expect("memory takes text");
        write(&mut text, format_args!("{row},{}.{:04},", draw(80), draw(10_000)));
        write(
            &mut text,
            format_args!("{}.{:06},0.{:08},", 900 + draw(200), draw(1_000_000), draw(100_000_000)),
        );
        write(&mut text, format_args!("{}.{:02},{},", draw(100_000), draw(100), draw(1000)));
        write(
            &mut text,
            format_args!("{}.{:07},{}.{:05},", draw(5000), draw(10_000_000), draw(300), draw(100_000)),
        );
        let word = |at: u64| WORDS[at as usize];
        write(&mut text, format_args!("{},{},", word(draw(4)), word(4 + draw(4))));
        let answer = if draw(50) == 0 { "" } else { ["yes", "no"][draw(2) as usize] };
        write(&mut text, format_args!("{},{answer}\n", word(8 + draw(4))));
    }
    text
}

/// Peak resident memory in bytes, if the system reports it.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? * 1024.0)
}
