//! GET's kernel compared with a slow oracle: the soft pass written out sample by sample and leaf by leaf, and
//! central differences.

use espalier::learn::get::kernel::blocks::{Blocks, Truth};
use espalier::learn::get::kernel::exponential::Exponential;
use espalier::learn::get::paper::parameters::{Answer, Parameters};
use espalier::learn::get::paper::soft_pass::{BatchSums, Workspace};
use espalier::numeric::random::Random;

struct Case {
    rows: Vec<(Vec<f64>, Truth)>,
    depth: usize,
    answer: Answer,
    alpha: f64,
    seed: u64,
}

fn cases() -> Vec<Case> {
    let mut cases = vec![];
    // More and fewer samples than a block, features on both sides of the padding, every kind of leaf.
    for (seed, (samples, features, depth)) in
        [(1, 1, 1), (70, 3, 2), (64, 4, 3), (129, 7, 4), (200, 12, 5)].iter().enumerate()
    {
        for answer in [Answer::Constant, Answer::Linear, Answer::Classes(3)] {
            for alpha in [2.0, 15.0, 100.0] {
                let mut random = Random::new(seed as u64);
                let rows = (0..*samples).map(|_| {
                    let x: Vec<f64> = (0..*features).map(|_| f64::from(random.uniform() as f32)).collect();
                    let weight = f64::from(random.uniform_in(0.5, 1.5) as f32);
                    (
                        x,
                        Truth {
                            value: f64::from(random.uniform() as f32),
                            class: random.below(3) as u32,
                            weight,
                        },
                    )
                });
                cases.push(Case { rows: rows.collect(), depth: *depth, answer, alpha, seed: seed as u64 });
            }
        }
    }
    cases
}

impl Case {
    fn blocks<R: Exponential>(&self) -> Blocks<R> {
        let features = self.rows[0].0.len();
        Blocks::pack_exact(features, self.rows.iter().map(|(x, truth)| (x.iter().copied(), *truth)))
    }

    fn tree<R: Exponential>(&self) -> Parameters<R> {
        let features = self.rows[0].0.len();
        let width = self.blocks::<R>().width();
        let mut random = Random::new(100 + self.seed);
        let mut tree = Parameters::zeros(self.depth, width, self.answer);
        for t in 0..tree.nodes() {
            let plane = tree.plane_mut(t);
            plane[..features + 1].iter_mut().for_each(|w| *w = R::from_f64(random.uniform_in(-1.0, 1.0)));
        }
        for l in 0..=tree.nodes() {
            let linear = tree.answer == Answer::Linear;
            let leaf = tree.leaf_mut(l);
            let count = if linear { features + 1 } else { leaf.len() };
            leaf[..count].iter_mut().for_each(|w| *w = R::from_f64(random.uniform()));
        }
        tree
    }

    /// The loss by its definition: every leaf's share is the product along its path.
    fn loss(&self, tree: &Parameters<f64>) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (x, truth) in &self.rows {
            let with_one: Vec<f64> = x.iter().copied().chain([1.0]).collect();
            let dot = |numbers: &[f64]| numbers.iter().zip(&with_one).map(|(w, x)| w * x).sum::<f64>();
            for leaf in 0..=tree.nodes() {
                let mut share = 1.0;
                let mut at = 0;
                for level in (0..tree.depth).rev() {
                    let right = leaf >> level & 1;
                    let to_left = 1.0 / (1.0 + (-self.alpha * dot(tree.plane(at))).exp());
                    share *= if right == 1 { 1.0 - to_left } else { to_left };
                    at = 2 * at + 1 + right;
                }
                let numbers = tree.leaf(leaf);
                let loss = match tree.answer {
                    Answer::Constant => (truth.value - numbers[0]).powi(2),
                    Answer::Linear => (truth.value - dot(numbers)).powi(2),
                    Answer::Classes(_) => numbers[truth.class as usize],
                };
                sum += truth.weight * share * loss;
            }
            weights += truth.weight;
        }
        sum / weights
    }
}

