//! Leaves in closed form on soft routes, in the place of a gradient step (Algorithm 1, line 7).
//!
//! Class shares always take it; constants do where
//! [`DescentSettings::closed_leaves`](super::descent::DescentSettings) is set, which the published settings
//! do not.

use super::hard_leaves::set_costs;
use super::parameters::{Answer, Parameters};
use super::soft_pass::BatchSums;

/// BatchSums of leaves over about the last epoch.
pub struct LeafMemory(Vec<f32>);

impl LeafMemory {
    /// Nothing remembered.
    pub fn new(sums: &BatchSums<f32>) -> Self {
        LeafMemory(vec![0.0; sums.leaves.len()])
    }

    /// Gives leaves their best value for the shares of about the last epoch's samples, whose weights sum to
    /// `total`: the weighted mean, or the class shares with so many samples added as a prior.
    pub fn close(&mut self, tree: &mut Parameters<f32>, sums: &BatchSums<f32>, total: f64, prior: f64) {
        let keep = (1.0 - sums.weight / total).max(0.0) as f32;
        for (memory, sum) in self.0.iter_mut().zip(&sums.leaves) {
            *memory = keep * *memory + sum;
        }
        match tree.answer {
            Answer::Constant => {
                for (h, sums) in tree.leaves.iter_mut().zip(self.0.chunks_exact(2)) {
                    if sums[0] > 1e-6 {
                        *h = sums[1] / sums[0];
                    }
                }
            }
            Answer::Classes(classes) => {
                let mut all = vec![0.0; classes];
                let mass: Vec<f64> = self.0.iter().map(|&mass| f64::from(mass)).collect();
                for mass in mass.chunks_exact(classes) {
                    all.iter_mut().zip(mass).for_each(|(all, mass)| *all += mass);
                }
                let total: f64 = all.iter().sum();
                for (cost, mass) in tree.leaves.chunks_exact_mut(classes).zip(mass.chunks_exact(classes)) {
                    set_costs(cost, mass, &all, total, prior);
                }
            }
            Answer::Linear => unreachable!("linear leaves follow their gradient"),
        }
    }
}
