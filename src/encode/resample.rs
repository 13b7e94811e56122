//! Oversamples rare classes, with synthetic samples between neighbours (SMOTE) or with copies.
//!
//! Synthetic samples are used only in training. No count, score or report includes them.

use nalgebra::DMatrix;

use super::{Design, Labels};
use crate::numeric::random::Random;

/// Whether rare classes are oversampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resample {
    /// Never.
    None,
    /// Every class gets as many samples as the most frequent one.
    Smote,
    /// As with `Smote`, but only if a class is rare: see `has_rare_class`.
    Auto,
}

/// How many nearest neighbours a synthetic sample may be drawn from, as in the authors' program.
const NEIGHBOURS: usize = 5;

/// Beyond this many differences of two numbers the neighbour search would take minutes. Classes that large
/// get copies.
const MOST_DIFFERENCES: f64 = 4e9;

/// Oversamples every class to the size of the most frequent one. `None` if nothing is added.
///
/// A synthetic sample is `x_i + u (x_n − x_i)` (SMOTE: Chawla, Bowyer, Hall, Kegelmeyer, 2002). Here x_i is a
/// random sample of the class, x_n is one of its [`NEIGHBOURS`] nearest neighbours in the class, and u is
/// uniform in [0, 1). A class gets copies of random samples instead if it has too few samples for that many
/// neighbours, or too many to search. An empty class stays empty.
pub(crate) fn resampled(design: &Design, how: Resample, seed: u64) -> Option<Design> {
    let Labels::Classes { label, classes } = &design.y else { return None };
    let mut members: Vec<Vec<usize>> = vec![vec![]; *classes];
    label.iter().enumerate().for_each(|(sample, &class)| members[class as usize].push(sample));
    members.retain(|members| !members.is_empty());
    let most = members.iter().map(Vec::len).max()?;
    let least = members.iter().map(Vec::len).min()?;
    let wanted = match how {
        Resample::None => false,
        Resample::Smote => true,
        Resample::Auto => has_rare_class(&design.y.counts()),
    };
    if !wanted || least == most {
        return None;
    }
    let mut random = Random::stream(seed, "resample");
    let mut x: Vec<f32> = design.x.as_slice().to_vec();
    let mut label = label.clone();
    for members in &members {
        let mut samples = ClassSamples::new(design, members, most - members.len());
        for _ in members.len()..most {
            samples.draw(&mut random, &mut x);
            label.push(label[members[0]]);
        }
    }
    let x = DMatrix::from_vec(design.features(), label.len(), x);
    Some(Design { x, y: Labels::Classes { label, classes: *classes } })
}

/// Whether the rarest class that occurs is rare: `min_k N_k / N <= 0.25 / (C − 1)`, the rule of GradTree's
/// authors.
pub(crate) fn has_rare_class(counts: &[usize]) -> bool {
    let rows: usize = counts.iter().sum();
    let rarest = counts.iter().filter(|&&count| count > 0).min().copied().unwrap_or(0);
    counts.len().saturating_sub(1) as f64 * rarest as f64 <= 0.25 * rows as f64
}

/// The samples of one class.
struct ClassSamples<'a> {
    design: &'a Design,
    members: &'a [usize],
    /// Whether new samples lie between neighbours.
    between: bool,
    /// The nearest neighbours of each member, filled in when first needed.
    nearest: Vec<Vec<usize>>,
}

impl<'a> ClassSamples<'a> {
    fn new(design: &'a Design, members: &'a [usize], wanted: usize) -> Self {
        let searches = members.len().min(wanted) as f64;
        let differences = searches * members.len() as f64 * design.features() as f64;
        let between = members.len() > NEIGHBOURS && differences <= MOST_DIFFERENCES;
        ClassSamples { design, members, between, nearest: vec![vec![]; members.len()] }
    }

    /// Appends the values of a new sample.
    fn draw(&mut self, random: &mut Random, x: &mut Vec<f32>) {
        let at = random.below(self.members.len());
        let base = self.design.row(self.members[at]);
        if !self.between {
            x.extend(base);
            return;
        }
        if self.nearest[at].is_empty() {
            self.nearest[at] = self.neighbours(at);
        }
        let other = self.design.row(self.nearest[at][random.below(NEIGHBOURS)]);
        let u = random.uniform();
        x.extend(
            base.iter().zip(other).map(|(&a, &b)| (f64::from(a) + u * (f64::from(b) - f64::from(a))) as f32),
        );
    }

