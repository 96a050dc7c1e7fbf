//! Replies of several parts whose claim ends while they are being handed over.

mod stage;

use std::time::Duration;

use replygate_gate::ReplyStatus;
use replygate_testkit::scripted::Latency;
use stage::{Setting, Stage};

fn slow_channel() -> Setting {
    let setting = Setting::channel(|settings| settings.debounce.closed_ms = 100);
    Setting {
        channel: Latency::fixed(Duration::from_secs(3)),
        ..setting
    }
}

#[tokio::test(start_paused = true)]
async fn a_first_part_that_is_accepted_after_its_claim_ended_does_not_count_for_the_rest() {
    let stage = Stage::set(slow_channel()).await;
    stage.write("c", "a", "one. #parts.").await;
    stage.write("c", "b", "two.").await;
    stage.until(2_000).await;
    // Another process takes the first for dead and ends its claim while part one is on its way.
    let other = stage.world.open(2).await;
    stage.until(10_000).await;
    assert_eq!(stage.texts("c"), ["one. #parts."]);
    assert_eq!(stage.statuses("c").await, [ReplyStatus::Unknown]);
    other.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_whole_reply_that_is_accepted_after_its_claim_ended_is_delivered() {
    let stage = Stage::set(slow_channel()).await;
    stage.write("c", "a", "one.").await;
    stage.until(2_000).await;
    let other = stage.world.open(2).await;
    stage.until(10_000).await;
    assert_eq!(stage.texts("c"), ["one."]);
    assert_eq!(stage.statuses("c").await, [ReplyStatus::Delivered]);
    other.close().await;
}
