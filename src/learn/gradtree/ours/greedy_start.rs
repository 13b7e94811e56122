//! The unit of the greedy start. It grows a start on every fold, and held-out samples decide how it is
//! pruned, how far rare classes are favoured, and whether gradient descent makes it better. The last stage
//! repeats the result on all samples.

mod refinement;

use std::sync::Arc;

use super::alternatives::{
    Alternative, COSTS, GreedyNotes, GrowthSettings, LEAST, USUAL, choose, count, powers,
};
use super::data::PreparedData;
use super::fold_start::FoldStart;
use super::stages::{FOLDS, RecipeStage};
use crate::learn::gradtree::paper::WeightedSamples;
use crate::learn::gradtree::paper::harden::choices_of;
use crate::learn::greedy::histogram::pruned;
use crate::learn::select::Scoreboard;
use crate::learn::{Kept, NodeChoice, Notes, On, Outcome, Pace, Phase, StopReason, Unit};
use crate::tree::Tree;

/// A unit from a greedy start.
pub(crate) struct GreedyStart {
    data: Arc<PreparedData>,
    growth: GrowthSettings,
    fold_starts: Vec<FoldStart>,
    scoreboard: Scoreboard,
    /// The fold whose start is grown now, or whose descent begins.
    at: usize,
    /// A plain tree on the first fold, while that grows.
    first: Option<FoldStart>,
    /// Alternatives of the present fold's trees that have been judged.
    judged: usize,
    state: UnitState,
    pace: Pace,
    best: Option<Outcome>,
}

/// What a greedy start is at, with what it has chosen so far.
enum UnitState {
    /// Starts are grown and judged, fold by fold.
    Growing,
    /// Descents begin, fold by fold; the start of the first one is kept.
    Beginning { choice: Alternative, score: f64, samples: Arc<WeightedSamples>, start: Option<Tree> },
    /// An epoch on every fold; whether there is a descent on any.
    Descending { choice: Alternative, score: f64, descended: bool },
}

impl GreedyStart {
    /// Begins to grow.
    pub(crate) fn new(data: Arc<PreparedData>, growth: GrowthSettings) -> GreedyStart {
        let fold_starts: Vec<FoldStart> = data
            .folds
            .iter()
            .enumerate()
            .map(|(at, fold)| FoldStart::new(&data, fold.clone(), at as u64))
            .collect();
        let scoreboard = data.scoreboard(data.rounds(), count(&data));
        let (state, pace) = (UnitState::Growing, Pace::default());
        GreedyStart {
            data,
            growth,
            fold_starts,
            scoreboard,
            at: 0,
            first: None,
            judged: 0,
            state,
            pace,
            best: None,
        }
    }

    fn keep(&mut self, tree: Tree, choice: Alternative, score: f64, kept: Kept) {
        let notes = Notes::of(&GreedyNotes { growth: self.growth, choice });
        let (loss, epoch) = (self.data.shown_loss(&tree, &self.data.validation()), choice.epochs);
        self.best = Some(Outcome { tree, score, loss, epoch, stop: None, kept, notes });
        self.pace.improved = true;
    }

    /// Where the first fold's tree comes from after so many epochs; all folds have scored it.
    fn kept(&self, epochs: u32) -> Kept {
        Kept { chosen: Some(self.data.chosen()), ..self.fold_starts[0].kept(epochs) }
    }

    /// The stage that the next step works at.
    fn stage(&self) -> RecipeStage {
        match (&self.state, self.fold_starts.get(self.at)) {
            (UnitState::Descending { .. }, _) => RecipeStage::Refinement,
            _ if self.best.is_none() => RecipeStage::FirstTree,
            (UnitState::Growing, Some(fold_start)) if fold_start.grown.len() < LEAST.len() => {
                fold_start.stage(self.growth)
            }
            (UnitState::Growing, Some(_)) => RecipeStage::Judgement,
            (UnitState::Growing, None) | (UnitState::Beginning { .. }, _) => RecipeStage::Choice,
        }
    }

