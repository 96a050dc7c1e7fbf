//! The names of an installation's exchange and queues, and their arguments. Must never change the arguments under a name:
//! the broker would refuse the queue.

use std::sync::Arc;

use lapin::types::{AMQPValue, FieldTable};

use super::delays::Route;
use super::{QueueKind, RabbitError};

/// A delay queue that nobody declared again for so long, and its delay, is deleted by the broker. Milliseconds.
const IDLE_MS: u64 = 1_800_000;
/// Whoever uses a delay queue declares it again after so long at the latest. Milliseconds.
pub const DECLARE_AGAIN_MS: u64 = 300_000;
/// The copy of the parked list keeps the newest so many.
const PARKED_LENGTH: i64 = 10_000;
/// The copy of the parked list forgets after a month. Milliseconds.
const PARKED_LIFE_MS: i64 = 30 * 86_400_000;
/// A quorum queue gives a message up after so many deliveries, on every version alike; the sweeper publishes it again.
const DELIVERIES: i64 = 100;

/// The names of one installation.
#[derive(Clone, Debug)]
pub struct Names {
    exchange: Arc<str>,
    work: Arc<str>,
    parked: Arc<str>,
    kind: QueueKind,
}

/// A queue as it has to be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name, which is its routing key as well.
    pub name: Arc<str>,
    /// What it is declared with.
    pub arguments: FieldTable,
}

impl Names {
    /// Names behind `prefix`, which may be empty.
    pub fn new(prefix: &str, kind: QueueKind) -> Result<Self, RabbitError> {
        let allowed = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.')
        };
        if prefix.len() > 64 || !prefix.bytes().all(allowed) {
            return Err(RabbitError::Prefix(prefix.to_owned()));
        }
        let dot = if prefix.is_empty() { "" } else { "." };
        Ok(Self {
            exchange: format!("{prefix}{dot}outbound").into(),
            work: format!("{prefix}{dot}outbound_messages").into(),
            parked: format!("{prefix}{dot}outbound_messages.parked").into(),
            kind,
        })
    }

    /// The exchange that every message goes through.
    pub fn exchange(&self) -> &Arc<str> {
        &self.exchange
    }

    /// The queue that consumers read.
    pub fn work(&self) -> &Arc<str> {
        &self.work
    }

    /// The queue with the copy of the parked list.
    pub fn parked(&self) -> &Arc<str> {
        &self.parked
    }

    /// A name that no queue has.
    pub fn nowhere(&self) -> String {
        format!("{}.nowhere", self.work)
    }

    /// The queue of a route.
    pub fn queue(&self, route: Route) -> Arc<str> {
        match route {
            Route::Work => Arc::clone(&self.work),
            Route::Delay(ms) => format!("{}.delay.{ms}ms", self.work).into(),
            Route::Retry(ms) => format!("{}.retry.{ms}ms", self.work).into(),
        }
    }

    /// Every queue, as it has to be.
    pub fn plans(&self, routes: impl Iterator<Item = Route>) -> Vec<Plan> {
        let fixed = [self.work_plan(), self.parked_plan()];
        let delays = routes.map(|route| self.delay_plan(route));
        fixed.into_iter().chain(delays).collect()
    }

    /// The work queue.
    pub fn work_plan(&self) -> Plan {
        let mut arguments = self.arguments();
        if self.kind == QueueKind::Quorum {
            put(&mut arguments, "x-delivery-limit", DELIVERIES);
        }
        Plan {
            name: Arc::clone(&self.work),
            arguments,
        }
    }

    /// The copy of the parked list.
    pub fn parked_plan(&self) -> Plan {
        let mut arguments = self.arguments();
        put(&mut arguments, "x-max-length", PARKED_LENGTH);
        put(&mut arguments, "x-message-ttl", PARKED_LIFE_MS);
        Plan {
            name: Arc::clone(&self.parked),
            arguments,
        }
    }

    /// The queue of a delay: every message in it waits as long, so that none waits behind another, and goes to the work
    /// queue then.
    pub fn delay_plan(&self, route: Route) -> Plan {
        let mut arguments = self.arguments();
        if let Route::Delay(ms) | Route::Retry(ms) = route {
            put(&mut arguments, "x-message-ttl", ms as i64);
            put(&mut arguments, "x-expires", (ms + IDLE_MS) as i64);
            word(&mut arguments, "x-dead-letter-exchange", &self.exchange);
            word(&mut arguments, "x-dead-letter-routing-key", &self.work);
        }
        if self.kind == QueueKind::Quorum {
            word(&mut arguments, "x-dead-letter-strategy", "at-least-once");
            word(&mut arguments, "x-overflow", "reject-publish");
        }
        Plan {
            name: self.queue(route),
            arguments,
        }
    }

    fn arguments(&self) -> FieldTable {
        let mut arguments = FieldTable::default();
        word(&mut arguments, "x-queue-type", self.kind.as_str());
        arguments
    }
}

fn put(arguments: &mut FieldTable, name: &str, value: i64) {
    arguments.insert(name.into(), AMQPValue::LongLongInt(value));
}

fn word(arguments: &mut FieldTable, name: &str, value: &str) {
    arguments.insert(name.into(), AMQPValue::LongString(value.into()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(prefix: &str) -> Names {
        Names::new(prefix, QueueKind::Classic).unwrap()
    }

    #[test]
    fn queues_are_named_by_their_delay() {
        let names = names("");
        assert_eq!(&**names.work(), "outbound_messages");
        assert_eq!(&**names.parked(), "outbound_messages.parked");
        assert_eq!(
            &*names.queue(Route::Delay(600)),
            "outbound_messages.delay.600ms"
        );
        assert_eq!(
            &*names.queue(Route::Retry(300)),
            "outbound_messages.retry.300ms"
        );
    }

    #[test]
    fn a_prefix_keeps_installations_apart() {
        let names = names("shop");
        assert_eq!(&**names.exchange(), "shop.outbound");
        let plan = names.delay_plan(Route::Retry(300));
        assert_eq!(&*plan.name, "shop.outbound_messages.retry.300ms");
        let back = &plan.arguments.inner()["x-dead-letter-routing-key"];
        assert_eq!(
            *back,
            AMQPValue::LongString("shop.outbound_messages".into())
        );
        assert!(matches!(
            Names::new("shop/1", QueueKind::Classic),
            Err(RabbitError::Prefix(_))
        ));
    }

    #[test]
    fn an_idle_delay_queue_outlives_every_message_in_it() {
        for ms in [200, 3_600_000] {
            let plan = names("").delay_plan(Route::Delay(ms));
            let AMQPValue::LongLongInt(expires) = plan.arguments.inner()["x-expires"] else {
                panic!("no expiry");
            };
            assert!(expires as u64 > ms + 2 * DECLARE_AGAIN_MS);
        }
    }
}
