//! Progress and notes on stderr, for a terminal, a log file or a program.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use espalier::learn::{self, Work};
use serde::Serialize;

use super::failure::{one_line, say};
use super::layout;

/// A line that wraps cannot be rewritten, and the narrowest terminals have 80 columns.
const LINE_WIDTH: usize = 79;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// One updating line on a terminal, plain lines elsewhere.
    Auto,
    /// A line from time to time.
    Plain,
    /// A JSON object per line.
    Json,
    /// Nothing.
    None,
}

/// Shows the progress of a training. Lines are at least `pause` apart, so that it does not slow the training
/// down.
pub struct Progress {
    style: Style,
    pause: Duration,
    shown: Instant,
    /// Characters of the updating line that are on the terminal now.
    width: usize,
    /// The time left in the current training, in words.
    left: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Line,
    Plain,
    Json,
    Silent,
}

#[derive(Serialize)]
struct Event<'a> {
    kind: &'static str,
    model: &'a str,
    seed: u32,
    step: u64,
    epoch: u32,
    restart: u32,
    restarts: u32,
    train_loss: Option<f64>,
    valid_loss: Option<f64>,
    best_loss: Option<f64>,
    phase: &'static str,
    doing: String,
    share: f64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Note<'a> {
    kind: &'static str,
    message: &'a str,
}

/// Which training is shown.
#[derive(Clone, Copy)]
pub struct Label<'a> {
    /// The learner's key.
    pub model: &'a str,
    /// Its seed.
    pub seed: u32,
}

impl Progress {
    /// Creates a display.
    pub fn new(mode: Mode) -> Progress {
        let (style, pause) = match mode {
            Mode::Auto if stderr().is_terminal() => (Style::Line, 100),
            Mode::Auto | Mode::Plain => (Style::Plain, 1000),
            Mode::Json => (Style::Json, 100),
            Mode::None => (Style::Silent, 1000),
        };
        Progress { style, pause: Duration::from_millis(pause), shown: Instant::now(), width: 0, left: None }
    }

    /// Shows a note for the user. It is shown in every mode, because it is not progress.
    pub fn note(&mut self, message: &str) {
        self.clear();
        match self.style {
            Style::Json => line(&json(&Note { kind: "note", message })),
            _ => say(message),
        }
    }

    /// Whether enough time has passed to show something.
    pub fn is_due(&self) -> bool {
        self.shown.elapsed() >= self.pause
    }

    /// Sets the time left, in words.
    pub fn set_left(&mut self, left: Option<String>) {
        self.left = left;
    }

    /// Shows the state of a training, if it is time to.
    pub fn step(&mut self, label: Label, progress: &learn::Progress, elapsed: Duration) {
        if !self.is_due() {
            return;
        }
        self.shown = Instant::now();
        let left = self.left.take().map_or(String::new(), |left| format!("; {left}"));
        match self.style {
            Style::Line => self.update(&format!("{}{left}", sentence(label, progress, elapsed))),
            Style::Plain => say(&format!("{}{left}", sentence(label, progress, elapsed))),
            Style::Json => line(&json(&event("progress", label, progress, elapsed, None))),
            Style::Silent => {}
        }
    }

    /// Shows that a training has ended.
    pub fn done(&mut self, label: Label, progress: &learn::Progress, elapsed: Duration, stop_reason: &str) {
        self.clear();
        match self.style {
            Style::Line | Style::Plain => {
                say(&ended(label, progress, elapsed, stop_reason));
            }
            Style::Json => line(&json(&event("done", label, progress, elapsed, Some(stop_reason)))),
            Style::Silent => {}
        }
    }

    /// Rewrites the updating line; spaces cover the rest of a longer one.
    fn update(&mut self, text: &str) {
        let text: String = one_line(text).chars().take(LINE_WIDTH).collect();
        let width = text.chars().count();
        let blanks = " ".repeat(self.width.saturating_sub(width));
        let mut out = stderr().lock();
        let _ = write!(out, "\r{text}{blanks}").and_then(|()| out.flush());
        self.width = width;
    }

    /// Removes the updating line.
    pub fn clear(&mut self) {
        if self.width > 0 {
            self.update("");
            let _ = write!(stderr().lock(), "\r");
        }
    }
}

/// Shows the progress of a long task that counts rows. Without `--progress`, only a terminal shows it.
pub struct Counter {
    progress: Progress,
}

#[derive(Serialize)]
struct Count<'a> {
    kind: &'static str,
    task: &'a str,
    rows: usize,
    share: f64,
}

impl Counter {
    /// Creates a counter.
    pub fn new(mode: Mode) -> Counter {
        let quiet = mode == Mode::Auto && !stderr().is_terminal();
        Counter { progress: Progress::new(if quiet { Mode::None } else { mode }) }
    }

