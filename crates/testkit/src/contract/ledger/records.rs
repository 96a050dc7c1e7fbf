//! Records of calls that were not carried out, and the lists of calls and records.

use futures::future::try_join_all;
use replygate_gate::tools::CallState;
use replygate_gate::{ActionId, DuplicateId, ReplyId, TurnId};
use replygate_ports::ledger::{
    Avoided, CallQuery, Duplicate, DuplicateQuery, Judged, Ledger, LedgerError, NewCall,
    NewDuplicate, Opinion, Verdict,
};
use serde_json::json;

use super::super::LedgerHarness;
use super::super::stage::direct;
use super::{at, border, call, call_of, comparison, done, failed, ids, unknown};

/// A record of a call by `contact`, `ms` after the story began.
pub(super) fn record(id: u128, contact: &str, ms: u64) -> NewDuplicate {
    NewDuplicate {
        id: DuplicateId(id),
        first: ActionId(1),
        fingerprint: call(1).fingerprint,
        avoided: Avoided::Repeated,
        tool: "calendar.create_event".to_owned(),
        whom: direct(contact),
        turn: Some(TurnId(id)),
        arguments: json!({ "title": "psicología ", "end": "«é🙂»" }),
        comparison: comparison("psicología"),
        age_ms: 12_000,
        note: "Esto ya se hizo hace 12 segundos.".to_owned(),
        at: border(ms),
    }
}

fn verdict(opinion: Opinion, ms: u64) -> Verdict {
    Verdict {
        opinion,
        comment: Some("«é🙂»".to_owned()),
        by: "ana".to_owned(),
        at: border(ms),
    }
}

pub async fn a_record_comes_back_as_it_was<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!({ "id": 7 })), &at(10))
        .await
        .unwrap();
    let made = NewDuplicate {
        turn: None,
        ..record(5, "ana", 12_010)
    };
    ledger.avoid(made.clone()).await.unwrap();
    let expected = Duplicate {
        call: made,
        first: ledger.call(ActionId(1)).await.unwrap(),
        said: None,
        verdict: None,
    };
    assert!(expected.first.is_some());
    assert_eq!(
        ledger.duplicate(DuplicateId(5)).await.unwrap(),
        Some(expected)
    );
    assert_eq!(ledger.duplicate(DuplicateId(6)).await.unwrap(), None);
}

pub async fn a_record_is_made_once<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.avoid(record(5, "ana", 10)).await.unwrap();
    let again = NewDuplicate {
        note: "another".to_owned(),
        ..record(5, "ana", 10)
    };
    ledger.avoid(again).await.unwrap();
    let kept = ledger.duplicate(DuplicateId(5)).await.unwrap().unwrap();
    assert_eq!(kept.call, record(5, "ana", 10));
    assert_eq!(kept.first, None);
}

pub async fn what_the_agent_said_is_added_to_its_turns_records<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    let of_turn = |id, turn| NewDuplicate {
        turn: Some(TurnId(turn)),
        ..record(id, "ana", 10)
    };
    for (id, turn) in [(5, 1), (6, 1), (7, 2)] {
        ledger.avoid(of_turn(id, turn)).await.unwrap();
    }
    assert_eq!(ledger.said(TurnId(1), ReplyId(9)).await.unwrap(), 2);
    assert_eq!(ledger.said(TurnId(3), ReplyId(9)).await.unwrap(), 0);
    let mut said = Vec::new();
    for id in [5, 6, 7] {
        said.push(
            ledger
                .duplicate(DuplicateId(id))
                .await
                .unwrap()
                .unwrap()
                .said,
        );
    }
    assert_eq!(said, [Some(ReplyId(9)), Some(ReplyId(9)), None]);
}

pub async fn the_last_verdict_stands<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.avoid(record(5, "ana", 10)).await.unwrap();
    let (first, last) = (
        verdict(Opinion::Unsure, 20),
        verdict(Opinion::ShouldHaveRun, 30),
    );
    let seen = Some(first.at);
    for (seen, verdict) in [(None, first), (seen, last.clone())] {
        let judged = ledger.judge(DuplicateId(5), seen, verdict).await.unwrap();
        assert_eq!(judged, Judged::Now);
    }
    let kept = ledger.duplicate(DuplicateId(5)).await.unwrap().unwrap();
    assert_eq!(kept.verdict, Some(last.clone()));
    for seen in [None, Some(last.at)] {
        let missing = ledger.judge(DuplicateId(6), seen, last.clone()).await;
        assert!(matches!(missing, Err(LedgerError::NoSuch)), "{missing:?}");
    }
}

