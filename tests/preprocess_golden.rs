//! Quantile scaling and target means compared with scikit-learn and category_encoders.
#![cfg(not(target_arch = "wasm32"))]

use espalier::encode::{QuantileNormal, TargetMeans};
use espalier::numeric::random::Random;
use serde_json::Value;

/// The golden file's own tolerance.
const TOLERANCE: f64 = 1e-9;

fn cases(kind: &str) -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("golden/preprocess_metrics.json")).unwrap();
    let cases: Vec<Value> =
        golden["cases"].as_array().unwrap().iter().filter(|case| case["kind"] == kind).cloned().collect();
    assert!(!cases.is_empty(), "the golden file has cases of kind {kind}");
    cases
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

fn check(name: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < TOLERANCE, "{name} {i}: {found} and {expected}");
    }
}

#[test]
fn ranks_become_normal_as_in_scikit_learn() {
    for case in cases("quantile_normal") {
        let name = case["name"].as_str().unwrap();
        let fitted = QuantileNormal::fit(&numbers(&case["fit_column"]), 0.0, &mut Random::new(0));
        check(name, fitted.quantiles(), &numbers(&case["quantiles"]));
        let transformed: Vec<f64> = numbers(&case["x"]).iter().map(|&x| fitted.apply(x)).collect();
        check(name, &transformed, &numbers(&case["transformed"]));
    }
}

#[test]
fn means_leave_one_out_as_in_category_encoders() {
    for case in cases("leave_one_out") {
        let (trained, y) = (words(&case["category"]), numbers(&case["y"]));
        let mut known = trained.clone();
        known.sort_unstable();
        known.dedup();
        let code = |word: &str| known.binary_search(&word).map_or(-1.0, |at| at as f32);
        let means = TargetMeans::fit(trained.iter().map(|word| code(word)), &y, known.len());
        let encoded: Vec<f64> =
            trained.iter().zip(&y).map(|(word, &y)| means.mean_of_others(code(word), y)).collect();
        check("training", &encoded, &numbers(&case["train_encoded"]));
        let encoded: Vec<f64> =
            words(&case["test_category"]).iter().map(|word| means.mean(code(word))).collect();
        check("new", &encoded, &numbers(&case["test_encoded"]));
    }
}
