//! Who writes on a page: a random number in a cookie. Whoever has the number can read the conversation, so it must never
//! be shown, logged or stored; everything else knows the visitor by a digest of it.

use std::fmt;
use std::str::FromStr;

use replygate_gate::SessionKey;
use replygate_ports::clock::Entropy;
use sha2::{Digest, Sha256};

/// The cookie's name.
pub const COOKIE: &str = "replygate_visitor";

/// A year: a conversation goes on where it was left.
const MAX_AGE_S: u32 = 31_536_000;

/// How the page was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// By plain HTTP, as on a developer's machine.
    Plain,
    /// By TLS, also where a proxy in front ends it.
    Tls,
}

/// The secret that makes a browser the same visitor: 128 random bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Visitor(u128);

/// The cookie's value is not one that we gave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the visitor's cookie is unreadable, allowed: 32 characters of 0-9 and a-f")]
pub struct BadVisitor;

impl Visitor {
    /// Somebody new.
    #[must_use]
    pub fn new(entropy: &dyn Entropy) -> Self {
        Self(entropy.bits())
    }

    /// The contact under which the conversation is stored: `web_` and 32 characters; it does not give the cookie away.
    #[must_use]
    pub fn contact(&self) -> String {
        let digest = Sha256::digest([b"visitor".as_slice(), &self.0.to_be_bytes()].concat());
        let half = digest
            .iter()
            .take(16)
            .fold(0u128, |value, byte| (value << 8) | u128::from(*byte));
        format!("web_{half:032x}")
    }

    /// Their conversation on the channel.
    #[must_use]
    pub fn key(&self, channel: &str) -> SessionKey {
        let contact = self.contact();
        SessionKey {
            channel: channel.to_owned(),
            account: String::new(),
            conversation: contact.clone(),
            contact,
        }
    }

    /// The `set-cookie` header: for this channel's page only, not readable by scripts, not sent with posts from other
    /// sites. `channel` is a channel's id, which needs no escaping.
    #[must_use]
    pub fn set_cookie(&self, channel: &str, transport: Transport) -> String {
        let secure = match transport {
            Transport::Plain => "",
            Transport::Tls => "; Secure",
        };
        format!(
            "{COOKIE}={:032x}; Path=/chat/{channel}; Max-Age={MAX_AGE_S}; HttpOnly; SameSite=Lax{secure}",
            self.0
        )
    }
}

impl FromStr for Visitor {
    type Err = BadVisitor;

    fn from_str(text: &str) -> Result<Self, BadVisitor> {
        let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(hex) {
            return Err(BadVisitor);
        }
        u128::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| BadVisitor)
    }
}

impl fmt::Debug for Visitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Visitor(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(u128);

    impl Entropy for Fixed {
        fn bits(&self) -> u128 {
            self.0
        }
    }

    #[test]
    fn a_visitor_is_known_again_by_the_cookie() {
        let visitor = Visitor::new(&Fixed(0xab));
        let cookie = visitor.set_cookie("shop", Transport::Plain);
        let value = cookie
            .strip_prefix("replygate_visitor=")
            .unwrap()
            .split(';')
            .next()
            .unwrap();
        assert_eq!(value.parse(), Ok(visitor));
        assert!(cookie.ends_with("; Path=/chat/shop; Max-Age=31536000; HttpOnly; SameSite=Lax"));
        assert!(
            visitor
                .set_cookie("shop", Transport::Tls)
                .ends_with("; Secure")
        );
    }

    #[test]
    fn the_contact_does_not_show_the_cookie() {
        let visitor = Visitor::new(&Fixed(7));
        assert_ne!(visitor.contact(), format!("web_{:032x}", 7));
        assert_ne!(visitor.contact(), Visitor::new(&Fixed(8)).contact());
        assert_eq!(format!("{visitor:?}"), "Visitor(…)");
    }

    #[test]
    fn what_we_did_not_give_out_is_no_cookie() {
        for text in [
            "",
            "abc",
            "000000000000000000000000000000AB",
            "+0000000000000000000000000000001",
        ] {
            assert_eq!(text.parse::<Visitor>(), Err(BadVisitor), "{text}");
        }
    }
}
