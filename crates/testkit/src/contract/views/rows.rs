//! Rows that follow the events.

use replygate_gate::control::Control;
use replygate_gate::debounce::Signal;
use replygate_gate::{
    Admission, Arrival, Author, Command, Commit, Decision, Draft, DropReason, Late, MessageId,
    Outcome, ParkReason, ReplyId, ReplyStatus, SessionKey, Usage,
};
use replygate_ports::changes::MessageState;
use replygate_ports::store::NewReply;
use replygate_ports::views::{MessageView, ReplyView};

use crate::contract::ViewsHarness;
use crate::contract::stage::{Beside, SPENT, Stage, accepted, busy, direct, silence, verdict};

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
        ..pending
    };
    assert_eq!(reply(&harness, said).await, delivered);
}

pub async fn a_reply_is_released_and_held_again<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    stage.arrive(&ana, "do you deliver?").await;
    let epoch = stage.load(&ana).await.session.epoch;
    let verdicts = vec![verdict(said, Decision::ReleaseFirst)];
    stage.act(&ana, Command::Judge { epoch, verdicts }).await;
    assert_eq!(status(&harness, said).await, ReplyStatus::Released);
    stage.arrive(&ana, "and where?").await;
    assert_eq!(status(&harness, said).await, ReplyStatus::Pending);
    stage.act(&ana, Command::ReleaseHold).await;
    assert_eq!(status(&harness, said).await, ReplyStatus::Released);
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

pub async fn a_cancelled_reply_says_so<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (asked, said) = stage.exchange(&ana, "hello", "good day").await;
    let newest = judged(&mut stage, &ana, said, Decision::CancelFirst).await;
    let cancelled = reply(&harness, said).await;
    assert_eq!(
        (cancelled.status, cancelled.superseded_by),
        (ReplyStatus::Cancelled, None)
    );
    assert_eq!(cancelled.covers, [asked]);
    assert_eq!(status(&harness, newest).await, ReplyStatus::Pending);
}

pub async fn a_superseded_reply_names_its_successor<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (asked, said) = stage.exchange(&ana, "hello", "good day").await;
    let newest = judged(&mut stage, &ana, said, Decision::Merge).await;
    let superseded = reply(&harness, said).await;
    assert_eq!(
        (superseded.status, superseded.superseded_by),
        (ReplyStatus::Superseded, Some(newest))
    );
    assert!(reply(&harness, newest).await.covers.contains(&asked));
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
}

pub async fn a_failed_turn_leaves_an_empty_parked_reply<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let asked = stage.arrive(&ana, "hello").await;
    let fence = stage.take(&ana).await;
    let empty = stage.fail(&ana, fence).await;
    let view = reply(&harness, empty).await;
    assert_eq!(
        (view.status, view.park_reason),
        (ReplyStatus::Parked, Some(ParkReason::AgentFailed))
    );
    assert_eq!(
        (view.parts.len(), view.covers, view.code.as_deref()),
        (0, vec![asked], Some("timeout"))
    );
    assert_eq!(view.usage, SPENT);
    assert_eq!(
        message(&harness, asked).await.state,
        MessageState::Covered(Some(empty))
    );
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

pub async fn a_reply_with_effects_shows_them<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage.arrive(&ana, "book it").await;
    let fence = stage.take(&ana).await;
    let said = ReplyId(stage.id());
    let commit = Commit {
        fence,
        verdicts: Vec::new(),
        draft: Some(Draft {
            reply: said,
            parts: 1,
        }),
        effects: true,
        run_ms: 1,
        usage: Usage::default(),
        late: Late::Accept,
    };
    let content = NewReply {
        id: said,
        parts: vec!["booked".to_owned()],
    };
    let beside = Beside {
        reply: Some(content),
        ..Beside::default()
    };
    stage
        .try_act(&ana, &Command::Commit(commit), beside)
        .await
        .unwrap();
    assert!(reply(&harness, said).await.effects);
    // The successor inherits them.
    let newest = judged(&mut stage, &ana, said, Decision::Merge).await;
    assert!(reply(&harness, newest).await.effects);
}

pub async fn a_message_waits_until_it_is_covered<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let asked = stage.message_under(&ana, "m-1", None, "hello");
    stage.try_receive(&ana, asked.clone()).await.unwrap();
    let waiting = MessageView {
        id: asked.id,
        session: ana.session(),
        provider_id: "m-1".to_owned(),
        kind: asked.kind,
        text: "hello".to_owned(),
        sent_at: asked.sent_at,
        received_at: stage.now,
        state: MessageState::Waiting,
        edit_of: None,
    };
    assert_eq!(message(&harness, asked.id).await, waiting);
    let said = stage.answer(&ana, "good day").await;
    let covered = MessageView {
        state: MessageState::Covered(Some(said)),
        ..waiting
    };
    assert_eq!(message(&harness, asked.id).await, covered);

    let quiet = stage.arrive(&ana, "thanks").await;
    let fence = stage.take(&ana).await;
    stage.commit(&ana, fence, Vec::new(), &[]).await;
    assert_eq!(
        message(&harness, quiet).await.state,
        MessageState::Covered(None)
    );
}

pub async fn dropped_messages_say_why<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let dropped = stage.arrive(&ana, "buy this").await;
    let command = stage.control(&ana, Control::Stop).await;
    assert_eq!(
        message(&harness, dropped).await.state,
        MessageState::Dropped(DropReason::Command)
    );
    assert_eq!(
        message(&harness, command).await.state,
        MessageState::Dropped(DropReason::IsCommand)
    );

    let late = stage.message(&ana, "from yesterday");
    let arrival = Arrival {
        message: late.id,
        signal: Signal::Closed,
        edit_of: None,
        admission: Admission::Late,
    };
    let beside = Beside {
        message: Some(late.clone()),
        ..Beside::default()
    };
    stage
        .try_act(&ana, &Command::Arrive(arrival), beside)
        .await
        .unwrap();
    assert_eq!(
        message(&harness, late.id).await.state,
        MessageState::Dropped(DropReason::Late)
    );

    let waiting = stage.arrive(&ana, "anybody?").await;
    stage
        .act(
            &ana,
            Command::TakeOver {
                by: "eva".to_owned(),
            },
        )
        .await;
    let meanwhile = stage.arrive(&ana, "thank you").await;
    for id in [waiting, meanwhile] {
        assert_eq!(
            message(&harness, id).await.state,
            MessageState::Dropped(DropReason::Person)
        );
    }
}
