//! The erasure of a person.

use replygate_gate::At;
use replygate_ports::views::{MessageQuery, ReplyQuery, SessionQuery};

use super::settled;
use crate::contract::UpkeepHarness;
use crate::contract::stage::{Stage, author, direct, key};

pub async fn one_person_is_forgotten_and_nobody_else<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, in_group) = (direct("ana"), author("g", "ana"));
    let others = [
        direct("ana maria"),
        author("g", "rui"),
        author("ana", "rui"),
    ];
    let (message, reply) = settled(&mut stage, &ana, "secret").await;
    stage.arrive(&in_group, "secret too").await;
    let known = stage.message_under(&ana, "m-1", None, "secret three");
    stage.try_receive(&ana, known.clone()).await.unwrap();
    let mut before = Vec::new();
    for other in &others {
        settled(&mut stage, other, "keep").await;
        before.push(stage.load(other).await);
    }

    let forgotten = harness.upkeep().forget(None, "ana").await.unwrap();
    assert_eq!(
        (forgotten.sessions, forgotten.messages, forgotten.replies),
        (2, 3, 1)
    );
    for key in [&ana, &in_group] {
        assert_eq!(stage.store.load(key.session()).await.unwrap(), None);
        assert_eq!(stage.store.events(key.session(), 0, 100).await.unwrap(), []);
        assert_eq!(
            stage.store.history(key.session(), &[], 100).await.unwrap(),
            []
        );
    }
    assert_eq!(stage.store.texts(&[message, known.id]).await.unwrap(), []);
    assert_eq!(stage.store.replies(&[reply]).await.unwrap(), []);
    assert_eq!(stage.store.find_reply(reply).await.unwrap(), None);
    assert_eq!(stage.store.find_message(&known.dedupe).await.unwrap(), None);
    assert_eq!(
        stage
            .store
            .scheduled(At(i64::MAX), None, 100)
            .await
            .unwrap(),
        []
    );

    let views = harness.views();
    let limit = 100;
    assert_eq!(
        views
            .sessions(&SessionQuery {
                limit,
                ..SessionQuery::default()
            })
            .await
            .unwrap()
            .len(),
        others.len()
    );
    let secret = MessageQuery {
        text: Some("secret".to_owned()),
        limit,
        ..MessageQuery::default()
    };
    assert_eq!(views.messages(&secret).await.unwrap(), []);
    assert_eq!(
        views
            .reply_list(&ReplyQuery {
                limit,
                ..ReplyQuery::default()
            })
            .await
            .unwrap()
            .len(),
        others.len()
    );
    for (other, before) in others.iter().zip(before) {
        assert_eq!(stage.load(other).await, before);
        assert!(
            stage
                .store
                .history(other.session(), &[], 100)
                .await
                .unwrap()
                .len()
                == 2
        );
    }
}

pub async fn a_person_is_forgotten_in_one_channel_only<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (here, there) = (key("shop", "ana", "ana"), key("zoo", "ana", "ana"));
    settled(&mut stage, &here, "one").await;
    settled(&mut stage, &there, "two").await;
    assert_eq!(
        harness
            .upkeep()
            .forget(Some("shop"), "ana")
            .await
            .unwrap()
            .sessions,
        1
    );
    assert_eq!(stage.store.load(here.session()).await.unwrap(), None);
    assert!(stage.store.load(there.session()).await.unwrap().is_some());
}

pub async fn forgetting_a_stranger_does_nothing<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    settled(&mut stage, &direct("ana"), "one").await;
    for stranger in ["rui", "an", "%", ""] {
        assert_eq!(
            harness
                .upkeep()
                .forget(None, stranger)
                .await
                .unwrap()
                .sessions,
            0,
            "{stranger:?}"
        );
    }
    assert_eq!(
        harness
            .upkeep()
            .forget(Some("zoo"), "ana")
            .await
            .unwrap()
            .sessions,
        0
    );
    assert!(
        stage
            .store
            .load(direct("ana").session())
            .await
            .unwrap()
            .is_some()
    );
}

pub async fn a_forgotten_person_may_write_again<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let first = stage.message_under(&ana, "m-1", None, "hello");
    stage.try_receive(&ana, first.clone()).await.unwrap();
    harness.upkeep().forget(None, "ana").await.unwrap();
    assert_eq!(stage.try_receive(&ana, first).await.unwrap(), 1);
    assert_eq!(
        stage.answer(&ana, "welcome").await,
        stage.load(&ana).await.session.replies[0].id
    );
}
