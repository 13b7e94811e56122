//! How the solver of relaxed trees scales with rows and depth: `cargo bench --bench solver`.
//!
//! It prints the time of one pass down the tree, and of one solution of the pruning problem with its backward
//! pass, in microseconds. It also prints how many nodes the solution visited after the sort, and slopes on
//! logarithmic scales against rows and nodes.

use std::time::Instant;

use espalier::learn::relaxed::paper::isotonic::Pruning;
use espalier::learn::relaxed::paper::traversal::{Planes, Traversal};
use espalier::numeric::random::Random;

const FEATURES: usize = 10;

/// The shortest of several times, in microseconds.
fn least(mut work: impl FnMut(), repeats: usize) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64() * 1e6
    };
    (0..repeats).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("| depth | rows | pass, µs | solve and back, µs | looks / (T log₂ T) |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    let slope = |(x0, y0): (f64, f64), (x1, y1): (f64, f64)| (y1 / y0).ln() / (x1 / x0).ln();
    let mut by_nodes = vec![];
    for depth in [2usize, 4, 6, 8] {
        let mut points = vec![];
        for rows in [10usize, 100, 1000, 10_000] {
            let mut random = Random::new(7);
            let (inner, nodes) = ((1usize << depth) - 1, (2usize << depth) - 1);
            let x: Vec<f32> = (0..rows * FEATURES).map(|_| random.normal() as f32).collect();
            let weights: Vec<f64> = (0..inner * FEATURES).map(|_| random.normal() / 3.0).collect();
            let bias = vec![0.0; inner];
            let eta: Vec<f64> = (0..nodes).map(|_| random.uniform_in(-1.0, 1.0)).collect();
            let planes = Planes { weights: &weights, bias: &bias, features: FEATURES, scale: 1.0 };
            let (mut traversal, mut pruning) = (Traversal::default(), Pruning::new(nodes));
            let repeats = (200_000 / rows).clamp(10, 500);
            let pass = least(|| traversal.pass(&planes, inner, 0.0, x.chunks_exact(FEATURES)), repeats);
            let z_bar = vec![1.0; traversal.q.len()];
            let (mut a_bar, mut q_bar, mut eta_bar) = (vec![0.0; nodes], vec![], vec![0.0; nodes]);
            let solve = least(
                || {
                    pruning.solve(&traversal, &eta, rows as f64);
                    a_bar.iter_mut().for_each(|a_bar| *a_bar = 0.0);
                    pruning.backward(&traversal, &z_bar, &mut a_bar, &mut q_bar, &mut eta_bar);
                },
                repeats,
            );
            points.push((rows as f64, solve));
            let size = nodes as f64;
            let looks = pruning.looks as f64 / (size * size.log2());
            println!("| {depth} | {rows} | {pass:.1} | {solve:.1} | {looks:.2} |");
            by_nodes.push((rows, size, solve));
        }
        println!("| {depth} | exponent | | {:.2} from 100 to 10⁴ rows | |", slope(points[1], points[3]));
    }
    for rows in [10usize, 100, 1000, 10_000] {
        let points: Vec<(f64, f64)> =
            by_nodes.iter().filter(|one| one.0 == rows).map(|one| (one.1, one.2)).collect();
        let exponent = slope(points[0], points[points.len() - 1]);
        println!("| 2 to 8 | {rows} | | exponent {exponent:.2} in the number of nodes | |");
    }
}
