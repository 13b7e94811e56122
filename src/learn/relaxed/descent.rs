//! One descent from one start: batches and epochs, the pruning variables frozen after each, the best hard tree kept.

use std::sync::Arc;

use super::answers::{STRENGTHS, Sums, hard_loss, shown_loss};
use super::config::{Config, Course};
use super::greedy;
use super::harden::{ends, heap_leaf, kept_splits, skeleton, with_answers};
use super::model::{Recipe, Workspace};
use super::parameters::Shape;
use super::samples::{Goal, Samples, Units};
use super::settle::Groups;
use super::start;
use crate::learn::{Chosen, Columns, Judges, Kept, Measure, Outcome, Pace, Phase, Start, StopReason, Unit, Work};
use crate::numeric::optim::QhAdam;
use crate::numeric::random::Random;
use crate::numeric::slices::Task;
use crate::tree::Tree;

/// Shrinkage while epochs are compared; the finished tree's is chosen from several.
const SHRINKAGE: f64 = 3.0;

/// A greedy tree is good already: it is moved at this share of the rate,
const GREEDY_RATE: f64 = 0.25;
/// and its scores begin this steep.
const GREEDY_SCALE: f64 = 2.0;

/// What all descents of a training share.
pub struct Ground {
    /// The tree to be learned.
    pub shape: Shape,
    /// How batches are judged.
    pub recipe: Recipe,
    /// The course of each descent.
    pub course: Course,
    /// How pruning scores begin.
    pub scores: start::Scores,
    /// Whether the best hard tree is kept; if not, the best relaxed one.
    pub by_hard: bool,
    /// What each node but the root costs in the hard tree.
    pub charge: f64,
    /// How many descents begin at greedy trees: the second at one of single columns, the others at an oblique one.
    pub greedy: u32,
    /// All descents.
    pub restarts: u32,
    /// Samples to learn from.
    pub train: Samples,
    /// Samples to choose by; may be none.
    pub valid: Samples,
    /// What may stand in one split.
    pub groups: Groups,
    /// The target's own units.
    pub units: Units,
    /// The seed.
    pub seed: u64,
}

/// A relaxed tree at the end of an epoch, as new samples find it.
#[derive(Debug, Clone, PartialEq)]
pub struct Relaxed {
    /// All that is learned.
    pub theta: Vec<f64>,
    /// The pruning variables, frozen on all training samples (T).
    pub a: Vec<f64>,
    /// How steep scores are.
    pub scale: f64,
}

impl Ground {
    /// Of checked settings.
    pub fn new(config: &Config, columns: &Columns, train: Samples, valid: Samples, units: Units, seed: u64) -> Ground {
        let shape = config.shape(train.design.features(), train.goal.outputs());
        Ground {
            recipe: config.recipe(),
            course: config.course(train.len()),
            scores: config.scores(),
            charge: config.charge(),
            greedy: config.greedy(),
            restarts: config.restarts.max(1),
            by_hard: !config.published(),
            groups: Groups::new(&train.design, &columns.apart, &columns.feature, config.columns as usize),
            shape,
            train,
            valid,
            units,
            seed,
        }
    }

    /// The samples that trees are chosen by.
    fn judges(&self) -> &Samples {
        if self.valid.is_empty() { &self.train } else { &self.valid }
    }

    /// The splits of the hard tree, and the sums of the training samples at its nodes.
    fn kept(&self, relaxed: &Relaxed) -> (Vec<bool>, Sums) {
        let kept = kept_splits(&self.shape, &relaxed.a);
        let mut sums = Sums::new(self.shape.nodes(), &self.train.goal);
        sums.add(&self.train, &ends(&self.shape, &relaxed.theta, &kept, &self.train));
        if self.charge > 0.0 {
            let classes = matches!(self.train.goal, Goal::Classes { .. });
            (sums.worth(&kept, classes, self.charge), sums)
        } else {
            (kept, sums)
        }
    }

