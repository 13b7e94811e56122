//! A conversation with the engine as the worker has it, without a browser.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use espalier::export;
use espalier::protocol::{Event, ParamValue, ReadOptions, Request, TrainSettings};
use espalier::session::{Reply, Session};

/// y is 1 where exactly one of a and b is large; c is noise in words, some missing.
fn table() -> String {
    let mut text = "a,b,c,y\n".to_owned();
    for i in 0..120u32 {
        let (a, b) = (i * 37 % 101, i * 53 % 97);
        let c = ["red", "green", "", "blue"][i as usize % 4];
        text += &format!("{}.5,{b},{c},{}\n", a, if (a > 50) != (b > 48) { "yes" } else { "no" });
    }
    text
}

fn settings(model: &str) -> TrainSettings {
    TrainSettings {
        target: "y".into(),
        task: "auto".into(),
        label: String::new(),
        model: model.into(),
        depth: 3,
        seed: 1,
        test: 0.2,
        valid: 0.2,
        ignore: vec![],
        positive: String::new(),
        config: BTreeMap::new(),
    }
}

fn load(session: &mut Session, text: &str) -> Event {
    let request = Request::Load { run: 1, name: "t.csv".into(), options: ReadOptions::default() };
    session.handle(request, text.as_bytes()).event
}

fn train(session: &mut Session, settings: TrainSettings) -> Event {
    session.handle(Request::Train { run: 2, settings }, &[]).event
}

fn code(event: &Event) -> &str {
    match event {
        Event::Failed { error, .. } => {
            assert!(!error.message.is_empty() && !error.hint.is_empty(), "{error:?}");
            &error.code
        }
        other => panic!("expected a failure, got {other:?}"),
    }
}

fn started() -> Session {
    let mut session = Session::default();
    assert!(matches!(load(&mut session, &table()), Event::Loaded { .. }));
    assert!(matches!(train(&mut session, settings("gradtree")), Event::Started { .. }));
    session
}

#[test]
fn the_engine_offers_its_learners_with_their_defaults() {
    let Event::Ready { learners, formats, version, .. } = Session::default().ready() else { panic!() };
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert_eq!(
        learners.iter().map(|learner| learner.key.as_str()).collect::<Vec<_>>(),
        ["gradtree", "get", "get-linear", "relaxed", "cart"]
    );
    assert!(learners.iter().all(|learner| learner.params.iter().all(|param| !param.help.is_empty())));
    assert!(formats.iter().any(|format| format.key == "json"));
    // Every default is a value that its own learner takes.
    for learner in &learners {
        let mut session = Session::default();
        load(&mut session, &table());
        let config = learner.params.iter().map(|param| (param.key.clone(), param.default.clone())).collect();
        // One of them predicts numbers only.
        let (target, task) = if learner.key == "get-linear" { ("a", "regression") } else { ("y", "auto") };
        let settings = TrainSettings { config, target: target.into(), task: task.into(), ..settings(&learner.key) };
        assert!(matches!(train(&mut session, settings), Event::Started { .. }), "{}", learner.key);
    }
}

#[test]
fn a_file_is_described_before_it_is_used() {
    let Event::Loaded { table, .. } = load(&mut Session::default(), &table()) else { panic!() };
    assert_eq!((table.rows, table.preview.len()), (120, 100));
    assert_eq!(
        table.columns.iter().map(|column| column.kind.as_str()).collect::<Vec<_>>(),
        ["number", "number", "category", "yes-no"]
    );
    assert_eq!((table.suggested_target.as_str(), table.suggested_task.as_str()), ("y", "classification"));
    assert_eq!(table.columns[2].missing, 30);
}

