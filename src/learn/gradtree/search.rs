//! A unit from a random start: the published training with early stopping.

use std::sync::Arc;

use super::Parameters;
use super::average::Average;
use super::board::Board;
use super::config::outputs;
use super::ground::Ground;
use super::harden::{choices_of, pruned, pruned_traced};
use super::run::{Part, Run};
use crate::encode::Labels;
use crate::learn::{Chosen, Judges, Kept, Measure, NodeChoice, Outcome, Pace, Phase, Start, StopReason, Unit, Work};
use crate::numeric::order::first_largest;
use crate::tree::Tree;

/// A random start may be as deep as this beside greedy ones; deeper, it learns the samples by heart.
const MOST_DEPTH: u32 = 6;

/// A descent from a random start.
pub struct Search {
    ground: Arc<Ground>,
    run: Run,
    /// The mean of the last checkpoints, if it is what counts.
    average: Option<Average>,
    /// What early stopping watches: the validation samples, or without any the training samples.
    watched: Part,
    /// The training samples and those watched without weights, where the objective is not the loss that is shown.
    shown: Option<[Part; 2]>,
    best: Option<Best>,
    best_epoch: u32,
    /// Epochs since then.
    idle: u32,
    /// Most epochs.
    epochs: u32,
    pace: Pace,
}

/// The best parameters of a search.
struct Best {
    /// The loss that early stopping watches.
    watched: f64,
    /// The loss that curves show: without weights, and the same for all units of a training.
    shown: f64,
    parameters: Parameters<f32>,
}

impl Search {
    /// Restart `restart`, whose seeds are s, s+1, s+3, s+6, … as in the authors' program.
    pub fn new(ground: Arc<Ground>, restart: u64) -> Self {
        let seed = ground.seed.wrapping_add(restart * (restart + 1) / 2);
        let config = &ground.config;
        let depth = if config.has_greedy_starts() { config.depth.min(MOST_DEPTH) } else { config.depth };
        let (features, outputs) = (ground.train.features(), outputs(&ground.train.y));
        let start = Parameters::draw(depth as usize, features, outputs, config.init, config.tie_init, seed);
        let power = ground.asked_power();
        let fit: Vec<u32> = (0..ground.train.samples() as u32).collect();
        let average = Average::new(config.average, &start);
        let run = Run::new(config, Arc::new(ground.part(&ground.train, power)), &fit, start, 1.0, seed);
        let watched = if ground.valid.samples() > 0 { &ground.valid } else { &ground.train };
        let watched = ground.part(watched, power);
        let loss = config.loss(&ground.train.y);
        let plain = loss.plain() == loss && power == 0.0;
        let shown = (!plain).then(|| [ground.part(&ground.train, 0.0).unweighted(), watched.unweighted()]);
        let epochs = config.epochs_for(fit.len(), features);
        let random = config.restarts - u32::from(config.has_greedy_starts());
        let work = Work::Descent { from: Start::Random, number: restart as u32 + 1, of: random, run: 0 };
        let pace = Pace { phase: work.into(), ..Pace::default() };
        Search { ground, run, average, watched, shown, best: None, best_epoch: 0, idle: 0, epochs, pace }
    }

    /// Where the best tree comes from.
    fn kept(&self) -> Kept {
        let by = match (self.ground.config.has_greedy_starts(), &self.ground.all.y) {
            (false, _) => Measure::Loss,
            (true, Labels::Values(_)) => Measure::LossAndR2,
            (true, Labels::Classes { .. }) => Measure::LossAndMacroF1,
        };
        let on = if self.ground.valid.samples() > 0 { Judges::Validation } else { Judges::Training };
        let chosen = Some(Chosen { by, on });
        Kept { gradient_epochs: self.best_epoch, chosen, ..Kept::at(Start::Random) }
    }

    /// Closes an epoch: measures and keeps what is best.
    fn end_epoch(&mut self, train_loss: f64) -> Option<StopReason> {
        let watched = match &mut self.average {
            Some(average) => {
                average.add(&self.run.parameters);
                self.run.loss_of(average.mean(), &self.watched)
            }
            None => self.run.loss_on(&self.watched),
        };
        let [train_loss, shown] = match &self.shown {
            None => [train_loss, watched],
            Some(parts) => {
                let mean = self.average.as_ref().map(Average::mean);
                [self.run.plain_loss(mean, &parts[0]), self.run.plain_loss(mean, &parts[1])]
            }
        };
        self.pace.epoch += 1;
        self.pace.epoch_ended = true;
        self.pace.train_loss = Some(train_loss);
        self.pace.valid_loss = (self.ground.valid.samples() > 0 && shown.is_finite()).then_some(shown);
        if !watched.is_finite() {
            return Some(StopReason::Diverged);
        }
        let kept = self.average.as_ref().map_or(&self.run.parameters, Average::mean);
        match &mut self.best {
            Some(best) if watched >= best.watched => self.idle += 1,
            best => {
                self.idle = 0;
                self.pace.improved = true;
                self.best_epoch = self.pace.epoch;
                match best {
                    Some(best) => {
                        (best.watched, best.shown) = (watched, shown);
                        best.parameters.copy_from(kept);
                    }
                    None => *best = Some(Best { watched, shown, parameters: kept.clone() }),
                }
            }
        }
        if self.pace.epoch >= self.epochs {
            Some(StopReason::EpochLimit)
        } else {
            (self.idle >= self.ground.config.patience).then_some(StopReason::NoImprovement)
        }
    }

