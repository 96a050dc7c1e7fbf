//! The words for the state of a reply. The whole list: a page, an address, the audit and the API use no other.

use replygate_gate::ReplyStatus;
use serde::{Deserialize, Serialize};

/// Where a reply stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StatusWord {
    /// Written, waiting for its time or for its hold to end.
    Pending,
    /// A verdict let it go although newer messages exist.
    Released,
    /// Being handed to the channel at this moment.
    Dispatching,
    /// The channel accepted it.
    Delivered,
    /// Newer messages made it wrong; the customer never saw it.
    Cancelled,
    /// A later reply took its place and covers its messages. Shown as "Merged".
    Superseded,
    /// Waits for a person.
    Parked,
    /// Handed to the channel, and nobody can say whether it arrived.
    Unknown,
    /// A person decided that it is not sent.
    Discarded,
    /// Too old to be sent.
    Expired,
}

impl StatusWord {
    /// All of them, in the order in which a filter offers them.
    pub const ALL: [Self; 10] = [
        Self::Pending,
        Self::Released,
        Self::Dispatching,
        Self::Delivered,
        Self::Cancelled,
        Self::Superseded,
        Self::Parked,
        Self::Unknown,
        Self::Discarded,
        Self::Expired,
    ];

    /// The word as it is stored, and as addresses and style sheets name it: `SUPERSEDED`.
    #[must_use]
    pub fn stored(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Released => "RELEASED",
            Self::Dispatching => "DISPATCHING",
            Self::Delivered => "DELIVERED",
            Self::Cancelled => "CANCELLED",
            Self::Superseded => "SUPERSEDED",
            Self::Parked => "PARKED",
            Self::Unknown => "UNKNOWN",
            Self::Discarded => "DISCARDED",
            Self::Expired => "EXPIRED",
        }
    }

    /// The status with this stored word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.stored() == word)
    }

    /// The stations on the usual way to this status, itself last, as the protocol allows them.
    #[must_use]
    pub fn way_to(self) -> &'static [Self] {
        match self {
            Self::Pending => &[Self::Pending],
            Self::Released => &[Self::Pending, Self::Released],
            Self::Dispatching => &[Self::Pending, Self::Dispatching],
            Self::Delivered => &[Self::Pending, Self::Dispatching, Self::Delivered],
            Self::Cancelled => &[Self::Pending, Self::Cancelled],
            Self::Superseded => &[Self::Pending, Self::Superseded],
            Self::Parked => &[Self::Pending, Self::Parked],
            Self::Unknown => &[Self::Pending, Self::Dispatching, Self::Unknown],
            Self::Discarded => &[Self::Pending, Self::Parked, Self::Discarded],
            Self::Expired => &[Self::Pending, Self::Expired],
        }
    }

    /// The status that a person means: the stored word or the word on its badge, letter case aside.
    #[must_use]
    pub fn from_any(word: &str) -> Option<Self> {
        if word.eq_ignore_ascii_case("merged") {
            return Some(Self::Superseded);
        }
        Self::from_stored(&word.to_ascii_uppercase())
    }

    /// All stored words, for people.
    #[must_use]
    pub fn allowed() -> String {
        Self::ALL.map(Self::stored).join(", ")
    }
}

impl From<ReplyStatus> for StatusWord {
    fn from(status: ReplyStatus) -> Self {
        match status {
            ReplyStatus::Pending => Self::Pending,
            ReplyStatus::Released => Self::Released,
            ReplyStatus::Dispatching => Self::Dispatching,
            ReplyStatus::Delivered => Self::Delivered,
            ReplyStatus::Cancelled => Self::Cancelled,
            ReplyStatus::Superseded => Self::Superseded,
            ReplyStatus::Parked => Self::Parked,
            ReplyStatus::Unknown => Self::Unknown,
            ReplyStatus::Discarded => Self::Discarded,
            ReplyStatus::Expired => Self::Expired,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StatusWord;
    use replygate_gate::ReplyStatus;

    #[test]
    fn the_console_and_the_domain_use_the_same_stored_words() {
        assert_eq!(ReplyStatus::ALL.len(), StatusWord::ALL.len());
        for status in ReplyStatus::ALL {
            assert_eq!(StatusWord::from(*status).stored(), status.as_str());
        }
    }

    #[test]
    fn the_stored_word_is_also_the_word_on_the_wire() {
        for status in StatusWord::ALL {
            let wire = serde_json::to_string(&status).unwrap();
            assert_eq!(wire, format!("\"{}\"", status.stored()));
            assert_eq!(StatusWord::from_stored(status.stored()), Some(status));
        }
    }
}
