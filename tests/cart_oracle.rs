//! CART compared with slow but obviously correct searches, on many small random problems.

use std::sync::Arc;

use espalier::encode::{Design, Labels};
use espalier::learn::cart::{CartTraining, ClassWeight, Config, Criterion};
use espalier::learn::greedy::exact::{ExactNode, Splitter};
use espalier::learn::{StopReason, Training};
use espalier::tree::{Node, Tree};
use nalgebra::DMatrix;

/// SplitMix64, so that problems are the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// A problem with few distinct values, so that ties, constant columns and empty sides all occur.
fn problem(seed: u64) -> (Config, Arc<Design>) {
    let mut random = Random(seed);
    let criterion = [Criterion::Gini, Criterion::Entropy, Criterion::SquaredError][(seed % 3) as usize];
    let samples = 2 + random.below(24) as usize;
    let features = 1 + random.below(4) as usize;
    let missing_percent = [0, 0, 15, 50][random.below(4) as usize];
    let distinct = 2 + random.below(9);
    let x = DMatrix::from_fn(features, samples, |_, _| {
        if random.below(100) < missing_percent { f32::NAN } else { random.below(distinct) as f32 * 0.3 - 1.0 }
    });
    let y = if criterion == Criterion::SquaredError {
        let offset = [0.0, 1e6][random.below(2) as usize];
        Labels::Values((0..samples).map(|_| offset + random.below(20) as f64 * 0.7).collect())
    } else {
        let classes = 2 + random.below(3) as usize;
        Labels::Classes {
            label: (0..samples).map(|_| random.below(classes as u64) as u32).collect(),
            classes,
        }
    };
    let weighted = criterion != Criterion::SquaredError && random.below(2) == 1;
    let config = Config {
        depth: 1 + random.below(6) as u32,
        criterion,
        min_samples_split: 2 + random.below(3) as u32,
        min_samples_leaf: 1 + random.below(3) as u32,
        class_weight: if weighted { ClassWeight::Balanced } else { ClassWeight::None },
        ..Config::default()
    };
    config.check(&Design { x: x.clone(), y: y.clone() }).unwrap();
    (config, Arc::new(Design { x, y }))
}

/// The weight of each sample, from the definition of balanced weights.
fn weights(config: &Config, design: &Design) -> Vec<f64> {
    match (&design.y, config.class_weight) {
        (Labels::Classes { label, classes }, ClassWeight::Balanced) => {
            let count = |class: u32| label.iter().filter(|&&other| other == class).count();
            let occurring = (0..*classes as u32).filter(|&class| count(class) > 0).count();
            label.iter().map(|&class| label.len() as f64 / (occurring as f64 * count(class) as f64)).collect()
        }
        _ => vec![1.0; design.samples()],
    }
}

/// Weight times impurity of some samples, from the definitions; the variance in two passes.
fn weighted_impurity(config: &Config, design: &Design, weights: &[f64], samples: &[u32]) -> f64 {
    let total: f64 = samples.iter().map(|&i| weights[i as usize]).sum();
    let impurity: f64 = match &design.y {
        Labels::Classes { label, classes } => {
            let shares = (0..*classes as u32).map(|class| {
                samples
                    .iter()
                    .filter(|&&i| label[i as usize] == class)
                    .map(|&i| weights[i as usize])
                    .sum::<f64>()
                    / total
            });
            let shares: Vec<f64> = shares.filter(|&p| p > 0.0).collect();
            match config.criterion {
                Criterion::Entropy => shares.iter().map(|p| -p * p.log2()).sum(),
                _ => shares.iter().map(|p| p * (1.0 - p)).sum(),
            }
        }
        Labels::Values(values) => {
            let mean = samples.iter().map(|&i| values[i as usize]).sum::<f64>() / total;
            samples.iter().map(|&i| (values[i as usize] - mean) * (values[i as usize] - mean)).sum::<f64>()
                / total
        }
    };
    total * impurity
}

