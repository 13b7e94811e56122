//! The stages of a training under the recipe `espalier`, in order: what each does, when it takes part, and
//! how long.
//!
//! The first unit of a training makes a greedy start on every fold. Each fold has a teacher, synthetic rows,
//! growth and judgement; then held-out samples choose, and gradient descent refines the chosen start on all
//! folds together. The other units are the paper's random starts. A last stage makes the winner again on all
//! samples. Units need no other, so they may run anywhere and in any order.
//!
//! Under the recipe `published` only [`RecipeStage::RandomStarts`] takes part.

use crate::learn::gradtree::settings::Config;
use crate::learn::{Phase, Start, StartChoice, Teach, Work};

/// A stage of the recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecipeStage {
    /// A plain tree at once.
    FirstTree,
    /// The forest that teaches.
    Teacher,
    /// Rows that the forest answers.
    SyntheticRows,
    /// Greedy trees.
    Growth,
    /// Their scores on held-out samples.
    Judgement,
    /// The choice between alternatives.
    Choice,
    /// Gradient descent from the chosen start.
    Refinement,
    /// Gradient descent from random parameters.
    RandomStarts,
    /// The winner on all samples.
    Refit,
}

/// Which part of the work a stage is, for the progress bar: of a fold's, or of the unit's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// What was done before it.
    pub from: f64,
    /// How much it is.
    pub width: f64,
}

impl Share {
    /// How much is done once the stage has done `part` of its own work, 0 to 1.
    pub fn done(self, part: f64) -> f64 {
        self.from + self.width * part
    }
}

impl RecipeStage {
    /// All stages, in order.
    pub const ALL: [RecipeStage; 9] = [
        RecipeStage::FirstTree,
        RecipeStage::Teacher,
        RecipeStage::SyntheticRows,
        RecipeStage::Growth,
        RecipeStage::Judgement,
        RecipeStage::Choice,
        RecipeStage::Refinement,
        RecipeStage::RandomStarts,
        RecipeStage::Refit,
    ];

    /// The stages that take part under these settings, in order.
    pub fn of(config: &Config) -> impl Iterator<Item = RecipeStage> {
        RecipeStage::ALL.into_iter().filter(|stage| stage.takes_part(config))
    }

    /// What it does, in one line.
    pub fn line(self) -> &'static str {
        match self {
            RecipeStage::FirstTree => "A plain greedy tree is grown, so that there is an answer at once.",
            RecipeStage::Teacher => {
                "A forest votes on the rows that each of its trees has not seen; its votes soften the \
                 targets."
            }
            RecipeStage::SyntheticRows => "Rows are mixed from training rows, and the forest answers them.",
            RecipeStage::Growth => {
                "Greedy trees are grown on both kinds of rows; real rows alone set their answers."
            }
            RecipeStage::Judgement => {
                "Held-out rows score every pruning, and how far answers favour rare classes."
            }
            RecipeStage::Choice => "The usual pruning is kept unless held-out rows clearly prefer another.",
            RecipeStage::Refinement => {
                "Gradient descent moves all splits together, and is undone if held-out rows get worse."
            }
            RecipeStage::RandomStarts => "Gradient descent from random parameters, as published.",
            RecipeStage::Refit => "The winner is made again from training and validation rows together.",
        }
    }

    /// Whether it takes part under these settings.
    pub fn takes_part(self, config: &Config) -> bool {
        let greedy = config.has_greedy_starts();
        let taught = greedy && config.teach == Teach::Forest && config.teacher > 0 && config.trust > 0.0;
        match self {
            RecipeStage::FirstTree | RecipeStage::Growth | RecipeStage::Judgement | RecipeStage::Choice => {
                greedy
            }
            RecipeStage::Teacher => taught,
            RecipeStage::SyntheticRows => taught && config.crossed > 0.0,
            RecipeStage::Refinement => greedy && config.refine > 0,
            RecipeStage::RandomStarts => config.start != StartChoice::Greedy,
            RecipeStage::Refit => config.refit,
        }
    }

    /// What a training says that it is doing meanwhile, without counts.
    pub fn phase(self) -> Phase {
        let descent = |from| Work::Descent { from, number: 0, of: 0, run: 0 };
        Phase::from(match self {
            RecipeStage::FirstTree => Work::FirstTree,
            RecipeStage::Teacher => Work::Teachers,
            RecipeStage::SyntheticRows => Work::MadeUpRows,
            RecipeStage::Growth => Work::Greedy,
            RecipeStage::Judgement | RecipeStage::Choice => Work::Choice,
            RecipeStage::Refinement => descent(Start::Greedy),
            RecipeStage::RandomStarts => descent(Start::Random),
            RecipeStage::Refit => Work::Refit,
        })
    }

    /// Its part of the work on one fold: most of the time goes to the teacher. None for a stage that is not
    /// on a fold.
    pub fn share_of_fold(self) -> Option<Share> {
        match self {
            RecipeStage::Teacher => Some(Share { from: 0.0, width: 0.7 }),
            RecipeStage::SyntheticRows => Some(Share { from: 0.7, width: 0.05 }),
            RecipeStage::Growth => Some(Share { from: 0.75, width: 0.2 }),
            RecipeStage::Judgement => Some(Share { from: 0.95, width: 0.05 }),
            _ => None,
        }
    }
}

/// The folds' part of a greedy start's work.
pub(super) const FOLDS: Share = Share { from: 0.0, width: 0.5 };
/// The part of its refinement.
pub(super) const REFINEMENT: Share = Share { from: 0.5, width: 0.5 };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Recipe, TargetKind};

    #[test]
    fn recipes_have_their_stages() {
        let of = |recipe| RecipeStage::of(&Config::of(recipe, TargetKind::Classes(2))).collect::<Vec<_>>();
        assert_eq!(of(Recipe::Espalier), RecipeStage::ALL);
        assert_eq!(of(Recipe::Published), [RecipeStage::RandomStarts]);
        let plain = Config {
            start: StartChoice::Greedy,
            teach: Teach::Off,
            refine: 0,
            refit: false,
            ..Config::default()
        };
        let stages =
            [RecipeStage::FirstTree, RecipeStage::Growth, RecipeStage::Judgement, RecipeStage::Choice];
        assert_eq!(RecipeStage::of(&plain).collect::<Vec<_>>(), stages);
        assert!(
            RecipeStage::ALL.iter().all(|stage| stage.line().ends_with('.') && stage.line().len() <= 100)
        );
    }

    #[test]
    fn the_stages_of_a_fold_follow_each_other() {
        let shares = RecipeStage::ALL.iter().filter_map(|stage| stage.share_of_fold());
        let end = shares.fold(0.0, |done: f64, share| {
            assert!((share.from - done).abs() < 1e-12);
            share.done(1.0)
        });
        assert!((end - 1.0).abs() < 1e-12);
        assert_eq!(FOLDS.done(1.0), REFINEMENT.from);
    }
}
