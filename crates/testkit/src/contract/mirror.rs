//! What every mirror must keep: the newest of what was told, for a short while.

use std::time::Duration;

use replygate_gate::{ReplyId, SessionId};
use replygate_ports::mirror::{Glance, MIRROR_LIFE_MS, Mirror};

use super::MirrorHarness;

/// The suite of the mirror port.
#[macro_export]
macro_rules! mirror_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), mirror: [
            what_was_told_is_seen_as_it_was,
            nothing_is_known_of_a_session_that_nobody_told_of,
            the_newest_version_stays_in_whatever_order_it_came,
            a_glance_is_forgotten_after_its_life,
            a_version_from_before_a_pause_is_news_again,
        ]);
    };
}

const SESSION: SessionId = SessionId(21);

fn glance(version: u64) -> Glance {
    Glance {
        version,
        next: Some(ReplyId(u128::MAX - u128::from(version))),
        held: None,
    }
}

/// What the mirror shows once everything told before has arrived.
async fn settled<H: MirrorHarness>(harness: &H, mirror: &dyn Mirror) -> Option<Glance> {
    harness.settle().await;
    mirror.look(SESSION).await
}

pub async fn what_was_told_is_seen_as_it_was<H: MirrorHarness>(harness: H) {
    let mirror = harness.mirror();
    let all = [
        Glance {
            version: 1,
            next: None,
            held: None,
        },
        Glance {
            version: 2,
            next: Some(ReplyId(7)),
            held: None,
        },
        Glance {
            version: u64::MAX,
            next: None,
            held: Some(ReplyId(u128::MAX)),
        },
    ];
    for told in all {
        mirror.tell(SESSION, told).await;
        assert_eq!(settled(&harness, &*mirror).await, Some(told));
    }
}

pub async fn nothing_is_known_of_a_session_that_nobody_told_of<H: MirrorHarness>(harness: H) {
    let mirror = harness.mirror();
    mirror.tell(SessionId(22), glance(1)).await;
    assert_eq!(settled(&harness, &*mirror).await, None);
}

pub async fn the_newest_version_stays_in_whatever_order_it_came<H: MirrorHarness>(harness: H) {
    let mirror = harness.mirror();
    for version in [9, 10, 2, 99, 100, 11] {
        mirror.tell(SESSION, glance(version)).await;
    }
    assert_eq!(settled(&harness, &*mirror).await, Some(glance(100)));
}

pub async fn a_glance_is_forgotten_after_its_life<H: MirrorHarness>(harness: H) {
    let mirror = harness.mirror();
    mirror.tell(SESSION, glance(1)).await;
    assert!(settled(&harness, &*mirror).await.is_some());
    harness.advance(Duration::from_millis(MIRROR_LIFE_MS)).await;
    assert_eq!(mirror.look(SESSION).await, None);
}

pub async fn a_version_from_before_a_pause_is_news_again<H: MirrorHarness>(harness: H) {
    let mirror = harness.mirror();
    mirror.tell(SESSION, glance(8)).await;
    harness.settle().await;
    harness.advance(Duration::from_millis(MIRROR_LIFE_MS)).await;
    // As after the database was put back to an older state.
    mirror.tell(SESSION, glance(3)).await;
    assert_eq!(settled(&harness, &*mirror).await, Some(glance(3)));
}
