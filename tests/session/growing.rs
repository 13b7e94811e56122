//! The greedy tree grows in slices before a training begins.

use super::*;

fn begun(model: &str) -> Session {
    let mut session = Session::default();
    load(&mut session, &table());
    let reply = session.begin_train(Request::Train { run: 2, settings: settings(model) });
    assert_eq!(reply.event, Event::Growing { run: 2, share: 0.0 });
    session
}

fn nodes(event: &Event) -> usize {
    let Event::Started { cart: Some(cart), .. } = event else { panic!("{event:?}") };
    cart.tree.nodes.len()
}

#[test]
fn it_grows_to_the_same_tree_in_slices() {
    for model in ["gradtree", "cart"] {
        let mut at_once = Session::default();
        load(&mut at_once, &table());
        let expected = at_once.handle(Request::Train { run: 2, settings: settings(model) }, &[]);
        let mut session = begun(model);
        let (mut share, mut slices) = (0.0, 0);
        let started = loop {
            let reply = session.grow_on(1);
            let Event::Growing { share: now, .. } = reply.event else { break reply };
            assert!(now >= share && now < 1.0);
            (share, slices) = (now, slices + 1);
        };
        assert!(slices > 4 && share > 0.3, "{slices} slices to {share}");
        // The numbers next to it contain NaN, which equals nothing.
        assert_eq!(started.event, expected.event, "{model}");
        while !session.advance(1000, false) {}
        let ended = session.handle(Request::Stop { run: 2 }, &[]).event;
        assert!(matches!(ended, Event::Trained { .. }), "{ended:?}");
    }
}

#[test]
fn it_is_taken_as_it_stands() {
    for model in ["gradtree", "cart", "relaxed", "get"] {
        let mut session = begun(model);
        let whole = nodes(&begun(model).grow_on(u32::MAX).event);
        session.grow_on(2);
        let started = session.end_growth().event;
        assert!(nodes(&started) < whole, "{model}");
        // The learner has not had a step, but there is still a result.
        let Event::Trained { result, reason, .. } = session.handle(Request::Stop { run: 2 }, &[]).event
        else {
            panic!()
        };
        assert!(!result.tree.nodes.is_empty() && !reason.is_empty(), "{model}");
        assert!(export::verify(&export::read(&result.json).unwrap()).unwrap() > 0, "{model}");
    }
}

#[test]
fn what_cannot_begin_says_why() {
    let mut session = Session::default();
    assert_eq!(
        code(&session.begin_train(Request::Train { run: 2, settings: settings("cart") }).event),
        "bad_request"
    );
    assert_eq!(code(&session.grow_on(1).event), "bad_request");
    load(&mut session, &table());
    let wrong = TrainSettings { target: "nowhere".into(), ..settings("cart") };
    let failed = session.begin_train(Request::Train { run: 5, settings: wrong }).event;
    assert!(matches!(&failed, Event::Failed { run: 5, .. }), "{failed:?}");
    assert_eq!(code(&session.end_growth().event), "bad_request");
}
