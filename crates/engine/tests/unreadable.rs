//! A reply whose text cannot be read from the store: no fault of the channel, so nothing is counted against it.

mod stage;

use std::sync::Arc;

use async_trait::async_trait;
use replygate_engine::Verb;
use replygate_gate::ReplyStatus::{Delivered, Parked};
use replygate_gate::{At, ParkReason, ReplyId};
use replygate_ports::clock::Clock;
use replygate_ports::store::{ReplyText, Store, StoreError};
use replygate_testkit::bent::{Bend, BentStore};
use replygate_testkit::clock::{EPOCH, SimClock};
use stage::{Setting, Stage, World};

/// Contents of replies cannot be read before this instant.
struct Unread {
    clock: Arc<SimClock>,
    until: At,
    fault: fn() -> StoreError,
}

#[async_trait]
impl Bend for Unread {
    async fn replies(
        &self,
        store: &dyn Store,
        replies: &[ReplyId],
    ) -> Result<Vec<ReplyText>, StoreError> {
        if self.clock.now() < self.until {
            return Err((self.fault)());
        }
        store.replies(replies).await
    }
}

/// A process whose replies cannot be read for the first two minutes. One failure of the channel would park a reply.
async fn unread(fault: fn() -> StoreError) -> Stage {
    let setting = Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.channel_ladder_ms = Vec::new();
    });
    let world = World::new(setting).await;
    let bend = Unread {
        clock: world.clock.clone(),
        until: At(EPOCH.0 + 120_000),
        fault,
    };
    let store = Arc::new(BentStore::new(world.store.clone(), bend));
    world.open_over(1, store).await
}

#[tokio::test(start_paused = true)]
async fn a_reply_waits_out_a_store_that_is_too_busy_to_be_read() {
    let stage = unread(|| StoreError::Unavailable("too busy".into())).await;
    stage.play(&[(0, "c", "1", "where is it?")]).await;
    stage.until(119_000).await;
    assert_eq!(stage.texts("c"), [""; 0]);
    stage.until(150_000).await;
    assert_eq!(stage.texts("c"), ["where is it?"]);
    let reply = &stage.replies("c").await[0];
    assert_eq!((reply.status, reply.attempts), (Delivered, 0));
    assert_eq!(reply.code, None);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_stored_in_ruins_waits_for_a_person_under_its_true_reason() {
    let stage = unread(|| StoreError::Corrupt {
        what: "text".to_owned(),
        source: "in ruins".into(),
    })
    .await;
    stage.play(&[(0, "c", "1", "where is it?")]).await;
    stage.until(119_000).await;
    let reply = &stage.replies("c").await[0];
    assert_eq!(reply.park_reason, Some(ParkReason::TextUnreadable));
    assert_eq!((reply.status, reply.attempts), (Parked, 0));
    stage.until(121_000).await;
    stage.write("c", "2", "hello?").await;
    stage.until(130_000).await;
    assert_eq!(stage.texts("c"), ["hello?"], "it stands in nobody's way");
    let target = stage.target("c", 0).await;
    stage.act("c", Verb::Reprocess(target)).await.unwrap();
    stage.until(140_000).await;
    assert_eq!(stage.texts("c"), ["hello?", "where is it?"]);
    stage.sound().await;
}
