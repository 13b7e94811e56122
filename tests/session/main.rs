//! A conversation with the engine as the worker has it, without a browser.
#![cfg(not(target_arch = "wasm32"))]

mod explore;
mod groups;
mod growing;
mod lent;

use std::collections::BTreeMap;

use espalier::export;
use espalier::protocol::{Event, ParamValue, ReadOptions, Request, ResolvedInfo, TrainSettings};
use espalier::session::{Reply, Session};

/// y is 1 if exactly one of a and b is large; c is random words, some missing.
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
        recipe: "espalier".into(),
        seed: 1,
        test: 0.2,
        valid: 0.2,
        ignore: vec![],
        positive: String::new(),
        answers: "auto".into(),
        said: BTreeMap::from([("depth".into(), ParamValue::Number(3.0))]),
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
    assert_eq!(
        learners.iter().map(|learner| learner.larger).collect::<Vec<_>>(),
        [false, true, true, true, false]
    );
    let units: Vec<&str> = learners.iter().map(|learner| learner.unit.as_str()).collect();
    assert_eq!(units, ["restart", "start", "start", "restart", ""]);
    // Every default is a value that its own learner accepts.
    for learner in &learners {
        let mut session = Session::default();
        load(&mut session, &table());
        let said = learner.params.iter().map(|param| (param.key.clone(), param.default.clone())).collect();
        // One of them is only for regression.
        let (target, task) = if learner.key == "get-linear" { ("a", "regression") } else { ("y", "auto") };
        let settings =
            TrainSettings { said, target: target.into(), task: task.into(), ..settings(&learner.key) };
        assert!(matches!(train(&mut session, settings), Event::Started { .. }), "{}", learner.key);
    }
}

#[test]
fn every_value_is_told_for_the_present_target() {
    let mut session = Session::default();
    load(&mut session, &table());
    let resolved = |session: &mut Session, settings: TrainSettings| match session
        .handle(Request::Resolve { run: 4, settings }, &[])
        .event
    {
        Event::Resolved { run: 4, resolved, .. } => resolved,
        other => panic!("{other:?}"),
    };
    let number = |resolved: &[ResolvedInfo], model: &str, recipe: &str, key: &str| {
        let found = resolved.iter().find(|info| info.model == model && info.recipe == recipe).unwrap();
        match found.values[key] {
            ParamValue::Number(number) => number,
            ref other => panic!("{other:?}"),
        }
    };
    // Two classes; depth is set for the named learner, and for no other.
    let two = resolved(&mut session, settings("gradtree"));
    assert_eq!(two.len(), 10);
    assert_eq!(number(&two, "gradtree", "published", "lr_leaf"), 0.005);
    assert_eq!(["espalier", "published"].map(|recipe| number(&two, "gradtree", recipe, "depth")), [3.0, 3.0]);
    assert_eq!(["espalier", "published"].map(|recipe| number(&two, "cart", recipe, "depth")), [5.0, 32.0]);
    let said = BTreeMap::new();
    let regression =
        TrainSettings { target: "a".into(), task: "regression".into(), said, ..settings("gradtree") };
    let numbers = resolved(&mut session, regression);
    assert_eq!(number(&numbers, "gradtree", "published", "lr_leaf"), 0.05);
    assert_eq!(
        ["espalier", "published"].map(|recipe| number(&numbers, "gradtree", recipe, "depth")),
        [10.0, 10.0]
    );
    let groups = TrainSettings { target: String::new(), task: "clustering".into(), ..settings("relaxed") };
    assert_eq!(number(&resolved(&mut session, groups), "relaxed", "published", "batch"), 512.0);
    let unknown = TrainSettings { target: "z".into(), ..settings("cart") };
    let refused = session.handle(Request::Resolve { run: 5, settings: unknown }, &[]).event;
    assert!(matches!(refused, Event::Failed { run: 5, .. }));
}

