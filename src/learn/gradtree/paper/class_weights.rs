//! Weights that make rare classes count more. The paper adds synthetic samples instead; the authors' later
//! package has balanced weights, which are those of power 1.

/// How many samples each class has.
pub(crate) fn class_counts(label: &[u32], classes: usize) -> Vec<f64> {
    let mut counts = vec![0.0; classes];
    label.iter().for_each(|&class| counts[class as usize] += 1.0);
    counts
}

/// `(N / (C n_k))^power` over the C classes that occur; 1 for one that does not.
pub(crate) fn class_factors(counts: &[f64], power: f64) -> Vec<f64> {
    let occurring = counts.iter().filter(|&&n| n > 0.0).count() as f64;
    let all: f64 = counts.iter().sum();
    counts.iter().map(|&n| if n > 0.0 { libm::pow(all / (occurring * n), power) } else { 1.0 }).collect()
}
