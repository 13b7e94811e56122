//! What a tree is taught: the samples themselves and made-up ones, answered by the mean of other trees.
//!
//! Trees of different starts err in different places, so their mean is better than each of them; but it is many trees. One tree
//! that is trained on its answers, at many more points than there are samples, comes near it (Breiman and Shang, *Born again
//! trees*, 1996). A made-up sample lies on the way from a sample to another one that falls into the same leaf: columns that belong together
//! stay together, where exchanging values between any two samples made rows that no table has.

use std::sync::Arc;

use super::blocks::{Blocks, Truth};
use crate::numeric::order::first_largest;
use crate::numeric::random::Random;
use crate::tree::{Node, Tree};

/// About how many values the made-up samples have in all; tables with fewer than ten columns have as many samples as with ten.
const MADE_UP: usize = 400_000;
/// The most per sample.
const MOST_TIMES: usize = 20;
/// A sample has at least so many neighbours: those in its leaf, or below the next node above it that has as many.
const NEIGHBOURS: usize = 20;
/// A sum of opinions has at most so many parts.
const PARTS: usize = 12;
/// Samples that a step makes.
const STEP: usize = 4000;

/// Opinions with their shares; an opinion is the mean of some trees, which answer in scaled units.
pub struct Teachers(pub Vec<(f64, Vec<Tree>)>);

/// The answers of a tree to some rows. It may not answer beyond the targets it has seen, as linear leaves can.
fn answers<'a>(tree: &Tree, rows: impl Iterator<Item = &'a [f32]> + Clone) -> impl Iterator<Item = f64> {
    let leaves = tree.leaves_of(rows.clone());
    rows.zip(leaves).map(|(row, leaf)| tree.output(leaf as usize, row)[0].clamp(0.0, 1.0))
}

/// The mean answer of some trees to each of some rows.
pub fn opinion<'a>(trees: &[Tree], rows: impl Iterator<Item = &'a [f32]> + Clone) -> Vec<f64> {
    let mut sums = vec![0.0; rows.clone().count()];
    for tree in trees {
        sums.iter_mut().zip(answers(tree, rows.clone())).for_each(|(sum, answer)| *sum += answer);
    }
    sums.iter_mut().for_each(|sum| *sum /= trees.len() as f64);
    sums
}

impl Teachers {
    /// Every tree, with what its answer counts.
    fn trees(&self) -> impl Iterator<Item = (f64, &Tree)> {
        self.0.iter().flat_map(|(share, trees)| trees.iter().map(move |tree| (share / trees.len() as f64, tree)))
    }
}

/// The share of each opinion in the mean that is best on validation samples: time and again the opinion joins, as often as it
/// likes, that helps most (Caruana, Niculescu-Mizil, Crew and Ksikes, ICML 2004). `opinions` is opinion × sample.
pub fn shares(opinions: &[Vec<f64>], valid: &Blocks<f32>) -> Vec<f64> {
    let count = valid.samples();
    let (mut sums, mut parts, mut joined) = (vec![0.0; count], vec![0usize; opinions.len()], 0);
    let mut best = f64::NEG_INFINITY;
    while joined < PARTS {
        let score = |opinion: &Vec<f64>| {
            let miss = |i: usize| (sums[i] + opinion[i]) / (joined + 1) as f64 - valid.truth(i).value;
            -(0..count).map(|i| miss(i) * miss(i)).sum::<f64>()
        };
        let scores: Vec<f64> = opinions.iter().map(score).collect();
        let at = first_largest(&scores);
        // What hardly helps is left out; the first one always joins.
        if joined > 0 && scores[at] <= best * 0.9999 {
            break;
        }
        best = scores[at];
        parts[at] += 1;
        joined += 1;
        sums.iter_mut().zip(&opinions[at]).for_each(|(sum, opinion)| *sum += opinion);
    }
    parts.iter().map(|&parts| parts as f64 / joined.max(1) as f64).collect()
}

