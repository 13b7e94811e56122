//! GradTree compared with another implementation: entmax, outputs, losses, every gradient, and the optimiser.
//!
//! Every case runs in f64 at the file's tolerance and in f32 at the file's f32 tolerance.

use espalier::learn::gradtree::Parameters;
use espalier::learn::gradtree::paper::Samples;
use espalier::learn::gradtree::paper::backward::{Workspace, gradient, mean_loss};
use espalier::learn::gradtree::paper::forward::HardSplits;
use espalier::numeric::Real;
use espalier::numeric::activation::SplitFunction;
use espalier::numeric::loss::{Loss, Truth};
use espalier::numeric::optim::Adam;
use espalier::numeric::simplex::{entmax15_product, entmax15_root};
use serde_json::Value;

struct Golden {
    cases: Vec<Value>,
    /// For f64.
    abs: f64,
    abs_f32: f64,
}

fn golden(text: &str) -> Golden {
    let file: Value = serde_json::from_str(text).expect("a golden file is JSON");
    let tolerance = |key: &str| file["tolerance"][key].as_f64().expect("a golden file states its tolerance");
    let (abs, abs_f32) = (tolerance("abs"), tolerance("abs_f32"));
    Golden { cases: file["cases"].as_array().expect("a golden file has cases").clone(), abs, abs_f32 }
}

/// The numbers of a list, or of a list of lists, flattened row by row.
fn numbers<R: Real>(value: &Value) -> Vec<R> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![R::from_f64(number.as_f64().unwrap_or_else(|| panic!("{number} is no number")))],
    }
}

fn assert_close<R: Real>(what: &str, ours: &[R], theirs: &Value, abs: f64) {
    let theirs: Vec<f64> = numbers(theirs);
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert!((ours.to_f64() - theirs).abs() <= abs, "{what}[{at}]: ours {ours:?}, theirs {theirs}");
    }
}

#[test]
fn entmax_and_its_jacobian() {
    fn check<R: Real>(case: &Value, abs: f64) {
        let v: Vec<R> = numbers(&case["v"]);
        let mut r = vec![R::ZERO; v.len()];
        entmax15_root(&v, &mut r);
        let p: Vec<R> = r.iter().map(|&r| r * r).collect();
        let name = case["name"].as_str().unwrap();
        assert_close(&format!("{name} p"), &p, &case["p"], abs);
        for product in case["jvp"].as_array().unwrap() {
            let mut g: Vec<R> = numbers(&product["g"]);
            entmax15_product(&r, &mut g);
            assert_close(&format!("{name} Jg"), &g, &product["Jg"], abs);
        }
    }
    let golden = golden(include_str!("golden/entmax15.json"));
    assert_eq!(golden.cases.len(), 28);
    for case in &golden.cases {
        check::<f64>(case, golden.abs);
        check::<f32>(case, golden.abs_f32);
    }
}

/// A case of the dense file, in one precision.
struct Case<R> {
    parameters: Parameters<R>,
    x: Vec<R>,
    truth: Vec<Truth<R>>,
    weight: Vec<R>,
    loss: Loss,
    split: SplitFunction,
}

impl<R: Real> Case<R> {
    fn read(case: &Value) -> Self {
        let size = |key: &str| case[key].as_u64().unwrap() as usize;
        let mut parameters = Parameters::zeros(size("depth"), size("n"), size("outputs"));
        parameters.split_index = numbers(&case["I"]);
        parameters.split_threshold = numbers(&case["T"]);
        parameters.leaf = numbers(&case["L"]);
        let y: Vec<f64> = numbers(&case["y"]);
        let weights: Vec<f64> =
            if case["class_weights"].is_null() { vec![] } else { numbers(&case["class_weights"]) };
        let weight = |y: &f64| R::from_f64(weights.get(*y as usize).copied().unwrap_or(1.0));
        let regression = case["loss_kind"] == "mse";
        let real = |key: &str| case[key].as_f64().unwrap();
        Case {
            parameters,
            x: numbers(&case["X"]),
            weight: y.iter().map(weight).collect(),
            truth: y
                .iter()
                .map(|&y| if regression { Truth::Value(R::from_f64(y)) } else { Truth::Class(y as usize) })
                .collect(),
            loss: match case["loss_kind"].as_str().unwrap() {
                "mse" => Loss::SquaredError,
                "softmax_ce" | "sigmoid_bce" => {
                    Loss::Classes { focal_gamma: real("focal_gamma"), poly_epsilon: real("poly_eps") }
                }
                other => panic!("unknown loss {other}"),
            },
            split: match case["split"].as_str().unwrap() {
                "sigmoid" => SplitFunction::Sigmoid,
                "softsign" => SplitFunction::Softsign,
                other => panic!("unknown split {other}"),
            },
        }
    }