    /// The hard tree of a relaxed one: leaves are fitted on its own routes, and what no training sample reaches is cut. With
    /// `all` validation samples count in the leaves too.
    pub fn hardened(&self, relaxed: &Relaxed, lambda: f64, all: bool) -> Tree {
        self.hardened_traced(relaxed, lambda, all).0
    }

    /// The same, with the position in heap order that each node comes from.
    fn hardened_traced(&self, relaxed: &Relaxed, lambda: f64, all: bool) -> (Tree, Vec<usize>) {
        let (kept, _) = self.kept(relaxed);
        let (bare, heap) = skeleton(&self.shape, &relaxed.theta, &kept);
        let leaves = |samples: &Samples| samples.design.rows().map(|x| heap_leaf(&bare, x)).collect::<Vec<u32>>();
        let mut sums = Sums::new(self.shape.nodes(), &self.train.goal);
        sums.add(&self.train, &leaves(&self.train));
        if all {
            sums.add(&self.valid, &leaves(&self.valid));
        }
        let tree = with_answers(&bare, &sums.answers(lambda), &self.train.goal, self.units);
        let (tree, first) = tree.without_idle_splits_traced();
        let (tree, second) = tree.without_empty_branches_traced(self.train.design.rows());
        let (tree, third) = tree.without_idle_splits_traced();
        let places = third.into_iter().map(|at| heap[first[second[at]]]).collect();
        (tree, places)
    }

    /// How good the hard tree of a relaxed one is.
    fn measured(&self, relaxed: &Relaxed) -> Measured {
        let (kept, sums) = self.kept(relaxed);
        let (judges, cost) = (self.judges(), self.cost(&kept));
        let judging = ends(&self.shape, &relaxed.theta, &kept, judges);
        let loss = |lambda: f64| hard_loss(&sums.answers(lambda), judges, &judging);
        let (mut least, mut lambda) = (f64::INFINITY, SHRINKAGE);
        for strength in STRENGTHS {
            let lost = loss(strength);
            if lost < least {
                (least, lambda) = (lost, strength);
            }
        }
        let answers = sums.answers(lambda);
        Measured {
            judged: loss(SHRINKAGE) + cost,
            least: least + cost,
            lambda,
            train: sums.shown_loss(&answers, &kept, &self.train),
            valid: shown_loss(&answers, judges, &judging),
        }
    }

    /// What the nodes of a hard tree cost.
    fn cost(&self, kept: &[bool]) -> f64 {
        2.0 * self.charge * kept.iter().filter(|&&kept| kept).count() as f64
    }
}

/// How good a hard tree is.
struct Measured {
    /// Its loss on the judges with what its nodes cost, at the shrinkage by which epochs are compared.
    judged: f64,
    /// The same at the shrinkage that the judges prefer.
    least: f64,
    /// That shrinkage.
    lambda: f64,
    /// The losses that curves show, on the training and on the judging samples: at that shrinkage, without weights and
    /// without what nodes cost, so that trees of all units can be compared.
    train: f64,
    valid: f64,
}

/// A descent under way.
pub struct Descent {
    ground: Arc<Ground>,
    workspace: Workspace,
    theta: Vec<f64>,
    gradient: Vec<f64>,
    optimiser: QhAdam<f64>,
    /// Weights that may move, once planes are settled.
    free: Option<Vec<f64>>,
    /// Whether it began at a greedy tree.
    greedy: bool,
    index: u32,
    random: Random,
    order: Vec<u32>,
    used: usize,
    epoch: usize,
    /// Epochs without improvement, and how far the rate has fallen for that.
    idle: usize,
    drops: i32,
    best: Option<(f64, u32, Relaxed)>,
    least_valid: f64,
    now: Relaxed,
    stop: Option<StopReason>,
    told: usize,
    /// The greedy tree that it begins at, while that grows.
    growing: Option<Task<greedy::Greedy>>,
    /// What is left to do at the end of an epoch.
    ending: Option<Ending>,
}

/// The end of an epoch takes several passes over the samples, one in each step.
#[derive(Debug, Clone, Copy)]
enum Ending {
    Pass,
    Solve,
    Measure,
    /// With the loss of the relaxed tree on the judges.
    Judge(f64),
    Settle,
}

