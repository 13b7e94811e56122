//! The relaxed tree compared with slow programs. The pruning variables are found by projected gradient and by
//! pooling as described in the paper. The traversal computes every node, and all gradients are central
//! differences.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::relaxed::ours::objective::Penalised;
use espalier::learn::relaxed::paper::batch::Workspace;
use espalier::learn::relaxed::paper::isotonic::Pruning;
use espalier::learn::relaxed::paper::objective::Published;
use espalier::learn::relaxed::paper::parameters::Shape;
use espalier::learn::relaxed::paper::predictor::Predictor;
use espalier::learn::relaxed::paper::samples::{Goal, Samples};
use espalier::learn::relaxed::paper::start::{self, Scores};
use espalier::learn::relaxed::paper::traversal::{Planes, Traversal, Version};
use espalier::numeric::random::Random;
use nalgebra::DMatrix;

/// Scores of some samples at every node of a tree, and pruning scores.
struct Problem {
    nodes: usize,
    traversal: Traversal,
    /// q + o at every node, positive or not (N × T).
    q: Vec<f64>,
    eta: Vec<f64>,
    kappa: f64,
}

/// A random problem. Every third has scores and pruning scores on a coarse grid, so that ties are frequent.
fn problem(seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let depth = 1 + random.below(4);
    let (inner, nodes) = ((1usize << depth) - 1, (2usize << depth) - 1);
    let samples = 1 + random.below(8);
    let version = if seed % 4 == 1 { Version::B } else { Version::A };
    let coarse = seed.is_multiple_of(3);
    let draw = |random: &mut Random, spread: f64| {
        let x = spread * random.normal();
        if coarse { (2.0 * x).round() / 2.0 } else { x }
    };
    let (mut traversal, mut q) = (Traversal::default(), vec![]);
    traversal.begin.push(0);
    for _ in 0..samples {
        let s: Vec<f64> = (0..inner).map(|_| draw(&mut random, 0.8)).collect();
        let planes = Planes { weights: &[], bias: &s, features: 0, scale: 1.0 };
        let mut one = Traversal::default();
        one.pass(&planes, inner, version.offset(), std::iter::once(&[][..]));
        traversal.node.extend(&one.node);
        traversal.q.extend(&one.q);
        traversal.source.extend(&one.source);
        traversal.begin.push(traversal.node.len());
        // Every node, whatever its sign.
        let mut all = vec![1.0f64; nodes];
        for t in 0..inner {
            all[2 * t + 1] = all[t].min(-s[t]);
            all[2 * t + 2] = all[t].min(s[t]);
        }
        q.extend(all.iter().map(|q| q + version.offset()));
    }
    let eta = (0..nodes).map(|_| if version == Version::A { draw(&mut random, 1.0) } else { 0.0 }).collect();
    let kappa = [1.0, 0.3, 5.0][random.below(3)];
    Problem { nodes, traversal, q, eta, kappa }
}

impl Problem {
    fn solve(&self) -> Pruning {
        let mut pruning = Pruning::new(self.nodes);
        pruning.solve(&self.traversal, &self.eta, self.kappa);
        pruning
    }

    /// The derivative of the objective with respect to a_t.
    fn slope(&self, t: usize, a: f64) -> f64 {
        let pull: f64 = self.q.iter().skip(t).step_by(self.nodes).map(|q| (q - a).max(0.0)).sum();
        self.kappa * (a - self.eta[t]) - pull
    }

