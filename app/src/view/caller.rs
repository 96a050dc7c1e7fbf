//! Who asks, and what they may do.

use super::UserId;
use super::stored::stored_words;
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
    /// How they see texts at this moment.
    #[serde(skip)]
    pub seeing: Seeing,
    /// Which sign-in of theirs, as the store knows it; stays on the server.
    #[serde(skip)]
    pub sign_in: String,
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
            seeing: Seeing::Page,
            sign_in: String::new(),
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

/// What decides whether somebody sees texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seeing {
    /// On a page: what they lifted the veil from.
    #[default]
    Page,
    /// In an export: whether they may take texts out.
    Export,
}

stored_words! {
    /// The built-in roles, from least to most.
    Role {
        /// Sees lists and timelines, texts masked.
        Viewer = "viewer",
        /// Sees texts, audits duplicates.
        Support = "support",
        /// Puts right what stopped.
        Operator = "operator",
        /// Sets the channels.
        Admin = "admin",
        /// Everything, the team included.
        Owner = "owner",
    }
}

impl Role {
    /// How many replies this role may act on in one run; `None` is any number.
    #[must_use]
    pub const fn most_at_once(self) -> Option<u32> {
        match self {
            Self::Admin | Self::Owner => None,
            Self::Operator => Some(500),
            Self::Viewer | Self::Support => Some(0),
        }
    }

    /// What this role may do: everything whose least role it reaches.
    #[must_use]
    pub fn permissions(self) -> BTreeSet<Permission> {
        Permission::ALL
            .iter()
            .copied()
            .filter(|permission| permission.least() <= self)
            .collect()
    }
}

stored_words! {
    /// One thing a person may do.
    Permission {
        /// See counts, lists and timelines, texts masked.
        See = "see",
        /// See customers' texts and contacts on request; recorded.
        Reveal = "reveal",
        /// Say whether an avoided duplicate or a decision was right.
        Verdict = "verdict",
        /// Try settings out on what was recorded.
        Lab = "lab",
        /// Take lists out of the console; texts only with [`Permission::ExportTexts`].
        Export = "export",
        /// Save views of lists for everybody.
        ShareViews = "share_views",
        /// Reprocess, rerun or discard one reply; take a session over and hand it back.
        ActOnOne = "act_on_one",
        /// The same for many at once.
        ActOnMany = "act_on_many",
        /// Release a hold or a lock by hand.
        ReleaseLocks = "release_locks",
        /// Overrule a check that speaks against a command, with a reason.
        OverrideChecks = "override_checks",
        /// Let a tool call that was held back as a duplicate pass once.
        AllowOnce = "allow_once",
        /// Save settings of a channel, roll them back.
        SaveSettings = "save_settings",
        /// Take texts out of the console.
        ExportTexts = "export_texts",
        /// People and their roles.
        Team = "team",
    }
}

impl Permission {
    /// The least role that has it.
    #[must_use]
    pub const fn least(self) -> Role {
        match self {
            Self::See => Role::Viewer,
            Self::Reveal | Self::Verdict | Self::Lab | Self::Export | Self::ShareViews => {
                Role::Support
            }
            Self::ActOnOne | Self::ActOnMany | Self::ReleaseLocks | Self::OverrideChecks => {
                Role::Operator
            }
            Self::AllowOnce | Self::SaveSettings | Self::ExportTexts => Role::Admin,
            Self::Team => Role::Owner,
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
