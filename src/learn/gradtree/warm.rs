//! A unit from a greedy start: how it is grown and pruned, how rare classes are favoured, and whether gradient descent makes it
//! better is decided by held-out samples; the last stage then does the same on all samples.

use std::sync::Arc;

use super::Config;
use super::board::Board;
use super::folds::Fold;
use super::ground::Ground;
use super::grow::{Grown, Limits, Soil, leaf_of, pruned};
use super::harden::{Meaning, choices_of, complete, start_from, tree_of};
use super::run::{Part, Run};
use super::teacher::Teacher;
use crate::encode::Labels;
use crate::learn::{NodeChoice, Outcome, Pace, StopReason, Unit};
use crate::numeric::order::first_largest;
use crate::numeric::random::Random;
use crate::tree::Tree;

/// How a greedy start is grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// How far rare classes weigh more in growth.
    pub power: f64,
    /// The teacher's share in the targets; 0 is none.
    pub trust: f32,
}

/// Least samples in a leaf, to choose from.
pub const LEAST: [usize; 3] = [1, 3, 8];
/// Costs of a leaf as shares of the root's, to choose from.
pub const COSTS: [f64; 10] = [0.0, 2e-4, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3, 0.016, 0.032, 0.064];
/// How far answers favour rare classes, to choose from.
pub const POWERS: [f64; 4] = [0.0, 0.35, 0.7, 1.0];
/// What is taken unless held-out samples clearly prefer something else: they are few, and the best of many alternatives is
/// the luckiest one.
pub const USUAL: Choice = Choice { least: 1, cost: 5, power: POWERS.len() - 1, epochs: 0 };

/// Scores within this share of a score's deviation are as good.
const AS_GOOD: f64 = 0.25;
/// Steps of an epoch of descent from a greedy start, at most: with more samples a step has more of them.
const STEPS: usize = 8;

/// What held-out samples have chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Position in [`LEAST`].
    pub least: usize,
    /// Position in [`COSTS`].
    pub cost: usize,
    /// Position in [`POWERS`].
    pub power: usize,
    /// Epochs of descent.
    pub epochs: u32,
}

/// A fold with what was grown on it.
struct Plot {
    fold: Fold,
    teacher: Teacher,
    /// (N × C) the targets it is grown on.
    target: Vec<f32>,
    /// A tree per entry of [`LEAST`].
    grown: Vec<Vec<Grown>>,
    run: Option<Run>,
}

impl Plot {
    fn new(ground: &Ground, fold: Fold, at: u64) -> Plot {
        let seed = ground.seed.wrapping_add(at);
        let teacher = Teacher::new(ground.all.samples(), ground.outputs(), seed);
        Plot { fold, teacher, target: ground.target.clone(), grown: vec![], run: None }
    }

    /// One tree of the teacher or of the start; whether all are there.
    fn grow(&mut self, ground: &Ground, recipe: Recipe, wanted: &[usize]) -> bool {
        let weight = ground.weights(recipe.power);
        let depth = ground.config.depth;
        let soil = |target| Soil { bins: &ground.bins, outputs: ground.outputs(), target, weight: weight.as_slice() };
        if recipe.trust > 0.0 && self.teacher.grown < ground.config.teacher {
            self.teacher.learn(soil(&ground.target), &ground.all, &self.fold.fit, depth.max(10));
            return false;
        }
        if self.grown.is_empty() && recipe.trust > 0.0 {
            self.target = self.teacher.soften(&ground.target, recipe.trust);
        }
        let limits = Limits { depth, least: wanted[self.grown.len()], tried: None };
        let mut samples = self.fold.fit.clone();
        self.grown.push(soil(&self.target).grow(&mut samples, limits, &mut Random::new(0)));
        self.grown.len() == wanted.len()
    }

    /// Tallies every cost and power of one grown tree on the held-out samples.
    fn judge(&self, ground: &Ground, recipe: Recipe, least: usize, board: &mut Board) {
        let nodes = &self.grown[least];
        let powers = powers(ground);
        for (cost, &alpha) in COSTS.iter().enumerate() {
            let leaf = pruned(nodes, alpha);
            for (power, &favour) in powers.iter().enumerate() {
                let answers = ground.answers(favour - recipe.power);
                let alternative = (least * COSTS.len() + cost) * powers.len() + power;
                let decided: Vec<(usize, f64)> = nodes.iter().map(|node| answers.decide(&node.sums)).collect();
                for &sample in &self.fold.held {
                    let at = sample as usize;
                    let (class, value) = decided[leaf_of(nodes, &leaf, ground.all.row(at))];
                    tally(ground, board, alternative, self.fold.round, at, class, value);
                }
            }
        }
    }