    fn samples(&self) -> Samples<'_, R> {
        Samples { x: &self.x, truth: &self.truth, weight: &self.weight }
    }

    /// Raw outputs, sample after sample.
    fn out(&self) -> Vec<R> {
        let choices = HardSplits::new(&self.parameters);
        let rows = self.x.chunks_exact(self.parameters.features);
        rows.flat_map(|x| self.parameters.leaf_row(choices.leaf(x)).to_vec()).collect()
    }

    /// The gradient with respect to the raw outputs, including the mean over the batch.
    fn d_out(&self, out: &[R]) -> Vec<R> {
        let share = R::ONE / R::from_f64(self.truth.len() as f64);
        let mut d_out = vec![R::ZERO; out.len()];
        let outputs = self.parameters.outputs;
        for (sample, (u, d_u)) in out.chunks_exact(outputs).zip(d_out.chunks_exact_mut(outputs)).enumerate() {
            self.loss.evaluate(u, self.truth[sample], self.weight[sample] * share, d_u);
        }
        d_out
    }

    fn gradient(&self) -> (f64, Parameters<R>) {
        let Parameters { depth, features, outputs, .. } = self.parameters;
        let mut d = Parameters::zeros(depth, features, outputs);
        let mut workspace = Workspace::new(depth, features, outputs);
        let batch: Vec<usize> = (0..self.truth.len()).collect();
        let choices = HardSplits::new(&self.parameters);
        let mut descend = |batch: &[usize]| {
            gradient(
                &self.parameters,
                &choices,
                self.samples(),
                batch,
                &self.loss,
                self.split,
                &mut workspace,
                &mut d,
            )
        };
        // The state left by an earlier batch must not matter.
        batch.iter().for_each(|sample| {
            descend(&[*sample]);
        });
        (descend(&batch), d)
    }
}

#[test]
fn outputs_losses_and_gradients_of_the_dense_form() {
    fn check<R: Real>(name: &str, case: &Value, abs: f64) {
        let ours = Case::<R>::read(case);
        let out = ours.out();
        assert_close(&format!("{name} out"), &out, &case["out"], abs);
        assert_close(&format!("{name} dout"), &ours.d_out(&out), &case["dout"], abs);
        let (loss, d) = ours.gradient();
        assert_close(&format!("{name} loss"), &[loss], &case["loss"], abs);
        assert_close(&format!("{name} dI"), &d.split_index, &case["dI"], abs);
        assert_close(&format!("{name} dT"), &d.split_threshold, &case["dT"], abs);
        assert_close(&format!("{name} dL"), &d.leaf, &case["dL"], abs);

        let Parameters { depth, features, outputs, .. } = ours.parameters;
        let choices = HardSplits::new(&ours.parameters);
        let mut workspace = Workspace::new(depth, features, outputs);
        let mean = mean_loss(&ours.parameters, &choices, ours.samples(), &ours.loss, &mut workspace);
        assert_close(&format!("{name} mean loss"), &[mean], &case["loss"], abs);
    }
    let golden = golden(include_str!("golden/gradtree_dense.json"));
    let mut checked = 0;
    for (at, case) in golden.cases.iter().enumerate() {
        if case["poly_double_softmax_quirk"] == true {
            continue; // Below.
        }
        let name = format!("case {at} {}", case["name"].as_str().unwrap_or(""));
        check::<f64>(&name, case, golden.abs);
        check::<f32>(&name, case, golden.abs_f32);
        checked += 1;
    }
    assert_eq!(checked, 13);
}

