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
        let board = ground.board(rounds, alternatives);
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

    fn keep(&mut self, tree: Tree, choice: Choice, score: f64, kept: Kept) {
        let numbers = [choice.least, choice.cost, choice.power].map(|at| at as f64);
        let recipe = [self.recipe.power, f64::from(self.recipe.trust)];
        let notes = [numbers.as_slice(), &[f64::from(choice.epochs)], &recipe].concat();
        let (loss, epoch) = (self.pace.valid_loss, choice.epochs);
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
            Some(plot) => {
                let on = On::Fold { fold: self.at as u32 + 1, folds: self.plots.len() as u32 };
                plot.phase(&self.ground, self.recipe).on(on)
            }
            None => Work::Choice.into(),
        }
    }

    /// A plain tree, so that there is an answer while better ones are prepared; anything scores more.
    fn answer_at_once(&mut self) {
        let recipe = Recipe { trust: 0.0, ..self.recipe };
        let mut plot = Plot::new(&self.ground, self.plots[0].fold.clone(), 0);
        while !plot.grow(&self.ground, recipe, &LEAST[USUAL.least..=USUAL.least]) {}
        let choice = Choice { power: USUAL.power.min(powers(&self.ground).len() - 1), ..USUAL };
        let tree = plot.start(&self.ground, recipe, choice, 0);
        self.keep(tree, choice, f64::MIN, plot.kept(0));
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
        self.keep(tree, choice, score, self.kept(0));
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
        let kept = last.outcome().unwrap().kept;
        assert_eq!((kept.start, kept.taught, kept.refitted), (Start::Greedy, 3, true));
        assert_eq!((winner.kept.taught, winner.kept.refitted), (3, false));
        assert!(kept.gradient_epochs <= 6 && kept.synthetic_rows >= 2000 && kept.chosen == Some(ground.chosen()));
        assert!(Rebuild::new(ground, &Outcome { kept: Kept::at(Start::Random), ..winner }).is_none());
    }
}
