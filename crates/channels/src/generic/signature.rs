//! Signatures after Standard Webhooks: who may speak for a channel. Works on raw bytes, before anything is parsed, and
//! must never tell a wrong signature from a right one by the time it takes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use replygate_gate::At;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::secret::Secret;

/// The header with the message's id, equal for every attempt to deliver it.
pub const HEADER_ID: &str = "webhook-id";
/// The header with the time of this attempt, in whole seconds since 1970.
pub const HEADER_TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signatures, separated by blanks.
pub const HEADER_SIGNATURE: &str = "webhook-signature";

/// How far a timestamp may be off in either direction: five minutes, as the specification advises.
const WINDOW_MS: u64 = 300_000;

/// Why a request is not taken as coming from the other side; answered with 401.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// A header is missing, empty or not plain text.
    #[error("the header {name} is missing or unreadable")]
    Header {
        /// Which one.
        name: &'static str,
    },
    /// The timestamp is no number.
    #[error("the header webhook-timestamp is not a number, allowed: whole seconds since 1970")]
    Timestamp,
    /// The timestamp is too far from our clock, as a replayed or long delayed request is.
    #[error(
        "the header webhook-timestamp is {off_s} seconds off, allowed: 300 in either direction"
    )]
    Window {
        /// By how many seconds.
        off_s: u64,
    },
    /// No signature matches any of the channel's secrets.
    #[error("no signature in webhook-signature matches")]
    Signature,
}

/// Checks that a request was signed with one of `secrets` less than five minutes before or after `now`.
///
/// `webhook-signature` holds one or more of `v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`; other
/// versions are skipped. While a secret is being changed, both the old and the new one are in `secrets`.
pub fn verify(
    headers: &HeaderMap,
    raw_body: &[u8],
    secrets: &[Secret],
    now: At,
) -> Result<(), Unverified> {
    let id = header(headers, HEADER_ID)?;
    let timestamp = header(headers, HEADER_TIMESTAMP)?;
    header(headers, HEADER_SIGNATURE)?;
    in_window(timestamp, now)?;
    let given: Vec<&str> = headers
        .get_all(HEADER_SIGNATURE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(' '))
        .filter_map(|signature| signature.strip_prefix("v1,"))
        .collect();
    let matches = secrets.iter().any(|secret| {
        let expected = signature(secret, id, timestamp, raw_body);
        given
            .iter()
            .any(|given| bool::from(given.as_bytes().ct_eq(expected.as_bytes())))
    });
    if matches {
        Ok(())
    } else {
        Err(Unverified::Signature)
    }
}

/// The value of `webhook-signature` for a body that leaves: one signature for each secret, so that the other side may
/// know either while a secret is being changed.
#[must_use]
pub fn sign(id: &str, timestamp_s: i64, raw_body: &[u8], secrets: &[Secret]) -> String {
    let timestamp = timestamp_s.to_string();
    let all: Vec<String> = secrets
        .iter()
        .map(|secret| format!("v1,{}", signature(secret, id, &timestamp, raw_body)))
        .collect();
    all.join(" ")
}

fn signature(secret: &Secret, id: &str, timestamp: &str, body: &[u8]) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.bytes()).expect("HMAC takes keys of any length");
    for piece in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(piece);
    }
    STANDARD.encode(mac.finalize().into_bytes())
}

fn header<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, Unverified> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .filter(|value| !value.is_empty())
        .ok_or(Unverified::Header { name })
}

