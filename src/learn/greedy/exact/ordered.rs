//! Numbers under absolute or pinball loss.
//!
//! A group's answer is a quantile, which sums do not give. A Fenwick tree (Fenwick, 1994) of counts and sums
//! in the order of the labels gives the loss of a growing group in logarithmic time per sample.

use crate::numeric::order::{sort_numbers, sort_positions};
use crate::numeric::pinball::Pinball;
use crate::numeric::slices::Slice;

/// Samples that are added between two checks of the slice, and the cost of each, in numbers read.
const PIECE: usize = 1024;
const COST: usize = 64;

/// Labels with their order.
#[derive(Debug, Clone)]
pub(super) struct Ordered {
    pinball: Pinball,
    /// Each label less `shift`.
    shifted: Vec<f64>,
    /// Near the middle of all labels, so that sums keep their digits.
    shift: f64,
    /// The place of each sample in the order of the labels, equal labels in the order of the samples.
    rank: Vec<u32>,
    /// The shifted labels in ascending order.
    sorted: Vec<f64>,
}

/// The labels of some samples, by count and sum.
struct Counts {
    pinball: Pinball,
    /// Count and sum per node of the Fenwick tree; position 0 is not used.
    tree: Vec<(u32, f64)>,
    count: usize,
    sum: f64,
}

impl Ordered {
    /// The labels of a training.
    pub(crate) fn new(values: &[f64], pinball: Pinball) -> Ordered {
        let mut order: Vec<usize> = (0..values.len()).collect();
        sort_positions(&mut order, &|a, b| values[a].total_cmp(&values[b]));
        let mut rank = vec![0; values.len()];
        (0u32..).zip(&order).for_each(|(place, &sample)| rank[sample] = place);
        // Few digits, so that a label with few digits is shifted without rounding and equal sums stay equal.
        let shift = f64::from(pinball.answer_to(values.to_vec()) as f32);
        let shifted: Vec<f64> = values.iter().map(|value| value - shift).collect();
        Ordered {
            pinball,
            sorted: order.iter().map(|&sample| shifted[sample]).collect(),
            shifted,
            shift,
            rank,
        }
    }

    /// The mean loss of the best answer to some samples, and that answer. There is at least one.
    pub(crate) fn summary(&self, samples: &[u32]) -> (f64, f64) {
        let mut values: Vec<f64> = samples.iter().map(|&sample| self.shifted[sample as usize]).collect();
        sort_numbers(&mut values);
        let answer = self.pinball.answer(&values);
        (self.pinball.mean_loss(&values, answer), self.shift + answer)
    }

    /// Whether two samples have the same label.
    pub(crate) fn same(&self, a: u32, b: u32) -> bool {
        self.shifted[a as usize] == self.shifted[b as usize]
    }

    /// The places of a group in the order of the labels, for [`Ordered::losses`].
    pub(crate) fn places(&self, samples: &[u32]) -> Vec<u32> {
        let mut places: Vec<u32> = samples.iter().map(|&sample| self.rank[sample as usize]).collect();
        places.sort_unstable();
        places
    }

    /// The loss of `first` with one more of `samples` each time: a number per sample.
    ///
    /// `places` are those of a group that holds all of them.
    pub(super) async fn losses(
        &self,
        places: &[u32],
        first: &[u32],
        samples: impl Iterator<Item = u32>,
        slice: &mut Slice,
    ) -> Vec<f64> {
        let mut counts =
            Counts { pinball: self.pinball, tree: vec![(0, 0.0); places.len() + 1], count: 0, sum: 0.0 };
        let add = |counts: &mut Counts, sample: u32| {
            let place = places.partition_point(|&place| place < self.rank[sample as usize]);
            counts.add(place, self.shifted[sample as usize]);
        };
        for piece in first.chunks(PIECE) {
            piece.iter().for_each(|&sample| add(&mut counts, sample));
            slice.spend(COST * piece.len() / 2).await;
        }
        let mut losses = vec![];
        for sample in samples {
            add(&mut counts, sample);
            losses.push(counts.loss(|place| self.sorted[places[place] as usize]));
            if losses.len() % PIECE == 0 {
                slice.spend(COST * PIECE).await;
            }
        }
        losses
    }
}

impl Counts {
    fn add(&mut self, place: usize, value: f64) {
        (self.count, self.sum) = (self.count + 1, self.sum + value);
        let mut at = place + 1;
        while at < self.tree.len() {
            self.tree[at].0 += 1;
            self.tree[at].1 += value;
            at += at & at.wrapping_neg();
        }
    }

    /// The least loss of any answer: that of the label at the quantile.
    fn loss(&self, label: impl Fn(usize) -> f64) -> f64 {
        let [position, _] = self.pinball.positions(self.count);
        // The first place up to which there are more than `position` labels, with the count and the sum
        // before it.
        let (mut at, mut below, mut sum) = (0, 0usize, 0.0);
        let mut step = self.tree.len().next_power_of_two();
        while step > 0 {
            if let Some(&(count, part)) = self.tree.get(at + step)
                && below + count as usize <= position
            {
                (at, below, sum) = (at + step, below + count as usize, sum + part);
            }
            step /= 2;
        }
        // One label is there, so that `below` is the position and the labels above it are the others.
        let value = label(at);
        let above = self.count - below - 1;
        let low = value * below as f64 - sum;
        let high = self.sum - sum - value - value * above as f64;
        // A rounding must not make a pure group better than pure.
        (self.pinball.scale * ((1.0 - self.pinball.quantile) * low + self.pinball.quantile * high)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;
    use crate::numeric::slices::at_once;

    #[test]
    fn the_loss_of_a_growing_group_is_that_of_its_quantile() {
        let mut random = Random::new(5);
        for pinball in [Pinball::ABSOLUTE, Pinball::of(0.1), Pinball::of(0.9), Pinball::of(0.37)] {
            // Few different labels, so that many are equal.
            let values: Vec<f64> = (0..60).map(|_| random.below(25) as f64 / 4.0 + 1000.0).collect();
            let ordered = Ordered::new(&values, pinball);
            let group: Vec<u32> = (0..60).filter(|i| i % 4 != 1).collect();
            let (first, rest) = group.split_at(7);
            let (places, slice) = (ordered.places(&group), &mut Slice::default());
            let losses = at_once(ordered.losses(&places, first, rest.iter().copied(), slice));
            for (at, loss) in losses.iter().enumerate() {
                let (mean, _) = ordered.summary(&group[..8 + at]);
                assert!((loss - mean * (8 + at) as f64).abs() < 1e-9, "{pinball:?} {at}: {loss} {mean}");
            }
        }
    }
}
