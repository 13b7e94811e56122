//! Steps are small pieces of work even on a large table. They are counted, not timed: thirty steps do not
//! finish the first phase of any learner.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::{Config, Training, Work, cart, forest};
use nalgebra::DMatrix;

const ROWS: usize = 900_000;
const COLUMNS: usize = 4;
const STEPS: usize = 30;

/// Two classes that depend on two columns, with some noise.
fn design(rows: usize) -> Arc<Design> {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let x = DMatrix::from_fn(COLUMNS, rows, |_, _| next());
    let label = x.column_iter().map(|x| u32::from(x[0] + 0.5 * x[1] + 0.2 * next() > 0.8)).collect();
    Arc::new(Design { x, y: Labels::Classes { label, classes: 2 } })
}

fn begun(key: &str, train: &Arc<Design>) -> Box<dyn Training> {
    Config::new(key).unwrap().check(train).unwrap().start(train.clone(), design(1000), 0)
}

#[test]
fn a_step_is_a_small_piece_of_a_large_table() {
    let train = design(ROWS);
    let mut greedy = cart::CartTraining::new(&cart::Config::default(), train.clone());
    let steps = (1..).find(|_| {
        greedy.step();
        greedy.nodes().len() > 1
    });
    assert!(steps.is_some_and(|steps| steps >= 2 * COLUMNS), "the root takes {steps:?} steps");

    let mut growth = forest::ForestGrowth::new(train.clone(), 1, 0);
    assert!((0..STEPS).all(|_| growth.step()) && growth.trees().is_empty());

    let mut gradtree = begun("gradtree", &train);
    (0..STEPS).for_each(|_| assert_eq!(gradtree.step().stop, None));
    assert_eq!(gradtree.best().size(), 1, "the first tree is still at work");

    for key in ["get", "relaxed"] {
        let mut training = begun(key, &train);
        let last = (0..STEPS).map(|_| training.step()).last().unwrap();
        assert_eq!((last.phase.work, last.stop), (Work::Greedy, None), "{key}");
    }
}