/// Samples of a lesson as they are made.
pub struct Lesson {
    blocks: Arc<Blocks<f32>>,
    teachers: Teachers,
    /// For each of some trees the neighbours of every sample.
    near: Vec<Neighbours>,
    /// Share of the teachers' answer in the target of a real sample.
    trust: f64,
    /// Made-up samples per sample.
    times: usize,
    random: Random,
    /// Values, F per sample, the real ones first.
    x: Vec<f32>,
    /// Samples made.
    made: usize,
    /// What the trees that were asked say to each sample, and how many they are.
    taught: Vec<f64>,
    asked: usize,
}

impl Lesson {
    /// Begins a lesson on some samples. `trust` is the share of the teachers' answer in the target of a real sample; `near` are
    /// trees whose leaves say which samples are near to each other.
    pub fn new(blocks: Arc<Blocks<f32>>, teachers: Teachers, trust: f64, near: &[Tree], random: Random) -> Self {
        let wanted = MADE_UP / blocks.features().max(10);
        let times = (wanted / blocks.samples().max(1)).clamp(1, MOST_TIMES);
        let near = near.iter().map(|tree| Neighbours::new(tree, &blocks)).collect();
        let taught = vec![0.0; blocks.samples() * (1 + times)];
        Lesson { blocks, teachers, near, trust, times, random, x: vec![], made: 0, taught, asked: 0 }
    }

    /// Share of the work that is done.
    pub fn share(&self) -> f64 {
        let trees = self.teachers.trees().count();
        (self.made as f64 / self.taught.len() as f64 + self.asked as f64) / (1 + trees) as f64
    }

    /// Makes some samples, or asks a tree about all of them; returns whether there is more to do.
    pub fn step(&mut self) -> bool {
        let samples = self.blocks.samples();
        if self.made < self.taught.len() {
            let end = self.taught.len().min(self.made + STEP);
            for at in self.made..end {
                let real = self.blocks.sample(at % samples);
                self.x.extend_from_slice(&real[..self.blocks.features()]);
                if at >= samples {
                    self.move_last(at % samples);
                }
            }
            self.made = end;
            return true;
        }
        if let Some((share, tree)) = self.teachers.trees().nth(self.asked) {
            let answers = answers(tree, self.x.chunks_exact(self.blocks.features()));
            self.taught.iter_mut().zip(answers).for_each(|(sum, answer)| *sum += share * answer);
            self.asked += 1;
        }
        self.asked < self.teachers.trees().count()
    }

    /// Moves the last sample, which is a copy of sample `i`, towards one of that one's neighbours.
    fn move_last(&mut self, i: usize) {
        let (from, random) = (self.x.len() - self.blocks.features(), &mut self.random);
        let near = &self.near[random.below(self.near.len())];
        let neighbours = near.of(i);
        let other = self.blocks.sample(neighbours[random.below(neighbours.len())] as usize);
        let part = random.uniform() as f32;
        for ((to, &other), &summable) in self.x[from..].iter_mut().zip(other).zip(self.blocks.summable()) {
            if summable {
                *to += part * (other - *to);
            } else if part > 0.5 {
                // There is nothing between two categories.
                *to = other;
            }
        }
    }

    /// What a sample is to be. A real one's target is partly its own and partly the teachers'. It weighs as much as all that are made
    /// from it, and all together as much as there are samples: shrinkage knows from the weight how sure a leaf can be.
    fn truth(&self, at: usize) -> Truth {
        let taught = self.taught[at];
        if at >= self.blocks.samples() {
            return Truth { value: taught, class: 0, weight: 0.5 / self.times as f64 };
        }
        let Truth { value, class, .. } = self.blocks.truth(at);
        Truth { value: value + self.trust * (taught - value), class, weight: 0.5 }
    }

    /// All of them, in a random order.
    pub fn samples(mut self) -> Blocks<f32> {
        let features = self.blocks.features();
        let order = self.random.permutation(self.taught.len());
        let rows = order.iter().map(|&i| (&self.x[i * features..(i + 1) * features], self.truth(i)));
        Blocks::pack(features, rows).with_summable(self.blocks.summable())
    }
}

/// Which samples are near to each other, as a tree sees it.
struct Neighbours {
    /// The samples below each node.
    below: Vec<Vec<u32>>,
    /// The lowest node above each sample that has enough of them.
    node: Vec<usize>,
}

