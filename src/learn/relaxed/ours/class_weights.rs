//! Weights by class: rare classes count more.

use crate::encode::Labels;

/// The weight of a sample of each class: the class's share of the samples to the power `−balance`, scaled to
/// 1 on average.
///
/// `balance` 0 counts all samples alike, 1 all classes alike. An absent class counts as one with a single
/// sample.
pub fn class_weights(labels: &Labels, balance: f64) -> Vec<f64> {
    let Labels::Classes { label, classes } = labels else { return vec![] };
    let mut counts = vec![0usize; *classes];
    label.iter().for_each(|&class| counts[class as usize] += 1);
    let raw = counts.iter().map(|&count| if count == 0 { 1.0 } else { libm::pow(count as f64, -balance) });
    let raw: Vec<f64> = raw.collect();
    let total: f64 = raw.iter().zip(&counts).map(|(weight, &count)| weight * count as f64).sum();
    raw.iter().map(|weight| if total > 0.0 { weight * label.len() as f64 / total } else { 1.0 }).collect()
}
