//! The examples run and print what they promise.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../examples/export.rs"]
#[allow(dead_code)]
mod export;
#[path = "../examples/train_from_csv.rs"]
#[allow(dead_code)]
mod train_from_csv;
#[path = "../examples/watch_a_split.rs"]
#[allow(dead_code)]
mod watch_a_split;

#[test]
fn a_tree_is_trained_from_csv() {
    let report = train_from_csv::train(&train_from_csv::fruits(), "fruit").expect("the table can be learned");
    assert!(report.contains("gradtree: test accuracy") && report.contains("cart: test accuracy"), "{report}");
    assert!(report.contains("\nfruit: classification, ") && report.contains("width ≤ "), "{report}");
    let error = train_from_csv::train(&train_from_csv::fruits(), "taste").unwrap_err();
    assert_eq!(error.code, espalier::Code::UnknownColumn);
}

#[test]
fn a_split_is_watched_while_it_moves() {
    let watched =
        watch_a_split::watch(&watch_a_split::steps_of_a_stair(), "level").expect("the table can be learned");
    let passed = &watched.passed;
    assert!(passed.len() > 2, "the threshold moved {} times", passed.len());
    assert!(passed.windows(2).all(|two| two[0].epoch < two[1].epoch));
    assert!(passed.iter().all(|seen| seen.column == "position" && seen.loss.is_some()));
    let far = |seen: &watch_a_split::Seen| (seen.threshold - 6.5).abs();
    let (first, nearest) = (far(&passed[0]), passed.iter().map(far).fold(f32::MAX, f32::min));
    assert!(
        nearest < first && nearest < 0.5,
        "the threshold begins {first} away and comes as near as {nearest}"
    );
    assert!(watched.rules.contains("position ≤ "), "{}", watched.rules);
}

#[test]
fn a_tree_is_written_in_every_format() {
    let files =
        export::export_all(&export::loans(), "repaid").expect("every format holds a tree of this kind");
    assert_eq!(files.len(), espalier::export::FORMATS.len());
    assert!(files.iter().all(|file| file.name.starts_with("repaid.") && !file.bytes.is_empty()));
    let text = files.iter().find(|file| file.name == "repaid.txt").expect("rules are a format");
    assert!(String::from_utf8_lossy(&text.bytes).starts_with("repaid: classification, "));
}
