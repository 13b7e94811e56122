//! Ctrl-C during a training.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::support::{Folder, flowers};

/// A training that would take minutes, once it has started.
fn long_training(folder: &Folder, subcommand: &[&str]) -> Child {
    folder.write("flowers.csv", flowers());
    let long =
        ["--target", "kind", "--set", "epochs=100000", "--set", "patience=100000", "--progress", "json"];
    let mut child = folder
        .command(&[subcommand, &["flowers.csv"], &long].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let begun =
        lines.find(|line| line.as_ref().unwrap().contains("\"kind\":\"progress\",\"model\":\"gradtree\""));
    assert!(begun.is_some(), "the training ended before it could be interrupted");
    // Keep reading, or the program would wait for space in the pipe.
    std::thread::spawn(move || lines.for_each(drop));
    child
}

/// Sends the signal of Ctrl-C to this one process.
fn press(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_training_ends_with_the_best_tree_so_far() {
    let folder = Folder::new("interrupt");
    let mut child = long_training(&folder, &["train", "--tree", "t.json", "--report", "r.json"]);
    press(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(folder.json("r.json")["stop_reason"], "stopped");
    folder.succeed(&["verify", "t.json"]);
}

#[test]
fn a_comparison_ends_with_the_runs_so_far() {
    let folder = Folder::new("interrupt-compare");
    let mut child = long_training(
        &folder,
        &["compare", "--models", "cart,gradtree", "--seeds", "5", "--report", "c.json"],
    );
    press(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let report = folder.json("c.json");
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    assert_eq!(report["runs"][1]["stop_reason"], "stopped");
}
