//! What every source of figures must say: counts that agree with the rows, and no more than was asked for.

use replygate_gate::{Command, Outcome, ReplyStatus};
use replygate_ports::figures::{Outcomes, Stretch};
use replygate_ports::views::MessageQuery;

use super::FiguresHarness;
use super::stage::{Stage, accepted, direct, key};
use crate::clock::EPOCH;

/// The suite of the figures port.
#[macro_export]
macro_rules! figures_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), figures: [
            outcomes_are_counted_by_part_and_status,
            outcomes_of_one_channel_are_its_own,
            reply_times_run_from_the_newest_message_that_is_answered,
            what_waited_for_a_person_has_no_reply_time,
            sessions_and_messages_are_counted_up_to_a_bound,
        ]);
    };
}

fn everything() -> Stretch {
    Stretch {
        channel: None,
        from: EPOCH,
        to: EPOCH.plus(3_600_000),
    }
}

pub async fn outcomes_are_counted_by_part_and_status<H: FiguresHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let mut delivered_at = Vec::new();
    for contact in ["ana", "rui"] {
        let person = direct(contact);
        let (_, said) = stage.exchange(&person, "hello", "good day").await;
        stage.hand_over(&person, said, accepted()).await;
        delivered_at.push(stage.now);
        stage.later(60_000);
    }
    let eva = direct("eva");
    stage.exchange(&eva, "hello", "good day").await;
    stage
        .act(&eva, Command::TakeOver { by: "x".to_owned() })
        .await;
    let parked_at = stage.now;
    let found = harness.figures().outcomes(&everything(), 10_000).await;
    let part = |at: replygate_gate::At| EPOCH.plus(at.since(EPOCH) / 10_000 * 10_000);
    let expected = [
        (part(delivered_at[0]), ReplyStatus::Delivered),
        (part(delivered_at[1]), ReplyStatus::Delivered),
        (part(parked_at), ReplyStatus::Parked),
    ];
    let expected = expected.map(|(at, status)| Outcomes {
        at,
        status,
        count: 1,
    });
    assert_eq!(found.unwrap(), expected);
    let whole = harness.figures().outcomes(&everything(), 3_600_000).await;
    let counts: Vec<_> = whole
        .unwrap()
        .iter()
        .map(|part| (part.status, part.count))
        .collect();
    assert_eq!(
        counts,
        [(ReplyStatus::Delivered, 2), (ReplyStatus::Parked, 1)]
    );
}

pub async fn outcomes_of_one_channel_are_its_own<H: FiguresHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    for channel in ["shop", "shop", "zoo"] {
        let contact = format!("{channel}-{}", stage.id());
        let person = key(channel, &contact, &contact);
        let (_, said) = stage.exchange(&person, "hello", "good day").await;
        stage.hand_over(&person, said, accepted()).await;
    }
    let of = async |channel: &str| {
        let stretch = Stretch {
            channel: Some(channel.to_owned()),
            ..everything()
        };
        let found = harness.figures().outcomes(&stretch, 3_600_000).await;
        found.unwrap().iter().map(|part| part.count).sum::<u64>()
    };
    assert_eq!(of("shop").await, 2);
    assert_eq!(of("zoo").await, 1);
    assert_eq!(of("nowhere").await, 0);
    let before = Stretch {
        to: EPOCH,
        from: EPOCH.minus(1_000),
        ..everything()
    };
    assert_eq!(
        harness.figures().outcomes(&before, 1_000).await.unwrap(),
        []
    );
}

pub async fn reply_times_run_from_the_newest_message_that_is_answered<H: FiguresHarness>(
    harness: H,
) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage.arrive(&ana, "hello").await;
    stage.later(700);
    stage.arrive(&ana, "is anybody there?").await;
    let newest = stage.now;
    let said = stage.answer(&ana, "good day").await;
    stage.hand_over(&ana, said, accepted()).await;
    let delivered = stage.now;
    let rui = direct("rui");
    stage.exchange(&rui, "hello", "never delivered").await;
    let times = harness.figures().reply_times(&everything(), 10).await;
    let times = times.unwrap();
    assert_eq!(times.len(), 1);
    assert_eq!(times[0].at, delivered);
    assert_eq!(times[0].waited_ms, delivered.since(newest));
    let none = harness.figures().reply_times(&everything(), 0).await;
    assert_eq!(none.unwrap(), []);
}

pub async fn what_waited_for_a_person_has_no_reply_time<H: FiguresHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let [ana, rui] = ["ana", "rui"].map(direct);
    let (_, parked) = stage.exchange(&ana, "hello", "good day").await;
    let refused = Outcome::Refused {
        code: "http_403".to_owned(),
    };
    stage.hand_over(&ana, parked, refused).await;
    stage.later(7_200_000);
    let target = stage.target(&ana, parked).await;
    stage.act(&ana, Command::Reprocess(target)).await;
    stage.hand_over(&ana, parked, accepted()).await;
    let (_, said) = stage.exchange(&rui, "hello", "good day").await;
    stage.hand_over(&rui, said, accepted()).await;
    let stretch = Stretch {
        to: EPOCH.plus(36_000_000),
        ..everything()
    };
    let times = harness.figures().reply_times(&stretch, 10).await.unwrap();
    assert_eq!(times.len(), 1, "{times:?}");
    assert_eq!(times[0].at, stage.now);
}

pub async fn sessions_and_messages_are_counted_up_to_a_bound<H: FiguresHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    for contact in ["ana", "anabel", "rui"] {
        let person = direct(contact);
        stage.arrive(&person, "one").await;
        stage.later(1_000);
        stage.arrive(&person, "two").await;
    }
    let figures = harness.figures();
    let sessions = async |channel: Option<&str>, open_only, most| {
        figures
            .count_sessions(channel, open_only, most)
            .await
            .unwrap()
    };
    assert_eq!(sessions(None, false, 10).await, 3);
    assert_eq!(sessions(None, true, 10).await, 3);
    assert_eq!(sessions(None, false, 2).await, 2);
    let own = direct("ana").channel;
    assert_eq!(sessions(Some(&own), false, 10).await, 3);
    assert_eq!(sessions(Some("zoo"), false, 10).await, 0);
    let messages =
        async |query: MessageQuery, most| figures.count_messages(&query, most).await.unwrap();
    let of_rui = MessageQuery {
        session: Some(direct("rui").session()),
        ..MessageQuery::default()
    };
    let late = MessageQuery {
        from: Some(EPOCH.plus(1_000)),
        ..MessageQuery::default()
    };
    assert_eq!(messages(MessageQuery::default(), 10).await, 6);
    assert_eq!(messages(MessageQuery::default(), 4).await, 4);
    assert_eq!(messages(of_rui, 10).await, 2);
    assert_eq!(messages(late, 10).await, 5);
}
