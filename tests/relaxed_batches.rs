//! The cost of a batch of a relaxed tree: no allocation once the buffers have their size, and few node
//! visits.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::relaxed::Config;
use espalier::learn::relaxed::paper::batch::Workspace;
use espalier::learn::relaxed::paper::isotonic::Pruning;
use espalier::learn::relaxed::paper::samples::{Goal, Samples, Units};
use espalier::learn::relaxed::paper::start;
use espalier::learn::relaxed::paper::traversal::{Planes, Traversal};
use espalier::numeric::optim::QhAdam;
use espalier::numeric::random::Random;
use nalgebra::DMatrix;

fn samples(random: &mut Random, rows: usize, classes: usize) -> Samples {
    let x = DMatrix::from_fn(5, rows, |_, _| random.normal() as f32);
    let label = (0..rows).map(|i| u32::from(x[(0, i)] > x[(1, i)]) % classes as u32).collect();
    let y = Labels::Classes { label, classes };
    let goal = Goal::of(&y, Units { centre: 0.0, scale: 1.0 }, &vec![1.0; classes]);
    Samples { design: Arc::new(Design { x, y }), goal }
}

#[test]
fn a_batch_allocates_nothing() {
    let mut random = Random::new(1);
    for (predictor, classes) in [("traversal", 2), ("traversal", 3), ("linear", 3), ("mlp", 3)] {
        for version in ["a", "b"] {
            let samples = samples(&mut random, 300, classes);
            let mut config = espalier::learn::Config::new("relaxed").unwrap();
            let set = [("predictor", predictor), ("version", version)];
            set.iter().for_each(|(key, word)| {
                config.set(key, &espalier::learn::Value::Choice((*word).into())).unwrap()
            });
            let espalier::learn::Config::Relaxed(config) = config else { unreachable!() };
            let config: Config = config;
            let (shape, objective) = (config.shape(5, samples.goal.outputs()), config.objective());
            let mut theta = start::parameters(&shape, &samples.design, config.scores(), &mut random);
            let (mut workspace, mut gradient) = (Workspace::new(&shape), vec![0.0; shape.numbers()]);
            let mut optimiser = QhAdam::new(shape.numbers());
            let all: Vec<u32> = (0..300).collect();
            let mut batch = |rows: &[u32]| {
                let loss = workspace.descend(&shape, &theta, 1.5, &objective, &samples, rows, &mut gradient);
                optimiser.step(&mut theta, &gradient, 0.01);
                assert!(loss.is_finite());
            };
            // Buffers grow to the largest batch: in version B a row may take more paths later on.
            (0..3).for_each(|_| batch(&all));
            let measured = allocation_counter::measure(|| {
                (0..20).for_each(|at| batch(&all[at * 5..at * 5 + 128]));
            });
            assert_eq!(measured.count_total, 0, "{predictor} {version} {classes}: {measured:?}");
        }
    }
}

/// Scores of random samples in a complete tree.
fn traversal(depth: usize, rows: usize, random: &mut Random) -> Traversal {
    let inner = (1usize << depth) - 1;
    let x: Vec<f32> = (0..rows * 4).map(|_| random.normal() as f32).collect();
    let weights: Vec<f64> = (0..inner * 4).map(|_| random.normal() / 2.0).collect();
    let bias: Vec<f64> = (0..inner).map(|_| 0.3 * random.normal()).collect();
    let mut traversal = Traversal::default();
    let planes = Planes { weights: &weights, bias: &bias, features: 4, scale: 1.0 };
    traversal.pass(&planes, inner, 0.0, x.chunks_exact(4));
    traversal
}

#[test]
fn the_solver_looks_at_few_nodes_also_where_everything_is_pooled() {
    let mut greatest: f64 = 0.0;
    for depth in 2..=10usize {
        let nodes = (2usize << depth) - 1;
        for seed in 0..12u64 {
            let mut random = Random::new(seed);
            let traversal = traversal(depth, [10, 300][seed as usize % 2], &mut random);
            let level = |t: usize| (t + 1).ilog2() as f64;
            let eta: Vec<f64> = (0..nodes)
                .map(|t| match seed % 6 {
                    0 | 1 => random.uniform_in(-1.0, 1.0),
                    // Every node has a greater value than its parent, so all become one group, level by
                    // level.
                    2 => level(t) * 10.0,
                    // Everything below is already in order, each node a group of its own, but the root is far
                    // below all of them.
                    3 => {
                        if t == 0 {
                            -1e6
                        } else {
                            10.0 - level(t) + 1e-3 * random.normal()
                        }
                    }
                    // The same at every second level.
                    4 => {
                        if level(t) % 2.0 == 0.0 {
                            -1e3
                        } else {
                            10.0 - level(t) + random.normal()
                        }
                    }
                    _ => 0.5,
                })
                .collect();
            let mut pruning = Pruning::new(nodes);
            pruning.solve(&traversal, &eta, 1.0);
            for t in 1..nodes {
                assert!(pruning.a[t] <= pruning.a[(t - 1) / 2]);
            }
            let (t, d) = (nodes as f64, (depth + 1) as f64);
            greatest = greatest.max(pruning.looks as f64 / (t * d));
            assert!(pruning.looks as f64 <= 4.0 * t * d, "depth {depth}, seed {seed}: {}", pruning.looks);
        }
    }
    println!("at most {greatest:.2} T log T looks");
}