    /// The parameters that the tree is read from: the run's, or the mean of the last checkpoints.
    fn read_from(&self) -> &Parameters<f32> {
        self.average.as_ref().map_or(&self.run.parameters, Average::mean)
    }

    /// A cautious guess of macro F1 or R² on new samples from that on the validation samples, which chose the epoch and of several
    /// starts favour the lucky one; beside it stand scores of greedy starts on several folds. A share of few samples is drawn to a half and
    /// lowered by three of its deviations (Agresti and Coull, 1998): a random start wins where greedy growth sees nothing, not by luck.
    fn score(&self, tree: &Tree) -> f64 {
        let design = &self.watched.design;
        let constant = self.ground.constant(self.ground.all.samples());
        let constant = constant.map(|(pinball, raw)| (pinball, self.ground.meaning.value(raw)));
        let mut board = Board::new(&design.y, 1, 1).by(constant);
        for (at, row) in design.rows().enumerate() {
            let output = tree.output(tree.leaf_of(row), row);
            match &design.y {
                Labels::Classes { label, classes } => {
                    let answer = if *classes == 2 { usize::from(output[0] > 0.0) } else { first_largest(&output) };
                    board.label(0, 0, label[at] as usize, answer);
                }
                Labels::Values(values) => board.value(0, 0, values[at], output[0]),
            }
        }
        let samples = design.samples() as f64;
        let share = (board.score(0) * samples + 2.0) / (samples + 4.0);
        share - 3.0 * (share * (1.0 - share)).max(0.0025).sqrt() / (samples + 4.0).sqrt()
    }
}

impl Unit for Search {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        (self.pace.epoch_ended, self.pace.improved) = (false, false);
        let stop = match self.run.step() {
            Err(()) => Some(StopReason::Diverged),
            Ok(None) => None,
            Ok(Some(loss)) => self.end_epoch(loss),
        };
        self.pace.stop = stop;
        let epochs = (f64::from(self.pace.epoch) + self.run.within()) / f64::from(self.epochs);
        self.pace.share = if stop.is_some() { 1.0 } else { epochs };
        self.pace.phase = Phase { done: self.pace.epoch, of: 0, ..self.pace.phase };
        self.pace
    }

    fn current(&self) -> Tree {
        match &self.best {
            Some(best) if !self.run.parameters.is_finite() => {
                pruned(&best.parameters, self.ground.meaning, &self.ground.train)
            }
            _ if self.run.parameters.is_finite() => pruned(self.read_from(), self.ground.meaning, &self.ground.train),
            _ => super::plan::know_nothing(&self.ground),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let Best { watched, shown, parameters } = self.best.as_ref()?;
        let tree = pruned(parameters, self.ground.meaning, &self.ground.train);
        let score = if self.ground.config.has_greedy_starts() { self.score(&tree) } else { -watched };
        let (loss, epoch, stop, kept) = (Some(*shown), self.best_epoch, self.pace.stop, self.kept());
        Some(Outcome { tree, score, loss, epoch, stop, kept, notes: vec![] })
    }

    fn choices(&self) -> Vec<NodeChoice> {
        if !self.run.parameters.is_finite() {
            return Vec::new();
        }
        let (tree, sources) = pruned_traced(self.read_from(), self.ground.meaning, &self.ground.train);
        choices_of(self.read_from(), &tree, &sources)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Start};
    use super::*;
    use crate::encode::Design;
    use crate::learn::{Plan, Sequence, Training};
    use nalgebra::DMatrix;

    fn design(labels: Labels) -> Arc<Design> {
        let samples = labels.len();
        Arc::new(Design { x: DMatrix::from_fn(2, samples, |j, i| (i * (j + 1) % 7) as f32), y: labels })
    }

    fn ground(labels: Labels) -> Arc<Ground> {
        let train = design(labels);
        let config = Config { start: Start::Random, refit: false, epochs: 10, ..Config::default() };
        Arc::new(Ground::new(config, train.clone(), train, 0))
    }

    /// Restarts of which the first `spoilt` get parameters that are not numbers after two steps; settings within their ranges
    /// do not make a run diverge.
    struct Spoilt(Arc<Ground>, u32);

    struct SpoiltSearch(Search, u32);

    impl Plan for Spoilt {
        fn units(&self) -> u32 {
            3
        }
        fn unit(&self, index: u32) -> Box<dyn Unit> {
            let search = Search::new(self.0.clone(), u64::from(index));
            Box::new(SpoiltSearch(search, if index < self.1 { 2 } else { u32::MAX }))
        }
        fn last(&self, _: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
            None
        }
        fn nothing(&self) -> Tree {
            super::super::plan::know_nothing(&self.0)
        }
        fn post_transform(&self) -> crate::tree::PostTransform {
            crate::tree::PostTransform::None
        }
    }

    impl Unit for SpoiltSearch {
        fn step(&mut self) -> Pace {
            self.1 -= 1;
            if self.1 == 0 {
                self.0.run.parameters.leaf.fill(f32::NAN);
                self.0.best = None;
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
            let mut sequence = Sequence::new(Arc::new(Spoilt(ground(labels), 3)));
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
        let ground = ground(labels);
        let mut sequence = Sequence::new(Arc::new(Spoilt(ground.clone(), 1)));
        while sequence.step().stop.is_none() {}
        assert_eq!(sequence.progress().stop, Some(StopReason::EpochLimit));
        assert!(sequence.progress().best_restart >= 1);
        let tree = sequence.best();
        let outputs = ground.train.rows().flat_map(|row| tree.output(tree.leaf_of(row), row));
        assert!(outputs.into_iter().all(f64::is_finite));
    }
}
