//! The sample messages that the page's tests read too: each is parsed and written back unchanged, and every
//! kind has one.
#![cfg(not(target_arch = "wasm32"))]

use espalier::protocol::{Event, Request};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

fn check<T: Serialize + DeserializeOwned>(file: &str, kinds: &[&str]) {
    let path = format!("{}/tests/messages/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the samples are there");
    let samples: Vec<Value> = serde_json::from_str(&text).expect("the samples are JSON");
    for sample in &samples {
        let message: T =
            serde_json::from_value(sample.clone()).unwrap_or_else(|error| panic!("{error}: {sample}"));
        assert_eq!(&serde_json::to_value(&message).unwrap(), sample);
        let mut odd = sample.clone();
        odd["unheard_of"] = Value::Null;
        assert!(serde_json::from_value::<T>(odd).is_err(), "an unknown key is refused: {sample}");
    }
    let seen: Vec<&str> = samples.iter().filter_map(|sample| sample["kind"].as_str()).collect();
    assert_eq!(seen, kinds);
}

#[test]
fn requests() {
    let kinds = [
        "load", "train", "resolve", "pause", "resume", "step", "stop", "show", "open", "frames", "frame",
        "rows", "row", "map", "trace", "why", "lend", "take", "help", "unit", "ping",
    ];
    check::<Request>("requests.json", &kinds);
}

#[test]
fn events() {
    let kinds = [
        "ready", "reading", "loaded", "resolved", "growing", "started", "progress", "paused", "trained",
        "shown", "opened", "frames", "frame", "rows", "row", "map", "traced", "why", "lent", "taken",
        "helping", "unit", "pong", "failed",
    ];
    check::<Event>("events.json", &kinds);
}
