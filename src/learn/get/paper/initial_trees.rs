//! Where descents begin (Algorithm 1, line 2): CART's tree as planes, or planes at random.

use std::fmt::Debug;
use std::sync::Arc;

use nalgebra::DMatrix;

use crate::encode::{Design, Labels};
use crate::learn::Start as Kind;
use crate::learn::cart::{self, CartTraining};
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::paper::hard_leaves::middle;
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::numeric::random::Random;
use crate::tree::{Leaf, Node, Split, Tree};

/// How planes are drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Weights and threshold uniform in (−1, 1), as in the paper. Many such planes cut no sample off.
    Uniform,
    /// Weights uniform, and the plane through a random one of the samples that reach the node.
    Through,
}

/// A kind of tree that a start can begin at, beside CART's and random ones. The paper has no such kind.
pub trait InitialTree: Debug + Send + Sync {
    /// Begins to grow a tree of a depth on some samples.
    fn grow(&self, blocks: Arc<Blocks<f32>>, depth: usize, answer: Answer) -> Box<dyn GrowingTree>;

    /// What it is called in reports.
    fn kind(&self) -> Kind;

    /// Whether descents from it only use the columns that its planes name.
    fn keeps_columns(&self) -> bool;
}

/// A tree that grows for a start to begin at.
pub trait GrowingTree: Send {
    /// Does a piece of work; returns whether there is more.
    fn step(&mut self) -> bool;

    /// The tree as it stands, its leaves to be fitted.
    fn tree(&self) -> &Parameters<f32>;
}

/// A greedy tree of some samples, to be grown step by step.
pub fn greedy(blocks: &Blocks<f32>, depth: usize, answer: Answer) -> CartTraining {
    CartTraining::new(
        &cart::Config { depth: depth as u32, ..cart::Config::default() },
        design(blocks, answer),
    )
}

/// Samples as other learners want them.
pub fn design(blocks: &Blocks<f32>, answer: Answer) -> Arc<Design> {
    let (features, samples) = (blocks.features(), blocks.samples());
    let x = DMatrix::from_fn(features, samples, |j, i| blocks.sample(i)[j]);
    let truths = (0..samples).map(|i| blocks.truth(i));
    let y = match answer {
        Answer::Classes(classes) => {
            Labels::Classes { label: truths.map(|truth| truth.class).collect(), classes }
        }
        Answer::Constant | Answer::Linear => Labels::Values(truths.map(|truth| truth.value).collect()),
    };
    Arc::new(Design { x, y })
}

/// CART's tree as a complete tree of planes: feature f and threshold τ become `a = e_f`, `b = τ`. Below a
/// leaf of CART all planes are 0 and send every sample left; the leaf's value goes to all leaves below, so
/// that the soft pass sees it too.
pub fn planes(greedy: &Tree, depth: usize, blocks: &Blocks<f32>, answer: Answer) -> Parameters<f32> {
    let mut tree = Parameters::zeros(depth, blocks.width(), answer);
    // Pairs of a node here and a node there.
    let mut pairs = vec![(0usize, 0usize)];
    while let Some((at, source)) = pairs.pop() {
        match &greedy.nodes()[source] {
            Node::Split { split: Split::Numerical { feature, threshold }, left, right, .. }
                if at < tree.nodes() =>
            {
                let plane = tree.plane_mut(at);
                plane[*feature] = -1.0;
                plane[blocks.features()] = *threshold;
                pairs.extend([(2 * at + 1, *left), (2 * at + 2, *right)]);
            }
            Node::Leaf(leaf) => {
                let level = (at + 1).ilog2() as usize;
                let first = ((at + 1) << (depth - level)) - 1 - tree.nodes();
                for below in first..first + (1 << (depth - level)) {
                    set_leaf(tree.leaf_mut(below), blocks.features(), answer, leaf);
                }
            }
            Node::Split { .. } => unreachable!("a greedy tree is axis-aligned and no deeper than asked"),
        }
    }
    tree
}

fn set_leaf(numbers: &mut [f32], features: usize, answer: Answer, leaf: &Leaf) {
    match (answer, leaf) {
        (Answer::Constant, Leaf::Constant(value)) => numbers[0] = *value,
        (Answer::Linear, Leaf::Constant(value)) => numbers[features] = *value,
        (Answer::Classes(_), Leaf::Scores(shares)) => {
            for (cost, &share) in numbers.iter_mut().zip(shares) {
                *cost = -libm::logf(share.max(1e-3));
            }
        }
        _ => unreachable!("CART's leaves are those of the task"),
    }
}

/// Planes at random, with weights in at most `columns` columns each, if that is not 0; the leaves are uniform
/// between the least and the greatest target, and classes start alike but for a little.
pub fn random(
    depth: usize,
    blocks: &Blocks<f32>,
    answer: Answer,
    draw: Draw,
    columns: usize,
    random: &mut Random,
) -> Parameters<f32> {
    let features = blocks.features();
    let mut tree = Parameters::zeros(depth, blocks.width(), answer);
    // Samples that reach each node; a node without any takes one of all.
    let mut reached: Vec<Vec<u32>> = vec![vec![]; 2 * tree.nodes() + 1];
    reached[0] = (0..blocks.samples() as u32).collect();
    for t in 0..tree.nodes() {
        let plane = tree.plane_mut(t);
        for (weight, &summable) in plane[..features].iter_mut().zip(blocks.summable()) {
            let drawn = random.uniform_in(-1.0, 1.0) as f32;
            *weight = if summable { drawn } else { 0.0 };
        }
        if columns > 0 && columns < features {
            random.permutation(features).into_iter().skip(columns).for_each(|column| plane[column] = 0.0);
        }
        match draw {
            Draw::Uniform => plane[features] = random.uniform_in(-1.0, 1.0) as f32,
            Draw::Through => {
                let here = std::mem::take(&mut reached[t]);
                let sample = if here.is_empty() {
                    random.below(blocks.samples())
                } else {
                    here[random.below(here.len())] as usize
                };
                let score = |i: usize, plane: &[f32]| -> f32 {
                    blocks.sample(i)[..features].iter().zip(plane).map(|(x, w)| x * w).sum()
                };
                plane[features] = -score(sample, plane);
                for i in here {
                    let right = usize::from(score(i as usize, plane) + plane[features] < 0.0);
                    reached[2 * t + 1 + right].push(i);
                }
            }
        }
    }
    let values = || (0..blocks.samples()).map(|i| blocks.truth(i).value);
    let (least, centre) = (values().fold(f64::INFINITY, f64::min), middle(blocks));
    for l in 0..=tree.nodes() {
        let leaf = tree.leaf_mut(l);
        match answer {
            Answer::Constant => leaf[0] = random.uniform_in(least, 2.0 * centre - least) as f32,
            Answer::Linear => leaf[features] = random.uniform_in(least, 2.0 * centre - least) as f32,
            Answer::Classes(_) => leaf.iter_mut().for_each(|cost| *cost = random.uniform_in(0.5, 1.5) as f32),
        }
    }
    tree
}
