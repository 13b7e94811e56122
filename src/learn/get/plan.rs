//! The units of a training: its starts. What they found is refined in the last stage: by polish as published,
//! by a list of stages under our recipe.

use std::sync::Arc;

use crate::encode::Design;
use crate::learn::get::Config;
use crate::learn::get::ours::context::Context;
use crate::learn::get::ours::stages::{FinalStages, How, last_share};
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::get::paper::search_plan::SearchPlan;
use crate::learn::get::paper::training_set::TrainingSet;
use crate::learn::get::paper::tuning::Tuned;
use crate::learn::get::paper::units::{Harden, PolishUnit, StartUnit};
use crate::learn::{Columns, Outcome, Plan, Sequence, Unit};
use crate::tree::{PostTransform, Tree};

/// The plan of a training of GET or GET-Linear.
pub struct GetPlan {
    set: Arc<TrainingSet>,
    /// What our stages share; none as published, where nothing outside `paper/` takes part.
    ours: Option<Arc<Context>>,
}

impl GetPlan {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(
        config: Config,
        columns: &Columns,
        train: Arc<Design>,
        valid: Arc<Design>,
        seed: u64,
    ) -> GetPlan {
        if config.is_as_published() {
            let plan = SearchPlan::published(&config, train.samples());
            let set = TrainingSet::new(config, plan, &columns.apart, train, seed);
            return GetPlan { set: Arc::new(set), ours: None };
        }
        let context = Context::new(config, &columns.apart, train, &valid, seed);
        GetPlan { set: context.set.clone(), ours: Some(Arc::new(context)) }
    }

    /// Begins a training.
    pub fn begin(
        config: &Config,
        columns: &Columns,
        train: Arc<Design>,
        valid: Arc<Design>,
        seed: u64,
    ) -> Sequence {
        Sequence::new(Arc::new(GetPlan::new(config.clone(), columns, train, valid, seed)))
    }

    /// Begins trainings of several depths, of which validation chooses one: see [`Tuned`].
    pub fn tuned(
        config: &Config,
        columns: Columns,
        train: Arc<Design>,
        valid: Arc<Design>,
        seed: u64,
    ) -> Tuned {
        Tuned::new(GetPlan::begin, config, columns, train, valid, seed)
    }

    /// The trees of a start, the best one first; none if they are of another training.
    fn trees(&self, outcome: &Outcome) -> Option<Vec<Best>> {
        let shape = Parameters::zeros(self.set.depth(), self.set.blocks.width(), self.set.answer);
        let trees: Vec<Best> = outcome.notes.read()?;
        let fit = !trees.is_empty() && trees.iter().all(|best| best.tree.is_shaped_like(&shape));
        fit.then_some(trees)
    }

    fn last_stage(&self, winner: &Outcome, found: &[Option<Outcome>], how: How) -> Option<Box<dyn Unit>> {
        let best = self.trees(winner)?.swap_remove(0);
        let Some(context) = &self.ours else {
            // Polish begins at greedy subtrees, so it is left out of descent alone.
            let polish = PolishUnit::new(self.set.clone(), winner.clone(), best);
            return Some(Box::new(polish.filter(|_| how == How::Everything)?));
        };
        let trees = |found: &Option<Outcome>| found.as_ref().map_or(Some(vec![]), |found| self.trees(found));
        let found: Option<Vec<Vec<Best>>> = found.iter().map(trees).collect();
        Some(Box::new(FinalStages::new(context.clone(), winner.clone(), best, found?, how)?))
    }
}

impl Plan for GetPlan {
    fn units(&self) -> u32 {
        self.set.plan.starts as u32
    }

    fn unit(&self, index: u32) -> Box<dyn Unit> {
        let (set, ours) = (self.set.clone(), self.ours.clone());
        let harden: Harden = match ours {
            Some(context) => Arc::new(move |tree| context.hardened(&context.blocks, tree, context.finish())),
            None => Arc::new(move |tree| set.hard_tree(tree)),
        };
        Box::new(StartUnit::new(self.set.clone(), harden, index))
    }

    fn last(&self, winner: &Outcome, found: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        self.last_stage(winner, found, How::Everything)
    }

    fn alone(&self, winner: &Outcome, found: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        self.last_stage(winner, found, How::Alone)
    }

    fn alone_share(&self) -> f64 {
        /// About one descent more, where some start is random and the chosen tree is made again.
        const ALONE: f64 = 0.1;
        let again = self.ours.as_ref().is_some_and(|context| context.valid.is_some());
        if again && self.set.plan.starts > self.set.plan.greedy() { ALONE } else { 0.0 }
    }

    fn last_share(&self) -> f64 {
        match &self.ours {
            Some(context) => last_share(context),
            None if self.set.config.polish_levels() > 0 => PolishUnit::SHARE,
            None => 0.0,
        }
    }

    fn nothing(&self) -> Tree {
        self.set.root()
    }

    fn epochs_per_frame(&self) -> usize {
        /// A frame walks every sample through its tree several times, which costs as much as several epochs
        /// of a small one: so many samples in all frames.
        const WALKED: usize = 200_000;
        let frames = (WALKED / self.set.blocks.samples().max(1)).clamp(60, 200);
        self.set.plan.epochs().div_ceil(frames).max(1)
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Labels;
    use crate::learn::Recipe;
    use nalgebra::DMatrix;

    #[test]
    fn as_published_nothing_of_ours_takes_part() {
        let x = DMatrix::from_fn(2, 40, |j, i| ((i * (j + 3)) % 7) as f32 / 7.0);
        let train = Arc::new(Design { y: Labels::Values((0..40).map(|i| f64::from(i % 9)).collect()), x });
        for linear in [false, true] {
            let plan = |recipe| {
                let config = Config { depth: 2, ..Config::of(linear, recipe) };
                GetPlan::new(config, &Columns::default(), train.clone(), train.clone(), 0)
            };
            assert!(plan(Recipe::Published).ours.is_none() && plan(Recipe::Espalier).ours.is_some());
        }
    }
}
