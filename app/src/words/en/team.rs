//! The team's page.

use crate::view::Membership;
use crate::words::team::{Team, TeamColumns};

pub(super) const TEAM: Team = Team {
    title: "Team",
    caption: "People who may use this console",
    columns: TeamColumns {
        name: "Name",
        state: "State",
        role: "Role",
        act: "Action",
    },
    membership_of: |membership| match membership {
        Membership::Active => "Signs in with a password",
        Membership::Invited => "Has no password yet",
    },
    you: "you",
    save: "Change role",
    reset: "Reset password",
    new_link: "New link",
    remove: "Remove",
    invite: "Invite somebody",
    invite_button: "Invite",
    link_for: |name| format!("Link for {name}"),
    link_hint: |until| {
        format!(
            "Send it to them: it sets their password, once, until {until}. It is shown only here and only now; put the address of this console in front of it."
        )
    },
    roles: "What each role may do",
    may: "May",
};
