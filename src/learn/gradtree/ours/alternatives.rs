//! What held-out samples choose among: how a greedy tree is pruned, and how far its answers favour rare
//! classes.

use serde::{Deserialize, Serialize};

use super::data::PreparedData;
use super::stages::RecipeStage;
use crate::encode::Labels;
use crate::learn::gradtree::paper::OutputUnits;
use crate::learn::gradtree::settings::Config;
use crate::learn::greedy::histogram::{HistogramNode, pruned};
use crate::learn::select::Scoreboard;
use crate::numeric::order::first_largest;

/// Least samples in a leaf, to choose from.
pub(super) const LEAST: [usize; 3] = [1, 3, 8];
/// Costs of a leaf as shares of the root's, to choose from.
pub(super) const COSTS: [f64; 10] = [0.0, 2e-4, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3, 0.016, 0.032, 0.064];
/// How far answers favour rare classes, to choose from.
pub(super) const POWERS: [f64; 4] = [0.0, 0.35, 0.7, 1.0];
/// What is taken unless held-out samples clearly prefer something else: they are few, and the best of many
/// alternatives is the luckiest one.
pub(super) const USUAL: Alternative = Alternative { least: 1, cost: 5, power: POWERS.len() - 1, epochs: 0 };

/// Scores within this share of a score's deviation are as good.
const AS_GOOD: f64 = 0.25;

/// How a greedy start is grown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct GrowthSettings {
    /// How far rare classes weigh more in growth.
    pub power: f64,
    /// The teacher's share in the targets; 0 is none.
    pub trust: f32,
}

impl GrowthSettings {
    /// What the configuration asks for; numbers have no rare classes.
    pub(crate) fn of(config: &Config, labels: &Labels) -> GrowthSettings {
        let power = if matches!(labels, Labels::Classes { .. }) { config.balance } else { 0.0 };
        GrowthSettings {
            power,
            trust: if RecipeStage::Teacher.takes_part(config) { config.trust as f32 } else { 0.0 },
        }
    }
}

/// One of the alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Alternative {
    /// Position in [`LEAST`].
    pub least: usize,
    /// Position in [`COSTS`].
    pub cost: usize,
    /// Position in [`POWERS`].
    pub power: usize,
    /// Epochs of descent.
    pub epochs: u32,
}

/// What a greedy unit decided; the last stage does the same on all samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct GreedyNotes {
    /// How its tree was grown.
    pub growth: GrowthSettings,
    /// The alternative that held-out samples chose.
    pub choice: Alternative,
}

/// The powers to choose from. Numbers have no classes to favour.
pub(super) fn powers(data: &PreparedData) -> &'static [f64] {
    if data.outputs() > 1 { &POWERS } else { &POWERS[..1] }
}

/// The number of alternatives.
pub(super) fn count(data: &PreparedData) -> usize {
    LEAST.len() * COSTS.len() * powers(data).len()
}

/// The position of the first alternative of one least number of samples and one cost; those of other powers
/// follow it.
pub(super) fn position(data: &PreparedData, least: usize, cost: usize) -> usize {
    (least * COSTS.len() + cost) * powers(data).len()
}

fn at_position(data: &PreparedData, at: usize) -> Alternative {
    let powers = powers(data).len();
    Alternative {
        least: at / (COSTS.len() * powers),
        cost: at / powers % COSTS.len(),
        power: at % powers,
        epochs: 0,
    }
}

/// The usual alternative, or the one of the best score if that is better by more than chance explains; and
/// its score.
///
/// * `grown`  the first fold's tree for each entry of [`LEAST`]
pub(super) fn choose(
    data: &PreparedData,
    grown: &[Vec<HistogramNode>],
    scoreboard: &Scoreboard,
) -> (Alternative, f64) {
    let alternatives = count(data);
    let scores: Vec<f64> = (0..alternatives).map(|at| scoreboard.score(at)).collect();
    let usual = position(data, USUAL.least, USUAL.cost) + USUAL.power.min(powers(data).len() - 1);
    let best = first_largest(&scores);
    let (caution, chance) = (data.config().caution, chance(data, scores[usual]));
    let mut at = usual;
    if scores[best] >= scores[usual] + caution * chance {
        // Of those that are as good, the smallest tree; an alternative of a lower cost has the larger one.
        let good = (0..alternatives).filter(|&at| scores[at] >= scores[best] - AS_GOOD * chance);
        let size = |at| splits(grown, at_position(data, at));
        at = good.min_by(|&a, &b| size(a).cmp(&size(b)).then(a.cmp(&b))).unwrap_or(best);
    }
    (at_position(data, at), scores[at])
}

/// Splits of an alternative's tree.
fn splits(grown: &[Vec<HistogramNode>], Alternative { least, cost, .. }: Alternative) -> usize {
    let nodes = &grown[least];
    let leaf = pruned(nodes, COSTS[cost]);
    let (mut splits, mut waiting) = (0, vec![0]);
    while let Some(node) = waiting.pop() {
        if let (Some(children), false) = (nodes[node].children, leaf[node]) {
            splits += 1;
            waiting.extend(children);
        }
    }
    splits
}

/// About how far a score is from what it would be on endless samples: the deviation of a share.
pub(super) fn chance(data: &PreparedData, score: f64) -> f64 {
    let share = score.clamp(0.05, 0.95);
    let judged: usize = data.folds.iter().map(|fold| fold.held.len()).sum();
    (share * (1.0 - share) / (judged / data.rounds()).max(1) as f64).sqrt()
}

/// Adds what a sample was answered to the scores of an alternative.
pub(super) fn tally(
    data: &PreparedData,
    scoreboard: &mut Scoreboard,
    alternative: usize,
    round: usize,
    at: usize,
    class: usize,
    value: f64,
) {
    match &data.all().y {
        Labels::Classes { label, .. } => scoreboard.label(alternative, round, label[at] as usize, class),
        Labels::Values(_) => scoreboard.value(alternative, round, f64::from(data.target[at]), value),
    }
}

/// Class and number of a raw output.
pub(super) fn decided(data: &PreparedData, output: &[f64]) -> (usize, f64) {
    match &data.all().y {
        Labels::Classes { classes: 2, .. } => (usize::from(output[0] > 0.0), 0.0),
        Labels::Classes { .. } => (first_largest(output), 0.0),
        Labels::Values(_) => match data.units() {
            OutputUnits::Value { mean, deviation } => (0, (output[0] - mean) / deviation),
            OutputUnits::Scores => unreachable!("numbers are never scores"),
        },
    }
}
