//! Units of a training that other workers run.

use super::*;

/// The tree of a training whose units ran in several sessions; the other `helpers` get theirs by messages alone.
fn together(model: &str, helpers: usize, break_one: bool) -> String {
    let mut leader = Session::default();
    load(&mut leader, &table());
    assert!(matches!(train(&mut leader, settings(model)), Event::Started { lendable: 1.., .. }));
    let mut others: Vec<Session> = (0..helpers).map(|_| Session::default()).collect();
    for other in &mut others {
        load(other, &table());
        let helping = other.handle(Request::Help { run: 2, settings: settings(model) }, &[]).event;
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
    for request in [Request::Unit { run: 2, index: 99 }, Request::Unit { run: 3, index: 1 }, Request::Stop { run: 2 }] {
        assert!(matches!(other.handle(request, &[]).event, Event::Failed { .. }));
    }
}
