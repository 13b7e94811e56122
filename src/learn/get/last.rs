//! The last stage: subtree polish, a choice by validation, trees taught by those found, and then what was chosen once more on all
//! samples.

mod measure;

use std::sync::Arc;

use super::alternate::{Alternate, Sweeps};
use super::blocks::Blocks;
use super::choose::{Choice, Finish};
use super::folds::{Folds, Origin};
use super::ground::Ground;
use super::hard::{refit, routes};
use super::parameters::{Answer, Parameters};
use super::polish::Polish;
use super::run::{Best, Run};
use super::school::{Beginning, School};
use super::spare;
use super::start::{Start, free_numbers};
use super::thrift::{self, Thrift};
use crate::learn::{Chosen, Judges, Kept, Measure, Outcome, Pace, Phase as Doing, StopReason, Unit};
use crate::numeric::random::Random;
use crate::tree::Tree;

pub use measure::last_share;

/// With constant leaves a student is taken if its loss on validation samples is below this share of the best other tree's: what is
/// only just better there may be so by chance. With linear leaves students were better wherever they seemed to be (benches/record).
const CLEARLY: f64 = 0.98;

/// Where only the training samples count, the best tree is refined node by node until that changes little.
const SWEEPS: Sweeps = Sweeps { most: 10, ridge: 0.1, least: 10, sparse: false, spare: None };

enum Phase {
    /// Subtrees searched for anew.
    Polish(Box<Polish>),
    /// Nodes refined one by one on the training samples.
    Sweeps(Box<Alternate>),
    /// Trees and strengths of shrinkage tried on validation samples. The first tree is the best on training samples.
    Choose(Choice),
    /// The same on other parts of the samples.
    Folds(Box<Folds>, Choice),
    /// Trees are taught by those found, beginning at the best of them or elsewhere; until they have shown that they are
    /// better, what validation chose counts.
    School(Box<School>, Choice),
    /// The same choice among the students.
    Judge(Box<School>, Choice, Choice),
    /// Splits of the chosen tree name fewer columns, as far as validation samples lose nothing by it; then the next.
    Thrift(Box<Thrift>, Next),
    /// The starts that teach once more, on all samples.
    Teachers(Box<Teachers>),
    /// The start that won once more, on all samples.
    Again(Box<Start>, Origin),
    /// A tree is taught anew, on all samples.
    LastSchool(Box<School>),
    /// The last descent of the chosen tree, on all samples.
    Last(Box<Run>),
    /// Splits of the finished tree are made to name fewer columns.
    Spare(Box<Alternate>),
    Done(Box<Parameters<f32>>),
}

/// What is done on all samples with the tree that validation chose.
enum Next {
    /// It is this tree of the starts, or a polished one.
    Found(Parameters<f32>, Option<Origin>),
    /// It was taught.
    Taught(Box<Teachers>),
}

/// Starts that are made again to teach, one after another.
struct Teachers {
    school: Box<School>,
    /// Where the student begins.
    beginning: Beginning,
    /// How each start's tree is finished.
    finishes: Vec<Finish>,
    /// Starts whose turn has not come, the next one last.
    waiting: Vec<usize>,
    start: Option<(usize, Start)>,
    trees: Vec<Option<Tree>>,
}

/// What a last stage may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// All that the settings ask for.
    Everything,
    /// Only what leaves the result one of descent alone, at little cost: no polish, which begins at greedy subtrees, no
    /// teachers, and a choice on the validation samples without folds.
    Alone,
}

/// A tree that validation may choose: where it comes from, and its hard loss on the training samples.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    origin: Origin,
    kept: Kept,
    loss: f64,
}

