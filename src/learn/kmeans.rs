//! Bisecting k-means: the samples of every node are divided by 2-means, recursively. A baseline for clusters.

use crate::encode::Design;
use crate::numeric::random::Random;

/// Random starts of each division, of which the one with the least inertia is kept, and Lloyd's iterations of
/// each.
const STARTS: usize = 10;
const ROUNDS: usize = 50;

/// A binary hierarchy in heap order.
#[derive(Debug, Clone)]
pub struct Bisection {
    /// The means of both sides of each node; none for a node that was not divided.
    nodes: Vec<Option<[Vec<f64>; 2]>>,
}

impl Bisection {
    /// Divides samples down to a depth. A node without two different samples is a leaf.
    pub(crate) fn fit(design: &Design, depth: usize, seed: u64) -> Bisection {
        let mut random = Random::stream(seed, "k-means");
        let mut nodes = vec![None; (1 << depth) - 1];
        let mut reached: Vec<Vec<usize>> = vec![vec![]; (2 << depth) - 1];
        reached[0] = (0..design.samples()).collect();
        for t in 0..nodes.len() {
            let rows = std::mem::take(&mut reached[t]);
            if let Some(means) = divide(design, &rows, &mut random) {
                for i in rows {
                    reached[2 * t + 1 + nearer(&means, design.row(i))].push(i);
                }
                nodes[t] = Some(means);
            }
        }
        Bisection { nodes }
    }

    /// The node at which a sample ends.
    pub(crate) fn leaf_of(&self, x: &[f32]) -> usize {
        let mut t = 0;
        while let Some(Some(means)) = self.nodes.get(t) {
            t = 2 * t + 1 + nearer(means, x);
        }
        t
    }

    /// Nodes of the complete tree, leaves too.
    pub(crate) fn nodes(&self) -> usize {
        2 * self.nodes.len() + 1
    }
}

fn distance(mean: &[f64], x: &[f32]) -> f64 {
    mean.iter().zip(x).map(|(m, &x)| (m - f64::from(x)) * (m - f64::from(x))).sum()
}

fn nearer(means: &[Vec<f64>; 2], x: &[f32]) -> usize {
    usize::from(distance(&means[1], x) < distance(&means[0], x))
}

/// 2-means by Lloyd's algorithm from random pairs of samples; none if all samples are equal.
fn divide(design: &Design, rows: &[usize], random: &mut Random) -> Option<[Vec<f64>; 2]> {
    let mut best: Option<(f64, [Vec<f64>; 2])> = None;
    if rows.len() < 2 {
        return None;
    }
    for _ in 0..STARTS {
        let mut means = [0; 2].map(|_| {
            let x = design.row(rows[random.below(rows.len())]);
            x.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>()
        });
        let mut before = f64::INFINITY;
        for _ in 0..ROUNDS {
            let mut sums = [0; 2].map(|_| vec![0.0; design.features()]);
            let (mut counts, mut spread) = ([0.0; 2], 0.0);
            for &i in rows {
                let x = design.row(i);
                let side = nearer(&means, x);
                spread += distance(&means[side], x);
                counts[side] += 1.0;
                sums[side].iter_mut().zip(x).for_each(|(sum, &x)| *sum += f64::from(x));
            }
            if counts.contains(&0.0) || spread >= before {
                break;
            }
            before = spread;
            for side in 0..2 {
                means[side] = sums[side].iter().map(|sum| sum / counts[side]).collect();
            }
        }
        let apart = rows.iter().any(|&i| nearer(&means, design.row(i)) == 0)
            && rows.iter().any(|&i| nearer(&means, design.row(i)) == 1);
        if apart && best.as_ref().is_none_or(|(least, _)| before < *least) {
            best = Some((before, means));
        }
    }
    best.map(|(_, means)| means)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Labels;
    use nalgebra::DMatrix;

    #[test]
    fn two_heaps_are_divided_first() {
        let x = DMatrix::from_fn(1, 40, |_, i| if i < 20 { i as f32 * 0.01 } else { 10.0 + i as f32 * 0.01 });
        let design = Design { x, y: Labels::Values(vec![0.0; 40]) };
        let tree = Bisection::fit(&design, 2, 1);
        let side = |i: usize| {
            let mut t = tree.leaf_of(design.row(i));
            while t > 2 {
                t = (t - 1) / 2;
            }
            t
        };
        assert!((0..20).all(|i| side(i) == side(0)) && (20..40).all(|i| side(i) == 3 - side(0)));
        let same = Design { x: DMatrix::zeros(1, 5), y: Labels::Values(vec![0.0; 5]) };
        assert_eq!(Bisection::fit(&same, 3, 1).leaf_of(&[0.0]), 0, "what is all alike is not divided");
    }
}
