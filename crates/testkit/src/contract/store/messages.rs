//! Messages and replies: once only, as they were, in order.

use std::collections::BTreeSet;

use futures::future::join_all;
use replygate_gate::debounce::{MessageKind, Signal};
use replygate_gate::{
    Admission, Arrival, Command, Decision, MessageId, Outcome, Sender, SessionKey,
};
use replygate_ports::channel::TRANSCRIPT;
use replygate_ports::store::{AppendError, NewMessage};

use super::{lines, texts_of};
use crate::contract::StoreHarness;
use crate::contract::stage::{Beside, Stage, author, dedupe, direct, key, verdict};

pub async fn a_message_received_twice_names_the_first<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let first = stage.message_under(&ana, "m-1", None, "hello");
    let again = stage.message_under(&ana, "m-1", None, "hello");
    stage.try_receive(&ana, first.clone()).await.unwrap();

    let refused = stage.try_receive(&ana, again).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Duplicate { message } if message == first.id),
        "{refused:?}"
    );
    assert_eq!(
        stage.store.find_message(&first.dedupe).await.unwrap(),
        Some(first.id)
    );
}

pub async fn a_message_raced_by_its_twin_is_kept_once<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    // Two authors of a group, so that only the dedupe key can tell: neither disturbs the other's version.
    let (ana, rui) = (author("g", "ana"), author("g", "rui"));
    let first = stage.message_under(&ana, "m-1", None, "hello");
    let twin = stage.message_under(&rui, "m-1", None, "hello");
    let appends = [
        stage.arrival(&ana, first.clone()).await,
        stage.arrival(&rui, twin.clone()).await,
    ];

    let results = join_all(appends.into_iter().map(|append| stage.store.append(append))).await;
    let kept = stage
        .store
        .find_message(&first.dedupe)
        .await
        .unwrap()
        .unwrap();
    let refused = results
        .iter()
        .find_map(|result| result.as_ref().err())
        .unwrap();
    assert!(
        matches!(refused, AppendError::Duplicate { message } if *message == kept),
        "{refused:?}"
    );
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(
        stage.store.texts(&[first.id, twin.id]).await.unwrap().len(),
        1
    );
}

pub async fn the_same_id_elsewhere_is_another_message<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let here = key("shop", "c-1", "ana");
    let other_account = SessionKey {
        account: "second".to_owned(),
        ..here.clone()
    };
    let places = [
        here,
        key("shop", "c-2", "ana"),
        other_account,
        key("shop-2", "c-1", "ana"),
    ];
    for place in &places {
        let message = stage.message_under(place, "m-1", None, "hello");
        stage.try_receive(place, message).await.unwrap();
    }

    let mut found = BTreeSet::new();
    for place in &places {
        found.insert(
            stage
                .store
                .find_message(&dedupe(place, "m-1", None))
                .await
                .unwrap()
                .unwrap(),
        );
    }
    assert_eq!(found.len(), places.len());
}

pub async fn a_newer_edit_is_no_duplicate<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let original = stage.message_under(&ana, "m-1", None, "at two");
    stage.try_receive(&ana, original.clone()).await.unwrap();
    for (edit, text) in [(1_000, "at three"), (2_000, "at four")] {
        let mut message = stage.message_under(&ana, "m-1", Some(edit), text);
        message.edit_of = Some(original.id);
        stage.try_receive(&ana, message).await.unwrap();
    }

    let mut again = stage.message_under(&ana, "m-1", Some(2_000), "at four");
    again.edit_of = Some(original.id);
    let refused = stage.try_receive(&ana, again).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Duplicate { .. }),
        "{refused:?}"
    );
    assert_eq!(texts_of(&*stage.store, &[original.id]).await, ["at four"]);
}

pub async fn any_text_comes_back_as_it_was<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let long = "λ🙂x".repeat(64 * 1024 / 7);
    let texts = [
        "",
        " ",
        "a\0b",
        "\0",
        "👩‍👩‍👧‍👦 e\u{301} \u{202e}abc",
        "'; DROP TABLE messages; --",
        "\r\n\t%_\\",
        &long,
    ];
    for text in texts {
        let contact = direct(&format!("contact of {} bytes: {text:.20}", text.len()));
        let fence_of = stage.arrive(&contact, text).await;
        let fence = stage.take(&contact).await;
        let reply = stage
            .commit(&contact, fence, Vec::new(), &[text, text])
            .await
            .unwrap();
        assert_eq!(texts_of(&*stage.store, &[fence_of]).await, [text]);
        assert_eq!(
            stage.store.replies(&[reply]).await.unwrap()[0].parts,
            [text, text]
        );
        assert_eq!(stage.load(&contact).await.key, contact);
        let history = stage
            .store
            .history(contact.session(), &[], 10)
            .await
            .unwrap();
        assert_eq!(lines(&history)[0], format!("customer: {text}"));
    }
}

pub async fn messages_keep_their_order<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let mut sent = Vec::new();
    for number in 0..20 {
        sent.push(stage.arrive(&ana, &number.to_string()).await);
    }
    let waiting: Vec<MessageId> = stage
        .load(&ana)
        .await
        .session
        .uncovered
        .iter()
        .map(|waiting| waiting.id)
        .collect();
    assert_eq!(waiting, sent);
    let history = stage.store.history(ana.session(), &[], 100).await.unwrap();
    assert_eq!(
        lines(&history),
        (0..20)
            .map(|number| format!("customer: {number}"))
            .collect::<Vec<_>>()
    );
}