/// The last stage of a training of GET or GET-Linear.
pub struct LastStage {
    ground: Arc<Ground>,
    how: How,
    /// The best start's outcome.
    winner: Outcome,
    /// The samples that leaves are fitted to: those for training, and once validation has had its say all of them.
    blocks: Arc<Blocks<f32>>,
    /// The trees of every start, for validation to choose from, and where they come from.
    found: Vec<Best>,
    candidates: Vec<Candidate>,
    origins: Vec<Origin>,
    /// Where the tree comes from that counts now.
    kept: Kept,
    finish: Finish,
    /// How readily columns are dropped in the end.
    readiness: f64,
    /// The tree that validation chose, as it was before the validation samples joined.
    chosen: Option<Tree>,
    phase: Phase,
    pace: Pace,
}

impl LastStage {
    /// Begins with the best tree and those of all starts; none if there is nothing to be done.
    pub fn new(ground: Arc<Ground>, winner: Outcome, best: Best, found: Vec<Vec<Best>>, how: How) -> Option<Self> {
        let levels = if how == How::Everything { ground.config.polish_levels() } else { 0 };
        if levels == 0 && ground.valid.is_none() && !ground.config.sweeps() {
            return None;
        }
        let mut candidates = vec![];
        for (start, trees) in found.iter().enumerate() {
            for (at, best) in trees.iter().enumerate() {
                let start_at = Kept::at(ground.plan.kind(start));
                let kept = Kept { restart: start as u32 + 1, gradient_epochs: best.epochs, ..start_at };
                candidates.push(Candidate { origin: Origin { start, ended: at > 0 }, kept, loss: best.loss });
            }
        }
        let mut stage = LastStage {
            how,
            kept: winner.kept,
            winner,
            blocks: ground.blocks.clone(),
            origins: candidates.iter().map(|candidate| candidate.origin).collect(),
            candidates,
            found: found.into_iter().flatten().collect(),
            finish: ground.finish(),
            readiness: thrift::careful(ground.config.spare),
            chosen: None,
            phase: Phase::Done(Box::new(Parameters::zeros(0, 4, ground.answer))),
            pace: Pace::default(),
            ground,
        };
        stage.phase = if levels > 0 {
            let mut plan = (*stage.ground.plan).clone();
            plan.starts = stage.ground.config.polish_starts as usize;
            // One greedy oblique tree is enough beside the subtree as it is.
            plan.sloped = plan.sloped.min(1);
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
            Phase::Polish(polish) => {
                self.kept = polished(self.kept, &polish);
                self.after_polish(polish.best().clone())
            }
            Phase::Sweeps(sweeps) => self.spare(sweeps.best().clone()),
            Phase::Choose(mut choice) if self.asks_folds() => {
                Phase::Folds(Box::new(Folds::new(self.ground.clone(), &mut choice, &self.origins)), choice)
            }
            Phase::Choose(choice) => self.after_choice(choice, Judges::Validation),
            Phase::Folds(_, choice) => self.after_choice(choice, Folds::JUDGES),
            Phase::School(school, choice) => {
                let students = school.students().iter().map(|best| best.tree.clone()).collect();
                Phase::Judge(school, choice, Choice::new(students, 0))
            }
            Phase::Judge(school, choice, students) => self.after_judgement(school, &choice, &students),
            Phase::Thrift(thrift, next) => {
                self.readiness = thrift.readiness();
                self.joined(next)
            }
            Phase::Teachers(teachers) => {
                let Teachers { school, beginning, trees, .. } = *teachers;
                Phase::LastSchool(Box::new(school.again(self.blocks.clone(), trees, beginning)))
            }
            Phase::Again(start, origin) => {
                let ended = start.ended().filter(|_| origin.ended);
                let tree = ended.or(start.best()).expect("a start that has ended has a tree").clone();
                self.kept = Kept { gradient_epochs: tree.epochs, refitted: true, ..self.kept };
                self.spare(tree)
            }
            Phase::LastSchool(school) => {
                let student = school.students().first().expect("a school that has ended has a student");
                self.blocks = school.lesson().expect("a student has a lesson").clone();
                self.kept = Kept { refitted: true, ..school.taught(0, self.kept) };
                self.spare(student.clone())
            }
            Phase::Last(run) => {
                self.kept = descended(self.kept, run.best());
                self.spare(run.into_best())
            }
            Phase::Spare(spare) => Phase::Done(Box::new(spare.best().tree.clone())),
            done @ Phase::Done(_) => done,
        };
        if matches!(self.phase, Phase::Done(_)) {
            self.pace.stop = Some(StopReason::EpochLimit);
        }
    }

