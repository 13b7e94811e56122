//! The relaxed tree compared with another implementation: scores, pruning variables, traversal, groups and
//! every gradient, in f64 at the file's tolerance, and its optimiser.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::relaxed::paper::isotonic::Pruning;
use espalier::learn::relaxed::paper::traversal::{Planes, Traversal, Version};
use espalier::numeric::optim::QhAdam;
use nalgebra::DMatrix;
use serde_json::Value;

fn golden(text: &str) -> Value {
    serde_json::from_str(text).expect("a golden file is JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap_or_else(|| panic!("{number} is no number"))],
    }
}

fn assert_close(what: &str, ours: &[f64], theirs: &[f64], abs: f64) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert!((ours - theirs).abs() <= abs, "{what}[{at}]: ours {ours}, theirs {theirs}");
    }
}

/// A case's traversal from its scores. The planes read the scores directly as columns, so that nothing is
/// rounded to f32.
fn traversal(case: &Value, version: Version) -> Traversal {
    let depth = case["depth"].as_u64().unwrap() as usize;
    let inner = (1 << depth) - 1;
    let samples = case["N"].as_u64().unwrap() as usize;
    let s = numbers(&case["s"]);
    let mut all = Traversal::default();
    all.begin.push(0);
    for i in 0..samples {
        // A score is a constant here: the sample's own.
        let planes = Planes { weights: &[], bias: &s[i * inner..(i + 1) * inner], features: 0, scale: 1.0 };
        let mut one = Traversal::default();
        one.pass(&planes, inner, version.offset(), std::iter::once(&[][..]));
        all.node.extend(&one.node);
        all.q.extend(&one.q);
        all.source.extend(&one.source);
        all.begin.push(all.node.len());
    }
    all
}

