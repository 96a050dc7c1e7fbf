//! Who asks, and what they may do.

use super::UserId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The signed-in person behind a request.
///
/// The server puts it into the request's extensions after it has checked the session cookie; nothing else makes one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Their name in the store.
    pub id: UserId,
    /// What people call them; stands in the audit.
    pub name: String,
    /// Their role at this moment.
    pub role: Role,
    /// What they may do.
    pub permissions: BTreeSet<Permission>,
}

impl Caller {
    /// A person with exactly the permissions of `role`.
    #[must_use]
    pub fn with_role(id: UserId, name: String, role: Role) -> Self {
        Self {
            id,
            name,
            role,
            permissions: role.permissions(),
        }
    }

    /// Whether they may do this.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.permissions.contains(&permission)
    }

    /// Lets them pass or says what is missing. The first line of every method of the seam.
    pub fn need(&self, permission: Permission) -> Result<(), super::ConsoleError> {
        if self.may(permission) {
            return Ok(());
        }
        Err(super::ConsoleError::Forbidden { permission })
    }
}

/// The built-in roles, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Sees lists and timelines, texts masked.
    Viewer,
    /// Sees texts, audits duplicates.
    Support,
    /// Puts right what stopped.
    Operator,
    /// Sets the channels.
    Admin,
    /// Everything, the team included.
    Owner,
}

impl Role {
    /// All of them, from least to most.
    pub const ALL: [Self; 5] = [
        Self::Viewer,
        Self::Support,
        Self::Operator,
        Self::Admin,
        Self::Owner,
    ];

    /// The role as it is stored: `operator`.
    #[must_use]
    pub fn stored(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Support => "support",
            Self::Operator => "operator",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }

    /// The role with this stored word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.stored() == word)
    }

    /// What this role may do: everything whose least role it reaches.
    #[must_use]
    pub fn permissions(self) -> BTreeSet<Permission> {
        Permission::ALL
            .into_iter()
            .filter(|permission| permission.least() <= self)
            .collect()
    }
}

/// One thing a person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// See counts, lists and timelines, texts masked.
    See,
    /// See customers' texts and contacts.
    Reveal,
    /// Reprocess, rerun or discard one reply; take a session over and hand it back.
    ActOnOne,
    /// Release a hold or a lock by hand.
    ReleaseLocks,
    /// Overrule a check that speaks against a command, with a reason.
    OverrideChecks,
    /// Save settings of a channel, roll them back.
    SaveSettings,
}

impl Permission {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::See,
        Self::Reveal,
        Self::ActOnOne,
        Self::ReleaseLocks,
        Self::OverrideChecks,
        Self::SaveSettings,
    ];

    /// The least role that has it.
    #[must_use]
    pub fn least(self) -> Role {
        match self {
            Self::See => Role::Viewer,
            Self::Reveal => Role::Support,
            Self::ActOnOne | Self::ReleaseLocks | Self::OverrideChecks => Role::Operator,
            Self::SaveSettings => Role::Admin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, Permission, Role};
    use crate::view::ConsoleError;

    #[test]
    fn a_higher_role_may_everything_a_lower_one_may() {
        for pair in Role::ALL.windows(2) {
            assert!(pair[0].permissions().is_subset(&pair[1].permissions()));
        }
    }

    #[test]
    fn a_viewer_sees_lists_and_no_texts() {
        let viewer = Caller::with_role("u".into(), "Vi".to_owned(), Role::Viewer);
        assert!(viewer.may(Permission::See));
        assert_eq!(
            viewer.need(Permission::Reveal),
            Err(ConsoleError::Forbidden {
                permission: Permission::Reveal
            })
        );
    }
}