    fn after_polish(&mut self, best: Best) -> Phase {
        if self.ground.config.sweeps() {
            let how = Sweeps { sparse: self.ground.plan.columns > 0, ..SWEEPS };
            let refit = self.ground.plan.recipe.refit;
            return Phase::Sweeps(Box::new(Alternate::new(how, refit, self.blocks.clone(), best)));
        }
        if self.ground.valid.is_none() {
            return Phase::Done(Box::new(best.tree));
        }
        let mut trees = std::mem::take(&mut self.found);
        // Without polish the best tree is one of those found, which then stands for its start.
        trees.insert(0, best);
        let trees: Vec<Parameters<f32>> = trees.into_iter().map(|best| best.tree).collect();
        let polished = self.how == How::Everything && self.ground.config.polish_levels() > 0;
        Phase::Choose(Choice::new(trees, usize::from(!polished)))
    }

    /// A finished tree's splits may name fewer columns.
    fn spare(&self, best: Best) -> Phase {
        let Ground { plan, answer, .. } = &*self.ground;
        if self.readiness == 0.0 || best.tree.depth == 0 {
            return Phase::Done(Box::new(best.tree));
        }
        let how = spare::sweep(self.readiness, &self.blocks, *answer);
        Phase::Spare(Box::new(Alternate::new(how, plan.recipe.refit, self.blocks.clone(), best)))
    }

    /// Whether other parts of the samples are asked too.
    fn asks_folds(&self) -> bool {
        self.how == How::Everything && Folds::wanted(&self.ground)
    }

    /// Notes which tree was chosen, and on which samples; the first one is the winner, polished or not.
    fn note_choice(&mut self, at: usize, on: Judges) {
        if let Some(&Candidate { kept, loss, .. }) = at.checked_sub(1).and_then(|at| self.candidates.get(at)) {
            (self.winner.loss, self.winner.epoch) = (Some(loss), kept.gradient_epochs);
            self.kept = kept;
        }
        self.kept.chosen = Some(Chosen { by: Measure::Loss, on });
    }

    fn after_choice(&mut self, choice: Choice, on: Judges) -> Phase {
        let (at, _, finish) = choice.chosen().unwrap_or((0, 0.0, self.finish));
        self.finish = finish;
        self.note_choice(at, on);
        let tree = &choice.trees()[at];
        self.chosen = Some(self.hardened(tree));
        if self.how == How::Alone || !self.ground.teaches() {
            return self.thrift(tree, self.blocks.clone(), Next::Found(tree.clone(), self.origin(at)));
        }
        // The first tree is one of the others, or polished, which takes too long to be done again.
        let found = choice.trees().iter().enumerate().skip(1);
        let teachers = found.map(|(at, tree)| {
            let finish = choice.finish(at).unwrap_or(self.finish);
            self.ground.teacher(&self.blocks, tree, finish)
        });
        let beginnings = vec![Beginning::At(tree.clone()), Beginning::Start(0)];
        Phase::School(Box::new(School::first(self.ground.clone(), teachers.collect(), beginnings)), choice)
    }

