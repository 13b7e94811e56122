//! The training: a search over starts, subtree polish, a tree taught by those found, a choice by validation, and then what was
//! chosen once more on all samples.

mod measure;

use std::sync::Arc;

use super::Config;
use super::blocks::Blocks;
use super::choose::{Choice, Finish, hard_routes};
use super::hard::{refit, routes};
use super::harden::{TargetScale, skeleton, with_answers};
use super::lesson;
use super::multistart::{Multistart, Plan, free_numbers};
use super::parameters::{Answer, Parameters};
use super::polish::Polish;
use super::run::{Best, Run};
use super::shrink::answers;
use crate::encode::Design;
use crate::learn::{Progress, StopReason, Training};
use crate::numeric::random::Random;
use crate::tree::{PostTransform, Tree};

/// About how many products of a number and a weight a step may take: a few milliseconds.
const STEP_WORK: usize = 10_000_000;

/// With more samples than this no tree is taught: it would take as long as the search.
const MOST_TAUGHT: usize = 50_000;

enum Phase {
    /// Descents from several starts.
    Search(Box<Multistart>),
    /// Subtrees searched for anew.
    Polish(Box<Polish>),
    /// A tree is taught by those found.
    Lesson {
        search: Box<Multistart>,
        trees: Vec<Parameters<f32>>,
    },
    /// Trees and strengths of shrinkage tried on validation samples. The first tree is the best on training samples.
    Choose(Choice),
    /// The starts that teach once more, on all samples; until a tree is taught by them, what validation chose counts.
    Teachers(Box<Multistart>),
    /// The start that won once more, on all samples; until it has ended, what validation chose counts.
    Again {
        search: Box<Multistart>,
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
    /// What a tree is taught, by which of the starts found.
    lesson: Option<(Arc<Blocks<f32>>, Vec<usize>)>,
    /// The tree that validation chose, as it was before the validation samples joined.
    chosen: Option<Tree>,
    phase: Phase,
    progress: Progress,
}

impl Search {
    /// Begins a run. The configuration has been checked against `train`; `valid` may have no sample.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Self {
        let answer = config.answer(&train.y);
        let scale = TargetScale::of(&train.y);
        let order = Random::stream(seed, "rows").permutation(train.samples());
        let pack = |design: &Design, order: &[usize]| {
            let rows = order.iter().map(|&i| (design.row(i), scale.truth(&design.y, i)));
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
            lesson: None,
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
            Phase::Lesson { search, mut trees } => {
                trees.push(search.best().expect("a search that has ended has a tree").tree.clone());
                Phase::Choose(self.choice(trees))
            }
            Phase::Choose(choice) => {
                let (at, finish) = choice.chosen().unwrap_or((0, self.finish));
                self.finish = finish;
                let tree = &choice.trees[at];
                let taught = self.lesson.as_ref().filter(|_| choice.is_taught(at) && finish.kept > 0);
                match taught {
                    Some((lesson, _)) => {
                        self.chosen = Some(self.hardened_on(lesson, tree));
                        self.blocks = Arc::new(self.all_samples());
                        Phase::Teachers(Box::new(self.starts(
                            &self.plan,
                            self.blocks.clone(),
                            self.config.depth as usize,
                        )))
                    }
                    None => {
                        self.chosen = Some(self.hardened(tree));
                        self.on_all_samples(tree, at)
                    }
                }
            }
            Phase::Teachers(search) => {
                let found = search.found();
                let (_, teaching) = self.lesson.take().expect("there are teachers after a lesson");
                let teachers: Vec<Tree> =
                    teaching.iter().filter_map(|&at| found.get(at)).map(|best| self.teacher(&best.tree)).collect();
                let random = Random::stream(self.seed, "last lesson");
                self.blocks = Arc::new(lesson::samples(&self.blocks, &teachers, random));
                Phase::Again { search: Box::new(self.student(self.blocks.clone(), self.finish.kept)) }
            }
            Phase::Again { search } => {
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
            let trees: Vec<Parameters<f32>> = trees.into_iter().map(|best| best.tree).collect();
            if self.config.teaches(self.answer) && self.blocks.samples() <= MOST_TAUGHT {
                let search = Box::new(self.first_lesson(&trees[1..]));
                Phase::Lesson { search, trees }
            } else {
                Phase::Choose(self.choice(trees))
            }
        } else {
            Phase::Done(Box::new(best.tree))
        }
    }

    fn choice(&self, trees: Vec<Parameters<f32>>) -> Choice {
        let polished = self.config.polish_levels() > 0;
        let taught = self.lesson.as_ref().map(|_| trees.len() - 1);
        Choice::new(trees, usize::from(!polished), taught, self.answer)
    }