pub async fn a_verdict_on_one_that_was_not_seen_is_none<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.avoid(record(5, "ana", 10)).await.unwrap();
    let early = ledger.judge(
        DuplicateId(5),
        Some(border(15)),
        verdict(Opinion::Unsure, 20),
    );
    assert_eq!(early.await.unwrap(), Judged::Other(None));
    let first = verdict(Opinion::Right, 20);
    let judged = ledger.judge(DuplicateId(5), None, first.clone()).await;
    assert_eq!(judged.unwrap(), Judged::Now);
    for seen in [None, Some(border(19))] {
        let second = verdict(Opinion::ShouldHaveRun, 30);
        let judged = ledger.judge(DuplicateId(5), seen, second).await.unwrap();
        assert_eq!(judged, Judged::Other(Some(first.clone())));
    }
    let kept = ledger.duplicate(DuplicateId(5)).await.unwrap().unwrap();
    assert_eq!(kept.verdict, Some(first));
}

pub async fn of_people_who_judge_at_once_one_does<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.avoid(record(5, "ana", 10)).await.unwrap();
    let judge = |place: u64| {
        let by = format!("person {place}");
        let opinion = [Opinion::Right, Opinion::Unsure][place as usize % 2];
        let verdict = Verdict {
            by,
            ..verdict(opinion, 20 + place)
        };
        ledger.judge(DuplicateId(5), None, verdict)
    };
    let judged = try_join_all((0..8).map(judge)).await.unwrap();
    let now = judged.iter().filter(|one| **one == Judged::Now);
    assert_eq!(now.count(), 1, "{judged:?}");
    let kept = ledger.duplicate(DuplicateId(5)).await.unwrap().unwrap();
    let stands = Judged::Other(kept.verdict);
    for other in judged.iter().filter(|one| **one != Judged::Now) {
        assert_eq!(*other, stands);
    }
}

async fn listed(ledger: &dyn Ledger, change: impl FnOnce(&mut DuplicateQuery)) -> Vec<u128> {
    let mut query = DuplicateQuery {
        limit: 100,
        ..DuplicateQuery::default()
    };
    change(&mut query);
    let found = ledger.duplicates(&query).await.unwrap();
    found.iter().map(|record| record.call.id.0).collect()
}

pub async fn records_are_filtered_and_paged_newest_first<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    let mut elsewhere = record(7, "ana", 30);
    "other".clone_into(&mut elsewhere.whom.channel);
    let mail = NewDuplicate {
        tool: "email.send".to_owned(),
        avoided: Avoided::Unknown,
        ..record(6, "rui", 20)
    };
    for made in [record(5, "ana", 10), mail, elsewhere, record(8, "ana", 30)] {
        ledger.avoid(made).await.unwrap();
    }
    ledger
        .judge(DuplicateId(5), None, verdict(Opinion::Right, 40))
        .await
        .unwrap();

    let ledger = &*ledger;
    assert_eq!(listed(ledger, |_| {}).await, [8, 7, 6, 5]);
    assert_eq!(listed(ledger, |query| query.limit = 2).await, [8, 7]);
    let behind = Some((border(30), DuplicateId(7)));
    assert_eq!(listed(ledger, |query| query.after = behind).await, [6, 5]);
    let mail = Some("email.send".to_owned());
    assert_eq!(listed(ledger, |query| query.tool = mail).await, [6]);
    let other = Some("other".to_owned());
    assert_eq!(listed(ledger, |query| query.channel = other).await, [7]);
    let ana = Some(direct("ana").session());
    assert_eq!(listed(ledger, |query| query.session = ana).await, [8, 5]);
    let avoided = vec![Avoided::Unknown, Avoided::Joined];
    assert_eq!(listed(ledger, |query| query.avoided = avoided).await, [6]);
    let right = Some(Opinion::Right);
    assert_eq!(listed(ledger, |query| query.opinion = right).await, [5]);
    assert_eq!(
        listed(ledger, |query| query.unjudged_only = true).await,
        [8, 7, 6]
    );
    assert_eq!(
        listed(ledger, |query| {
            query.from = Some(border(20));
            query.to = Some(border(30));
        })
        .await,
        [6]
    );
}