    fn after_judgement(&mut self, school: Box<School>, choice: &Choice, students: &Choice) -> Phase {
        let clearly = if self.ground.answer == Answer::Linear { 1.0 } else { CLEARLY };
        let least = clearly * choice.chosen().map_or(f64::INFINITY, |(_, loss, _)| loss);
        let better = students.chosen().filter(|(_, loss, finish)| *loss < least && finish.kept > 0);
        let (Some((at, _, finish)), Some(lesson)) = (better, school.lesson()) else {
            let at = choice.chosen().map_or(0, |(at, ..)| at);
            let tree = &choice.trees()[at];
            return self.thrift(tree, self.blocks.clone(), Next::Found(tree.clone(), self.origin(at)));
        };
        self.finish = finish;
        self.chosen = Some(self.ground.hardened(lesson, &students.trees()[at], finish));
        let lesson = lesson.clone();
        let chosen = Some(Chosen { by: Measure::Loss, on: Judges::Validation });
        self.kept = Kept { chosen, ..school.taught(at, self.kept) };
        // The student of the best tree goes on from where it is, the other is grown anew.
        let beginning = match at {
            0 => Beginning::At(students.trees()[0].clone()),
            _ => Beginning::Start(at - 1),
        };
        let starts = choice.trees().len() - 1;
        let mut waiting = school.teaching();
        waiting.reverse();
        let next = Next::Taught(Box::new(Teachers {
            finishes: (0..starts).map(|at| choice.finish(at + 1).unwrap_or(self.finish)).collect(),
            trees: vec![None; starts],
            start: None,
            waiting,
            beginning,
            school,
        }));
        self.thrift(&students.trees()[at], lesson, next)
    }

    /// Asks validation how readily columns may be dropped in a tree whose leaves are fitted to some samples.
    fn thrift(&mut self, tree: &Parameters<f32>, fitted: Arc<Blocks<f32>>, next: Next) -> Phase {
        let Ground { config, plan, valid, .. } = &*self.ground;
        let (most, finish) = (config.spare, self.finish);
        let Some(valid) = valid.as_ref().filter(|_| most > 0.0 && finish.kept > 0) else { return self.joined(next) };
        let thrift = Thrift::new(most, tree, finish, plan.recipe.refit, fitted, valid);
        Phase::Thrift(Box::new(thrift), next)
    }

    /// The validation samples have had their say and join the others.
    fn joined(&mut self, next: Next) -> Phase {
        self.blocks = Arc::new(self.ground.all_samples());
        match next {
            Next::Found(tree, origin) => self.on_all_samples(&tree, origin),
            Next::Taught(teachers) => Phase::Teachers(teachers),
        }
    }

    /// Where a tree of the choice comes from; none for the first one, which may be polished.
    fn origin(&self, at: usize) -> Option<Origin> {
        at.checked_sub(1).map(|at| self.origins[at])
    }

    /// A step of the starts that teach; returns whether there are more.
    fn teach(&mut self, blocks: usize) -> bool {
        let Phase::Teachers(teachers) = &mut self.phase else { return false };
        if let Some((at, start)) = &mut teachers.start {
            let at = *at;
            if start.advance(blocks) {
                return true;
            }
            let best = start.best().map(|best| self.ground.teacher(&self.blocks, &best.tree, teachers.finishes[at]));
            teachers.trees[at] = best;
        }
        let next = teachers.waiting.pop();
        let start = |at| (at, self.ground.start(&self.ground.plan, &self.blocks, self.ground.depth(), at));
        teachers.start = next.map(start);
        teachers.start.is_some()
    }

    /// Where a greedy start won, it is grown again from all samples; otherwise, and with linear leaves, where growing anew was
    /// worse, the chosen tree descends once more.
    fn on_all_samples(&mut self, tree: &Parameters<f32>, origin: Option<Origin>) -> Phase {
        let Ground { plan, answer, seed, .. } = &*self.ground;
        let kept = self.finish.kept;
        if kept == 0 {
            self.kept.refitted = true;
            return Phase::Done(Box::new(tree.top(0)));
        }
        if let Some(origin) = origin.filter(|origin| origin.start < plan.greedy() && *answer != Answer::Linear) {
            return Phase::Again(Box::new(self.ground.start(plan, &self.blocks, kept, origin.start)), origin);
        }
        // What validation did not want is not trained any further.
        let mut top = tree.top(kept);
        let route = routes(&top, &self.blocks);
        refit(&mut top, &self.blocks, &route, &plan.recipe.refit);
        let random = Random::stream(*seed, "last");
        let free = Arc::new(free_numbers(&top, self.blocks.summable(), plan.columns > 0));
        let alpha = plan.scales.last().map_or(0.0, |range| range.iter().sum::<f64>() / 2.0);
        Phase::Last(Box::new(Run::new(plan.recipe, self.blocks.clone(), top, free, [alpha; 2], random)))
    }