    /// The start as chosen.
    fn start(&self, ground: &Ground, recipe: Recipe, choice: Choice, at: usize) -> Tree {
        let nodes = &self.grown[at];
        let answers = ground.answers(powers(ground)[choice.power] - recipe.power);
        tree_of(nodes, &pruned(nodes, COSTS[choice.cost]), &answers)
    }

    /// The tree where its descent stands, its leaves answering for the samples it is fitted to.
    fn descended(&self, ground: &Ground, recipe: Recipe, choice: Choice) -> Option<(Tree, Vec<usize>)> {
        let run = self.run.as_ref()?;
        let tree = complete(&run.parameters, ground.meaning);
        let answers = ground.answers(powers(ground)[choice.power] - recipe.power);
        let weight = ground.weights(recipe.power);
        Some(answers.refit_traced(&tree, &ground.all, &self.target, &weight, &self.fold.fit))
    }

    fn begin_descent(&mut self, ground: &Ground, part: &Arc<Part>, start: &Tree, seed: u64) {
        let Some(parameters) = start_from(start, ground.all.features(), ground.meaning, ground.config.lead) else {
            return;
        };
        let batch = ground.config.batch.max((self.fold.fit.len() / STEPS) as u32);
        let config = Config { batch, ..ground.config.clone() };
        self.run = Some(Run::new(&config, part.clone(), &self.fold.fit, parameters, config.refine_rate, seed));
    }

    /// The mean loss over other samples where its descent stands.
    fn loss_on(&mut self, part: Option<&Part>) -> Option<f64> {
        Some(self.run.as_mut()?.loss_on(part?)).filter(|loss| loss.is_finite())
    }

    /// One epoch, with its loss; none if the numbers have run away.
    fn descend(&mut self) -> Option<f64> {
        let run = self.run.as_mut()?;
        loop {
            match run.step() {
                Ok(Some(loss)) => return Some(loss),
                Ok(None) => {}
                Err(()) => return None,
            }
        }
    }
}

/// Numbers have no classes to favour.
fn powers(ground: &Ground) -> &'static [f64] {
    if ground.outputs() > 1 { &POWERS } else { &POWERS[..1] }
}

fn tally(ground: &Ground, board: &mut Board, alternative: usize, round: usize, at: usize, class: usize, value: f64) {
    match &ground.all.y {
        Labels::Classes { label, .. } => board.label(alternative, round, label[at] as usize, class),
        Labels::Values(_) => board.value(alternative, round, f64::from(ground.target[at]), value),
    }
}

/// A unit from a greedy start.
pub struct Warm {
    ground: Arc<Ground>,
    recipe: Recipe,
    plots: Vec<Plot>,
    board: Board,
    /// The plot that is grown now.
    at: usize,
    stage: Stage,
    pace: Pace,
    best: Option<Outcome>,
}

enum Stage {
    Growing,
    Descending { choice: Choice, score: f64, watched: Option<Part> },
}

impl Warm {
    /// Begins to grow.
    pub fn new(ground: Arc<Ground>, recipe: Recipe) -> Warm {
        let plots: Vec<Plot> =
            ground.folds.iter().enumerate().map(|(at, fold)| Plot::new(&ground, fold.clone(), at as u64)).collect();
        let rounds = ground.folds.iter().map(|fold| fold.round + 1).max().unwrap_or(1);
        let alternatives = LEAST.len() * COSTS.len() * powers(&ground).len();
        let board = Board::new(&ground.all.y, rounds, alternatives);
        Warm { ground, recipe, plots, board, at: 0, stage: Stage::Growing, pace: Pace::default(), best: None }
    }

    /// The usual alternative, or the one of the best score if that is better by more than chance explains.
    fn choose(&self) -> (Choice, f64) {
        let powers = powers(&self.ground).len();
        let alternatives = LEAST.len() * COSTS.len() * powers;
        let scores: Vec<f64> = (0..alternatives).map(|at| self.board.score(at)).collect();
        let usual = (USUAL.least * COSTS.len() + USUAL.cost) * powers + USUAL.power.min(powers - 1);
        let best = first_largest(&scores);
        let (caution, chance) = (self.ground.config.caution, self.chance(scores[usual]));
        let mut at = usual;
        if scores[best] >= scores[usual] + caution * chance {
            // Of those that are as good, the smallest tree; an alternative of a lower cost has the larger one.
            let good = (0..alternatives).filter(|&at| scores[at] >= scores[best] - AS_GOOD * chance);
            at = good.min_by(|&a, &b| self.size(a).cmp(&self.size(b)).then(a.cmp(&b))).unwrap_or(best);
        }
        (self.alternative(at), scores[at])
    }

