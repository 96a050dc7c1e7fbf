//! Locks that other systems put on a session.

use replygate_gate::{At, Command, Event, ParkReason, Refusal, ReplyId, ReplyStatus, UnlockReason};

use crate::stage::Stage;

fn lock(holder: &str, lease_ms: u64, ttl_ms: u64) -> Command {
    Command::Lock {
        holder: holder.to_owned(),
        lease_ms,
        ttl_ms,
    }
}

fn unlock(holder: Option<&str>) -> Command {
    Command::Unlock {
        holder: holder.map(str::to_owned),
    }
}

/// A reply due at 0.6 s under a lock put at 0, whose lease is over at 0.5 s and whose time to live is 30 s.
fn locked() -> Stage {
    let mut stage = Stage::prompt();
    stage.rules.operational_delay_ms = 600;
    stage.does(&lock("crm", 500, 30_000));
    stage.answer(1, 1);
    stage
}

fn attempts_made_ahead_by(ahead_ms: u64) {
    let mut stage = locked();
    for (attempt, due, next) in [(1, 600, 900), (2, 900, 1_500), (3, 1_500, 2_700)] {
        assert_eq!(
            stage.session.next_dispatch(),
            Some((ReplyId(1), At(due))),
            "attempt {attempt}"
        );
        let claim = stage.at(due).claiming(1);
        stage.now = At(due).minus(ahead_ms);
        assert_eq!(
            stage.does(&claim),
            [Event::AttemptBlocked {
                reply: ReplyId(1),
                attempt,
                not_before: At(next)
            }]
        );
    }
    let claim = stage.claiming(1);
    stage.now = At(2_700).minus(ahead_ms);
    assert_eq!(
        stage.does(&claim),
        [Event::Parked {
            reply: ReplyId(1),
            reason: ParkReason::LockStuck,
            code: None
        }]
    );
}

#[test]
fn a_lock_nobody_releases_parks_the_reply_at_2_7_seconds_after_three_attempts() {
    attempts_made_ahead_by(0);
}

#[test]
fn claims_made_ahead_count_at_the_same_instants() {
    attempts_made_ahead_by(50);
}

#[test]
fn an_attempt_against_a_live_lock_does_not_count() {
    let mut stage = Stage::prompt();
    stage.does(&lock("crm", 5_000, 30_000));
    stage.answer(1, 1);
    let claim = stage.claiming(1);
    assert_eq!(
        stage.refuses(&claim),
        Refusal::Locked {
            lease_until: At(5_000)
        }
    );
    assert_eq!(stage.deadline(), Some(At(5_000)));
}

#[test]
fn a_lock_that_is_over_when_the_reply_is_due_keeps_nothing_back() {
    let mut stage = Stage::prompt();
    stage.rules.operational_delay_ms = 600;
    stage.does(&lock("crm", 600, 600));
    stage.answer(1, 1);
    stage.at(550).claim(1);
}

#[test]
fn its_holder_renews_a_lock_and_nobody_else_gets_one() {
    let mut stage = Stage::new();
    stage.does(&lock("crm", 500, 2_000));
    stage.at(400).does(&lock("crm", 500, 2_000));
    let held = stage.session.lock.clone().unwrap();
    assert_eq!((held.lease_until, held.expires), (At(900), At(2_400)));
    let holder = "crm".to_owned();
    assert_eq!(
        stage.refuses(&lock("erp", 500, 500)),
        Refusal::LockHeld { holder }
    );
    stage.at(2_400).does(&lock("erp", 500, 500));
}

#[test]
fn a_lease_never_outlives_its_lock() {
    let mut stage = Stage::new();
    stage.does(&lock("crm", 9_000, 1_000));
    assert_eq!(stage.session.lock.unwrap().lease_until, At(1_000));
}

#[test]
fn a_lock_is_removed_by_its_holder_or_an_operator_and_by_nobody_else() {
    let mut stage = Stage::new();
    stage.does(&lock("crm", 500, 2_000));
    let holder = "crm".to_owned();
    assert_eq!(
        stage.refuses(&unlock(Some("erp"))),
        Refusal::LockHeld { holder }
    );
    let reason = UnlockReason::Holder;
    assert_eq!(
        stage.does(&unlock(Some("crm"))),
        [Event::Unlocked { reason }]
    );
    stage.does(&lock("erp", 500, 2_000));
    let reason = UnlockReason::Operator;
    assert_eq!(stage.does(&unlock(None)), [Event::Unlocked { reason }]);
    assert_eq!(stage.refuses(&unlock(None)), Refusal::NoLock);
}

#[test]
fn a_lock_ends_with_its_time_to_live() {
    let mut stage = locked();
    assert_eq!(
        stage.at(29_999).ask(&Command::Expire),
        Err(Refusal::Nothing)
    );
    let reason = UnlockReason::Ttl;
    assert_eq!(
        stage.at(30_000).does(&Command::Expire),
        [Event::Unlocked { reason }]
    );
    stage.claim(1);
}

#[test]
fn a_held_reply_is_refused_as_held_and_not_counted_under_a_stuck_lock() {
    let mut stage = locked();
    stage.arrive(2);
    let claim = stage.at(600).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Held);
}

#[test]
fn a_repetition_that_meets_a_stuck_lock_climbs_the_ladder_like_any_other() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = replygate_gate::Guarantee::AtLeastOnce;
    stage.answer(1, 1);
    stage.loses(1);
    stage.does(&lock("crm", 500, 30_000));
    let claim = stage.at(950).claiming(1);
    stage.does(&claim);
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(1_300))));
    let claim = stage.at(1_001).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::NotDue { at: At(1_300) });
}

#[test]
fn a_repetition_waits_for_the_end_of_a_live_lease() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = replygate_gate::Guarantee::AtLeastOnce;
    stage.answer(1, 1);
    stage.loses(1);
    stage.does(&lock("crm", 5_000, 30_000));
    assert_eq!(stage.deadline(), Some(At(5_000)));
}
