//! A plane fitted anew to the sides it made.
//!
//! Least squares look for the direction in which the target rises; a tree wants the one across which two
//! means, or two sets of class shares, lie closest to their samples. From a first cut both are known: each
//! sample gains so much on one of the sides, and a logistic fit weighted by these gains gives a direction
//! nearer to what is wanted. It is the step of [`crate::learn::get::ours::node_refinement`], at a node whose
//! children are leaves.

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::along::{CONSIDERED, COST};
use crate::learn::get::ours::greedy_oblique::cut::{Cut, Cutter, Price, best_cut};
use crate::learn::get::ours::node_refinement::direction::dividing;
use crate::learn::get::paper::parameters::Answer;
use crate::numeric::slices::Slice;

/// Ridge of the logistic fit, in samples of mean weight.
const RIDGE: f64 = 0.1;

impl Cutter {
    /// A cut, or a better one of some samples: as often as rounds are wanted, and as long as each finds one.
    /// `order` has the columns that least squares needed, most of all the first.
    pub(in crate::learn::get) async fn between_sides(
        &mut self,
        samples: &[u32],
        order: &[usize],
        mut cut: Cut,
        price: Price,
        slice: &mut Slice,
    ) -> Cut {
        let (blocks, answer) = (self.blocks.clone(), self.answer);
        let summable = order.iter().copied().filter(|&column| blocks.summable()[column]);
        let columns: Vec<usize> = summable.take(CONSIDERED).collect();
        for _ in 0..self.how.rounds {
            let gains = gains(&blocks, samples, &cut, answer);
            slice.spend((blocks.features() + 4) * samples.len()).await;
            if dividing(&mut self.logistic, &blocks, &columns, samples, &gains, RIDGE).is_none() {
                break;
            }
            let Some(elimination) = self.logistic.elimination() else { break };
            let before = cut.gain;
            for weights in self.along(&elimination) {
                let mut whole = vec![0.0; blocks.features()];
                // A logistic fit rises where the left side gains.
                columns.iter().zip(&weights).for_each(|(&column, weight)| whole[column] = -weight);
                if let Some(other) = best_cut(&blocks, samples, whole, answer) {
                    cut = price.better(cut, other);
                }
                slice.spend((COST + blocks.features()) * samples.len()).await;
            }
            if cut.gain == before {
                break;
            }
        }
        cut
    }
}

/// What each sample gains on the left side of a cut: squared errors of numbers, or of class shares (Brier's
/// score).
fn gains(blocks: &Blocks<f32>, samples: &[u32], cut: &Cut, answer: Answer) -> Vec<f64> {
    let numbers = if let Answer::Classes(classes) = answer { classes } else { 1 };
    let (mut means, mut counts) = ([vec![0.0; numbers], vec![0.0; numbers]], [0.0; 2]);
    for &i in samples {
        let (side, truth) = (usize::from(!cut.goes_left(blocks, i)), blocks.truth(i as usize));
        counts[side] += 1.0;
        match answer {
            Answer::Classes(_) => means[side][truth.class as usize] += 1.0,
            _ => means[side][0] += truth.value,
        }
    }
    for (means, count) in means.iter_mut().zip(counts) {
        means.iter_mut().for_each(|sum| *sum /= f64::max(count, 1.0));
    }
    let same = means.each_ref().map(|means| means.iter().map(|mean| mean * mean).sum::<f64>());
    let gain = |&i: &u32| {
        let truth = blocks.truth(i as usize);
        // `|e − p|²` but for what both sides have.
        let cost = |side: usize| match answer {
            Answer::Classes(_) => same[side] - 2.0 * means[side][truth.class as usize],
            _ => same[side] - 2.0 * means[side][0] * truth.value,
        };
        cost(1) - cost(0)
    };
    samples.iter().map(gain).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::learn::get::ours::greedy_oblique::{GreedyOblique, GrowthSettings};
    use crate::numeric::random::Random;

    /// A step across two columns, and a third whose rare extremes pull least squares along.
    fn blocks() -> Arc<Blocks<f32>> {
        let mut random = Random::new(3);
        let rows: Vec<([f32; 3], bool)> = (0..600)
            .map(|_| {
                let x: [f32; 3] = std::array::from_fn(|_| random.uniform() as f32);
                (x, x[0] + x[1] > 1.0)
            })
            .collect();
        let truth = |x: &[f32; 3], above: bool| {
            let far = if x[2] > 0.97 { 2.0 } else { 0.0 };
            Truth { value: f64::from(u8::from(above)) + far, class: u32::from(above), weight: 1.0 }
        };
        Arc::new(Blocks::pack(3, rows.iter().map(|(x, above)| (&x[..], truth(x, *above)))))
    }

    fn root(rounds: usize, answer: Answer) -> Vec<f32> {
        let how = GrowthSettings { ridge: 1e-6, columns: 0, price: 0.0, rounds };
        let mut grown = GreedyOblique::new(blocks(), 1, answer, how);
        while grown.step() {}
        grown.tree().plane(0).to_vec()
    }

    #[test]
    fn a_plane_comes_nearer_to_the_step_than_least_squares() {
        // How far a plane turns away from the step.
        let off = |plane: Vec<f32>| (plane[0] / plane[1] - 1.0).abs() + (plane[2] / plane[1]).abs();
        let [first, anew] = [0, 2].map(|rounds| off(root(rounds, Answer::Constant)));
        assert!(anew < 0.8 * first, "{first} {anew}");
        let anew = off(root(2, Answer::Classes(2)));
        assert!(anew < 0.1, "{anew}");
    }

    #[test]
    fn gains_are_differences_of_squared_errors() {
        let (blocks, samples) = (blocks(), (0..600).collect::<Vec<u32>>());
        let cut = best_cut(&blocks, &samples, vec![1.0, 0.0, 0.0], Answer::Constant).unwrap();
        let mean = |left: bool| {
            let side: Vec<f64> = samples
                .iter()
                .filter(|i| cut.goes_left(&blocks, **i) == left)
                .map(|&i| blocks.truth(i as usize).value)
                .collect();
            side.iter().sum::<f64>() / side.len() as f64
        };
        let [left, right] = [mean(true), mean(false)];
        for (&i, gain) in samples.iter().zip(gains(&blocks, &samples, &cut, Answer::Constant)) {
            let y = blocks.truth(i as usize).value;
            let expected = (y - right) * (y - right) - (y - left) * (y - left);
            assert!((gain - expected).abs() < 1e-9, "{gain} {expected}");
        }
    }
}
