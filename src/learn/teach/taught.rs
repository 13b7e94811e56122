//! Any training on rows that a forest labelled, behind the real ones.
//!
//! A forest grows on the training rows. Synthetic rows are recombined from real ones, and the forest labels
//! them: with a number, or with a class drawn by its votes. The learner then trains on both. Real rows keep
//! their labels, and validation rows are always real.

use std::sync::Arc;

use super::labelled_rows::LabelledRows;
use super::votes::VotingForest;
use crate::encode::{Design, Labels};
use crate::learn::greedy::histogram::{Bins, SoftSamples};
use crate::learn::{Kept, Phase, Progress, Training, Value, Work};
use crate::numeric::pinball::Pinball;
use crate::numeric::random::Random;
use crate::tree::{Leaf, Node, PostTransform, Tree};

/// Trees of the forest,
const TREES: u32 = 50;
/// and the deepest of them.
const DEPTH: u32 = 32;
/// The share of the work that is done when the forest has voted, and when the rows are labelled.
const GROWN: f64 = 0.3;
const LABELLED: f64 = 0.4;

/// Begins the learner on a design.
type Begin = Box<dyn FnMut(Arc<Design>) -> Box<dyn Training> + Send>;

/// A training that begins with a forest.
pub(crate) struct Taught {
    /// The real rows, and their positions.
    train: Arc<Design>,
    all: Vec<u32>,
    /// Mean and deviation of a target of numbers.
    units: [f64; 2],
    forest: VotingForest,
    rows: LabelledRows,
    /// The learner, once the rows are there.
    learner: Option<Box<dyn Training>>,
    begin: Begin,
    steps: u64,
    /// Synthetic rows that the learner was given.
    synthetic: u32,
    /// The loss of leaves that are statistics of their rows: they are taken anew from the real rows.
    statistics: Option<Option<Pinball>>,
}

impl Taught {
    /// Begins with the forest. `feature` has the file's column behind each column of the design; it is empty
    /// where each stands for itself. `begin` begins the learner.
    pub(crate) fn new(
        train: Arc<Design>,
        feature: &[usize],
        seed: u64,
        begin: impl FnMut(Arc<Design>) -> Box<dyn Training> + Send + 'static,
    ) -> Taught {
        let all: Vec<u32> = (0..train.samples() as u32).collect();
        let (target, units) = targets(&train.y);
        let samples = SoftSamples {
            bins: Arc::new(Bins::new(&train.x)),
            outputs: target.len() / all.len(),
            target: Arc::new(target),
            weight: Arc::new(vec![1.0; all.len()]),
        };
        Taught {
            forest: VotingForest::new(&samples, all.clone(), TREES, DEPTH, seed),
            rows: LabelledRows::new(&train, feature, Random::stream(seed, "taught rows")),
            learner: None,
            begin: Box::new(begin),
            steps: 0,
            synthetic: 0,
            statistics: None,
            train,
            all,
            units,
        }
    }

    /// Leaves are statistics of their rows, under a loss of numbers if that is not the squared error.
    pub(crate) fn with_statistics(self, pinball: Option<Pinball>) -> Taught {
        Taught { statistics: Some(pinball), ..self }
    }

    /// A tree of the learner without branches that only synthetic rows reach. Until there is one, a leaf.
    fn real(&self, of: fn(&dyn Training) -> Tree) -> Tree {
        let Some(learner) = &self.learner else {
            let leaf = match &self.train.y {
                Labels::Classes { classes, .. } => Leaf::Scores(vec![0.0; *classes]),
                Labels::Values(_) => Leaf::Constant(self.units[0] as f32),
            };
            return Tree::new(vec![Node::Leaf(leaf)]).expect("a leaf is a tree");
        };
        let tree = of(&**learner).without_empty_branches(self.train.rows()).without_idle_splits();
        match (self.statistics, &self.train.y) {
            (Some(pinball), Labels::Values(values)) => answered(&tree, &self.train, values, pinball),
            _ => tree,
        }
    }
}

/// The targets of the forest (N × C): indicators of classes, or numbers in units of their deviation from
/// their mean, which are given too.
fn targets(labels: &Labels) -> (Vec<f32>, [f64; 2]) {
    match labels {
        Labels::Classes { label, classes } => {
            let indicator =
                |&class: &u32| (0..*classes as u32).map(move |one| f32::from(u8::from(one == class)));
            (label.iter().flat_map(indicator).collect(), [0.0, 1.0])
        }
        Labels::Values(values) => {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
            let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
            (values.iter().map(|value| ((value - mean) / deviation) as f32).collect(), [mean, deviation])
        }
    }
}

/// The tree with every leaf answering for the rows that reach it.
fn answered(tree: &Tree, train: &Design, values: &[f64], pinball: Option<Pinball>) -> Tree {
    let mut reached = vec![vec![]; tree.size()];
    let leaves = tree.leaves_of(train.rows());
    leaves.into_iter().zip(values).for_each(|(leaf, &value)| reached[leaf as usize].push(value));
    let nodes = tree.nodes().iter().zip(reached).map(|(node, values)| match node {
        Node::Leaf(_) if !values.is_empty() => {
            let mean = || values.iter().sum::<f64>() / values.len() as f64;
            Node::Leaf(Leaf::Constant(
                pinball.map_or_else(mean, |pinball| pinball.answer_to(values.clone())) as f32
            ))
        }
        node => node.clone(),
    });
    Tree::new(nodes.collect()).expect("the same tree with other leaves")
}