    /// The nearest members by Euclidean distance; ties go to the first.
    fn neighbours(&self, at: usize) -> Vec<usize> {
        let base = self.design.row(self.members[at]);
        let distance = |&member: &usize| {
            let row = self.design.row(member);
            base.iter()
                .zip(row)
                .map(|(&a, &b)| (f64::from(a) - f64::from(b)) * (f64::from(a) - f64::from(b)))
                .sum()
        };
        let distances: Vec<f64> = self.members.iter().map(distance).collect();
        // Keeps only the nearest few, in order: a full sort for every sample would cost more than the
        // distances.
        let mut nearest: Vec<usize> = Vec::with_capacity(NEIGHBOURS + 1);
        for other in (0..self.members.len()).filter(|&other| other != at) {
            let place = nearest.partition_point(|&kept| distances[kept] <= distances[other]);
            if place < NEIGHBOURS {
                nearest.insert(place, other);
                nearest.truncate(NEIGHBOURS);
            }
        }
        nearest.into_iter().map(|other| self.members[other]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Class 0 on a line far from the others, class 1 on a line y = 10 with seven samples, class 2 with
    /// three.
    fn design() -> Design {
        let mut label = vec![];
        let x = DMatrix::from_fn(2, 30, |j, i| match (i, j) {
            (0..20, _) => (i * 100 + j) as f32,
            (20..27, 0) => ((i - 20) * (i - 20)) as f32,
            (20..27, _) => 10.0,
            _ => i as f32,
        });
        label.extend([0; 20].into_iter().chain([1; 7]).chain([2; 3]));
        Design { x, y: Labels::Classes { label, classes: 3 } }
    }

    #[test]
    fn every_class_gets_as_many_samples_as_the_most_frequent() {
        let before = design();
        let after = resampled(&before, Resample::Smote, 4).unwrap();
        assert_eq!(after.samples(), 60);
        assert_eq!(after.x.columns(0, 30), before.x);
        let Labels::Classes { label, .. } = &after.y else { unreachable!() };
        for (row, &class) in after.rows().zip(label).skip(30) {
            match class {
                // Between two samples of the line that are among each other's five nearest neighbours.
                1 => assert!(row[1] == 10.0 && (0.0..=36.0).contains(&row[0])),
                // Too few samples for five neighbours, so copies.
                2 => assert!(before.rows().skip(27).any(|original| original == row)),
                _ => panic!("class 0 is the most frequent"),
            }
        }
        let new =
            after.rows().zip(label).skip(30).filter(|(row, class)| **class == 1 && row[0].fract() != 0.0);
        assert!(new.count() > 5, "most synthetic samples are no copies");
        assert_eq!(resampled(&before, Resample::Smote, 4).unwrap().x, after.x);
        assert_ne!(resampled(&before, Resample::Smote, 5).unwrap().x, after.x);
    }

    #[test]
    fn neighbours_are_the_nearest_of_the_class() {
        let before = design();
        let members: Vec<usize> = (20..27).collect();
        let samples = ClassSamples::new(&before, &members, 13);
        assert_eq!(samples.neighbours(0), [21, 22, 23, 24, 25]);
        assert_eq!(samples.neighbours(6), [25, 24, 23, 22, 21]);
    }

    #[test]
    fn auto_adds_samples_only_if_a_class_is_rare() {
        let with = |counts: [usize; 2]| {
            let label: Vec<u32> =
                [0, 1].into_iter().zip(counts).flat_map(|(class, n)| vec![class; n]).collect();
            Design { x: DMatrix::zeros(1, label.len()), y: Labels::Classes { label, classes: 2 } }
        };
        assert!(resampled(&with([75, 25]), Resample::Auto, 0).is_some(), "a quarter is rare");
        assert!(resampled(&with([74, 26]), Resample::Auto, 0).is_none());
        assert!(resampled(&with([74, 26]), Resample::Smote, 0).is_some());
        assert!(resampled(&with([75, 25]), Resample::None, 0).is_none());
        assert!(resampled(&with([50, 50]), Resample::Smote, 0).is_none());
        let numbers = Design { x: DMatrix::zeros(1, 2), y: Labels::Values(vec![0.0, 1.0]) };
        assert!(resampled(&numbers, Resample::Smote, 0).is_none());
    }
}
