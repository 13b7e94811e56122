//! What a last tree is taught: the samples themselves and made-up ones, answered by the mean of the trees found before.
//!
//! Trees of different starts err in different places, so their mean is better than each of them; but it is many trees. One tree
//! that is trained on its answers, at many more points than there are samples, comes near it (Breiman and Shang, *Born again
//! trees*, 1996). A made-up sample has some columns of one sample and the others of another.

use super::blocks::{Blocks, Truth};
use crate::numeric::order::sort_positions;
use crate::numeric::random::Random;
use crate::tree::Tree;

/// About how many made-up samples there are.
const MADE_UP: usize = 40_000;
/// The most per sample.
const MOST_TIMES: usize = 20;
/// Share of a made-up sample's columns that come from a second sample.
const EXCHANGED: f64 = 0.3;
/// Share of the teachers' answer in the target of a real sample.
const TRUST: f64 = 0.5;

/// The samples of a lesson, in a random order: real ones with a target half their own and half the teachers', and made-up ones. Real
/// samples are weighed so that they are at least a fifth. `teachers` answer in scaled units.
pub fn samples(blocks: &Blocks<f32>, teachers: &[Tree], mut random: Random) -> Blocks<f32> {
    let (count, features) = (blocks.samples(), blocks.features());
    let times = (MADE_UP / count.max(1)).min(MOST_TIMES);
    let weight = (times as f64 / 4.0).max(1.0);
    let mut x: Vec<f32> = Vec::with_capacity(count * (1 + times) * features);
    let mut truths = Vec::with_capacity(count * (1 + times));
    for i in 0..count {
        let row = &blocks.sample(i)[..features];
        let Truth { value, class, .. } = blocks.truth(i);
        let value = value + TRUST * (mean_answer(teachers, row) - value);
        x.extend_from_slice(row);
        truths.push(Truth { value, class, weight });
    }
    for at in 0..count * times {
        let from = x.len();
        x.extend_from_slice(&blocks.sample(at % count)[..features]);
        let other = blocks.sample(random.below(count));
        for (to, &value) in x[from..].iter_mut().zip(other) {
            if random.uniform() < EXCHANGED {
                *to = value;
            }
        }
        truths.push(Truth { value: mean_answer(teachers, &x[from..]), class: 0, weight: 1.0 });
    }
    let order = random.permutation(truths.len());
    let rows = order.iter().map(|&i| (&x[i * features..(i + 1) * features], truths[i]));
    Blocks::pack(features, rows).with_summable(blocks.summable())
}

/// Which trees are to teach: the best on the validation samples, as many as make the best mean there.
pub fn teachers(trees: &[Tree], valid: &Blocks<f32>) -> Vec<usize> {
    let count = valid.samples();
    let row = |i: usize| &valid.sample(i)[..valid.features()];
    let answers: Vec<Vec<f64>> = trees.iter().map(|tree| (0..count).map(|i| answer(tree, row(i))).collect()).collect();
    let error = |answer: f64, i: usize| answer - valid.truth(i).value;
    let loss = |answers: &[f64]| (0..count).map(|i| error(answers[i], i) * error(answers[i], i)).sum::<f64>();
    let losses: Vec<f64> = answers.iter().map(|answers| loss(answers)).collect();
    let mut order: Vec<usize> = (0..trees.len()).collect();
    sort_positions(&mut order, &|a, b| losses[a].total_cmp(&losses[b]));
    let mut sums = vec![0.0; count];
    let mut best = (f64::INFINITY, 0);
    for (at, &tree) in order.iter().enumerate() {
        sums.iter_mut().zip(&answers[tree]).for_each(|(sum, answer)| *sum += answer);
        let mean: Vec<f64> = sums.iter().map(|sum| sum / (at + 1) as f64).collect();
        let loss = loss(&mean);
        if loss < best.0 {
            best = (loss, at + 1);
        }
    }
    order.truncate(best.1.max(1));
    order
}

fn answer(tree: &Tree, row: &[f32]) -> f64 {
    tree.output(tree.leaf_of(row), row)[0]
}

fn mean_answer(teachers: &[Tree], row: &[f32]) -> f64 {
    teachers.iter().map(|tree| answer(tree, row)).sum::<f64>() / teachers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Leaf, Node, Split};

    fn stump(threshold: f32, answers: [f32; 2]) -> Tree {
        let split = Split::Numerical { feature: 0, threshold };
        let leaves = answers.map(|answer| Node::Leaf(Leaf::Constant(answer)));
        let [left, right] = leaves;
        Tree::new(vec![Node::Split { split, left: 1, right: 2, default_left: true }, left, right]).unwrap()
    }

    fn line(count: usize) -> Blocks<f32> {
        let rows: Vec<[f32; 2]> = (0..count).map(|i| [i as f32 / count as f32, (i % 7) as f32]).collect();
        let truth = |x: &[f32; 2]| Truth { value: f64::from(x[0]), class: 0, weight: 1.0 };
        Blocks::pack(2, rows.iter().map(|x| (&x[..], truth(x))))
    }

    #[test]
    fn made_up_samples_have_values_of_samples_and_the_answer_of_the_teachers() {
        let (blocks, teachers) = (line(50), [stump(0.5, [0.2, 0.6]), stump(0.3, [0.0, 0.4])]);
        let lesson = samples(&blocks, &teachers, Random::new(1));
        assert_eq!(lesson.samples(), 50 * 21);
        let (mut real, mut made) = (0, 0);
        for i in 0..lesson.samples() {
            let (x, truth) = (lesson.sample(i), lesson.truth(i));
            assert!((0..50).any(|at| blocks.sample(at)[0] == x[0]) && (0..7).any(|at| at as f32 == x[1]));
            let taught = mean_answer(&teachers, &x[..2]);
            let own = if truth.weight > 1.0 { 0.5 * (taught + f64::from(x[0])) } else { taught };
            assert!((truth.value - own).abs() < 1e-6, "{truth:?}");
            if truth.weight > 1.0 { real += 1 } else { made += 1 }
        }
        assert_eq!((real, made), (50, 1000));
    }

    #[test]
    fn a_teacher_that_spoils_the_mean_does_not_teach() {
        let good = [stump(0.5, [0.25, 0.75]), stump(0.4, [0.2, 0.7]), stump(0.6, [0.3, 0.8])];
        let trees = [vec![stump(0.5, [5.0, -5.0])], good.to_vec()].concat();
        let chosen = teachers(&trees, &line(200));
        assert!(!chosen.contains(&0) && chosen[0] == 1 && chosen.len() > 1, "{chosen:?}");
    }
}
