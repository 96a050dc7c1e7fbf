//! What verdicts and turns make of a reply.

use replygate_gate::{
    Command, Commit, Decision, Draft, Event, Late, ParkReason, ReplyId, ReplyStatus, Usage,
};
use replygate_ports::changes::MessageState;
use replygate_ports::store::NewReply;
use replygate_ports::views::{JudgedQuery, JudgedStep};

use super::{judged, message, reply, status};
use crate::contract::ViewsHarness;
use crate::contract::stage::{Beside, SPENT, Stage, direct, key, verdict};

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

pub async fn steps_with_verdicts_are_listed_newest_first<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let mut given = Vec::new();
    for (channel, decision) in [
        ("shop", Decision::CancelFirst),
        ("zoo", Decision::Merge),
        ("shop", Decision::Merge),
    ] {
        let contact = format!("{channel}-{}", stage.id());
        let person = key(channel, &contact, &contact);
        let (_, said) = stage.exchange(&person, "hello", "good day").await;
        judged(&mut stage, &person, said, decision).await;
        given.push((person.session(), said));
        stage.later(1_000);
    }
    given.reverse();
    let all = JudgedQuery {
        limit: 10,
        ..JudgedQuery::default()
    };
    let found = harness.views().judged(&all).await.unwrap();
    let told: Vec<_> = found
        .iter()
        .map(|found| (found.session, judged_reply(found)))
        .collect();
    assert_eq!(told, given);
    let of_zoo = JudgedQuery {
        channel: Some("zoo".to_owned()),
        ..all.clone()
    };
    let zoo = harness.views().judged(&of_zoo).await.unwrap();
    assert_eq!(zoo, found[1..2]);
    let last = &found[0];
    let behind = JudgedQuery {
        after: Some((last.step.at, last.session, last.step.version)),
        limit: 1,
        ..all
    };
    let older = harness.views().judged(&behind).await.unwrap();
    assert_eq!(older, found[1..2]);
}

fn judged_reply(found: &JudgedStep) -> ReplyId {
    let mut verdicts = found.step.events.iter().filter_map(|event| match event {
        Event::Judged { judgement, .. } => Some(judgement.reply),
        _ => None,
    });
    verdicts.next_back().unwrap()
}