    /// A search over the starts of a plan.
    fn starts(&self, plan: &Plan, blocks: Arc<Blocks<f32>>, depth: usize) -> Multistart {
        Multistart::new(plan.clone(), blocks, depth, self.answer, vec![], self.seed)
    }

    /// The best trees of some starts teach one that begins at the greedy oblique tree.
    fn first_lesson(&mut self, found: &[Parameters<f32>]) -> Multistart {
        let trees: Vec<Tree> = found.iter().map(|tree| self.teacher(tree)).collect();
        let valid = self.valid.as_ref().expect("a choice needs validation samples");
        let teaching = lesson::teachers(&trees, valid);
        let teachers: Vec<Tree> = teaching.iter().map(|&at| trees[at].clone()).collect();
        let blocks = Arc::new(lesson::samples(&self.blocks, &teachers, Random::stream(self.seed, "lesson")));
        self.lesson = Some((blocks.clone(), teaching));
        self.student(blocks, self.config.depth as usize)
    }

    /// The descent of a tree that is taught.
    fn student(&self, lesson: Arc<Blocks<f32>>, depth: usize) -> Multistart {
        let plan = self.config.plan(lesson.samples());
        let start = usize::from(plan.sloped);
        self.starts(&plan, lesson, depth).only(start)
    }

    /// A tree that answers in scaled units.
    fn teacher(&self, tree: &Parameters<f32>) -> Tree {
        let splits = skeleton(tree, self.blocks.features());
        let route = hard_routes(&splits, &self.blocks);
        let answers = answers(&self.blocks, &route, tree.depth, self.answer, self.finish.lambda);
        with_answers(&splits, &answers, tree.depth, tree.depth, self.answer, TargetScale::NONE)
    }

    /// Validation has had its say, and its samples join the others. Where a greedy start won, it is grown again from all of
    /// them; otherwise, and with linear leaves, where growing anew was worse, the chosen tree descends once more.
    fn on_all_samples(&mut self, tree: &Parameters<f32>, chosen: usize) -> Phase {
        self.blocks = Arc::new(self.all_samples());
        let kept = self.finish.kept;
        if kept == 0 {
            return Phase::Done(Box::new(tree.top(0)));
        }
        let greedy = 1..=1 + usize::from(self.plan.sloped);
        if greedy.contains(&chosen) && self.answer != Answer::Linear {
            let search = self.starts(&self.plan, self.blocks.clone(), kept);
            return Phase::Again { search: Box::new(search.only(chosen - 1)) };
        }
        // What validation did not want is not trained any further.
        let mut top = tree.top(kept);
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

    /// Tries one pair of a tree and a strength of shrinkage; returns whether there are more.
    fn choose(&mut self) -> bool {
        let (Phase::Choose(choice), Some(valid)) = (&mut self.phase, &self.valid) else { return false };
        let (plain, lesson) = (&*self.blocks, &self.lesson);
        let fitted = |taught: bool| match lesson {
            Some((lesson, _)) if taught => &**lesson,
            _ => plain,
        };
        choice.step(fitted, valid)
    }

    /// A hard tree from planes: leaves are fitted on the routes of the tree itself, and what no training sample reaches is cut.
    fn hardened(&self, tree: &Parameters<f32>) -> Tree {
        self.hardened_on(&self.blocks, tree)
    }

    /// The same with leaves fitted to other samples.
    fn hardened_on(&self, blocks: &Blocks<f32>, tree: &Parameters<f32>) -> Tree {
        let splits = skeleton(tree, blocks.features());
        let route = hard_routes(&splits, blocks);
        let answers = answers(blocks, &route, tree.depth, self.answer, self.finish.lambda);
        let kept = self.finish.kept.min(tree.depth);
        let tree = with_answers(&splits, &answers, kept, tree.depth, self.answer, self.scale);
        tree.without_idle_splits().without_empty_branches(self.train.rows()).without_idle_splits()
    }

    /// The answer that asks nothing, until there is a tree.
    fn root(&self) -> Tree {
        self.hardened(&Parameters::zeros(0, self.blocks.width(), self.answer))
    }

    fn epoch(&self) -> usize {
        match &self.phase {
            Phase::Search(search) | Phase::Teachers(search) => search.run().map_or(0, Run::epoch),
            Phase::Lesson { search, .. } | Phase::Again { search } => search.run().map_or(0, Run::epoch),
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
            Phase::Choose(_) => self.choose(),
            Phase::Lesson { search, .. } | Phase::Again { search } | Phase::Teachers(search) => search.advance(blocks),
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
            Phase::Lesson { trees, .. } => self.hardened(&trees[0]),
            Phase::Choose(choice) => self.hardened(&choice.trees[0]),
            Phase::Teachers(_) | Phase::Again { .. } => self.chosen.clone().unwrap_or_else(|| self.root()),
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
