//! Tree files of version 1.0, one per learner, can still be read, verified and exported.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;

use espalier::export::{export, read, verify, write};
use espalier::tree::Decision;

#[test]
fn trees_of_version_1_0_are_read_and_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees-1.0");
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 7, "{names:?}");
    for path in names {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\"format_version\": \"1.0\""), "{}", path.display());
        let document = read(&text).unwrap();
        assert_eq!(document.model.decision, Decision::Likeliest, "{}", path.display());
        assert!(verify(&document).unwrap() > 0, "{}", path.display());
        // Written again, it has the current version and the same content.
        let again = read(&write(&document).unwrap()).unwrap();
        assert_eq!(again, document, "{}", path.display());
        for format in ["python", "javascript", "c", "rust", "onnx", "text"] {
            assert!(export(&document, format).is_ok(), "{} as {format}", path.display());
        }
    }
}
