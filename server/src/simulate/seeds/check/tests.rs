//! Stories that ended as they had to, and others that did not.

use replygate_gate::debounce::Signal;
use replygate_gate::{Author, CancelledBy, Event, ReplyId, TurnId};

use super::*;
use crate::simulate::seeds::STORIES;

const A: MessageId = MessageId(1);
const B: MessageId = MessageId(2);
const OF_A: ReplyId = ReplyId(11);
const OF_B: ReplyId = ReplyId(12);

fn step(version: u64, at: i64, events: Vec<Event>) -> Step {
    let actor = "test".to_owned();
    Step {
        version,
        at: At(at),
        actor,
        events,
    }
}

fn arrived(message: MessageId, at: i64, due: i64) -> Event {
    let (signal, dangles, edit_of) = (Signal::Closed, false, None);
    Event::Arrived {
        message,
        at: At(at),
        signal,
        dangles,
        edit_of,
        due: At(due),
        awaited: None,
    }
}

fn written(reply: ReplyId, covers: &[MessageId], seq: u64, at: i64) -> Vec<Event> {
    let (turn, fence) = (TurnId(seq.into()), seq);
    let burst = vec![*covers.last().unwrap()];
    vec![
        Event::Taken {
            turn,
            fence,
            until: At(at + 9_000),
            base: At(at),
            burst: burst.clone(),
            rerun: None,
            effects: false,
            stopping: false,
        },
        Event::Replied {
            reply,
            seq,
            author: Author::Agent,
            covers: covers.to_vec(),
            parts: 1,
            at: At(at),
            not_before: At(at + 600),
            cleared: seq,
            merged: covers.len() > 1,
            effects: false,
        },
        Event::Committed {
            turn,
            fence,
            reply: Some(reply),
            burst,
            run_ms: 0,
            usage: replygate_gate::Usage::default(),
        },
    ]
}

fn receipt(reply: ReplyId, covers: &[MessageId], at: i64) -> Receipt {
    let (contact, text) = (String::new(), String::new());
    Receipt {
        reply,
        seq: 0,
        contact,
        part: 0,
        text,
        covers: covers.to_vec(),
        at: At(at),
    }
}

fn played(ending: &[Event], covers_of_b: &[MessageId]) -> Vec<Step> {
    let mut last = written(OF_B, covers_of_b, 2, 300);
    last.extend_from_slice(ending);
    vec![
        step(1, 0, vec![arrived(A, 0, 0)]),
        step(2, 1, written(OF_A, &[A], 1, 0)),
        step(3, 300, vec![arrived(B, 300, 300)]),
        step(4, 302, last),
    ]
}

fn differs(name: &str, steps: &[Step], receipts: &[Receipt]) -> Vec<String> {
    let story = STORIES.iter().find(|story| story.name == name).unwrap();
    check(
        story,
        &Heard {
            messages: &[A, B],
            steps,
            receipts,
        },
    )
}

#[test]
fn a_release_in_order_and_on_time_is_right() {
    let receipts = [receipt(OF_A, &[A], 606), receipt(OF_B, &[B], 891)];
    assert_eq!(differs("release", &played(&[], &[B]), &receipts), [""; 0]);
}

#[test]
fn a_release_in_the_other_order_or_late_differs() {
    let receipts = [receipt(OF_B, &[B], 891), receipt(OF_A, &[A], 606)];
    assert!(!differs("release", &played(&[], &[B]), &receipts).is_empty());
    let receipts = [receipt(OF_A, &[A], 751), receipt(OF_B, &[B], 891)];
    assert_eq!(
        differs("release", &played(&[], &[B]), &receipts),
        ["hand-over 1 at 751 ms, expected 600 ms within 150 ms"]
    );
}

#[test]
fn a_cancelled_reply_that_is_delivered_all_the_same_differs() {
    let by = CancelledBy::Verdict;
    let steps = played(&[Event::Cancelled { reply: OF_A, by }], &[B]);
    assert_eq!(
        differs("cancel", &steps, &[receipt(OF_B, &[B], 892)]),
        [""; 0]
    );
    let both = [receipt(OF_A, &[A], 606), receipt(OF_B, &[B], 892)];
    assert!(!differs("cancel", &steps, &both).is_empty());
    assert!(!differs("cancel", &played(&[], &[B]), &both).is_empty());
}

#[test]
fn a_merge_is_one_reply_to_both() {
    let steps = played(
        &[Event::Superseded {
            reply: OF_A,
            by: OF_B,
        }],
        &[A, B],
    );
    assert_eq!(
        differs("merge", &steps, &[receipt(OF_B, &[A, B], 893)]),
        [""; 0]
    );
    assert!(!differs("merge", &steps, &[receipt(OF_B, &[B], 893)]).is_empty());
}

#[test]
fn a_lock_is_met_three_times_and_then_the_reply_is_parked() {
    let blocked = |attempt, due| Event::AttemptBlocked {
        reply: OF_A,
        attempt,
        not_before: At(due),
    };
    let parked = Event::Parked {
        reply: OF_A,
        reason: ParkReason::LockStuck,
        code: None,
    };
    let mut steps = vec![
        step(1, 0, vec![arrived(A, 0, 0)]),
        step(2, 1, written(OF_A, &[A], 1, 0)),
        step(3, 560, vec![blocked(1, 900)]),
        step(4, 860, vec![blocked(2, 1_500)]),
        step(5, 1_501, vec![blocked(3, 2_700)]),
    ];
    assert_eq!(
        differs("lock", &steps, &[]),
        [
            "the reply was not parked",
            "3 attempts met the lock, expected 4"
        ]
    );
    steps.push(step(6, 2_660, vec![parked]));
    assert_eq!(differs("lock", &steps, &[]), [""; 0]);
}
