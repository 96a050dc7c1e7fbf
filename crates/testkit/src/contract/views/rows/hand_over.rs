//! A reply from its first hand-over attempt to its last.

use replygate_gate::{Author, Command, Decision, Outcome, ParkReason, ReplyStatus};
use replygate_ports::store::HistoryEntry;
use replygate_ports::views::ReplyView;

use super::{judged, reply, status};
use crate::contract::ViewsHarness;
use crate::contract::stage::{SPENT, Stage, accepted, busy, direct, silence};

pub async fn a_reply_waits_is_handed_over_and_delivered<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (asked, said) = stage.exchange(&ana, "hello", "good day").await;
    let written = stage.now;
    let due = stage
        .load(&ana)
        .await
        .session
        .reply(said)
        .unwrap()
        .not_before;
    let pending = ReplyView {
        id: said,
        session: ana.session(),
        seq: 1,
        status: ReplyStatus::Pending,
        parts: vec!["good day".to_owned()],
        covers: vec![asked],
        author: Author::Agent,
        effects: false,
        created_at: written,
        due_at: due,
        changed_at: written,
        generation: 0,
        attempts: 0,
        park_reason: None,
        code: None,
        superseded_by: None,
        receipt: None,
        cut: false,
        sent: 0,
        usage: SPENT,
    };
    assert_eq!(reply(&harness, said).await, pending);

    let token = stage.claim(&ana, said).await;
    let dispatching = ReplyView {
        status: ReplyStatus::Dispatching,
        changed_at: stage.now,
        ..pending.clone()
    };
    assert_eq!(reply(&harness, said).await, dispatching);

    stage.later(40);
    stage
        .act(
            &ana,
            Command::Settle {
                token,
                outcome: accepted(),
            },
        )
        .await;
    let delivered = ReplyView {
        status: ReplyStatus::Delivered,
        changed_at: stage.now,
        receipt: Some("receipt-1".to_owned()),
        sent: 1,
        ..pending
    };
    assert_eq!(reply(&harness, said).await, delivered);
}

pub async fn a_failing_channel_is_counted_and_its_word_kept<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    for attempt in 1..=stage.rules.channel_ladder_ms.len() {
        stage.hand_over(&ana, said, busy()).await;
        let view = reply(&harness, said).await;
        assert_eq!(
            (view.status, view.attempts),
            (ReplyStatus::Pending, attempt as u32)
        );
        assert_eq!(view.code.as_deref(), Some("http_503"));
        assert_eq!(
            view.due_at,
            stage.now.plus(stage.rules.channel_ladder_ms[attempt - 1])
        );
    }
    let refused = Outcome::Refused {
        code: "http_403".to_owned(),
    };
    stage.hand_over(&ana, said, refused).await;
    let view = reply(&harness, said).await;
    assert_eq!(
        (view.status, view.park_reason),
        (ReplyStatus::Parked, Some(ParkReason::ChannelRefused))
    );
    assert_eq!(
        (view.code.as_deref(), view.generation),
        (Some("http_403"), 1)
    );
}

pub async fn a_stuck_lock_is_counted_and_parks<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    stage
        .act(
            &ana,
            Command::Lock {
                holder: "crm".to_owned(),
                lease_ms: 1,
                ttl_ms: 60_000,
            },
        )
        .await;
    for attempt in 1..=stage.rules.ladder_ms.len() {
        stage.claim(&ana, said).await;
        let view = reply(&harness, said).await;
        assert_eq!(
            (view.status, view.attempts),
            (ReplyStatus::Pending, attempt as u32)
        );
    }
    stage.claim(&ana, said).await;
    let view = reply(&harness, said).await;
    assert_eq!(
        (view.status, view.park_reason),
        (ReplyStatus::Parked, Some(ParkReason::LockStuck))
    );
    assert_eq!(
        (view.code, view.generation, view.changed_at),
        (None, 1, stage.now)
    );
}

pub async fn an_unknown_reply_is_settled_by_a_report<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    stage.hand_over(&ana, said, silence()).await;
    let view = reply(&harness, said).await;
    assert_eq!(
        (view.status, view.code.as_deref(), view.generation),
        (ReplyStatus::Unknown, Some("timeout"), 1)
    );
    stage.act(&ana, Command::Report { reply: said }).await;
    let view = reply(&harness, said).await;
    assert_eq!((view.status, view.receipt), (ReplyStatus::Delivered, None));
}

pub async fn a_reply_that_is_too_old_is_parked_or_expires<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    let (_, parked) = stage.exchange(&ana, "hello", "good day").await;
    let (_, expired) = stage.exchange(&rui, "hello", "good day").await;
    stage.later(stage.rules.park_age_ms);
    stage.act(&ana, Command::Expire).await;
    let view = reply(&harness, parked).await;
    assert_eq!(
        (view.status, view.park_reason),
        (ReplyStatus::Parked, Some(ParkReason::TooOld))
    );
    stage.later(stage.rules.expire_age_ms);
    stage.act(&rui, Command::Expire).await;
    assert_eq!(status(&harness, expired).await, ReplyStatus::Expired);
}

pub async fn a_reply_cut_short_is_delivered_and_marked<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage.arrive(&ana, "tell me").await;
    let fence = stage.take(&ana).await;
    let said = stage
        .commit(&ana, fence, Vec::new(), &["one", "two"])
        .await
        .unwrap();
    stage.hand_over(&ana, said, accepted()).await;
    let view = reply(&harness, said).await;
    assert_eq!(
        (view.status, view.receipt.as_deref()),
        (ReplyStatus::Dispatching, Some("receipt-1"))
    );
    assert_eq!(view.sent_parts(), ["one"]);
    let token = stage
        .load(&ana)
        .await
        .session
        .reply(said)
        .unwrap()
        .claim
        .clone()
        .unwrap()
        .token;
    stage
        .act(
            &ana,
            Command::Settle {
                token,
                outcome: Outcome::NotSent,
            },
        )
        .await;
    assert!(!reply(&harness, said).await.cut);

    judged(&mut stage, &ana, said, Decision::CancelFirst).await;
    let view = reply(&harness, said).await;
    assert_eq!(
        (view.status, view.cut, view.receipt.as_deref()),
        (ReplyStatus::Delivered, true, Some("receipt-1"))
    );
    assert_eq!(view.sent_parts(), ["one"]);
    // The agent reads the same.
    let history = stage.store.history(ana.session(), &[], 10).await.unwrap();
    let left = history.iter().find_map(|entry| match entry {
        HistoryEntry::Agent { reply, sent, .. } if *reply == said => Some(*sent),
        _ => None,
    });
    assert_eq!(left, Some(1));
}
