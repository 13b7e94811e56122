//! Which samples are held out. The validation samples score what was fitted to the training samples. Where
//! samples are few, every part of all samples is held out once, and scores what was fitted to the others.

use crate::encode::Labels;
use crate::numeric::order::sort_positions;
use crate::numeric::random::Random;

/// Samples to fit to and samples to judge by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fold {
    /// Fitted to, ascending.
    pub fit: Vec<u32>,
    /// Held out.
    pub held: Vec<u32>,
    /// Folds of one round hold out every sample once.
    pub round: usize,
}

/// The given parts as the first fold; with `rounds` above 0 the other folds of its round, which hold out
/// parts of the training samples of about the same size, and then further rounds of as many folds. Classes
/// are held out in their proportion.
///
/// * `train`  the first samples are for training
/// * `labels` of all samples, the validation samples last
pub(crate) fn folds(labels: &Labels, train: usize, rounds: usize, seed: u64) -> Vec<Fold> {
    let all = labels.len();
    let valid = all - train;
    let count = if valid == 0 { 4 } else { ((all as f64 / valid as f64).round() as usize).clamp(2, 5) };
    let mut folds = vec![];
    if valid > 0 {
        folds.push(Fold {
            fit: (0..train as u32).collect(),
            held: (train as u32..all as u32).collect(),
            round: 0,
        });
    }
    let mut random = Random::stream(seed, "folds");
    for round in 0..rounds {
        let (pool, pieces) = if round == 0 && valid > 0 { (train, count - 1) } else { (all, count) };
        if pieces < 1 || pool < 2 * pieces {
            continue;
        }
        let mut order: Vec<usize> = (0..pool).collect();
        random.shuffle(&mut order);
        if let Labels::Classes { label, .. } = labels {
            sort_positions(&mut order, &|a, b| label[a].cmp(&label[b]));
        }
        for piece in 0..pieces {
            let mut is_held = vec![false; all];
            order.iter().skip(piece).step_by(pieces).for_each(|&sample| is_held[sample] = true);
            let side = |held: bool| (0..all as u32).filter(|&i| is_held[i as usize] == held).collect();
            folds.push(Fold { fit: side(false), held: side(true), round });
        }
    }
    if folds.is_empty() {
        // Too few samples to hold any out: the score is of the samples that were fitted.
        let every: Vec<u32> = (0..all as u32).collect();
        folds.push(Fold { fit: every.clone(), held: every, round: 0 });
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_fold() {
        let labels = Labels::Classes { label: vec![0, 1], classes: 2 };
        assert_eq!(folds(&labels, 2, 2, 0), [Fold { fit: vec![0, 1], held: vec![0, 1], round: 0 }]);
        assert_eq!(folds(&labels, 2, 0, 0).len(), 1);
    }

    #[test]
    fn a_round_holds_out_every_sample_once_and_the_first_fold_is_the_given_one() {
        let labels = Labels::Classes { label: (0..80).map(|i| u32::from(i % 5 == 0)).collect(), classes: 2 };
        let folds = folds(&labels, 60, 2, 3);
        assert_eq!((folds.len(), folds[0].held.clone()), (8, (60..80).collect()));
        for round in 0..2 {
            let mut held: Vec<u32> =
                folds.iter().filter(|f| f.round == round).flat_map(|f| f.held.clone()).collect();
            held.sort_unstable();
            assert_eq!(held, (0..80).collect::<Vec<u32>>());
        }
        assert!(folds.iter().all(|fold| fold.fit.len() + fold.held.len() == 80));
        assert_eq!(super::folds(&labels, 60, 0, 3).len(), 1);
        assert_eq!(super::folds(&labels, 80, 1, 3).len(), 4);
    }
}