/// Loss, gradient and the share of nodes computed.
fn pass<R: Exponential>(case: &Case, tree: &Parameters<R>, negligible: f64) -> (f64, BatchSums<R>, f64) {
    let blocks = case.blocks::<R>();
    let (mut workspace, mut sums) = (Workspace::new(tree), BatchSums::new(tree));
    for at in 0..blocks.count() {
        let (alpha, negligible) = (R::from_f64(case.alpha), R::from_f64(negligible));
        workspace.pass(tree, alpha, negligible, blocks.block(at), &mut sums);
    }
    let loss = sums.into_gradient(tree, blocks.features(), 0.0);
    (loss, sums, workspace.visited[0] as f64 / workspace.visited[1] as f64)
}

#[test]
fn the_kernel_agrees_with_the_definition_and_with_central_differences() {
    for case in cases() {
        let tree = case.tree::<f64>();
        let (loss, d, _) = pass(&case, &tree, 0.0);
        assert!((loss - case.loss(&tree)).abs() < 1e-12, "{loss}");
        // With step 1e-6 a central difference is accurate to about 1e-8 at scale factors up to 100.
        let h = 1e-6;
        let mut random = Random::new(case.seed);
        let difference = |change: &dyn Fn(&mut Parameters<f64>, f64)| {
            let at = |step: f64| {
                let mut moved = tree.clone();
                change(&mut moved, step);
                case.loss(&moved)
            };
            (at(h) - at(-h)) / (2.0 * h)
        };
        for _ in 0..12 {
            let at = random.below(tree.planes.len());
            if at % tree.width <= case.rows[0].0.len() {
                let numeric = difference(&|tree, step| tree.planes[at] += step);
                assert!(
                    (d.planes[at] - numeric).abs() < 1e-6 * (1.0 + numeric.abs()),
                    "{} {numeric}",
                    d.planes[at]
                );
            }
            let at = random.below(tree.leaves.len());
            let padding = tree.answer == Answer::Linear && at % tree.width > case.rows[0].0.len();
            if !padding && !matches!(tree.answer, Answer::Classes(_)) {
                let numeric = difference(&|tree, step| tree.leaves[at] += step);
                assert!(
                    (d.leaves[at] - numeric).abs() < 1e-6 * (1.0 + numeric.abs()),
                    "{} {numeric}",
                    d.leaves[at]
                );
            }
        }
    }
}

#[test]
fn f32_lanes_agree_with_f64() {
    for case in cases() {
        let ((exact, d, _), (quick, q, _)) =
            (pass(&case, &case.tree::<f64>(), 0.0), pass(&case, &case.tree::<f32>(), 0.0));
        // BatchSums of up to 200 terms, each amplified by a scale factor of up to 100: four digits are left.
        assert!((exact - quick).abs() < 1e-5 * (1.0 + exact));
        let most = d.planes.iter().fold(1e-3, |most: f64, d| most.max(d.abs()));
        for (exact, quick) in d.planes.iter().zip(&q.planes) {
            assert!((exact - f64::from(*quick)).abs() < 1e-3 * most, "{exact} {quick}");
        }
    }
}

#[test]
fn truncation_saves_work_and_stays_within_its_bound() {
    for case in cases().into_iter().filter(|case| case.answer == Answer::Constant) {
        let tree = case.tree::<f64>();
        let (exact, d, all) = pass(&case, &tree, 0.0);
        assert_eq!(all, 1.0);
        for negligible in [1e-4, 1e-7] {
            let (loss, t, _) = pass(&case, &tree, negligible);
            // The mass dropped per sample is at most the number of cuts times the limit; a leaf's loss is at
            // most 1 here.
            let cuts = (tree.nodes() + 1) as f64;
            assert!((loss - exact).abs() <= cuts * negligible, "{loss} {exact}");
            for (exact, truncated) in d.planes.iter().zip(&t.planes) {
                assert!((exact - truncated).abs() <= case.alpha * cuts * negligible, "{exact} {truncated}");
            }
        }
    }
    // Samples in one corner of the cube reach few nodes of a steep tree.
    let mut corner = cases().pop().unwrap();
    corner.alpha = 200.0;
    corner.answer = Answer::Constant;
    corner.rows.iter_mut().for_each(|(x, _)| x.iter_mut().for_each(|x| *x *= 0.05));
    let (_, _, visited) = pass(&corner, &corner.tree::<f64>(), 1e-7);
    assert!(visited < 0.8, "{visited}");
}
