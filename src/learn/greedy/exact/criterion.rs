//! The impurity of a group of samples, and the score of its split in two.
//!
//! Samples are weighed by their class alone, so the sums over classes are whole counts and the weights enter
//! afterwards: equal groups give equal bits in whatever order they were added up, and a group of one class is
//! exactly pure.

use super::ordered::Ordered;
use super::{ClassWeight, Criterion, SplitRules};
use crate::encode::Labels;

/// The labels in the form that a search sums.
#[derive(Debug, Clone)]
pub(super) enum Outcomes {
    /// Classes under gini or entropy.
    Classes {
        /// The class of each sample.
        label: Vec<u32>,
        /// The weight of a sample of each class.
        weight: Vec<f64>,
        /// Entropy instead of gini.
        entropy: bool,
    },
    /// Numbers under squared error.
    Values {
        /// Each label less `shift`.
        shifted: Vec<f64>,
        /// Near the mean of all labels: a one-pass variance loses all digits when the mean is large beside
        /// the spread.
        shift: f64,
    },
    /// Numbers under absolute or pinball loss, which sums do not describe.
    Ordered(Ordered),
}

/// LabelSums over a group of samples, from which impurity and answer follow.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LabelSums {
    /// The number of samples.
    pub rows: usize,
    /// Samples per class (C), or the sum of the shifted labels and of their squares (2).
    parts: Vec<f64>,
}

impl Outcomes {
    /// The labels of a training, for rules that suit them.
    pub(crate) fn new(labels: &Labels, rules: &SplitRules) -> Self {
        match (labels, rules.pinball) {
            (Labels::Classes { label, classes }, _) => Outcomes::Classes {
                label: label.clone(),
                weight: class_weights(label, *classes, rules.class_weight),
                entropy: rules.criterion == Criterion::Entropy,
            },
            (Labels::Values(values), Some(pinball)) => Outcomes::Ordered(Ordered::new(values, pinball)),
            (Labels::Values(values), None) => {
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                // Few digits, so that a label with few digits is shifted without rounding and equal sums stay
                // equal.
                let shift = f64::from(mean as f32);
                Outcomes::Values { shifted: values.iter().map(|value| value - shift).collect(), shift }
            }
        }
    }

    /// The sums of no sample.
    pub(crate) fn nothing(&self) -> LabelSums {
        let parts = match self {
            Outcomes::Classes { weight, .. } => weight.len(),
            Outcomes::Values { .. } => 2,
            Outcomes::Ordered(_) => 0,
        };
        LabelSums { rows: 0, parts: vec![0.0; parts] }
    }

    /// The sums over some samples, added in their order.
    pub(crate) fn sums(&self, samples: &[u32]) -> LabelSums {
        let mut sums = self.nothing();
        for &sample in samples {
            self.add(&mut sums, sample);
        }
        sums
    }

    /// Adds a sample.
    pub(crate) fn add(&self, sums: &mut LabelSums, sample: u32) {
        sums.rows += 1;
        match self {
            Outcomes::Classes { label, .. } => sums.parts[label[sample as usize] as usize] += 1.0,
            Outcomes::Values { shifted, .. } => {
                let value = shifted[sample as usize];
                sums.parts[0] += value;
                sums.parts[1] += value * value;
            }
            Outcomes::Ordered(_) => {}
        }
    }

    /// The weight of a group.
    pub(crate) fn weight(&self, sums: &LabelSums) -> f64 {
        match self {
            Outcomes::Classes { weight, .. } => sums.parts.iter().zip(weight).map(|(n, w)| n * w).sum(),
            Outcomes::Values { .. } | Outcomes::Ordered(_) => sums.rows as f64,
        }
    }

    /// Impurity and answer of a group that is not empty, whose sums are given too.
    pub(crate) fn summary(&self, samples: &[u32], sums: &LabelSums) -> (f64, Vec<f64>) {
        if let Outcomes::Ordered(ordered) = self {
            let (impurity, answer) = ordered.summary(samples);
            return (impurity, vec![answer]);
        }
        let impurity = if self.alike(samples) { 0.0 } else { self.impurity(sums) };
        (impurity, self.answer(sums))
    }

    /// Gini `1 − Σ p²`, entropy `− Σ p log2 p`, or squared error `E[y²] − E[y]²`. The group is not empty.
    fn impurity(&self, sums: &LabelSums) -> f64 {
        let total = self.weight(sums);
        match self {
            Outcomes::Classes { weight, entropy: false, .. } => {
                let squares: f64 =
                    sums.parts.iter().zip(weight).map(|(n, w)| (n * w / total) * (n * w / total)).sum();
                1.0 - squares
            }
            Outcomes::Classes { weight, entropy: true, .. } => {
                let present = sums.parts.iter().zip(weight).filter(|(n, _)| **n > 0.0);
                // Subtracting from zero, because the negated sum of a pure group would be −0.
                present.map(|(n, w)| n * w / total).fold(0.0, |sum, p| sum - p * libm::log2(p))
            }
            Outcomes::Values { .. } => {
                let mean = sums.parts[0] / total;
                (sums.parts[1] / total - mean * mean).max(0.0)
            }
            Outcomes::Ordered(_) => unreachable!("sums do not describe it"),
        }
    }

    /// The score of a split: the higher the better. Up to terms that all splits of a group share, it is the
    /// weighted impurity of the two sides, negated: `− W_R imp_R − W_L imp_L` for classes,
    /// `S_L²/W_L + S_R²/W_R` for numbers.
    pub(crate) fn score(&self, left: &LabelSums, right: &LabelSums) -> f64 {
        match self {
            Outcomes::Classes { .. } => {
                -(self.weight(right) * self.impurity(right)) - self.weight(left) * self.impurity(left)
            }
            Outcomes::Values { .. } => {
                left.parts[0] * left.parts[0] / left.rows as f64
                    + right.parts[0] * right.parts[0] / right.rows as f64
            }
            Outcomes::Ordered(_) => unreachable!("a search asks for its losses"),
        }
    }

