//! The training loop: batches, epochs, early stopping, restarts.

use std::sync::Arc;

use super::backward::{Samples, Workspace, gradient, mean_loss};
use super::config::outputs;
use super::forward::Choices;
use super::harden::{Meaning, pruned};
use super::{ClassWeight, Config, Parameters};
use crate::encode::{Design, Labels};
use crate::learn::{Progress, StopReason, Training};
use crate::numeric::loss::{Loss, Truth};
use crate::numeric::optim::Adam;
use crate::numeric::random::Random;
use crate::tree::{Leaf, PostTransform, Tree};

/// A training run of GradTree. One step is one batch.
pub struct Descent {
    config: Config,
    seed: u64,
    loss: Loss,
    meaning: Meaning,
    train: Part,
    /// The part that early stopping watches; none if there is no validation sample, and then it watches the training loss.
    valid: Option<Part>,
    run: Run,
    workspace: Workspace<f32>,
    /// Memory of the gradient.
    d: Parameters<f32>,
    best: Option<Best>,
    progress: Progress,
}

/// Samples with their labels as the loss wants them.
struct Part {
    design: Arc<Design>,
    truth: Vec<Truth<f32>>,
    weight: Vec<f32>,
}

/// The state of one restart.
struct Run {
    parameters: Parameters<f32>,
    choices: Choices<f32>,
    /// Of I, T and L.
    adam: [Adam<f32>; 3],
    random: Random,
    /// The training samples in this epoch's order.
    order: Vec<usize>,
    /// Samples of this epoch that have been used.
    used: usize,
    /// Sum and number of the batch losses of this epoch.
    losses: (f64, usize),
    /// Least watched loss of this restart.
    least: Option<f64>,
    /// Epochs since then.
    idle: u32,
    /// Whether this restart is over.
    over: bool,
}

/// The best parameters over all restarts.
struct Best {
    loss: f64,
    parameters: Parameters<f32>,
    /// Why its restart ended; none while it goes on.
    stop: Option<StopReason>,
}

impl Part {
    fn new(design: Arc<Design>, meaning: Meaning, class_weight: &[f32]) -> Self {
        let (truth, weight) = match (&design.y, meaning) {
            (Labels::Values(values), Meaning::Value { mean, deviation }) => {
                let truth = values.iter().map(|y| Truth::Value(((y - mean) / deviation) as f32)).collect();
                (truth, vec![1.0; values.len()])
            }
            (Labels::Classes { label, .. }, _) => (
                label.iter().map(|&class| Truth::Class(class as usize)).collect(),
                label.iter().map(|&class| class_weight[class as usize]).collect(),
            ),
            (Labels::Values(_), Meaning::Scores) => unreachable!("numbers are never scores"),
        };
        Part { design, truth, weight }
    }

    fn samples(&self) -> Samples<'_, f32> {
        Samples { x: self.design.x.as_slice(), truth: &self.truth, weight: &self.weight }
    }
}

impl Run {
    fn new(config: &Config, features: usize, outputs: usize, samples: usize, seed: u64) -> Self {
        let depth = config.depth as usize;
        let parameters = Parameters::draw(depth, features, outputs, config.init, config.tie_init, seed);
        let adam = [
            Adam::new(parameters.split_index.len(), config.lr_index),
            Adam::new(parameters.split_threshold.len(), config.lr_values),
            Adam::new(parameters.leaf.len(), config.lr_leaf),
        ];
        Run {
            choices: Choices::new(&parameters),
            parameters,
            adam,
            random: Random::stream(seed, "order"),
            order: (0..samples).collect(),
            used: 0,
            losses: (0.0, 0),
            least: None,
            idle: 0,
            over: false,
        }
    }

    /// Moves I, T and L at once, each by its own optimiser.
    fn update(&mut self, d: &Parameters<f32>) {
        let [index, threshold, leaf] = &mut self.adam;
        index.step(&mut self.parameters.split_index, &d.split_index);
        threshold.step(&mut self.parameters.split_threshold, &d.split_threshold);
        leaf.step(&mut self.parameters.leaf, &d.leaf);
        self.choices.refresh(&self.parameters);
    }
}

