//! Leases. Must never free or shorten another holder's lease: every script checks the token.

use std::sync::LazyLock;
use std::time::Duration;

use ::redis::Script;
use async_trait::async_trait;
use replygate_gate::{SessionId, TurnId};
use replygate_ports::leases::{Leases, Leave};

use super::keys::Keys;
use super::link::Link;

/// Takes a free lease, or extends the caller's own. May be repeated when the answer got lost.
static ACQUIRE: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local holder = redis.call('GET', KEYS[1])
         if holder and holder ~= ARGV[1] then return 0 end
         redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
         return 1",
    )
});

/// Deletes the caller's own lease.
static RELEASE: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
         return 0",
    )
});

/// Leases in Redis.
pub struct RedisLeases {
    link: Link,
    keys: Keys,
}

impl RedisLeases {
    pub fn new(link: &Link, keys: &Keys) -> Self {
        Self {
            link: link.clone(),
            keys: keys.clone(),
        }
    }
}

#[async_trait]
impl Leases for RedisLeases {
    async fn acquire(&self, session: SessionId, holder: TurnId, life: Duration) -> Leave {
        let mut ask = ACQUIRE.key(self.keys.lease(session));
        ask.arg(holder.to_string())
            .arg((life.as_millis() as u64).max(1));
        let granted: Option<u8> = self
            .link
            .call("lease", |mut connection| async move {
                ask.invoke_async(&mut connection).await
            })
            .await;
        match granted {
            Some(0) => Leave::Taken,
            _ => Leave::Granted,
        }
    }

    async fn release(&self, session: SessionId, holder: TurnId) {
        let mut ask = RELEASE.key(self.keys.lease(session));
        ask.arg(holder.to_string());
        // Unanswered, its life ends it.
        let _: Option<u8> = self
            .link
            .call("release", |mut connection| async move {
                ask.invoke_async(&mut connection).await
            })
            .await;
    }
}
