//! Units that run elsewhere, in any order, and what a sequence makes of them.

use super::*;
use crate::learn::parallel::{Found, Notes};
use crate::learn::{Kept, Start};
use crate::tree::{Leaf, PostTransform};

/// Units that take `index + 2` steps and score as listed. Those from an index on start at random.
struct Listed(Vec<Option<f64>>, u32);

struct Counted {
    left: u32,
    score: Option<f64>,
    kept: Kept,
}

impl Plan for Listed {
    fn units(&self) -> u32 {
        self.0.len() as u32
    }
    fn unit(&self, index: u32) -> Box<dyn Unit> {
        let kept = Kept::at(if index < self.1 { Start::Greedy } else { Start::Random });
        Box::new(Counted { left: index + 2, score: self.0[index as usize], kept })
    }
    fn last(&self, winner: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
        let kept = Kept { refitted: true, ..winner.kept };
        Some(Box::new(Counted { left: 3, score: Some(winner.score + 100.0), kept }))
    }
    fn nothing(&self) -> Tree {
        Tree::leaf(Leaf::Constant(-1.0))
    }
    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}

impl Unit for Counted {
    fn step(&mut self) -> Pace {
        self.left = self.left.saturating_sub(1);
        Pace { stop: (self.left == 0).then_some(StopReason::Grown), improved: true, ..Pace::default() }
    }
    fn current(&self) -> Tree {
        Tree::leaf(Leaf::Constant(self.left as f32))
    }
    fn outcome(&self) -> Option<Outcome> {
        let score = self.score?;
        let tree = Tree::leaf(Leaf::Constant(score as f32));
        let stop = Some(StopReason::Grown);
        Some(Outcome { tree, score, loss: None, epoch: 0, stop, kept: self.kept, notes: Notes::default() })
    }
}

fn finish(mut sequence: Sequence) -> (Progress, Tree, Tree) {
    while sequence.step().stop.is_none() {}
    (sequence.progress(), sequence.best(), sequence.chosen())
}

fn answer(tree: &Tree) -> f64 {
    tree.output(0, &[])[0]
}

#[test]
fn units_that_ran_elsewhere_in_any_order_give_the_same() {
    let scores = vec![Some(2.0), Some(5.0), None, Some(5.0), Some(4.0)];
    let (progress, best, chosen) = finish(Sequence::new(Arc::new(Listed(scores.clone(), 9))));
    assert_eq!((progress.best_restart, progress.stop), (1, Some(StopReason::Grown)));
    assert_eq!((answer(&best), answer(&chosen)), (105.0, 5.0));
    for begun in 0..20 {
        for lent in 0..5 {
            let plan: Arc<dyn Plan> = Arc::new(Listed(scores.clone(), 9));
            let mut sequence = Sequence::new(plan.clone());
            for _ in 0..begun {
                sequence.step();
            }
            let mut elsewhere: Vec<u32> = (0..lent).map_while(|_| sequence.lend()).collect();
            // One is brought back without a result, the others in another order, and some steps are made
            // in between.
            if let Some(lost) = elsewhere.pop() {
                sequence.take(lost, None);
            }
            let half = elsewhere.len() / 2;
            elsewhere.rotate_left(half);
            for index in elsewhere {
                sequence.step();
                let mut unit = plan.unit(index);
                let steps =
                    1 + std::iter::from_fn(|| unit.step().stop.is_none().then_some(())).count() as u64;
                sequence.take(index, Some(Found { steps, outcome: unit.outcome() }));
            }
            let (other, tree, _) = finish(sequence);
            assert_eq!(
                (other.best_restart, other.stop, &tree),
                (progress.best_restart, progress.stop, &best)
            );
            assert_eq!((other.step, other.share), (progress.step, 1.0), "{lent} lent after {begun} steps");
        }
    }
}

