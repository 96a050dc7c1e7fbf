//! What every store must keep while it is tidied: open work stays whole, one person is erased and nobody else.

use replygate_gate::{At, SessionKey};
use replygate_ports::store::AppendError;
use replygate_ports::upkeep::Pruned;
use replygate_ports::views::{MessageQuery, ReplyQuery, SessionQuery};

use super::UpkeepHarness;
use super::stage::{Stage, accepted, author, direct, key};

/// The suite of the upkeep port.
#[macro_export]
macro_rules! upkeep_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), upkeep: [
            old_texts_are_emptied_and_the_rest_stays,
            old_steps_go_and_the_session_stays,
            dedupe_keys_stay_until_their_time,
            a_session_with_open_work_is_left_whole,
            a_round_is_bounded_and_rounds_come_to_an_end,
            one_person_is_forgotten_and_nobody_else,
            a_person_is_forgotten_in_one_channel_only,
            forgetting_a_stranger_does_nothing,
            a_forgotten_person_may_write_again,
        ]);
    };
}

const NEVER: At = At(0);

/// A session at rest: one message, answered and delivered.
async fn settled(
    stage: &mut Stage,
    key: &SessionKey,
    asked: &str,
) -> (replygate_gate::MessageId, replygate_gate::ReplyId) {
    let (message, reply) = stage
        .exchange(key, asked, &format!("answer to {asked}"))
        .await;
    stage.hand_over(key, reply, accepted()).await;
    stage.later(1_000);
    (message, reply)
}

pub async fn old_texts_are_emptied_and_the_rest_stays<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    let old = settled(&mut stage, &ana, "old").await;
    let border = stage.now;
    let new = settled(&mut stage, &rui, "new").await;
    let before = stage.load(&ana).await;

    let pruned = harness
        .upkeep()
        .prune(border, NEVER, NEVER, 100)
        .await
        .unwrap();
    assert_eq!(
        pruned,
        Pruned {
            texts: 2,
            dedupe_keys: 0,
            steps: 0
        }
    );
    let texts = stage.store.texts(&[old.0, new.0]).await.unwrap();
    assert_eq!(
        texts
            .iter()
            .map(|text| text.text.as_str())
            .collect::<Vec<_>>(),
        ["", "new"]
    );
    let replies = stage.store.replies(&[old.1, new.1]).await.unwrap();
    assert_eq!((replies[0].parts.len(), replies[1].parts.len()), (0, 1));
    assert_eq!(stage.load(&ana).await, before);
    assert_eq!(
        harness
            .upkeep()
            .prune(border, NEVER, NEVER, 100)
            .await
            .unwrap(),
        Pruned::default()
    );
}

pub async fn old_steps_go_and_the_session_stays<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    settled(&mut stage, &ana, "old").await;
    let (border, kept) = (stage.now, stage.load(&ana).await.version);
    settled(&mut stage, &ana, "new").await;
    let before = stage.load(&ana).await;

    let pruned = harness
        .upkeep()
        .prune(NEVER, NEVER, border, 100)
        .await
        .unwrap();
    assert_eq!(
        pruned,
        Pruned {
            texts: 0,
            dedupe_keys: 0,
            steps: kept
        }
    );
    assert_eq!(stage.load(&ana).await, before);
    let steps = stage.store.events(ana.session(), 0, 100).await.unwrap();
    assert_eq!(
        (steps[0].version, steps.last().unwrap().version),
        (kept + 1, before.version)
    );
    // And it goes on.
    settled(&mut stage, &ana, "newest").await;
}

pub async fn dedupe_keys_stay_until_their_time<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let old = stage.message_under(&ana, "m-1", None, "old");
    stage.try_receive(&ana, old.clone()).await.unwrap();
    let reply = stage.answer(&ana, "yes").await;
    stage.hand_over(&ana, reply, accepted()).await;
    let received = stage.store.texts(&[old.id]).await.unwrap()[0].received_at;

    let pruned = harness
        .upkeep()
        .prune(NEVER, received, NEVER, 100)
        .await
        .unwrap();
    assert_eq!(pruned, Pruned::default());
    let again = stage.message_under(&ana, "m-1", None, "old");
    let refused = stage.try_receive(&ana, again).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Duplicate { message } if message == old.id),
        "{refused:?}"
    );

    let pruned = harness
        .upkeep()
        .prune(NEVER, received.plus(1), NEVER, 100)
        .await
        .unwrap();
    assert_eq!(
        pruned,
        Pruned {
            texts: 0,
            dedupe_keys: 1,
            steps: 0
        }
    );
    assert_eq!(stage.store.find_message(&old.dedupe).await.unwrap(), None);
    assert_eq!(stage.store.texts(&[old.id]).await.unwrap()[0].text, "old");
}

pub async fn a_session_with_open_work_is_left_whole<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (waits, unsent, held, done) = (
        direct("waits"),
        direct("unsent"),
        direct("held"),
        direct("done"),
    );
    settled(&mut stage, &waits, "old").await;
    let last = stage.arrive(&waits, "still open").await;
    let (_, reply) = stage.exchange(&unsent, "two", "not sent yet").await;
    stage.exchange(&held, "three", "held").await;
    stage.arrive(&held, "four").await;
    settled(&mut stage, &done, "five").await;
    let all = |key: &SessionKey| (key.session(), stage.store.clone());
    let mut before = Vec::new();
    for key in [&waits, &unsent, &held] {
        let (session, store) = all(key);
        before.push((
            store.history(session, &[], 100).await.unwrap(),
            store.events(session, 0, 100).await.unwrap(),
        ));
    }

    let end = stage.now.plus(1);
    let pruned = harness.upkeep().prune(end, end, end, 100).await.unwrap();
    assert_eq!((pruned.texts, pruned.dedupe_keys), (2, 1));
    for (key, before) in [&waits, &unsent, &held].into_iter().zip(before) {
        let (session, store) = all(key);
        assert_eq!(store.history(session, &[], 100).await.unwrap(), before.0);
        assert_eq!(store.events(session, 0, 100).await.unwrap(), before.1);
    }
    assert_eq!(
        stage.store.texts(&[last]).await.unwrap()[0].text,
        "still open"
    );
    assert_eq!(
        stage.store.replies(&[reply]).await.unwrap()[0].parts,
        ["not sent yet"]
    );
}

pub async fn a_round_is_bounded_and_rounds_come_to_an_end<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    for number in 0..6 {
        settled(&mut stage, &direct(&format!("contact {number}")), "old").await;
    }
    let end = stage.now.plus(1);
    let mut total = Pruned::default();
    let mut rounds = 0;
    loop {
        let pruned = harness.upkeep().prune(end, end, end, 4).await.unwrap();
        if pruned == Pruned::default() {
            break;
        }
        assert!(
            pruned.dedupe_keys <= 4 && pruned.steps <= 4 && pruned.texts <= 8,
            "{pruned:?}"
        );
        total.texts += pruned.texts;
        total.dedupe_keys += pruned.dedupe_keys;
        total.steps += pruned.steps;
        rounds += 1;
        assert!(rounds < 100);
    }
    assert_eq!((total.texts, total.dedupe_keys, total.steps), (12, 6, 30));
}

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