    /// Projected gradient with momentum: a node is its parent minus something non-negative, so that the order
    /// constraint is a matter of signs alone.
    fn by_projected_gradient(&self) -> Vec<f64> {
        let nodes = self.nodes;
        let samples = self.q.len() / nodes;
        // The curvature in a is at most κ + N, and each of T nodes is a sum of at most depth + 1 numbers.
        let levels = (nodes + 1).ilog2() as usize;
        let step = 1.0 / ((self.kappa + samples as f64) * (nodes * levels) as f64);
        let values = |d: &[f64]| {
            let mut a = vec![d[0]; nodes];
            for t in 1..nodes {
                a[t] = a[(t - 1) / 2] - d[t];
            }
            a
        };
        let (mut d, mut ahead, mut momentum) = (vec![0.0; nodes], vec![0.0; nodes], 1.0f64);
        for _ in 0..60_000 {
            let a = values(&ahead);
            let mut slope: Vec<f64> = (0..nodes).map(|t| self.slope(t, a[t])).collect();
            for t in (1..nodes).rev() {
                slope[(t - 1) / 2] += slope[t];
            }
            slope[1..].iter_mut().for_each(|slope| *slope = -*slope);
            let mut next: Vec<f64> = ahead.iter().zip(&slope).map(|(d, slope)| d - step * slope).collect();
            next[1..].iter_mut().for_each(|d| *d = d.max(0.0));
            let moved = next.iter().zip(&d).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let uphill: f64 = (0..nodes).map(|t| slope[t] * (next[t] - d[t])).sum();
            let faster =
                if uphill > 0.0 { 1.0 } else { (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0 };
            let share = if uphill > 0.0 { 0.0 } else { (momentum - 1.0) / faster };
            ahead = next.iter().zip(&d).map(|(next, d)| next + share * (next - d)).collect();
            (d, momentum) = (next, faster);
            if moved < 1e-13 {
                break;
            }
        }
        values(&d).into_iter().map(|a| a.clamp(0.0, 1.0)).collect()
    }

    /// Pooling as in the paper: every node's scores, all signs, the violating child with the greatest value
    /// first.
    fn by_pooling(&self) -> Vec<f64> {
        let nodes = self.nodes;
        let mut group: Vec<usize> = (0..nodes).collect();
        let value = |members: &[usize]| {
            let mut q: Vec<f64> =
                members.iter().flat_map(|&t| self.q.iter().skip(t).step_by(nodes).copied()).collect();
            q.sort_by(|a, b| b.total_cmp(a));
            let fixed: f64 = self.kappa * members.iter().map(|&t| self.eta[t]).sum::<f64>();
            let mut sum = 0.0;
            for k in 0..=q.len() {
                let a = (fixed + sum) / (self.kappa * members.len() as f64 + k as f64);
                if k == q.len() || a > q[k] {
                    return a;
                }
                sum += q[k];
            }
            unreachable!("the last k always ends it")
        };
        let mut values: Vec<f64> = (0..nodes).map(|t| value(&[t])).collect();
        loop {
            let violates = |t: &usize| group[*t] != group[(t - 1) / 2] && values[*t] > values[(t - 1) / 2];
            let worst = (1..nodes).filter(violates).max_by(|&a, &b| values[a].total_cmp(&values[b]));
            let Some(worst) = worst else { break };
            let (from, to) = (group[worst], group[(worst - 1) / 2]);
            group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            let members: Vec<usize> = (0..nodes).filter(|&t| group[t] == to).collect();
            let merged = value(&members);
            members.iter().for_each(|&t| values[t] = merged);
        }
        values.into_iter().map(|a| a.clamp(0.0, 1.0)).collect()
    }
}

fn assert_close(what: &str, seed: u64, ours: &[f64], theirs: &[f64], abs: f64) {
    for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert!((ours - theirs).abs() <= abs, "{what}, seed {seed}, node {at}: {ours} and {theirs}");
    }
}

#[test]
fn pruning_variables_are_those_of_pooling_over_all_nodes() {
    for seed in 0..5000 {
        let problem = problem(seed);
        assert_close("pooling", seed, &problem.solve().a, &problem.by_pooling(), 1e-12);
    }
}

#[test]
fn pruning_variables_are_those_of_projected_gradient() {
    for seed in 0..2000 {
        let problem = problem(seed);
        // The remaining error of a slow method after this many steps.
        assert_close("projected gradient", seed, &problem.solve().a, &problem.by_projected_gradient(), 1e-6);
    }
}

#[test]
fn a_second_batch_does_not_remember_the_first() {
    let mut pruning = Pruning::new(31);
    for seed in 0..400 {
        let problem = problem(seed);
        if problem.nodes == 31 {
            pruning.solve(&problem.traversal, &problem.eta, problem.kappa);
            assert_eq!(pruning.a, problem.solve().a);
        }
    }
}

fn samples(random: &mut Random, rows: usize, features: usize, goal: usize) -> Samples {
    let x = DMatrix::from_fn(features, rows, |_, _| random.normal() as f32);
    let goal = match goal {
        0 => Goal::Classes {
            label: (0..rows).map(|_| random.below(2) as u32).collect(),
            classes: 2,
            weight: vec![0.7, 1.6],
        },
        1 => Goal::Classes {
            label: (0..rows).map(|_| random.below(3) as u32).collect(),
            classes: 3,
            weight: vec![1.0, 0.4, 2.0],
        },
        2 => Goal::Numbers { values: (0..rows).map(|_| random.normal()).collect(), outputs: 1 },
        _ => Goal::Numbers { values: (0..2 * rows).map(|_| random.normal()).collect(), outputs: 2 },
    };
    Samples { design: Arc::new(Design { x, y: Labels::Values(vec![0.0; rows]) }), goal }
}

