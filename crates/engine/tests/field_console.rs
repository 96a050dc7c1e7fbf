//! Reports from the field about what operators see and can do: parked work has an exit, and a remedy is as narrow as its fault.

mod stage;

use replygate_engine::{Deed, StepError, Verb};
use replygate_gate::ReplyStatus::{Delivered, Discarded, Parked, Unknown};
use replygate_gate::{ParkReason, Refusal, Target};
use replygate_ports::clock::Clock;
use replygate_ports::store::Store;
use replygate_ports::views::{SessionQuery, Views};
use replygate_testkit::scripted::Scripted;
use stage::{Setting, Stage, key};

const DAY: i64 = 86_400_000;
const BUSY: Scripted = Scripted::Busy {
    retry_after_ms: None,
};

fn one_rung() -> Setting {
    Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.channel_ladder_ms = vec![200];
    })
}

/// Eleven replies nobody got, the first one 33 days old.
async fn eleven() -> Stage {
    let stage = Stage::set(one_rung()).await;
    let channel = &stage.world.props.channel;
    for index in 0..11 {
        let script: &[Scripted] = match index {
            0..7 => &[BUSY, BUSY],
            7..10 => &[Scripted::Refuse],
            _ => &[Scripted::Lost],
        };
        channel.script(&format!("o{index:02}"), script);
    }
    stage.write("o00", "m", "¿pueden llamarme?").await;
    stage.until(5_000).await;
    let world = stage.world.clone();
    stage.close().await;
    world
        .clock
        .sleep(std::time::Duration::from_millis(33 * DAY as u64))
        .await;
    let stage = world.open(2).await;
    for index in 1..11 {
        stage
            .write(&format!("o{index:02}"), "m", "¿hay noticias?")
            .await;
    }
    stage.until(stage.t() + 20_000).await;
    stage
}

