//! Tests the engine class in a real browser, with JavaScript values as the worker sends them.
#![cfg(target_arch = "wasm32")]

use espalier::wasm::{Engine, fresh_seed};
use js_sys::{Float32Array, JSON, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn get(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |at, key| Reflect::get(&at, &key.into()).expect("an object"))
}

fn text(value: &JsValue, path: &str) -> String {
    get(value, path).as_string().unwrap_or_else(|| panic!("{path} is no text"))
}

fn send(engine: &mut Engine, request: &str, bytes: Option<&str>) -> JsValue {
    let request = JSON::parse(request).expect("the request is JSON");
    engine.handle(request, bytes.map(|text| text.as_bytes().to_vec()))
}

fn table() -> String {
    let rows = (0..80).map(|i| {
        format!("{},{},{}\n", i * 7 % 40, i * 3 % 11, if i * 7 % 40 > 19 { "big" } else { "small" })
    });
    std::iter::once("a,b,size\n".to_owned()).chain(rows).collect()
}

const LOAD: &str = r#"{"kind":"load","run":1,"name":"t.csv","options":{"delimiter":"","encoding":"",
    "header":null,"skipBadRows":false,"kinds":{},"missing":{}}}"#;
const TRAIN: &str = r#"{"kind":"train","run":2,"settings":{"target":"size","task":"auto","model":"gradtree",
    "recipe":"espalier","seed":3,
    "test":0.2,"valid":0.2,"ignore":[],"positive":"","answers":"auto","label":"",
    "said":{"depth":2,"epochs":30,"restarts":1}}}"#;

#[wasm_bindgen_test]
fn ready_lists_learners_as_plain_objects() {
    let ready = Engine::new().ready();
    assert_eq!(text(&ready, "kind"), "ready");
    assert_eq!(text(&ready, "learners.0.key"), "gradtree");
    assert!(get(&ready, "learners.0.params.0.choices").is_array());
}

#[wasm_bindgen_test]
fn a_table_goes_in_and_a_tree_comes_out() {
    let mut engine = Engine::new();
    let loaded = send(&mut engine, LOAD, Some(&table()));
    assert_eq!(text(&loaded, "event.kind"), "loaded");
    assert_eq!(get(&loaded, "event.table.rows").as_f64(), Some(80.0));

    let started = send(&mut engine, TRAIN, None);
    assert_eq!(text(&started, "event.kind"), "started");
    assert_eq!(get(&started, "event.cart.metrics.test.accuracy").as_f64(), Some(1.0));
    assert!(
        get(&started, "event.cart.tree.nodes.1.left").is_null(),
        "an absent value is null, as the types say"
    );

    engine.advance(u32::MAX, true);
    let progress = engine.progress(true);
    assert_eq!(text(&progress, "event.kind"), "progress");
    assert!(text(&progress, "event.checkpoint").contains("espalier-tree"));
    let curve: Float32Array = get(&progress, "curve").dyn_into().expect("a typed array");
    assert_eq!(curve.length(), 5);

    while !engine.advance(100, false) {}
    let trained = send(&mut engine, r#"{"kind":"stop","run":2}"#, None);
    assert_eq!(text(&trained, "event.kind"), "trained");
    let tree = text(&trained, "event.result.json");

    let open = format!(
        r#"{{"kind":"open","run":3,"tree":{}}}"#,
        String::from(JSON::stringify(&tree.clone().into()).unwrap())
    );
    let opened = send(&mut engine, &open, None);
    assert_eq!(text(&opened, "event.kind"), "opened");
    assert_eq!(text(&opened, "event.result.json"), tree);
}

#[wasm_bindgen_test]
fn what_is_no_request_is_answered_with_its_run() {
    let mut engine = Engine::new();
    for request in [
        r#"{"kind":"dance","run":5}"#,
        r#"{"run":5}"#,
        r#"{"kind":"load","run":5}"#,
        r#"{"kind":"ping","run":5,"tree":""}"#,
    ] {
        let failed = send(&mut engine, request, None);
        assert_eq!(text(&failed, "event.kind"), "failed", "{request}");
        assert_eq!(get(&failed, "event.run").as_f64(), Some(5.0));
        assert!(!text(&failed, "event.error.message").is_empty());
    }
    let failed = engine.handle(JsValue::NULL, None);
    assert_eq!(text(&failed, "event.kind"), "failed");
}

#[wasm_bindgen_test]
fn fresh_seeds_differ() {
    let seeds = [0; 4].map(|_| fresh_seed());
    assert!(seeds.iter().all(|&seed| seed < 1_000_000), "{seeds:?}");
    assert_ne!(seeds[..2], seeds[2..]);
}

#[cfg(feature = "exporter")]
#[wasm_bindgen_test]
fn a_tree_is_written_in_another_form_or_refused_with_a_reason() {
    let mut engine = Engine::new();
    send(&mut engine, LOAD, Some(&table()));
    let started = send(&mut engine, TRAIN, None);
    let tree = text(&started, "event.cart.json");
    for (format, name, mime) in
        [("sql", "size.sql", "application/sql"), ("onnx", "size.onnx", "application/octet-stream")]
    {
        let file = espalier::wasm::export_tree(&tree, format);
        assert_eq!((text(&file, "fileName").as_str(), text(&file, "mime").as_str()), (name, mime));
        let bytes: Uint8Array = get(&file, "bytes").dyn_into().expect("a typed array");
        assert!(bytes.length() > 100);
    }
    let refused = espalier::wasm::export_tree(&tree, "excel");
    assert!(text(&refused, "message").contains("excel") && text(&refused, "hint").contains("pmml"));
}

#[cfg(feature = "exporter")]
#[wasm_bindgen_test]
fn a_file_is_predicted_in_slices() {
    let mut engine = Engine::new();
    send(&mut engine, LOAD, Some(&table()));
    let started = send(&mut engine, TRAIN, None);
    let tree = || text(&started, "event.cart.json");
    let mut predictor = espalier::wasm::Predictor::create(tree());
    let rows = table();
    // The file is fed until the predictor no longer asks for it: once for the survey, once for the
    // predictions.
    let (mut csv, mut passes) = (vec![], 0);
    let mut again = true;
    while again {
        passes += 1;
        for piece in rows.as_bytes().chunks(100) {
            let slice = predictor.feed(Some(piece.to_vec()));
            csv.extend(Uint8Array::from(get(&slice, "bytes")).to_vec());
        }
        let end = predictor.feed(None);
        csv.extend(Uint8Array::from(get(&end, "bytes")).to_vec());
        again = get(&end, "again").is_truthy();
        assert!(again || get(&end, "rows").as_f64() == Some(80.0));
    }
    let csv = String::from_utf8(csv).expect("it is text");
    assert!(csv.starts_with("a,b,size,prediction,") && csv.lines().count() == 81 && passes == 2, "{csv}");
    let mut other = espalier::wasm::Predictor::create(tree());
    other.feed(Some(b"z\n1\n2\n".to_vec()));
    assert!(text(&other.feed(None), "message").contains("which the file does not have"));
}