impl Descent {
    /// Begins at the start of an index.
    pub fn new(ground: Arc<Ground>, index: u32) -> Descent {
        let mut random = Random::stream(ground.seed, &format!("relaxed {index}"));
        let shape = &ground.shape;
        let theta = start::parameters(shape, &ground.train.design, ground.scores, &mut random);
        let greedy = index < ground.greedy;
        let growing = greedy.then(|| {
            let ground = ground.clone();
            Task::new(async move { greedy::grow(&ground.shape, &ground.train, &ground.groups, index == 1).await })
        });
        let now = Relaxed { theta: theta.clone(), a: vec![1.0; shape.nodes()], scale: ground.course.scale[0] };
        Descent {
            workspace: Workspace::new(shape),
            gradient: vec![0.0; shape.numbers()],
            optimiser: QhAdam::new(shape.numbers()),
            free: None,
            greedy,
            index,
            random,
            order: (0..ground.train.len() as u32).collect(),
            used: 0,
            epoch: 0,
            idle: 0,
            drops: 0,
            best: None,
            least_valid: f64::INFINITY,
            now,
            stop: None,
            told: 0,
            growing,
            ending: None,
            theta,
            ground,
        }
    }

    /// Begins at a greedy tree.
    fn begin_at(&mut self, tree: &greedy::Greedy) {
        let shape = &self.ground.shape;
        start::begin_at(shape, tree, &self.ground.train, &mut self.theta);
        let mut all = vec![1.0; shape.numbers()];
        all[..shape.bias_at()].copy_from_slice(&tree.free);
        self.free = Some(all);
        self.now.theta.clone_from(&self.theta);
    }

    /// The tree that it began at.
    fn start(&self) -> Start {
        match (self.greedy, self.index) {
            (false, _) => Start::Random,
            // The second one is of single columns.
            (true, 1) => Start::Greedy,
            (true, _) => Start::GreedyOblique,
        }
    }

    /// What it is doing.
    fn phase(&self) -> Phase {
        if self.growing.is_some() {
            return Work::Greedy.into();
        }
        let Ground { greedy, restarts, course, .. } = &*self.ground;
        let number = if self.greedy { 0 } else { self.index + 1 - greedy };
        let work = Work::Descent { from: self.start(), number, of: restarts.saturating_sub(*greedy), run: 0 };
        Phase::from(work).counted(self.epoch, course.epochs)
    }

    /// Where the tree of an epoch comes from.
    fn kept(&self, epoch: u32) -> Kept {
        let by = match (&self.ground.train.goal, self.ground.by_hard) {
            (Goal::Classes { .. }, true) => Measure::Errors,
            _ => Measure::Loss,
        };
        let on = if self.ground.valid.is_empty() { Judges::Training } else { Judges::Validation };
        Kept { gradient_epochs: epoch, chosen: Some(Chosen { by, on }), ..Kept::at(self.start()) }
    }

    /// How steep scores are in this epoch: from the first to the last value in equal factors.
    fn scale(&self) -> f64 {
        let Course { scale: [first, last], epochs, .. } = self.ground.course;
        let first = if self.greedy { GREEDY_SCALE.min(last) } else { first };
        let share = self.epoch as f64 / (epochs.max(2) - 1) as f64;
        first * libm::pow(last / first, share.min(1.0))
    }

    fn rate(&self) -> f64 {
        let course = &self.ground.course;
        if !course.falling {
            return course.rate * libm::pow(0.1, f64::from(self.drops));
        }
        let share = self.epoch as f64 / course.epochs.max(1) as f64;
        let whole = course.rate * if self.greedy { GREEDY_RATE } else { 1.0 };
        whole * (1.0 + libm::cos(std::f64::consts::PI * share)) / 2.0
    }

