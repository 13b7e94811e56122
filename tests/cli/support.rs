//! A folder per test, in which the program is run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder for one test, removed when the test ends.
pub struct Folder(PathBuf);

/// The program's output.
#[derive(Debug)]
pub struct Answer {
    /// The exit status.
    pub status: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

impl Folder {
    /// Creates a folder; `name` is the test's.
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Reads a JSON file.
    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The program, ready to be run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_espalier"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Runs the program in the folder.
    pub fn run(&self, args: &[&str]) -> Answer {
        let output = self.command(args).output().unwrap();
        Answer {
            status: output.status.code().expect("the program ends by itself"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the program, which must succeed.
    pub fn succeed(&self, args: &[&str]) -> Answer {
        let answer = self.run(args);
        assert_eq!(answer.status, 0, "{args:?}: {answer:?}");
        answer
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// 120 rows: two numbers, a word, and a class that depends on them except in every ninth row.
pub fn flowers() -> String {
    let mut text = String::from("length,width,place,kind\n");
    for row in 0..120 {
        let (length, width) = ((row * 7 % 40) as f64 / 4.0, (row * 11 % 30) as f64 / 3.0);
        let place = ["hill", "shore", "wood"][row % 3];
        let follows = if length <= 4.0 { place == "hill" } else { width > 5.0 };
        let kind = if follows != (row % 9 == 8) { "rose" } else { "thorn" };
        text.push_str(&format!("{length},{width:.3},{place},{kind}\n"));
    }
    text
}

/// 90 rows: a number that is a step function of two others.
pub fn prices() -> String {
    let mut text = String::from("size,age,price\n");
    for row in 0..90 {
        let (size, age) = (row * 13 % 45, row * 17 % 31);
        let price = f64::from(if size > 20 { 300 } else { 100 } - if age > 15 { 40 } else { 0 })
            + f64::from(row % 5) / 2.0;
        text.push_str(&format!("{size}.5,{age},{price}\n"));
    }
    text
}

/// The keys of a JSON object, sorted.
pub fn keys(value: &serde_json::Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
