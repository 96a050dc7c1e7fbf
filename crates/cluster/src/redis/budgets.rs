//! Budgets by the server's clock. While Redis is away every process counts for itself, so that a chat may get up to as
//! many times its rate as there are processes, and no reply waits for Redis.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use ::redis::Script;
use async_trait::async_trait;
use replygate_gate::ConversationId;
use replygate_ports::budgets::{Buckets, Budgets, Rate, Room};
use replygate_ports::clock::Clock;

use super::keys::Keys;
use super::link::Link;

/// `Rate::take` by the server's clock: the microseconds until there is room, 0 when it is taken. A full bucket has no key.
static TAKE: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local time = redis.call('TIME')
         local now = time[1] * 1000000 + time[2]
         local cost, slack = tonumber(ARGV[1]), tonumber(ARGV[2])
         local full = tonumber(redis.call('GET', KEYS[1]) or '0')
         if full - now > slack then return full - now - slack end
         full = math.max(full, now) + cost
         redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
         return 0",
    )
});

/// Budgets in Redis.
pub struct RedisBudgets {
    link: Link,
    keys: Keys,
    clock: Arc<dyn Clock>,
    own: Mutex<Buckets>,
}

impl RedisBudgets {
    pub fn new(link: &Link, keys: &Keys, clock: Arc<dyn Clock>) -> Self {
        Self {
            link: link.clone(),
            keys: keys.clone(),
            clock,
            own: Mutex::default(),
        }
    }
}

#[async_trait]
impl Budgets for RedisBudgets {
    async fn take(&self, conversation: ConversationId, rate: Rate) -> Room {
        let mut ask = TAKE.key(self.keys.budget(conversation));
        ask.arg(rate.cost_us()).arg(rate.slack_us());
        let wait: Option<u64> = self
            .link
            .call("budget", |mut connection| async move {
                ask.invoke_async(&mut connection).await
            })
            .await;
        match wait {
            Some(0) => Room::Now,
            Some(wait) => Room::In(Duration::from_micros(wait)),
            None => {
                let now_us = self.clock.elapsed().as_micros() as u64;
                let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
                own.take(conversation, rate, now_us)
            }
        }
    }
}
