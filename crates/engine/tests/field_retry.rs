//! Reports from the field about trying again: hopeless sends, healthy replies behind slow judges, and what a ladder loses.

mod stage;

use std::collections::BTreeMap;
use std::time::Duration;

use replygate_engine::Verb;
use replygate_gate::ParkReason;
use replygate_gate::ReplyStatus::{Delivered, Parked};
use replygate_testkit::scripted::{Latency, Scripted};
use stage::{Setting, Stage};

const BUSY: Scripted = Scripted::Busy {
    retry_after_ms: None,
};

fn seeds_ladder() -> Setting {
    Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.channel_ladder_ms = vec![300, 600, 1_200];
    })
}

/// When this contact's replies were handed to the channel, taken or not.
fn attempts(stage: &Stage, contact: &str) -> Vec<i64> {
    let start = replygate_testkit::clock::EPOCH.0;
    let all = stage.world.props.channel.hand_overs();
    all.iter()
        .filter(|one| one.part.key.contact == contact)
        .map(|one| one.at.0 - start)
        .collect()
}

/// FC-31
#[tokio::test(start_paused = true)]
async fn the_class_of_the_error_decides_and_a_restart_tries_nothing_hopeless_again() {
    let mut stage = Stage::set(seeds_ladder()).await;
    stage.world.props.channel.script("c41", &[Scripted::Refuse]);
    stage.world.props.channel.script("c42", &[BUSY; 4]);
    stage
        .play(&[(0, "c41", "1", "¿llegó?"), (0, "c42", "1", "¿y el mío?")])
        .await;
    stage.until(59_000).await;
    for round in 2..4 {
        let gone = &stage.replies("c41").await[0];
        assert_eq!(gone.park_reason, Some(ParkReason::ChannelRefused));
        assert_eq!(gone.code.as_deref(), Some("http_403"));
        let tired = &stage.replies("c42").await[0];
        assert_eq!(tired.park_reason, Some(ParkReason::ChannelFailed));
        assert_eq!(tired.code.as_deref(), Some("http_503"));
        assert_eq!(attempts(&stage, "c41"), [600]);
        assert_eq!(attempts(&stage, "c42"), [600, 900, 1_500, 2_700]);
        stage = stage.crash(round).await;
        stage.until(60_000 * round as i64).await;
    }
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn what_the_channel_asks_for_is_waited_for_and_counts_as_one_attempt() {
    let stage = Stage::set(seeds_ladder()).await;
    let asks = Scripted::Busy {
        retry_after_ms: Some(7_000),
    };
    stage.world.props.channel.script("c43", &[asks, BUSY]);
    stage.play(&[(0, "c43", "1", "quando chega?")]).await;
    stage.until(60_000).await;
    assert_eq!(attempts(&stage, "c43"), [600, 7_600, 8_200]);
    assert_eq!(stage.statuses("c43").await, [Delivered]);
}

#[tokio::test(start_paused = true)]
async fn a_refused_reply_stops_neither_typing_nor_the_replies_behind_it() {
    let stage = Stage::set(seeds_ladder()).await;
    stage
        .world
        .props
        .channel
        .script("c44b", &[Scripted::Refuse]);
    stage
        .play(&[(0, "c44b", "1", "one"), (100, "c44b", "2", "two")])
        .await;
    stage.until(20_000).await;
    assert_eq!(stage.statuses("c44b").await, [Parked, Delivered]);
    assert_eq!(stage.texts("c44b"), ["two"]);
    stage.sound().await;
}

/// FC-34
#[tokio::test(start_paused = true)]
async fn a_reply_that_waits_for_a_slow_judge_is_not_parked() {
    let setting = Setting {
        evaluator: Latency::fixed(Duration::from_secs(9)),
        ..Setting::channel(|settings| settings.triage.hard_ms = 20_000)
    };
    let stage = Stage::set(setting.with_agent_ms(1_800)).await;
    stage
        .play(&[
            (0, "c44", "wc-3101", "解約の手続きを教えてください。"),
            (2_900, "c44", "wc-3102", "それと違約金はありますか？"),
        ])
        .await;
    stage.until(60_000).await;
    let replies = stage.replies("c44").await;
    assert_eq!(replies[0].status, Delivered);
    assert_eq!(replies[0].attempts, 0, "waiting is no attempt");
    let screen = stage.screen("c44");
    assert_eq!(screen.len(), 2);
    // The judge began when A's reply was there, at 3 s.
    assert!((12_000..12_150).contains(&screen[0].0), "{screen:?}");
    assert!((13_800..14_550).contains(&screen[1].0), "{screen:?}");
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_judge_that_never_answers_holds_nothing_up_beyond_its_limit() {
    let setting = Setting {
        evaluator: Latency::fixed(Duration::from_hours(1)),
        ..Setting::without_debounce()
    };
    let stage = Stage::set(setting).await;
    stage
        .play(&[(0, "c45", "1", "first"), (300, "c45", "2", "second")])
        .await;
    stage.until(60_000).await;
    let screen = stage.screen("c45");
    assert_eq!(stage.texts("c45"), ["first", "second"]);
    assert!(screen[0].0 <= 2_400 && screen[1].0 <= 3_000, "{screen:?}");
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_reply_behind_a_lock_that_is_renewed_uses_up_no_attempt() {
    let stage = Stage::set(seeds_ladder()).await;
    stage.write("c46", "1", "onde está?").await;
    for renewal in 0..20 {
        stage.until(renewal * 400).await;
        stage.act("c46", lock(500)).await.unwrap();
    }
    assert_eq!(stage.replies("c46").await[0].attempts, 0);
    let holder = Some("crm".to_owned());
    stage.act("c46", Verb::Unlock { holder }).await.unwrap();
    stage.until(7_700).await;
    assert_eq!(stage.statuses("c46").await, [Delivered]);
    stage.sound().await;
}

fn lock(lease_ms: u64) -> Verb {
    Verb::Lock {
        holder: "crm".to_owned(),
        lease_ms,
        ttl_ms: 30_000,
    }
}

/// FC-35
#[tokio::test(start_paused = true)]
async fn of_two_hundred_locked_replies_none_is_lost_and_none_is_sent_twice() {
    conserved([700, 1_900], 200).await;
}

#[tokio::test(start_paused = true)]
async fn whenever_the_process_dies_the_ladder_loses_nothing() {
    for first in [610, 905, 1_005, 1_495, 2_695] {
        conserved([first, first + 300], 24).await;
    }
}

/// Replies to `count` contacts meet outside locks that nobody renews; half the locks are released at 1 s; the process is killed twice.
async fn conserved(kills: [i64; 2], count: usize) {
    let mut stage = Stage::set(Setting::without_debounce()).await;
    let contact = |index: usize| format!("k{index:03}");
    for index in 0..count {
        stage.write(&contact(index), "1", "你好，订单呢？").await;
        assert!(stage.act(&contact(index), lock(500)).await.is_ok());
    }
    let mut released = false;
    for (seed, kill) in kills.into_iter().enumerate() {
        if kill > 1_000 && !released {
            release_half(&stage, count).await;
            released = true;
        }
        stage.until(kill).await;
        stage = stage.crash(2 + seed as u64).await;
    }
    if !released {
        release_half(&stage, count).await;
    }
    stage.until(120_000).await;
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for reply in stage.all_replies().await {
        *ends.entry(reply.status.as_str()).or_default() += 1;
    }
    assert_eq!(ends.values().sum::<usize>(), count);
    assert_eq!(
        ends.get("DELIVERED"),
        Some(&(count / 2)),
        "{kills:?} {ends:?}"
    );
    assert_eq!(ends.get("PARKED"), Some(&(count / 2)), "{kills:?} {ends:?}");
    assert_eq!(stage.world.props.channel.delivered().len(), count / 2);
    stage.sound().await;
}

async fn release_half(stage: &Stage, count: usize) {
    stage.until(1_000).await;
    for index in (0..count).step_by(2) {
        let unlock = Verb::Unlock { holder: None };
        let unlocked = stage.act(&format!("k{index:03}"), unlock).await;
        assert!(unlocked.is_ok());
    }
}
