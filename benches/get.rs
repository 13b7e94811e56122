//! GET's kernels, natively on one thread. It measures an epoch of the published settings by depth, rows and
//! columns, the share of peak performance that its matrix products reach, and what truncation saves.
//!
//! `cargo bench --bench get` prints tables in Markdown. `benches/kernel` has the same epochs in WebAssembly,
//! `benches/wasm.mjs` whole runs.

#![allow(missing_docs)]

mod epochs;

use std::time::Instant;

use epochs::{ALPHA, count, descent, samples};
use espalier::learn::get::kernel::blocks::{BLOCK, Blocks};
use espalier::learn::get::kernel::product::{add_product, set_product};
use espalier::learn::get::paper::hard_leaves::{by_leaf, routes};
use espalier::learn::get::paper::initial_trees::{self, Draw};
use espalier::learn::get::paper::parameters::Answer;
use espalier::learn::get::paper::soft_pass::{BatchSums, Workspace};
use espalier::numeric::Real;
use espalier::numeric::four::Four;
use espalier::numeric::random::Random;

/// Milliseconds per epoch of the published program at 1500 x 10, on a machine like the one of the records.
const PUBLISHED: [(usize, f64); 3] = [(2, 3.0), (4, 4.9), (8, 71.0)];

/// Milliseconds per epoch of both runs of a random start, and the final hard loss. An epoch has the soft
/// pass, the hard check and the step.
fn start(
    blocks: &Blocks<f32>,
    depth: usize,
    answer: Answer,
    epochs: usize,
    negligible: f32,
) -> ([f64; 2], f64) {
    let mut tree = initial_trees::random(depth, blocks, answer, Draw::Uniform, 0, &mut Random::new(7));
    let mut loss = f64::NAN;
    let cost = ALPHA.map(|alpha| {
        let mut run = descent(blocks, tree.clone(), alpha, epochs, negligible);
        let begun = Instant::now();
        while run.advance(usize::MAX / 2) {}
        let cost = begun.elapsed().as_secs_f64() * 1e3 / epochs as f64;
        tree = run.best().tree.clone();
        loss = run.best().loss;
        cost
    });
    (cost, loss)
}

/// The best of three, because the machine may be busy with something else.
fn best(blocks: &Blocks<f32>, depth: usize, answer: Answer, negligible: f32) -> ([f64; 2], f64) {
    let epochs = count(blocks, depth);
    let runs: Vec<_> = (0..3).map(|_| start(blocks, depth, answer, epochs, negligible)).collect();
    let least = |k: usize| runs.iter().map(|run| run.0[k]).fold(f64::INFINITY, f64::min);
    ([least(0), least(1)], runs[0].1)
}

fn table(title: &str, answer: Answer, cases: &[(usize, usize, usize)]) {
    println!("\n{title}\n");
    println!(
        "| rows | columns | depth | scale 15 | scale 100 | mean | ns per row and node | published : ours |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for &(rows, features, depth) in cases {
        let ([soft, steep], _) = best(&samples(rows, features), depth, answer, 1e-7);
        let mean = (soft + steep) / 2.0;
        let nodes = ((1 << depth) - 1) as f64;
        let theirs = PUBLISHED
            .iter()
            .find(|&&(at, _)| (rows, features, depth) == (1500, 10, at) && answer == Answer::Constant);
        let ratio = theirs.map_or("–".to_owned(), |(_, theirs)| format!("{:.0}", theirs / mean));
        println!(
            "| {rows} | {features} | {depth} | {soft:.3} | {steep:.3} | {mean:.3} | {:.2} | {ratio} |",
            mean * 1e6 / (rows as f64 * nodes)
        );
    }
}

/// The shortest time of several calls, in seconds.
fn quickest(mut work: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    };
    (0..40).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

/// Multiplications and additions per second, in 1e9, on numbers that stay in registers: four lanes, rounded
/// after each operation.
fn peak() -> f64 {
    const ROUNDS: usize = 200_000;
    type Lanes = <f32 as Real>::Four;
    let (a, b) = (Lanes::splat(std::hint::black_box(0.999)), Lanes::splat(std::hint::black_box(0.001)));
    let seconds = quickest(|| {
        let mut sums = [Lanes::splat(0.5); 10];
        for _ in 0..ROUNDS {
            sums = sums.map(|sum| b.plus_product(sum, a));
        }
        std::hint::black_box(sums);
    });
    (ROUNDS * 10 * 4 * 2) as f64 / seconds / 1e9
}

