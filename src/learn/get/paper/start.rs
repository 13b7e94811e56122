//! One start (Algorithm 1, lines 2, 3 and 9): the tree it begins at, and a run for each scale factor, each
//! from the best tree of the one before.
//!
//! A start depends on the plan, the samples, its number and the seed alone, never on what other starts found.

use std::sync::Arc;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::paper::descent::{Best, Descent};
use crate::learn::get::paper::free_weights::free_weights;
use crate::learn::get::paper::hard_leaves::{by_leaf, refit_in_slices, routes_in_slices};
use crate::learn::get::paper::initial_trees::{self, GrowingTree};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::search_plan::SearchPlan;
use crate::learn::{Phase, Training, Work, cart};
use crate::numeric::random::Random;
use crate::numeric::slices::{Slice, Task};

/// A start, to be advanced step by step.
pub struct StartRun {
    plan: Arc<SearchPlan>,
    blocks: Arc<Blocks<f32>>,
    depth: usize,
    answer: Answer,
    index: usize,
    seed: u64,
    state: State,
    /// The run: 0 for the first scale factor.
    scale: usize,
    /// The scale factors of this start.
    alphas: Vec<f64>,
    /// Epochs of descent before the run at work.
    before: u32,
    /// The best tree of the runs that have ended.
    best: Option<Best>,
    /// The tree that the last run ended with, if the plan wants it.
    ended: Option<Best>,
    /// The epoch that the last step ended, if it did, with its soft and hard loss.
    epoch: Option<(usize, [f64; 2])>,
}

enum State {
    /// CART's tree grows.
    Greedy(Box<cart::CartTraining>),
    /// A further tree of the plan grows.
    Further(Box<dyn GrowingTree>),
    /// The tree to begin at is given, or drawn at random (none).
    Ready(Option<Parameters<f32>>),
    /// The leaves of a tree that has grown are fitted.
    Fitted(Task<Parameters<f32>>),
    /// The samples are put in order for a descent from this tree.
    Begun(Parameters<f32>, Task<Descent>),
    Descent(Box<Descent>),
    /// The descent has ended; the tree that it ended with is fitted, because the plan wants it.
    Closing(Box<Descent>, Task<Option<Best>>),
    Ended,
}

impl StartRun {
    /// Start `index`: the first begins at CART's tree, the next at the further trees of the plan, then follow
    /// the trees that are given (`warm`), then random ones.
    pub fn new(
        plan: Arc<SearchPlan>,
        blocks: Arc<Blocks<f32>>,
        depth: usize,
        answer: Answer,
        warm: &[Parameters<f32>],
        index: usize,
        seed: u64,
    ) -> Self {
        let state = match index {
            0 if plan.cart => State::Greedy(Box::new(initial_trees::greedy(&blocks, depth, answer))),
            _ => match plan.further(index) {
                Some(further) => State::Further(further.grow(blocks.clone(), depth, answer)),
                None => State::Ready(warm.get(index - plan.greedy()).cloned()),
            },
        };
        let (alphas, best, ended, epoch) = (vec![], None, None, None);
        StartRun {
            plan,
            blocks,
            depth,
            answer,
            index,
            seed,
            state,
            scale: 0,
            alphas,
            before: 0,
            best,
            ended,
            epoch,
        }
    }

    /// Epochs of descent that led to [`StartRun::best`], over both runs.
    pub fn epochs(&self) -> u32 {
        match (self.run().map(Descent::best), &self.best) {
            (Some(run), Some(best)) if run.loss < best.loss => self.before + run.epochs,
            (Some(run), None) => self.before + run.epochs,
            (_, best) => best.as_ref().map_or(0, |best| best.epochs),
        }
    }

    /// What it is doing.
    pub fn phase(&self) -> Phase {
        match &self.state {
            State::Greedy(_) | State::Further(_) | State::Fitted(_) => Work::Greedy.into(),
            State::Descent(run) | State::Closing(run, _) => {
                Phase::from(self.plan.descent(self.index, self.scale))
                    .counted(run.epoch(), self.plan.descent.epochs)
            }
            State::Ready(_) | State::Begun(..) | State::Ended => {
                self.plan.descent(self.index, self.scale).into()
            }
        }
    }

    /// The best hard tree so far; none while there is no tree to begin at.
    pub fn best(&self) -> Option<&Best> {
        match (self.run().map(Descent::best), &self.best) {
            (Some(run), Some(best)) if run.loss < best.loss => Some(run),
            (_, Some(best)) => Some(best),
            (run, None) => run,
        }
    }

    /// The tree that the last run ended with, if the plan wants it. It fits the training samples less closely
    /// than the best one, and new ones sometimes better: a descent rounds off what a greedy tree made of
    /// noise.
    pub fn ended(&self) -> Option<&Best> {
        self.ended.as_ref()
    }

    /// The tree as it stands: the one that grows, or that descends while it has numbers.
    pub fn current(&self) -> Option<Parameters<f32>> {
        match &self.state {
            State::Greedy(greedy) => {
                Some(initial_trees::planes(&greedy.best(), self.depth, &self.blocks, self.answer))
            }
            State::Further(further) => Some(further.tree().clone()),
            State::Begun(tree, _) => Some(tree.clone()),
            State::Descent(run) | State::Closing(run, _) if run.tree().is_finite() => {
                Some(run.tree().clone())
            }
            _ => self.best().map(|best| best.tree.clone()),
        }
    }

    /// The run at work.
    pub fn run(&self) -> Option<&Descent> {
        if let State::Descent(run) | State::Closing(run, _) = &self.state { Some(run) } else { None }
    }

    /// The run of this start: 0 for the first scale factor, 1 for the second, …
    pub fn scale(&self) -> usize {
        self.scale
    }

