//! Runs several steps one after the other, and prints a table of how each ended.

use crate::Outcome;
use std::time::{Duration, Instant};

/// How one runner ended.
struct Line {
    name: &'static str,
    failure: Option<String>,
    time: Duration,
}

/// Collects the results, while the runners write to the terminal themselves.
#[derive(Default)]
pub struct Report {
    lines: Vec<Line>,
}

impl Report {
    /// Runs one step under a heading. A failure is recorded, and the next step still runs.
    pub fn step(&mut self, name: &'static str, step: impl FnOnce() -> Outcome) {
        println!("\n== {name}");
        let start = Instant::now();
        let failure = step().err();
        if let Some(message) = &failure {
            println!("xtask: {message}");
        }
        self.lines.push(Line { name, failure, time: start.elapsed() });
    }

    /// Whether this step ran and succeeded, for steps that depend on it.
    pub fn passed(&self, name: &str) -> bool {
        self.lines.iter().any(|line| line.name == name && line.failure.is_none())
    }

    /// Prints the table; an error if anything failed.
    pub fn finish(self) -> Outcome {
        print!("\n{}", self.table());
        let failed: Vec<&str> =
            self.lines.iter().filter(|line| line.failure.is_some()).map(|line| line.name).collect();
        if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
    }

    /// Runner, result and seconds, then the reason of each failure.
    fn table(&self) -> String {
        let mut text = format!("{:<28} {:<6} {:>8}\n", "runner", "result", "seconds");
        for Line { name, failure, time } in &self.lines {
            let result = if failure.is_some() { "FAILED" } else { "ok" };
            text += &format!("{name:<28} {result:<6} {:>8.1}\n", time.as_secs_f64());
        }
        for line in &self.lines {
            if let Some(message) = &line.failure {
                text += &format!("{}: {message}\n", line.name);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_runs_and_failures_are_listed() {
        let mut report = Report::default();
        report.step("first", || Err("it broke".into()));
        report.step("second", || Ok(()));
        assert!(!report.passed("first") && report.passed("second") && !report.passed("third"));
        let table = report.table();
        assert!(table.contains("first                        FAILED"), "{table}");
        assert!(table.contains("second                       ok"), "{table}");
        assert!(table.contains("first: it broke"), "{table}");
        assert_eq!(report.finish().unwrap_err(), "failed: first");
    }

    #[test]
    fn success_is_quiet() {
        let mut report = Report::default();
        report.step("only", || Ok(()));
        assert!(report.finish().is_ok());
    }
}