/// The lowest weighted impurity of two sides over all features, thresholds and sides of the missing values.
fn best_by_trying_all(config: &Config, design: &Design, weights: &[f64], samples: &[u32]) -> Option<f64> {
    let mut best: Option<f64> = None;
    for feature in 0..design.features() {
        let value = |i: u32| design.row(i as usize)[feature];
        let mut values: Vec<f32> = samples.iter().map(|&i| value(i)).filter(|v| !v.is_nan()).collect();
        values.sort_by(f32::total_cmp);
        values.dedup();
        // Splitting above the last value separates the missing values from the rest.
        for &threshold in &values {
            for missing_left in [false, true] {
                let (left, right): (Vec<u32>, Vec<u32>) = samples
                    .iter()
                    .partition(|&&i| if value(i).is_nan() { missing_left } else { value(i) <= threshold });
                if left.len().min(right.len()) < config.min_samples_leaf as usize {
                    continue;
                }
                let sum = weighted_impurity(config, design, weights, &left)
                    + weighted_impurity(config, design, weights, &right);
                best = Some(best.map_or(sum, |best| best.min(sum)));
            }
        }
    }
    best
}

/// The two ways to compute an impurity round differently; the labels have an offset of up to 1e6.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-8 * (1.0 + b.abs())
}

fn grown(config: &Config, design: &Arc<Design>) -> CartTraining {
    let mut growth = CartTraining::new(config, design.clone());
    while growth.step().stop.is_none() {}
    growth
}

/// Calls `visit` with every node and the samples that reach it.
fn for_each_node(nodes: &[ExactNode], design: &Design, visit: &mut dyn FnMut(&ExactNode, &[u32])) {
    let mut waiting = vec![(0, (0..design.samples() as u32).collect::<Vec<u32>>())];
    while let Some((id, samples)) = waiting.pop() {
        let node = &nodes[id];
        visit(node, &samples);
        if let (Some(best), Some([left, right])) = (node.split, node.children) {
            let goes_left =
                |i: u32| best.split().goes_left(design.row(i as usize)).unwrap_or(best.default_left);
            let (to_left, to_right): (Vec<u32>, Vec<u32>) = samples.iter().partition(|&&i| goes_left(i));
            waiting.extend([(left, to_left), (right, to_right)]);
        }
    }
}

#[test]
fn every_split_is_the_best_of_all_and_every_leaf_has_a_reason() {
    let (mut splits, mut splits_with_missing, mut leaves, mut weighted) = (0, 0, 0, 0);
    for seed in 0..3000 {
        let (config, design) = problem(seed);
        let weights = weights(&config, &design);
        let growth = grown(&config, &design);
        for_each_node(growth.nodes(), &design, &mut |node, samples| {
            let impurity = weighted_impurity(&config, &design, &weights, samples);
            assert_eq!(node.summary.rows, samples.len(), "seed {seed}");
            assert!(near(node.summary.weight * node.summary.impurity, impurity), "seed {seed}");
            let best = best_by_trying_all(&config, &design, &weights, samples);
            match (node.split, node.children) {
                (Some(found), Some(children)) => {
                    let sides: f64 = children
                        .map(|child| growth.nodes()[child].summary.clone())
                        .iter()
                        .map(|side| side.weight * side.impurity)
                        .sum();
                    assert!(near(sides, best.unwrap()), "seed {seed}: {sides} instead of {best:?}");
                    assert!(node.depth < config.depth && samples.len() >= config.min_samples_split as usize);
                    let sizes = children.map(|child| growth.nodes()[child].summary.rows);
                    assert!(
                        sizes.iter().all(|&rows| rows >= config.min_samples_leaf as usize),
                        "seed {seed}"
                    );
                    let missing = samples.iter().any(|&i| design.row(i as usize)[found.feature].is_nan());
                    assert!(missing || found.default_left == (sizes[0] > sizes[1]), "seed {seed}");
                    splits += 1;
                    splits_with_missing += usize::from(missing);
                    weighted += usize::from(config.class_weight == ClassWeight::Balanced);
                }
                _ => {
                    let least = config.min_samples_split.max(2 * config.min_samples_leaf) as usize;
                    let stopped = node.depth == config.depth || samples.len() < least || impurity < 1e-9;
                    assert!(stopped || best.is_none(), "seed {seed}: could be split to {best:?}");
                    leaves += 1;
                }
            }
        });
    }
    // The problems must exercise all these cases.
    let exercised = [splits, splits_with_missing, leaves, weighted];
    assert!(exercised.iter().zip([3000, 500, 3000, 500]).all(|(seen, least)| *seen > least), "{exercised:?}");
}

