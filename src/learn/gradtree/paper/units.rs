//! The units of the leaves' outputs: logits for classes, standardised numbers for regression.

use crate::encode::Labels;
use crate::tree::Leaf;

/// What a leaf's row of outputs means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OutputUnits {
    /// Logits.
    Scores,
    /// A number in units of the target's deviation from its mean.
    Value {
        /// The target's mean.
        mean: f64,
        /// The target's deviation.
        deviation: f64,
    },
}

impl OutputUnits {
    /// The units for these labels. A constant target has deviation 1 here, so that it can be divided by.
    pub fn of(labels: &Labels) -> OutputUnits {
        let Labels::Values(values) = labels else { return OutputUnits::Scores };
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / n).sqrt();
        OutputUnits::Value { mean, deviation: if deviation > 0.0 { deviation } else { 1.0 } }
    }

    /// A number in the target's units; logits stay.
    pub fn value(&self, raw: f64) -> f64 {
        match *self {
            OutputUnits::Scores => raw,
            OutputUnits::Value { mean, deviation } => mean + deviation * raw,
        }
    }

    /// A leaf from its raw outputs (C).
    pub fn leaf(&self, outputs: &[f32]) -> Leaf {
        match *self {
            OutputUnits::Scores => Leaf::Scores(outputs.to_vec()),
            OutputUnits::Value { mean, deviation } => {
                Leaf::Constant((mean + deviation * f64::from(outputs[0])) as f32)
            }
        }
    }

    /// The raw outputs (C) of a leaf.
    pub fn raw_outputs(&self, leaf: &Leaf) -> Vec<f32> {
        match (leaf, *self) {
            (Leaf::Scores(scores), _) => scores.clone(),
            (Leaf::Constant(value), OutputUnits::Value { mean, deviation }) => {
                vec![((f64::from(*value) - mean) / deviation) as f32]
            }
            _ => unreachable!("a gradient tree has scores or constants"),
        }
    }
}