impl Descent {
    /// Begins a run. The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Self {
        let meaning = meaning(&train.y);
        let weights = class_weights(&train.y, config.class_weight);
        let (depth, features, outputs) = (config.depth as usize, train.features(), outputs(&train.y));
        Descent {
            seed,
            loss: config.loss(&train.y),
            meaning,
            run: Run::new(&config, features, outputs, train.samples(), seed),
            workspace: Workspace::new(depth, features, outputs),
            d: Parameters::zeros(depth, features, outputs),
            best: None,
            progress: Progress { restarts: config.restarts, ..Progress::default() },
            valid: (valid.samples() > 0).then(|| Part::new(valid, meaning, &weights)),
            train: Part::new(train, meaning, &weights),
            config,
        }
    }

    /// Samples per step: at most half of them, so that an epoch has at least two.
    fn batch_size(&self) -> usize {
        (self.config.batch as usize).min(self.train.truth.len().div_ceil(2))
    }

    /// One batch; gives its loss.
    fn descend(&mut self) -> f64 {
        let (samples, size) = (self.train.truth.len(), self.batch_size());
        let run = &mut self.run;
        if run.used == 0 {
            run.random.shuffle(&mut run.order);
        }
        let end = (run.used + size).min(samples);
        let batch = &run.order[run.used..end];
        let loss = gradient(
            &run.parameters,
            &run.choices,
            self.train.samples(),
            batch,
            &self.loss,
            self.config.split,
            &mut self.workspace,
            &mut self.d,
        );
        run.used = end;
        if loss.is_finite() {
            run.update(&self.d);
        }
        loss
    }

    /// Closes an epoch: measures, keeps what is best, and says whether the restart is over.
    fn end_epoch(&mut self) -> Option<StopReason> {
        let run = &mut self.run;
        run.used = 0;
        let (sum, batches) = std::mem::take(&mut run.losses);
        let valid_loss = self
            .valid
            .as_ref()
            .map(|part| mean_loss(&run.parameters, &run.choices, part.samples(), &self.loss, &mut self.workspace));
        // Without validation samples the loss after the epoch counts, not the mean over batches seen on the way to it:
        // what is kept are the parameters after the epoch.
        let watched = valid_loss.unwrap_or_else(|| {
            mean_loss(&run.parameters, &run.choices, self.train.samples(), &self.loss, &mut self.workspace)
        });
        let progress = &mut self.progress;
        progress.epoch += 1;
        progress.epoch_ended = true;
        progress.train_loss = Some(sum / batches as f64);
        progress.valid_loss = valid_loss.filter(|loss| loss.is_finite());
        if !watched.is_finite() || !run.parameters.is_finite() {
            return Some(StopReason::Diverged);
        }
        if run.least.is_none_or(|least| watched < least) {
            run.least = Some(watched);
            run.idle = 0;
            match &mut self.best {
                Some(best) if watched >= best.loss => {}
                best => {
                    progress.best_loss = Some(watched);
                    progress.best_epoch = progress.epoch;
                    progress.best_restart = progress.restart;
                    match best {
                        Some(best) => {
                            best.loss = watched;
                            best.stop = None;
                            best.parameters.copy_from(&run.parameters);
                        }
                        None => {
                            *best = Some(Best { loss: watched, parameters: run.parameters.clone(), stop: None });
                        }
                    }
                }
            }
        } else {
            run.idle += 1;
        }
        if progress.epoch >= self.config.epochs {
            Some(StopReason::EpochLimit)
        } else {
            (run.idle >= self.config.patience).then_some(StopReason::NoImprovement)
        }
    }

    /// Closes a restart; ends the training if it was the last.
    fn end_restart(&mut self, reason: StopReason) {
        self.run.over = true;
        if let Some(best) = &mut self.best {
            best.stop.get_or_insert(reason);
        }
        if self.progress.restart + 1 == self.config.restarts {
            self.progress.stop = Some(self.best.as_ref().and_then(|best| best.stop).unwrap_or(StopReason::Diverged));
        }
    }

    /// Begins the next restart from its own seed: s, s+1, s+3, s+6, … as in the authors' program.
    fn begin_restart(&mut self) {
        self.progress.restart += 1;
        self.progress.epoch = 0;
        let restart = u64::from(self.progress.restart);
        let seed = self.seed.wrapping_add(restart * (restart + 1) / 2);
        self.run = Run::new(&self.config, self.d.features, self.d.outputs, self.train.truth.len(), seed);
    }

    /// What is surely done: this restart may last to the last epoch, but a restart that has ended is behind us.
    fn share(&self) -> f64 {
        let within = self.run.used as f64 / self.train.truth.len() as f64;
        let epochs = (f64::from(self.progress.epoch) + within) / f64::from(self.config.epochs);
        let restart = if self.run.over { 1.0 } else { epochs };
        (f64::from(self.progress.restart) + restart) / f64::from(self.config.restarts)
    }

    /// The answer that knows nothing but how often each class occurs, or the mean.
    fn know_nothing(&self) -> Tree {
        let leaf = match (&self.train.design.y, self.meaning) {
            (Labels::Classes { label, classes }, _) => {
                // One sample more of each class, so that a class without samples has a logarithm.
                let mut counts = vec![1.0f64; *classes];
                label.iter().for_each(|&class| counts[class as usize] += 1.0);
                let logs: Vec<f64> = counts.iter().map(|&count| libm::log(count)).collect();
                let scores = if *classes == 2 { vec![logs[1] - logs[0]] } else { logs };
                Leaf::Scores(scores.into_iter().map(|score| score as f32).collect())
            }
            (Labels::Values(_), meaning) => meaning.leaf(&[0.0]),
        };
        Tree::leaf(leaf)
    }
}