    fn alternative(&self, at: usize) -> Choice {
        let powers = powers(&self.ground).len();
        Choice { least: at / (COSTS.len() * powers), cost: at / powers % COSTS.len(), power: at % powers, epochs: 0 }
    }

    /// Splits of an alternative's tree on the first fold.
    fn size(&self, at: usize) -> usize {
        let Choice { least, cost, .. } = self.alternative(at);
        let nodes = &self.plots[0].grown[least];
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
    fn chance(&self, score: f64) -> f64 {
        let share = score.clamp(0.05, 0.95);
        let rounds = self.ground.folds.iter().map(|fold| fold.round + 1).max().unwrap_or(1);
        let judged: usize = self.ground.folds.iter().map(|fold| fold.held.len()).sum();
        (share * (1.0 - share) / (judged / rounds).max(1) as f64).sqrt()
    }

    fn keep(&mut self, tree: Tree, choice: Choice, score: f64) {
        let numbers = [choice.least, choice.cost, choice.power].map(|at| at as f64);
        let recipe = [self.recipe.power, f64::from(self.recipe.trust)];
        let notes = [numbers.as_slice(), &[f64::from(choice.epochs)], &recipe].concat();
        self.best = Some(Outcome { tree, score, loss: self.pace.valid_loss, epoch: choice.epochs, stop: None, notes });
        self.pace.improved = true;
    }

    /// A plain tree, so that there is an answer while better ones are prepared; anything scores more.
    fn answer_at_once(&mut self) {
        let recipe = Recipe { trust: 0.0, ..self.recipe };
        let mut plot = Plot::new(&self.ground, self.plots[0].fold.clone(), 0);
        while !plot.grow(&self.ground, recipe, &LEAST[USUAL.least..=USUAL.least]) {}
        let choice = Choice { power: USUAL.power.min(powers(&self.ground).len() - 1), ..USUAL };
        let tree = plot.start(&self.ground, recipe, choice, 0);
        self.keep(tree, choice, f64::MIN);
    }

    fn begin_descents(&mut self, choice: Choice, score: f64) {
        let power = powers(&self.ground)[choice.power];
        let part = Arc::new(self.ground.part(&self.ground.all, power));
        for at in 0..self.plots.len() {
            let start = self.plots[at].start(&self.ground, self.recipe, choice, choice.least);
            self.plots[at].begin_descent(&self.ground, &part, &start, at as u64);
        }
        let watched = (self.ground.valid.samples() > 0).then(|| self.ground.part(&self.ground.valid, power));
        self.pace.valid_loss = self.plots[0].loss_on(watched.as_ref());
        let tree = self.plots[0].start(&self.ground, self.recipe, choice, choice.least);
        self.keep(tree, choice, score);
        if self.ground.config.refine == 0 {
            self.end(StopReason::Grown);
            return;
        }
        self.stage = Stage::Descending { choice, score, watched };
    }

    fn end(&mut self, reason: StopReason) {
        self.pace.stop = Some(reason);
        if let Some(best) = &mut self.best {
            best.stop = Some(reason);
        }
    }

    /// One epoch on every fold; after the last one held-out samples may object.
    fn descend(&mut self) {
        let Stage::Descending { choice, score, watched } = &mut self.stage else { return };
        let (mut choice, before) = (*choice, *score);
        let mut losses = vec![];
        for plot in self.plots.iter_mut().filter(|plot| plot.run.is_some()) {
            match plot.descend() {
                Some(loss) => losses.push(loss),
                None => {
                    self.end(StopReason::Diverged);
                    return;
                }
            }
        }
        self.pace.epoch += 1;
        self.pace.epoch_ended = true;
        self.pace.train_loss = (!losses.is_empty()).then(|| losses.iter().sum::<f64>() / losses.len() as f64);
        self.pace.valid_loss = self.plots[0].loss_on(watched.as_ref());
        let last = self.pace.epoch >= self.ground.config.refine;
        self.pace.share = 0.5 + 0.5 * f64::from(self.pace.epoch) / f64::from(self.ground.config.refine);
        if losses.is_empty() {
            self.end(StopReason::Grown);
        } else if last {
            choice.epochs = self.pace.epoch;
            let (first, after) = self.judge_descents(choice);
            if after >= before - 0.5 * self.ground.config.caution * self.chance(before) {
                self.keep(first, choice, after.max(before));
                self.end(StopReason::EpochLimit);
            } else {
                self.end(StopReason::NoImprovement);
            }
        }
    }

    /// The first fold's tree after its descent, and the score of all.
    fn judge_descents(&self, choice: Choice) -> (Tree, f64) {
        let rounds = self.ground.folds.iter().map(|fold| fold.round + 1).max().unwrap_or(1);
        let mut board = Board::new(&self.ground.all.y, rounds, 1);
        let mut first = None;
        for plot in &self.plots {
            // A fold whose start is a single leaf has nothing to descend; its start stands.
            let tree = match plot.descended(&self.ground, self.recipe, choice) {
                Some((tree, _)) => tree,
                None => plot.start(&self.ground, self.recipe, choice, choice.least),
            };
            for &sample in &plot.fold.held {
                let (at, row) = (sample as usize, self.ground.all.row(sample as usize));
                let (class, value) = decided(&self.ground, &tree.output(tree.leaf_of(row), row));
                tally(&self.ground, &mut board, 0, plot.fold.round, at, class, value);
            }
            first.get_or_insert(tree);
        }
        (first.expect("there is a fold"), board.score(0))
    }
}

/// Class and number of a raw output.
fn decided(ground: &Ground, output: &[f64]) -> (usize, f64) {
    match &ground.all.y {
        Labels::Classes { classes: 2, .. } => (usize::from(output[0] > 0.0), 0.0),
        Labels::Classes { .. } => (first_largest(output), 0.0),
        Labels::Values(_) => match ground.meaning {
            Meaning::Value { mean, deviation } => (0, (output[0] - mean) / deviation),
            Meaning::Scores => unreachable!("numbers are never scores"),
        },
    }
}

impl Unit for Warm {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        (self.pace.epoch_ended, self.pace.improved) = (false, false);
        if matches!(self.stage, Stage::Descending { .. }) {
            self.descend();
        } else if self.best.is_none() {
            self.answer_at_once();
        } else if self.at < self.plots.len() {
            if self.plots[self.at].grow(&self.ground, self.recipe, &LEAST) {
                for least in 0..LEAST.len() {
                    self.plots[self.at].judge(&self.ground, self.recipe, least, &mut self.board);
                }
                self.at += 1;
            }
            self.pace.share = 0.5 * self.at as f64 / self.plots.len() as f64;
        } else {
            let (choice, score) = self.choose();
            self.begin_descents(choice, score);
        }
        if self.pace.stop.is_some() {
            self.pace.share = 1.0;
        }
        self.pace
    }

