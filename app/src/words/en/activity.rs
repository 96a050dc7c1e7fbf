//! The log of what people did.

use crate::view::ActivityResult;
use crate::words::activity::{Activity, ActivityColumns};

pub(super) const ACTIVITY: Activity = Activity {
    title: "Activity",
    caption: "What people and programs did, newest first",
    columns: ActivityColumns {
        at: "When",
        by: "Who",
        verb: "What",
        object: "On what",
        change: "Before and after",
        reason: "Reason",
        result: "Result",
    },
    program: "Program",
    verb_of: |verb| match verb {
        "reprocess" => "Reprocess".into(),
        "rerun" => "Ask the agent again".into(),
        "discard" => "Discard".into(),
        "mark_delivered" => "Mark delivered".into(),
        "take_over" => "Take over".into(),
        "hand_back" => "Hand back".into(),
        "say" => "Write to the customer".into(),
        "release_hold" => "Release holds".into(),
        "reveal" => "See texts".into(),
        "sign_in" => "Sign in".into(),
        "sign_out" => "Sign out".into(),
        "first_password" => "Set a first password".into(),
        "save_settings" => "Save settings".into(),
        "roll_back" => "Roll settings back".into(),
        "plan" => "Plan an operation".into(),
        "verdict" => "Give a verdict".into(),
        "settle" => "Settle a tool call".into(),
        "allow_once" => "Allow a tool call once".into(),
        "invite" => "Invite".into(),
        "set_role" => "Change a role".into(),
        "change_password" => "Change the own password".into(),
        "reset_password" => "Reset a password".into(),
        "remove_user" => "Remove a person".into(),
        other => other.replace('_', " "),
    },
    result_of: |result| match result {
        ActivityResult::Done => "Done",
        ActivityResult::Refused => "Refused",
        ActivityResult::Failed => "Not known",
    },
    none_yet: "Nothing was done yet. Everything that people change is written down here, with how it was before and after.",
    none_match: "No entry matches these filters.",
    none_older: "There are no older entries.",
};