#[test]
fn the_tree_sends_each_training_sample_to_the_leaf_that_counted_it() {
    for seed in 0..500 {
        let (config, design) = problem(seed);
        let growth = grown(&config, &design);
        let tree = growth.best();
        for_each_node(growth.nodes(), &design, &mut |node, samples| {
            if node.children.is_none() {
                for &i in samples {
                    let row = design.row(i as usize);
                    let answer: Vec<f64> =
                        node.summary.answer.iter().map(|&value| f64::from(value as f32)).collect();
                    assert_eq!(tree.output(tree.leaf_of(row), row), answer, "seed {seed}");
                }
            }
        });
    }
}

#[test]
fn a_split_that_decreases_impurity_by_less_than_the_minimum_is_not_made() {
    for seed in 0..600 {
        let (config, design) = problem(seed);
        let weights = weights(&config, &design);
        let all: Vec<u32> = (0..design.samples() as u32).collect();
        let Some(best) = best_by_trying_all(&config, &design, &weights, &all) else { continue };
        let root = weighted_impurity(&config, &design, &weights, &all);
        let decrease = (root - best) / weights.iter().sum::<f64>();
        let root_splits = |min_impurity_decrease: f64, min_samples_split: u32| {
            let config = Config { min_impurity_decrease, min_samples_split, ..config.clone() };
            let splitter = Splitter::new(config.rules(), design.clone());
            let features: Vec<usize> = (0..design.features()).collect();
            splitter.split(&mut all.clone(), 0, &splitter.summary(&all), &features).is_some()
        };
        if root > 1e-9 && all.len() >= 2 * config.min_samples_leaf as usize {
            assert!(root_splits((decrease - 1e-6).max(0.0), 2), "seed {seed}");
            assert!(!root_splits(decrease + 1e-6, 2), "seed {seed}");
            assert!(!root_splits(0.0, all.len() as u32 + 1), "seed {seed}");
        }
    }
}

/// Weakest-link pruning that recomputes everything in each step: the ids of the remaining nodes.
fn prune_by_weakest_link(nodes: &[ExactNode], alpha: f64) -> Vec<usize> {
    fn below(nodes: &[ExactNode], is_leaf: &[bool], id: usize, remain: &mut Vec<usize>) -> (f64, usize) {
        remain.push(id);
        match nodes[id].children {
            Some([left, right]) if !is_leaf[id] => {
                let (a, b) = (below(nodes, is_leaf, left, remain), below(nodes, is_leaf, right, remain));
                (a.0 + b.0, a.1 + b.1)
            }
            _ => (cost(nodes, id), 1),
        }
    }
    fn cost(nodes: &[ExactNode], id: usize) -> f64 {
        nodes[id].summary.impurity * nodes[id].summary.weight / nodes[0].summary.weight
    }
    let mut is_leaf: Vec<bool> = nodes.iter().map(|node| node.children.is_none()).collect();
    loop {
        let mut remain = Vec::new();
        below(nodes, &is_leaf, 0, &mut remain);
        let weakest = remain.iter().filter(|&&id| !is_leaf[id]).map(|&id| {
            let (branch, leaves) = below(nodes, &is_leaf, id, &mut Vec::new());
            ((cost(nodes, id) - branch) / (leaves - 1) as f64, id)
        });
        match weakest.min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((weakness, id)) if weakness <= alpha => is_leaf[id] = true,
            _ => return remain,
        }
    }
}

/// The splits of a tree from left to right, depth-first.
fn splits(tree: &Tree) -> Vec<&Node> {
    let mut found = Vec::new();
    let mut waiting = vec![0];
    while let Some(id) = waiting.pop() {
        if let Node::Split { left, right, .. } = &tree.nodes()[id] {
            found.push(&tree.nodes()[id]);
            waiting.extend([*right, *left]);
        }
    }
    found
}