impl Training for Taught {
    fn step(&mut self) -> Progress {
        if let Some(learner) = &mut self.learner {
            learner.step();
        } else {
            self.steps += 1;
            if self.forest.advance(&self.train, &self.all)
                && let Some(design) = self.rows.advance(&self.train, &self.forest, self.units)
            {
                self.synthetic = (design.samples() - self.train.samples()) as u32;
                self.learner = Some((self.begin)(Arc::new(design)));
                self.forest.drop_trees();
            }
        }
        self.progress()
    }

    fn progress(&self) -> Progress {
        let progress = match &self.learner {
            Some(learner) => {
                let progress = learner.progress();
                Progress { share: LABELLED + (1.0 - LABELLED) * progress.share, ..progress }
            }
            None => {
                let (grown, (made, wanted)) = (self.forest.voted(), self.rows.made(&self.train));
                let voted = f64::from(grown) / f64::from(TREES);
                let labelled = made as f64 / wanted.max(1) as f64;
                let phase = match grown < TREES {
                    true => Phase::from(Work::Teachers).counted(grown as usize, TREES as usize),
                    false => Phase::from(Work::MadeUpRows).counted(made, wanted),
                };
                let share = GROWN * voted + (LABELLED - GROWN) * labelled;
                Progress { restarts: 1, share, phase, ..Progress::default() }
            }
        };
        Progress { step: progress.step + self.steps, ..progress }
    }

    fn current(&self) -> Tree {
        self.real(|learner| learner.current())
    }

    fn best(&self) -> Tree {
        self.real(|learner| learner.best())
    }

    fn chosen(&self) -> Tree {
        self.real(|learner| learner.chosen())
    }

    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        self.learner.as_ref().map_or_else(|| tree.clone(), |learner| learner.settle(tree, rows))
    }

    fn post_transform(&self) -> PostTransform {
        self.learner.as_ref().map_or(PostTransform::None, |learner| learner.post_transform())
    }

    fn decided(&self) -> Vec<(&'static str, Value)> {
        self.learner.as_ref().map_or(vec![], |learner| learner.decided())
    }

    fn kept(&self) -> Kept {
        let Some(learner) = &self.learner else { return Kept::default() };
        let kept = learner.kept();
        Kept { taught: TREES, synthetic_rows: kept.synthetic_rows + self.synthetic, ..kept }
    }

    fn epochs_per_frame(&self) -> usize {
        self.learner.as_ref().map_or(1, |learner| learner.epochs_per_frame())
    }

    fn relaxed_answers(&self, rows: &Design) -> Option<Vec<Vec<f64>>> {
        self.learner.as_ref()?.relaxed_answers(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::super::labelled_rows::TIMES;
    use super::*;
    use crate::learn::cart::{self, CartTraining};
    use nalgebra::DMatrix;

    /// A step along x0 with noise; x1 and x2 are the indicators of one column of words.
    fn noisy(samples: usize) -> Arc<Design> {
        let mut random = Random::new(7);
        let x = DMatrix::from_fn(3, samples, |j, i| match j {
            0 => i as f32 / samples as f32,
            _ => f32::from((i % 2 == 0) == (j == 1)),
        });
        let y = (0..samples).map(|i| f64::from(u8::from(2 * i > samples)) + 0.3 * random.normal()).collect();
        Arc::new(Design { x, y: Labels::Values(y) })
    }

    #[test]
    fn a_taught_tree_answers_for_real_rows_alone() {
        let train = noisy(200);
        let config = cart::Config { depth: 2, ..cart::Config::default() };
        let seen = Arc::new(std::sync::Mutex::new(None));
        let note = seen.clone();
        let mut taught = Taught::new(train.clone(), &[0, 1, 1], 3, move |design| {
            *note.lock().unwrap() = Some(design.clone());
            Box::new(CartTraining::new(&config, design))
        })
        .with_statistics(None);
        assert_eq!(taught.best().size(), 1, "there is an answer at once");
        let mut last = 0.0;
        while taught.progress().stop.is_none() {
            let share = taught.step().share;
            assert!(share >= last && share <= 1.0, "{last} {share}");
            last = share;
        }
        let design = seen.lock().unwrap().take().unwrap();
        assert_eq!(design.samples(), 200 + TIMES * 200);
        assert!(design.rows().all(|row| row[1] + row[2] == 1.0), "a word stays one word");
        let tree = taught.best();
        let Labels::Values(y) = &train.y else { unreachable!() };
        for (leaf, stats) in tree.value_stats(train.rows().zip(y.iter().copied())).iter().enumerate() {
            assert!(stats.rows > 0);
            if let Node::Leaf(Leaf::Constant(answer)) = tree.nodes()[leaf] {
                assert!((f64::from(answer) - stats.mean).abs() < 1e-6);
            }
        }
        let kept = taught.kept();
        assert_eq!((kept.taught, kept.synthetic_rows), (TREES, 4 * 200));
        assert!(!kept.is_descent_alone());
    }
}
