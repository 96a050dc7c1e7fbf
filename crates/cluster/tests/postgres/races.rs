//! Several processes on one database: whatever they do at the same instant, there is one winner.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::{join, join_all};
use replygate_cluster::Postgres;
use replygate_gate::{Command, MessageId, SessionKey};
use replygate_ports::settings::{ChannelSettings, SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::{AppendError, Store};
use replygate_ports::upkeep::Upkeep;
use replygate_testkit::contract::stage::{Beside, Stage, author, deed, direct};

use crate::service::Schema;

/// Races are run so often: a wrong answer comes out once in a few.
const ROUNDS: u32 = 20;

/// Two processes on a schema of their own; nothing without a server.
async fn two() -> Option<(Schema, Postgres, Postgres)> {
    let schema = Schema::new();
    let (one, other) = (schema.begin().await?, schema.begin().await?);
    Some((schema, one, other))
}

fn stage(postgres: &Postgres) -> Stage {
    Stage::new(Arc::new(postgres.clone()))
}

/// The winner's version and the loser's error, whoever is which.
fn split(results: (Result<u64, AppendError>, Result<u64, AppendError>)) -> (u64, AppendError) {
    match results {
        (Ok(version), Err(error)) | (Err(error), Ok(version)) => (version, error),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_that_append_to_one_session_one_wins() {
    let Some((_schema, one, other)) = two().await else {
        return;
    };
    let mut stage = stage(&one);
    let ana = direct("ana");
    for round in 0..u64::from(ROUNDS) {
        let messages = [stage.message(&ana, "mine"), stage.message(&ana, "yours")];
        let [mine, yours] = messages.map(|message| stage.arrival(&ana, message));
        let (mine, yours) = join(mine, yours).await;
        let (version, refused) = split(join(one.append(mine), other.append(yours)).await);
        assert_eq!(version, round + 1);
        let expected = |error: &AppendError| matches!(error, AppendError::Conflict { expected, present } if (*expected, *present) == (round, round + 1));
        assert!(expected(&refused), "{refused:?}");
    }
    let steps = other.events(ana.session(), 0, 100).await.unwrap();
    let versions: Vec<u64> = steps.iter().map(|step| step.version).collect();
    assert_eq!(versions, (1..=u64::from(ROUNDS)).collect::<Vec<_>>());
    assert_eq!(
        stage.load(&ana).await.session.uncovered.len(),
        ROUNDS as usize
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_two_processes_receive_at_once_is_kept_once() {
    let Some((_schema, one, other)) = two().await else {
        return;
    };
    let mut stage = stage(&one);
    for round in 0..ROUNDS {
        // Two authors of a group, so that only the key can tell.
        let (ana, rui) = (
            author("g", &format!("ana {round}")),
            author("g", &format!("rui {round}")),
        );
        let provider_id = format!("m-{round}");
        let first = stage.message_under(&ana, &provider_id, None, "hello");
        let twin = stage.message_under(&rui, &provider_id, None, "hello");
        let appends = (
            stage.arrival(&ana, first.clone()).await,
            stage.arrival(&rui, twin.clone()).await,
        );
        let (_, refused) = split(join(one.append(appends.0), other.append(appends.1)).await);
        let kept = stage
            .store
            .find_message(&first.dedupe)
            .await
            .unwrap()
            .unwrap();
        assert!(
            matches!(refused, AppendError::Duplicate { message } if message == kept),
            "{refused:?}"
        );
        assert_eq!(one.texts(&[first.id, twin.id]).await.unwrap().len(), 1);
        let sessions = [ana.session(), rui.session()].map(|id| other.load(id));
        let made = join_all(sessions).await;
        assert_eq!(
            made.iter()
                .filter(|session| session.as_ref().unwrap().is_some())
                .count(),
            1
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_of_a_conversation_is_given_once() {
    let Some((_schema, one, other)) = two().await else {
        return;
    };
    let mut stage = stage(&one);
    for round in 0..ROUNDS {
        let group = format!("g {round}");
        let (ana, rui) = (author(&group, "ana"), author(&group, "rui"));
        stage.arrive(&ana, "one").await;
        stage.arrive(&rui, "two").await;
        let fences = (stage.take(&ana).await, stage.take(&rui).await);
        // Both decide before either appends, so both want number 1.
        let (_, mine) = stage
            .commit_step(&ana, fences.0, Vec::new(), &["yes"])
            .await;
        let (_, yours) = stage
            .commit_step(&rui, fences.1, Vec::new(), &["yes"])
            .await;
        let (_, refused) = split(join(one.append(mine), other.append(yours)).await);
        assert!(
            matches!(refused, AppendError::Conflict { .. }),
            "{refused:?}"
        );
        // Whoever lost decides again and takes the next one.
        for (key, fence) in [(&ana, fences.0), (&rui, fences.1)] {
            if stage.load(key).await.session.replies.is_empty() {
                let (_, again) = stage.commit_step(key, fence, Vec::new(), &["yes"]).await;
                stage.store.append(again).await.unwrap();
            }
        }
        let mut numbers = Vec::new();
        for key in [&ana, &rui] {
            numbers.push(stage.load(key).await.session.replies[0].seq);
        }
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_reaches_two_processes_is_carried_out_once() {
    let Some((_schema, one, other)) = two().await else {
        return;
    };
    let mut stage = stage(&one);
    for round in 0..ROUNDS {
        let keys = [
            direct(&format!("ana {round}")),
            direct(&format!("rui {round}")),
        ];
        let request = format!("request {round}");
        let mut appends = Vec::new();
        for key in &keys {
            stage.arrive(key, "hello").await;
            let lock = Command::Lock {
                holder: "crm".to_owned(),
                lease_ms: 500,
                ttl_ms: 9_000,
            };
            let beside = Beside {
                action: Some(deed(&request, "lock", None)),
                ..Beside::default()
            };
            appends.push(stage.step(key, &lock, beside).await.unwrap());
        }
        let (second, first) = (appends.pop().unwrap(), appends.pop().unwrap());
        let (_, refused) = split(join(one.append(first), other.append(second)).await);
        let record = other.action(&request).await.unwrap().unwrap();
        assert!(
            matches!(&refused, AppendError::Repeated(known) if **known == record),
            "{refused:?}"
        );
        let locked = join_all(keys.iter().map(|key| stage.load(key))).await;
        let locked: Vec<_> = locked
            .iter()
            .filter(|stored| stored.session.lock.is_some())
            .collect();
        assert_eq!(locked.len(), 1);
        assert_eq!(locked[0].key.session(), record.session);
    }
}

/// Appends a message, deciding again whenever somebody else was faster.
async fn insist(postgres: Postgres, key: SessionKey, id: u128) {
    let mut stage = stage(&postgres);
    let mut message = stage.message(&key, "hello");
    message.id = MessageId(id);
    message.dedupe.provider_id = id.to_string();
    loop {
        match stage.try_receive(&key, message.clone()).await {
            Ok(_) => return,
            Err(AppendError::Conflict { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_processes_get_everything_through_without_waiting_in_a_circle() {
    let schema = Schema::new();
    let mut processes = Vec::new();
    for _ in 0..3 {
        let Some(process) = schema.begin().await else {
            return;
        };
        processes.push(process);
    }
    let keys: Vec<SessionKey> = (0..20)
        .map(|number| author(&format!("g {}", number % 4), &format!("contact {number}")))
        .collect();
    let appends = (0..600_u128).map(|number| {
        let process = processes[number as usize % 3].clone();
        let key = keys[(number / 3) as usize % keys.len()].clone();
        tokio::spawn(insist(process, key, number + 1))
    });
    for done in join_all(appends).await {
        done.unwrap();
    }
    for key in &keys {
        let stored = processes[0].load(key.session()).await.unwrap().unwrap();
        let steps = processes[1].events(key.session(), 0, 1_000).await.unwrap();
        assert_eq!(
            (stored.version, stored.session.uncovered.len(), steps.len()),
            (30, 30, 30)
        );
    }
}

#[tokio::test]
async fn what_another_process_did_is_seen_at_once() {
    let Some((_schema, one, other)) = two().await else {
        return;
    };
    let (mut mine, mut yours) = (stage(&one), stage(&other));
    let ana = direct("ana");
    mine.arrive(&ana, "one").await;
    yours.drawn_from(1_000);
    let reply = yours.answer(&ana, "1").await;
    assert_eq!(mine.load(&ana).await, yours.load(&ana).await);
    assert_eq!(mine.load(&ana).await.session.replies[0].id, reply);
}

#[tokio::test]
async fn a_person_whom_another_process_erased_begins_anew() {
    let Some((_schema, one, other)) = two().await else {
        return;
    };
    let mut mine = stage(&one);
    let ana = direct("ana");
    let (_, reply) = mine.exchange(&ana, "one", "1").await;
    other.forget(None, "ana").await.unwrap();
    assert_eq!(one.load(ana.session()).await.unwrap(), None);
    let message = mine.arrive(&ana, "again").await;
    let stored = mine.load(&ana).await;
    assert_eq!(
        (stored.version, stored.session.uncovered[0].id),
        (1, message)
    );
    assert_eq!(one.replies(&[reply]).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_that_save_settings_one_wins() {
    let Some((_schema, one, other)) = two().await else {
        return;
    };
    for version in 1..=u64::from(ROUNDS) {
        let next = |by: &str| SettingsVersion {
            version,
            settings: ChannelSettings::new("shop", "webchat"),
            by: by.to_owned(),
            at: replygate_gate::At(1),
            reason: None,
            request_id: None,
        };
        let results = join(one.save(next("one")), other.save(next("other"))).await;
        let refused = match results {
            (Ok(()), Err(refused)) | (Err(refused), Ok(())) => refused,
            both => panic!("{both:?}"),
        };
        let is_conflict =
            matches!(refused, StaleSettings::Conflict { present } if present == version);
        assert!(is_conflict, "{refused:?}");
    }
    let mut by = BTreeMap::new();
    let saved = SettingsStore::<ChannelSettings>::versions(&one, "shop", None, 100);
    for saved in saved.await.unwrap() {
        by.insert(saved.version, saved.by);
    }
    assert_eq!(by.len(), ROUNDS as usize);
}
