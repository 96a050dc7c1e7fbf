//! Every kind of breach is found, and what breaches nothing is not.

use replygate_gate::debounce::Signal;
use replygate_gate::{At, Author, CancelledBy, DeliveredBy, Event, ParkReason, ReplyId, TurnId};

use super::*;
use crate::simulate::endpoint::Receipt;

const A: MessageId = MessageId(1);
const B: MessageId = MessageId(2);
const OF_A: ReplyId = ReplyId(11);
const OF_B: ReplyId = ReplyId(12);

fn arrived(message: MessageId, at: i64) -> Event {
    let (at, due) = (At(at), At(at));
    Event::Arrived {
        message,
        at,
        signal: Signal::Closed,
        dangles: false,
        edit_of: None,
        due,
        awaited: None,
    }
}

fn taken(burst: MessageId, fence: u64, at: i64) -> Event {
    Event::Taken {
        turn: TurnId(fence.into()),
        fence,
        until: At(at + 9_000),
        base: At(at),
        burst: vec![burst],
        rerun: None,
        effects: false,
        stopping: false,
    }
}

fn written(reply: ReplyId, covers: &[MessageId], fence: u64, at: i64) -> Vec<Event> {
    let burst = vec![*covers.last().unwrap()];
    vec![
        Event::Replied {
            reply,
            seq: fence,
            author: Author::Agent,
            covers: covers.to_vec(),
            parts: 1,
            at: At(at),
            not_before: At(at + 600),
            cleared: fence,
            merged: covers.len() > 1,
            effects: false,
        },
        Event::Committed {
            turn: TurnId(fence.into()),
            fence,
            reply: Some(reply),
            burst,
            run_ms: 0,
            usage: replygate_gate::Usage::default(),
        },
    ]
}

fn delivered(reply: ReplyId) -> Event {
    Event::Delivered {
        reply,
        receipt: None,
        how: DeliveredBy::Channel,
    }
}

fn receipt(reply: ReplyId, at: i64) -> Receipt {
    let (contact, text, covers) = (String::new(), String::new(), Vec::new());
    Receipt {
        reply,
        seq: 0,
        contact,
        part: 0,
        text,
        covers,
        at: At(at),
    }
}

fn steps(events: Vec<(i64, Vec<Event>)>) -> Vec<Step> {
    let step = |(place, (at, events)): (usize, (i64, Vec<Event>))| {
        let (version, at, actor) = (place as u64 + 1, At(at), "test".to_owned());
        Step {
            version,
            at,
            actor,
            events,
        }
    };
    events.into_iter().enumerate().map(step).collect()
}

/// A and B are answered one after the other; `end` follows.
fn pair(covers_of_b: &[MessageId], end: Vec<Event>) -> Vec<Step> {
    steps(vec![
        (0, vec![arrived(A, 0)]),
        (1, vec![taken(A, 1, 1)]),
        (2, written(OF_A, &[A], 1, 2)),
        (300, vec![arrived(B, 300)]),
        (301, vec![taken(B, 2, 301)]),
        (302, written(OF_B, covers_of_b, 2, 302)),
        (1_000, end),
    ])
}

fn tally(steps: &[Step], receipts: &[Receipt]) -> Tally {
    let mut tally = Tally::default();
    let accepted = [A, B].into();
    tally.take(
        &Record {
            accepted: &accepted,
            steps,
            receipts,
        },
        600,
    );
    tally
}

#[test]
fn a_release_in_order_breaches_nothing() {
    let mut log = pair(&[B], vec![delivered(OF_A)]);
    log[6].at = At(606);
    log.extend(steps(vec![(908, vec![delivered(OF_B)])]));
    let tally = tally(&log, &[receipt(OF_A, 605), receipt(OF_B, 907)]);
    assert_eq!(tally.breaches, Breaches::default());
    assert_eq!(
        (tally.over_ideal_ms, tally.over_hold_ms),
        (vec![5.0, 7.0], vec![])
    );
    assert_eq!((tally.ends[&ReplyStatus::Delivered], tally.open), (2, 0));
}

