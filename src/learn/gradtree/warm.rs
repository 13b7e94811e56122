//! A unit from a greedy start: how it is grown and pruned, how rare classes are favoured, and whether gradient descent makes it
//! better is decided by held-out samples; the last stage then does the same on all samples.

use std::sync::Arc;

use super::board::Board;
use super::ground::Ground;
use super::grow::pruned;
use super::harden::{choices_of, tree_of};
use super::plot::{COSTS, Choice, LEAST, Plot, Recipe, USUAL, decided, powers, tally};
use super::run::Part;
use crate::learn::{Kept, NodeChoice, On, Outcome, Pace, Phase, Start, StopReason, Unit, Work};
use crate::numeric::order::first_largest;
use crate::tree::Tree;

/// Scores within this share of a score's deviation are as good.
const AS_GOOD: f64 = 0.25;

/// A unit from a greedy start.
pub struct Warm {
    ground: Arc<Ground>,
    recipe: Recipe,
    plots: Vec<Plot>,
    board: Board,
    /// The plot that is grown now, or whose descent begins.
    at: usize,
    /// A plot of a plain tree, while that grows.
    first: Option<Plot>,
    /// Alternatives of the present plot's trees that have been judged.
    judged: usize,
    stage: Stage,
    pace: Pace,
    best: Option<Outcome>,
}

enum Stage {
    Growing,
    /// Descents begin, plot by plot; the start of the first one is kept.
    Beginning {
        choice: Choice,
        score: f64,
        part: Arc<Part>,
        start: Option<Tree>,
    },
    /// An epoch on every fold; whether there is a descent on any.
    Descending {
        choice: Choice,
        score: f64,
        descended: bool,
    },
}