    fn hardened(&self, tree: &Parameters<f32>) -> Tree {
        self.ground.hardened(&self.blocks, tree, self.finish)
    }
}

impl Unit for LastStage {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        let blocks = self.ground.blocks_per_step();
        let (more, epoch) = match &mut self.phase {
            Phase::Polish(polish) => (polish.advance(blocks), None),
            Phase::Sweeps(sweeps) | Phase::Spare(sweeps) => (sweeps.step(), None),
            Phase::Choose(choice) => (try_next(choice, Some(&self.blocks), &self.ground), None),
            Phase::Folds(folds, choice) => (folds.advance(blocks, choice, &self.origins), None),
            Phase::School(school, _) | Phase::LastSchool(school) => (school.advance(blocks), school.epoch_ended()),
            Phase::Judge(school, _, students) => (try_next(students, school.lesson(), &self.ground), None),
            Phase::Thrift(thrift, _) => (self.ground.valid.as_ref().is_some_and(|valid| thrift.step(valid)), None),
            Phase::Teachers(_) => (self.teach(blocks), None),
            Phase::Again(start, _) => (start.advance(blocks), start.epoch_ended()),
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
        let kept = match &self.phase {
            Phase::Polish(polish) => polished(self.kept, polish),
            Phase::Last(run) => descended(self.kept, run.best()),
            _ => self.kept,
        };
        Some(Outcome { tree: self.current(), kept, ..self.winner.clone() })
    }

    fn first_phase(&self) -> Doing {
        self.pace.phase
    }

    fn best(&self) -> Option<Tree> {
        match &self.phase {
            Phase::Polish(polish) => Some(self.hardened(&polish.best().tree)),
            Phase::Sweeps(sweeps) => Some(self.hardened(&sweeps.best().tree)),
            Phase::Choose(choice) | Phase::Folds(_, choice) => Some(self.hardened(&choice.trees()[0])),
            Phase::School(..) | Phase::Judge(..) | Phase::Thrift(..) | Phase::Teachers(_) => self.chosen.clone(),
            Phase::Again(..) | Phase::LastSchool(_) => self.chosen.clone(),
            Phase::Last(run) => Some(self.hardened(&run.best().tree)),
            Phase::Spare(spare) => Some(self.hardened(&spare.best().tree)),
            Phase::Done(tree) => Some(self.hardened(tree)),
        }
    }

    fn chosen(&self) -> Option<Tree> {
        self.chosen.clone().or_else(|| self.best())
    }
}

/// Tries one pair of a tree and a strength of shrinkage on the validation samples; returns whether there are more.
fn try_next(choice: &mut Choice, fitted: Option<&Arc<Blocks<f32>>>, ground: &Ground) -> bool {
    let (Some(fitted), Some(valid)) = (fitted, &ground.valid) else { return false };
    choice.step(fitted, valid)
}

/// Where a tree comes from after subtrees of it were searched for anew.
fn polished(kept: Kept, polish: &Polish) -> Kept {
    Kept { polished: polish.replaced(), gradient_epochs: polish.best().epochs, ..kept }
}

/// Where a tree comes from after it descended once more, on all samples.
fn descended(kept: Kept, best: &Best) -> Kept {
    Kept { gradient_epochs: kept.gradient_epochs + best.epochs, refitted: true, ..kept }
}
