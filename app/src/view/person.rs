//! People who may use the console.

use super::stored::stored_words;
use super::{At, Role};
use serde::{Deserialize, Serialize};

stored_words! {
    /// Whether somebody can sign in.
    Membership {
        /// They have a password.
        Active = "active",
        /// They have a link and no password yet, or their password was taken back.
        Invited = "invited",
    }
}

/// A person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The name with which they sign in.
    pub name: String,
    /// Their role.
    pub role: Role,
    /// Whether they can sign in.
    pub membership: Membership,
    /// When the account was made.
    pub since: At,
}

/// A link with which somebody sets their password. It is shown once and stored nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberLink {
    /// Whose.
    pub name: String,
    /// Its path and query, to be put behind the address of the console.
    pub path: String,
    /// Not valid from then on.
    pub until: At,
}

super::stored::stored_words! {
    /// What came of changing a password.
    PasswordAnswer {
        /// It is changed.
        Changed = "changed",
        /// The present one was another.
        Refused = "refused",
        /// The new one is too short, or longer than anybody types.
        Short = "short",
        /// Too many attempts.
        Throttled = "throttled",
    }
}
