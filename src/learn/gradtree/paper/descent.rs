//! One descent: batches and epochs from a given start, on given samples.
//!
//! I, T and L have an Adam optimiser each, with learning rates of their own, and move together after every
//! batch. Batches are of `min(batch, N / 2)` samples, in a new order every epoch; the last one may be
//! smaller.

use std::sync::Arc;

use super::Parameters;
use super::backward::{Workspace, gradient, mean_loss};
use super::data::WeightedSamples;
use super::forward::HardSplits;
use crate::learn::gradtree::settings::Config;
use crate::numeric::activation::SplitFunction;
use crate::numeric::loss::Loss;
use crate::numeric::random::Random;
use crate::numeric::rows::RowAdam;
use crate::tree::topology::{leaves_of_complete, splits_of_complete};

/// A descent under way.
pub(crate) struct Descent {
    /// I, T and L as they are now.
    pub parameters: Parameters<f32>,
    samples: Arc<WeightedSamples>,
    loss: Loss,
    split: SplitFunction,
    hard: HardSplits<f32>,
    /// The optimisers of I, T and L.
    adam: [RowAdam<f32>; 3],
    workspace: Workspace<f32>,
    /// Memory of the gradient.
    d: Parameters<f32>,
    random: Random,
    /// The samples it learns from, in this epoch's order.
    order: Vec<usize>,
    /// Samples per step.
    batch: usize,
    /// Samples of this epoch that have been used.
    used: usize,
    /// Sum and number of the batch losses of this epoch.
    losses: (f64, usize),
}

impl Descent {
    /// Begins at `parameters`. `rate` multiplies the learning rates.
    pub(crate) fn new(
        config: &Config,
        samples: Arc<WeightedSamples>,
        fit: &[u32],
        parameters: Parameters<f32>,
        rate: f64,
        seed: u64,
    ) -> Self {
        let Parameters { depth, features, outputs, .. } = parameters;
        let (splits, leaves) = (splits_of_complete(depth), leaves_of_complete(depth));
        let adam = [
            RowAdam::new(splits, features, config.lr_index * rate),
            RowAdam::new(splits, features, config.lr_values * rate),
            RowAdam::new(leaves, outputs, config.lr_leaf * rate),
        ];
        Descent {
            hard: HardSplits::new(&parameters),
            loss: config.loss(&samples.design.y),
            split: config.split,
            workspace: Workspace::new(depth, features, outputs),
            d: Parameters::zeros(depth, features, outputs),
            parameters,
            adam,
            random: Random::stream(seed, "order"),
            order: fit.iter().map(|&sample| sample as usize).collect(),
            // At most half of them, so that an epoch has at least two steps.
            batch: (config.batch as usize).min(fit.len().div_ceil(2)).max(1),
            used: 0,
            losses: (0.0, 0),
            samples,
        }
    }

    /// Share of the epoch that is done.
    pub(crate) fn within(&self) -> f64 {
        self.used as f64 / self.order.len() as f64
    }

    /// One batch. Gives the mean loss of the epoch's batches where it ends one; an error if a loss is not a
    /// number.
    pub(crate) fn step(&mut self) -> Result<Option<f64>, ()> {
        if self.used == 0 {
            self.random.shuffle(&mut self.order);
        }
        let end = (self.used + self.batch).min(self.order.len());
        let loss = gradient(
            &self.parameters,
            &self.hard,
            self.samples.samples(),
            &self.order[self.used..end],
            &self.loss,
            self.split,
            &mut self.workspace,
            &mut self.d,
        );
        if !loss.is_finite() {
            return Err(());
        }
        self.update();
        self.used = end;
        self.losses.0 += loss;
        self.losses.1 += 1;
        if self.used < self.order.len() {
            return Ok(None);
        }
        self.used = 0;
        let (sum, batches) = std::mem::take(&mut self.losses);
        if self.parameters.is_finite() { Ok(Some(sum / batches as f64)) } else { Err(()) }
    }

    /// Moves I, T and L at once, each by its own optimiser.
    fn update(&mut self) {
        let [index, threshold, leaf] = &mut self.adam;
        let (nodes, leaves) = (self.workspace.nodes(), self.workspace.leaves());
        index.step(&mut self.parameters.split_index, &self.d.split_index, nodes);
        threshold.step(&mut self.parameters.split_threshold, &self.d.split_threshold, nodes);
        leaf.step(&mut self.parameters.leaf, &self.d.leaf, leaves);
        // The same rows of I and T are awake.
        index.awake().iter().for_each(|&node| self.hard.refresh(&self.parameters, node as usize));
    }

    /// The mean loss of other parameters of the same shape over other samples.
    pub(crate) fn loss_of(&mut self, parameters: &Parameters<f32>, part: &WeightedSamples) -> f64 {
        mean_loss(parameters, &HardSplits::new(parameters), part.samples(), &self.loss, &mut self.workspace)
    }

    /// The mean loss over other samples.
    pub(crate) fn loss_on(&mut self, part: &WeightedSamples) -> f64 {
        mean_loss(&self.parameters, &self.hard, part.samples(), &self.loss, &mut self.workspace)
    }

    /// The mean [plain](Loss::plain) loss over other samples: of other parameters of the same shape, or of
    /// its own.
    pub(crate) fn plain_loss(&mut self, parameters: Option<&Parameters<f32>>, part: &WeightedSamples) -> f64 {
        let plain = self.loss.plain();
        match parameters {
            Some(other) => {
                mean_loss(other, &HardSplits::new(other), part.samples(), &plain, &mut self.workspace)
            }
            None => mean_loss(&self.parameters, &self.hard, part.samples(), &plain, &mut self.workspace),
        }
    }
}
