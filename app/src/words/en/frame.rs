//! What stands around pages.

use crate::view::{Density, Theme};
use crate::words::frame::{Keys, Me};

pub(super) const KEYS: Keys = Keys {
    title: "Keys",
    close: "Close",
    others: &[
        ("?", "This list"),
        ("/", "Go to the filter"),
        ("Ctrl+K", "Go to an id"),
        ("j k", "Next row, previous row"),
        ("Enter o", "Open the row"),
        ("x", "Select the row"),
        ("r", "Reprocess the row or the selection; asks first"),
        ("P", "Pause or resume updates"),
        (".", "Show new rows"),
        ("[ ]", "Newer, older page"),
        ("1 2 3", "Conversation, timeline, events of a session"),
        ("y", "Copy the link to this view"),
        ("t", "Next theme"),
        ("Esc", "Close, or clear the selection"),
    ],
};

pub(super) const ME: Me = Me {
    title: "Your settings",
    appearance: "Reading",
    theme: "Colours",
    theme_of: |theme| match theme {
        Theme::System => "As your device",
        Theme::Light => "Light",
        Theme::Dark => "Dark",
    },
    density: "Rows",
    density_of: |density| match density {
        Density::Compact => "Compact",
        Density::Normal => "Normal",
        Density::Roomy => "Roomy",
    },
    zone: "Time zone",
    zone_of_browser: |name| format!("As your browser ({name})"),
    shortcuts: "Single keys do something",
    shortcuts_hint: "Letters only work outside fields, and never change anything by themselves.",
    save: "Save",
    saved: "Saved in this browser.",
    here_only: "Kept in this browser only.",
    password: "Password",
    present_password: "Present password",
    password_wrong: "Nothing was changed: the present password is another.",
    password_hint: "Every sign-in of yours ends, this one included.",
    sign_ins: "Where you are signed in",
    sign_in_columns: ["Browser", "Since", "Last used", "End"],
    some_browser: "Another browser",
    this_one: "This one",
    end: "End",
    end_others: |others| match others {
        1 => "End the other one".into(),
        others => format!("End the {others} others"),
    },
    end_hint: "They are refused from their next request on.",
    ended: |count| match count {
        0 => "No other sign-in was left to end.".into(),
        1 => "1 sign-in was ended.".into(),
        count => format!("{count} sign-ins were ended."),
    },
    role: "What you may do",
    may: "allowed",
    may_not: "not allowed",
};