#[test]
fn pruning_is_that_of_the_weakest_link() {
    let (mut partly, mut wholly) = (0, 0);
    for seed in 0..1500 {
        let (mut config, design) = problem(seed);
        (config.depth, config.min_samples_split, config.min_samples_leaf) = (8, 2, 1);
        let scale = if config.criterion == Criterion::SquaredError { 10.0 } else { 0.2 };
        // An odd step, so that no alpha equals a link's strength; these are ratios of small numbers.
        config.ccp_alpha = scale * (Random(seed).below(1000) as f64 + 0.618_033_988_7) / 1000.0;
        let growth = grown(&config, &design);
        let remain = prune_by_weakest_link(growth.nodes(), config.ccp_alpha);
        let pruned = growth.best();
        assert_eq!(pruned.size(), remain.len(), "seed {seed}");
        let kept: Vec<_> = remain
            .iter()
            .filter(|&&id| growth.nodes()[id].children.is_some_and(|c| remain.contains(&c[0])))
            .collect();
        for (ours, &&id) in splits(&pruned).into_iter().zip(&kept) {
            let Node::Split { split, .. } = ours else { unreachable!() };
            assert_eq!(*split, growth.nodes()[id].split.unwrap().split(), "seed {seed}");
        }
        partly += usize::from(pruned.size() > 1 && pruned.size() < growth.nodes().len());
        wholly += usize::from(pruned.size() == 1 && growth.nodes().len() > 1);
    }
    assert!(partly > 200 && wholly > 20, "{partly} {wholly}");
}

#[test]
fn growth_goes_node_by_node_and_shows_the_tree_so_far() {
    let (config, design) =
        (7..).map(problem).find(|(config, design)| grown(config, design).nodes().len() > 8).unwrap();
    let mut growth = CartTraining::new(&config, design.clone());
    assert_eq!((growth.current().size(), growth.progress().share), (1, 0.0));
    let (mut size, mut share, mut steps) = (1, 0.0, 0);
    while growth.progress().stop.is_none() {
        let progress = growth.step();
        steps += 1;
        assert_eq!((progress.step, progress.restarts), (steps, 1));
        let tree = growth.current();
        assert!(tree.size() == size || tree.size() == size + 2);
        assert!(progress.share >= share && (progress.share == 1.0) == progress.stop.is_some());
        (size, share) = (tree.size(), progress.share);
    }
    // Each node was processed once, and a step after the end does nothing.
    assert_eq!(steps as usize, size);
    let end = growth.progress();
    assert_eq!(end.stop, Some(StopReason::Grown));
    assert_eq!(growth.step(), end);
}

#[test]
fn splits_that_gain_nothing_are_made_when_they_lead_on() {
    // XOR: no first split helps, two levels solve it.
    let x = DMatrix::from_row_slice(2, 4, &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    let design = Arc::new(Design { x, y: Labels::Classes { label: vec![0, 1, 1, 0], classes: 2 } });
    let tree = grown(&Config::default(), &design).best();
    assert_eq!((tree.leaves(), tree.depth()), (4, 2));
}

#[test]
fn criteria_and_weights_that_do_not_suit_the_target_are_refused_in_words() {
    let design = |y: Labels| Design { x: DMatrix::from_element(1, y.len(), 1.0), y };
    let classes = design(Labels::Classes { label: vec![0, 1], classes: 2 });
    let values = design(Labels::Values(vec![0.5, 1.5]));
    let empty = design(Labels::Values(vec![]));
    let check = |config: Config, design: &Design, code: &str, words: &str| {
        let error = config.check(design).unwrap_err();
        assert_eq!(error.code.as_str(), code);
        assert!(error.to_string().contains(words), "{error}");
    };
    let with = |criterion| Config { criterion, ..Config::default() };
    check(with(Criterion::SquaredError), &classes, "bad_value", "Choose \"gini\"");
    check(with(Criterion::Gini), &values, "bad_value", "\"gini\" is for classes");
    check(with(Criterion::Entropy), &values, "bad_value", "\"entropy\" is for classes");
    check(
        Config { class_weight: ClassWeight::Balanced, ..Config::default() },
        &values,
        "bad_value",
        "class_weight",
    );
    check(Config::default(), &empty, "too_few_rows", "no row");
    for design in [&classes, &values] {
        Config::default().check(design).unwrap();
    }
}
