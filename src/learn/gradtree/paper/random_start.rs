//! A run from a random start, one of several restarts: the published training.
//!
//! The paper trains from a few random starts, stops each early by the loss on the validation samples, and
//! keeps the tree of the lowest such loss. A start needs no other, so it is a [`Unit`].

use std::sync::Arc;

use super::Parameters;
use super::data::{TrainingData, WeightedSamples};
use super::descent::Descent;
use super::early_stopping::{BestParameters, EarlyStopping};
use super::harden::{choices_of, pruned, pruned_traced};
use super::weight_average::WeightAverage;
use crate::encode::Design;
use crate::learn::gradtree::settings::outputs;
use crate::learn::{
    Chosen, Judges, Kept, Measure, NodeChoice, Notes, Outcome, Pace, Phase, Start, StopReason, Unit, Work,
};
use crate::tree::Tree;

/// How a random start is run and compared with the others of its training.
pub(crate) struct RestartTerms {
    /// Depth of the complete tree.
    pub depth: u32,
    /// Random starts of the training.
    pub starts: u32,
    /// How the trees of several starts are compared.
    pub ranking: Box<dyn Ranking>,
}

/// How the trees of several starts are compared.
pub(crate) trait Ranking: Send {
    /// What the scores measure.
    fn measure(&self) -> Measure;

    /// The score of a start's best tree; the higher, the better.
    ///
    /// * `loss`     the loss that early stopping watched
    /// * `watched`  the samples that it was watched on
    fn score(&self, loss: f64, tree: &Tree, watched: &Design) -> f64;
}

/// The paper's ranking: the start of the lowest validation loss is kept.
pub(crate) struct LowestLoss;

impl Ranking for LowestLoss {
    fn measure(&self) -> Measure {
        Measure::Loss
    }

    fn score(&self, loss: f64, _: &Tree, _: &Design) -> f64 {
        -loss
    }
}

/// A descent from a random start.
pub(crate) struct RandomStart {
    data: Arc<TrainingData>,
    ranking: Box<dyn Ranking>,
    descent: Descent,
    /// The mean of the last checkpoints, if it is what counts.
    average: Option<WeightAverage>,
    /// What early stopping watches: the validation samples, or without any the training samples.
    watched: WeightedSamples,
    /// The training samples and those watched without weights, where the objective is not the loss that is
    /// shown.
    shown: Option<[WeightedSamples; 2]>,
    stopping: EarlyStopping,
    pace: Pace,
}

impl RandomStart {
    /// Restart `restart`, from 0. Its seeds are s, s+1, s+3, s+6, … as in the authors' program.
    pub(crate) fn new(data: Arc<TrainingData>, restart: u64, terms: RestartTerms) -> Self {
        let seed = data.seed.wrapping_add(restart * (restart + 1) / 2);
        let config = &data.config;
        let RestartTerms { depth, starts, ranking } = terms;
        let (features, outputs) = (data.train.features(), outputs(&data.train.y));
        let start = Parameters::draw(depth as usize, features, outputs, config.init, config.tie_init, seed);
        let power = data.asked_power();
        let fit: Vec<u32> = (0..data.train.samples() as u32).collect();
        let average = WeightAverage::new(config.average, &start);
        let descent =
            Descent::new(config, Arc::new(data.weighted(&data.train, power)), &fit, start, 1.0, seed);
        let watched = if data.valid.samples() > 0 { &data.valid } else { &data.train };
        let watched = data.weighted(watched, power);
        let loss = config.loss(&data.train.y);
        let plain = loss.plain() == loss && power == 0.0;
        let shown = (!plain).then(|| [data.weighted(&data.train, 0.0).unweighted(), watched.unweighted()]);
        let stopping = EarlyStopping::new(config.epochs_for(fit.len(), features), config.patience);
        let work = Work::Descent { from: Start::Random, number: restart as u32 + 1, of: starts, run: 0 };
        let pace = Pace { phase: work.into(), ..Pace::default() };
        RandomStart { data, ranking, descent, average, watched, shown, stopping, pace }
    }

    /// Where the best tree comes from.
    fn kept(&self, gradient_epochs: u32) -> Kept {
        let on = if self.data.valid.samples() > 0 { Judges::Validation } else { Judges::Training };
        let chosen = Some(Chosen { by: self.ranking.measure(), on });
        Kept { gradient_epochs, chosen, ..Kept::at(Start::Random) }
    }

    /// Closes an epoch: measures the loss on the validation samples and keeps the best parameters.
    fn end_epoch(&mut self, train_loss: f64) -> Option<StopReason> {
        let watched = match &mut self.average {
            Some(average) => {
                average.add(&self.descent.parameters);
                self.descent.loss_of(average.mean(), &self.watched)
            }
            None => self.descent.loss_on(&self.watched),
        };
        let [train_loss, shown] = match &self.shown {
            None => [train_loss, watched],
            Some(parts) => {
                let mean = self.average.as_ref().map(WeightAverage::mean);
                [self.descent.plain_loss(mean, &parts[0]), self.descent.plain_loss(mean, &parts[1])]
            }
        };
        self.pace.epoch += 1;
        self.pace.epoch_ended = true;
        self.pace.train_loss = Some(train_loss);
        self.pace.valid_loss = (self.data.valid.samples() > 0 && shown.is_finite()).then_some(shown);
        if !watched.is_finite() {
            return Some(StopReason::Diverged);
        }
        let read_from = self.average.as_ref().map_or(&self.descent.parameters, WeightAverage::mean);
        self.pace.improved = self.stopping.improves(watched, shown, self.pace.epoch, read_from);
        self.stopping.stop(self.pace.epoch)
    }