fn in_window(timestamp: &str, now: At) -> Result<(), Unverified> {
    let seconds: i64 = timestamp.parse().map_err(|_| Unverified::Timestamp)?;
    let off_ms = seconds.saturating_mul(1_000).abs_diff(now.0);
    if off_ms > WINDOW_MS {
        Err(Unverified::Window {
            off_s: off_ms / 1_000,
        })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: At = At(1_700_000_000_000);
    const BODY: &[u8] = br#"{"type":"message.received","data":{"id":"m1"}}"#;
    const KNOWN: &str = "v1,KXdMXIFxzWB/0jbQAcxhkupEs5CS3fZ6l8lMKGmKBzY=";

    fn secret() -> Secret {
        Secret::parse("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=").unwrap()
    }

    fn other() -> Secret {
        Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap()
    }

    fn headers(id: &str, timestamp: &str, signature: &str) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in [
            (HEADER_ID, id),
            (HEADER_TIMESTAMP, timestamp),
            (HEADER_SIGNATURE, signature),
        ] {
            map.insert(name, value.parse().unwrap());
        }
        map
    }

    fn known() -> HeaderMap {
        headers("msg_test_1", "1700000000", KNOWN)
    }

    #[test]
    fn the_published_vector_is_made_and_accepted() {
        assert_eq!(sign("msg_test_1", 1_700_000_000, BODY, &[secret()]), KNOWN);
        assert_eq!(verify(&known(), BODY, &[secret()], NOW), Ok(()));
    }

    #[test]
    fn during_a_change_either_secret_is_accepted_on_either_side() {
        assert_eq!(verify(&known(), BODY, &[other(), secret()], NOW), Ok(()));
        let both = sign("msg_test_1", 1_700_000_000, BODY, &[other(), secret()]);
        let sent = headers("msg_test_1", "1700000000", &both);
        assert_eq!(verify(&sent, BODY, &[secret()], NOW), Ok(()));
        assert_eq!(verify(&sent, BODY, &[other()], NOW), Ok(()));
    }

    #[test]
    fn another_secret_or_none_is_refused() {
        assert_eq!(
            verify(&known(), BODY, &[other()], NOW),
            Err(Unverified::Signature)
        );
        assert_eq!(verify(&known(), BODY, &[], NOW), Err(Unverified::Signature));
    }

    #[test]
    fn other_versions_beside_a_right_signature_are_skipped() {
        let mixed = format!("v1a,AAAA v2,xyz {KNOWN}");
        assert_eq!(
            verify(
                &headers("msg_test_1", "1700000000", &mixed),
                BODY,
                &[secret()],
                NOW
            ),
            Ok(())
        );
        let renamed = KNOWN.replace("v1,", "v2,");
        let sent = headers("msg_test_1", "1700000000", &renamed);
        assert_eq!(
            verify(&sent, BODY, &[secret()], NOW),
            Err(Unverified::Signature)
        );
    }

    #[test]
    fn five_minutes_either_way_are_accepted_and_no_more() {
        for (off, fits) in [
            (300_000, true),
            (-300_000, true),
            (301_000, false),
            (-301_000, false),
        ] {
            let found = verify(&known(), BODY, &[secret()], At(NOW.0 + off));
            assert_eq!(found.is_ok(), fits, "{off}");
        }
        assert_eq!(
            verify(
                &headers("a", "9223372036854775807", KNOWN),
                BODY,
                &[secret()],
                NOW
            )
            .unwrap_err()
            .to_string(),
            "the header webhook-timestamp is 9223370336854775 seconds off, allowed: 300 in either direction"
        );
    }

    #[test]
    fn a_missing_header_is_named() {
        for name in [HEADER_ID, HEADER_TIMESTAMP, HEADER_SIGNATURE] {
            let mut sent = known();
            sent.remove(name);
            assert_eq!(
                verify(&sent, BODY, &[secret()], NOW),
                Err(Unverified::Header { name })
            );
        }
        let sent = headers("a", "soon", KNOWN);
        assert_eq!(
            verify(&sent, BODY, &[secret()], NOW),
            Err(Unverified::Timestamp)
        );
    }

    #[test]
    fn the_border_between_id_timestamp_and_body_cannot_be_moved() {
        let sent = headers("msg_test_1.1700000000", "1700000000", KNOWN);
        assert_eq!(
            verify(&sent, BODY, &[secret()], NOW),
            Err(Unverified::Signature)
        );
    }

    fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    }

    proptest! {
        #[test]
        fn any_flipped_bit_of_the_body_is_refused(body in proptest::collection::vec(any::<u8>(), 1..200), at: usize) {
            let signature = sign("m", 1_700_000_000, &body, &[secret()]);
            let sent = headers("m", "1700000000", &signature);
            prop_assert_eq!(verify(&sent, &body, &[secret()], NOW), Ok(()));
            let changed = flipped(&body, at % (body.len() * 8));
            prop_assert_eq!(verify(&sent, &changed, &[secret()], NOW), Err(Unverified::Signature));
        }

        #[test]
        fn any_flipped_bit_of_a_header_is_refused(at: usize, which in 0..3usize) {
            let mut texts = ["msg_test_1".to_owned(), "1700000000".to_owned(), KNOWN.to_owned()];
            let bit = at % (texts[which].len() * 8);
            let changed = flipped(texts[which].as_bytes(), bit);
            let Ok(text) = String::from_utf8(changed) else { return Ok(()) };
            if text.parse::<http::HeaderValue>().is_err() {
                return Ok(());
            }
            texts[which] = text;
            let sent = headers(&texts[0], &texts[1], &texts[2]);
            prop_assert!(verify(&sent, BODY, &[secret()], NOW).is_err());
        }

        #[test]
        fn no_header_makes_it_panic(id: Vec<u8>, timestamp: Vec<u8>, signature: Vec<u8>) {
            let mut sent = HeaderMap::new();
            for (name, value) in [(HEADER_ID, id), (HEADER_TIMESTAMP, timestamp), (HEADER_SIGNATURE, signature)] {
                if let Ok(value) = http::HeaderValue::from_bytes(&value) {
                    sent.insert(name, value);
                }
            }
            prop_assert!(verify(&sent, BODY, &[secret()], NOW).is_err());
        }
    }
}
