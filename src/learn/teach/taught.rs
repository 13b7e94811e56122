//! Any training on rows that a forest labelled, behind the real ones.
//!
//! A forest grows on the training rows. Synthetic rows are recombined from real ones, and the forest labels
//! them: with a number, or with a class drawn by its votes. The learner then trains on both. Real rows keep
//! their labels, and validation rows are always real.

use std::sync::Arc;

use super::labelled_rows::LabelledRows;
use crate::encode::{Design, Labels};
use crate::learn::forest::ForestGrowth;
use crate::learn::{Kept, Phase, Progress, Training, Value, Work};
use crate::numeric::pinball::Pinball;
use crate::numeric::random::Random;
use crate::tree::{Leaf, Node, PostTransform, Tree};

/// Trees of the forest.
const TREES: usize = 50;
/// The share of the work that is done when the forest has grown, and when the rows are labelled.
const GROWN: f64 = 0.3;
const LABELLED: f64 = 0.4;

/// Begins the learner on a design.
type Begin = Box<dyn FnMut(Arc<Design>) -> Box<dyn Training> + Send>;

/// A training that begins with a forest.
pub struct Taught {
    /// The real rows.
    train: Arc<Design>,
    state: State,
    begin: Begin,
    steps: u64,
    /// The loss of leaves that are statistics of their rows: they are taken anew from the real rows.
    statistics: Option<Option<Pinball>>,
    seed: u64,
    /// The file's column behind each column of the design; empty where each stands for itself.
    feature: Vec<usize>,
    synthetic: u32,
}

enum State {
    Forest(Box<ForestGrowth>),
    Rows(Box<LabelledRows>),
    Learner(Box<dyn Training>),
}

impl Taught {
    /// Begins with the forest. `feature` has the file's column behind each column of the design; it is empty
    /// where each stands for itself. `begin` begins the learner.
    pub fn new(
        train: Arc<Design>,
        feature: Vec<usize>,
        seed: u64,
        begin: impl FnMut(Arc<Design>) -> Box<dyn Training> + Send + 'static,
    ) -> Taught {
        Taught {
            state: State::Forest(Box::new(ForestGrowth::new(train.clone(), TREES, seed))),
            begin: Box::new(begin),
            steps: 0,
            statistics: None,
            seed,
            feature,
            synthetic: 0,
            train,
        }
    }

    /// Leaves are statistics of their rows, under a loss of numbers if that is not the squared error.
    pub fn with_statistics(self, pinball: Option<Pinball>) -> Taught {
        Taught { statistics: Some(pinball), ..self }
    }

    fn learner(&self) -> Option<&dyn Training> {
        if let State::Learner(learner) = &self.state { Some(&**learner) } else { None }
    }

    /// A tree of the learner as the real rows find it.
    fn real(&self, tree: Option<Tree>) -> Tree {
        let Some(tree) = tree else {
            let classes = if let Labels::Classes { classes, .. } = &self.train.y { Some(*classes) } else { None };
            let leaf = classes.map_or(Leaf::Constant(0.0), |classes| Leaf::Scores(vec![0.0; classes]));
            return self.answered(&Tree::new(vec![Node::Leaf(leaf)]).expect("a leaf is a tree"), None);
        };
        let tree = tree.without_empty_branches(self.train.rows()).without_idle_splits();
        self.statistics.map_or_else(|| tree.clone(), |pinball| self.answered(&tree, pinball))
    }