impl Neighbours {
    fn new(tree: &Tree, blocks: &Blocks<f32>) -> Self {
        let mut parent = vec![0; tree.size()];
        for (at, node) in tree.nodes().iter().enumerate() {
            if let Node::Split { left, right, .. } = node {
                (parent[*left], parent[*right]) = (at, at);
            }
        }
        let mut below = vec![vec![]; tree.size()];
        let row = |i: usize| &blocks.sample(i)[..blocks.features()];
        let mut node: Vec<usize> = (0..blocks.samples()).map(|i| tree.leaf_of(row(i))).collect();
        for (i, &leaf) in node.iter().enumerate() {
            let mut at = leaf;
            below[at].push(i as u32);
            while at > 0 {
                at = parent[at];
                below[at].push(i as u32);
            }
        }
        for at in &mut node {
            while *at > 0 && below[*at].len() < NEIGHBOURS {
                *at = parent[*at];
            }
        }
        Neighbours { below, node }
    }

    fn of(&self, i: usize) -> &[u32] {
        &self.below[self.node[i]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Leaf, Split};

    fn stump(threshold: f32, answers: [f32; 2]) -> Tree {
        let split = Split::Numerical { feature: 0, threshold };
        let leaves = answers.map(|answer| Node::Leaf(Leaf::Constant(answer)));
        let [left, right] = leaves;
        Tree::new(vec![Node::Split { split, left: 1, right: 2, default_left: true }, left, right]).unwrap()
    }

    fn line(count: usize) -> Blocks<f32> {
        let rows: Vec<[f32; 2]> = (0..count).map(|i| [i as f32 / count as f32, (i % 7) as f32]).collect();
        let truth = |x: &[f32; 2]| Truth { value: f64::from(x[0]), class: 0, weight: 1.0 };
        Blocks::pack(2, rows.iter().map(|x| (&x[..], truth(x)))).with_apart(&[1])
    }

    #[test]
    fn made_up_samples_lie_between_neighbours_and_have_the_answer_of_the_teachers() {
        let (blocks, near) = (Arc::new(line(50)), stump(0.5, [0.2, 0.6]));
        let teachers =
            || Teachers(vec![(0.75, vec![near.clone(), stump(0.3, [0.0, 0.4])]), (0.25, vec![stump(0.4, [0.1, 0.2])])]);
        let mut lesson = Lesson::new(blocks.clone(), teachers(), 0.5, std::slice::from_ref(&near), Random::new(1));
        while lesson.step() {}
        let lesson = lesson.samples();
        assert_eq!(lesson.samples(), 50 * 21);
        let (mut real, mut between) = (0, 0);
        for i in 0..lesson.samples() {
            let (x, truth) = (lesson.sample(i), lesson.truth(i));
            let taught: f64 =
                teachers().trees().map(|(share, tree)| share * tree.output(tree.leaf_of(&x[..2]), &x[..2])[0]).sum();
            let own = if truth.weight == 0.5 { 0.5 * (taught + f64::from(x[0])) } else { taught };
            assert!((truth.value - own).abs() < 1e-6, "{truth:?}");
            assert!((0..7).any(|at| at as f32 == x[1]), "a category stays one: {x:?}");
            real += usize::from(truth.weight == 0.5);
            between += usize::from((0..50).all(|at| blocks.sample(at)[0] != x[0]));
            // Neighbours are on one side of the stump, where values reach to 0.5 and from 0.52.
            assert!(x[0] <= 0.5 || x[0] >= 0.52, "{x:?}");
        }
        assert!(real == 50 && between > 800, "{real} {between}");
    }

    #[test]
    fn a_sample_alone_in_its_leaf_has_the_neighbours_of_the_node_above() {
        let near = Neighbours::new(&stump(0.05, [0.0, 1.0]), &line(50));
        assert_eq!((near.of(0).len(), near.of(49).len()), (50, 47));
    }

    #[test]
    fn an_opinion_that_spoils_the_mean_has_no_share() {
        let valid = line(200);
        let at = |shift: f64, slope: f64| (0..200).map(|i| shift + slope * valid.truth(i).value).collect::<Vec<f64>>();
        let shares = shares(&[at(5.0, -4.0), at(0.1, 1.0), at(-0.1, 1.0)], &valid);
        assert_eq!(shares, [0.0, 0.5, 0.5]);
    }
}
