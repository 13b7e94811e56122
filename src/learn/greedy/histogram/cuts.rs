//! The cuts of one feature: samples are added up by bin, and every cut between two bins is tried.

use super::samples::{SoftSamples, SoftSums};

/// Memory of a memory.
#[derive(Debug, Clone)]
pub struct Memory {
    /// (bins × (C + 2)) S, W and the number of samples per bin.
    histogram: Vec<f64>,
    left: Vec<f64>,
    /// The bins of a few samples in order, without repetition.
    slots: Vec<u8>,
}

/// Up to so many samples are put in order; more are added up bin by bin, empty bins included.
const FEW: usize = 48;

impl Memory {
    /// Memory for targets of so many outputs.
    pub fn new(outputs: usize) -> Memory {
        let width = outputs + 2;
        Memory { histogram: vec![0.0; 256 * width], left: vec![0.0; width], slots: vec![] }
    }
}

impl SoftSamples {
    /// Adds the samples up by bin; gives the number of bins.
    fn fill(&self, samples: &[u32], column: &[u8], bins: usize, memory: &mut Memory) -> usize {
        let width = self.outputs + 2;
        memory.histogram[..bins * width].fill(0.0);
        for &sample in samples {
            let at = usize::from(column[sample as usize]) * width;
            self.count(sample, &mut memory.histogram[at..at + width]);
        }
        bins
    }

    /// Adds a few samples up by the bins that occur; gives the number of those.
    fn line_up(&self, samples: &[u32], column: &[u8], memory: &mut Memory) -> usize {
        let width = self.outputs + 2;
        memory.slots.clear();
        memory.slots.extend(samples.iter().map(|&sample| column[sample as usize]));
        // So few are in order soonest by insertion.
        for at in 1..memory.slots.len() {
            let (bin, mut to) = (memory.slots[at], at);
            while to > 0 && memory.slots[to - 1] > bin {
                memory.slots[to] = memory.slots[to - 1];
                to -= 1;
            }
            memory.slots[to] = bin;
        }
        memory.slots.dedup();
        memory.histogram[..memory.slots.len() * width].fill(0.0);
        for &sample in samples {
            let bin = column[sample as usize];
            let at = memory.slots.partition_point(|&known| known < bin) * width;
            self.count(sample, &mut memory.histogram[at..at + width]);
        }
        memory.slots.len()
    }

    /// Tries the cuts of a feature: the one that lowers the cost most takes the place of the best so far; the
    /// first of equals stays. A split that lowers nothing is still made, for the gain may come further down.
    pub fn try_feature(
        &self,
        samples: &[u32],
        node: &SoftSums,
        feature: usize,
        least: usize,
        memory: &mut Memory,
        best: &mut Option<(f64, usize, u8)>,
    ) {
        let (outputs, width) = (self.outputs, self.outputs + 2);
        let column = self.bins.column(feature);
        let bins = self.bins.count(feature);
        if bins < 2 {
            return;
        }
        let occupied = if samples.len() <= FEW {
            self.line_up(samples, column, memory)
        } else {
            self.fill(samples, column, bins, memory)
        };
        let left = &mut memory.left;
        left.fill(0.0);
        for slot in 0..occupied {
            let cell = &memory.histogram[slot * width..(slot + 1) * width];
            if cell[outputs + 1] == 0.0 {
                continue;
            }
            left.iter_mut().zip(cell).for_each(|(sum, part)| *sum += part);
            let count = left[outputs + 1] as usize;
            if count == samples.len() {
                break;
            }
            if count < least || samples.len() - count < least {
                continue;
            }
            let (mut on_left, mut on_right) = (0.0, 0.0);
            for (whole, part) in node.sums.iter().zip(left.iter()).take(outputs) {
                on_left += part * part;
                on_right += (whole - part) * (whole - part);
            }
            let gain = on_left / left[outputs] + on_right / (node.sums[outputs] - left[outputs]);
            // Equal up to rounding is equal: the first feature wins then, in whatever order sums were taken.
            if best.is_none_or(|(most, ..)| gain > most + 1e-10 * most.abs()) {
                *best =
                    Some((gain, feature, if samples.len() <= FEW { memory.slots[slot] } else { slot as u8 }));
            }
        }
    }
}
