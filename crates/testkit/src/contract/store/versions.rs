//! Versions: one winner, all or nothing, durable.

use futures::future::join_all;
use replygate_gate::{At, Command, MessageId, ReplyId};
use replygate_ports::store::AppendError;

use super::{schedule, texts_of};
use crate::contract::StoreHarness;
use crate::contract::harness::restarted;
use crate::contract::stage::{Beside, Stage, accepted, dedupe, deed, direct};

pub async fn the_first_append_makes_version_one<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let message = stage.message(&ana, "hello");
    let append = stage.arrival(&ana, message).await;
    assert_eq!(stage.store.append(append.clone()).await.unwrap(), 1);

    let stored = stage.store.load(ana.session()).await.unwrap().unwrap();
    assert_eq!(
        (stored.key, stored.version, stored.session),
        (ana, 1, append.session)
    );
}

pub async fn an_unknown_id_is_nothing<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let known = stage.arrive(&direct("ana"), "hello").await;
    let (nobody, store) = (direct("nobody"), &stage.store);
    let (message, reply) = (MessageId(1), ReplyId(1));

    assert_eq!(store.load(nobody.session()).await.unwrap(), None);
    assert_eq!(
        store
            .find_message(&dedupe(&nobody, "1", None))
            .await
            .unwrap(),
        None
    );
    assert_eq!(store.find_reply(reply).await.unwrap(), None);
    assert_eq!(store.action("never").await.unwrap(), None);
    assert_eq!(store.texts(&[message]).await.unwrap(), []);
    assert_eq!(store.texts(&[message, known]).await.unwrap().len(), 1);
    assert_eq!(store.replies(&[reply]).await.unwrap(), []);
    assert_eq!(store.history(nobody.session(), &[], 10).await.unwrap(), []);
    assert_eq!(store.events(nobody.session(), 0, 10).await.unwrap(), []);
    assert_eq!(
        store
            .answered(nobody.session(), &[message], reply)
            .await
            .unwrap(),
        []
    );
}

pub async fn a_stale_version_is_refused_with_both_versions<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage.arrive(&ana, "one").await;
    let message = stage.message(&ana, "two");
    let outdated = stage.arrival(&ana, message).await;
    stage.arrive(&ana, "three").await;

    let refused = stage.store.append(outdated).await.unwrap_err();
    assert!(
        matches!(
            refused,
            AppendError::Conflict {
                expected: 1,
                present: 2
            }
        ),
        "{refused:?}"
    );
}

pub async fn a_new_session_is_made_once<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let message = stage.message(&ana, "late");
    let late = stage.arrival(&ana, message).await;
    stage.arrive(&ana, "first").await;

    let refused = stage.store.append(late).await.unwrap_err();
    assert!(
        matches!(
            refused,
            AppendError::Conflict {
                expected: 0,
                present: 1
            }
        ),
        "{refused:?}"
    );
}

pub async fn of_many_concurrent_appenders_one_wins<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage.arrive(&ana, "hello").await;
    let mut rivals = Vec::new();
    for number in 0..32 {
        let message = stage.message(&ana, &format!("rival {number}"));
        rivals.push(stage.arrival(&ana, message).await);
    }

    let results = join_all(rivals.into_iter().map(|append| stage.store.append(append))).await;
    let won = results
        .iter()
        .filter(|result| matches!(result, Ok(2)))
        .count();
    let lost = |result: &&Result<u64, AppendError>| {
        matches!(
            result,
            Err(AppendError::Conflict {
                expected: 1,
                present: 2
            })
        )
    };
    assert_eq!(
        (won, results.iter().filter(lost).count()),
        (1, 31),
        "{results:?}"
    );
    assert_eq!(stage.load(&ana).await.session.uncovered.len(), 2);
}

pub async fn concurrent_appends_to_many_sessions_all_succeed<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let keys: Vec<_> = (0..200)
        .map(|number| direct(&format!("contact {number}")))
        .collect();
    let mut appends = Vec::new();
    for key in &keys {
        let message = stage.message(key, &key.contact);
        appends.push(stage.arrival(key, message).await);
    }

    let results = join_all(appends.into_iter().map(|append| stage.store.append(append))).await;
    assert!(
        results.iter().all(|result| matches!(result, Ok(1))),
        "{results:?}"
    );
    for key in &keys {
        let message = stage.load(key).await.session.uncovered[0].id;
        assert_eq!(
            texts_of(&*stage.store, &[message]).await,
            [key.contact.as_str()]
        );
    }
}

