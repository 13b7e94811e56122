//! Rows without a target, and trees that are pruned while they learn.

use super::*;

/// Two clusters of rows that differ in three columns of four, and a label that names the cluster.
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
    TrainSettings {
        target: String::new(),
        task: "clustering".into(),
        label: label.into(),
        ..settings("relaxed")
    }
}

#[test]
fn rows_are_grouped_without_a_target() {
    let mut session = Session::default();
    load(&mut session, &heaps());
    let Event::Started { problem, cart, lendable, .. } = train(&mut session, groups("heap")) else {
        panic!()
    };
    assert_eq!((problem.task.as_str(), cart, lendable), ("clustering", None, 0));
    assert!(!problem.target.is_empty() && !problem.features.contains(&"heap".to_owned()), "{problem:?}");
    assert!(!session.advance(50, true));
    let Event::Progress { tree, .. } = session.progress(true).event else { panic!() };
    assert!(
        tree.nodes.iter().all(|node| node.kept.is_some_and(|kept| (0.0..=1.0).contains(&kept))),
        "{tree:?}"
    );
    while !session.advance(1000, false) {}
    let reply = session.handle(Request::Stop { run: 2 }, &[]);
    let Event::Trained { result, yardstick, .. } = reply.event else { panic!() };
    assert!(reply.curve.is_some_and(|curve| !curve.is_empty()));
    // The clusters are separated, no row is lost, and the descriptions name a column.
    assert!(result.metrics["all"]["dendrogram_purity"] > 0.95, "{:?}", result.metrics);
    assert!(yardstick.unwrap().metrics["all"]["dendrogram_purity"] > 0.5);
    let nodes = &result.tree.nodes;
    let leaves = nodes.iter().filter(|node| node.left.is_none());
    assert_eq!((nodes[0].rows, leaves.map(|leaf| leaf.rows).sum::<u32>()), (120, 120));
    assert!(nodes[1].description.iter().any(|line| line.contains("on average")), "{:?}", nodes[1]);
    assert!(nodes.iter().all(|node| node.kept.is_none()));
    // A cluster tree is a tree like any other: it is read back, and gives every row its leaf.
    let document = export::read(&result.json).unwrap();
    assert!(export::verify(&document).unwrap() > 0);
    // Another training replaces it, and the reverse.
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
    assert_eq!(
        code(&train(&mut session, TrainSettings { model: "gradtree".into(), ..groups("") })),
        "bad_task"
    );
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
    // No node is kept more than its parent.
    for node in &tree.nodes {
        for child in [node.left, node.right].into_iter().flatten() {
            assert!(tree.nodes[child as usize].kept <= node.kept, "{tree:?}");
        }
    }
    // The tree can be inspected after every step, even while planes settle on categorical or numeric columns.
    while !session.advance(3, false) {
        assert!(matches!(session.progress(false).event, Event::Progress { .. }));
    }
    let Event::Trained { result, yardstick, .. } = session.handle(Request::Stop { run: 2 }, &[]).event else {
        panic!()
    };
    assert!(yardstick.is_none() && result.tree.nodes.iter().all(|node| node.kept.is_none()));
}
