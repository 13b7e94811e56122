//! GradTree's kernels, natively on one thread. It measures an epoch by depth, features and rows, next to the
//! dense form written with nalgebra's matrix products. It also measures what inspecting a run costs.
//!
//! `cargo bench --bench gradtree` first checks that both forms give the same gradient, then prints tables in
//! Markdown.

#![allow(missing_docs)]

mod dense;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use espalier::encode::{Design, Labels};
use espalier::learn::gradtree::paper::Samples;
use espalier::learn::gradtree::paper::backward::{Workspace, gradient};
use espalier::learn::gradtree::paper::forward::HardSplits;
use espalier::learn::gradtree::{Init, Parameters};
use espalier::learn::{Config, Value};
use espalier::numeric::activation::SplitFunction;
use espalier::numeric::loss::{Loss, Truth};
use espalier::numeric::optim::Adam;
use espalier::numeric::random::Random;
use espalier::numeric::rows::RowAdam;
use espalier::numeric::simplex::entmax15_root;
use nalgebra::DMatrix;

const BATCH: usize = 128;
const CLASSES: usize = 3;
const LOSS: Loss = Loss::Classes { focal_gamma: 0.0, poly_epsilon: 0.0 };
/// Learning rates of I, T and L: the defaults.
const RATES: [f64; 3] = [0.05, 0.01, 0.05];

/// Three classes separated by the first two features; the others are noise.
struct Data {
    features: usize,
    x: Vec<f32>,
    truth: Vec<Truth<f32>>,
    weight: Vec<f32>,
}

impl Data {
    fn new(rows: usize, features: usize) -> Data {
        let mut random = Random::new(5);
        let x: Vec<f32> = (0..rows * features).map(|_| random.normal() as f32).collect();
        let class = |row: &[f32]| usize::from(row[0] > 0.1) + usize::from(row[1 % features] > row[0]);
        let truth = x.chunks_exact(features).map(|row| Truth::Class(class(row))).collect();
        Data { features, x, truth, weight: vec![1.0; rows] }
    }

    fn rows(&self) -> usize {
        self.truth.len()
    }

    fn samples(&self) -> Samples<'_, f32> {
        Samples { x: &self.x, truth: &self.truth, weight: &self.weight }
    }
}

/// Which parameters the optimiser updates.
#[derive(Clone, Copy, PartialEq)]
enum Update {
    /// All of them, in every step.
    Plain,
    /// Only the rows that are awake.
    Rows,
}

/// Milliseconds per epoch in the gradient and in the update.
#[derive(Clone, Copy)]
struct Cost {
    gradient: f64,
    update: f64,
}

impl Cost {
    fn total(self) -> f64 {
        self.gradient + self.update
    }
}

/// Trains for several epochs and returns the mean cost of all but the first.
fn path_form(data: &Data, depth: usize, update: Update, epochs: usize) -> Cost {
    let features = data.features;
    let mut parameters = Parameters::<f32>::draw(depth, features, CLASSES, Init::Glorot, false, 1);
    let mut d = Parameters::zeros(depth, features, CLASSES);
    let mut choices = HardSplits::new(&parameters);
    let mut workspace = Workspace::new(depth, features, CLASSES);
    let (splits, leaves) = ((1 << depth) - 1, 1 << depth);
    let mut plain = [
        Adam::new(splits * features, RATES[0]),
        Adam::new(splits * features, RATES[1]),
        Adam::new(leaves * CLASSES, RATES[2]),
    ];
    let mut by_row = [
        RowAdam::new(splits, features, RATES[0]),
        RowAdam::new(splits, features, RATES[1]),
        RowAdam::new(leaves, CLASSES, RATES[2]),
    ];
    let mut order: Vec<usize> = (0..data.rows()).collect();
    let mut random = Random::new(3);
    let mut cost = Cost { gradient: 0.0, update: 0.0 };
    for epoch in 0..epochs {
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let begun = Instant::now();
            let loss = gradient(
                &parameters,
                &choices,
                data.samples(),
                batch,
                &LOSS,
                SplitFunction::Sigmoid,
                &mut workspace,
                &mut d,
            );
            let between = Instant::now();
            assert!(loss.is_finite());
            let Parameters { split_index, split_threshold, leaf, .. } = &mut parameters;
            if update == Update::Plain {
                plain[0].step(split_index, &d.split_index);
                plain[1].step(split_threshold, &d.split_threshold);
                plain[2].step(leaf, &d.leaf);
                (0..splits).for_each(|node| choices.refresh(&parameters, node));
            } else {
                by_row[0].step(split_index, &d.split_index, workspace.nodes());
                by_row[1].step(split_threshold, &d.split_threshold, workspace.nodes());
                by_row[2].step(leaf, &d.leaf, workspace.leaves());
                by_row[0].awake().iter().for_each(|&node| choices.refresh(&parameters, node as usize));
            }
            if epoch > 0 {
                cost.gradient += (between - begun).as_secs_f64() * 1e3;
                cost.update += between.elapsed().as_secs_f64() * 1e3;
            }
        }
    }
    let counted = (epochs - 1) as f64;
    Cost { gradient: cost.gradient / counted, update: cost.update / counted }
}