    /// Shows the number of rows and the share of the work that is done, if it is time to.
    pub fn show(&mut self, task: &str, rows: usize, share: f64) {
        let progress = &mut self.progress;
        if progress.shown.elapsed() < progress.pause {
            return;
        }
        progress.shown = Instant::now();
        let sentence = format!("{task}: {rows} rows, {:.0} %", 100.0 * share);
        match progress.style {
            Style::Line => progress.update(&sentence),
            Style::Plain => say(&sentence),
            Style::Json => line(&json(&Count { kind: "progress", task, rows, share })),
            Style::Silent => {}
        }
    }

    /// Removes the updating line.
    pub fn clear(&mut self) {
        self.progress.clear();
    }
}

fn line(text: &str) {
    let _ = writeln!(stderr().lock(), "{text}");
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain fields are always JSON")
}

fn event<'a>(
    kind: &'static str,
    label: Label<'a>,
    progress: &learn::Progress,
    elapsed: Duration,
    stop_reason: Option<&'a str>,
) -> Event<'a> {
    Event {
        kind,
        model: label.model,
        seed: label.seed,
        step: progress.step,
        epoch: progress.epoch,
        restart: progress.restart,
        restarts: progress.restarts,
        train_loss: progress.train_loss,
        valid_loss: progress.valid_loss,
        best_loss: progress.best_loss,
        phase: progress.phase.as_str(),
        doing: progress.phase.to_string(),
        share: progress.share,
        seconds: elapsed.as_secs_f64(),
        stop_reason,
    }
}

/// `gradtree, seed 0: 1.2 s, random start 1 of 3, epoch 12, loss 0.4312, validation 0.4501 (best 0.4410)`
fn sentence(label: Label, progress: &learn::Progress, elapsed: Duration) -> String {
    let mut parts = vec![progress.phase.to_string()];
    if let Work::Descent { .. } = progress.phase.work {
        parts.extend(progress.train_loss.map(|loss| format!("loss {}", layout::score(loss))));
        parts.extend(progress.valid_loss.map(|loss| {
            let best =
                progress.best_loss.map_or(String::new(), |best| format!(" (best {})", layout::score(best)));
            format!("validation {}{best}", layout::score(loss))
        }));
    }
    line_of(label, elapsed, &parts)
}

/// `gradtree, seed 0: 1.2 s, 90 steps, 3 restarts, best loss 0.4410, done (no_improvement)`
fn ended(label: Label, progress: &learn::Progress, elapsed: Duration, stop_reason: &str) -> String {
    let mut parts = vec![format!("{} steps", progress.step)];
    if progress.restarts > 1 {
        parts.push(format!("{} restarts", progress.restarts));
    }
    parts.extend(progress.best_loss.map(|loss| format!("best loss {}", layout::score(loss))));
    parts.push(format!("done ({stop_reason})"));
    line_of(label, elapsed, &parts)
}

fn line_of(label: Label, elapsed: Duration, parts: &[String]) -> String {
    format!("{}, seed {}: {:.1} s, {}", label.model, label.seed, elapsed.as_secs_f64(), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier::learn::{Phase, Start};

    const LABEL: Label = Label { model: "gradtree", seed: 7 };

    fn at_epoch() -> learn::Progress {
        learn::Progress {
            step: 90,
            epoch: 12,
            restart: 0,
            restarts: 3,
            train_loss: Some(0.43121),
            valid_loss: Some(0.4501),
            best_loss: Some(0.441),
            phase: Phase::from(Work::Descent { from: Start::Random, number: 1, of: 3, run: 0 })
                .counted(12, 0),
            ..learn::Progress::default()
        }
    }

    #[test]
    fn a_sentence_says_only_what_is_known() {
        assert_eq!(
            sentence(LABEL, &at_epoch(), Duration::from_millis(1234)),
            "gradtree, seed 7: 1.2 s, random start 1 of 3, epoch 12, loss 0.4312, \
             validation 0.4501 (best 0.4410)"
        );
        let teachers = Phase::from(Work::Teachers).counted(4, 50);
        let bare = learn::Progress { step: 4, restarts: 1, phase: teachers, ..learn::Progress::default() };
        let line = "gradtree, seed 7: 0.0 s, growing the 50 trees that teach: 4 of 50";
        assert_eq!(sentence(LABEL, &bare, Duration::ZERO), line);
        assert_eq!(
            ended(LABEL, &at_epoch(), Duration::ZERO, "stopped"),
            "gradtree, seed 7: 0.0 s, 90 steps, 3 restarts, best loss 0.4410, done (stopped)"
        );
    }

    #[test]
    fn an_event_is_one_line_of_json() {
        let text = json(&event("done", LABEL, &at_epoch(), Duration::from_secs(1), Some("stopped")));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(!text.contains('\n'));
        assert_eq!(
            (&value["kind"], &value["epoch"], &value["stop_reason"]),
            (&"done".into(), &12.into(), &"stopped".into())
        );
    }
}
