//! Inspecting a training: frames, rows, maps, paths and why two trees differ.

use super::*;

/// A finished training with its result.
fn trained(text: &str, settings: TrainSettings) -> (Session, espalier::protocol::TreeResult) {
    let mut session = Session::default();
    load(&mut session, text);
    assert!(matches!(train(&mut session, settings), Event::Started { .. }));
    while !session.advance(1000, false) {}
    let Event::Trained { result, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else { panic!() };
    (session, result)
}

#[test]
fn every_node_is_drawn_with_the_rows_that_reach_it() {
    let mut session = Session::default();
    load(&mut session, &table());
    let request = Request::Train { run: 2, settings: settings("gradtree") };
    let Reply { event: Event::Started { cart, .. }, numbers: Some(cart_marks), .. } =
        session.handle(request, &[])
    else {
        panic!()
    };
    while !session.advance(1000, false) {}
    let Reply { event: Event::Trained { result, .. }, numbers: Some(marks), .. } =
        session.handle(Request::Stop { run: 2 }, &[])
    else {
        panic!()
    };
    let cart = cart.unwrap();
    for (tree, marks) in [(&cart.tree, &cart_marks), (&result.tree, &marks)] {
        let (bins, slots) = (marks[0] as usize, marks[1] as usize);
        let record = 4 + bins * slots;
        assert_eq!((slots, marks.len()), (2, 2 + tree.nodes.len() * record));
        for (node, mark) in tree.nodes.iter().zip(marks[2..].chunks(record)) {
            let counted: f32 = mark[4..].iter().sum();
            if node.left.is_none() {
                assert_eq!(counted, 0.0);
            } else if let Some(threshold) = node.threshold {
                assert!(mark[0] < mark[1] && (f64::from(mark[2]) - threshold).abs() < 1e-6, "{mark:?}");
                assert!(counted > 0.0 && counted <= node.rows as f32);
            }
        }
    }
    // The greedy tree's own threshold is where a greedy learner would split: its first node shows it, up to
    // the rows it may not see.
    let first = &marks[2..6];
    assert!(!first[3].is_finite() || (first[0]..=first[1]).contains(&first[3]), "{first:?}");
}

#[test]
fn a_training_can_be_looked_at_again_frame_by_frame() {
    let (mut session, result) = trained(&table(), settings("gradtree"));
    let Reply { event: Event::Frames { run: 2 }, numbers: Some(list), .. } =
        session.handle(Request::Frames { run: 2 }, &[])
    else {
        panic!()
    };
    let frames = list.len() / 5;
    assert!((20..=1000).contains(&frames), "{frames}");
    assert!(list.chunks(5).any(|frame| frame[2] == 1.0), "some node changed its feature on the way");
    assert!(list.chunks(5).skip(1).all(|frame| frame[0] >= 1.0 && frame[1] >= 1.0 && frame[4].is_finite()));
    let mut choosing = 0;
    for frame in [0, frames as u32 / 2, frames as u32 - 1] {
        let Reply { event: Event::Frame { tree, metrics, .. }, numbers: Some(marks), .. } =
            session.handle(Request::Frame { run: 2, frame }, &[])
        else {
            panic!()
        };
        assert!(metrics.contains_key("valid") && metrics["test"]["accuracy"] >= 0.0);
        assert_eq!(marks.len(), 2 + tree.nodes.len() * (4 + 16 * 2));
        choosing += tree.nodes.iter().filter(|node| !node.leading.is_empty()).count();
    }
    assert!(choosing > 0, "frames keep what their splits wavered between");
    assert_eq!(code(&session.handle(Request::Frame { run: 2, frame: 5000 }, &[]).event), "bad_request");
    assert_eq!(code(&session.handle(Request::Frames { run: 7 }, &[]).event), "bad_request");
    assert!(!result.tree.nodes.is_empty());
}

#[test]
fn rows_are_judged_as_the_scores_say() {
    let (mut session, result) = trained(&table(), settings("gradtree"));
    let Reply { event: Event::Rows { cart, gradient, .. }, numbers: Some(rows), .. } =
        session.handle(Request::Rows { run: 2 }, &[])
    else {
        panic!()
    };
    assert_eq!(rows.len(), 120 * 7);
    let test: Vec<&[f32]> = rows.chunks(7).filter(|row| row[0] == 2.0).collect();
    let right = test.iter().filter(|row| row[1] == row[5]).count() as f64;
    assert!((right / test.len() as f64 - result.metrics["test"]["accuracy"]).abs() < 1e-12);
    for row in &test {
        let leaf = &result.tree.nodes[row[3] as usize];
        assert_eq!(leaf.answer, ["no", "yes"][row[5] as usize]);
    }
    // A scored row can be found in the file by its position.
    let last = test.last().unwrap();
    let Event::Row { cells, .. } = session.handle(Request::Row { run: 2, row: last[6] as u32 }, &[]).event
    else {
        panic!()
    };
    let line = table().lines().nth(last[6] as usize + 1).unwrap().to_owned();
    assert_eq!(cells.join(","), line);
    assert_eq!(cells[3], ["no", "yes"][last[1] as usize]);
    assert_eq!(code(&session.handle(Request::Row { run: 2, row: 120 }, &[]).event), "bad_request");
    assert!(!cart.is_empty() && gradient.iter().all(|column| column.worth.abs() <= 1.0));
    assert!(gradient.iter().any(|column| column.worth > 0.1), "{gradient:?}");
}

#[test]
fn a_map_shows_both_trees_over_two_columns() {
    let (mut session, _) = trained(&table(), settings("gradtree"));
    let ask = |frame| Request::Map { run: 2, frame, x: "a".into(), y: "b".into() };
    let Reply { event: Event::Map { side, .. }, numbers: Some(map), .. } = session.handle(ask(None), &[])
    else {
        panic!()
    };
    let cells = (side * side) as usize;
    assert_eq!(map.len(), 4 + 2 * cells + 3 * 72);
    assert!(map[0] < map[1] && map[2] < map[3]);
    assert!(map[4..4 + 2 * cells].iter().all(|&answer| answer == 0.0 || answer == 1.0));
    let Reply { numbers: Some(first), .. } = session.handle(ask(Some(0)), &[]) else { panic!() };
    assert_eq!(first[..4 + cells], map[..4 + cells], "the greedy tree stays");
    let unknown = Request::Map { run: 2, frame: None, x: "a".into(), y: "z".into() };
    assert_eq!(code(&session.handle(unknown, &[]).event), "bad_request");
}

#[test]
fn words_have_a_place_on_a_map() {
    // Only the word decides, so each band of words has one prediction, whatever the number is.
    let mut text = "a,c,y\n".to_owned();
    for i in 0..120u32 {
        let c = ["red", "green", "blue", "grey"][i as usize % 4];
        text += &format!("{},{c},{}\n", i * 37 % 101, if i % 4 == 1 { "yes" } else { "no" });
    }
    let (mut session, _) = trained(&text, settings("gradtree"));
    let ask = Request::Map { run: 2, frame: None, x: "c".into(), y: "a".into() };
    let Reply { event: Event::Map { side, .. }, numbers: Some(map), .. } = session.handle(ask, &[]) else {
        panic!()
    };
    assert_eq!(map[..2], [-0.5, 3.5], "four words, each in the middle of its band");
    let (side, cells) = (side as usize, (side * side) as usize);
    for tree in [&map[4..4 + cells], &map[4 + cells..4 + 2 * cells]] {
        for (cell, &answer) in tree.iter().enumerate() {
            // blue, green, grey, red.
            let word = (cell % side) * 4 / side;
            assert_eq!(answer, if word == 1 { 1.0 } else { 0.0 }, "cell {cell}");
        }
    }
    assert!(
        map[4 + 2 * cells..].chunks(3).all(|point| (point[0] == 1.0) == (point[2] == 1.0)),
        "points lie in their band"
    );
}

#[test]
fn a_tree_says_which_columns_it_reads_and_how() {
    let mut text = "price,colour,seen,y\n".to_owned();
    for i in 0..120u32 {
        let (price, colour) = (i * 37 % 101, ["red", "blue"][i as usize % 2]);
        text += &format!("\"{price},5 €\",{colour},{}.3.2021,{}\n", 1 + i % 28, u32::from(price > 50));
    }
    let (_, result) = trained(&text, settings("cart"));
    let [price, colour, ..] = result.features.as_slice() else { panic!("{:?}", result.features) };
    assert_eq!(
        (price.name.as_str(), price.column.as_str(), price.read, &price.words),
        ("price", "price", true, &vec![])
    );
    let [min, median, max] = price.range[..] else { panic!("{price:?}") };
    assert!(min < 20.0 && (40.0..60.0).contains(&median) && max > 80.0, "{price:?}");
    assert_eq!((price.decimal.as_str(), price.unit.as_str()), (",", "€"));
    assert_eq!(colour.words, ["blue", "red"]);
    assert!(result.features.iter().any(|feature| feature.column == "seen" && feature.part.is_some()));
    // The same of a tree that is read back.
    let request = Request::Open { run: 4, tree: result.json };
    let Event::Opened { result: opened, .. } = Session::default().handle(request, &[]).event else {
        panic!()
    };
    assert_eq!(opened.features, result.features);
}

#[test]
fn one_row_is_followed_to_its_leaf() {
    let (mut session, result) = trained(&table(), settings("cart"));
    let request = Request::Trace { run: 3, tree: result.json.clone() };
    let Event::Traced { steps, leaf, answer, probabilities, .. } =
        session.handle(request, b"a,b,c\n80.5,3,red\n").event
    else {
        panic!()
    };
    let mut at = 0;
    for step in &steps {
        let node = &result.tree.nodes[step.node as usize];
        assert_eq!(step.node, at);
        if let (Some(value), Some(threshold)) = (step.value, step.threshold) {
            assert_eq!(step.left, value <= threshold);
        }
        at = if step.left { node.left } else { node.right }.unwrap();
    }
    assert_eq!((at, &answer), (leaf, &result.tree.nodes[leaf as usize].answer));
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    let empty = Request::Trace { run: 3, tree: result.json };
    let Event::Traced { steps, .. } = session.handle(empty, b"a,b,c\n,,\n").event else { panic!() };
    assert!(steps.iter().all(|step| step.unknown && step.value.is_none()));
}

#[test]
fn why_the_trees_differ_is_told_with_four_scores() {
    let (mut session, result) = trained(&table(), settings("gradtree"));
    let request = Request::Why { run: 4, settings: settings("gradtree"), tree: result.json.clone() };
    let Event::Why { cart, gradient, cuts, scores, growers, rows, .. } = session.handle(request, &[]).event
    else {
        panic!()
    };
    assert_eq!(gradient.condition, result.tree.nodes[0].condition);
    assert!(cart.rank >= 1 && gradient.rank <= cuts + 1 && cuts > 50, "{cart:?} {gradient:?} {cuts}");
    assert!(cart.gain >= 0.0 && !cart.condition.is_empty());
    assert_eq!((scores.len(), rows), (4, 24));
    assert!((scores[3] - result.metrics["test"]["accuracy"]).abs() < 1e-12, "{scores:?}");
    assert_eq!([growers[0].as_str(), &growers[2]], ["CART", "CART"]);
    assert_eq!(growers[3], result.kept.unwrap().origin);
    assert!(
        growers[1].contains("gradient descent"),
        "who grew what is below CART's first cut: {}",
        growers[1]
    );
    let alone = Request::Why { run: 4, settings: settings("cart"), tree: result.json };
    assert_eq!(code(&session.handle(alone, &[]).event), "bad_request");
}

#[test]
fn what_counts_decides_what_columns_are_worth_and_why_the_trees_differ() {
    for (answers, expected) in [("balanced", "balanced_accuracy"), ("costs:1;5", "cost")] {
        let by = || TrainSettings { answers: answers.into(), ..settings("gradtree") };
        let (mut session, result) = trained(&table(), by());
        let Event::Rows { gradient, metric, .. } = session.handle(Request::Rows { run: 2 }, &[]).event else {
            panic!()
        };
        assert_eq!(metric, expected);
        assert!(
            gradient.iter().any(|column| column.worth > 0.1),
            "a column that matters is worth more than none: {gradient:?}"
        );
        let request = Request::Why { run: 4, settings: by(), tree: result.json.clone() };
        let Event::Why { scores, metric, noise, .. } = session.handle(request, &[]).event else { panic!() };
        assert_eq!(metric, expected);
        assert!(
            (scores[3] - result.metrics["test"][expected]).abs() < 1e-9,
            "{scores:?} {:?}",
            result.metrics
        );
        assert!((0.0..10.0).contains(&noise), "{noise}");
    }
}

#[test]
fn numbers_are_explored_like_classes() {
    let mut text = "a,b,c,y\n".to_owned();
    for i in 0..200u32 {
        text += &format!(
            "{},{},{},{}\n",
            i * 37 % 101,
            i * 53 % 97,
            ["u", "v"][i as usize % 2],
            (i * 37 % 101) * 3
        );
    }
    let (mut session, result) = trained(&text, settings("gradtree"));
    let Reply { numbers: Some(rows), .. } = session.handle(Request::Rows { run: 2 }, &[]) else { panic!() };
    assert_eq!(rows.len(), 200 * 7);
    let request = Request::Why { run: 4, settings: settings("gradtree"), tree: result.json.clone() };
    let Event::Why { scores, .. } = session.handle(request, &[]).event else { panic!() };
    assert!(
        (scores[3] - result.metrics["test"]["r2"]).abs() < 1e-6 && scores.iter().all(|score| *score > 0.5),
        "{scores:?}"
    );
    let trace = Request::Trace { run: 3, tree: result.json };
    let Event::Traced { probabilities, answer, .. } = session.handle(trace, b"a,b,c\n50,1,u\n").event else {
        panic!()
    };
    assert!(probabilities.is_empty() && answer.parse::<f64>().is_ok(), "{answer}");
}

#[test]
fn a_formula_tells_its_bounds_and_a_row_beyond_them_what_it_would_have_given() {
    let mut text = "a,b,y\n".to_owned();
    for i in 0..200u32 {
        let (a, b) = (i * 37 % 101, i * 53 % 97);
        text += &format!("{a},{b},{}\n", 3 * a + (a * b) / 40);
    }
    let (mut session, result) = trained(&text, settings("get-linear"));
    let mut bounds = result.tree.nodes.iter().filter_map(|node| node.bounds);
    let [low, high] = bounds.next().expect("a leaf has a formula");
    assert!(low < 0.0 && high > 600.0 && bounds.all(|other| other == [low, high]), "{low} {high}");
    for (row, bound) in [("1e9,1e9", high), ("-1e9,-1e9", low)] {
        let trace = Request::Trace { run: 3, tree: result.json.clone() };
        let csv = format!("a,b\n{row}\n");
        let Event::Traced { answer, beyond, .. } = session.handle(trace, csv.as_bytes()).event else {
            panic!()
        };
        let beyond = beyond.expect("a bound answers");
        assert!(beyond.abs() > 1e6 && (beyond > 0.0) == (bound > 0.0), "{beyond}");
        assert_eq!(answer.parse::<f32>().unwrap(), bound as f32);
    }
    let trace = Request::Trace { run: 3, tree: result.json };
    let Event::Traced { answer, beyond, .. } = session.handle(trace, b"a,b\n50,50\n").event else { panic!() };
    assert!(beyond.is_none() && (low..high).contains(&answer.parse::<f64>().unwrap()), "{answer}");
}