#[test]
fn scores_pruning_and_gradients_agree() {
    let file = golden(include_str!("golden/sparse_relaxation.json"));
    let abs = file["tolerance"]["abs"].as_f64().unwrap();
    let mut seen = [0; 2];
    for case in file["cases"].as_array().unwrap() {
        let version = if case["version"] == "A" { Version::A } else { Version::B };
        seen[usize::from(version == Version::B)] += 1;
        let depth = case["depth"].as_u64().unwrap() as usize;
        let (inner, nodes) = ((1usize << depth) - 1, (2usize << depth) - 1);
        let samples = case["N"].as_u64().unwrap() as usize;
        let traversal = traversal(case, version);
        let (theirs_q, theirs_z, theirs_dq) =
            (numbers(&case["q"]), numbers(&case["z"]), numbers(&case["dq"]));

        let (eta, kappa) = match version {
            Version::A => (numbers(&case["eta"]), 1.0),
            Version::B => (vec![0.0; nodes], case["lambda"].as_f64().unwrap()),
        };
        let mut pruning = Pruning::new(nodes);
        pruning.solve(&traversal, &eta, kappa);
        assert_close("a", &pruning.a, &numbers(&case["a"]), abs);

        // Scores that were not computed must not be positive.
        let mut z = vec![0.0; samples * nodes];
        let mut known = vec![false; samples * nodes];
        for i in 0..samples {
            for entry in traversal.entries(i) {
                let t = traversal.node[entry] as usize;
                known[i * nodes + t] = true;
                assert!((traversal.q[entry] - version.offset() - theirs_q[i * nodes + t]).abs() <= abs);
                z[i * nodes + t] = traversal.q[entry].min(pruning.a[t]);
            }
        }
        assert!((0..known.len()).all(|at| known[at] || theirs_q[at] + version.offset() <= abs));
        assert_close("z", &z, &theirs_z, abs);

        // Groups whose value is not clamped to a bound; the others have no influence.
        for group in case["groups"].as_array().unwrap() {
            let members: Vec<usize> = numbers(&group["nodes"]).into_iter().map(|t| t as usize).collect();
            let a = pruning.a[members[0]];
            if a > abs && a < 1.0 - abs {
                let top = pruning.top[members[0]] as usize;
                let ours: Vec<usize> = (0..nodes).filter(|&t| pruning.top[t] as usize == top).collect();
                assert_eq!(ours, members);
                assert_eq!(pruning.active[top] as u64, group["k"].as_u64().unwrap());
                assert_close(
                    "denominator",
                    &[pruning.denominator[top]],
                    &numbers(&group["denominator"]),
                    abs,
                );
            }
        }

        let z_bar_all = numbers(&case["zbar"]);
        let mut z_bar = vec![];
        for i in 0..samples {
            z_bar.extend(
                traversal.entries(i).map(|entry| z_bar_all[i * nodes + traversal.node[entry] as usize]),
            );
        }
        let mut a_bar = if case["abar"].is_null() { vec![0.0; nodes] } else { numbers(&case["abar"]) };
        let objective: f64 = z.iter().zip(&z_bar_all).map(|(z, bar)| z * bar).sum::<f64>()
            + pruning.a.iter().zip(&a_bar).map(|(a, bar)| a * bar).sum::<f64>();
        assert_close("objective", &[objective], &numbers(&case["objective"]), abs);

        let (mut q_bar, mut eta_bar) = (vec![], vec![0.0; nodes]);
        pruning.backward(&traversal, &z_bar, &mut a_bar, &mut q_bar, &mut eta_bar);
        let mut dq = vec![0.0; samples * nodes];
        let mut s_bar = vec![0.0; samples * inner];
        for i in 0..samples {
            for entry in traversal.entries(i) {
                dq[i * nodes + traversal.node[entry] as usize] = q_bar[entry];
                let source = traversal.source[entry];
                if source != 0 {
                    let t = source.unsigned_abs() as usize - 1;
                    s_bar[i * inner + t] += f64::from(source.signum()) * q_bar[entry];
                }
            }
        }
        assert_close("dq", &dq, &theirs_dq, abs);
        if version == Version::A {
            assert_close("deta", &eta_bar, &numbers(&case["deta"]), abs);
            let (x, n) = (numbers(&case["X"]), case["n"].as_u64().unwrap() as usize);
            let (mut dw, mut db) = (vec![0.0; inner * n], vec![0.0; inner]);
            for i in 0..samples {
                for t in 0..inner {
                    db[t] += s_bar[i * inner + t];
                    for j in 0..n {
                        dw[t * n + j] += s_bar[i * inner + t] * x[i * n + j];
                    }
                }
            }
            assert_close("dW", &dw, &numbers(&case["dW"]), abs);
            assert_close("db", &db, &numbers(&case["db"]), abs);
            // The scores computed from planes and rows.
            let (w, b) = (numbers(&case["W"]), numbers(&case["b"]));
            let s: Vec<f64> = (0..samples * inner)
                .map(|at| {
                    let (i, t) = (at / inner, at % inner);
                    b[t] + (0..n).map(|j| w[t * n + j] * x[i * n + j]).sum::<f64>()
                })
                .collect();
            assert_close("s", &s, &numbers(&case["s"]), abs);
            // Rows are f32 in training, so the kernel's own scores agree only to that precision.
            let rows = Design {
                x: DMatrix::from_fn(n, samples, |j, i| x[i * n + j] as f32),
                y: Labels::Values(vec![]),
            };
            let planes = Planes { weights: &w, bias: &b, features: n, scale: 1.0 };
            let rows = Arc::new(rows);
            let ours: Vec<f64> =
                (0..samples * inner).map(|at| planes.score(at % inner, rows.row(at / inner))).collect();
            assert_close("s of f32 rows", &ours, &s, file["tolerance"]["abs_f32"].as_f64().unwrap());
        }
    }
    assert_eq!(seen, [6, 4]);
}

#[test]
fn the_optimiser_steps_as_the_library_does() {
    let file = golden(include_str!("golden/optimizers.json"));
    let case = file["cases"].as_array().unwrap().iter().find(|case| case["optimizer"] == "qhadam").unwrap();
    assert_eq!(numbers(&case["nus"]), QhAdam::<f64>::NU);
    assert_eq!(numbers(&case["betas"]), QhAdam::<f64>::BETA);
    let rate = case["lr"].as_f64().unwrap();
    let start = numbers(&case["theta0"]);
    let mut exact = (start.clone(), QhAdam::<f64>::new(start.len()));
    let mut single = (start.iter().map(|&x| x as f32).collect::<Vec<f32>>(), QhAdam::<f32>::new(start.len()));
    let steps = case["grads"].as_array().unwrap().iter().zip(case["theta_after_each"].as_array().unwrap());
    for (gradient, expected) in steps {
        let (gradient, expected) = (numbers(gradient), numbers(expected));
        exact.1.step(&mut exact.0, &gradient, rate);
        assert_close("theta", &exact.0, &expected, file["tolerance"]["abs"].as_f64().unwrap());
        let gradient: Vec<f32> = gradient.iter().map(|&g| g as f32).collect();
        single.1.step(&mut single.0, &gradient, rate);
        let found: Vec<f64> = single.0.iter().map(|&x| f64::from(x)).collect();
        assert_close("theta in f32", &found, &expected, file["tolerance"]["abs_f32"].as_f64().unwrap());
    }
}