    fn current(&self) -> Tree {
        match (&self.stage, self.plots[0].grown.last()) {
            (Stage::Descending { choice, .. }, _) => {
                match self.plots[0].descended(&self.ground, self.recipe, *choice) {
                    Some((tree, _)) => tree,
                    None => self.plots[0].start(&self.ground, self.recipe, *choice, choice.least),
                }
            }
            (Stage::Growing, Some(nodes)) => {
                tree_of(nodes, &pruned(nodes, COSTS[USUAL.cost]), &self.ground.answers(0.0))
            }
            (Stage::Growing, None) => match &self.best {
                Some(best) => best.tree.clone(),
                None => super::plan::know_nothing(&self.ground),
            },
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.best.clone()
    }

    fn choices(&self) -> Vec<NodeChoice> {
        match (&self.stage, &self.plots[0].run) {
            (Stage::Descending { choice, .. }, Some(run)) => self.plots[0]
                .descended(&self.ground, self.recipe, *choice)
                .map_or(Vec::new(), |(tree, sources)| choices_of(&run.parameters, &tree, &sources)),
            _ => Vec::new(),
        }
    }
}

/// The last stage: the winner's recipe on all samples.
pub struct Rebuild {
    ground: Arc<Ground>,
    recipe: Recipe,
    choice: Choice,
    plot: Plot,
    winner: Outcome,
    pace: Pace,
    tree: Option<Tree>,
}

impl Rebuild {
    /// From the notes of a [`Warm`] outcome; none if they are another unit's.
    pub fn new(ground: Arc<Ground>, winner: &Outcome) -> Option<Rebuild> {
        let [least, cost, power, epochs, favour, trust] = *winner.notes else { return None };
        let choice =
            Choice { least: least as usize, cost: cost as usize, power: power as usize, epochs: epochs as u32 };
        let recipe = Recipe { power: favour, trust: trust as f32 };
        let fold = Fold { fit: (0..ground.all.samples() as u32).collect(), held: vec![], round: 0 };
        let plot = Plot::new(&ground, fold, u64::MAX);
        Some(Rebuild { ground, recipe, choice, plot, winner: winner.clone(), pace: Pace::default(), tree: None })
    }
}

impl Unit for Rebuild {
    fn step(&mut self) -> Pace {
        let Rebuild { ground, recipe, choice, plot, .. } = self;
        if self.pace.stop.is_some() {
            return self.pace;
        }
        if self.tree.is_none() {
            if plot.grow(ground, *recipe, &LEAST[choice.least..=choice.least]) {
                let start = plot.start(ground, *recipe, *choice, 0);
                if choice.epochs > 0 {
                    let part = Arc::new(ground.part(&ground.all, powers(ground)[choice.power]));
                    plot.begin_descent(ground, &part, &start, 0);
                }
                self.tree = Some(start);
            }
        } else if self.pace.epoch < choice.epochs && plot.run.is_some() {
            self.pace.epoch += 1;
            if plot.descend().is_none() {
                plot.run = None;
            }
        } else {
            if let Some((tree, _)) = plot.descended(ground, *recipe, *choice) {
                self.tree = Some(tree);
            }
            self.pace.stop = self.winner.stop;
        }
        self.pace
    }

