//! Scores compared with scikit-learn's, and the area under the curve with its definition.
#![cfg(not(target_arch = "wasm32"))]

use espalier::metrics::{Hierarchy, classification, dendrogram_purity, regression};
use espalier::tree::Decision;
use proptest::prelude::*;
use serde_json::Value;

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

/// The golden file's own tolerance.
const TOLERANCE: f64 = 1e-9;

#[test]
fn labels_score_as_in_scikit_learn() {
    for case in cases("metrics") {
        let truth: Vec<u32> = numbers(&case["y_true"]).iter().map(|&class| class as u32).collect();
        let labels = numbers(&case["y_pred"]);
        let sure = |label: &f64| (0..4).map(|class| f64::from(u8::from(class == *label as usize))).collect();
        let scores = classification(
            &truth,
            &labels.iter().map(sure).collect::<Vec<Vec<f64>>>(),
            &Decision::Likeliest,
            4,
        );
        for name in ["accuracy", "macro_f1"] {
            let expected = case[name].as_f64().unwrap();
            assert!((scores[name] - expected).abs() < TOLERANCE, "{name}: {} and {expected}", scores[name]);
        }
    }
}

#[test]
fn numbers_score_as_in_scikit_learn() {
    for case in cases("r2") {
        let r2 = regression(&numbers(&case["y_true"]), &numbers(&case["y_pred"]))["r2"];
        let expected = case["r2"].as_f64().unwrap();
        assert!((r2 - expected).abs() < TOLERANCE, "{r2} and {expected}");
    }
}

#[test]
fn purity_of_a_hierarchy_is_that_of_all_pairs() {
    for case in cases("dendrogram_purity") {
        let label: Vec<u32> = numbers(&case["labels"]).iter().map(|&class| class as u32).collect();
        let leaf: Vec<usize> = numbers(&case["leaf_node"]).iter().map(|&node| node as usize).collect();
        let z: Vec<Vec<f64>> = case["z"].as_array().unwrap().iter().map(numbers).collect();
        let (nodes, classes) = (z[0].len(), 1 + *label.iter().max().unwrap() as usize);
        let mut members = vec![vec![0.0; classes]; nodes];
        for (z, &class) in z.iter().zip(&label) {
            // A relaxed tree counts a row wherever its traversal is positive.
            (0..nodes).filter(|&t| z[t] > 0.0).for_each(|t| members[t][class as usize] += 1.0);
        }
        let parent: Vec<usize> = (0..nodes).map(|t| t.saturating_sub(1) / 2).collect();
        let purity =
            dendrogram_purity(&Hierarchy { parent: &parent, leaf: &leaf, members: &members }, &label)
                .unwrap();
        let expected = case["purity"].as_f64().unwrap();
        assert!((purity - expected).abs() < TOLERANCE, "{purity} and {expected}");
    }
}

/// The share of (positive, negative) pairs in order, ties counting half; `None` without pairs.
fn pairs_in_order(truth: &[u32], scores: &[f64], class: u32) -> Option<f64> {
    let (mut won, mut pairs) = (0.0, 0.0);
    for (i, _) in truth.iter().enumerate().filter(|(_, t)| **t == class) {
        for (j, _) in truth.iter().enumerate().filter(|(_, t)| **t != class) {
            pairs += 1.0;
            won += if scores[i] > scores[j] {
                1.0
            } else if scores[i] == scores[j] {
                0.5
            } else {
                0.0
            };
        }
    }
    (pairs > 0.0).then(|| won / pairs)
}

proptest! {
    #[test]
    fn the_area_is_the_share_of_pairs_in_order(
        classes in 2usize..5,
        rows in prop::collection::vec((0u32..5, prop::collection::vec(0u8..6, 5)), 1..60),
    ) {
        let truth: Vec<u32> = rows.iter().map(|(class, _)| class % classes as u32).collect();
        // Few distinct scores, so that ties are common.
        let probabilities: Vec<Vec<f64>> =
            rows.iter().map(|(_, p)| p[..classes].iter().map(|&p| f64::from(p) / 10.0).collect()).collect();
        let of_class = |class: u32| {
            let scores: Vec<f64> = probabilities.iter().map(|row| row[class as usize]).collect();
            pairs_in_order(&truth, &scores, class)
        };
        let expected = if classes == 2 {
            of_class(1)
        } else {
            let areas: Vec<f64> = (0..classes as u32).filter_map(of_class).collect();
            (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
        };
        let scores = classification(&truth, &probabilities, &Decision::Likeliest, classes);
        match (scores.get("auc"), expected) {
            // Both count in halves below 2^53, so only the division and the mean are rounded.
            (Some(area), Some(expected)) => {
                prop_assert!((area - expected).abs() < 1e-12, "{area} and {expected}");
            }
            (area, expected) => prop_assert!(area.is_none() && expected.is_none()),
        }
        prop_assert!(scores.values().all(|score| score.is_finite()));
    }
}
