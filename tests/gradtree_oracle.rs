//! GradTree compared with a slow version of itself: every leaf, every node, plain loops.

use espalier::encode::{Design, Labels};
use espalier::learn::gradtree::paper::OutputUnits;
use espalier::learn::gradtree::paper::Samples;
use espalier::learn::gradtree::paper::backward::{Workspace, gradient, mean_loss};
use espalier::learn::gradtree::paper::forward::HardSplits;
use espalier::learn::gradtree::paper::harden::{complete, pruned};
use espalier::learn::gradtree::{Init, Parameters};
use espalier::numeric::activation::SplitFunction;
use espalier::numeric::loss::{Loss, Truth};
use espalier::numeric::pinball::Pinball;
use espalier::numeric::random::Random;
use espalier::numeric::rows::RowAdam;
use espalier::numeric::simplex::{entmax15_product, entmax15_root};
use nalgebra::DMatrix;

/// A random tree with a random batch.
struct Problem {
    parameters: Parameters<f64>,
    x: Vec<f64>,
    truth: Vec<Truth<f64>>,
    weight: Vec<f64>,
    loss: Loss,
    split: SplitFunction,
}

impl Problem {
    fn draw(random: &mut Random) -> Problem {
        let (depth, features, outputs) = (1 + random.below(8), 1 + random.below(20), 1 + random.below(5));
        let mut parameters = Parameters::zeros(depth, features, outputs);
        // A spread of up to a few units gives entmax supports from one feature to many.
        let spread = [0.1, 1.0, 3.0][random.below(3)];
        parameters.split_index.iter_mut().for_each(|v| *v = spread * random.normal());
        parameters.split_threshold.iter_mut().for_each(|v| *v = random.normal());
        parameters.leaf.iter_mut().for_each(|v| *v = random.normal());
        // Up to three blocks of lanes, the last of them not full.
        let samples = 1 + random.below(20);
        let regression = outputs == 1 && random.below(2) == 0;
        let truth = (0..samples).map(|_| {
            if regression {
                Truth::Value(random.normal())
            } else {
                Truth::Class(random.below(outputs.max(2)))
            }
        });
        let truth = truth.collect();
        let numbers = [Loss::SquaredError, Loss::Pinball(Pinball::ABSOLUTE), Loss::Pinball(Pinball::of(0.8))];
        let (focal_gamma, poly_epsilon) = ([0.0, 0.5, 3.0][random.below(3)], [0.0, 2.0][random.below(2)]);
        Problem {
            parameters,
            x: (0..samples * features).map(|_| random.normal()).collect(),
            truth,
            weight: (0..samples).map(|_| random.uniform_in(0.5, 2.0)).collect(),
            loss: if regression {
                numbers[random.below(3)]
            } else {
                Loss::Classes { focal_gamma, poly_epsilon }
            },
            split: [SplitFunction::Sigmoid, SplitFunction::Softsign][random.below(2)],
        }
    }

    fn samples(&self) -> Samples<'_, f64> {
        Samples { x: &self.x, truth: &self.truth, weight: &self.weight }
    }

    fn fast(&self, batch: &[usize]) -> (f64, Parameters<f64>) {
        let Parameters { depth, features, outputs, .. } = self.parameters;
        let mut d = Parameters::zeros(depth, features, outputs);
        let choices = HardSplits::new(&self.parameters);
        let mut workspace = Workspace::new(depth, features, outputs);
        let (samples, loss) = (self.samples(), &self.loss);
        let value =
            gradient(&self.parameters, &choices, samples, batch, loss, self.split, &mut workspace, &mut d);
        (value, d)
    }
}

/// The ancestor of leaf `l` at level `j` = 1..D, and whether the leaf is on its right side.
fn above(l: usize, j: usize, depth: usize) -> (usize, bool) {
    ((1 << (j - 1)) - 1 + (l >> (depth - (j - 1))), (l >> (depth - j)) % 2 == 1)
}