#[test]
fn the_classes_of_a_target_are_told_before_a_training_in_the_order_of_costs() {
    let mut session = Session::default();
    load(&mut session, &table());
    let mut classes =
        |settings: TrainSettings| match session.handle(Request::Resolve { run: 4, settings }, &[]).event {
            Event::Resolved { classes, .. } => classes,
            other => panic!("{other:?}"),
        };
    assert_eq!(classes(settings("gradtree")), ["no", "yes"]);
    assert_eq!(classes(TrainSettings { positive: "no".into(), ..settings("gradtree") }), ["yes", "no"]);
    let numbers = TrainSettings { target: "a".into(), task: "regression".into(), ..settings("gradtree") };
    assert!(classes(numbers).is_empty());
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
        assert!(!tree.nodes.is_empty() && curve.len().is_multiple_of(5));
        points += 1 + curve.len() / 5;
    }
    assert!(points > 10);
    let Event::Trained { result, progress, reason, .. } = session.handle(Request::Stop { run: 2 }, &[]).event
    else {
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
    let Event::Trained { result, reason, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else {
        panic!()
    };
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
        assert_eq!((progress.epoch, reply.curve.unwrap().len()), (epoch, 5));
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
    for (text, expected) in
        [("", "empty_file"), ("a,b\n", "too_few_rows"), ("a,b\n1\n", "bad_row"), ("\0", "not_text")]
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
        (bad(&|s| drop(s.said.insert("depth".into(), ParamValue::Number(0.0)))), "bad_value"),
        (bad(&|s| drop(s.said.insert("depth".into(), ParamValue::Number(99.0)))), "bad_value"),
        (bad(&|s| s.recipe = "cake".into()), "bad_value"),
        (bad(&|s| s.test = 2.0), "bad_value"),
        (bad(&|s| s.ignore = vec!["a".into(), "b".into(), "c".into()]), "no_features"),
        (bad(&|s| drop(s.said.insert("leaves".into(), ParamValue::Number(3.0)))), "unknown_parameter"),
        (bad(&|s| drop(s.said.insert("epochs".into(), ParamValue::Number(0.5)))), "bad_value"),
        (bad(&|s| drop(s.said.insert("split".into(), choice("soft")))), "bad_value"),
        (bad(&|s| drop(s.said.insert("tie_init".into(), choice("maybe")))), "bad_value"),
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

    // A file that cannot be read leaves the previous one in place, and nothing is read twice.
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
fn a_training_outlives_a_file_that_cannot_be_used_and_no_other() {
    let mut session = started();
    while !session.advance(1000, false) {}
    let frames = |session: &mut Session| session.handle(Request::Frames { run: 2 }, &[]).event;
    session.begin_load(3, ReadOptions::default(), b"a,b\n1\n".to_vec());
    assert!(matches!(frames(&mut session), Event::Frames { .. }), "it can be looked at meanwhile");
    session.drop_load();
    assert!(matches!(frames(&mut session), Event::Frames { .. }));
    assert_eq!(code(&load(&mut session, "a,b\n1\n")), "bad_row");
    assert!(matches!(session.handle(Request::Stop { run: 2 }, &[]).event, Event::Trained { .. }));
    assert!(matches!(load(&mut session, &table()), Event::Loaded { .. }));
    assert_eq!(code(&frames(&mut session)), "bad_request");
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
    assert_eq!(
        (table.columns[0].kind.as_str(), table.columns[0].format.as_str()),
        ("date", "day-month-year")
    );
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
    let options =
        ReadOptions { kinds: [("a".to_owned(), "colour".to_owned())].into(), ..ReadOptions::default() };
    let request = Request::Load { run: 1, name: "t.csv".into(), options };
    let event = session.handle(request, table().as_bytes()).event;
    assert_eq!(code(&event), "bad_value");
    let Event::Failed { error, .. } = event else { panic!() };
    assert!(error.message.contains("\"colour\"") && error.hint.contains("yes-no"), "{error:?}");
}

#[test]
fn a_slice_ends_where_other_work_begins() {
    let mut session = started();
    let mut seen = vec![];
    loop {
        let ended = session.advance(u32::MAX, false);
        let Event::Progress { progress, .. } = session.progress(false).event else {
            panic!("it is still there")
        };
        seen.push((progress.restart, session.turned()));
        if ended {
            break;
        }
        assert!(session.turned(), "nothing else ends a slice");
    }
    assert_eq!(seen.last(), Some(&(seen.last().unwrap().0, false)), "the end is no turn");
    assert!(seen.windows(2).all(|pair| pair[0].0 <= pair[1].0) && seen.len() > 2, "{seen:?}");
}
