//! Units of a training that other workers run.

use espalier::protocol::{ProgressInfo, TreeResult};

use super::*;

/// The tree of a training whose units ran in several sessions; the other `helpers` get theirs only through
/// messages.
fn together(model: &str, helpers: usize, break_one: bool) -> String {
    trained_together(settings(model), helpers, break_one).1.json
}

/// The session that led such a training, its tree and its final progress.
fn trained_together(
    settings: TrainSettings,
    helpers: usize,
    break_one: bool,
) -> (Session, TreeResult, ProgressInfo) {
    let mut leader = Session::default();
    load(&mut leader, &table());
    assert!(matches!(train(&mut leader, settings.clone()), Event::Started { lendable: 1.., .. }));
    let mut others: Vec<Session> = (0..helpers).map(|_| Session::default()).collect();
    for other in &mut others {
        load(other, &table());
        let helping = other.handle(Request::Help { run: 2, settings: settings.clone() }, &[]).event;
        assert!(matches!(helping, Event::Helping { run: 2, units: 2.. }), "{helping:?}");
    }
    let mut broken = break_one;
    loop {
        for other in &mut others {
            let Event::Lent { index, .. } = leader.handle(Request::Lend { run: 2 }, &[]).event else {
                panic!()
            };
            let Some(index) = index else { continue };
            assert!(matches!(
                other.handle(Request::Unit { run: 2, index }, &[]).event,
                Event::Helping { .. }
            ));
            while !other.advance(7, false) {}
            let found = other.handle(Request::Stop { run: 2 }, &[]);
            assert_eq!(found.event, Event::Unit { run: 2, index });
            assert!(found.curve.unwrap().chunks(5).all(|point| point[0] == (index + 1) as f32));
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
    let Event::Trained { result, progress, .. } = leader.handle(Request::Stop { run: 2 }, &[]).event else {
        panic!()
    };
    (leader, result, progress)
}

#[test]
fn units_that_other_workers_ran_give_the_same_bytes() {
    for model in ["gradtree", "get", "relaxed"] {
        let alone = together(model, 0, false);
        assert_eq!(together(model, 1, false), alone);
        assert_eq!(together(model, 3, false), alone);
        assert_eq!(together(model, 2, true), alone, "{model}: what cannot be read is run again");
    }
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
    for request in
        [Request::Unit { run: 2, index: 99 }, Request::Unit { run: 3, index: 1 }, Request::Stop { run: 2 }]
    {
        assert!(matches!(other.handle(request, &[]).event, Event::Failed { .. }));
    }
}

#[test]
fn the_film_has_the_way_of_a_winner_that_ran_elsewhere() {
    for model in ["gradtree", "get"] {
        // The leader runs one unit itself and lends the others, so that for most seeds another session finds
        // the winner.
        let (mut leader, winner) = (0..8)
            .find_map(|seed| {
                let (leader, _, progress) =
                    trained_together(TrainSettings { seed, ..settings(model) }, 3, false);
                (progress.best_restart > 1).then_some((leader, progress.best_restart))
            })
            .expect("a seed whose winner ran elsewhere");
        let numbers = leader.handle(Request::Frames { run: 2 }, &[]).numbers.unwrap();
        let restarts: Vec<u32> = numbers.chunks(5).map(|frame| frame[0] as u32).collect();
        assert!(restarts.len() <= 1000);
        let first = restarts.iter().position(|&restart| restart == winner).expect("frames of the winner");
        assert!(first > 0 && restarts[..first].iter().all(|&restart| restart != winner));
        assert!(
            restarts[first..].iter().all(|&restart| restart == winner),
            "{model}: it ends with the winner"
        );
        let way: Vec<&[f32]> = numbers.chunks(5).skip(first).collect();
        assert!(way.len() > 3 && way[0][1] < way[2][1], "{model}: from its first epochs on");
        for frame in [first as u32, first as u32 + 2] {
            let reply = leader.handle(Request::Frame { run: 2, frame }, &[]);
            let Event::Frame { tree, metrics, .. } = reply.event else { panic!("{:?}", reply.event) };
            assert!(tree.nodes[0].rows > 0 && !metrics["test"].is_empty() && reply.numbers.is_some());
        }
        // A second request gives the same.
        assert_eq!(leader.handle(Request::Frames { run: 2 }, &[]).numbers.unwrap().len(), numbers.len());
    }
}