#[test]
fn a_training_goes_from_start_to_a_tree_that_proves_itself() {
    let mut session = started();
    let mut points = 0;
    while !session.advance(50, false) {
        let Reply { event: Event::Progress { run: 2, tree, checkpoint, .. }, curve: Some(curve), .. } =
            session.progress(points == 0)
        else {
            panic!()
        };
        assert_eq!(checkpoint.is_some(), points == 0);
        assert!(!tree.nodes.is_empty() && curve.len().is_multiple_of(4));
        points += 1 + curve.len() / 4;
    }
    assert!(points > 10);
    let Event::Trained { result, progress, reason, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else {
        panic!()
    };
    assert!(progress.share > 0.999 && reason.ends_with('.'), "{progress:?} {reason}");
    let document = export::read(&result.json).expect("the download can be read back");
    assert!(export::verify(&document).expect("its proof holds") > 0);
    assert_eq!(document.metrics.tree, result.metrics);
    assert!(document.metrics.baseline.is_some());
    assert!(result.metrics["test"]["accuracy"] > 0.5);
    for node in &result.tree.nodes {
        assert_eq!(node.left.is_some(), node.answer.is_empty());
        assert_eq!(node.counts.iter().sum::<u32>(), node.rows);
    }
    let opened = session.handle(Request::Open { run: 3, tree: result.json.clone() }, &[]).event;
    let Event::Opened { result: again, proved, .. } = opened else { panic!() };
    assert_eq!((again.tree, again.json), (result.tree, result.json.clone()));
    assert!(proved > 0);
}

#[test]
fn a_stop_in_mid_training_keeps_the_tree_so_far() {
    let mut session = started();
    assert!(!session.advance(3, false));
    let Event::Trained { result, reason, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else { panic!() };
    assert!(reason.contains("Stopped by you"), "{reason}");
    export::verify(&export::read(&result.json).unwrap()).unwrap();
}

#[test]
fn one_step_is_one_epoch() {
    let mut session = started();
    for epoch in 1..4 {
        session.advance(u32::MAX, true);
        let reply = session.progress(false);
        let Event::Progress { progress, .. } = reply.event else { panic!() };
        assert_eq!((progress.epoch, reply.curve.unwrap().len()), (epoch, 4));
    }
}

/// The tree of a training whose units ran in several sessions; the other `helpers` get theirs by messages alone.
fn together(helpers: usize, break_one: bool) -> String {
    let mut leader = started();
    let mut others: Vec<Session> = (0..helpers).map(|_| Session::default()).collect();
    for other in &mut others {
        load(other, &table());
        let helping = other.handle(Request::Help { run: 2, settings: settings("gradtree") }, &[]).event;
        assert!(matches!(helping, Event::Helping { run: 2, units: 2.. }), "{helping:?}");
    }
    let mut broken = break_one;
    loop {
        for other in &mut others {
            let Event::Lent { index, .. } = leader.handle(Request::Lend { run: 2 }, &[]).event else { panic!() };
            let Some(index) = index else { continue };
            assert!(matches!(other.handle(Request::Unit { run: 2, index }, &[]).event, Event::Helping { .. }));
            while !other.advance(7, false) {}
            let found = other.handle(Request::Stop { run: 2 }, &[]);
            assert_eq!(found.event, Event::Unit { run: 2, index });
            assert!(found.curve.unwrap().chunks(4).all(|point| point[0] == (index + 1) as f32));
            let mut bytes = found.bytes.unwrap();
            if std::mem::take(&mut broken) {
                bytes.truncate(13);
            }
            assert_eq!(leader.handle(Request::Take { run: 2, index }, &bytes).event, Event::Taken { run: 2 });
        }
        if leader.advance(5, false) {
            break;
        }
    }
    let Event::Trained { result, .. } = leader.handle(Request::Stop { run: 2 }, &[]).event else { panic!() };
    result.json
}

#[test]
fn units_that_other_workers_ran_give_the_same_bytes() {
    let alone = together(0, false);
    assert_eq!(together(1, false), alone);
    assert_eq!(together(3, false), alone);
    assert_eq!(together(2, true), alone, "what cannot be read is run again");
}

#[test]
fn a_leader_waits_and_a_helper_knows_its_run() {
    let mut leader = started();
    while matches!(leader.handle(Request::Lend { run: 2 }, &[]).event, Event::Lent { index: Some(_), .. }) {}
    for _ in 0..1000 {
        assert!(!leader.advance(100, false));
    }
    assert!(leader.waiting());
    leader.handle(Request::Take { run: 2, index: 1 }, &[]);
    leader.advance(1, false);
    assert!(!leader.waiting());
    let mut other = Session::default();
    load(&mut other, &table());
    other.handle(Request::Help { run: 2, settings: settings("gradtree") }, &[]);
    for request in [Request::Unit { run: 2, index: 99 }, Request::Unit { run: 3, index: 1 }, Request::Stop { run: 2 }] {
        assert!(matches!(other.handle(request, &[]).event, Event::Failed { .. }));
    }
}

#[test]
fn the_greedy_learner_alone_shows_its_tree_in_both_places() {
    let mut session = Session::default();
    load(&mut session, &table());
    let Event::Started { cart, .. } = train(&mut session, settings("cart")) else { panic!() };
    assert!(session.advance(1, false));
    let Event::Trained { result, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else { panic!() };
    assert_eq!(cart, Some(result));
}

#[test]
fn the_baseline_is_what_the_greedy_learner_alone_would_give() {
    let mut session = Session::default();
    load(&mut session, &table());
    let Event::Started { cart: alone, .. } = train(&mut session, settings("cart")) else { panic!() };
    let Event::Started { cart: beside, .. } = train(&mut session, settings("gradtree")) else { panic!() };
    assert_eq!(alone.unwrap().json, beside.unwrap().json);
}

#[test]
fn bad_requests_are_answered_and_nothing_is_lost() {
    let mut session = Session::default();
    assert_eq!(code(&train(&mut session, settings("cart"))), "bad_request");
    assert_eq!(code(&session.handle(Request::Stop { run: 9 }, &[]).event), "bad_request");
    assert_eq!(code(&session.progress(true).event), "bad_request");
    assert_eq!(code(&session.handle(Request::Pause { run: 9 }, &[]).event), "bad_request");
    assert!(session.advance(5, false), "without a run there is nothing left to do");

    assert!(matches!(load(&mut session, &table()), Event::Loaded { .. }));
    for (text, expected) in [("", "empty_file"), ("a,b\n", "too_few_rows"), ("a,b\n1\n", "bad_row"), ("\0", "not_text")]
    {
        assert_eq!(code(&load(&mut session, text)), expected);
    }
    // The good file is still there.
    let bad = |change: &dyn Fn(&mut TrainSettings)| {
        let mut settings = settings("gradtree");
        change(&mut settings);
        settings
    };
    let choice = |word: &str| ParamValue::Choice(word.into());
    let cases: Vec<(TrainSettings, &str)> = vec![
        (bad(&|s| s.target = "z".into()), "unknown_column"),
        (bad(&|s| s.task = "guess".into()), "bad_task"),
        (bad(&|s| s.task = "regression".into()), "bad_task"),
        (bad(&|s| s.model = "oak".into()), "unknown_model"),
        (bad(&|s| s.depth = 0), "bad_value"),
        (bad(&|s| s.depth = 99), "bad_value"),
        (bad(&|s| s.test = 2.0), "bad_value"),
        (bad(&|s| s.ignore = vec!["a".into(), "b".into(), "c".into()]), "no_features"),
        (bad(&|s| drop(s.config.insert("leaves".into(), ParamValue::Number(3.0)))), "unknown_parameter"),
        (bad(&|s| drop(s.config.insert("epochs".into(), ParamValue::Number(0.5)))), "bad_value"),
        (bad(&|s| drop(s.config.insert("split".into(), choice("soft")))), "bad_value"),
        (bad(&|s| drop(s.config.insert("tie_init".into(), choice("maybe")))), "bad_value"),
    ];
    for (settings, expected) in cases {
        assert_eq!(code(&train(&mut session, settings)), expected);
    }
    for tree in ["", "{", "[]", "{\"format\": \"other\"}"] {
        assert_eq!(code(&session.handle(Request::Open { run: 3, tree: tree.into() }, &[]).event), "bad_tree");
    }
    assert!(matches!(train(&mut session, settings("gradtree")), Event::Started { .. }));
}

#[test]
fn tables_that_cannot_be_learned_say_why() {
    let fails = |text: &str| {
        let mut session = Session::default();
        load(&mut session, text);
        code(&train(&mut session, settings("gradtree"))).to_owned()
    };
    assert_eq!(fails("x,y\n1,a\n2,a\n"), "bad_target", "one class");
    assert_eq!(fails("x,y\n1,\n2,?\n"), "bad_target", "all missing");
    assert_eq!(fails("x,y\n1,a\n1,b\n"), "no_features", "a constant column");
    assert_eq!(fails("y\na\nb\n"), "no_features", "no other column");
    assert_eq!(fails("x,y\n1,a\n"), "too_few_rows", "one row");
}

#[test]
fn without_test_rows_the_scores_come_with_a_warning() {
    let mut session = Session::default();
    load(&mut session, "x,y\n1,a\n2,b\n");
    let Event::Started { problem, cart, .. } = train(&mut session, settings("gradtree")) else { panic!() };
    assert_eq!((problem.train_rows, problem.test_rows), (2, 0));
    assert!(problem.warnings[0].contains("No rows are left for a test"), "{:?}", problem.warnings);
    assert!(cart.unwrap().metrics["test"].is_empty());
}

#[test]
fn a_file_read_in_slices_is_the_same_file_and_the_share_rises() {
    let text = table() + &"1.5,2,red,yes\n".repeat(5000);
    let Event::Loaded { table: whole, .. } = load(&mut Session::default(), &text) else { panic!() };
    let mut session = Session::default();
    let mut reply = session.begin_load(4, ReadOptions::default(), text.clone().into_bytes());
    let mut shares = vec![];
    while let Event::Reading { run: 4, share, .. } = reply.event {
        shares.push(share);
        reply = session.read_on(1000);
    }
    let Event::Loaded { run: 4, table: sliced } = reply.event else { panic!("{reply:?}") };
    assert_eq!(sliced, whole);
    assert!(shares.len() > 8 && shares.is_sorted() && shares[0] == 0.0, "{shares:?}");

    // A file that cannot be read leaves the other one in place, and nothing is read twice.
    let mut reply = session.begin_load(5, ReadOptions::default(), b"a,b\n1\n".to_vec());
    while let Event::Reading { .. } = reply.event {
        reply = session.read_on(1000);
    }
    assert_eq!(code(&reply.event), "bad_row");
    assert_eq!(code(&session.read_on(1).event), "bad_request");
    assert!(matches!(train(&mut session, settings("cart")), Event::Started { .. }));
    let options = ReadOptions { delimiter: "x".into(), ..ReadOptions::default() };
    assert_eq!(code(&session.begin_load(6, options, vec![]).event), "bad_value");
}

#[test]
fn what_the_user_says_about_a_file_is_heard() {
    let mut session = Session::default();
    let options = ReadOptions {
        delimiter: "tab".into(),
        encoding: "windows-1252".into(),
        header: Some(false),
        skip_bad_rows: true,
        missing: BTreeMap::from([("*".to_owned(), vec!["-1".to_owned()])]),
        kinds: [("column 1".to_owned(), "date".to_owned())].into(),
    };
    let bytes = b"1.2.2003\t5\t\xe4\n2.3.2004\t-1\tb\nshort\n4.5.2006\t7\tb\n";
    let request = Request::Load { run: 1, name: "t.csv".into(), options };
    let Event::Loaded { table, .. } = session.handle(request, bytes).event else { panic!() };
    assert_eq!(
        (table.rows, table.delimiter.as_str(), table.encoding.as_str(), table.header),
        (3, "\t", "windows-1252", false)
    );
    assert_eq!((table.skipped_rows[0].line, table.skipped_rows[0].found), (3, Some(1)));
    assert_eq!((table.columns[0].kind.as_str(), table.columns[0].format.as_str()), ("date", "day-month-year"));
    assert_eq!(
        (table.columns[1].missing, table.columns[1].missing_tokens.as_slice()),
        (1, ["-1".to_owned()].as_slice())
    );
    assert_eq!(table.preview[0][2], "ä");
    assert!(table.columns.iter().all(|column| column.profile.is_some()));
}

#[test]
fn the_tree_names_its_file_by_the_hash_that_the_worker_tells() {
    let tree = |hash: Option<&str>| {
        let mut session = Session::default();
        load(&mut session, &table());
        hash.into_iter().for_each(|hash| session.identify(hash.to_owned()));
        let Event::Started { cart, .. } = train(&mut session, settings("cart")) else { panic!() };
        export::read(&cart.unwrap().json).unwrap().data.unwrap().sha256
    };
    let hash = "0123456789abcdef".repeat(4);
    assert_eq!(tree(Some(&hash)), Some(hash));
    assert_eq!(tree(None), None);
}

#[test]
fn a_kind_that_does_not_exist_is_refused() {
    let mut session = Session::default();
    let options = ReadOptions { kinds: [("a".to_owned(), "colour".to_owned())].into(), ..ReadOptions::default() };
    let request = Request::Load { run: 1, name: "t.csv".into(), options };
    let event = session.handle(request, table().as_bytes()).event;
    assert_eq!(code(&event), "bad_value");
    let Event::Failed { error, .. } = event else { panic!() };
    assert!(error.message.contains("\"colour\"") && error.hint.contains("yes-no"), "{error:?}");
}

/// A finished training with its answer.
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
    let Reply { event: Event::Started { cart, .. }, numbers: Some(cart_marks), .. } = session.handle(request, &[])
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
    // The greedy tree's own cut is where a greedy learner would cut: its first node says so, up to the rows it may not see.
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
    assert_eq!(rows.len(), 120 * 6);
    let test: Vec<&[f32]> = rows.chunks(6).filter(|row| row[0] == 2.0).collect();
    let right = test.iter().filter(|row| row[1] == row[5]).count() as f64;
    assert!((right / test.len() as f64 - result.metrics["test"]["accuracy"]).abs() < 1e-12);
    for row in &test {
        let leaf = &result.tree.nodes[row[3] as usize];
        assert_eq!(leaf.answer, ["no", "yes"][row[5] as usize]);
    }
    assert!(!cart.is_empty() && gradient.iter().all(|column| column.worth.abs() <= 1.0));
    assert!(gradient.iter().any(|column| column.worth > 0.1), "{gradient:?}");
}

#[test]
fn a_map_shows_both_trees_over_two_columns() {
    let (mut session, _) = trained(&table(), settings("gradtree"));
    let ask = |frame| Request::Map { run: 2, frame, x: "a".into(), y: "b".into() };
    let Reply { event: Event::Map { side, .. }, numbers: Some(map), .. } = session.handle(ask(None), &[]) else {
        panic!()
    };
    let cells = (side * side) as usize;
    assert_eq!(map.len(), 4 + 2 * cells + 3 * 72);
    assert!(map[0] < map[1] && map[2] < map[3]);
    assert!(map[4..4 + 2 * cells].iter().all(|&answer| answer == 0.0 || answer == 1.0));
    let Reply { numbers: Some(first), .. } = session.handle(ask(Some(0)), &[]) else { panic!() };
    assert_eq!(first[..4 + cells], map[..4 + cells], "the greedy tree stays");
    let words = Request::Map { run: 2, frame: None, x: "a".into(), y: "c".into() };
    assert_eq!(code(&session.handle(words, &[]).event), "bad_request");
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
    let Event::Why { cart, gradient, cuts, scores, rows, .. } = session.handle(request, &[]).event else { panic!() };
    assert_eq!(gradient.condition, result.tree.nodes[0].condition);
    assert!(cart.rank >= 1 && gradient.rank <= cuts + 1 && cuts > 50, "{cart:?} {gradient:?} {cuts}");
    assert!(cart.gain >= 0.0 && !cart.condition.is_empty());
    assert_eq!((scores.len(), rows), (4, 24));
    assert!((scores[3] - result.metrics["test"]["accuracy"]).abs() < 1e-12, "{scores:?}");
    let alone = Request::Why { run: 4, settings: settings("cart"), tree: result.json };
    assert_eq!(code(&session.handle(alone, &[]).event), "bad_request");
}

#[test]
fn numbers_are_explored_like_classes() {
    let mut text = "a,b,c,y\n".to_owned();
    for i in 0..200u32 {
        text += &format!("{},{},{},{}\n", i * 37 % 101, i * 53 % 97, ["u", "v"][i as usize % 2], (i * 37 % 101) * 3);
    }
    let (mut session, result) = trained(&text, settings("gradtree"));
    let Reply { numbers: Some(rows), .. } = session.handle(Request::Rows { run: 2 }, &[]) else { panic!() };
    assert_eq!(rows.len(), 200 * 6);
    let request = Request::Why { run: 4, settings: settings("gradtree"), tree: result.json.clone() };
    let Event::Why { scores, .. } = session.handle(request, &[]).event else { panic!() };
    assert!(
        (scores[3] - result.metrics["test"]["r2"]).abs() < 1e-6 && scores.iter().all(|score| *score > 0.5),
        "{scores:?}"
    );
    let trace = Request::Trace { run: 3, tree: result.json };
    let Event::Traced { probabilities, answer, .. } = session.handle(trace, b"a,b,c\n50,1,u\n").event else { panic!() };
    assert!(probabilities.is_empty() && answer.parse::<f64>().is_ok(), "{answer}");
}

/// Two heaps of rows that differ in three columns of four, and a label that says which.
fn heaps() -> String {
    let mut text = "a,b,c,d,heap\n".to_owned();
    for i in 0..120u32 {
        let (noise, side) = (f64::from(i * 37 % 101) / 101.0, i % 2);
        let far = f64::from(side) * 10.0;
        text += &format!(
            "{},{},{},{},{}\n",
            far + noise,
            far - noise,
            i * 53 % 97,
            3.0 * far + noise,
            ["x", "z"][side as usize]
        );
    }
    text
}

fn groups(label: &str) -> TrainSettings {
    TrainSettings { target: String::new(), task: "clustering".into(), label: label.into(), ..settings("relaxed") }
}

#[test]
fn rows_are_grouped_without_a_target() {
    let mut session = Session::default();
    load(&mut session, &heaps());
    let Event::Started { problem, cart, lendable, .. } = train(&mut session, groups("heap")) else { panic!() };
    assert_eq!((problem.task.as_str(), cart, lendable), ("clustering", None, 0));
    assert!(!problem.target.is_empty() && !problem.features.contains(&"heap".to_owned()), "{problem:?}");
    assert!(!session.advance(50, true));
    let Event::Progress { tree, .. } = session.progress(true).event else { panic!() };
    assert!(tree.nodes.iter().all(|node| node.kept.is_some_and(|kept| (0.0..=1.0).contains(&kept))), "{tree:?}");
    while !session.advance(1000, false) {}
    let reply = session.handle(Request::Stop { run: 2 }, &[]);
    let Event::Trained { result, yardstick, .. } = reply.event else { panic!() };
    assert!(reply.curve.is_some_and(|curve| !curve.is_empty()));
    // The heaps are told apart, the rows are all there, and the words name a column.
    assert!(result.metrics["all"]["dendrogram_purity"] > 0.95, "{:?}", result.metrics);
    assert!(yardstick.unwrap().metrics["all"]["dendrogram_purity"] > 0.5);
    let nodes = &result.tree.nodes;
    let leaves = nodes.iter().filter(|node| node.left.is_none());
    assert_eq!((nodes[0].rows, leaves.map(|leaf| leaf.rows).sum::<u32>()), (120, 120));
    assert!(nodes[1].description.iter().any(|line| line.contains("on average")), "{:?}", nodes[1]);
    assert!(nodes.iter().all(|node| node.kept.is_none()));
    // What was grouped is a tree like every other: it is read back, and gives every row its leaf.
    let document = export::read(&result.json).unwrap();
    assert!(export::verify(&document).unwrap() > 0);
    // Another training takes its place, and the other way round.
    assert!(matches!(
        train(&mut session, TrainSettings { target: "heap".into(), ..settings("cart") }),
        Event::Started { .. }
    ));
    assert!(matches!(train(&mut session, groups("")), Event::Started { .. }));
    let Event::Trained { result, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else { panic!() };
    assert!(!result.metrics["all"].contains_key("dendrogram_purity"), "no label was named");
}

#[test]
fn what_cannot_be_grouped_is_refused_in_words() {
    let mut session = Session::default();
    load(&mut session, &heaps());
    assert_eq!(code(&train(&mut session, TrainSettings { model: "gradtree".into(), ..groups("") })), "bad_task");
    assert_eq!(code(&train(&mut session, groups("nowhere"))), "unknown_column");
    load(&mut session, "a,b\n1,2\n3,4\n");
    assert_eq!(code(&train(&mut session, groups(""))), "too_few_rows");
}

#[test]
fn nodes_of_a_relaxed_tree_say_how_much_of_them_is_kept() {
    let mut session = Session::default();
    load(&mut session, &table());
    train(&mut session, settings("relaxed"));
    session.advance(200, true);
    let Event::Progress { tree, .. } = session.progress(false).event else { panic!() };
    assert!(tree.nodes.len() >= 3 && tree.nodes.iter().all(|node| node.kept.is_some()));
    // No node is kept more than the one above it.
    for node in &tree.nodes {
        for child in [node.left, node.right].into_iter().flatten() {
            assert!(tree.nodes[child as usize].kept <= node.kept, "{tree:?}");
        }
    }
    // The tree can be looked at after every step, also while planes settle on columns of words or of numbers.
    while !session.advance(3, false) {
        assert!(matches!(session.progress(false).event, Event::Progress { .. }));
    }
    let Event::Trained { result, yardstick, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else {
        panic!()
    };
    assert!(yardstick.is_none() && result.tree.nodes.iter().all(|node| node.kept.is_none()));
}
