//! The words for what became of a reply. Must never name a storage or a channel.

/// A stored word is not one of the known ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{text}`, allowed: {allowed}")]
pub struct UnknownWord {
    /// What the word should have been, such as `reply status`.
    pub what: &'static str,
    /// The text that was found, cut to 64 characters.
    pub text: String,
    /// The allowed words, separated by commas.
    pub allowed: String,
}

impl UnknownWord {
    /// What was found in the place of an allowed word.
    #[must_use]
    pub fn new(what: &'static str, text: &str, allowed: impl Into<String>) -> Self {
        Self {
            what,
            text: text.chars().take(64).collect(),
            allowed: allowed.into(),
        }
    }
}

/// Makes an enum whose values are stored, logged and shown as words: `Name, "what it is", { Variant = "word", … }`. It gets
/// `ALL`, `as_str`, `Display`, and `FromStr` that refuses any other word with [`UnknownWord`]. Whoever uses it needs `serde`.
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal, { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every value, in the order of its declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word under which the value is stored, logged and shown.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownWord::new($what, text, [$($word),+].join(", "))),
                }
            }
        }
    };
}

pub(crate) use words;

words! {
    /// Where a reply is on its way to the user.
    ReplyStatus, "reply status", {
        /// Written, not yet handed over; held while newer messages are undecided.
        Pending = "PENDING",
        /// A verdict let it go; a newer message holds it again.
        Released = "RELEASED",
        /// Claimed by a consumer that is handing it to the channel.
        Dispatching = "DISPATCHING",
        /// The channel accepted it. Final.
        Delivered = "DELIVERED",
        /// A newer message made it wrong. Final.
        Cancelled = "CANCELLED",
        /// A later reply answers its messages as well. Final.
        Superseded = "SUPERSEDED",
        /// Waits for a person.
        Parked = "PARKED",
        /// The channel may or may not have it; only a report or a person decides.
        Unknown = "UNKNOWN",
        /// Too old to be of use. Final.
        Expired = "EXPIRED",
        /// A person dropped it. Final.
        Discarded = "DISCARDED",
    }
}

impl ReplyStatus {
    /// Whether nothing leaves this status any more.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Self::Delivered | Self::Cancelled | Self::Superseded | Self::Expired | Self::Discarded
        )
    }

    /// Whether the reply waits to be handed over and nobody has claimed it.
    #[must_use]
    pub const fn is_waiting(self) -> bool {
        matches!(self, Self::Pending | Self::Released)
    }
}

words! {
    /// Why a reply waits for a person.
    ParkReason, "park reason", {
        /// An outside lock that nobody renewed or released outlasted the ladder.
        LockStuck = "lock_stuck",
        /// The channel refused for good.
        ChannelRefused = "channel_refused",
        /// The channel failed on every rung of the ladder.
        ChannelFailed = "channel_failed",
        /// The agent gave no answer; the reply is empty.
        AgentFailed = "agent_failed",
        /// Newer messages asked for another answer, and that answer failed.
        ReplacementFailed = "replacement_failed",
        /// A person took the conversation over.
        HumanTakeover = "human_takeover",
        /// It waited longer than the age guard allows.
        TooOld = "too_old",
        /// What is stored of it cannot be read.
        TextUnreadable = "text_unreadable",
    }
}

words! {
    /// Why a message got no turn of its own.
    DropReason, "drop reason", {
        /// A control command dropped the burst it was in.
        Command = "command",
        /// It is the control command itself.
        IsCommand = "is_command",
        /// The channel delivered it later than the settings allow.
        Late = "late",
        /// A person answers this session.
        Person = "person",
        /// It is a reaction that answers no open question.
        Reaction = "reaction",
        /// The session was busy and the channel's strategy is `reject`; the sender could not be told.
        Rejected = "rejected",
    }
}

words! {
    /// Why a message waits for what is under way, although it would not by the rule.
    QueueReason, "queue reason", {
        /// The channel's strategy is `enqueue`.
        Strategy = "strategy",
        /// The turn reserved an outside effect, or a reply that is on its way had one: it cannot be undone.
        Effects = "effects",
        /// The user has or may have some of the reply that is on its way.
        Sent = "sent",
        /// Somebody's message has waited for an answer as long as a hold may last.
        Waited = "waited",
    }
}

words! {
    /// The judgement of an undelivered reply against newer messages.
    Decision, "decision", {
        /// The reply is still right and wanted: send it, then answer the newer messages.
        ReleaseFirst = "RELEASE_FIRST",
        /// Nothing of the reply is wanted any more.
        CancelFirst = "CANCEL_FIRST",
        /// One new reply answers both.
        Merge = "MERGE",
    }
}

words! {
    /// Who wrote a reply.
    Author, "author", {
        /// The agent.
        Agent = "agent",
        /// A person who took the session over.
        Person = "person",
    }
}

words! {
    /// What the channel may see when an outcome is not known.
    Guarantee, "guarantee", {
        /// A hand-over whose outcome is not known is never repeated automatically.
        AtMostOnce = "at_most_once",
        /// It is repeated on the channel ladder, once per fault.
        AtLeastOnce = "at_least_once",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_survives_its_word() {
        for status in ReplyStatus::ALL {
            assert_eq!(status.as_str().parse(), Ok(*status));
        }
    }

    #[test]
    fn an_unknown_word_names_what_is_allowed() {
        let error = "SENT".parse::<ReplyStatus>().unwrap_err();
        assert!(error.to_string().contains("`SENT`") && error.to_string().contains("DELIVERED"));
    }
}
