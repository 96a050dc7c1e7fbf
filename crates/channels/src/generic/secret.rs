//! A signing secret. Must never be printed, logged or serialised.

use std::fmt;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Standard base64, with padding or without, as secrets are copied both ways.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A text is no signing secret. It says why, without the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the signing secret {problem}, allowed: whsec_ followed by the base64 of 16 to 128 random bytes"
)]
pub struct BadSecret {
    /// What is wrong, such as `does not begin with whsec_`.
    pub problem: &'static str,
}

/// The key of a channel's signatures, shared with the other side.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<[u8]>);

impl Secret {
    /// Reads `whsec_` and base64; blanks around it are ignored.
    pub fn parse(text: &str) -> Result<Self, BadSecret> {
        let encoded = text.trim().strip_prefix("whsec_").ok_or(BadSecret {
            problem: "does not begin with whsec_",
        })?;
        let bytes = LENIENT.decode(encoded).map_err(|_| BadSecret {
            problem: "is not base64 behind whsec_",
        })?;
        if !(16..=128).contains(&bytes.len()) {
            return Err(BadSecret {
                problem: "has too few or too many bytes",
            });
        }
        Ok(Self(bytes.into()))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_with_and_without_padding() {
        let padded = Secret::parse("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=").unwrap();
        assert_eq!(padded.bytes(), b"0123456789abcdef0123456789abcdef");
        assert_eq!(
            Secret::parse(" whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY\n"),
            Ok(padded)
        );
    }

    #[test]
    fn a_bad_secret_is_refused_without_being_shown() {
        for text in ["hunter2hunter2hunter2", "whsec_***", "whsec_aGk=", "whsec_"] {
            let error = Secret::parse(text).unwrap_err().to_string();
            assert!(error.contains("allowed: whsec_ followed by"), "{error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn debug_shows_nothing_of_a_secret() {
        let secret = Secret::parse("whsec_MDEyMzQ1Njc4OWFiY2RlZg==").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
