//! Random starts beside a greedy one: as published, but for their depth and for how cautiously their trees
//! are scored.

use std::sync::Arc;

use super::data::PreparedData;
use crate::encode::{Design, Labels};
use crate::learn::Measure;
use crate::learn::gradtree::paper::{Ranking, RestartTerms};
use crate::learn::select::Scoreboard;
use crate::numeric::order::first_largest;
use crate::tree::Tree;

/// The greatest depth of a random start beside a greedy one; deeper ones overfit.
const MOST_DEPTH: u32 = 6;

/// The terms of random starts that follow one greedy start.
pub(crate) fn beside_greedy(data: Arc<PreparedData>) -> RestartTerms {
    let (depth, starts) = (data.config().depth.min(MOST_DEPTH), data.config().restarts - 1);
    RestartTerms { depth, starts, ranking: Box::new(CautiousScore(data)) }
}

/// Ranks a random start by the score that greedy starts have, guessed with caution.
struct CautiousScore(Arc<PreparedData>);

impl Ranking for CautiousScore {
    fn measure(&self) -> Measure {
        match &self.0.all().y {
            Labels::Values(_) => Measure::LossAndR2,
            Labels::Classes { .. } => Measure::LossAndMacroF1,
        }
    }

    /// Macro F1 or R² on new samples, guessed from that on the validation samples. Those have chosen the
    /// epoch, and of several starts they favour the lucky one; the scores of greedy starts are of several
    /// folds. So a share of few samples is drawn to a half and lowered by three of its deviations (Agresti
    /// and Coull, 1998): a random start wins where greedy growth sees nothing, not by luck.
    fn score(&self, _: f64, tree: &Tree, watched: &Design) -> f64 {
        let constant = self.0.constant().map(|(pinball, raw)| (pinball, self.0.units().value(raw)));
        let mut scoreboard = Scoreboard::new(&watched.y, 1, 1).by(constant);
        for (at, row) in watched.rows().enumerate() {
            let output = tree.output(tree.leaf_of(row), row);
            match &watched.y {
                Labels::Classes { label, classes } => {
                    let answer =
                        if *classes == 2 { usize::from(output[0] > 0.0) } else { first_largest(&output) };
                    scoreboard.label(0, 0, label[at] as usize, answer);
                }
                Labels::Values(values) => scoreboard.value(0, 0, values[at], output[0]),
            }
        }
        let samples = watched.samples() as f64;
        let share = (scoreboard.score(0) * samples + 2.0) / (samples + 4.0);
        share - 3.0 * (share * (1.0 - share)).max(0.0025).sqrt() / (samples + 4.0).sqrt()
    }
}
