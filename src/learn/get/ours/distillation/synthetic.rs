//! The samples that a tree is distilled from: real and synthetic ones, labelled by the teachers.
//!
//! Trees of different starts err in different places, so their mean is better than each of them; but it is
//! many trees. One tree that is trained on its answers, at many more points than there are samples, comes
//! near it (Breiman and Shang, *Born again trees*, 1996). A synthetic sample lies between a sample and
//! another one in the same leaf. So columns that depend on each other still agree; exchanging values between
//! any two samples made rows that no table has.

use std::sync::Arc;

use super::ensemble::{Ensemble, answers};
use super::neighbours::Neighbours;
use crate::learn::get::kernel::blocks::{Blocks, Truth};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// About how many values the synthetic samples have in all; tables with fewer than ten columns have as many
/// samples as with ten.
const MADE_UP: usize = 400_000;
/// The most per sample.
const MOST_TIMES: usize = 20;
/// Samples that a step makes.
const STEP: usize = 4000;

/// Samples of a distillation as they are made.
pub(super) struct SyntheticSamples {
    blocks: Arc<Blocks<f32>>,
    teachers: Ensemble,
    /// For each of some trees the neighbours of every sample.
    near: Vec<Neighbours>,
    /// Share of the teachers' answer in the target of a real sample.
    trust: f64,
    /// Synthetic samples per sample.
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

impl SyntheticSamples {
    /// Begins with some samples. `trust` is the share of the teachers' answer in the target of a real
    /// sample; `near` are trees whose leaves say which samples are near to each other.
    pub(super) fn new(
        blocks: Arc<Blocks<f32>>,
        teachers: Ensemble,
        trust: f64,
        near: &[Tree],
        random: Random,
    ) -> Self {
        let wanted = MADE_UP / blocks.features().max(10);
        let times = (wanted / blocks.samples().max(1)).clamp(1, MOST_TIMES);
        let near = near.iter().map(|tree| Neighbours::new(tree, &blocks)).collect();
        let taught = vec![0.0; blocks.samples() * (1 + times)];
        SyntheticSamples {
            blocks,
            teachers,
            near,
            trust,
            times,
            random,
            x: vec![],
            made: 0,
            taught,
            asked: 0,
        }
    }

    /// Share of the work that is done.
    pub(super) fn share(&self) -> f64 {
        let trees = self.teachers.trees().count();
        (self.made as f64 / self.taught.len() as f64 + self.asked as f64) / (1 + trees) as f64
    }

    /// Makes some samples, or asks a tree about all of them; returns whether there is more to do.
    pub(super) fn step(&mut self) -> bool {
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

    /// What a sample is to be. A real one's target is partly its own and partly the teachers'. It weighs as
    /// much as all that are made from it, and all together as much as there are samples: shrinkage knows from
    /// the weight how sure a leaf can be.
    fn truth(&self, at: usize) -> Truth {
        let taught = self.taught[at];
        if at >= self.blocks.samples() {
            return Truth { value: taught, class: 0, weight: 0.5 / self.times as f64 };
        }
        let Truth { value, class, .. } = self.blocks.truth(at);
        Truth { value: value + self.trust * (taught - value), class, weight: 0.5 }
    }

    /// All of them, in a random order.
    pub(super) fn samples(mut self) -> Blocks<f32> {
        let features = self.blocks.features();
        let order = self.random.permutation(self.taught.len());
        let rows = order.iter().map(|&i| (&self.x[i * features..(i + 1) * features], self.truth(i)));
        Blocks::pack(features, rows).with_summable(self.blocks.summable())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{line, stump};
    use super::*;

    #[test]
    fn made_up_samples_lie_between_neighbours_and_have_the_answer_of_the_teachers() {
        let (blocks, near) = (Arc::new(line(50)), stump(0.5, [0.2, 0.6]));
        let teachers = || {
            Ensemble(vec![
                (0.75, vec![near.clone(), stump(0.3, [0.0, 0.4])]),
                (0.25, vec![stump(0.4, [0.1, 0.2])]),
            ])
        };
        let mut making = SyntheticSamples::new(
            blocks.clone(),
            teachers(),
            0.5,
            std::slice::from_ref(&near),
            Random::new(1),
        );
        while making.step() {}
        let made = making.samples();
        assert_eq!(made.samples(), 50 * 21);
        let (mut real, mut between) = (0, 0);
        for i in 0..made.samples() {
            let (x, truth) = (made.sample(i), made.truth(i));
            let taught: f64 = teachers()
                .trees()
                .map(|(share, tree)| share * tree.output(tree.leaf_of(&x[..2]), &x[..2])[0])
                .sum();
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
}