/// The index of the first largest value.
fn argmax(values: &[f64]) -> usize {
    (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap()
}

/// entmax 1.5 by bisection of its threshold, and its Jacobian written out.
fn slow_entmax(v: &[f64]) -> (Vec<f64>, DMatrix<f64>) {
    let most = v.iter().copied().fold(f64::MIN, f64::max);
    let roots = |tau: f64| v.iter().map(move |v| f64::max((v - most) / 2.0 - tau, 0.0)).collect::<Vec<f64>>();
    let (mut low, mut high) = (-1.0, 0.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if roots(middle).iter().map(|r| r * r).sum::<f64>() > 1.0 { low = middle } else { high = middle }
    }
    let r = roots(high);
    let total: f64 = r.iter().sum();
    let n = v.len();
    let jacobian = DMatrix::from_fn(n, n, |a, b| if a == b { r[a] } else { 0.0 } - r[a] * r[b] / total);
    (r.iter().map(|r| r * r).collect(), jacobian)
}

/// The dense form: P_l of every leaf, its derivative with respect to every S_i, with both straight-through
/// rules.
fn slow(problem: &Problem) -> (f64, Parameters<f64>) {
    let Parameters { depth, features, outputs, .. } = problem.parameters;
    let (splits, leaves) = ((1 << depth) - 1, 1 << depth);
    let (scores, thresholds) = (&problem.parameters.split_index, &problem.parameters.split_threshold);
    let mut d = Parameters::zeros(depth, features, outputs);
    let mut d_h = vec![0.0; splits * features];
    let mut loss = 0.0;
    for (sample, x) in problem.x.chunks_exact(features).enumerate() {
        let chosen: Vec<usize> = scores.chunks_exact(features).map(argmax).collect();
        let z: Vec<f64> = (0..splits).map(|i| thresholds[i * features + chosen[i]] - x[chosen[i]]).collect();
        let s: Vec<f64> = z.iter().map(|&z| if problem.split.value(z) > 0.5 { 1.0 } else { 0.0 }).collect();
        let factor = |l: usize, j: usize| {
            let (node, right) = above(l, j, depth);
            if right { 1.0 - s[node] } else { s[node] }
        };
        let reach: Vec<f64> = (0..leaves).map(|l| (1..=depth).map(|j| factor(l, j)).product()).collect();
        let leaf = |l: usize, k: usize| problem.parameters.leaf[l * outputs + k];
        let u: Vec<f64> = (0..outputs).map(|k| (0..leaves).map(|l| reach[l] * leaf(l, k)).sum()).collect();
        let mut d_u = vec![0.0; outputs];
        let weight = problem.weight[sample] / problem.truth.len() as f64;
        loss += problem.loss.evaluate(&u, problem.truth[sample], weight, &mut d_u);
        let mut d_s = vec![0.0; splits];
        for l in 0..leaves {
            let d_reach: f64 = (0..outputs).map(|k| d_u[k] * leaf(l, k)).sum();
            for k in 0..outputs {
                d.leaf[l * outputs + k] += reach[l] * d_u[k];
            }
            for j in 1..=depth {
                let (node, right) = above(l, j, depth);
                let others: f64 =
                    (1..=depth).filter(|&other| other != j).map(|other| factor(l, other)).product();
                d_s[node] += if right { -1.0 } else { 1.0 } * others * d_reach;
            }
        }
        for i in 0..splits {
            let d_z = d_s[i] * problem.split.slope(z[i]);
            d.split_threshold[i * features + chosen[i]] += d_z;
            for j in 0..features {
                d_h[i * features + j] += d_z * (thresholds[i * features + j] - x[j]);
            }
        }
    }
    for i in 0..splits {
        let (_, jacobian) = slow_entmax(&scores[i * features..(i + 1) * features]);
        for a in 0..features {
            d.split_index[i * features + a] =
                (0..features).map(|b| jacobian[(a, b)] * d_h[i * features + b]).sum();
        }
    }
    (loss, d)
}

fn furthest(a: &Parameters<f64>, b: &Parameters<f64>) -> f64 {
    let pairs =
        [(&a.split_index, &b.split_index), (&a.split_threshold, &b.split_threshold), (&a.leaf, &b.leaf)];
    pairs.into_iter().flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_path_form_is_the_dense_form() {
    let mut random = Random::new(560);
    let mut largest: f64 = 0.0;
    for tree in 0..560 {
        let problem = Problem::draw(&mut random);
        let batch: Vec<usize> = (0..problem.truth.len()).collect();
        let ((fast_loss, fast), (slow_loss, slow)) = (problem.fast(&batch), slow(&problem));
        // 1e-12 is far above rounding of sums of some thousand terms of order 1, and far below any wrong
        // term.
        let off = furthest(&fast, &slow).max((fast_loss - slow_loss).abs());
        assert!(off < 1e-12, "tree {tree}: off by {off}, {:?} {:?}", problem.loss, problem.split);
        largest = largest.max(off);
    }
    println!("largest difference over 560 trees: {largest:e}");
}

/// The straight-through gradient is not the derivative of the hard forward pass. At one point, it is the
/// derivative of a surrogate in which each hard value moves as its soft counterpart does: `S + s(z) − s(z₀)`,
/// `h + p(I) − p(I₀)`.
#[test]
fn the_gradient_is_the_derivative_of_the_relaxed_surrogate() {
    fn surrogate(problem: &Problem, at: &Parameters<f64>) -> f64 {
        let Parameters { depth, features, outputs, .. } = problem.parameters;
        let (splits, leaves) = ((1 << depth) - 1, 1 << depth);
        let row = |values: &[f64], i: usize| values[i * features..(i + 1) * features].to_vec();
        let start = &problem.parameters;
        let mut d_u = vec![0.0; outputs];
        let mut loss = 0.0;
        for (sample, x) in problem.x.chunks_exact(features).enumerate() {
            let s: Vec<f64> = (0..splits)
                .map(|i| {
                    let chosen = argmax(&row(&start.split_index, i));
                    let z_0 = start.split_threshold[i * features + chosen] - x[chosen];
                    let (p, _) = slow_entmax(&row(&at.split_index, i));
                    let (p_0, _) = slow_entmax(&row(&start.split_index, i));
                    let z: f64 = (0..features)
                        .map(|j| {
                            let h = f64::from(u8::from(j == chosen)) + p[j] - p_0[j];
                            h * (at.split_threshold[i * features + j] - x[j])
                        })
                        .sum();
                    f64::from(u8::from(z_0 > 0.0)) + problem.split.value(z) - problem.split.value(z_0)
                })
                .collect();
            let reach = |l: usize| -> f64 {
                (1..=depth)
                    .map(|j| match above(l, j, depth) {
                        (node, true) => 1.0 - s[node],
                        (node, false) => s[node],
                    })
                    .product()
            };
            let u: Vec<f64> = (0..outputs)
                .map(|k| (0..leaves).map(|l| reach(l) * at.leaf[l * outputs + k]).sum())
                .collect();
            let weight = problem.weight[sample] / problem.truth.len() as f64;
            loss += problem.loss.evaluate(&u, problem.truth[sample], weight, &mut d_u);
        }
        loss
    }
    let mut random = Random::new(11);
    let mut trees = 0;
    while trees < 12 {
        let mut problem = Problem::draw(&mut random);
        if problem.parameters.depth > 3 || problem.parameters.features > 6 {
            continue; // The surrogate is slow.
        }
        if trees % 3 == 0 {
            // Every third is a regression under a loss with a kink. No sample comes near the kink:
            // predictions are at least 1e-3 from it.
            if problem.parameters.outputs > 1 {
                continue;
            }
            problem.truth.iter_mut().for_each(|truth| *truth = Truth::Value(random.normal()));
            problem.loss = Loss::Pinball([Pinball::ABSOLUTE, Pinball::of(0.8)][trees / 3 % 2]);
            let leaves = problem.parameters.leaf.iter();
            let off =
                leaves.flat_map(|u| problem.truth.iter().map(move |truth| (u, truth))).map(|(u, truth)| {
                    match truth {
                        Truth::Value(y) => (u - y).abs(),
                        Truth::Class(_) => unreachable!("they are numbers"),
                    }
                });
            if off.fold(f64::INFINITY, f64::min) < 1e-3 {
                continue;
            }
        }
        trees += 1;
        let batch: Vec<usize> = (0..problem.truth.len()).collect();
        let (loss, d) = problem.fast(&batch);
        assert!((surrogate(&problem, &problem.parameters) - loss).abs() < 1e-12);
        // The entmax has kinks where a feature enters its support, but its first derivative is continuous.
        // With step 1e-6 the difference quotient is accurate to some 1e-9 on a smooth stretch and to 1e-6
        // across a kink.
        let step = 1e-6;
        let quotient = |change: &dyn Fn(&mut Parameters<f64>, f64)| {
            let moved = |by: f64| {
                let mut at = problem.parameters.clone();
                change(&mut at, by);
                surrogate(&problem, &at)
            };
            (moved(step) - moved(-step)) / (2.0 * step)
        };
        for at in 0..d.split_index.len() {
            let (index, threshold) = (
                quotient(&|p: &mut Parameters<f64>, by: f64| p.split_index[at] += by),
                quotient(&|p: &mut Parameters<f64>, by: f64| p.split_threshold[at] += by),
            );
            assert!((d.split_index[at] - index).abs() < 1e-6 * (1.0 + index.abs()), "I[{at}]");
            // The forward pass reads only the threshold of the chosen feature, and h is one-hot at the start.
            assert!((d.split_threshold[at] - threshold).abs() < 1e-6 * (1.0 + threshold.abs()), "T[{at}]");
        }
        for at in 0..d.leaf.len() {
            let leaf = quotient(&|p: &mut Parameters<f64>, by: f64| p.leaf[at] += by);
            assert!((d.leaf[at] - leaf).abs() < 1e-6 * (1.0 + leaf.abs()), "L[{at}]");
        }
    }
}

#[test]
fn entmax_stays_on_the_simplex() {
    let mut random = Random::new(5);
    let mut sparse = 0;
    for _ in 0..2000 {
        let n = 1 + random.below(30);
        let spread = [0.01, 1.0, 10.0][random.below(3)];
        let v: Vec<f64> = (0..n).map(|_| spread * random.normal()).collect();
        let mut r = vec![0.0; n];
        entmax15_root(&v, &mut r);
        let p: Vec<f64> = r.iter().map(|r| r * r).collect();
        assert!(p.iter().all(|&p| p >= 0.0) && (p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{v:?}");
        assert_eq!(argmax(&p), argmax(&v));
        let (slow, _) = slow_entmax(&v);
        assert!(p.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 1e-12));
        let mut sorted = v.clone();
        sorted.sort_by(f64::total_cmp);
        if n > 1 && sorted[n - 1] - sorted[n - 2] >= 2.0 {
            sparse += 1;
            assert!((0..n).all(|j| p[j] == if j == argmax(&v) { 1.0 } else { 0.0 }));
            let mut g: Vec<f64> = (0..n).map(|_| random.normal()).collect();
            entmax15_product(&r, &mut g);
            assert!(g.iter().all(|&g| g == 0.0));
        }
    }
    assert!(sparse > 100, "the case of a clear lead was hardly met: {sparse}");
}

#[test]
fn the_hard_forward_pass_is_the_finished_tree() {
    let mut random = Random::new(17);
    let mut on_threshold = 0;
    for seed in 0..200 {
        let (depth, features, outputs) = (1 + random.below(7), 1 + random.below(8), 1 + random.below(4));
        let mut parameters = Parameters::<f32>::draw(depth, features, outputs, Init::Glorot, false, seed);
        if seed % 4 == 0 {
            // Thresholds of zero: just below them are only the subnormal numbers of f32.
            parameters.split_threshold.iter_mut().step_by(3).for_each(|v| *v = 0.0);
        }
        let choices = HardSplits::new(&parameters);
        let splits = (1 << depth) - 1;
        let samples = 40;
        let mut x: Vec<f32> = (0..samples * features).map(|_| random.uniform_in(-1.0, 1.0) as f32).collect();
        for row in x.chunks_exact_mut(features).step_by(2) {
            // On a threshold of the path, or one f32 step next to it.
            let node = random.below(splits);
            let threshold = choices.threshold(node);
            row[choices.feature(node)] =
                [threshold, threshold.next_up(), threshold.next_down(), -threshold][random.below(4)];
            on_threshold += 1;
        }
        let tree = complete(&parameters, OutputUnits::Scores);
        for row in x.chunks_exact(features) {
            assert_eq!(tree.leaf_of(row), splits + choices.leaf(row));
        }
        let design = Design {
            x: DMatrix::from_vec(features, samples, x),
            y: Labels::Classes { label: vec![0; samples], classes: 2 },
        };
        let small = pruned(&parameters, OutputUnits::Scores, &design);
        assert!(small.size() <= tree.size());
        for row in design.rows() {
            assert_eq!(small.output(small.leaf_of(row), row), tree.output(tree.leaf_of(row), row));
        }
    }
    assert_eq!(on_threshold, 4000);
}

#[test]
fn leaves_of_numbers_are_in_the_targets_units() {
    let parameters = Parameters::<f32>::draw(2, 3, 1, Init::Normal, false, 1);
    let tree = complete(&parameters, OutputUnits::Value { mean: 100.0, deviation: 8.0 });
    for leaf in 0..4 {
        let expected = 100.0 + 8.0 * f64::from(parameters.leaf[leaf]);
        assert!((tree.output(3 + leaf, &[0.0; 3])[0] - expected).abs() < 1e-5);
    }
}

#[test]
fn the_order_of_the_rows_changes_nothing_but_rounding() {
    let mut random = Random::new(23);
    for _ in 0..50 {
        let problem = Problem::draw(&mut random);
        let batch: Vec<usize> = (0..problem.truth.len()).collect();
        let order = random.permutation(batch.len());
        let ((loss, d), (loss_moved, d_moved)) = (problem.fast(&batch), problem.fast(&order));
        // Sums of at most eight terms of order 1.
        assert!((loss - loss_moved).abs() < 1e-13 && furthest(&d, &d_moved) < 1e-13);
        let Parameters { depth, features, outputs, .. } = problem.parameters;
        let mut workspace = Workspace::new(depth, features, outputs);
        let choices = HardSplits::new(&problem.parameters);
        let mean = mean_loss(&problem.parameters, &choices, problem.samples(), &problem.loss, &mut workspace);
        assert!((mean - loss).abs() < 1e-13);
    }
}

/// Steps of gradient and optimiser, with both kinds of Adam: nothing is allocated, from the first step on.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_step_allocates_nothing() {
    let mut random = Random::new(29);
    for (depth, features, outputs) in [(4, 7, 1), (9, 30, 3)] {
        let mut parameters = Parameters::<f32>::draw(depth, features, outputs, Init::Glorot, false, 1);
        let x: Vec<f32> = (0..500 * features).map(|_| random.normal() as f32).collect();
        let truth: Vec<Truth<f32>> = (0..500).map(|_| Truth::Class(random.below(outputs.max(2)))).collect();
        let weight = vec![1.0; 500];
        let samples = Samples { x: &x, truth: &truth, weight: &weight };
        let (splits, leaves) = ((1 << depth) - 1, 1 << depth);
        let mut adam = [(splits, features), (splits, features), (leaves, outputs)]
            .map(|(rows, width)| RowAdam::new(rows, width, 0.05));
        let mut choices = HardSplits::new(&parameters);
        let mut workspace = Workspace::new(depth, features, outputs);
        let mut d = Parameters::zeros(depth, features, outputs);
        let order = random.permutation(500);
        let counted = allocation_counter::measure(|| {
            for batch in order.chunks(100) {
                let (loss, split) = (&Loss::CROSS_ENTROPY, SplitFunction::Sigmoid);
                gradient(&parameters, &choices, samples, batch, loss, split, &mut workspace, &mut d);
                let [index, threshold, leaf] = &mut adam;
                index.step(&mut parameters.split_index, &d.split_index, workspace.nodes());
                threshold.step(&mut parameters.split_threshold, &d.split_threshold, workspace.nodes());
                leaf.step(&mut parameters.leaf, &d.leaf, workspace.leaves());
                index.awake().iter().for_each(|&node| choices.refresh(&parameters, node as usize));
            }
            mean_loss(&parameters, &choices, samples, &Loss::CROSS_ENTROPY, &mut workspace);
        });
        assert_eq!(counted.count_total, 0, "depth {depth}");
    }
}
