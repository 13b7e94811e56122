//! The scale factor α of the sigmoid: its ranges, what a start draws from them, and its course over a
//! descent.
//!
//! The sigmoid tends to the indicator as α grows, and its gradient vanishes meanwhile. So the paper solves a
//! sequence of approximations: a run at a small α, then a run at a large α that begins where the first one
//! ended.

use crate::learn::get::settings::Config;
use crate::numeric::random::Random;

/// The scale factors of each start.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaleFactors {
    /// Ranges that a start draws its scale factors from, at least one: [5, 25] and [50, 150] in the paper.
    pub ranges: Vec<[f64; 2]>,
    /// One run in which the scale factor grows from the first to the last, instead of one run at each. Off in
    /// the paper.
    pub annealed: bool,
}

impl ScaleFactors {
    /// The ranges that are set. Those between the first and the last lie evenly on a logarithmic scale.
    pub fn published(config: &Config) -> Self {
        let last = config.alphas.max(1) - 1;
        let between = |run: u32, end: usize| match run {
            0 => config.alpha_first[end],
            run if run == last => config.alpha_last[end],
            run => {
                let share = f64::from(run) / f64::from(last);
                libm::pow(config.alpha_first[end], 1.0 - share) * libm::pow(config.alpha_last[end], share)
            }
        };
        let ranges = (0..=last).map(|run| [between(run, 0), between(run, 1)]).collect();
        ScaleFactors { ranges, annealed: false }
    }

    /// Runs of each start.
    pub fn runs(&self) -> usize {
        if self.annealed { 1 } else { self.ranges.len() }
    }

    /// One scale factor from each range, evenly distributed.
    pub fn draw(&self, random: &mut Random) -> Vec<f64> {
        self.ranges.iter().map(|&[low, high]| random.uniform_in(low, high)).collect()
    }

    /// Of some drawn scale factors, those at the first and the last epoch of the first run.
    pub fn first_run(&self, drawn: &[f64]) -> [f64; 2] {
        let first = drawn[0];
        [first, if self.annealed { *drawn.last().unwrap_or(&first) } else { first }]
    }

    /// The middle of the last range.
    pub fn steepest(&self) -> f64 {
        self.ranges.last().map_or(0.0, |range| range.iter().sum::<f64>() / 2.0)
    }
}

/// The scale factor after a share of the epochs, on the way from the first to the last on a logarithmic
/// scale.
pub fn scale_factor([first, last]: [f64; 2], share: f64) -> f64 {
    first * libm::pow(last / first, share)
}
