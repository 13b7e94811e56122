//! The last stage: subtree polish, a tree taught by those found, a choice by validation, and then what was chosen once more on
//! all samples.

mod measure;

use std::sync::Arc;

use super::blocks::Blocks;
use super::choose::{Choice, Finish};
use super::ground::Ground;
use super::hard::{refit, routes};
use super::lesson;
use super::multistart::Multistart;
use super::parameters::{Answer, Parameters};
use super::polish::Polish;
use super::run::{Best, Run};
use super::start::{Start, free_numbers};
use crate::learn::{Outcome, Pace, Phase as Doing, StopReason, Unit};
use crate::numeric::random::Random;
use crate::tree::Tree;

pub use measure::last_share;

/// With more samples than this no tree is taught: it would take as long as the search.
const MOST_TAUGHT: usize = 50_000;

enum Phase {
    /// Subtrees searched for anew.
    Polish(Box<Polish>),
    /// A tree is taught by those found.
    Lesson {
        student: Box<Start>,
        trees: Vec<Parameters<f32>>,
    },
    /// Trees and strengths of shrinkage tried on validation samples. The first tree is the best on training samples.
    Choose(Choice),
    /// The starts that teach once more, on all samples; until a tree is taught by them, what validation chose counts.
    Teachers(Box<Multistart>),
    /// The start that won once more, on all samples, or a tree taught anew; until it has ended, what validation chose counts.
    Again(Box<Start>),
    /// The last descent of the chosen tree, on all samples.
    Last(Box<Run>),
    Done(Box<Parameters<f32>>),
}

/// The last stage of a training of GET or GET-Linear.
pub struct LastStage {
    ground: Arc<Ground>,
    /// The best start's outcome.
    winner: Outcome,
    /// The samples that leaves are fitted to: those for training, and once validation has had its say all of them.
    blocks: Arc<Blocks<f32>>,
    /// The best tree of every start, for validation to choose from.
    found: Vec<Best>,
    finish: Finish,
    /// What a tree is taught, by which of the starts found.
    lesson: Option<(Arc<Blocks<f32>>, Vec<usize>)>,
    /// The tree that validation chose, as it was before the validation samples joined.
    chosen: Option<Tree>,
    phase: Phase,
    pace: Pace,
}

impl LastStage {
    /// Begins with the best tree and those of all starts; none if there is nothing to be done.
    pub fn new(ground: Arc<Ground>, winner: Outcome, best: Best, found: Vec<Best>) -> Option<Self> {
        let levels = ground.config.polish_levels();
        if levels == 0 && ground.valid.is_none() {
            return None;
        }
        let mut stage = LastStage {
            winner,
            blocks: ground.blocks.clone(),
            found,
            finish: ground.finish(),
            lesson: None,
            chosen: None,
            phase: Phase::Done(Box::new(Parameters::zeros(0, 4, ground.answer))),
            pace: Pace::default(),
            ground,
        };
        stage.phase = if levels > 0 {
            let mut plan = (*stage.ground.plan).clone();
            plan.starts = plan.starts.min(if stage.ground.config.starts == 0 { 3 } else { usize::MAX });
            Phase::Polish(Box::new(Polish::new(plan, stage.blocks.clone(), best, levels, stage.ground.seed)))
        } else {
            stage.after_polish(best)
        };
        stage.measure();
        Some(stage)
    }