/// The best of three, because the machine may be busy with something else.
fn best(measure: impl Fn() -> Cost) -> Cost {
    let runs = [measure(), measure(), measure()];
    *runs.iter().min_by(|a, b| a.total().total_cmp(&b.total())).expect("three runs")
}

/// Milliseconds of the dense form per epoch, from the fastest of several batches.
fn dense_form(data: &Data, depth: usize) -> f64 {
    let parameters = Parameters::<f32>::draw(depth, data.features, CLASSES, Init::Glorot, false, 1);
    let mut form = dense::Dense::new(&parameters, RATES);
    let batch: Vec<usize> = (0..BATCH.min(data.rows())).collect();
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        let begun = Instant::now();
        form.step(data.samples(), &batch, &LOSS, SplitFunction::Sigmoid);
        least = least.min(begun.elapsed().as_secs_f64() * 1e3);
    }
    least * (data.rows() as f64 / BATCH as f64)
}

/// Both forms must give the same gradient, or a comparison of their times means nothing.
fn check() {
    for depth in [1, 4, 7] {
        let data = Data::new(BATCH, 10);
        let parameters = Parameters::<f32>::draw(depth, 10, CLASSES, Init::Glorot, false, 9);
        let mut d = Parameters::zeros(depth, 10, CLASSES);
        let batch: Vec<usize> = (0..BATCH).collect();
        let choices = HardSplits::new(&parameters);
        let mut workspace = Workspace::new(depth, 10, CLASSES);
        let split = SplitFunction::Sigmoid;
        gradient(&parameters, &choices, data.samples(), &batch, &LOSS, split, &mut workspace, &mut d);
        let theirs = dense::Dense::new(&parameters, RATES).gradient(data.samples(), &batch, &LOSS, split);
        let pairs = [
            (&d.split_index, &theirs.split_index),
            (&d.split_threshold, &theirs.split_threshold),
            (&d.leaf, &theirs.leaf),
        ];
        for (ours, theirs) in pairs.into_iter().flat_map(|(a, b)| a.iter().zip(b)) {
            assert!((ours - theirs).abs() < 1e-5, "depth {depth}: {ours} and {theirs}");
        }
    }
}

fn table(title: &str, cases: &[(usize, usize, usize)]) {
    println!("\n{title}\n");
    println!(
        "| rows | features | depth | gradient | per row and d² | update | update, \
         plain Adam | epoch | dense form | dense : ours |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for &(rows, features, depth) in cases {
        let data = Data::new(rows, features);
        let epochs = (2_000_000 / (rows * features)).clamp(3, 60);
        let ours = best(|| path_form(&data, depth, Update::Rows, epochs));
        let plain = best(|| path_form(&data, depth, Update::Plain, epochs));
        let dense = dense_form(&data, depth);
        println!(
            "| {rows} | {features} | {depth} | {:.3} | {:.2} ns | {:.3} | {:.3} | {:.3} | {dense:.1} | \
             {:.0} |",
            ours.gradient,
            ours.gradient * 1e6 / (rows * depth * depth) as f64,
            ours.update,
            plain.update,
            ours.total(),
            dense / ours.total()
        );
    }
}

/// entmax 1.5 with the threshold found by sorting, as published.
fn sorted_entmax(v: &[f32], sorted: &mut Vec<f32>, r: &mut [f32]) {
    let most = v.iter().copied().fold(f32::MIN, f32::max);
    r.iter_mut().zip(v).for_each(|(r, v)| *r = (v - most) * 0.5);
    sorted.clear();
    sorted.extend_from_slice(r);
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut tau, mut sum, mut squares) = (-1.0, 0.0, 0.0);
    for (k, &x) in sorted.iter().enumerate() {
        sum += x;
        squares += x * x;
        let (count, mean) = ((k + 1) as f32, sum / (k + 1) as f32);
        let candidate = mean - ((1.0 - (squares - sum * mean)) / count).max(0.0).sqrt();
        if candidate > x {
            break;
        }
        tau = candidate;
    }
    r.iter_mut().for_each(|r| *r = (*r - tau).max(0.0));
}