#[test]
fn a_reply_that_is_sent_and_cancelled_is_a_breach_whatever_the_log_says_of_it() {
    let by = CancelledBy::Verdict;
    let log = pair(
        &[B],
        vec![Event::Cancelled { reply: OF_A, by }, delivered(OF_B)],
    );
    let tally = tally(&log, &[receipt(OF_A, 605), receipt(OF_B, 907)]);
    assert_eq!(
        tally.breaches,
        Breaches {
            i1: 1,
            ..Breaches::default()
        }
    );
}

#[test]
fn a_part_that_comes_twice_is_a_breach() {
    let log = pair(&[B], vec![delivered(OF_A), delivered(OF_B)]);
    let receipts = [receipt(OF_A, 605), receipt(OF_A, 606), receipt(OF_B, 907)];
    assert_eq!(
        tally(&log, &receipts).breaches,
        Breaches {
            i2: 1,
            ..Breaches::default()
        }
    );
}

#[test]
fn the_second_before_the_first_is_a_breach() {
    let log = pair(&[B], vec![delivered(OF_A), delivered(OF_B)]);
    let receipts = [receipt(OF_B, 907), receipt(OF_A, 908)];
    assert_eq!(
        tally(&log, &receipts).breaches,
        Breaches {
            i3: 1,
            ..Breaches::default()
        }
    );
}

#[test]
fn a_message_in_two_delivered_replies_is_a_breach() {
    let log = pair(&[A, B], vec![delivered(OF_A), delivered(OF_B)]);
    let tally = tally(&log, &[receipt(OF_A, 605), receipt(OF_B, 907)]);
    assert_eq!(
        tally.breaches,
        Breaches {
            i4: 1,
            ..Breaches::default()
        }
    );
}

#[test]
fn a_superseded_reply_whose_messages_nobody_covers_is_a_breach() {
    let gone = Event::Superseded {
        reply: OF_A,
        by: OF_B,
    };
    let log = pair(&[B], vec![gone.clone(), delivered(OF_B)]);
    assert_eq!(tally(&log, &[receipt(OF_B, 907)]).breaches.i5, 1);
    let log = pair(&[A, B], vec![gone, delivered(OF_B)]);
    assert_eq!(
        tally(&log, &[receipt(OF_B, 907)]).breaches,
        Breaches::default()
    );
}

#[test]
fn a_reply_parked_by_a_lock_while_newer_messages_hold_it_is_a_breach() {
    let parked = Event::Parked {
        reply: OF_A,
        reason: ParkReason::LockStuck,
        code: None,
    };
    let log = steps(vec![
        (0, vec![arrived(A, 0), taken(A, 1, 1)]),
        (2, written(OF_A, &[A], 1, 2)),
        (300, vec![arrived(B, 300), parked]),
    ]);
    assert_eq!(tally(&log, &[]).breaches.i6, 1);
}

#[test]
fn a_commit_under_an_old_fence_is_a_breach() {
    let log = steps(vec![
        (0, vec![arrived(A, 0)]),
        (2, written(OF_A, &[A], 1, 2)),
    ]);
    assert_eq!(tally(&log, &[]).breaches.i7, 1);
}

#[test]
fn a_message_that_no_record_mentions_is_lost() {
    let log = steps(vec![(0, vec![arrived(A, 0)])]);
    assert_eq!(tally(&log, &[]).breaches.i8, 2);
}

#[test]
fn what_the_reply_before_it_kept_is_measured_from_there() {
    let log = steps(vec![
        (0, vec![arrived(A, 0), taken(A, 1, 1)]),
        (2, written(OF_A, &[A], 1, 2)),
        (300, vec![arrived(B, 300), taken(B, 2, 301)]),
        (302, written(OF_B, &[B], 2, 302)),
        (2_000, vec![delivered(OF_A)]),
        (2_010, vec![delivered(OF_B)]),
    ]);
    let tally = tally(&log, &[receipt(OF_A, 1_990), receipt(OF_B, 2_004)]);
    assert_eq!(
        (tally.over_ideal_ms, tally.over_hold_ms),
        (vec![1_390.0], vec![4.0])
    );
}
