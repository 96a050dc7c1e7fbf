//! What every adapter of the wake-ups port must keep: what one process tells the others hear, in order.

use futures::StreamExt;
use replygate_gate::{At, SessionId};
use replygate_ports::wakes::Wake;

use super::WakesHarness;

/// The suite of the wake-ups port.
#[macro_export]
macro_rules! wakes_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), wakes: [
            every_other_process_hears_every_wake_up_in_order,
            wake_ups_without_a_listener_are_no_fault,
            a_listener_that_does_not_keep_up_goes_on_with_later_ones,
        ]);
    };
}

fn wake(number: u64) -> Wake {
    Wake {
        session: SessionId(u128::MAX - u128::from(number)),
        version: number * 3,
        at: At(number as i64 - 5),
    }
}

pub async fn every_other_process_hears_every_wake_up_in_order<H: WakesHarness>(harness: H) {
    let (teller, hearer) = harness.processes();
    let (first, second) = (hearer.listen(), hearer.listen());
    harness.settle().await;
    for number in 0..4 {
        teller.tell(wake(number)).await;
    }
    let told: Vec<Wake> = (0..4).map(wake).collect();
    for listener in [first, second] {
        assert_eq!(listener.take(4).collect::<Vec<_>>().await, told);
    }
}

pub async fn wake_ups_without_a_listener_are_no_fault<H: WakesHarness>(harness: H) {
    let (teller, hearer) = harness.processes();
    teller.tell(wake(1)).await;
    drop(hearer.listen());
    harness.settle().await;
    let mut listener = hearer.listen();
    harness.settle().await;
    teller.tell(wake(2)).await;
    assert_eq!(listener.next().await, Some(wake(2)));
}

pub async fn a_listener_that_does_not_keep_up_goes_on_with_later_ones<H: WakesHarness>(harness: H) {
    let (teller, hearer) = harness.processes();
    let mut slow = hearer.listen();
    harness.settle().await;
    let flood = harness.flood() as u64;
    for number in 0..=flood {
        // Nobody waits for the slow listener.
        teller.tell(wake(number)).await;
    }
    harness.settle().await;
    let mut heard = 0;
    loop {
        let last = slow.next().await == Some(wake(flood));
        heard += 1;
        if last {
            break;
        }
    }
    assert!(heard <= flood, "{heard} came, none was skipped");
}