/// The rate that the two products of an epoch reach, for all nodes of all samples.
fn products() {
    let peak = peak();
    println!(
        "\nMatrix products, 1e9 operations per second; \
         the peak of four lanes without fused products is {peak:.1}\n"
    );
    println!("| columns | nodes | scores | share of peak | gradient | share of peak |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    for (features, depth) in [(10, 4), (10, 8), (20, 4), (20, 8), (40, 8)] {
        let blocks = samples(1500, features);
        let tree =
            initial_trees::random(depth, &blocks, Answer::Constant, Draw::Uniform, 0, &mut Random::new(7));
        let rows: Vec<usize> = (0..tree.nodes()).collect();
        let mut scores = vec![0f32; tree.nodes() * BLOCK];
        let mut sums = vec![0f32; tree.planes.len()];
        let forward = quickest(|| {
            for at in 0..blocks.count() {
                let x = blocks.block(at).by_feature;
                set_product(&rows, &tree.planes, tree.width, x, BLOCK, &mut scores);
            }
        });
        let backward = quickest(|| {
            for at in 0..blocks.count() {
                add_product(&rows, &scores, BLOCK, blocks.block(at).by_sample, tree.width, &mut sums);
            }
        });
        // Padding is not counted.
        let operations = (2 * blocks.count() * BLOCK * tree.nodes() * (features + 1)) as f64 / 1e9;
        let (forward, backward) = (operations / forward, operations / backward);
        println!(
            "| {features} | {} | {forward:.1} | {:.2} | {backward:.1} | {:.2} |",
            tree.nodes(),
            forward / peak,
            backward / peak
        );
    }
}

/// What truncation saves, and whether the tree is as good.
fn truncation() {
    println!(
        "\nTruncation, 1500 x 10: share of blocks and nodes passed, milliseconds per epoch, \
         hard loss at the end\n"
    );
    println!("| depth | bound | share at 15 | share at 100 | scale 15 | scale 100 | hard loss |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let blocks = samples(1500, 10);
    for depth in [4, 6, 8] {
        for negligible in [0.0, 1e-7, 1e-5] {
            let ([soft, steep], loss) = best(&blocks, depth, Answer::Constant, negligible);
            let tree = initial_trees::random(
                depth,
                &blocks,
                Answer::Constant,
                Draw::Uniform,
                0,
                &mut Random::new(7),
            );
            let (order, _) = by_leaf(&routes(&tree, &blocks), tree.nodes() + 1);
            let ordered = blocks.select(&order);
            let shares = ALPHA.map(|alpha| {
                let (mut workspace, mut sums) = (Workspace::new(&tree), BatchSums::new(&tree));
                for at in 0..ordered.count() {
                    workspace.pass(&tree, alpha as f32, negligible, ordered.block(at), &mut sums);
                }
                workspace.visited[0] as f64 / workspace.visited[1] as f64
            });
            println!(
                "| {depth} | {negligible:.0e} | {:.2} | {:.2} | {soft:.3} | {steep:.3} | {loss:.6} |",
                shares[0], shares[1]
            );
        }
    }
}

fn main() {
    println!(
        "Milliseconds per epoch of the published settings (all rows, hard check in every epoch), \
         the least of three runs."
    );
    let by_depth = [(1500, 10, 2), (1500, 10, 4), (1500, 10, 6), (1500, 10, 8)];
    table("By depth", Answer::Constant, &by_depth);
    table("By depth, linear leaves", Answer::Linear, &by_depth);
    table("10 000 x 20", Answer::Constant, &[(10_000, 20, 4), (10_000, 20, 8)]);
    table("By rows", Answer::Constant, &[(1000, 10, 6), (10_000, 10, 6), (100_000, 10, 6)]);
    table("By columns", Answer::Constant, &[(1500, 4, 6), (1500, 16, 6), (1500, 64, 6)]);
    products();
    truncation();
}