    /// The parameters that the tree is read from: the descent's, or the mean of the last checkpoints.
    fn read_from(&self) -> &Parameters<f32> {
        self.average.as_ref().map_or(&self.descent.parameters, WeightAverage::mean)
    }
}

impl Unit for RandomStart {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        (self.pace.epoch_ended, self.pace.improved) = (false, false);
        let stop = match self.descent.step() {
            Err(()) => Some(StopReason::Diverged),
            Ok(None) => None,
            Ok(Some(loss)) => self.end_epoch(loss),
        };
        self.pace.stop = stop;
        let epochs = (f64::from(self.pace.epoch) + self.descent.within()) / f64::from(self.stopping.epochs());
        self.pace.share = if stop.is_some() { 1.0 } else { epochs };
        self.pace.phase = Phase { done: self.pace.epoch, of: 0, ..self.pace.phase };
        self.pace
    }

    fn current(&self) -> Tree {
        match self.stopping.best() {
            Some(best) if !self.descent.parameters.is_finite() => {
                pruned(&best.parameters, self.data.units, &self.data.train)
            }
            _ if self.descent.parameters.is_finite() => {
                pruned(self.read_from(), self.data.units, &self.data.train)
            }
            _ => self.data.constant_tree(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let BestParameters { watched, shown, epoch, parameters } = self.stopping.best()?;
        let tree = pruned(parameters, self.data.units, &self.data.train);
        let score = self.ranking.score(*watched, &tree, &self.watched.design);
        let (loss, epoch, stop, kept) = (Some(*shown), *epoch, self.pace.stop, self.kept(*epoch));
        Some(Outcome { tree, score, loss, epoch, stop, kept, notes: Notes::default() })
    }

    fn choices(&self) -> Vec<NodeChoice> {
        if !self.descent.parameters.is_finite() {
            return Vec::new();
        }
        let (tree, sources) = pruned_traced(self.read_from(), self.data.units, &self.data.train);
        choices_of(self.read_from(), &tree, &sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Labels;
    use crate::learn::StartChoice;
    use crate::learn::gradtree::settings::Config;
    use crate::learn::{Plan, Sequence, Training};
    use nalgebra::DMatrix;

    fn design(labels: Labels) -> Arc<Design> {
        let samples = labels.len();
        Arc::new(Design { x: DMatrix::from_fn(2, samples, |j, i| (i * (j + 1) % 7) as f32), y: labels })
    }

    fn data(labels: Labels) -> Arc<TrainingData> {
        let train = design(labels);
        let config = Config { start: StartChoice::Random, refit: false, epochs: 10, ..Config::default() };
        Arc::new(TrainingData::new(config, train.clone(), train, 0))
    }

    /// Restarts of which the first `spoilt` get parameters that are not numbers after two steps; settings
    /// within their ranges do not make a run diverge.
    struct Spoilt(Arc<TrainingData>, u32);

    struct SpoiltStart(RandomStart, u32);

    impl Plan for Spoilt {
        fn units(&self) -> u32 {
            3
        }
        fn unit(&self, index: u32) -> Box<dyn Unit> {
            let terms = RestartTerms { depth: self.0.config.depth, starts: 3, ranking: Box::new(LowestLoss) };
            let search = RandomStart::new(self.0.clone(), u64::from(index), terms);
            Box::new(SpoiltStart(search, if index < self.1 { 2 } else { u32::MAX }))
        }
        fn last(&self, _: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
            None
        }
        fn nothing(&self) -> Tree {
            self.0.constant_tree()
        }
        fn post_transform(&self) -> crate::tree::PostTransform {
            crate::tree::PostTransform::None
        }
    }

    impl Unit for SpoiltStart {
        fn step(&mut self) -> Pace {
            self.1 -= 1;
            if self.1 == 0 {
                self.0.descent.parameters.leaf.fill(f32::NAN);
                self.0.stopping.forget();
            }
            self.0.step()
        }
        fn current(&self) -> Tree {
            self.0.current()
        }
        fn outcome(&self) -> Option<Outcome> {
            self.0.outcome()
        }
    }

    #[test]
    fn a_run_without_numbers_answers_with_what_it_knows() {
        for (labels, expected) in [
            (Labels::Classes { label: vec![0, 1, 1, 1, 1, 1, 1, 1], classes: 2 }, vec![libm::log(8.0 / 2.0)]),
            (Labels::Classes { label: vec![2, 2, 2], classes: 3 }, vec![0.0, 0.0, libm::log(4.0)]),
            (Labels::Values(vec![1.0, 2.0, 6.0]), vec![3.0]),
        ] {
            let mut sequence = Sequence::new(Arc::new(Spoilt(data(labels), 3)));
            while sequence.step().stop.is_none() {}
            assert_eq!(sequence.progress().stop, Some(StopReason::Diverged));
            for tree in [sequence.best(), sequence.current()] {
                let answer = tree.output(0, &[0.0; 2]);
                assert!(answer.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{answer:?}");
            }
        }
    }

    #[test]
    fn a_restart_that_diverges_leaves_the_others_alone() {
        let labels = Labels::Classes { label: (0..40).map(|i| i % 3).collect(), classes: 3 };
        let data = data(labels);
        let mut sequence = Sequence::new(Arc::new(Spoilt(data.clone(), 1)));
        while sequence.step().stop.is_none() {}
        assert_eq!(sequence.progress().stop, Some(StopReason::EpochLimit));
        assert!(sequence.progress().best_restart >= 1);
        let tree = sequence.best();
        let outputs = data.train.rows().flat_map(|row| tree.output(tree.leaf_of(row), row));
        assert!(outputs.into_iter().all(f64::is_finite));
    }
}