    /// The same with counts and rows.
    fn phase(&self) -> Phase {
        let stage = self.stage();
        match (stage, self.fold_starts.get(self.at)) {
            (RecipeStage::Refinement, _) => {
                stage.phase().counted(self.pace.epoch as usize, self.data.config().refine as usize)
            }
            (RecipeStage::Teacher | RecipeStage::SyntheticRows | RecipeStage::Growth, Some(fold_start)) => {
                let on = On::Fold { fold: self.at as u32 + 1, folds: self.fold_starts.len() as u32 };
                fold_start.phase(&self.data, self.growth).on(on)
            }
            _ => stage.phase(),
        }
    }

    /// A piece of a plain tree, so that there is an answer while better ones are prepared; anything scores
    /// more.
    fn answer_at_once(&mut self) {
        let growth = GrowthSettings { trust: 0.0, ..self.growth };
        let fold_start =
            self.first.get_or_insert_with(|| FoldStart::new(&self.data, self.fold_starts[0].fold.clone(), 0));
        if fold_start.grow(&self.data, growth, &LEAST[USUAL.least..=USUAL.least]) {
            let choice = Alternative { power: USUAL.power.min(powers(&self.data).len() - 1), ..USUAL };
            let tree = fold_start.start(&self.data, growth, choice, 0);
            let kept = fold_start.kept(0);
            self.first = None;
            self.keep(tree, choice, f64::MIN, kept);
        }
    }

    /// A piece of the teacher, of the synthetic rows or of the trees of the present fold.
    fn grow(&mut self) {
        self.fold_starts[self.at].grow(&self.data, self.growth, &LEAST);
        self.count_folds();
    }

    /// Scores one pruning of one tree of the present fold.
    fn judge(&mut self) {
        let (least, cost) = (self.judged / COSTS.len(), self.judged % COSTS.len());
        self.fold_starts[self.at].judge(&self.data, self.growth, least, cost, &mut self.scoreboard);
        self.judged += 1;
        if self.judged == LEAST.len() * COSTS.len() {
            (self.judged, self.at) = (0, self.at + 1);
        }
        self.count_folds();
    }

    fn count_folds(&mut self) {
        let within = self.fold_starts.get(self.at).map_or(0.0, |fold_start| fold_start.share(&self.data));
        self.pace.share = FOLDS.width * (self.at as f64 + within) / self.fold_starts.len() as f64;
    }

    /// Held-out samples choose an alternative.
    fn choose(&mut self) {
        let (choice, score) = choose(&self.data, &self.fold_starts[0].grown, &self.scoreboard);
        let samples =
            Arc::new(self.data.training.weighted(self.data.all(), powers(&self.data)[choice.power]));
        self.state = UnitState::Beginning { choice, score, samples, start: None };
        self.at = 0;
    }

    fn end(&mut self, reason: StopReason) {
        self.pace.stop = Some(reason);
        if let Some(best) = &mut self.best {
            best.stop = Some(reason);
        }
    }
}

