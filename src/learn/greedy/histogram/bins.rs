//! Features as a few ordered bins, so that a greedy search adds up instead of sorting.

use nalgebra::DMatrix;

use crate::numeric::order::sort_values;

/// Most bins of a feature.
const MOST: usize = 255;

/// The bin of every sample in every feature. A feature of at most [`MOST`] values has a bin for each, others
/// bins of about equally many samples.
#[derive(Debug, Clone)]
pub struct Bins {
    samples: usize,
    /// (F × N, feature after feature)
    bins: Vec<u8>,
    /// Per feature, the value between each two bins: `x < edge` is the lower one.
    edges: Vec<Vec<f32>>,
}

impl Bins {
    /// Of a matrix F × N.
    pub fn new(x: &DMatrix<f32>) -> Bins {
        let (features, samples) = (x.nrows(), x.ncols());
        let mut bins = Vec::with_capacity(features * samples);
        let mut edges = Vec::with_capacity(features);
        let mut sorted = Vec::with_capacity(samples);
        for feature in 0..features {
            sorted.clear();
            sorted.extend(x.row(feature).iter());
            sort_values(&mut sorted);
            let own = cut(&sorted);
            bins.extend(x.row(feature).iter().map(|value| own.partition_point(|edge| edge <= value) as u8));
            edges.push(own);
        }
        Bins { samples, bins, edges }
    }

    /// With more samples behind, each of whose features is that of one here: `source` (M × F) says which.
    pub fn extended(&self, source: &[u32]) -> Bins {
        let features = self.features();
        let mut bins = Vec::with_capacity(self.bins.len() + source.len());
        for feature in 0..features {
            let column = self.column(feature);
            bins.extend_from_slice(column);
            bins.extend(source.iter().skip(feature).step_by(features).map(|&sample| column[sample as usize]));
        }
        Bins { samples: self.samples + source.len() / features, bins, edges: self.edges.clone() }
    }

    /// F.
    pub fn features(&self) -> usize {
        self.edges.len()
    }

    /// The bin of each sample in a feature (N).
    pub fn column(&self, feature: usize) -> &[u8] {
        &self.bins[feature * self.samples..(feature + 1) * self.samples]
    }

    /// The number of bins of a feature.
    pub fn count(&self, feature: usize) -> usize {
        self.edges[feature].len() + 1
    }

    /// The threshold that sends a bin and those below it left.
    pub fn edge(&self, feature: usize, bin: u8) -> f32 {
        self.edges[feature][usize::from(bin)]
    }
}

/// Values between neighbours, at most [`MOST`] − 1 of them: between all of them, or where about equally many
/// samples lie.
fn cut(sorted: &[f32]) -> Vec<f32> {
    let changes = sorted.windows(2).filter(|pair| pair[0] < pair[1]).count();
    let share = sorted.len() as f64 / MOST as f64;
    let mut edges = Vec::new();
    let mut passed = 0.0;
    for (at, pair) in sorted.windows(2).enumerate() {
        let below = (at + 1) as f64;
        if pair[0] < pair[1] && (changes < MOST || below >= passed + share) {
            let middle = pair[0] + (pair[1] - pair[0]) / 2.0;
            // The middle of two neighbours may round to the lower one, and of very large ones it may
            // overflow.
            edges.push(if middle > pair[0] && middle <= pair[1] { middle } else { pair[1] });
            passed = below;
        }
    }
    edges.truncate(MOST - 1);
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_binned_in_order() {
        let few = Bins::new(&DMatrix::from_row_slice(1, 5, &[3.0, 1.0, 3.0, 2.0, 1e30]));
        assert_eq!((few.column(0), few.count(0)), ([2, 0, 2, 1, 3].as_slice(), 4));
        assert_eq!((few.edge(0, 0), few.edge(0, 1)), (1.5, 2.5));
        let many = DMatrix::from_fn(1, 5000, |_, i| (i * 7919 % 5000) as f32);
        let bins = Bins::new(&many);
        assert!(bins.count(0) > 200 && bins.count(0) <= MOST);
        for i in 0..5000 {
            let bin = bins.column(0)[i];
            assert!(bin == 0 || many[i] >= bins.edge(0, bin - 1));
            assert!(usize::from(bin) + 1 == bins.count(0) || many[i] < bins.edge(0, bin));
        }
        assert_eq!(Bins::new(&DMatrix::from_element(1, 9, 1.0)).count(0), 1);
        let more = few.extended(&[4, 1]);
        assert_eq!(more.column(0), [2, 0, 2, 1, 3, 3, 0]);
        let two = Bins::new(&DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 8.0, 9.0])).extended(&[1, 0]);
        assert_eq!((two.column(0), two.column(1)), ([0, 1, 1].as_slice(), [0, 1, 0].as_slice()));
        let extreme = Bins::new(&DMatrix::from_row_slice(1, 2, &[f32::MIN, f32::MAX]));
        assert_eq!(extreme.column(0), [0, 1]);
    }
}
