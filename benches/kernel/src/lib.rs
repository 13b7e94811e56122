//! The functions that `run.mjs` calls. A descent is prepared separately from its run, so that only the epochs
//! are timed.

#[path = "../../epochs/mod.rs"]
mod epochs;

use std::cell::RefCell;

use espalier::learn::get::kernel::blocks::Blocks;
use espalier::learn::get::paper::parameters::{Answer, Parameters};
use espalier::learn::Training;
use espalier::learn::get::paper::descent::Descent;
use espalier::learn::get::paper::initial_trees::{self, Draw};
use espalier::numeric::random::Random;

/// The samples, the tree that a run starts from, and the current run.
struct Bench {
    blocks: Blocks<f32>,
    tree: Parameters<f32>,
    epochs: usize,
    run: Option<Descent>,
}

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

/// Generates samples, and CART's tree or a random one. Returns the number of epochs of a run.
#[unsafe(no_mangle)]
pub extern "C" fn prepare(rows: usize, columns: usize, depth: usize, linear: bool, greedy: bool) -> usize {
    let blocks = epochs::samples(rows, columns);
    let answer = if linear { Answer::Linear } else { Answer::Constant };
    let tree = if greedy {
        let mut growth = initial_trees::greedy(&blocks, depth, answer);
        while growth.step().stop.is_none() {}
        initial_trees::planes(&growth.best(), depth, &blocks, answer)
    } else {
        initial_trees::random(depth, &blocks, answer, Draw::Uniform, 0, &mut Random::new(7))
    };
    let epochs = epochs::count(&blocks, depth);
    BENCH.set(Some(Bench { blocks, tree, epochs, run: None }));
    epochs
}

/// Starts the first run (0) from that tree, or the second (1) from the best tree of the first.
#[unsafe(no_mangle)]
pub extern "C" fn begin(which: usize) {
    BENCH.with_borrow_mut(|bench| {
        let bench = bench.as_mut().expect("prepare comes first");
        let from = match bench.run.take() {
            Some(run) if which == 1 => run.into_best().tree,
            _ => bench.tree.clone(),
        };
        bench.run = Some(epochs::descent(&bench.blocks, from, epochs::ALPHA[which], bench.epochs, 1e-7));
    });
}

/// Runs all epochs. Returns the lowest hard loss.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> f64 {
    BENCH.with_borrow_mut(|bench| {
        let run = bench.as_mut().and_then(|bench| bench.run.as_mut()).expect("begin comes first");
        while run.advance(usize::MAX / 2) {}
        run.best().loss
    })
}
