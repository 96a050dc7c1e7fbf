//! What people do to replies, and say themselves.

use replygate_gate::{Author, Command, Draft, ParkReason, ReplyId, ReplyStatus};
use replygate_ports::store::NewReply;

use super::{reply, status};
use crate::contract::ViewsHarness;
use crate::contract::stage::{Beside, Stage, direct, silence};

pub async fn a_reply_put_back_in_line_keeps_its_id_and_grows_a_generation<H: ViewsHarness>(
    harness: H,
) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (asked, said) = stage.exchange(&ana, "hello", "good day").await;
    let written = stage.now;
    stage.hand_over(&ana, said, silence()).await;
    stage.exchange(&ana, "more", "again").await;
    let target = stage.target(&ana, said).await;
    stage.act(&ana, Command::Reprocess(target)).await;
    let view = reply(&harness, said).await;
    assert_eq!(
        (view.status, view.seq, view.generation),
        (ReplyStatus::Pending, 3, 2)
    );
    assert_eq!(
        (view.created_at, view.due_at, view.covers),
        (written, stage.now, vec![asked])
    );
    assert_eq!(view.parts, ["good day"]);
}

pub async fn a_discarded_reply_says_so<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    stage.hand_over(&ana, said, silence()).await;
    let target = stage.target(&ana, said).await;
    stage.act(&ana, Command::Discard(target)).await;
    assert_eq!(status(&harness, said).await, ReplyStatus::Discarded);
}

pub async fn a_persons_reply_is_marked_as_theirs<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    stage
        .act(
            &ana,
            Command::TakeOver {
                by: "eva".to_owned(),
            },
        )
        .await;
    let parked = reply(&harness, said).await;
    assert_eq!(
        (parked.status, parked.park_reason),
        (ReplyStatus::Parked, Some(ParkReason::HumanTakeover))
    );

    let own = ReplyId(stage.id());
    let say = Command::Say {
        by: "eva".to_owned(),
        draft: Draft {
            reply: own,
            parts: 1,
        },
    };
    let content = NewReply {
        id: own,
        parts: vec!["Eva here".to_owned()],
    };
    stage
        .try_act(
            &ana,
            &say,
            Beside {
                reply: Some(content),
                ..Beside::default()
            },
        )
        .await
        .unwrap();
    let view = reply(&harness, own).await;
    assert_eq!(
        (view.author, view.covers.len(), view.seq),
        (Author::Person, 0, 2)
    );
    assert_eq!(view.parts, ["Eva here"]);
}
