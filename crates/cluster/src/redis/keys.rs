//! Names in Redis. Every key of a session carries its id as hash tag, so that all of them share a slot.

use std::sync::Arc;

use replygate_gate::{ConversationId, SessionId};

use super::RedisError;

/// The names of one installation.
#[derive(Clone, Debug)]
pub struct Keys {
    prefix: Arc<str>,
}

impl Keys {
    /// Names that begin with `prefix`.
    pub fn new(prefix: &str) -> Result<Self, RedisError> {
        let allowed = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.')
        };
        if !(1..=64).contains(&prefix.len()) || !prefix.bytes().all(allowed) {
            return Err(RedisError::Prefix(prefix.to_owned()));
        }
        Ok(Self {
            prefix: prefix.into(),
        })
    }

    /// Who looks after the session.
    pub fn lease(&self, session: SessionId) -> String {
        format!("{}:{{{session}}}:lease", self.prefix)
    }

    /// What tickets for the session lead to.
    pub fn glance(&self, session: SessionId) -> String {
        format!("{}:{{{session}}}:glance", self.prefix)
    }

    /// When the conversation's bucket is full again.
    pub fn budget(&self, conversation: ConversationId) -> String {
        format!("{}:{{{conversation}}}:budget", self.prefix)
    }

    /// The channel of news.
    pub fn news(&self) -> String {
        format!("{}:news", self.prefix)
    }

    /// The channel of wake-ups.
    pub fn wakes(&self) -> String {
        format!("{}:wakes", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_one_hash_tag() {
        let keys = Keys::new("rg.shop-1").unwrap();
        let session = SessionId(7);
        for key in [keys.lease(session), keys.glance(session)] {
            let tag = key.split_once('{').unwrap().1.split_once('}').unwrap().0;
            assert_eq!(tag, session.to_string());
        }
    }

    #[test]
    fn a_prefix_that_could_make_a_hash_tag_is_refused() {
        for bad in ["", "a{b}", "a:b", "A", &"a".repeat(65)] {
            assert!(matches!(Keys::new(bad), Err(RedisError::Prefix(_))));
        }
    }
}
