//! The conversation as the agent reads it.

use replygate_gate::control::Control;
use replygate_gate::{Command, Decision, SessionKey};
use replygate_ports::store::{HistoryEntry, ReplyFate};

use super::lines;
use crate::contract::StoreHarness;
use crate::contract::stage::{Stage, accepted, author, direct, silence, verdict};

pub async fn history_follows_the_channels_time<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    // The channel delivers the second message first.
    for (text, sent) in [("second", 2_000), ("first", 1_000)] {
        let mut message = stage.message(&ana, text);
        message.sent_at = Some(stage.now.minus(10_000).plus(sent));
        stage.try_receive(&ana, message).await.unwrap();
        stage.later(10);
    }
    let mut untimed = stage.message(&ana, "third, without a time of its own");
    untimed.sent_at = None;
    stage.try_receive(&ana, untimed).await.unwrap();
    stage.answer(&ana, "answer").await;

    let history = stage.store.history(ana.session(), &[], 10).await.unwrap();
    let expected = [
        "customer: first",
        "customer: second",
        "customer: third, without a time of its own",
        "agent: answer",
    ];
    assert_eq!(lines(&history), expected);
}

pub async fn equal_times_keep_the_order_of_arrival<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let sent = stage.now.minus(500);
    for number in 0..5 {
        let mut message = stage.message(&ana, &number.to_string());
        message.sent_at = Some(sent);
        stage.try_receive(&ana, message).await.unwrap();
        stage.later(number % 2);
    }
    let history = stage.store.history(ana.session(), &[], 10).await.unwrap();
    assert_eq!(
        lines(&history),
        (0..5)
            .map(|number| format!("customer: {number}"))
            .collect::<Vec<_>>()
    );
}

async fn fates<H: StoreHarness>(harness: &H, key: &SessionKey) -> Vec<ReplyFate> {
    let history = harness
        .store()
        .history(key.session(), &[], 100)
        .await
        .unwrap();
    let fate = |entry| match entry {
        HistoryEntry::Agent { fate, .. } => Some(fate),
        _ => None,
    };
    history.into_iter().filter_map(fate).collect()
}

pub async fn history_tells_what_became_of_each_reply<H: StoreHarness>(harness: H) {
    use ReplyFate::{Cancelled, Delivered, Dropped, Parked, Superseded, Unknown, Waiting};

    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, delivered) = stage.exchange(&ana, "one", "1").await;
    stage.hand_over(&ana, delivered, accepted()).await;
    let (_, unknown) = stage.exchange(&ana, "two", "2").await;
    stage.hand_over(&ana, unknown, silence()).await;
    let (_, cancelled) = stage.exchange(&ana, "three", "3").await;
    stage.arrive(&ana, "no, not three").await;
    let fence = stage.take(&ana).await;
    let cancel = vec![verdict(cancelled, Decision::CancelFirst)];
    let superseded = stage.commit(&ana, fence, cancel, &["4"]).await.unwrap();
    stage.arrive(&ana, "and five").await;
    let fence = stage.take(&ana).await;
    let refused = stage
        .commit(
            &ana,
            fence,
            vec![verdict(superseded, Decision::Merge)],
            &["5"],
        )
        .await
        .unwrap();
    let no = replygate_gate::Outcome::Refused {
        code: "http_403".to_owned(),
    };
    stage.hand_over(&ana, refused, no).await;
    stage.exchange(&ana, "six", "6").await;

    assert_eq!(
        fates(&harness, &ana).await,
        [Delivered, Unknown, Cancelled, Superseded, Parked, Waiting]
    );
    let target = stage.target(&ana, refused).await;
    stage.act(&ana, Command::Discard(target)).await;
    assert_eq!(
        fates(&harness, &ana).await,
        [Delivered, Unknown, Cancelled, Superseded, Dropped, Waiting]
    );
}

pub async fn history_ends_with_the_newest_and_leaves_out_what_is_asked<H: StoreHarness>(
    harness: H,
) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    for number in 0..3 {
        stage
            .exchange(&ana, &format!("q{number}"), &format!("a{number}"))
            .await;
        stage.later(10);
    }
    let newest = stage.arrive(&ana, "q3").await;
    stage.later(10);
    stage.control(&ana, Control::Stop).await;

    let store = &stage.store;
    assert_eq!(
        lines(&store.history(ana.session(), &[newest], 3).await.unwrap()),
        ["agent: a1", "customer: q2", "agent: a2"]
    );
    assert_eq!(
        lines(&store.history(ana.session(), &[], 2).await.unwrap()),
        ["agent: a2", "customer: q3"]
    );
    assert_eq!(store.history(ana.session(), &[], 0).await.unwrap(), []);
    assert_eq!(
        store.history(ana.session(), &[], 100).await.unwrap().len(),
        7
    );
}

pub async fn a_reset_ends_the_history<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    stage.exchange(&ana, "old", "older").await;
    stage.exchange(&rui, "untouched", "by it").await;
    stage.later(10);
    stage.control(&ana, Control::Reset).await;
    assert_eq!(
        stage.store.history(ana.session(), &[], 10).await.unwrap(),
        []
    );
    stage.later(10);
    stage.exchange(&ana, "new", "newer").await;

    assert_eq!(
        lines(&stage.store.history(ana.session(), &[], 10).await.unwrap()),
        ["customer: new", "agent: newer"]
    );
    assert_eq!(
        stage
            .store
            .history(rui.session(), &[], 10)
            .await
            .unwrap()
            .len(),
        2
    );
}

pub async fn a_groups_history_spans_its_authors<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (author("g", "ana"), author("g", "rui"));
    stage.arrive(&ana, "from ana").await;
    stage.later(10);
    stage.arrive(&rui, "from rui").await;
    stage.later(10);
    stage.answer(&ana, "to ana").await;
    stage.arrive(&author("h", "ana"), "elsewhere").await;

    for key in [&ana, &rui] {
        let history = stage.store.history(key.session(), &[], 10).await.unwrap();
        assert_eq!(
            lines(&history),
            ["customer: from ana", "customer: from rui", "agent: to ana"]
        );
    }
}
