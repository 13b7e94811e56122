//! Samples along a direction: what the searches for planes share.

/// The cost of sorting and trying a sample along a direction, in numbers read.
pub(crate) const COST: usize = 12;
/// How many columns a plane of fewer columns has: those that are tried, the fewest first.
pub(crate) const COLUMNS: [usize; 8] = [1, 2, 3, 5, 8, 13, 21, 34];
/// Those that can stand for the others are looked for among so many of a plane's strongest columns: the work
/// grows with their cube.
pub(crate) const CONSIDERED: usize = 64;

/// The place of a sample along a direction.
pub(crate) fn project(x: &[f32], weights: &[f32]) -> f32 {
    x.iter().zip(weights).map(|(x, weight)| x * weight).sum()
}