/// Both ways to entmax's threshold, in nanoseconds per node, by how far apart the scores are.
fn entmax() {
    const NODES: usize = 1000;
    println!("\nentmax of a node, nanoseconds\n");
    println!("| features | scores' spread | Newton's steps | sorting | sorting : Newton |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for features in [4, 16, 64, 256] {
        for spread in [0.05, 1.0] {
            let mut random = Random::new(11);
            let v: Vec<f32> = (0..NODES * features).map(|_| (spread * random.normal()) as f32).collect();
            let (mut ours, mut theirs) = (vec![0.0; features], vec![0.0; features]);
            let mut spare = Vec::with_capacity(features);
            let mut least = [f64::INFINITY; 2];
            for _ in 0..20 {
                let begun = Instant::now();
                v.chunks_exact(features).for_each(|v| entmax15_root(black_box(v), black_box(&mut ours)));
                let between = Instant::now();
                v.chunks_exact(features)
                    .for_each(|v| sorted_entmax(black_box(v), &mut spare, black_box(&mut theirs)));
                let taken =
                    [between - begun, between.elapsed()].map(|time| time.as_secs_f64() * 1e9 / NODES as f64);
                least = [least[0].min(taken[0]), least[1].min(taken[1])];
            }
            assert!(ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1e-4), "{ours:?} {theirs:?}");
            println!(
                "| {features} | {spread} | {:.0} | {:.0} | {:.1} |",
                least[0],
                least[1],
                least[1] / least[0]
            );
        }
    }
}

/// What it costs to ask a run for its tree, for the rows in its nodes and for the choices of its splits.
fn looking() {
    println!("\nLooking at a run, milliseconds\n");
    println!("| rows | features | depth | tree | rows of its nodes | choices | together |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (rows, features, depth) in [(1000, 10, 6), (1000, 10, 10), (10_000, 10, 10), (100_000, 10, 10)] {
        let data = Data::new(rows, features);
        let label = data.truth.iter().map(|truth| match truth {
            Truth::Class(class) => *class as u32,
            Truth::Value(_) => unreachable!("these are classes"),
        });
        let y = Labels::Classes { label: label.collect(), classes: CLASSES };
        let design = Arc::new(Design { x: DMatrix::from_vec(features, rows, data.x.clone()), y });
        let mut config = Config::new("gradtree").expect("it is there");
        for (key, value) in
            [("start", "random"), ("teach", "off"), ("restarts", "1"), ("depth", &depth.to_string())]
        {
            config.set(key, &Value::parse(value)).expect("within its range");
        }
        let mut training =
            config.check(&design).expect("it can be trained").start(design.clone(), design.clone(), 1);
        (0..200).for_each(|_| {
            training.step();
        });
        let time = |look: &dyn Fn()| {
            let mut least = f64::INFINITY;
            for _ in 0..5 {
                let begun = Instant::now();
                look();
                least = least.min(begun.elapsed().as_secs_f64() * 1e3);
            }
            least
        };
        let tree = time(&|| assert!(training.current().size() > 0));
        let current = training.current();
        let Labels::Classes { label, classes } = &design.y else { unreachable!("these are classes") };
        let counts = time(&|| {
            let stats = current.class_stats(design.rows().zip(label.iter().copied()), *classes);
            assert_eq!(stats[0].rows, rows);
        });
        let choices = time(&|| assert!(!training.choices().is_empty()));
        let together = tree + counts + choices;
        println!(
            "| {rows} | {features} | {depth} | {tree:.2} | {counts:.2} | {choices:.2} | {together:.2} |"
        );
    }
}

fn main() {
    check();
    println!(
        "An epoch in batches of {BATCH}, milliseconds, the least of three runs; \
         the dense form's is its best batch times their number."
    );
    table("By depth", &[(1200, 10, 4), (1200, 10, 6), (1200, 10, 8), (1200, 10, 10)]);
    table("By features", &[(1200, 4, 6), (1200, 16, 6), (1200, 64, 6), (1200, 256, 6)]);
    table("By rows", &[(1000, 10, 6), (10_000, 10, 6), (100_000, 10, 6)]);
    entmax();
    looking();
}