    /// Goes on to what follows a phase that has ended.
    fn next_phase(&mut self) {
        let nothing = Parameters::zeros(0, 4, self.ground.answer);
        self.phase = match std::mem::replace(&mut self.phase, Phase::Done(Box::new(nothing))) {
            Phase::Polish(polish) => self.after_polish(polish.best().clone()),
            Phase::Lesson { student, mut trees } => {
                trees.push(best_of(&student));
                Phase::Choose(self.choice(trees))
            }
            Phase::Choose(choice) => self.after_choice(&choice),
            Phase::Teachers(search) => {
                let found = search.found();
                let (_, teaching) = self.lesson.take().expect("there are teachers after a lesson");
                let teachers: Vec<Tree> =
                    teaching.iter().filter_map(|&at| found.get(at)).map(|best| self.teacher(&best.tree)).collect();
                let random = Random::stream(self.ground.seed, "last lesson");
                self.blocks = Arc::new(lesson::samples(&self.blocks, &teachers, random));
                Phase::Again(Box::new(self.student(&self.blocks, self.finish.kept)))
            }
            Phase::Again(start) => Phase::Done(Box::new(best_of(&start))),
            Phase::Last(run) => Phase::Done(Box::new(run.into_best().tree)),
            done @ Phase::Done(_) => done,
        };
        if matches!(self.phase, Phase::Done(_)) {
            self.pace.stop = Some(StopReason::EpochLimit);
        }
    }

    fn after_polish(&mut self, best: Best) -> Phase {
        if self.ground.valid.is_none() {
            return Phase::Done(Box::new(best.tree));
        }
        let mut trees = std::mem::take(&mut self.found);
        // Without polish the best tree is one of those found, which then stands for its start.
        trees.insert(0, best);
        let trees: Vec<Parameters<f32>> = trees.into_iter().map(|best| best.tree).collect();
        if self.ground.config.teaches(self.ground.answer) && self.blocks.samples() <= MOST_TAUGHT {
            let student = Box::new(self.first_lesson(&trees[1..]));
            Phase::Lesson { student, trees }
        } else {
            Phase::Choose(self.choice(trees))
        }
    }

    fn choice(&self, trees: Vec<Parameters<f32>>) -> Choice {
        let polished = self.ground.config.polish_levels() > 0;
        let taught = self.lesson.as_ref().map(|_| trees.len() - 1);
        Choice::new(trees, usize::from(!polished), taught, self.ground.answer)
    }

    /// Validation has had its say, and its samples join the others.
    fn after_choice(&mut self, choice: &Choice) -> Phase {
        let (at, finish) = choice.chosen().unwrap_or((0, self.finish));
        self.finish = finish;
        let tree = &choice.trees[at];
        match self.lesson.as_ref().filter(|_| choice.is_taught(at) && finish.kept > 0) {
            Some((lesson, _)) => {
                self.chosen = Some(self.ground.hardened(lesson, tree, finish));
                self.blocks = Arc::new(self.ground.all_samples());
                let Ground { plan, answer, seed, .. } = &*self.ground;
                let (blocks, depth) = (self.blocks.clone(), self.ground.depth());
                Phase::Teachers(Box::new(Multistart::new((**plan).clone(), blocks, depth, *answer, vec![], *seed)))
            }
            None => {
                self.chosen = Some(self.hardened(tree));
                self.blocks = Arc::new(self.ground.all_samples());
                self.on_all_samples(tree, at)
            }
        }
    }

    /// The best trees of some starts teach one that begins at the greedy oblique tree.
    fn first_lesson(&mut self, found: &[Parameters<f32>]) -> Start {
        let trees: Vec<Tree> = found.iter().map(|tree| self.teacher(tree)).collect();
        let valid = self.ground.valid.as_ref().expect("a choice needs validation samples");
        let teaching = lesson::teachers(&trees, valid);
        let teachers: Vec<Tree> = teaching.iter().map(|&at| trees[at].clone()).collect();
        let blocks = Arc::new(lesson::samples(&self.blocks, &teachers, Random::stream(self.ground.seed, "lesson")));
        self.lesson = Some((blocks.clone(), teaching));
        self.student(&blocks, self.ground.depth())
    }

    /// The descent of a tree that is taught.
    fn student(&self, lesson: &Arc<Blocks<f32>>, depth: usize) -> Start {
        let plan = Arc::new(self.ground.config.plan(lesson.samples()));
        self.ground.start(&plan, lesson, depth, usize::from(plan.sloped))
    }

    fn teacher(&self, tree: &Parameters<f32>) -> Tree {
        self.ground.teacher(&self.blocks, tree, self.finish.lambda)
    }

