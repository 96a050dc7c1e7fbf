//! The stories the product starts from, at the pipeline's level: release, cancel, merge, and a lock nobody releases.

mod stage;

use replygate_engine::Verb;
use replygate_gate::ReplyStatus::{Cancelled, Delivered, Parked, Superseded};
use replygate_gate::{Outcome, ParkReason};
use stage::{Setting, Stage};

#[tokio::test(start_paused = true)]
async fn a_released_reply_leaves_on_its_own_time_and_the_next_follows() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.write("c", "a", "What are your business hours?").await;
    stage.until(300).await;
    stage
        .write("c", "b", "And do you accept PIX? #release")
        .await;
    stage.until(2_000).await;
    assert_eq!(
        stage.screen("c"),
        [
            (600, "What are your business hours?".to_owned()),
            (900, "And do you accept PIX? #release".to_owned())
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_reply_never_leaves() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.write("c", "a", "I want to cancel my order").await;
    stage.until(300).await;
    stage
        .write("c", "b", "Actually don't cancel it #cancel")
        .await;
    stage.until(2_000).await;
    assert_eq!(
        stage.screen("c"),
        [(900, "Actually don't cancel it #cancel".to_owned())]
    );
    assert_eq!(stage.statuses("c").await, [Cancelled, Delivered]);
}

#[tokio::test(start_paused = true)]
async fn a_merged_reply_never_leaves_and_one_answers_both() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.write("c", "a", "Add a pepperoni pizza").await;
    stage.until(300).await;
    stage.write("c", "b", "And a 2L Coke too #merge").await;
    stage.until(2_000).await;
    assert_eq!(
        stage.screen("c"),
        [(
            900,
            "Add a pepperoni pizza | And a 2L Coke too #merge".to_owned()
        )]
    );
    assert_eq!(stage.statuses("c").await, [Superseded, Delivered]);
}

#[tokio::test(start_paused = true)]
async fn with_debounce_an_unrelated_question_does_not_delay_the_first_answer() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("c", "a", "What are your business hours?").await;
    stage.until(1_500).await;
    stage
        .write("c", "b", "#release And do you accept PIX?")
        .await;
    stage.until(5_000).await;
    let times: Vec<i64> = stage.screen("c").iter().map(|(at, _)| *at).collect();
    // 1.2 s window and 0.6 s delay; then B at 1.5 s, its window and delay.
    assert_eq!(times, [1_800, 3_300]);
}

#[tokio::test(start_paused = true)]
async fn a_lock_nobody_releases_parks_the_reply_after_the_ladder() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.write("c", "a", "Where is my order?").await;
    let lock = Verb::Lock {
        holder: "crm".to_owned(),
        lease_ms: 500,
        ttl_ms: 30_000,
    };
    stage.act("c", lock).await.unwrap();
    stage.until(2_640).await;
    assert_ne!(stage.statuses("c").await, [Parked]);
    stage.until(2_710).await;
    let replies = stage.replies("c").await;
    assert_eq!(replies[0].park_reason, Some(ParkReason::LockStuck));
    let blocked = stage
        .events("c")
        .await
        .iter()
        .filter(|event| *event == "attempt_blocked")
        .count();
    assert_eq!(blocked, 3);
    stage.until(60_000).await;
    assert_eq!(stage.texts("c"), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_process_that_dies_while_sending_leaves_unknown_and_the_rest_goes_on() {
    let setting = Setting {
        channel: replygate_testkit::scripted::Latency::fixed(std::time::Duration::from_secs(5)),
        ..Setting::without_debounce()
    };
    let stage = Stage::set(setting).await;
    stage.write("c", "a", "first").await;
    stage.write("d", "b", "second").await;
    stage.until(1_000).await;
    stage.write("d", "c", "third").await;
    let stage = stage.crash(2).await;
    stage.until(12_000).await;
    assert_eq!(stage.replies("c").await[0].status.as_str(), "UNKNOWN");
    let sent: Vec<_> = stage.world.props.channel.hand_overs();
    let settled = sent
        .iter()
        .filter(|one| matches!(one.outcome, Some(Outcome::Accepted { .. })))
        .count();
    assert_eq!(settled, 1, "only the third was answered by the channel");
}