impl Training for Descent {
    fn step(&mut self) -> Progress {
        if self.progress.stop.is_some() {
            return self.progress;
        }
        // Only now, so that until this step the caller sees the end of the restart before.
        if self.run.over {
            self.begin_restart();
        }
        self.progress.step += 1;
        self.progress.epoch_ended = false;
        let loss = self.descend();
        self.run.losses.0 += loss;
        self.run.losses.1 += 1;
        let reason = if !loss.is_finite() {
            Some(StopReason::Diverged)
        } else if self.run.used == self.train.truth.len() {
            self.end_epoch()
        } else {
            None
        };
        if let Some(reason) = reason {
            self.end_restart(reason);
        }
        self.progress.share = self.share();
        self.progress
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn current(&self) -> Tree {
        if self.run.parameters.is_finite() {
            pruned(&self.run.parameters, self.meaning, &self.train.design)
        } else {
            self.best()
        }
    }

    fn best(&self) -> Tree {
        match &self.best {
            Some(best) => pruned(&best.parameters, self.meaning, &self.train.design),
            // Before the first epoch has ended nothing has been measured; after a run without numbers nothing will be.
            None if self.progress.stop.is_none() && self.run.parameters.is_finite() => {
                pruned(&self.run.parameters, self.meaning, &self.train.design)
            }
            None => self.know_nothing(),
        }
    }

    fn post_transform(&self) -> PostTransform {
        match &self.train.design.y {
            Labels::Values(_) => PostTransform::None,
            Labels::Classes { classes: 0..=2, .. } => PostTransform::Logistic,
            Labels::Classes { .. } => PostTransform::Softmax,
        }
    }
}

/// What leaves mean for these labels. A constant target has deviation 1 here, so that it can be divided by.
fn meaning(labels: &Labels) -> Meaning {
    let Labels::Values(values) = labels else { return Meaning::Scores };
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / n).sqrt();
    Meaning::Value { mean, deviation: if deviation > 0.0 { deviation } else { 1.0 } }
}

/// The weight of each class; empty for numbers. A class without training samples weighs 1.
fn class_weights(labels: &Labels, choice: ClassWeight) -> Vec<f32> {
    let Labels::Classes { label, classes } = labels else { return Vec::new() };
    let mut counts = vec![0usize; *classes];
    label.iter().for_each(|&class| counts[class as usize] += 1);
    let weight = |count: usize| match choice {
        ClassWeight::Balanced if count > 0 => (label.len() as f64 / (*classes as f64 * count as f64)) as f32,
        _ => 1.0,
    };
    counts.into_iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    fn design(labels: Labels) -> Arc<Design> {
        let samples = labels.len();
        Arc::new(Design { x: DMatrix::from_fn(2, samples, |j, i| (i * (j + 1) % 7) as f32), y: labels })
    }

    /// Settings within their ranges do not make a run diverge, so the numbers are spoilt by hand.
    fn spoil(descent: &mut Descent) {
        descent.run.parameters.leaf.fill(f32::NAN);
    }

    #[test]
    fn a_run_without_numbers_answers_with_what_it_knows() {
        for (labels, expected) in [
            (Labels::Classes { label: vec![0, 1, 1, 1, 1, 1, 1, 1], classes: 2 }, vec![libm::log(8.0 / 2.0)]),
            (Labels::Classes { label: vec![2, 2, 2], classes: 3 }, vec![0.0, 0.0, libm::log(4.0)]),
            (Labels::Values(vec![1.0, 2.0, 6.0]), vec![3.0]),
        ] {
            let config = Config { restarts: 3, ..Config::default() };
            let train = design(labels);
            let mut descent = Descent::new(config, train.clone(), train, 0);
            for restart in 0..3 {
                assert_eq!(descent.progress.stop, None);
                descent.step();
                spoil(&mut descent);
                assert_eq!(descent.progress.restart, restart);
                // The loss of the next batch is not a number.
                descent.step();
            }
            assert_eq!(descent.progress.stop, Some(StopReason::Diverged));
            assert_eq!(descent.progress.share, 1.0);
            for tree in [descent.best(), descent.current()] {
                let answer = tree.output(0, &[0.0; 2]);
                assert!(answer.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{answer:?}");
            }
        }
    }

    #[test]
    fn a_restart_that_diverges_leaves_the_others_alone() {
        let train = design(Labels::Classes { label: (0..40).map(|i| i % 3).collect(), classes: 3 });
        let config = Config { restarts: 2, epochs: 10, ..Config::default() };
        let mut descent = Descent::new(config, train.clone(), train, 0);
        spoil(&mut descent);
        let first = descent.step();
        assert_eq!((first.stop, first.restart, first.best_loss), (None, 0, None));
        while descent.step().stop.is_none() {}
        assert_eq!(descent.progress.stop, Some(StopReason::EpochLimit));
        assert_eq!(descent.progress.best_restart, 1);
        let tree = descent.best();
        assert!(train_outputs(&tree, &descent).all(f64::is_finite));
    }

    fn train_outputs<'a>(tree: &'a Tree, descent: &'a Descent) -> impl Iterator<Item = f64> + 'a {
        descent.train.design.rows().flat_map(|row| tree.output(tree.leaf_of(row), row))
    }
}