    /// Where a greedy start won, it is grown again from all samples; otherwise, and with linear leaves, where growing anew was
    /// worse, the chosen tree descends once more.
    fn on_all_samples(&mut self, tree: &Parameters<f32>, chosen: usize) -> Phase {
        let Ground { plan, answer, seed, .. } = &*self.ground;
        let kept = self.finish.kept;
        if kept == 0 {
            return Phase::Done(Box::new(tree.top(0)));
        }
        let greedy = 1..=1 + usize::from(plan.sloped);
        if greedy.contains(&chosen) && *answer != Answer::Linear {
            return Phase::Again(Box::new(self.ground.start(plan, &self.blocks, kept, chosen - 1)));
        }
        // What validation did not want is not trained any further.
        let mut top = tree.top(kept);
        let route = routes(&top, &self.blocks);
        refit(&mut top, &self.blocks, &route, &plan.recipe.refit);
        let random = Random::stream(*seed, "last");
        let free = Arc::new(free_numbers(&top, self.blocks.summable(), plan.columns > 0));
        let alpha = plan.scales[1].iter().sum::<f64>() / 2.0;
        Phase::Last(Box::new(Run::new(plan.recipe, self.blocks.clone(), top, free, [alpha; 2], random)))
    }

    /// Tries one pair of a tree and a strength of shrinkage; returns whether there are more.
    fn choose(&mut self) -> bool {
        let (Phase::Choose(choice), Some(valid)) = (&mut self.phase, &self.ground.valid) else { return false };
        let (plain, lesson) = (&*self.blocks, &self.lesson);
        let fitted = |taught: bool| match lesson {
            Some((lesson, _)) if taught => &**lesson,
            _ => plain,
        };
        choice.step(fitted, valid)
    }

    fn hardened(&self, tree: &Parameters<f32>) -> Tree {
        self.ground.hardened(&self.blocks, tree, self.finish)
    }
}

/// The best tree of a start that has ended.
fn best_of(start: &Start) -> Parameters<f32> {
    start.best().expect("a start that has ended has a tree").tree.clone()
}

impl Unit for LastStage {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        let blocks = self.ground.blocks_per_step();
        let (more, epoch) = match &mut self.phase {
            Phase::Polish(polish) => (polish.advance(blocks), None),
            Phase::Choose(_) => (self.choose(), None),
            Phase::Lesson { student: start, .. } | Phase::Again(start) => (start.advance(blocks), start.epoch_ended()),
            Phase::Teachers(search) => (search.advance(blocks), search.epoch_ended()),
            Phase::Last(run) => {
                let before = run.epoch();
                (run.advance(blocks), (run.epoch() != before).then(|| (run.epoch(), run.losses())))
            }
            Phase::Done(_) => (false, None),
        };
        self.pace.epoch_ended = false;
        if let Some((epoch, losses)) = epoch {
            self.pace.tell_epoch(epoch, losses);
        }
        if !more {
            self.next_phase();
        }
        self.measure();
        self.pace
    }

    fn current(&self) -> Tree {
        self.best().unwrap_or_else(|| self.winner.tree.clone())
    }

    fn outcome(&self) -> Option<Outcome> {
        Some(Outcome { tree: self.current(), ..self.winner.clone() })
    }

    fn first_phase(&self) -> Doing {
        self.pace.phase
    }

    fn best(&self) -> Option<Tree> {
        match &self.phase {
            Phase::Polish(polish) => Some(self.hardened(&polish.best().tree)),
            Phase::Lesson { trees, .. } => Some(self.hardened(&trees[0])),
            Phase::Choose(choice) => Some(self.hardened(&choice.trees[0])),
            Phase::Teachers(_) | Phase::Again(_) => self.chosen.clone(),
            Phase::Last(run) => Some(self.hardened(&run.best().tree)),
            Phase::Done(tree) => Some(self.hardened(tree)),
        }
    }

    fn chosen(&self) -> Option<Tree> {
        self.chosen.clone().or_else(|| self.best())
    }
}
