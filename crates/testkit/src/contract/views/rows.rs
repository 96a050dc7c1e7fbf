//! Rows that follow the events.

mod hand_over;
mod messages;
mod people;
mod verdicts;

use replygate_gate::{Decision, MessageId, ReplyId, ReplyStatus, SessionKey};
use replygate_ports::views::{MessageView, ReplyView};

pub use hand_over::*;
pub use messages::*;
pub use people::*;
pub use verdicts::*;

use crate::contract::ViewsHarness;
use crate::contract::stage::{Stage, verdict};

async fn reply<H: ViewsHarness>(harness: &H, id: ReplyId) -> ReplyView {
    let mut found = harness.views().replies_by_id(&[id]).await.unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

async fn message<H: ViewsHarness>(harness: &H, id: MessageId) -> MessageView {
    let mut found = harness.views().messages_by_id(&[id]).await.unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

async fn status<H: ViewsHarness>(harness: &H, id: ReplyId) -> ReplyStatus {
    reply(harness, id).await.status
}

/// The newer message is answered under this verdict on the reply.
async fn judged(stage: &mut Stage, key: &SessionKey, said: ReplyId, decision: Decision) -> ReplyId {
    stage.arrive(key, "newer").await;
    let fence = stage.take(key).await;
    stage
        .commit(key, fence, vec![verdict(said, decision)], &["newest"])
        .await
        .unwrap()
}