    /// The tree with every leaf answering for the real rows that reach it.
    fn answered(&self, tree: &Tree, pinball: Option<Pinball>) -> Tree {
        let leaves = tree.leaves_of(self.train.rows());
        let answers: Vec<Option<Leaf>> = match &self.train.y {
            Labels::Classes { label, classes } => {
                let rows = self.train.rows().zip(label.iter().copied());
                let share = |counts: Vec<usize>| {
                    let all = counts.iter().sum::<usize>().max(1) as f32;
                    Some(Leaf::Scores(counts.into_iter().map(|count| count as f32 / all).collect()))
                };
                tree.class_stats(rows, *classes).into_iter().map(|stats| share(stats.counts)).collect()
            }
            Labels::Values(values) => {
                let mut reached = vec![vec![]; tree.size()];
                leaves.iter().zip(values).for_each(|(&leaf, &value)| reached[leaf as usize].push(value));
                let answer = |values: Vec<f64>| match (pinball, values.len()) {
                    (_, 0) => None,
                    (Some(pinball), _) => Some(Leaf::Constant(pinball.answer_to(values) as f32)),
                    (None, count) => Some(Leaf::Constant((values.iter().sum::<f64>() / count as f64) as f32)),
                };
                reached.into_iter().map(answer).collect()
            }
        };
        let nodes = tree.nodes().iter().zip(answers).map(|(node, answer)| match (node, answer) {
            (Node::Leaf(_), Some(answer)) => Node::Leaf(answer),
            (node, _) => node.clone(),
        });
        Tree::new(nodes.collect()).expect("the same tree with other leaves")
    }
}

impl Training for Taught {
    fn step(&mut self) -> Progress {
        match &mut self.state {
            State::Forest(growth) => {
                self.steps += 1;
                if !growth.step() {
                    let (trees, random) = (growth.trees().to_vec(), Random::stream(self.seed, "taught rows"));
                    let rows = LabelledRows::new(&self.train, &self.feature, trees, random);
                    self.state = State::Rows(Box::new(rows));
                }
            }
            State::Rows(rows) => {
                self.steps += 1;
                if let Some(design) = rows.advance(&self.train) {
                    self.synthetic = (design.samples() - self.train.samples()) as u32;
                    self.state = State::Learner((self.begin)(Arc::new(design)));
                }
            }
            State::Learner(learner) => {
                learner.step();
            }
        }
        self.progress()
    }

    fn progress(&self) -> Progress {
        let begun = |share: f64, phase: Phase| Progress { restarts: 1, share, phase, ..Progress::default() };
        let progress = match &self.state {
            State::Forest(growth) => {
                let (grown, all) = growth.grown();
                begun(GROWN * growth.share(), Phase::from(Work::Teachers).counted(grown, all))
            }
            State::Rows(rows) => {
                let (made, all) = rows.made(&self.train);
                let share = GROWN + (LABELLED - GROWN) * made as f64 / all.max(1) as f64;
                begun(share, Phase::from(Work::MadeUpRows).counted(made, all))
            }
            State::Learner(learner) => {
                let progress = learner.progress();
                Progress { share: LABELLED + (1.0 - LABELLED) * progress.share, ..progress }
            }
        };
        Progress { step: progress.step + self.steps, ..progress }
    }

    /// A branch that only synthetic rows reach is left out.
    fn current(&self) -> Tree {
        self.real(self.learner().map(Training::current))
    }

    fn best(&self) -> Tree {
        self.real(self.learner().map(Training::best))
    }

    fn chosen(&self) -> Tree {
        self.real(self.learner().map(Training::chosen))
    }

    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        match self.learner() {
            Some(learner) => learner.settle(tree, rows),
            None => tree.clone(),
        }
    }

    fn post_transform(&self) -> PostTransform {
        self.learner().map_or(PostTransform::None, Training::post_transform)
    }

    fn decided(&self) -> Vec<(&'static str, Value)> {
        self.learner().map_or(vec![], Training::decided)
    }

    fn kept(&self) -> Kept {
        let Some(learner) = self.learner() else { return Kept::default() };
        let kept = learner.kept();
        Kept { taught: TREES as u32, synthetic_rows: kept.synthetic_rows + self.synthetic, ..kept }
    }

    fn epochs_per_frame(&self) -> usize {
        self.learner().map_or(1, Training::epochs_per_frame)
    }

    fn relaxed_answers(&self, rows: &Design) -> Option<Vec<Vec<f64>>> {
        self.learner()?.relaxed_answers(rows)
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
        let mut taught = Taught::new(train.clone(), vec![0, 1, 1], 3, move |design| {
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
        assert_eq!((kept.taught, kept.synthetic_rows), (TREES as u32, 4 * 200));
        assert!(!kept.is_descent_alone());
    }
}