/// The released program's PolyLoss term applies softmax to probabilities, as if they were logits. Ours does
/// not. Adding the term by hand gives the same numbers, so this is the only difference.
#[test]
fn the_released_poly_loss_is_a_softmax_of_a_softmax() {
    fn softmax(u: &[f64]) -> Vec<f64> {
        let total: f64 = u.iter().map(|u| u.exp()).sum();
        u.iter().map(|u| u.exp() / total).collect()
    }
    let golden = golden(include_str!("golden/gradtree_dense.json"));
    let mut checked = 0;
    for case in golden.cases.iter().filter(|case| case["poly_double_softmax_quirk"] == true) {
        let ours = Case::<f64>::read(case);
        let epsilon = case["poly_eps"].as_f64().unwrap();
        let out = ours.out();
        assert_close("out", &out, &case["out"], golden.abs);
        let plain = Case { loss: Loss::CROSS_ENTROPY, ..Case::<f64>::read(case) };
        let mut d_out = plain.d_out(&out);
        let (mut loss, _) = plain.gradient();
        let batch = ours.truth.len() as f64;
        for ((u, d_u), truth) in out
            .chunks_exact(ours.parameters.outputs)
            .zip(d_out.chunks_exact_mut(ours.parameters.outputs))
            .zip(&ours.truth)
        {
            let &Truth::Class(class) = truth else { panic!("a class") };
            if let [u] = *u {
                let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
                let (once, sign) = (sigmoid(u), if class == 1 { 1.0 } else { -1.0 });
                let twice = sigmoid(once);
                loss += epsilon * (1.0 - if class == 1 { twice } else { 1.0 - twice }) / batch;
                d_u[0] -= epsilon * sign * twice * (1.0 - twice) * once * (1.0 - once) / batch;
            } else {
                let once = softmax(u);
                let twice = softmax(&once);
                loss += epsilon * (1.0 - twice[class]) / batch;
                let d_once: Vec<f64> = (0..u.len())
                    .map(|k| -epsilon * twice[class] * (f64::from(u8::from(k == class)) - twice[k]) / batch)
                    .collect();
                let along: f64 = d_once.iter().zip(&once).map(|(d, p)| d * p).sum();
                for k in 0..u.len() {
                    d_u[k] += once[k] * (d_once[k] - along);
                }
            }
        }
        assert_close("loss", &[loss], &case["loss"], golden.abs);
        assert_close("dout", &d_out, &case["dout"], golden.abs);
        // The published form, which we use, is different.
        assert!((ours.gradient().0 - loss).abs() > 1e-3);
        checked += 1;
    }
    assert_eq!(checked, 2);
}

#[test]
fn adam_steps_like_keras() {
    fn check<R: Real>(case: &Value, abs: f64) {
        assert_eq!(case["eps"].as_f64(), Some(Adam::<R>::EPSILON));
        assert_eq!(numbers::<f32>(&case["betas"]), [Adam::<R>::BETA_1, Adam::<R>::BETA_2]);
        let mut theta: Vec<R> = numbers(&case["theta0"]);
        let mut adam = Adam::new(theta.len(), case["lr"].as_f64().unwrap());
        let steps =
            case["grads"].as_array().unwrap().iter().zip(case["theta_after_each"].as_array().unwrap());
        for (at, (gradient, after)) in steps.enumerate() {
            adam.step(&mut theta, &numbers::<R>(gradient));
            assert_close(&format!("step {at}"), &theta, after, abs);
        }
    }
    let golden = golden(include_str!("golden/optimizers.json"));
    let case =
        golden.cases.iter().find(|case| case["optimizer"] == "adam_keras").expect("the file has Keras' Adam");
    check::<f64>(case, golden.abs);
    check::<f32>(case, golden.abs_f32);
}