    fn batch(&mut self) -> bool {
        let ground = self.ground.clone();
        if self.used == 0 {
            self.random.shuffle(&mut self.order);
        }
        let end = (self.used + ground.course.batch).min(self.order.len());
        let (scale, rate) = (self.scale(), self.rate());
        let batch = &self.order[self.used..end];
        let loss = self.workspace.descend(
            &ground.shape,
            &self.theta,
            scale,
            &ground.recipe,
            &ground.train,
            batch,
            &mut self.gradient,
        );
        if self.greedy && self.epoch < ground.course.rest {
            self.gradient[..ground.shape.eta_at()].iter_mut().for_each(|g| *g = 0.0);
        }
        if let Some(free) = &self.free {
            self.gradient.iter_mut().zip(free).for_each(|(g, free)| *g *= free);
        }
        self.optimiser.step(&mut self.theta, &self.gradient, rate);
        if let Some(free) = &self.free {
            // What is left of earlier gradients must not move a weight that is settled at 0.
            self.theta.iter_mut().zip(free).for_each(|(w, free)| *w *= free);
        }
        self.used = end % self.order.len();
        loss.is_finite()
    }

    /// Freezes the pruning variables on all training samples. Those that have become small are 0 from here on.
    fn freeze(&mut self, scale: f64) {
        let ground = self.ground.clone();
        self.workspace.pass(&ground.shape, &self.theta, scale, &ground.recipe, ground.train.design.rows());
        self.solve(scale);
    }

    /// The same once the samples have been passed down.
    fn solve(&mut self, scale: f64) {
        let ground = self.ground.clone();
        self.workspace.solve(&ground.shape, &self.theta, &ground.recipe);
        let mut a = self.workspace.pruning.a.clone();
        a.iter_mut().filter(|a| **a <= ground.recipe.least).for_each(|a| *a = 0.0);
        self.now = Relaxed { theta: self.theta.clone(), a, scale };
    }

    /// A piece of the tree that it begins at, a batch, or a pass of the end of an epoch.
    fn advance(&mut self, pace: &mut Pace) {
        if let Some(task) = &mut self.growing {
            if let Some(tree) = task.advance() {
                self.growing = None;
                self.begin_at(&tree);
            }
        } else if let Some(ending) = self.ending.take() {
            self.ending = self.end_epoch(ending, pace);
        } else if !self.batch() {
            self.stop = Some(StopReason::Diverged);
        } else if self.used == 0 {
            self.ending = Some(Ending::Pass);
        }
    }

    /// One pass of the end of an epoch; what is left to do after it.
    fn end_epoch(&mut self, ending: Ending, pace: &mut Pace) -> Option<Ending> {
        let ground = self.ground.clone();
        match ending {
            Ending::Pass => {
                let rows = ground.train.design.rows();
                self.workspace.pass(&ground.shape, &self.theta, self.scale(), &ground.recipe, rows);
                Some(Ending::Solve)
            }
            Ending::Solve => {
                self.solve(self.scale());
                Some(Ending::Measure)
            }
            Ending::Measure => {
                let Relaxed { theta, a, scale } = &self.now;
                let version = ground.recipe.version;
                let valid = self.workspace.loss(&ground.shape, theta, *scale, version, a, ground.judges());
                if !valid.is_finite() || !theta.iter().all(|number| number.is_finite()) {
                    self.stop = Some(StopReason::Diverged);
                    return None;
                }
                Some(Ending::Judge(valid))
            }
            Ending::Judge(valid) => self.judge(valid, pace),
            Ending::Settle => {
                let weights = ground.groups.settle(&ground.shape, &mut self.theta, &ground.train.design);
                let mut free = vec![1.0; ground.shape.numbers()];
                free[..weights.len()].copy_from_slice(&weights);
                self.free = Some(free);
                // A caller that looks before the next epoch has ended must see planes that have a way back.
                self.freeze(self.now.scale);
                self.close();
                None
            }
        }
    }

