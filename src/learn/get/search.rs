//! The training: a search over starts, subtree polish, a choice by validation, and a last descent on all samples.

use std::sync::Arc;

use super::Config;
use super::blocks::{Blocks, Truth};
use super::hard::{refit, routes};
use super::harden::{TargetScale, leaf_of, skeleton, with_answers};
use super::multistart::{Multistart, Plan, free_numbers};
use super::parameters::{Answer, Parameters};
use super::polish::Polish;
use super::run::{Best, Run};
use super::shrink::{answers, strengths};
use crate::encode::{Design, Labels};
use crate::learn::{Phase as Doing, Progress, StopReason, Training};
use crate::numeric::random::Random;
use crate::tree::{PostTransform, Tree};

/// About how many products of a number and a weight a step may take: a few milliseconds.
const STEP_WORK: usize = 10_000_000;

/// How finished leaves are made.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Finish {
    /// Strength of the shrinkage.
    lambda: f64,
    /// Levels that are kept.
    kept: usize,
}

enum Phase {
    /// Descents from several starts.
    Search(Box<Multistart>),
    /// Subtrees searched for anew.
    Polish(Box<Polish>),
    /// Trees and strengths of shrinkage tried on validation samples; so many pairs were. The first tree is the best on training samples.
    Choose {
        trees: Vec<Best>,
        tried: usize,
        best: Option<(f64, usize, Finish)>,
    },
    /// The start that won once more, on all samples; until it has ended the tree before counts.
    Again {
        search: Box<Multistart>,
        before: Box<Parameters<f32>>,
    },
    /// The last descent of the polished tree, on all samples.
    Last(Box<Run>),
    Done(Box<Parameters<f32>>),
}

/// A training run of GET or GET-Linear.
pub struct Search {
    config: Config,
    plan: Plan,
    seed: u64,
    answer: Answer,
    scale: TargetScale,
    train: Arc<Design>,
    /// The training samples in a random order.
    blocks: Arc<Blocks<f32>>,
    /// The validation samples; none if there are none or none are wanted.
    valid: Option<Blocks<f32>>,
    /// The best tree of every start, for validation to choose from.
    found: Vec<Best>,
    finish: Finish,
    /// The tree that validation chose, as it was before the validation samples joined.
    chosen: Option<Tree>,
    phase: Phase,
    progress: Progress,
}

