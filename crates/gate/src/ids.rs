//! Identifiers and instants. Must never read a clock or draw randomness: values come in from outside.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An instant in milliseconds since the Unix epoch, as the process's clock port told it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct At(pub i64);

impl At {
    /// The instant `ms` milliseconds later; saturates.
    #[must_use]
    pub const fn plus(self, ms: u64) -> Self {
        Self(self.0.saturating_add(if ms > i64::MAX as u64 {
            i64::MAX
        } else {
            ms as i64
        }))
    }

    /// The instant `ms` milliseconds earlier; saturates.
    #[must_use]
    pub const fn minus(self, ms: u64) -> Self {
        Self(self.0.saturating_sub(if ms > i64::MAX as u64 {
            i64::MAX
        } else {
            ms as i64
        }))
    }

    /// Milliseconds from `earlier` to this instant; 0 when `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        let gap = self.0.saturating_sub(earlier.0);
        if gap < 0 { 0 } else { gap as u64 }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An identifier's text was not of the expected form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not an identifier of the form {prefix}_ followed by 26 characters of 0-9, a-z without i, l, o, u"
)]
pub struct BadId {
    /// The prefix that was expected, such as `msg`.
    pub prefix: &'static str,
    /// What was given, cut to 64 characters.
    pub text: String,
}

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn encode(value: u128) -> [u8; 26] {
    let mut out = [b'0'; 26];
    let mut rest = value;
    for slot in out.iter_mut().rev() {
        *slot = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    out
}

fn decode(text: &str) -> Option<u128> {
    if text.len() != 26 || text.as_bytes()[0] > b'7' {
        return None;
    }
    text.bytes().try_fold(0u128, |value, byte| {
        let digit = ALPHABET.iter().position(|&c| c == byte)?;
        Some((value << 5) | digit as u128)
    })
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u128);

        impl $name {
            /// The prefix of the text form, without the underscore.
            pub const PREFIX: &'static str = $prefix;
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!($prefix, "_"))?;
                let digits = encode(self.0);
                f.write_str(std::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                text.strip_prefix(concat!($prefix, "_"))
                    .and_then(decode)
                    .map(Self)
                    .ok_or_else(|| BadId { prefix: $prefix, text: text.chars().take(64).collect() })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(de::Error::custom)
            }
        }
    };
}

id!(
    /// A session: one conversation with one human. Derived from its key, so that two processes that meet a new contact
    /// at the same time name the same session.
    SessionId, "ses"
);
id!(
    /// A conversation: what order, history and typing belong to. Equal for all authors of a group.
    ConversationId, "cnv"
);
id!(
    /// An inbound message.
    MessageId, "msg"
);
id!(
    /// A reply; keeps its id for its whole life, also when an operator sends it again.
    ReplyId, "rep"
);
id!(
    /// One run of the agent.
    TurnId, "trn"
);
id!(
    /// One deed that an operator has done on many replies.
    OperationId, "op"
);
id!(
    /// Proof of a claim; a settle with an older one changes nothing.
    ClaimToken, "clm"
);
id!(
    /// One call of a tool that has an effect: the proof of its reservation, and its name in the ledger for ever.
    ActionId, "act"
);
id!(
    /// A record of a call that was not carried out because its work was done already.
    DuplicateId, "dup"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_id_survives_its_text_form(value: u128) {
            let id = MessageId(value);
            prop_assert_eq!(id.to_string().parse::<MessageId>(), Ok(id));
        }

        #[test]
        fn text_forms_sort_like_the_ids(a: u128, b: u128) {
            prop_assert_eq!(a.cmp(&b), ReplyId(a).to_string().cmp(&ReplyId(b).to_string()));
        }
    }

    #[test]
    fn a_foreign_prefix_is_refused_by_name() {
        let text = MessageId(7).to_string();
        assert_eq!(text.parse::<ReplyId>().unwrap_err().prefix, "rep");
    }
}
