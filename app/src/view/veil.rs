//! Texts and contacts are hidden until somebody who may see them asks for it. What is asked for together lies under one
//! veil: a whole list, or everything of one session.

use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use super::{SessionId, stored::stored_words};

#[cfg(feature = "ssr")]
stored_words! {
    /// A list with texts or contacts in its rows.
    VeiledList {
        /// Sessions.
        Sessions = "sessions",
        /// Messages.
        Messages = "messages",
        /// What waits for a person.
        Parked = "parked",
        /// Avoided duplicates, and calls whose outcome nobody knows.
        Duplicates = "duplicates",
        /// Verdicts.
        Decisions = "decisions",
        /// The built-in calendar and mailbox.
        BuiltIn = "built_in",
    }
}

/// What is revealed together.
#[cfg(feature = "ssr")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Veiled {
    /// The rows of a list, those that come later included.
    List(VeiledList),
    /// Everything of one session, on every page that is about it.
    Session(SessionId),
}

#[cfg(feature = "ssr")]
impl Veiled {
    /// The stored word: the list's, or the session's id.
    #[must_use]
    pub fn stored(&self) -> &str {
        match self {
            Self::List(list) => list.stored(),
            Self::Session(session) => session.as_str(),
        }
    }

    /// What this word stands for; an id is not looked up.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        let list = VeiledList::from_stored(word).map(Self::List);
        let session = || word.starts_with("ses_").then(|| Self::Session(word.into()));
        list.or_else(session)
    }

    /// What the log calls it.
    #[must_use]
    pub fn object(&self) -> String {
        match self {
            Self::List(list) => format!("list:{}", list.stored()),
            Self::Session(session) => session.0.clone(),
        }
    }
}

/// A veil over a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Veil {
    /// What lies under it, by stored word.
    pub over: String,
    /// Where the reader is, and comes back to.
    pub back: String,
    /// Whether the reader may lift it.
    pub may_lift: bool,
}

/// What came of asking for texts.
#[cfg(feature = "ssr")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// They are shown from now on, until this sign-in ends.
    Shown,
    /// A sign-in says once why it wants to see texts, and this one has not.
    ReasonMissing,
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::{Veiled, VeiledList};

    #[test]
    fn a_veil_is_known_by_its_word() {
        for veiled in [
            Veiled::List(VeiledList::Parked),
            Veiled::Session("ses_1".into()),
        ] {
            assert_eq!(Veiled::from_stored(veiled.stored()), Some(veiled));
        }
        for word in ["", "activity", "rep_1"] {
            assert_eq!(Veiled::from_stored(word), None, "{word}");
        }
    }
}
