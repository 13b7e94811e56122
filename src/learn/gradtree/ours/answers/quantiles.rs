//! Answers under absolute and pinball loss: the quantile of a node's samples, where sums would give their
//! mean.
//!
//! Splits of a greedy start are found by the squared error and the teacher's votes, which are means.
//! Everything that follows has the loss asked for: what leaves answer, what pruning saves, the descent, and
//! how held-out samples judge.

use crate::encode::Design;
use crate::learn::greedy::histogram::{HistogramNode, SoftSums};
use crate::numeric::order::sort_numbers;
use crate::numeric::pinball::Pinball;

/// Gives every node of a grown tree the best answer to the samples of `fit` that reach it, and their loss as
/// its cost.
///
/// * `target` (N)  of the samples of the design
pub(crate) fn answer_quantiles(
    nodes: &mut [HistogramNode],
    pinball: Pinball,
    design: &Design,
    target: &[f32],
    fit: &[u32],
) {
    let mut reached = vec![vec![]; nodes.len()];
    for &sample in fit {
        let (row, value) = (design.row(sample as usize), f64::from(target[sample as usize]));
        let mut next = Some(0);
        while let Some(at) = next {
            reached[at].push(value);
            next = nodes[at].below(row);
        }
    }
    for (node, values) in nodes.iter_mut().zip(reached) {
        let (sums, cost) = described(pinball, values);
        node.summary = SoftSums { sums, cost };
    }
}

/// The sums whose mean is the best answer to some values, and the loss of that answer.
fn described(pinball: Pinball, mut values: Vec<f64>) -> (Vec<f64>, f64) {
    if values.is_empty() {
        return (vec![0.0; 2], 0.0);
    }
    sort_numbers(&mut values);
    let (answer, count) = (pinball.answer(&values), values.len() as f64);
    (vec![answer * count, count], pinball.mean_loss(&values, answer) * count)
}

/// For every leaf, the sums whose mean is the best answer to the samples that reach it.
pub(super) fn sums(
    pinball: Pinball,
    size: usize,
    reached: impl Iterator<Item = (usize, f32)>,
) -> Vec<Vec<f64>> {
    let mut values = vec![vec![]; size];
    reached.for_each(|(leaf, value)| values[leaf].push(f64::from(value)));
    values.into_iter().map(|values| described(pinball, values).0).collect()
}
