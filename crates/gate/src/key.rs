//! Who talks where: the natural keys behind the identifiers. Must never depend on anything but the key's own fields.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ids::{ConversationId, SessionId};

/// The natural key of a session.
///
/// Two keys are the same session only if all four fields are equal; equal contacts on two channels are two sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SessionKey {
    /// The channel's id in the settings, such as `shop-webchat`.
    pub channel: String,
    /// The business account on that channel (number, page, bot); empty where a channel has one.
    pub account: String,
    /// The chat; equals `contact` in a direct chat.
    pub conversation: String,
    /// The human who writes; in a group the author.
    pub contact: String,
}

impl SessionKey {
    /// The session's id: the first 128 bits of SHA-256 over the length-prefixed fields.
    #[must_use]
    pub fn session(&self) -> SessionId {
        SessionId(digest(
            "session",
            &[
                &self.channel,
                &self.account,
                &self.conversation,
                &self.contact,
            ],
        ))
    }

    /// The conversation's id, equal for every author of the same chat.
    #[must_use]
    pub fn conversation_id(&self) -> ConversationId {
        ConversationId(digest(
            "conversation",
            &[&self.channel, &self.account, &self.conversation],
        ))
    }

    /// Whether several humans may write here, so that order must be asked of the whole conversation.
    #[must_use]
    pub fn is_group(&self) -> bool {
        self.conversation != self.contact
    }
}

fn digest(domain: &str, fields: &[&str]) -> u128 {
    let mut hash = Sha256::new();
    for field in std::iter::once(&domain).chain(fields) {
        hash.update((field.len() as u64).to_be_bytes());
        hash.update(field.as_bytes());
    }
    let bytes = hash.finalize();
    bytes
        .iter()
        .take(16)
        .fold(0, |value, byte| (value << 8) | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(fields: [&str; 4]) -> SessionKey {
        SessionKey {
            channel: fields[0].into(),
            account: fields[1].into(),
            conversation: fields[2].into(),
            contact: fields[3].into(),
        }
    }

    #[test]
    fn moving_a_letter_between_fields_is_another_session() {
        assert_ne!(
            key(["ab", "", "c", "c"]).session(),
            key(["a", "b", "c", "c"]).session()
        );
    }

    #[test]
    fn authors_of_a_group_share_the_conversation_but_not_the_session() {
        let (a, b) = (key(["ch", "", "g1", "ana"]), key(["ch", "", "g1", "rui"]));
        assert_eq!(a.conversation_id(), b.conversation_id());
        assert_ne!(a.session(), b.session());
        assert!(a.is_group());
    }

    proptest! {
        #[test]
        fn ids_are_injective_over_keys(a: [String; 4], b: [String; 4]) {
            let of = |k: &[String; 4]| key([&k[0], &k[1], &k[2], &k[3]]);
            prop_assert_eq!(a == b, of(&a).session() == of(&b).session());
        }
    }
}
