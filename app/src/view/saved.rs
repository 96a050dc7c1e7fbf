//! What stands around a list: ready-made and saved views of it, and what else the reader may do with it as a whole.

use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use super::stored::stored_words;

#[cfg(feature = "ssr")]
stored_words! {
    /// A list that has an address of its own. Its address is `/` and its word.
    ListWord {
        /// Sessions.
        Sessions = "sessions",
        /// Messages.
        Messages = "messages",
        /// What waits for a person.
        Parked = "parked",
        /// Avoided duplicates.
        Duplicates = "duplicates",
        /// Verdicts.
        Decisions = "decisions",
        /// What people did.
        Activity = "activity",
    }
}

#[cfg(feature = "ssr")]
impl ListWord {
    /// The list of an address: `/messages?status=PARKED`.
    #[must_use]
    pub fn of(address: &str) -> Option<Self> {
        let path = address.split('?').next().unwrap_or_default();
        path.strip_prefix('/').and_then(Self::from_stored)
    }
}

/// A view that comes with the console: list, slug, address. Nobody changes or removes it.
#[cfg(feature = "ssr")]
pub const READY_MADE: [(ListWord, &str, &str); 9] = [
    (ListWord::Sessions, "stuck", "/sessions?state=stuck"),
    (
        ListWord::Sessions,
        "taken-over",
        "/sessions?state=taken-over",
    ),
    (ListWord::Messages, "merged", "/messages?status=SUPERSEDED"),
    (
        ListWord::Messages,
        "cancelled",
        "/messages?status=CANCELLED",
    ),
    (ListWord::Parked, "safe-to-send", "/parked?view=safe"),
    (ListWord::Parked, "too-late", "/parked?view=late"),
    (ListWord::Parked, "came-back", "/parked?view=came-back"),
    (
        ListWord::Duplicates,
        "no-verdict",
        "/duplicates?verdict=none",
    ),
    (
        ListWord::Duplicates,
        "marked-wrong",
        "/duplicates?verdict=should_have_run",
    ),
];

/// What stands around a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// The address of the list with its filter, from its first row on.
    pub here: String,
    /// Views that the reader may use, the ready-made ones first.
    pub views: Vec<ViewLink>,
    /// Whether the reader may save one for everybody.
    pub may_share: bool,
    /// Whether the reader may take the list out of the console.
    pub may_export: bool,
}

/// The way to a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewLink {
    /// What it is called.
    pub name: String,
    /// Where it leads.
    pub address: String,
}

/// A saved view as its own page lists it.
#[cfg(feature = "ssr")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedRow {
    /// Its name in addresses.
    pub slug: String,
    /// What it is called.
    pub name: String,
    /// The list that it is of.
    pub list: ListWord,
    /// The address of the list with the query.
    pub address: String,
    /// Whose it is.
    pub owner: String,
    /// Whether everybody may use it.
    pub is_shared: bool,
    /// Whether the reader may remove it.
    pub may_remove: bool,
}

/// A view that somebody wants to save.
#[cfg(feature = "ssr")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewView {
    /// What to call it.
    pub name: String,
    /// The address of the list with the query.
    pub address: String,
    /// Whether for everybody.
    pub is_shared: bool,
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::{ListWord, READY_MADE};

    #[test]
    fn a_ready_made_view_is_of_its_list_and_has_a_slug_of_its_own() {
        for (place, (list, slug, address)) in READY_MADE.iter().enumerate() {
            assert_eq!(ListWord::of(address), Some(*list), "{slug}");
            let others = READY_MADE.iter().skip(place + 1);
            assert!(others.map(|(_, other, _)| other).all(|other| other != slug));
        }
        for address in ["/settings", "//sessions", "sessions", "/sessions/ses_1"] {
            assert_eq!(ListWord::of(address), None, "{address}");
        }
    }
}