    /// Keeps the tree of the epoch if it is the best, and says so.
    fn judge(&mut self, valid: f64, pace: &mut Pace) -> Option<Ending> {
        let ground = self.ground.clone();
        let measured = ground.measured(&self.now);
        (pace.epoch_ended, pace.train_loss) = (true, Some(measured.train));
        pace.valid_loss = (!ground.valid.is_empty()).then_some(measured.valid);
        let settled = ground.groups.are_free() || self.free.is_some();
        let counts = settled && (self.greedy || self.epoch >= ground.course.ripe);
        let judged = if ground.by_hard { measured.judged } else { valid };
        self.epoch += 1;
        // The paper's threshold of an improvement is relative, 1e-4.
        let improved = judged < self.least_valid - if ground.by_hard { 0.0 } else { 1e-4 * self.least_valid.abs() };
        let improved = improved || self.least_valid.is_infinite();
        if counts && improved {
            self.best = Some((judged, self.epoch as u32, self.now.clone()));
            self.least_valid = judged;
        }
        self.idle = if improved || !counts { 0 } else { self.idle + 1 };
        // To build a tree for others to look at costs as much as a pass, so it is not done after every epoch.
        pace.improved = counts && improved && self.epoch >= self.told + 5;
        if pace.improved {
            self.told = self.epoch;
        }
        if !ground.course.falling && self.idle > 0 && self.idle.is_multiple_of(3) {
            self.drops += 1;
        }
        if !settled && self.epoch >= ground.course.settle {
            return Some(Ending::Settle);
        }
        self.close();
        None
    }

    /// Ends the descent after its last epoch.
    fn close(&mut self) {
        let ground = self.ground.clone();
        if self.epoch >= ground.course.epochs {
            self.stop = Some(StopReason::EpochLimit);
        } else if self.idle >= ground.course.patience {
            self.stop = Some(StopReason::NoImprovement);
        }
        if self.stop.is_some() && self.best.is_none() {
            // Too few epochs to settle before the last: then the last is settled as it is.
            let last = self.settled();
            self.best = Some((ground.measured(&last).judged, self.epoch as u32, last));
        }
    }

    /// The relaxed tree that its parameters stand for, with planes settled.
    fn settled(&self) -> Relaxed {
        let mut now = self.now.clone();
        if !self.ground.groups.are_free() && self.free.is_none() {
            self.ground.groups.settle(&self.ground.shape, &mut now.theta, &self.ground.train.design);
        }
        now
    }
}

impl Unit for Descent {
    fn step(&mut self) -> Pace {
        let mut pace = Pace::default();
        if self.stop.is_none() {
            self.advance(&mut pace);
        }
        let epochs = self.ground.course.epochs.max(1) as f64;
        let unended = matches!(self.ending, Some(Ending::Pass | Ending::Solve | Ending::Measure | Ending::Judge(_)));
        let within = if unended { 1.0 } else { self.used as f64 / self.order.len() as f64 };
        Pace {
            epoch: self.epoch as u32,
            share: if self.stop.is_some() { 1.0 } else { ((self.epoch as f64 + within) / epochs).min(1.0) },
            stop: self.stop,
            phase: self.phase(),
            ..pace
        }
    }

    fn current(&self) -> Tree {
        self.ground.hardened(&self.settled(), SHRINKAGE, false)
    }

    fn keeping(&self) -> Vec<f32> {
        let now = self.settled();
        let (_, places) = self.ground.hardened_traced(&now, SHRINKAGE, false);
        places.into_iter().map(|t| now.a[t] as f32).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        let (_, epoch, relaxed) = self.best.as_ref()?;
        let Measured { least, lambda, valid, .. } = self.ground.measured(relaxed);
        let tree = self.ground.hardened(relaxed, lambda, false);
        let mut notes = vec![lambda, relaxed.scale];
        notes.extend(relaxed.a.iter().chain(&relaxed.theta));
        let kept = self.kept(*epoch);
        Some(Outcome { tree, score: -least, loss: Some(valid), epoch: *epoch, stop: self.stop, kept, notes })
    }
}

impl Relaxed {
    /// Reads what [`Descent`] noted beside its tree: the shrinkage, and the relaxed tree itself.
    pub fn from_notes(notes: &[f64], nodes: usize) -> (f64, Relaxed) {
        let (a, theta) = notes[2..].split_at(nodes);
        (notes[0], Relaxed { theta: theta.to_vec(), a: a.to_vec(), scale: notes[1] })
    }
}