#[test]
fn descent_alone_stands_beside_another_result_and_changes_nothing() {
    let scores = vec![Some(9.0), Some(2.0), Some(4.0), None];
    let mut sequence = Sequence::new(Arc::new(Listed(scores.clone(), 1)));
    let (mut seen, mut phases) = (vec![], vec![]);
    while sequence.step().stop.is_none() {
        seen.extend(sequence.descent_alone().map(|alone| answer(&alone.tree)));
        phases.push(sequence.progress().phase.on);
    }
    seen.dedup();
    assert_eq!(seen, [2.0, 4.0], "the best so far, before it is refitted");
    assert!(phases.ends_with(&[On::All, On::All, On::Alone, On::Alone, On::Alone]), "{phases:?}");
    let alone = sequence.descent_alone().unwrap();
    assert_eq!((answer(&alone.tree), answer(&alone.chosen)), (104.0, 4.0));
    let kept = |start, restart| Kept { restart, refitted: true, ..Kept::at(start) };
    assert_eq!((alone.kept, sequence.kept()), (kept(Start::Random, 3), kept(Start::Greedy, 1)));
    let (progress, best, chosen) = finish(sequence);
    assert_eq!((answer(&best), answer(&chosen), progress.best_restart), (109.0, 9.0, 0));
    // A result of descent alone is not repeated, and where nothing started at random there is nothing
    // beside it.
    for random in [0, 9] {
        let mut sequence = Sequence::new(Arc::new(Listed(scores.clone(), random)));
        while sequence.step().stop.is_none() {}
        assert_eq!(sequence.descent_alone(), None);
        assert_eq!(sequence.kept().restart, 1);
    }
}

#[test]
fn with_everything_elsewhere_it_waits() {
    let mut sequence = Sequence::new(Arc::new(Listed(vec![Some(1.0), Some(2.0), Some(3.0)], 9)));
    assert_eq!([sequence.lend(), sequence.lend(), sequence.lend()], [Some(1), Some(2), None]);
    let waits = |sequence: &mut Sequence| {
        let progress = (0..9).map(|_| sequence.step()).last().unwrap();
        assert_eq!((progress.waiting, progress.stop, progress.step), (true, None, 2));
        progress.share
    };
    assert_eq!(waits(&mut sequence), 1.0 / 3.0);
    sequence.take(7, None);
    sequence.take(0, None);
    assert_eq!(waits(&mut sequence), 1.0 / 3.0, "what was not lent is not taken");
    sequence.take(2, Some(Found { steps: 0, outcome: None }));
    assert_eq!(waits(&mut sequence), 2.0 / 3.0);
    sequence.take(1, None);
    let progress = sequence.step();
    assert_eq!((progress.waiting, progress.restart), (false, 1));
    let (_, best, _) = finish(sequence);
    assert_eq!(answer(&best), 102.0);
}

#[test]
fn without_an_outcome_nothing_is_known() {
    let (progress, best, _) = finish(Sequence::new(Arc::new(Listed(vec![None, None], 9))));
    assert_eq!((progress.stop, answer(&best)), (Some(StopReason::Diverged), -1.0));
}

#[test]
fn ties_go_to_the_smaller_tree_and_then_to_the_lower_index() {
    let outcome = |tree: Tree| Outcome {
        tree,
        score: 1.0,
        loss: None,
        epoch: 0,
        stop: None,
        kept: Kept::default(),
        notes: Notes::default(),
    };
    let leaf = outcome(Tree::leaf(Leaf::Constant(0.0)));
    let split = crate::tree::Split::Numerical { feature: 0, threshold: 0.0 };
    let nodes = vec![
        crate::tree::Node::Split { split, left: 1, right: 2, default_left: false },
        crate::tree::Node::Leaf(Leaf::Constant(0.0)),
        crate::tree::Node::Leaf(Leaf::Constant(1.0)),
    ];
    let stump = outcome(Tree::new(nodes).unwrap());
    assert!(leaf.beats(7, &stump, 0) && !stump.beats(0, &leaf, 7));
    assert!(leaf.beats(0, &leaf, 1) && !leaf.beats(1, &leaf, 0));
}
