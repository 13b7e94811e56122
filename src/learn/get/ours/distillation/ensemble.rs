//! The teachers of a distillation: a weighted mean of trees.

use crate::learn::get::kernel::blocks::Blocks;
use crate::numeric::order::first_largest;
use crate::tree::Tree;

/// A weighted mean is made of at most so many parts.
const PARTS: usize = 12;
/// Groups of trees with the share of each group in the mean. A group answers with the mean of its trees, in
/// scaled units.
pub(super) struct Ensemble(pub Vec<(f64, Vec<Tree>)>);

/// The answers of a tree to some rows. It may not answer beyond the targets it has seen, as linear leaves
/// can.
pub(super) fn answers<'a>(
    tree: &Tree,
    rows: impl Iterator<Item = &'a [f32]> + Clone,
) -> impl Iterator<Item = f64> {
    let leaves = tree.leaves_of(rows.clone());
    rows.zip(leaves).map(|(row, leaf)| tree.output(leaf as usize, row)[0].clamp(0.0, 1.0))
}

/// The mean answer of some trees to each of some rows.
pub(super) fn opinion<'a>(trees: &[Tree], rows: impl Iterator<Item = &'a [f32]> + Clone) -> Vec<f64> {
    let mut sums = vec![0.0; rows.clone().count()];
    for tree in trees {
        sums.iter_mut().zip(answers(tree, rows.clone())).for_each(|(sum, answer)| *sum += answer);
    }
    sums.iter_mut().for_each(|sum| *sum /= trees.len() as f64);
    sums
}

impl Ensemble {
    /// Every tree, with what its answer counts.
    pub(super) fn trees(&self) -> impl Iterator<Item = (f64, &Tree)> {
        self.0
            .iter()
            .flat_map(|(share, trees)| trees.iter().map(move |tree| (share / trees.len() as f64, tree)))
    }
}

/// The share of each group in the mean that is best on validation samples. Ensemble selection with
/// replacement (Caruana, Niculescu-Mizil, Crew and Ksikes, ICML 2004): each round adds the group that lowers
/// the error most. `opinions` is group × sample.
pub(super) fn shares(opinions: &[Vec<f64>], valid: &Blocks<f32>) -> Vec<f64> {
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

#[cfg(test)]
mod tests {
    use super::super::tests::line;
    use super::*;

    #[test]
    fn an_opinion_that_spoils_the_mean_has_no_share() {
        let valid = line(200);
        let at = |shift: f64, slope: f64| {
            (0..200).map(|i| shift + slope * valid.truth(i).value).collect::<Vec<f64>>()
        };
        let shares = shares(&[at(5.0, -4.0), at(0.1, 1.0), at(-0.1, 1.0)], &valid);
        assert_eq!(shares, [0.0, 0.5, 0.5]);
    }
}
