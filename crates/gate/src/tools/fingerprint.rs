//! The name of a call's meaning. Must never be equal for two tools, two people or two meanings.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

use super::Comparison;
use crate::key::SessionKey;
use crate::status::words;

/// The first 128 bits of SHA-256 over who calls, which tool, and what makes the call's identity. 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

/// A text is no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no fingerprint, allowed: 32 of 0-9, a-f")]
pub struct BadFingerprint {
    /// What was given, cut to 64 characters.
    pub text: String,
}

words! {
    /// Among whose calls the same call is a duplicate.
    #[derive(Default)]
    Scope, "scope", {
        /// One person on a channel and account, in whatever chat.
        #[default]
        Contact = "contact",
        /// One person in one chat.
        Session = "session",
        /// Everybody on a channel.
        Channel = "channel",
    }
}

impl Fingerprint {
    /// The fingerprint of a call of `tool` by whoever `key` names.
    #[must_use]
    pub fn of(tool: &str, comparison: &Comparison, scope: Scope, key: &SessionKey) -> Self {
        let who: &[&str] = match scope {
            Scope::Contact => &[&key.channel, &key.account, &key.contact],
            Scope::Session => &[&key.channel, &key.account, &key.conversation, &key.contact],
            Scope::Channel => &[&key.channel],
        };
        let mut hash = Sha256::new();
        let mut add = |field: &str| {
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field.as_bytes());
        };
        add("call");
        add(scope.as_str());
        for field in who {
            add(field);
        }
        add(tool);
        add(&comparison.recipe);
        for field in &comparison.compared {
            add(&field.name);
            add(&field.value);
        }
        let bytes = hash.finalize();
        Self(
            bytes
                .iter()
                .take(16)
                .fold(0, |value, byte| (value << 8) | u128::from(*byte)),
        )
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = BadFingerprint;

    fn from_str(text: &str) -> Result<Self, BadFingerprint> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let bits = u128::from_str_radix(text, 16).ok();
        bits.filter(|_| text.len() == 32 && text.bytes().all(is_hex))
            .map(Self)
            .ok_or_else(|| BadFingerprint {
                text: text.chars().take(64).collect(),
            })
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tools::Compared;

    fn key(contact: &str) -> SessionKey {
        SessionKey {
            channel: "shop".into(),
            account: String::new(),
            conversation: "group".into(),
            contact: contact.into(),
        }
    }

    fn comparison(fields: &[(&str, &str)]) -> Comparison {
        Comparison {
            recipe: "fields".into(),
            compared: fields
                .iter()
                .map(|(name, value)| Compared {
                    name: (*name).into(),
                    value: (*value).into(),
                })
                .collect(),
            ignored: Vec::new(),
            missing: None,
        }
    }

    #[test]
    fn another_person_tool_or_scope_is_another_fingerprint() {
        let same = comparison(&[("title", "psicología")]);
        let of = |tool, scope, contact| Fingerprint::of(tool, &same, scope, &key(contact));
        let ana = of("create", Scope::Contact, "ana");
        assert_eq!(ana, of("create", Scope::Contact, "ana"));
        assert_ne!(ana, of("create", Scope::Contact, "rui"));
        assert_ne!(ana, of("cancel", Scope::Contact, "ana"));
        assert_ne!(ana, of("create", Scope::Session, "ana"));
        assert_eq!(
            of("create", Scope::Channel, "ana"),
            of("create", Scope::Channel, "rui")
        );
    }

    #[test]
    fn moving_a_letter_between_fields_is_another_fingerprint() {
        let of = |fields: &[(&str, &str)]| {
            Fingerprint::of("t", &comparison(fields), Scope::Contact, &key("ana"))
        };
        assert_ne!(of(&[("a", "bc")]), of(&[("ab", "c")]));
        assert_ne!(of(&[("a", "b"), ("c", "d")]), of(&[("a", "bcd")]));
    }

    proptest! {
        #[test]
        fn every_fingerprint_survives_its_text_form(bits: u128) {
            prop_assert_eq!(Fingerprint(bits).to_string().parse(), Ok(Fingerprint(bits)));
        }
    }

    #[test]
    fn what_is_no_fingerprint_is_refused_by_its_text() {
        assert_eq!("+f".parse::<Fingerprint>().unwrap_err().text, "+f");
        let upper = "F".repeat(32);
        assert!(upper.parse::<Fingerprint>().is_err());
    }
}