/// The whole objective, penalties included.
fn objective(
    w: &mut Workspace,
    shape: &Shape,
    theta: &[f64],
    terms: &Penalised,
    samples: &Samples,
    batch: &[u32],
) -> f64 {
    let mut unused = vec![0.0; theta.len()];
    let loss = w.descend(shape, theta, 1.7, terms, samples, batch, &mut unused);
    let squares: f64 = theta[shape.predictor_at()..].iter().map(|p| p * p).sum();
    let sizes: f64 = theta[..shape.bias_at()].iter().map(|w| w.abs()).sum();
    let norm = shape.eta(theta).iter().map(|eta| eta.abs()).fold(0.0, f64::max);
    let pruning = terms.published.lambda * norm + terms.charge * w.pruning.a[1..].iter().sum::<f64>();
    loss + terms.ridge / 2.0 * squares + terms.l1 * sizes + pruning
}

#[test]
fn gradients_are_central_differences_away_from_kinks() {
    let (mut checked, mut kinks, mut moving_eta) = (0, 0, 0);
    for seed in 0..60u64 {
        let mut random = Random::new(seed);
        let predictor = [Predictor::Traversal, Predictor::Linear, Predictor::Mlp][seed as usize % 3];
        let samples = samples(&mut random, 12, 3, (seed as usize / 3) % 4);
        let shape =
            Shape { depth: 1 + seed as usize % 3, features: 3, outputs: samples.goal.outputs(), predictor };
        let (version, kappa, per_sample, [lambda, charge]) = match seed % 5 {
            0 => (Version::A, Some(1.0), false, [0.3, 0.0]),
            1 => (Version::B, Some(2.5), false, [0.0, 0.0]),
            2 => (Version::A, Some(0.7), true, [0.0, 0.05]),
            3 => (Version::A, Some(1.0), true, [0.0, 0.05]),
            _ => (Version::A, None, false, [0.0, 0.0]),
        };
        let published = Published { version, kappa, lambda };
        let terms = Penalised { published, per_sample, charge, ridge: 0.01, l1: 0.002 };
        let mut theta = start::parameters(&shape, &samples.design, Scores::Uniform, &mut random);
        // The constants put a node's only sample exactly on its plane, which is a kink.
        theta[shape.bias_at()..shape.eta_at()].iter_mut().for_each(|b| *b += 0.1 * random.normal());
        if version == Version::B {
            theta[shape.eta_at()..shape.predictor_at()].iter_mut().for_each(|eta| *eta = 0.0);
        }
        let batch: Vec<u32> = (0..12).collect();
        let mut workspace = Workspace::new(&shape);
        let mut gradient = vec![0.0; theta.len()];
        workspace.descend(&shape, &theta, 1.7, &terms, &samples, &batch, &mut gradient);
        for at in 0..theta.len() {
            let is_eta = (shape.eta_at()..shape.predictor_at()).contains(&at);
            if is_eta && version == Version::B {
                assert_eq!(gradient[at], 0.0, "version B learns no pruning scores");
                continue;
            }
            let mut slope = |h: f64| {
                let mut at_shift = |shift: f64| {
                    let mut moved = theta.clone();
                    moved[at] += shift;
                    objective(&mut workspace, &shape, &moved, &terms, &samples, &batch)
                };
                (at_shift(h) - at_shift(-h)) / (2.0 * h)
            };
            let (wide, narrow) = (slope(1e-5), slope(2e-6));
            // If two step widths disagree, there is a kink between them.
            if (wide - narrow).abs() > 1e-6 * (1.0 + wide.abs()) {
                kinks += 1;
                continue;
            }
            checked += 1;
            moving_eta += usize::from(is_eta && gradient[at] != 0.0);
            let off = (gradient[at] - narrow).abs();
            assert!(off < 1e-6 * (1.0 + narrow.abs()), "seed {seed} at {at}: {} and {narrow}", gradient[at]);
        }
    }
    assert!(checked > 20 * kinks && checked > 5000 && moving_eta > 50, "{checked} {kinks} {moving_eta}");
}

#[test]
fn constants_divide_the_samples_evenly() {
    let mut random = Random::new(5);
    let samples = samples(&mut random, 400, 4, 2);
    let shape = Shape { depth: 3, features: 4, outputs: 1, predictor: Predictor::Traversal };
    let theta = start::parameters(&shape, &samples.design, Scores::Uniform, &mut random);
    let planes = shape.planes(&theta, 1.0);
    let mut reached = vec![0usize; shape.nodes()];
    for x in samples.design.rows() {
        let mut t = 0;
        reached[0] += 1;
        while t < shape.inner() {
            t = 2 * t + if planes.score(t, x) < 0.0 { 1 } else { 2 };
            reached[t] += 1;
        }
    }
    for t in 0..shape.inner() {
        let [left, right] = [reached[2 * t + 1], reached[2 * t + 2]].map(|n| n as f64 / reached[t] as f64);
        assert!(left > 0.25 && right > 0.25, "node {t}: {left} and {right}");
    }
}
