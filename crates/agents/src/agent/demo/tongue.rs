//! The demo's phrases for each language that Replygate speaks.

use replygate_gate::text::Tongue;

use super::phrases::{ENGLISH, PORTUGUESE, Phrases, SPANISH};

/// The phrases of that language.
pub(super) const fn phrases(tongue: Tongue) -> &'static Phrases {
    match tongue {
        Tongue::English => &ENGLISH,
        Tongue::Portuguese => &PORTUGUESE,
        Tongue::Spanish => &SPANISH,
    }
}