/// FC-70
#[tokio::test(start_paused = true)]
async fn everything_parked_can_be_listed_read_and_put_away() {
    let stage = eleven().await;
    let parked = stage.inbox().await;
    assert_eq!(parked.len(), 11, "nothing leaves by age alone");
    let class = |reason| {
        parked
            .iter()
            .filter(|reply| reply.park_reason == reason)
            .count()
    };
    assert_eq!(class(Some(ParkReason::ChannelFailed)), 7);
    assert_eq!(class(Some(ParkReason::ChannelRefused)), 3);
    assert_eq!(
        parked
            .iter()
            .filter(|reply| reply.status == Unknown)
            .count(),
        1
    );
    let now = stage.world.clock.now();
    let oldest = parked.iter().map(|reply| now.since(reply.created_at)).max();
    assert!(oldest.unwrap() >= 33 * DAY as u64);
    for reply in &parked {
        assert!(
            reply.code.is_some() && reply.attempts > 0
                || reply.park_reason == Some(ParkReason::ChannelRefused)
        );
        assert!(!reply.parts[0].is_empty());
    }

    for (index, reply) in parked.iter().enumerate() {
        let deed = Deed {
            verb: Verb::Discard(Target {
                reply: reply.id,
                generation: reply.generation,
            }),
            by: "ana".to_owned(),
            reason: Some("answered by phone".to_owned()),
            request_id: Some(format!("discard-{index}")),
        };
        stage.engine.act(reply.session, deed).await.unwrap();
    }
    assert_eq!(stage.inbox().await.len(), 0);
    assert_eq!(stage.world.store.open_counts().await.unwrap(), []);
    for index in 0..11 {
        let record = stage
            .world
            .store
            .action(&format!("discard-{index}"))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(record.action.by, "ana");
        assert_eq!(record.action.reason.as_deref(), Some("answered by phone"));
        assert_eq!(stage.statuses(&format!("o{index:02}")).await, [Discarded]);
    }
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn everything_parked_can_be_sent_as_it_was_written() {
    let stage = eleven().await;
    for reply in stage.inbox().await {
        let target = Target {
            reply: reply.id,
            generation: reply.generation,
        };
        let deed = Deed {
            verb: Verb::Reprocess(target),
            by: "rui".to_owned(),
            reason: None,
            request_id: None,
        };
        stage.engine.act(reply.session, deed).await.unwrap();
    }
    stage.until(stage.t() + 60_000).await;
    assert_eq!(stage.inbox().await.len(), 0);
    assert_eq!(stage.world.props.channel.delivered().len(), 11);
    stage.sound().await;
}

fn lock(lease_ms: u64, ttl_ms: u64) -> Verb {
    Verb::Lock {
        holder: "old release".to_owned(),
        lease_ms,
        ttl_ms,
    }
}

/// FC-71
#[tokio::test(start_paused = true)]
async fn a_dead_holders_lock_is_removed_from_one_session_and_the_message_is_answered() {
    let stage = Stage::set(Setting::without_debounce()).await;
    for contact in ["c81", "c82"] {
        stage.write(contact, "0", "bonjour").await;
        stage.until(stage.t() + 1_000).await;
        // A lock without an end, as far as anybody lives to see.
        stage.act(contact, lock(u64::MAX, u64::MAX)).await.unwrap();
    }
    stage.write("c81", "1", "vous êtes là ?").await;
    stage.write("c82", "1", "vous êtes là ?").await;
    stage.until(60_000).await;
    // The operator sees who holds which session, since when, and what waits there.
    let held: Vec<_> = stage
        .world
        .store
        .sessions(&SessionQuery {
            open_only: true,
            limit: 10,
            ..SessionQuery::default()
        })
        .await
        .unwrap();
    assert_eq!(held.len(), 2);
    for summary in &held {
        let session = &summary.stored.session;
        assert_eq!(session.lock.as_ref().unwrap().holder, "old release");
        assert_eq!(session.replies.len(), 1);
        assert_eq!(
            session.replies[0].attempts, 0,
            "a live lock uses up no attempt"
        );
    }
    let unlock = Verb::Unlock { holder: None };
    stage
        .act_as("ana", "c81", unlock, Some("unlock-1"))
        .await
        .unwrap();
    stage.until(60_100).await;
    assert_eq!(stage.texts("c81"), ["bonjour", "vous êtes là ?"]);
    assert_eq!(stage.texts("c82"), ["bonjour"], "the other lock stands");
    assert!(
        stage.write("c81", "1", "vous êtes là ?").await.duplicate,
        "ids are remembered"
    );
    let record = stage.world.store.action("unlock-1").await.unwrap().unwrap();
    assert_eq!(
        (record.session, record.action.verb.as_str()),
        (key("webchat", "c81").session(), "unlock")
    );
    let nothing = stage.act("c81", Verb::Unlock { holder: None }).await;
    assert!(matches!(nothing, Err(StepError::Refused(Refusal::NoLock))));
    stage
        .act("c82", Verb::Unlock { holder: None })
        .await
        .unwrap();
    stage.until(70_000).await;
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_dead_holder_had_parked_is_delivered_after_the_unlock() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.write("c83", "1", "¿siguen ahí?").await;
    stage.act("c83", lock(500, u64::MAX)).await.unwrap();
    stage.until(30_000).await;
    assert_eq!(stage.statuses("c83").await, [Parked]);
    let verb = Verb::Reprocess(stage.target("c83", 0).await);
    stage
        .act("c83", Verb::Unlock { holder: None })
        .await
        .unwrap();
    stage.act("c83", verb).await.unwrap();
    stage.until(31_000).await;
    assert_eq!(stage.statuses("c83").await, [Delivered]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_lock_whose_time_is_over_is_gone_by_itself() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.write("c84", "1", "olá?").await;
    stage.act("c84", lock(20_000, 20_000)).await.unwrap();
    stage.until(19_900).await;
    assert!(stage.screen("c84").is_empty());
    stage.until(20_200).await;
    assert_eq!(stage.texts("c84"), ["olá?"]);
    stage.sound().await;
}