impl Unit for GreedyStart {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        (self.pace.epoch_ended, self.pace.improved) = (false, false);
        match (self.stage(), &self.state) {
            (RecipeStage::FirstTree, _) => self.answer_at_once(),
            (RecipeStage::Teacher | RecipeStage::SyntheticRows | RecipeStage::Growth, _) => self.grow(),
            (RecipeStage::Judgement, _) => self.judge(),
            (RecipeStage::Choice, UnitState::Growing) => self.choose(),
            (RecipeStage::Choice, _) => self.begin_descents(),
            (RecipeStage::Refinement, _) => self.descend(),
            (RecipeStage::RandomStarts | RecipeStage::Refit, _) => unreachable!("stages of other units"),
        }
        if self.pace.stop.is_some() {
            self.pace.share = 1.0;
        }
        self.pace.phase = self.phase();
        self.pace
    }

    fn current(&self) -> Tree {
        match (&self.state, self.fold_starts[0].grown.last()) {
            (UnitState::Descending { choice, .. }, _) => {
                match self.fold_starts[0].descended(&self.data, self.growth, *choice) {
                    Some((tree, _)) => tree,
                    None => self.fold_starts[0].start(&self.data, self.growth, *choice, choice.least),
                }
            }
            (UnitState::Growing | UnitState::Beginning { .. }, Some(nodes)) => {
                self.data.answers(0.0).tree(nodes, &pruned(nodes, COSTS[USUAL.cost]))
            }
            (UnitState::Growing | UnitState::Beginning { .. }, None) => match &self.best {
                Some(best) => best.tree.clone(),
                None => self.data.training.constant_tree(),
            },
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.best.clone()
    }

    fn choices(&self) -> Vec<NodeChoice> {
        match (&self.state, &self.fold_starts[0].descent) {
            (UnitState::Descending { choice, .. }, Some(descent)) => self.fold_starts[0]
                .descended(&self.data, self.growth, *choice)
                .map_or(Vec::new(), |(tree, sources)| choices_of(&descent.parameters, &tree, &sources)),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::greedy_refit::GreedyRefit;
    use super::*;
    use crate::encode::{Design, Labels};
    use crate::learn::Start;
    use crate::learn::gradtree::paper::TrainingData;
    use crate::learn::gradtree::settings::Config;
    use crate::numeric::order::first_largest;
    use nalgebra::DMatrix;

    fn data(config: Config) -> Arc<PreparedData> {
        let x = DMatrix::from_fn(3, 120, |j, i| ((i * (2 * j + 3)) % 23) as f32);
        let label = (0..120).map(|i| u32::from(x[(0, i)] > 9.0) + u32::from(x[(1, i)] > 12.0)).collect();
        let train = Arc::new(Design { x, y: Labels::Classes { label, classes: 3 } });
        Arc::new(PreparedData::new(Arc::new(TrainingData::new(config, train.clone(), train, 0))))
    }

    #[test]
    fn a_descent_without_numbers_leaves_the_start() {
        let data = data(Config { teacher: 3, ..Config::default() });
        let mut unit = GreedyStart::new(data.clone(), GrowthSettings { power: 0.5, trust: 0.5 });
        while !unit.step().improved {
            assert_eq!(unit.at, 0, "there is an answer before the first fold is grown");
        }
        while !matches!(unit.state, UnitState::Descending { .. }) {
            unit.step();
        }
        let before = unit.outcome().unwrap();
        let descent = unit.fold_starts[0].descent.as_mut().unwrap();
        descent.parameters.leaf.fill(f32::NAN);
        while unit.step().stop.is_none() {}
        let after = unit.outcome().unwrap();
        assert_eq!((after.stop, &after.tree), (Some(StopReason::Diverged), &before.tree));
        let row = data.all().row(0);
        assert!(
            unit.outcome().unwrap().tree.output(after.tree.leaf_of(row), row).iter().all(|o| o.is_finite())
        );
    }

    #[test]
    fn the_last_stage_follows_the_winner_on_all_samples() {
        let data = data(Config { teacher: 3, ..Config::default() });
        let mut unit = GreedyStart::new(data.clone(), GrowthSettings { power: 0.5, trust: 0.5 });
        while unit.step().stop.is_none() {}
        let winner = unit.outcome().unwrap();
        assert!(winner.score > 0.9, "{}", winner.score);
        let mut last = GreedyRefit::new(data.clone(), &winner).unwrap();
        while last.step().stop.is_none() {}
        let tree = last.outcome().unwrap().tree;
        let Labels::Classes { label, .. } = &data.all().y else { unreachable!() };
        let right =
            data.all().rows().zip(label).filter(|(row, class)| {
                first_largest(&tree.output(tree.leaf_of(row), row)) == **class as usize
            });
        assert!(right.count() > 220, "of 240");
        let kept = last.outcome().unwrap().kept;
        assert_eq!((kept.start, kept.taught, kept.refitted), (Start::Greedy, 3, true));
        assert_eq!((winner.kept.taught, winner.kept.refitted), (3, false));
        assert!(
            kept.gradient_epochs <= 6 && kept.synthetic_rows >= 2000 && kept.chosen == Some(data.chosen())
        );
        assert!(GreedyRefit::new(data, &Outcome { kept: Kept::at(Start::Random), ..winner }).is_none());
    }
}