impl Search {
    /// Begins a run. The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Self {
        let answer = config.answer(&train.y);
        let scale = target_scale(&train.y);
        let order = Random::stream(seed, "rows").permutation(train.samples());
        let pack = |design: &Design, order: &[usize]| {
            let rows = order.iter().map(|&i| (design.row(i), truth(&design.y, i, scale)));
            Blocks::pack(design.features(), rows).with_apart(&config.apart)
        };
        let blocks = Arc::new(pack(&train, &order));
        let in_order: Vec<usize> = (0..valid.samples()).collect();
        let valid = (valid.samples() > 0 && config.refines()).then(|| pack(&valid, &in_order));
        let depth = config.depth as usize;
        let plan = config.plan(train.samples());
        let search = Multistart::new(plan.clone(), blocks.clone(), depth, answer, vec![], seed);
        let lambda = match (config.refines(), answer) {
            (true, Answer::Linear) => 1.0,
            (true, _) => 3.0,
            (false, _) => 0.0,
        };
        Search {
            finish: Finish { lambda, kept: depth },
            found: vec![],
            chosen: None,
            phase: Phase::Search(Box::new(search)),
            progress: Progress { restarts: plan.starts as u32, ..Progress::default() },
            config,
            plan,
            seed,
            answer,
            scale,
            train,
            blocks,
            valid,
        }
    }

    /// Blocks that a step may pass over.
    fn blocks_per_step(&self) -> usize {
        let per_block = (super::blocks::BLOCK * self.blocks.width() * 2) << self.config.depth;
        (STEP_WORK / per_block).max(1)
    }

    /// Goes on to what follows a phase that has ended.
    fn next_phase(&mut self) {
        let levels = self.config.polish_levels();
        let phase = std::mem::replace(&mut self.phase, Phase::Done(Box::new(Parameters::zeros(0, 4, self.answer))));
        self.phase = match phase {
            Phase::Search(search) => {
                let best = search.best().expect("a search that has ended has a tree").clone();
                self.progress.best_restart = search.winner() as u32;
                self.found = search.found().to_vec();
                if levels > 0 {
                    let mut plan = self.plan.clone();
                    plan.starts = plan.starts.min(if self.config.starts == 0 { 3 } else { usize::MAX });
                    Phase::Polish(Box::new(Polish::new(plan, self.blocks.clone(), best, levels, self.seed)))
                } else {
                    self.after_polish(best)
                }
            }
            Phase::Polish(polish) => self.after_polish(polish.best().clone()),
            Phase::Choose { trees, best, .. } => {
                let (_, at, finish) = best.unwrap_or((0.0, 0, self.finish));
                self.finish = finish;
                self.chosen = Some(self.hardened(&trees[at].tree));
                self.on_all_samples(&trees, at)
            }
            Phase::Again { search, .. } => {
                let best = search.best().expect("a search that has ended has a tree").clone();
                Phase::Done(Box::new(best.tree))
            }
            Phase::Last(run) => Phase::Done(Box::new(run.best().tree.clone())),
            done @ Phase::Done(_) => done,
        };
        if matches!(self.phase, Phase::Done(_)) {
            self.progress.stop = Some(StopReason::EpochLimit);
        }
    }

    fn after_polish(&mut self, best: Best) -> Phase {
        if self.valid.is_some() {
            let mut trees = std::mem::take(&mut self.found);
            // Without polish the best tree is one of those found, which then stands for its start.
            trees.insert(0, best);
            let polished = self.config.polish_levels() > 0;
            let tried = if polished { 0 } else { strengths(self.answer).len() };
            Phase::Choose { trees, tried, best: None }
        } else {
            Phase::Done(Box::new(best.tree))
        }
    }

    /// Validation has had its say, and its samples join the others. Where a greedy start won, it is grown again from all of
    /// them; otherwise, and with linear leaves, where growing anew was worse, the chosen tree descends once more.
    fn on_all_samples(&mut self, trees: &[Best], chosen: usize) -> Phase {
        self.blocks = Arc::new(self.all_samples());
        let kept = self.finish.kept;
        if kept == 0 {
            return Phase::Done(Box::new(trees[chosen].tree.top(0)));
        }
        let greedy = 1..=1 + usize::from(self.plan.sloped);
        if greedy.contains(&chosen) && self.answer != Answer::Linear {
            let (plan, blocks) = (self.plan.clone(), self.blocks.clone());
            let search = Multistart::new(plan, blocks, kept, self.answer, vec![], self.seed);
            let before = Box::new(trees[chosen].tree.top(kept));
            return Phase::Again { search: Box::new(search.only(chosen - 1)), before };
        }
        // What validation did not want is not trained any further.
        let mut top = trees[chosen].tree.top(kept);
        let route = routes(&top, &self.blocks);
        refit(&mut top, &self.blocks, &route, &self.plan.recipe.refit);
        let random = Random::stream(self.seed, "last");
        let free = Arc::new(free_numbers(&top, self.blocks.summable(), self.plan.columns > 0));
        let alpha = self.plan.scales[1].iter().sum::<f64>() / 2.0;
        Phase::Last(Box::new(Run::new(self.plan.recipe, self.blocks.clone(), top, free, [alpha; 2], random)))
    }

    /// Training and validation samples together.
    fn all_samples(&self) -> Blocks<f32> {
        let Some(valid) = &self.valid else { return (*self.blocks).clone() };
        self.blocks.joined(valid, Random::stream(self.seed, "all rows"))
    }

    /// Tries one strength of shrinkage on the validation samples; returns whether there are more.
    fn choose(&mut self) -> bool {
        let (Phase::Choose { trees, tried, best }, Some(valid)) = (&mut self.phase, &self.valid) else { return false };
        let strengths = strengths(self.answer);
        let (at, lambda) = (*tried / strengths.len(), strengths[*tried % strengths.len()]);
        let Some(tree) = trees.get(at) else { return false };
        *tried += 1;
        let depth = tree.tree.depth;
        let skeleton = skeleton(&tree.tree, self.blocks.features());
        let route = hard_routes(&skeleton, &self.blocks);
        let answers = answers(&self.blocks, &route, depth, self.answer, lambda);
        let losses = answers.losses(valid, &hard_routes(&skeleton, valid), depth, self.answer);
        for (kept, &loss) in losses.iter().enumerate() {
            if best.as_ref().is_none_or(|(least, ..)| loss < *least) {
                *best = Some((loss, at, Finish { lambda, kept }));
            }
        }
        true
    }

    /// A hard tree from planes: leaves are fitted on the routes of the tree itself, and what no training sample reaches is cut.
    fn hardened(&self, tree: &Parameters<f32>) -> Tree {
        let splits = skeleton(tree, self.blocks.features());
        let route = hard_routes(&splits, &self.blocks);
        let answers = answers(&self.blocks, &route, tree.depth, self.answer, self.finish.lambda);
        let kept = self.finish.kept.min(tree.depth);
        let tree = with_answers(&splits, &answers, kept, tree.depth, self.answer, self.scale);
        tree.without_idle_splits().without_empty_branches(self.train.rows()).without_idle_splits()
    }

    /// The answer that asks nothing, until there is a tree.
    fn root(&self) -> Tree {
        self.hardened(&Parameters::zeros(0, self.blocks.width(), self.answer))
    }

    fn measure(&mut self, epoch_ended: bool) {
        let progress = &mut self.progress;
        progress.epoch_ended = epoch_ended;
        let polish_share = if self.config.polish_levels() > 0 { 0.4 } else { 0.0 };
        let last_share = if self.valid.is_some() { 0.1 } else { 0.0 };
        let search_share = 1.0 - polish_share - last_share;
        let run = match &self.phase {
            Phase::Search(search) => {
                progress.phase = match search.run() {
                    Some(_) => Doing::Descent { run: search.scale() as u8 },
                    None => Doing::Greedy,
                };
                progress.share = search_share * search.share();
                progress.restart = (search.start() as u32).min(progress.restarts - 1);
                search.run()
            }
            Phase::Polish(polish) => {
                progress.phase = Doing::Polish { node: polish.node() as u32 };
                progress.share = search_share + polish_share * polish.share();
                None
            }
            Phase::Choose { .. } => {
                progress.phase = Doing::Choice;
                progress.share = 1.0 - last_share;
                None
            }
            Phase::Again { search, .. } => {
                progress.phase = Doing::Last;
                progress.share = 1.0 - last_share + last_share * search.run().map_or(0.0, Run::share);
                search.run()
            }
            Phase::Last(run) => {
                progress.phase = Doing::Last;
                progress.share = 1.0 - last_share + last_share * run.share();
                Some(&**run)
            }
            Phase::Done(_) => {
                progress.share = 1.0;
                None
            }
        };
        if let Some(run) = run {
            let [soft, hard] = run.losses();
            progress.epoch = run.epoch() as u32;
            progress.train_loss = soft.is_finite().then_some(soft);
            progress.hard_loss = hard.is_finite().then_some(hard);
            if hard.is_finite() && progress.best_loss.is_none_or(|best| hard < best) {
                progress.best_loss = Some(hard);
                progress.best_epoch = progress.epoch;
            }
        }
    }

    fn epoch(&self) -> usize {
        match &self.phase {
            Phase::Search(search) => search.run().map_or(0, Run::epoch),
            Phase::Again { search, .. } => search.run().map_or(0, Run::epoch),
            Phase::Last(run) => run.epoch(),
            _ => 0,
        }
    }
}