pub async fn contents_come_in_the_order_asked<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    let (first, said) = stage.exchange(&ana, "one", "1").await;
    stage.later(5);
    let (second, also) = stage.exchange(&rui, "two", "2").await;

    assert_eq!(
        texts_of(&*stage.store, &[second, first]).await,
        ["two", "one"]
    );
    let text = &stage.store.texts(&[second]).await.unwrap()[0];
    assert_eq!(text.sent_at.unwrap().plus(1), text.received_at);
    let replies = stage.store.replies(&[also, said]).await.unwrap();
    let seen: Vec<_> = replies
        .iter()
        .map(|reply| (reply.id, reply.session, reply.seq, reply.covers.clone()))
        .collect();
    assert_eq!(
        seen,
        [
            (also, rui.session(), 1, vec![second]),
            (said, ana.session(), 1, vec![first])
        ]
    );
    assert_eq!(
        stage.store.find_reply(said).await.unwrap(),
        Some(ana.session())
    );
}

pub async fn an_edit_in_the_window_replaces_the_text<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let original = stage.arrive(&ana, "at two").await;
    let mut edit = stage.message(&ana, "at three");
    edit.edit_of = Some(original);
    stage.later(100);
    stage.try_receive(&ana, edit.clone()).await.unwrap();

    assert_eq!(texts_of(&*stage.store, &[original]).await, ["at three"]);
    assert_eq!(
        stage.store.find_message(&edit.dedupe).await.unwrap(),
        Some(edit.id)
    );
    let history = stage.store.history(ana.session(), &[], 10).await.unwrap();
    assert_eq!(lines(&history), ["customer: at three"]);
}

pub async fn a_note_is_waited_for_until_its_transcript_takes_its_place<H: StoreHarness>(
    harness: H,
) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let note = NewMessage {
        kind: MessageKind::Voice,
        ..stage.message_under(&ana, "m-1", None, "")
    };
    let id = note.id;
    let arrival = Command::Arrive(Arrival {
        message: id,
        signal: Signal::Media,
        edit_of: None,
        awaits_ms: Some(9_000),
        admission: Admission::Turn,
        sender: Sender::Reads,
    });
    let beside = Beside {
        message: Some(note),
        ..Beside::default()
    };
    stage.try_act(&ana, &arrival, beside).await.unwrap();
    let until = stage.now.plus(9_000);
    stage.later(1_000);
    let second = stage.arrive(&ana, "that is all.").await;
    let stored = stage.load(&ana).await.session;
    assert_eq!(stored.uncovered[0].awaited, Some(until));
    assert_eq!(stored.next_deadline(&stage.rules), Some(until));

    stage.later(1_000);
    let said = |stage: &mut Stage| NewMessage {
        kind: MessageKind::Voice,
        edit_of: Some(id),
        ..stage.message_under(&ana, "m-1", Some(TRANSCRIPT), "the whole story")
    };
    let transcript = said(&mut stage);
    stage.try_receive(&ana, transcript.clone()).await.unwrap();
    let stored = stage.load(&ana).await.session;
    assert_eq!(stored.uncovered[0].awaited, None);
    assert_eq!(
        texts_of(&*stage.store, &[id, second]).await,
        ["the whole story", "that is all."]
    );
    let history = stage.store.history(ana.session(), &[], 10).await.unwrap();
    let told = ["customer: the whole story", "customer: that is all."];
    assert_eq!(lines(&history), told);
    let again = said(&mut stage);
    let refused = stage.try_receive(&ana, again).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Duplicate { message } if message == transcript.id),
        "{refused:?}"
    );
}

pub async fn an_edit_of_an_answered_message_stands_beside_it<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (original, _) = stage.exchange(&ana, "at two", "fine").await;
    stage.later(10);
    let mut edit = stage.message(&ana, "at three");
    edit.edit_of = Some(original);
    stage.try_receive(&ana, edit.clone()).await.unwrap();

    let texts = stage.store.texts(&[original, edit.id]).await.unwrap();
    assert_eq!(
        texts
            .iter()
            .map(|text| text.text.as_str())
            .collect::<Vec<_>>(),
        ["at two", "at three"]
    );
    assert_eq!(texts[1].edit_of, Some(original));
}

pub async fn a_merge_covers_what_it_replaced<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (first, old) = stage.exchange(&ana, "two shirts", "two shirts").await;
    let second = stage.arrive(&ana, "and a hat").await;
    let fence = stage.take(&ana).await;
    let new = stage
        .commit(
            &ana,
            fence,
            vec![verdict(old, Decision::Merge)],
            &["two shirts and a hat"],
        )
        .await
        .unwrap();

    let replies = stage.store.replies(&[new]).await.unwrap();
    assert_eq!(
        (replies[0].seq, replies[0].covers.clone()),
        (2, vec![first, second])
    );
}

pub async fn a_merge_that_comes_true_later_grows_what_is_covered<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (first, old) = stage.exchange(&ana, "two shirts", "two shirts").await;
    let token = stage.claim(&ana, old).await;
    let second = stage.arrive(&ana, "and a hat").await;
    let fence = stage.take(&ana).await;
    let verdicts = vec![verdict(old, Decision::Merge)];
    let new = stage
        .commit(&ana, fence, verdicts, &["two shirts and a hat"])
        .await
        .unwrap();
    let covers = async || stage.store.replies(&[new]).await.unwrap()[0].covers.clone();
    assert_eq!(covers().await, [second]);

    let outcome = Outcome::NotSent;
    stage.act(&ana, Command::Settle { token, outcome }).await;
    assert_eq!(covers().await, [first, second]);
}
