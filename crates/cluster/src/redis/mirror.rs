//! Glances. Must never put an older version in the place of a newer one, however processes mix.

use std::sync::LazyLock;

use ::redis::Script;
use async_trait::async_trait;
use futures::future::join_all;
use replygate_gate::{ReplyId, SessionId};
use replygate_ports::mirror::{Glance, MIRROR_LIFE_MS, Mirror};
use tokio::sync::mpsc;

use super::keys::Keys;
use super::link::Link;

/// Keeps what is told unless a newer version is known. Versions are written with all their digits, so that they compare as
/// texts.
static TELL: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local known = redis.call('GET', KEYS[1])
         if known and string.sub(known, 1, 20) > string.sub(ARGV[1], 1, 20) then return 0 end
         redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
         return 1",
    )
});

/// So many glances wait to be told; more are dropped, as a mirror may.
const WAITING: usize = 4_096;
/// So many are told with one write.
const AT_ONCE: usize = 128;

/// Glances in Redis.
pub struct RedisMirror {
    link: Link,
    keys: Keys,
    teller: mpsc::Sender<(SessionId, Glance)>,
}

impl RedisMirror {
    pub fn start(link: &Link, keys: &Keys) -> Self {
        let (teller, told) = mpsc::channel(WAITING);
        tokio::spawn(tell_all(link.clone(), keys.clone(), told));
        Self {
            link: link.clone(),
            keys: keys.clone(),
            teller,
        }
    }
}

#[async_trait]
impl Mirror for RedisMirror {
    async fn tell(&self, session: SessionId, glance: Glance) {
        // Who looks in vain asks the store.
        let _ = self.teller.try_send((session, glance));
    }

    async fn look(&self, session: SessionId) -> Option<Glance> {
        let key = self.keys.glance(session);
        let found: Option<Option<String>> = self
            .link
            .call("look", |mut connection| async move {
                ::redis::cmd("GET")
                    .arg(key)
                    .query_async(&mut connection)
                    .await
            })
            .await;
        read(&found??)
    }
}

async fn tell_all(link: Link, keys: Keys, mut told: mpsc::Receiver<(SessionId, Glance)>) {
    let mut batch = Vec::with_capacity(AT_ONCE);
    while told.recv_many(&mut batch, AT_ONCE).await > 0 {
        let calls = batch.drain(..).map(|(session, glance)| {
            let mut ask = TELL.key(keys.glance(session));
            ask.arg(write(&glance)).arg(MIRROR_LIFE_MS);
            let link = &link;
            async move {
                let _: Option<u8> = link
                    .call("tell", |mut connection| async move {
                        ask.invoke_async(&mut connection).await
                    })
                    .await;
            }
        });
        join_all(calls).await;
    }
}

/// `00000000000000000012 rep_… -`: the version, the next reply, the held reply.
fn write(glance: &Glance) -> String {
    let word = |reply: Option<ReplyId>| reply.map_or_else(|| "-".to_owned(), |id| id.to_string());
    format!(
        "{:020} {} {}",
        glance.version,
        word(glance.next),
        word(glance.held)
    )
}

fn read(text: &str) -> Option<Glance> {
    let mut words = text.split(' ');
    let version = words.next()?.parse().ok()?;
    let mut reply = || match words.next()? {
        "-" => Some(None),
        id => id.parse().ok().map(Some),
    };
    let (next, held) = (reply()?, reply()?);
    Some(Glance {
        version,
        next,
        held,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_back(version: u64, next: Option<u128>, held: Option<u128>) {
            let glance = Glance {
                version,
                next: next.map(ReplyId),
                held: held.map(ReplyId),
            };
            prop_assert_eq!(read(&write(&glance)), Some(glance));
        }

        #[test]
        fn texts_sort_by_version(a: u64, b: u64) {
            let text = |version| write(&Glance { version, next: None, held: None });
            prop_assert_eq!(a.cmp(&b), text(a)[..20].cmp(&text(b)[..20]));
        }

        #[test]
        fn anything_else_is_nothing(text in ".{0,80}") {
            if let Some(glance) = read(&text) {
                prop_assert!(text.starts_with(&glance.version.to_string()) || text.starts_with('0') || text.starts_with('+'));
            }
        }
    }
}