    /// Whether all samples have one label. This is exact, where the impurity of equal numbers may be a
    /// rounding error.
    fn alike(&self, samples: &[u32]) -> bool {
        match self {
            Outcomes::Classes { label, .. } => {
                samples.windows(2).all(|w| label[w[0] as usize] == label[w[1] as usize])
            }
            Outcomes::Values { shifted, .. } => {
                samples.windows(2).all(|w| shifted[w[0] as usize] == shifted[w[1] as usize])
            }
            Outcomes::Ordered(ordered) => samples.windows(2).all(|w| ordered.same(w[0], w[1])),
        }
    }

    /// The answer of a group: its weighted class shares (C), or its mean (1).
    fn answer(&self, sums: &LabelSums) -> Vec<f64> {
        let total = self.weight(sums);
        match self {
            Outcomes::Classes { weight, .. } => {
                sums.parts.iter().zip(weight).map(|(n, w)| n * w / total).collect()
            }
            Outcomes::Values { shift, .. } => vec![shift + sums.parts[0] / total],
            Outcomes::Ordered(_) => unreachable!("sums do not describe it"),
        }
    }
}

impl LabelSums {
    /// Empties the sums.
    pub(crate) fn clear(&mut self) {
        self.rows = 0;
        self.parts.fill(0.0);
    }

    /// Takes on the value of other sums, without new memory.
    pub(crate) fn copy_from(&mut self, other: &LabelSums) {
        self.rows = other.rows;
        self.parts.copy_from_slice(&other.parts);
    }

    /// Becomes `whole` minus `part`.
    pub(crate) fn set_difference(&mut self, whole: &LabelSums, part: &LabelSums) {
        self.rows = whole.rows - part.rows;
        for ((rest, whole), part) in self.parts.iter_mut().zip(&whole.parts).zip(&part.parts) {
            *rest = whole - part;
        }
    }
}

/// The weight of a sample of each class; balanced is `N / (C N_k)` over the classes that occur.
fn class_weights(label: &[u32], classes: usize, class_weight: ClassWeight) -> Vec<f64> {
    if class_weight == ClassWeight::None {
        return vec![1.0; classes];
    }
    let mut counts = vec![0usize; classes];
    for &class in label {
        counts[class as usize] += 1;
    }
    let occurring = counts.iter().filter(|&&count| count > 0).count();
    // The weight of a class without samples is never used; 1 avoids a division by zero.
    counts.iter().map(|&n| if n == 0 { 1.0 } else { label.len() as f64 / (occurring * n) as f64 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(label: &[u32], criterion: Criterion, class_weight: ClassWeight) -> Outcomes {
        let rules = SplitRules { criterion, class_weight, ..SplitRules::down_to(5) };
        Outcomes::new(&Labels::Classes { label: label.to_vec(), classes: 3 }, &rules)
    }

    fn impurity(outcomes: &Outcomes, samples: &[u32]) -> f64 {
        outcomes.impurity(&outcomes.sums(samples))
    }

    #[test]
    fn impurities_are_those_of_the_formulas() {
        let gini = classes(&[0, 1, 2, 2], Criterion::Gini, ClassWeight::None);
        assert_eq!(impurity(&gini, &[0, 1, 2, 3]), 0.625);
        let entropy = classes(&[0, 1, 2, 2], Criterion::Entropy, ClassWeight::None);
        assert_eq!(impurity(&entropy, &[0, 1, 2, 3]), 1.5);
        let squared = Outcomes::new(&Labels::Values(vec![1.0, 3.0]), &SplitRules::down_to(5));
        assert_eq!(impurity(&squared, &[0, 1]), 1.0);
        assert_eq!(squared.answer(&squared.sums(&[0, 1])), [2.0]);
    }

    #[test]
    fn balanced_classes_weigh_the_same_and_absent_ones_do_not_count() {
        let gini = classes(&[0, 0, 0, 1], Criterion::Gini, ClassWeight::Balanced);
        assert_eq!(gini.answer(&gini.sums(&[0, 1, 2, 3])), [0.5, 0.5, 0.0]);
        assert_eq!(gini.weight(&gini.sums(&[0, 1, 2, 3])), 4.0);
        assert_eq!(impurity(&gini, &[0, 1, 2, 3]), 0.5);
    }

    #[test]
    fn a_group_of_one_class_is_exactly_pure_whatever_its_weight() {
        for criterion in [Criterion::Gini, Criterion::Entropy] {
            let label: Vec<u32> = (0..59).map(|i| u32::from(i < 13)).collect();
            let outcomes = classes(&label, criterion, ClassWeight::Balanced);
            for rows in 1..46 {
                let samples: Vec<u32> = (13..13 + rows).collect();
                assert_eq!(impurity(&outcomes, &samples).to_bits(), 0, "{criterion:?}, {rows} samples");
            }
        }
    }

    #[test]
    fn a_large_mean_does_not_swallow_the_variance() {
        let values = vec![1e9, 1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0];
        let outcomes = Outcomes::new(&Labels::Values(values), &SplitRules::down_to(5));
        assert!((impurity(&outcomes, &[0, 1, 2, 3]) - 1.25).abs() < 1e-9);
        assert!((outcomes.answer(&outcomes.sums(&[0, 1]))[0] - (1e9 + 0.5)).abs() < 1e-6);
    }
}
