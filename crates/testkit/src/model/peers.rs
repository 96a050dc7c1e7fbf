//! Random commands against leases, mirrors and budgets: whatever an adapter answers, the one in memory answers too.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use replygate_gate::{ConversationId, ReplyId, SessionId, TurnId};
use replygate_ports::budgets::{Budgets, Rate, Room};
use replygate_ports::leases::Leases;
use replygate_ports::mirror::{Glance, Mirror};

use super::play_all;
use crate::clock::SimClock;
use crate::contract::{BudgetsHarness, LeasesHarness, MirrorHarness};
use crate::memory::{MemoryBudgets, MemoryLeases, MemoryMirror};

/// No lease ends while a life is played: what ends by time the contract shows.
const LONG: Duration = Duration::from_mins(10);

#[derive(Clone, Copy, Debug)]
enum LeaseMove {
    Acquire(u128, u128),
    Release(u128, u128),
}

fn any_lease_move() -> impl Strategy<Value = LeaseMove> {
    (0..3u128, 0..3u128, any::<bool>()).prop_map(|(session, holder, acquires)| {
        if acquires {
            LeaseMove::Acquire(session, holder)
        } else {
            LeaseMove::Release(session, holder)
        }
    })
}

/// Plays `cases` random lives of leases on the adapter and on the model.
pub fn compare_leases<H: LeasesHarness>(cases: u32) {
    let life = proptest::collection::vec(any_lease_move(), 1..60);
    play_all(cases, &life, &async |harness: &H, life| {
        let model = MemoryLeases::new(Arc::new(SimClock::start()));
        let leases = harness.leases();
        for (number, step) in life.iter().enumerate() {
            match *step {
                LeaseMove::Acquire(session, holder) => {
                    let (session, holder) = (SessionId(session), TurnId(holder));
                    let answer = leases.acquire(session, holder, LONG).await;
                    let expected = model.acquire(session, holder, LONG).await;
                    if answer != expected {
                        return Err(format!(
                            "{number}: {step:?} gives {answer:?}, not {expected:?}"
                        ));
                    }
                }
                LeaseMove::Release(session, holder) => {
                    leases.release(SessionId(session), TurnId(holder)).await;
                    model.release(SessionId(session), TurnId(holder)).await;
                }
            }
        }
        Ok(())
    });
}

fn any_glance() -> impl Strategy<Value = (u128, Glance)> {
    let reply = || proptest::option::of(any::<u128>().prop_map(ReplyId));
    (0..3u128, 0..200u64, reply(), reply()).prop_map(|(session, version, next, held)| {
        let glance = Glance {
            version,
            next,
            held,
        };
        (session, glance)
    })
}

/// Plays `cases` random lives of a mirror on the adapter and on the model. No more than that is told in a glance's life.
pub fn compare_mirrors<H: MirrorHarness>(cases: u32) {
    let life = proptest::collection::vec(any_glance(), 1..40);
    play_all(cases, &life, &async |harness: &H, life| {
        let model = MemoryMirror::new(Arc::new(SimClock::start()));
        let mirror = harness.mirror();
        for (session, glance) in life {
            mirror.tell(SessionId(*session), *glance).await;
            model.tell(SessionId(*session), *glance).await;
        }
        harness.settle().await;
        for session in (0..3).map(SessionId) {
            let (seen, expected) = (mirror.look(session).await, model.look(session).await);
            if seen.map(|glance| glance.version) != expected.map(|glance| glance.version) {
                return Err(format!("{session} shows {seen:?}, not {expected:?}"));
            }
        }
        Ok(())
    });
}

/// Plays `cases` random lives of budgets on the adapter and on the model, at rates so slow that no room comes back.
pub fn compare_budgets<H: BudgetsHarness>(cases: u32) {
    let life = (1..6u32, proptest::collection::vec(0..4u128, 1..60));
    play_all(cases, &life, &async |harness: &H, (burst, takes)| {
        let rate = Rate {
            per_second: 0.001,
            burst: *burst,
        };
        let model = MemoryBudgets::new(Arc::new(SimClock::start()));
        let budgets = harness.budgets();
        for (number, chat) in takes.iter().enumerate() {
            let chat = ConversationId(*chat);
            let room = budgets.take(chat, rate).await;
            let expected = model.take(chat, rate).await;
            if (room == Room::Now) != (expected == Room::Now) {
                return Err(format!("{number}: {chat} finds {room:?}, not {expected:?}"));
            }
        }
        Ok(())
    });
}