impl Warm {
    /// Begins to grow.
    pub fn new(ground: Arc<Ground>, recipe: Recipe) -> Warm {
        let plots: Vec<Plot> =
            ground.folds.iter().enumerate().map(|(at, fold)| Plot::new(&ground, fold.clone(), at as u64)).collect();
        let rounds = ground.folds.iter().map(|fold| fold.round + 1).max().unwrap_or(1);
        let alternatives = LEAST.len() * COSTS.len() * powers(&ground).len();
        let board = ground.board(rounds, alternatives);
        let (stage, pace) = (Stage::Growing, Pace::default());
        Warm { ground, recipe, plots, board, at: 0, first: None, judged: 0, stage, pace, best: None }
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

    fn keep(&mut self, tree: Tree, choice: Choice, score: f64, kept: Kept) {
        let numbers = [choice.least, choice.cost, choice.power].map(|at| at as f64);
        let recipe = [self.recipe.power, f64::from(self.recipe.trust)];
        let notes = [numbers.as_slice(), &[f64::from(choice.epochs)], &recipe].concat();
        let (loss, epoch) = (self.ground.shown_loss(&tree, &self.ground.validation()), choice.epochs);
        self.best = Some(Outcome { tree, score, loss, epoch, stop: None, kept, notes });
        self.pace.improved = true;
    }

    /// Where the first fold's tree comes from after so many epochs; all folds were asked about it.
    fn kept(&self, epochs: u32) -> Kept {
        Kept { chosen: Some(self.ground.chosen()), ..self.plots[0].kept(epochs) }
    }

    /// What the next step does.
    fn phase(&self) -> Phase {
        if let Stage::Descending { .. } = &self.stage {
            let work = Work::Descent { from: Start::Greedy, number: 0, of: 0, run: 0 };
            return Phase::from(work).counted(self.pace.epoch as usize, self.ground.config.refine as usize);
        }
        match self.plots.get(self.at) {
            _ if self.best.is_none() => Work::FirstTree.into(),
            Some(plot) if matches!(self.stage, Stage::Growing) => {
                let on = On::Fold { fold: self.at as u32 + 1, folds: self.plots.len() as u32 };
                let judged = plot.grown.len() == LEAST.len();
                if judged { Work::Choice.into() } else { plot.phase(&self.ground, self.recipe).on(on) }
            }
            _ => Work::Choice.into(),
        }
    }

    /// A piece of a plain tree, so that there is an answer while better ones are prepared; anything scores more.
    fn answer_at_once(&mut self) {
        let recipe = Recipe { trust: 0.0, ..self.recipe };
        let plot = self.first.get_or_insert_with(|| Plot::new(&self.ground, self.plots[0].fold.clone(), 0));
        if plot.grow(&self.ground, recipe, &LEAST[USUAL.least..=USUAL.least]) {
            let choice = Choice { power: USUAL.power.min(powers(&self.ground).len() - 1), ..USUAL };
            let tree = plot.start(&self.ground, recipe, choice, 0);
            let kept = plot.kept(0);
            self.first = None;
            self.keep(tree, choice, f64::MIN, kept);
        }
    }

    /// A piece of the present plot: of its growth, or of the judgement about it.
    fn grow(&mut self) {
        let plot = &mut self.plots[self.at];
        if plot.grown.len() < LEAST.len() {
            plot.grow(&self.ground, self.recipe, &LEAST);
        } else {
            let (least, cost) = (self.judged / COSTS.len(), self.judged % COSTS.len());
            plot.judge(&self.ground, self.recipe, least, cost, &mut self.board);
            self.judged += 1;
            if self.judged == LEAST.len() * COSTS.len() {
                (self.judged, self.at) = (0, self.at + 1);
            }
        }
        let within = self.plots.get(self.at).map_or(0.0, |plot| plot.share(&self.ground));
        self.pace.share = 0.5 * (self.at as f64 + within) / self.plots.len() as f64;
    }

    /// Begins the descent of the next plot; after the last one there is an outcome.
    fn begin_descents(&mut self) {
        let Stage::Beginning { choice, score, part, start: first } = &mut self.stage else { return };
        let (choice, score, at) = (*choice, *score, self.at);
        if let Some(plot) = self.plots.get_mut(at) {
            let start = plot.start(&self.ground, self.recipe, choice, choice.least);
            plot.begin_descent(&self.ground, part, &start, at as u64);
            first.get_or_insert(start);
            self.at += 1;
            return;
        }
        let Some(tree) = first.take() else { return };
        self.keep(tree, choice, score, self.kept(0));
        self.at = 0;
        self.stage = Stage::Descending { choice, score, descended: false };
        if self.ground.config.refine == 0 {
            self.end(StopReason::Grown);
        }
    }

    fn end(&mut self, reason: StopReason) {
        self.pace.stop = Some(reason);
        if let Some(best) = &mut self.best {
            best.stop = Some(reason);
        }
    }

    /// One batch of a fold. Once every fold has ended its epoch, and after the last epoch, held-out samples may object.
    fn descend(&mut self) {
        let Stage::Descending { choice, score, descended } = &mut self.stage else { return };
        if let Some(plot) = self.plots.get_mut(self.at) {
            *descended |= plot.run.is_some();
            match plot.descend() {
                Ok(true) => self.at += 1,
                Ok(false) => {}
                Err(()) => self.end(StopReason::Diverged),
            }
            return;
        }
        let (mut choice, before, descended) = (*choice, *score, *descended);
        self.at = 0;
        self.pace.epoch += 1;
        self.pace.epoch_ended = true;
        let now = self.current();
        self.pace.train_loss = self.ground.shown_loss(&now, &self.plots[0].fold.fit);
        self.pace.valid_loss = self.ground.shown_loss(&now, &self.ground.validation());
        let last = self.pace.epoch >= self.ground.config.refine;
        self.pace.share = 0.5 + 0.5 * f64::from(self.pace.epoch) / f64::from(self.ground.config.refine);
        if !descended {
            self.end(StopReason::Grown);
        } else if last {
            choice.epochs = self.pace.epoch;
            let (first, after) = self.judge_descents(choice);
            if after >= before - 0.5 * self.ground.config.caution * self.chance(before) {
                self.keep(first, choice, after.max(before), self.kept(choice.epochs));
                self.end(StopReason::EpochLimit);
            } else {
                self.end(StopReason::NoImprovement);
            }
        }
    }

    /// The first fold's tree after its descent, and the score of all.
    fn judge_descents(&self, choice: Choice) -> (Tree, f64) {
        let rounds = self.ground.folds.iter().map(|fold| fold.round + 1).max().unwrap_or(1);
        let mut board = self.ground.board(rounds, 1);
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
        } else if matches!(self.stage, Stage::Beginning { .. }) {
            self.begin_descents();
        } else if self.at < self.plots.len() {
            self.grow();
        } else {
            let (choice, score) = self.choose();
            let part = Arc::new(self.ground.part(&self.ground.all, powers(&self.ground)[choice.power]));
            self.stage = Stage::Beginning { choice, score, part, start: None };
            self.at = 0;
        }
        if self.pace.stop.is_some() {
            self.pace.share = 1.0;
        }
        self.pace.phase = self.phase();
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
            (Stage::Growing | Stage::Beginning { .. }, Some(nodes)) => {
                tree_of(nodes, &pruned(nodes, COSTS[USUAL.cost]), &self.ground.answers(0.0))
            }
            (Stage::Growing | Stage::Beginning { .. }, None) => match &self.best {
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

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::super::rebuild::Rebuild;
    use super::*;
    use crate::encode::{Design, Labels};
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
        while !unit.step().improved {
            assert_eq!(unit.at, 0, "there is an answer before the first fold is grown");
        }
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
        let kept = last.outcome().unwrap().kept;
        assert_eq!((kept.start, kept.taught, kept.refitted), (Start::Greedy, 3, true));
        assert_eq!((winner.kept.taught, winner.kept.refitted), (3, false));
        assert!(kept.gradient_epochs <= 6 && kept.synthetic_rows >= 2000 && kept.chosen == Some(ground.chosen()));
        assert!(Rebuild::new(ground, &Outcome { kept: Kept::at(Start::Random), ..winner }).is_none());
    }
}
