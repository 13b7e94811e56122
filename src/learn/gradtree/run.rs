//! One descent: batches and epochs from a given start, on given samples.

use std::sync::Arc;

use super::backward::{Samples, Workspace, gradient, mean_loss};
use super::forward::Choices;
use super::harden::Meaning;
use super::{Config, Parameters};
use crate::encode::{Design, Labels};
use crate::numeric::activation::SplitFunction;
use crate::numeric::loss::{Loss, Truth};
use crate::numeric::random::Random;
use crate::numeric::rows::RowAdam;
use crate::tree::topology::{leaves_of_complete, splits_of_complete};

/// Samples with their labels as the loss wants them.
pub struct Part {
    /// The samples.
    pub design: Arc<Design>,
    truth: Vec<Truth<f32>>,
    weight: Vec<f32>,
}

impl Part {
    /// With a weight per class; numbers have none.
    pub fn new(design: Arc<Design>, meaning: Meaning, class_weight: &[f64]) -> Self {
        let (truth, weight) = match (&design.y, meaning) {
            (Labels::Values(values), Meaning::Value { mean, deviation }) => {
                let truth = values.iter().map(|y| Truth::Value(((y - mean) / deviation) as f32)).collect();
                (truth, vec![1.0; values.len()])
            }
            (Labels::Classes { label, .. }, _) => (
                label.iter().map(|&class| Truth::Class(class as usize)).collect(),
                label.iter().map(|&class| class_weight[class as usize] as f32).collect(),
            ),
            (Labels::Values(_), Meaning::Scores) => unreachable!("numbers are never scores"),
        };
        Part { design, truth, weight }
    }

    /// The same samples, each counting the same.
    pub fn unweighted(&self) -> Part {
        Part { design: self.design.clone(), truth: self.truth.clone(), weight: vec![1.0; self.weight.len()] }
    }

    fn samples(&self) -> Samples<'_, f32> {
        Samples { x: self.design.x.as_slice(), truth: &self.truth, weight: &self.weight }
    }
}

/// A descent under way.
pub struct Run {
    /// Where it is.
    pub parameters: Parameters<f32>,
    part: Arc<Part>,
    loss: Loss,
    split: SplitFunction,
    choices: Choices<f32>,
    /// Of I, T and L.
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

impl Run {
    /// Begins at `parameters`. `rate` multiplies the learning rates.
    pub fn new(
        config: &Config,
        part: Arc<Part>,
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
        Run {
            choices: Choices::new(&parameters),
            loss: config.loss(&part.design.y),
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
            part,
        }
    }

    /// Share of the epoch that is done.
    pub fn within(&self) -> f64 {
        self.used as f64 / self.order.len() as f64
    }

    /// One batch. Gives the mean loss of the epoch's batches where it ends one; an error if a loss is not a number.
    pub fn step(&mut self) -> Result<Option<f64>, ()> {
        if self.used == 0 {
            self.random.shuffle(&mut self.order);
        }
        let end = (self.used + self.batch).min(self.order.len());
        let loss = gradient(
            &self.parameters,
            &self.choices,
            self.part.samples(),
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
        index.awake().iter().for_each(|&node| self.choices.refresh(&self.parameters, node as usize));
    }

    /// The mean loss of other parameters of the same shape over other samples.
    pub fn loss_of(&mut self, parameters: &Parameters<f32>, part: &Part) -> f64 {
        mean_loss(parameters, &Choices::new(parameters), part.samples(), &self.loss, &mut self.workspace)
    }

    /// The mean loss over other samples.
    pub fn loss_on(&mut self, part: &Part) -> f64 {
        mean_loss(&self.parameters, &self.choices, part.samples(), &self.loss, &mut self.workspace)
    }

    /// The mean [plain](Loss::plain) loss over other samples: of other parameters of the same shape, or where the run stands.
    pub fn plain_loss(&mut self, parameters: Option<&Parameters<f32>>, part: &Part) -> f64 {
        let plain = self.loss.plain();
        match parameters {
            Some(other) => mean_loss(other, &Choices::new(other), part.samples(), &plain, &mut self.workspace),
            None => mean_loss(&self.parameters, &self.choices, part.samples(), &plain, &mut self.workspace),
        }
    }
}