impl Training for Search {
    fn step(&mut self) -> Progress {
        if self.progress.stop.is_some() {
            return self.progress;
        }
        self.progress.step += 1;
        let (blocks, before) = (self.blocks_per_step(), self.epoch());
        let more = match &mut self.phase {
            Phase::Search(search) => search.advance(blocks),
            Phase::Polish(polish) => polish.advance(blocks),
            Phase::Choose { .. } => self.choose(),
            Phase::Again { search, .. } => search.advance(blocks),
            Phase::Last(run) => run.advance(blocks),
            Phase::Done(_) => false,
        };
        let epoch_ended = self.epoch() != before;
        if !more {
            self.next_phase();
        }
        self.measure(epoch_ended);
        self.progress
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn current(&self) -> Tree {
        match &self.phase {
            Phase::Search(search) => match search.run() {
                Some(run) if run.tree().is_finite() => self.hardened(run.tree()),
                _ => self.best(),
            },
            _ => self.best(),
        }
    }

    fn best(&self) -> Tree {
        match &self.phase {
            Phase::Search(search) => match search.best() {
                Some(best) => self.hardened(&best.tree),
                None => self.root(),
            },
            Phase::Polish(polish) => self.hardened(&polish.best().tree),
            Phase::Choose { trees, .. } => self.hardened(&trees[0].tree),
            Phase::Again { before, .. } => self.hardened(before),
            Phase::Last(run) => self.hardened(&run.best().tree),
            Phase::Done(tree) => self.hardened(tree),
        }
    }

    fn epochs_per_frame(&self) -> usize {
        /// A frame costs as much as several epochs of a small tree.
        const FRAMES: usize = 250;
        self.plan.epochs().div_ceil(FRAMES).max(1)
    }

    fn chosen(&self) -> Tree {
        self.chosen.clone().unwrap_or_else(|| self.best())
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}

/// The leaf of each sample in a skeleton.
fn hard_routes(skeleton: &Tree, blocks: &Blocks<f32>) -> Vec<u32> {
    (0..blocks.samples()).map(|i| leaf_of(skeleton, &blocks.sample(i)[..blocks.features()])).collect()
}

fn target_scale(labels: &Labels) -> TargetScale {
    let Labels::Values(values) = labels else { return TargetScale { least: 0.0, range: 1.0 } };
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    TargetScale { least, range: if range > 0.0 && range.is_finite() { range } else { 1.0 } }
}

fn truth(labels: &Labels, i: usize, scale: TargetScale) -> Truth {
    match labels {
        Labels::Values(values) => Truth { value: (values[i] - scale.least) / scale.range, class: 0, weight: 1.0 },
        Labels::Classes { label, .. } => Truth { value: 0.0, class: label[i], weight: 1.0 },
    }
}
