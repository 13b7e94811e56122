//! Any training on rows that a forest labelled, behind the real ones.
//!
//! A forest grows on the training rows. Synthetic rows are recombined from real ones, and the forest labels
//! them: with a number, or with a class drawn by its votes. The learner then trains on both. Real rows keep
//! their labels, and validation rows are always real.

use std::sync::Arc;

use nalgebra::DMatrix;

use crate::encode::{Design, Labels};
use crate::learn::forest::ForestGrowth;
use crate::learn::{Kept, Phase, Progress, Training, Value, Work};
use crate::numeric::pinball::Pinball;
use crate::numeric::random::Random;
use crate::tree::{Leaf, Node, PostTransform, Tree};

/// Trees of the forest.
const TREES: usize = 50;
/// The probability that a column comes from another row.
const SWAP: f64 = 0.25;
/// Synthetic rows per real row,
const TIMES: usize = 4;
/// and at most so many.
const MOST: usize = 20_000;
/// Rows that one step makes and labels.
const PIECE: usize = 200;
/// The share of the work that is done when the forest has grown, and when the rows are labelled.
const GROWN: f64 = 0.3;
const LABELLED: f64 = 0.4;

/// Begins the learner on a design.
type Begin = Box<dyn FnOnce(Arc<Design>) -> Box<dyn Training> + Send>;

/// A training that begins with a forest.
pub struct Taught {
    /// The real rows.
    train: Arc<Design>,
    state: State,
    begin: Option<Begin>,
    steps: u64,
    /// The loss of leaves that are statistics of their rows: they are taken anew from the real rows.
    statistics: Option<Option<Pinball>>,
    random: Random,
    /// The columns of the design that stand for one column of the file, for each of the file's.
    columns: Vec<Vec<usize>>,
    synthetic: u32,
}

enum State {
    Forest(Box<ForestGrowth>),
    Rows(Rows),
    Learner(Box<dyn Training>),
}

/// Synthetic rows in the making, behind the real ones.
struct Rows {
    forest: Vec<Tree>,
    x: Vec<f32>,
    y: Labels,
    wanted: usize,
}

impl Taught {
    /// Begins with the forest. `feature` has the file's column behind each column of the design; it is empty
    /// where each stands for itself.
    pub fn new(
        train: Arc<Design>,
        feature: &[usize],
        seed: u64,
        begin: impl FnOnce(Arc<Design>) -> Box<dyn Training> + Send + 'static,
    ) -> Taught {
        let of_file = |column: usize| feature.get(column).copied().unwrap_or(column);
        let most = (0..train.features()).map(of_file).max().map_or(0, |most| most + 1);
        let mut columns = vec![vec![]; most];
        (0..train.features()).for_each(|column| columns[of_file(column)].push(column));
        Taught {
            state: State::Forest(Box::new(ForestGrowth::new(train.clone(), TREES, seed))),
            begin: Some(Box::new(begin)),
            steps: 0,
            statistics: None,
            random: Random::stream(seed, "taught rows"),
            columns,
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

    /// The forest has grown: rows can be labelled.
    fn begin_rows(&self, forest: Vec<Tree>) -> State {
        let (x, y) = (self.train.x.as_slice().to_vec(), self.train.y.clone());
        let wanted = self.train.samples() + (TIMES * self.train.samples()).min(MOST);
        State::Rows(Rows { forest, x, y, wanted })
    }

    /// Makes some rows, or begins the learner once all are there.
    fn advance_rows(&mut self) {
        let Taught { state: State::Rows(rows), train, random, columns, .. } = self else { return };
        let (features, samples) = (train.features(), train.samples());
        for _ in 0..PIECE.min(rows.wanted - rows.y.len()) {
            let at = rows.x.len();
            rows.x.extend_from_slice(train.row(random.below(samples)));
            for column in columns.iter() {
                if random.uniform() < SWAP {
                    let other = train.row(random.below(samples));
                    column.iter().for_each(|&place| rows.x[at + place] = other[place]);
                }
            }
            let votes = votes(&rows.forest, &rows.x[at..]);
            match &mut rows.y {
                Labels::Values(values) => values.push(votes[0]),
                Labels::Classes { label, .. } => label.push(drawn(&votes, random.uniform())),
            }
        }
        if rows.y.len() < rows.wanted {
            return;
        }
        let (x, y) = (std::mem::take(&mut rows.x), rows.y.clone());
        self.synthetic = (y.len() - samples) as u32;
        let design = Design { x: DMatrix::from_vec(features, y.len(), x), y };
        if let Some(begin) = self.begin.take() {
            self.state = State::Learner(begin(Arc::new(design)));
        }
    }
}

/// The mean answer of some trees to a row.
fn votes(forest: &[Tree], row: &[f32]) -> Vec<f64> {
    let mut sum: Vec<f64> = vec![];
    for tree in forest {
        let answer = tree.output(tree.leaf_of(row), row);
        sum.resize(answer.len(), 0.0);
        sum.iter_mut().zip(answer).for_each(|(sum, answer)| *sum += answer);
    }
    sum.iter_mut().for_each(|sum| *sum /= forest.len() as f64);
    sum
}

/// The class at a place between 0 and 1 among shares that add up to 1.
fn drawn(shares: &[f64], mut place: f64) -> u32 {
    for (class, share) in (0u32..).zip(shares) {
        place -= share;
        if place < 0.0 {
            return class;
        }
    }
    // Rounding: the shares add up to a little less than 1.
    shares.iter().rposition(|&share| share > 0.0).unwrap_or(0) as u32
}

impl Training for Taught {
    fn step(&mut self) -> Progress {
        match &mut self.state {
            State::Forest(growth) => {
                self.steps += 1;
                if !growth.step() {
                    let trees = growth.trees().to_vec();
                    self.state = self.begin_rows(trees);
                }
            }
            State::Rows(_) => {
                self.steps += 1;
                self.advance_rows();
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
                let (real, made) = (self.train.samples(), rows.y.len() - self.train.samples());
                let all = rows.wanted - real;
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
    use super::*;
    use crate::learn::cart::{self, CartTraining};

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
        assert_eq!((kept.taught, kept.synthetic_rows), (TREES as u32, 4 * 200));
        assert!(!kept.is_descent_alone());
    }

    #[test]
    fn classes_are_drawn_by_their_shares() {
        assert_eq!([0.0, 0.24, 0.26, 0.99].map(|place| drawn(&[0.25, 0.75, 0.0], place)), [0, 0, 1, 1]);
        assert_eq!(drawn(&[0.5, 0.4999999], 0.99999999), 1);
    }
}