async fn called(ledger: &dyn Ledger, change: impl FnOnce(&mut CallQuery)) -> Vec<u128> {
    let mut query = CallQuery {
        limit: 100,
        ..CallQuery::default()
    };
    change(&mut query);
    ids(&ledger.calls(&query).await.unwrap())
}

pub async fn calls_are_filtered_and_paged_newest_first<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    let mut elsewhere = call_of(3, "ana", "c");
    "other".clone_into(&mut elsewhere.whom.channel);
    let mail = NewCall {
        tool: "email.send".to_owned(),
        turn: None,
        ..call_of(2, "rui", "b")
    };
    for (new, ms) in [
        (call_of(1, "ana", "a"), 10),
        (mail, 20),
        (elsewhere, 30),
        (call_of(4, "ana", "d"), 30),
    ] {
        ledger.reserve(new, &at(ms)).await.unwrap();
    }
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(50))
        .await
        .unwrap();
    ledger.settle(ActionId(2), failed(), &at(50)).await.unwrap();
    ledger
        .settle(ActionId(3), unknown(), &at(50))
        .await
        .unwrap();

    let ledger = &*ledger;
    assert_eq!(called(ledger, |_| {}).await, [4, 3, 2, 1]);
    assert_eq!(called(ledger, |query| query.limit = 3).await, [4, 3, 2]);
    let behind = Some((border(30), ActionId(3)));
    assert_eq!(called(ledger, |query| query.after = behind).await, [2, 1]);
    let states = vec![CallState::Running, CallState::Unknown];
    assert_eq!(called(ledger, |query| query.states = states).await, [4, 3]);
    let live = called(ledger, |query| query.live_only = true).await;
    assert_eq!(live, [4, 3, 1]);
    let open = called(ledger, |query| {
        query.live_only = true;
        query.states = vec![CallState::Unknown];
    });
    assert_eq!(open.await, [3]);
    let mail = Some("email.send".to_owned());
    assert_eq!(called(ledger, |query| query.tool = mail).await, [2]);
    let other = Some("other".to_owned());
    assert_eq!(called(ledger, |query| query.channel = other).await, [3]);
    let ana = Some(direct("ana").session());
    assert_eq!(called(ledger, |query| query.session = ana).await, [4, 1]);
    let turn = Some(TurnId(4));
    assert_eq!(called(ledger, |query| query.turn = turn).await, [4]);
    assert_eq!(
        called(ledger, |query| {
            query.from = Some(border(20));
            query.to = Some(border(30));
        })
        .await,
        [2]
    );
}

pub async fn what_a_query_finds_is_counted_up_to_a_bound<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    for id in 1..=3 {
        let new = call_of(id, "ana", &id.to_string());
        ledger.reserve(new, &at(10)).await.unwrap();
        ledger.avoid(record(id + 4, "ana", 20)).await.unwrap();
    }
    ledger
        .settle(ActionId(1), unknown(), &at(30))
        .await
        .unwrap();
    ledger
        .judge(DuplicateId(5), None, verdict(Opinion::Right, 40))
        .await
        .unwrap();

    let calls = CallQuery {
        after: Some((border(10), ActionId(1))),
        limit: 1,
        ..CallQuery::default()
    };
    let states = CallQuery {
        states: vec![CallState::Unknown],
        ..CallQuery::default()
    };
    for (query, most, expected) in [(&calls, 9, 3), (&calls, 2, 2), (&states, 9, 1)] {
        let counted = ledger.count_calls(query, most).await.unwrap();
        assert_eq!(counted, expected, "{query:?}");
    }
    let records = DuplicateQuery {
        after: Some((border(20), DuplicateId(5))),
        limit: 1,
        ..DuplicateQuery::default()
    };
    let open = DuplicateQuery {
        unjudged_only: true,
        from: Some(border(20)),
        ..DuplicateQuery::default()
    };
    let later = DuplicateQuery {
        from: Some(border(21)),
        ..DuplicateQuery::default()
    };
    for (query, most, expected) in [
        (&records, 9, 3),
        (&records, 2, 2),
        (&open, 9, 2),
        (&later, 9, 0),
    ] {
        let counted = ledger.count_duplicates(query, most).await.unwrap();
        assert_eq!(counted, expected, "{query:?}");
    }
}