    fn current(&self) -> Tree {
        self.tree.clone().unwrap_or_else(|| self.winner.tree.clone())
    }

    fn outcome(&self) -> Option<Outcome> {
        Some(Outcome { tree: self.current(), ..self.winner.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Design;
    use nalgebra::DMatrix;

    fn ground(config: Config) -> Arc<Ground> {
        let x = DMatrix::from_fn(3, 120, |j, i| ((i * (2 * j + 3)) % 23) as f32);
        let label = (0..120).map(|i| u32::from(x[(0, i)] > 9.0) + u32::from(x[(1, i)] > 12.0)).collect();
        let train = Arc::new(Design { x, y: Labels::Classes { label, classes: 3 } });
        Arc::new(Ground::new(config, train.clone(), train, 0))
    }

    #[test]
    fn a_descent_without_numbers_leaves_the_start() {
        let ground = ground(Config { teacher: 3, ..Config::default() });
        let mut unit = Warm::new(ground.clone(), Recipe { power: 0.5, trust: 0.5 });
        assert!(unit.step().improved, "there is an answer at once");
        while !matches!(unit.stage, Stage::Descending { .. }) {
            unit.step();
        }
        let before = unit.outcome().unwrap();
        let run = unit.plots[0].run.as_mut().unwrap();
        run.parameters.leaf.fill(f32::NAN);
        while unit.step().stop.is_none() {}
        let after = unit.outcome().unwrap();
        assert_eq!((after.stop, &after.tree), (Some(StopReason::Diverged), &before.tree));
        let row = ground.all.row(0);
        assert!(unit.outcome().unwrap().tree.output(after.tree.leaf_of(row), row).iter().all(|o| o.is_finite()));
    }

    #[test]
    fn the_last_stage_follows_the_winner_on_all_samples() {
        let ground = ground(Config { teacher: 3, ..Config::default() });
        let mut unit = Warm::new(ground.clone(), Recipe { power: 0.5, trust: 0.5 });
        while unit.step().stop.is_none() {}
        let winner = unit.outcome().unwrap();
        assert!(winner.score > 0.9, "{}", winner.score);
        let mut last = Rebuild::new(ground.clone(), &winner).unwrap();
        while last.step().stop.is_none() {}
        let tree = last.outcome().unwrap().tree;
        let Labels::Classes { label, .. } = &ground.all.y else { unreachable!() };
        let right = ground
            .all
            .rows()
            .zip(label)
            .filter(|(row, class)| first_largest(&tree.output(tree.leaf_of(row), row)) == **class as usize);
        assert!(right.count() > 220, "of 240");
        assert!(Rebuild::new(ground, &Outcome { notes: vec![], ..winner }).is_none());
    }
}