    /// The epoch that the last step ended, if it did, from 1, with its soft and hard loss.
    pub fn epoch_ended(&self) -> Option<(usize, [f64; 2])> {
        self.epoch
    }

    /// Share of the work that is surely done.
    pub fn share(&self) -> f64 {
        let within = match &self.state {
            State::Descent(run) | State::Closing(run, _) => run.share(),
            State::Ended => return 1.0,
            _ => 0.0,
        };
        (self.scale as f64 + within) / self.plan.runs() as f64
    }

    /// A node of a tree that grows, or a pass over at most so many blocks. Returns whether there is more to
    /// do.
    pub fn advance(&mut self, blocks: usize) -> bool {
        self.epoch = None;
        match &mut self.state {
            State::Greedy(greedy) => {
                if greedy.step().stop.is_some() {
                    let tree = initial_trees::planes(&greedy.best(), self.depth, &self.blocks, self.answer);
                    self.begin(Some(tree));
                }
            }
            State::Further(further) => {
                if !further.step() {
                    let (mut tree, blocks, plan) =
                        (further.tree().clone(), self.blocks.clone(), self.plan.clone());
                    self.state = State::Fitted(Task::new(async move {
                        let route = routes_in_slices(&tree, &blocks, &mut Slice::default()).await;
                        refit_in_slices(&mut tree, &blocks, &route, &plan.descent.refit, &mut Slice::long())
                            .await;
                        tree
                    }));
                }
            }
            State::Fitted(task) => {
                if let Some(tree) = task.advance() {
                    self.begin(Some(tree));
                }
            }
            State::Begun(_, task) => {
                if let Some(run) = task.advance() {
                    self.state = State::Descent(Box::new(run));
                }
            }
            State::Ready(tree) => {
                let tree = tree.take();
                self.begin(tree);
            }
            State::Descent(run) => {
                let before = run.epoch();
                let goes_on = run.advance(blocks);
                self.epoch = (run.epoch() != before).then(|| (run.epoch(), run.losses()));
                if !goes_on {
                    self.close_run();
                }
            }
            State::Closing(_, task) => {
                if let Some(last) = task.advance() {
                    self.end_run(last);
                }
            }
            State::Ended => {}
        }
        !matches!(self.state, State::Ended)
    }

    /// Line 2: draws the scale factors, and a random tree if none is given.
    fn begin(&mut self, tree: Option<Parameters<f32>>) {
        let mut random = Random::stream(self.seed, &format!("start {}", self.index));
        self.alphas = self.plan.scales.draw(&mut random);
        let (draw, columns) = (self.plan.draw, self.plan.columns);
        let tree = tree.unwrap_or_else(|| {
            initial_trees::random(self.depth, &self.blocks, self.answer, draw, columns, &mut random)
        });
        let alpha = self.plan.scales.first_run(&self.alphas);
        self.descend(tree, alpha, random);
    }

    /// Line 4: begins a run at a tree.
    fn descend(&mut self, tree: Parameters<f32>, alpha: [f64; 2], random: Random) {
        let free = Arc::new(free_weights(&tree, self.blocks.summable(), self.plan.sparse(self.index)));
        let (from, blocks, settings) = (tree.clone(), self.blocks.clone(), self.plan.descent);
        let work = async move {
            let (mut blocks, slice) = (blocks, &mut Slice::default());
            let mut route = routes_in_slices(&tree, &blocks, slice).await;
            if settings.batch >= blocks.count() {
                // With all samples in each step their order is free. Side by side with those of the same
                // leaf, a block reaches few nodes of a steep tree, and the others are passed over.
                let (order, _) = by_leaf(&route, tree.nodes() + 1);
                blocks = Arc::new(blocks.select_in_slices(&order, slice).await);
                route = order.iter().map(|&i| route[i as usize]).collect();
            }
            let mut first = tree.clone();
            let loss =
                refit_in_slices(&mut first, &blocks, &route, &settings.refit, &mut Slice::long()).await;
            Descent::after_check(
                settings,
                blocks,
                tree,
                Best { loss, tree: first, epochs: 0 },
                free,
                alpha,
                random,
            )
        };
        self.state = State::Begun(from, Task::new(work));
    }

    /// Ends a run; first its last tree is fitted, if the plan wants that.
    fn close_run(&mut self) {
        if !self.plan.ended {
            return self.end_run(None);
        }
        if let State::Descent(run) = std::mem::replace(&mut self.state, State::Ended) {
            let mut task = Task::new(run.last());
            let last = task.advance();
            self.state = State::Closing(run, task);
            if let Some(last) = last {
                self.end_run(last);
            }
        }
    }

    /// Lines 3 and 9: takes what a run found, and begins the next one, if there is one, at the best tree of
    /// this.
    fn end_run(&mut self, last: Option<Best>) {
        let (State::Descent(run) | State::Closing(run, _)) = std::mem::replace(&mut self.state, State::Ended)
        else {
            return;
        };
        let before = self.before;
        let since_start = |best: Best| Best { epochs: before + best.epochs, ..best };
        self.ended = last.map(since_start);
        let found = since_start(run.into_best());
        let from = found.tree.clone();
        self.before = found.epochs;
        if self.best.as_ref().is_none_or(|best| found.loss < best.loss) {
            self.best = Some(found);
        }
        if self.scale + 1 < self.plan.runs() {
            self.scale += 1;
            let name =
                if self.scale == 1 { "second run".to_owned() } else { format!("run {}", self.scale + 1) };
            let random = Random::stream(self.seed, &format!("{name} {}", self.index));
            self.descend(from, [self.alphas[self.scale]; 2], random);
        }
    }
}