pub async fn a_step_refused_for_its_version_leaves_no_trace<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage.arrive(&ana, "one").await;
    let message = stage.message(&ana, "two");
    let mut outdated = stage.arrival(&ana, message.clone()).await;
    outdated.action = Some(deed("request-1", "none", None));
    stage.arrive(&ana, "three").await;
    let before = stage.load(&ana).await;
    stage.store.append(outdated).await.unwrap_err();

    assert_eq!(stage.load(&ana).await, before);
    assert_eq!(
        stage.store.find_message(&message.dedupe).await.unwrap(),
        None
    );
    assert_eq!(stage.store.texts(&[message.id]).await.unwrap(), []);
    assert_eq!(stage.store.action("request-1").await.unwrap(), None);
    assert_eq!(
        stage
            .store
            .events(ana.session(), 0, 10)
            .await
            .unwrap()
            .len(),
        2
    );
    assert_eq!(stage.try_receive(&ana, message).await.unwrap(), 3);
}

pub async fn a_step_refused_as_duplicate_leaves_no_trace<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let first = stage.message_under(&ana, "m-1", None, "hello");
    stage.try_receive(&ana, first).await.unwrap();
    let before = stage.load(&ana).await;
    let again = stage.message_under(&ana, "m-1", None, "hello again");
    let mut append = stage.arrival(&ana, again.clone()).await;
    append.action = Some(deed("request-1", "none", None));
    stage.store.append(append).await.unwrap_err();

    assert_eq!(stage.load(&ana).await, before);
    assert_eq!(stage.store.texts(&[again.id]).await.unwrap(), []);
    assert_eq!(stage.store.action("request-1").await.unwrap(), None);
    assert_eq!(
        stage
            .store
            .events(ana.session(), 0, 10)
            .await
            .unwrap()
            .len(),
        1
    );
}

pub async fn everything_survives_a_restart<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    let (message, reply) = stage.exchange(&ana, "hello", "good day").await;
    stage.hand_over(&ana, reply, accepted()).await;
    let first = stage.message_under(&rui, "m-1", None, "and you?");
    stage.try_receive(&rui, first.clone()).await.unwrap();
    let lock = Command::Lock {
        holder: "crm".to_owned(),
        lease_ms: 500,
        ttl_ms: 9_000,
    };
    let beside = Beside {
        action: Some(deed("request-1", "lock", None)),
        ..Beside::default()
    };
    stage.try_act(&rui, &lock, beside).await.unwrap();
    let ours = [stage.load(&ana).await, stage.load(&rui).await];
    let scheduled = schedule(&*stage.store, At(i64::MAX)).await;
    let steps = stage.store.events(ana.session(), 0, 100).await.unwrap();
    let history = stage.store.history(ana.session(), &[], 10).await.unwrap();

    drop(std::mem::replace(
        &mut stage.store,
        std::sync::Arc::new(crate::memory::MemoryStore::new()),
    ));
    let Some(harness) = restarted(harness).await else {
        return;
    };
    stage.store = harness.store();
    assert_eq!([stage.load(&ana).await, stage.load(&rui).await], ours);
    assert_eq!(schedule(&*stage.store, At(i64::MAX)).await, scheduled);
    assert_eq!(
        stage.store.events(ana.session(), 0, 100).await.unwrap(),
        steps
    );
    assert_eq!(
        stage.store.history(ana.session(), &[], 10).await.unwrap(),
        history
    );
    assert_eq!(
        texts_of(&*stage.store, &[message, first.id]).await,
        ["hello", "and you?"]
    );
    assert_eq!(
        stage.store.replies(&[reply]).await.unwrap()[0].parts,
        ["good day"]
    );
    assert_eq!(
        stage
            .store
            .action("request-1")
            .await
            .unwrap()
            .unwrap()
            .session,
        rui.session()
    );
    let again = stage.message_under(&rui, "m-1", None, "and you?");
    let refused = stage.try_receive(&rui, again).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Duplicate { message } if message == first.id),
        "{refused:?}"
    );
}

pub async fn a_working_store_answers_a_ping<H: StoreHarness>(harness: H) {
    harness.store().ping().await.unwrap();
}
