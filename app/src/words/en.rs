//! English.

#[cfg(feature = "ssr")]
mod activity;
#[cfg(feature = "ssr")]
mod built_in;
#[cfg(feature = "ssr")]
mod channels;
#[cfg(feature = "ssr")]
mod decide;
#[cfg(feature = "ssr")]
mod decisions;
mod duplicates;
mod export;
#[cfg(feature = "ssr")]
mod frame;
#[cfg(feature = "ssr")]
mod health;
mod lab;
mod lists;
#[cfg(feature = "ssr")]
mod message;
mod operation;
#[cfg(feature = "ssr")]
mod overview;
mod parked;
mod session_page;
#[cfg(feature = "ssr")]
mod team;
mod veil;
mod views;

use super::{Columns, Domain, Door, Lost, Measure, Session, Sessions, Shell, Trouble, Words};
use crate::live::Pause;
use crate::view::{
    AttemptResult, ConsoleError, HoldWhy, Permission, Role, Section, SessionStateWord, StatusWord,
    VerdictSource, VerdictWord,
};

/// The English texts.
pub(super) static WORDS: Words = Words {
    lang: "en",
    shell: Shell {
        product: "Replygate",
        demo: "Demo data",
        demo_means: "Everybody here is invented, and nothing is sent to anybody.",
        skip: "Skip to content",
        navigation: "Main",
        section,
        go_to: "Go to an id",
        sign_out: "Sign out",
        refresh: "Refresh",
        live: |age_s| format!("Live, updated {age_s} s ago"),
        paused,
        pause: "Pause",
        resume: "Resume",
        waiting: |rows| format!("{rows} more came since you opened this page."),
        show_waiting: "Show them",
        reconnecting: |from| format!("Reconnecting, this screen is from {from}"),
        still: |from| format!("This screen is from {from}"),
        again: "Try again",
        what_i_may: "See what your role may do",
    },
    sessions: Sessions {
        title: "Sessions",
        caption: |shown, total| {
            lists::caption(shown, total, "session", "sessions", "newest activity first")
        },
        columns: Columns {
            contact: "Contact",
            channel: "Channel",
            state: "State",
            waiting: "Window or hold",
            in_flight: "In flight",
            last_message: "Last message",
            last_reply: "Last reply",
            last_activity: "Last activity",
        },
        filter: "Filter",
        channel: "Channel",
        state: "State",
        query: "Contact or session id",
        any: "Any",
        apply: "Apply",
        clear: "Clear filters",
        older: "Older",
        newest: "Newest",
        none_yet: "No session yet. Sessions appear here when a customer writes.",
        to_chat: "Write as one on the chat page.",
        none_match: "No session matches these filters.",
        none_older: "There are no older sessions.",
    },
    session: Session {
        title: |contact| format!("Session with {contact}"),
        conversation: "Conversation",
        silent: "Nothing was said yet.",
        events: "Events",
        when: "When",
        what: "What",
        facts: "Details",
        customer: "Customer",
        agent: "Agent",
        notice: "Notice",
        edited: "edited",
        waiting: "Waits for a turn",
        no_answer: "The agent chose not to answer",
        person: "Answered by a person",
        dropped: |why| format!("Not answered: {}", dropped(why)),
        answered_by: "Answered by",
        covers: "Answers",
        replaced_by: "Replaced by",
        empty_reply: "No text: the agent did not answer.",
        parts: |sent, of| format!("{sent} of {of} parts sent"),
        unsent: "Not sent:",
        cut: "The rest was cut off",
        had_effects: "Its turn had effects outside",
        due: "Due",
        verdict: |word, source, evaluator, percent| {
            if evaluator.is_empty() {
                return format!("{word} ({source})");
            }
            format!("{word} ({source} {evaluator}, {percent} % sure)")
        },
        too_late: "came too late",
        attempts: |count| {
            if count == 1 {
                "1 attempt".into()
            } else {
                format!("{count} attempts")
            }
        },
    },
    door: Door {
        sign_in: "Sign in",
        name: "Name",
        password: "Password",
        enter: "Sign in",
        refused: "This name and password do not fit together.",
        throttled: "Too many attempts. Wait a minute, then try again.",
        over: "Your sign-in has ended. Sign in again.",
        changed: "Your password was changed, and every sign-in has ended. Sign in with the new one.",
        first_run: "Set the first password",
        first_run_why: |name| match name {
            "" => "This link works once.".into(),
            name => format!("This link works once. It sets the password of the account “{name}”."),
        },
        new_password: "New password",
        password_rule: "At least 12 characters.",
        repeat: "The same again",
        set: "Set password",
        link_used: "This link was used or is too old. Start the server again for a new one, or ask an owner.",
        differ: "The two passwords differ.",
        too_short: "The password is shorter than 12 characters.",
        no_link: "Open the whole link that the server printed when it started.",
    },
    lost: Lost {
        title: "Nothing here",
        what_next: "This address leads nowhere. The thing may be gone, or the link is incomplete.",
        to_sessions: "Go to the sessions",
    },
    domain: Domain {
        status,
        state,
        hold,
        verdict,
        source,
        attempt,
        role,
        permission,
        parked,
        event,
        pruned: "No longer stored",
        masked: "Hidden:",
        taken_over_by: |name| format!("{name} answers instead of the agent"),
    },
    measure: Measure {
        ago,
        seconds: |ms| format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        window: |passed, of, rule, messages| {
            let plural = if messages == 1 { "message" } else { "messages" };
            format!("{passed} of {of}, {messages} {plural}, {rule}")
        },
    },
    trouble,
    veil: veil::VEIL,
    export: export::EXPORT,
    views: views::VIEWS,
    lab: lab::LAB,
    session_page: session_page::SESSION_PAGE,
    filter: lists::FILTER,
    messages: lists::MESSAGES,
    parked: parked::PARKED,
    operation: operation::OPERATION,
    #[cfg(feature = "ssr")]
    operations: operation::OPERATIONS,
    #[cfg(feature = "ssr")]
    after_form,
    #[cfg(feature = "ssr")]
    may_not: |missing| {
        let (deed, least) = (permission(missing), role(missing.least()));
        format!(
            "Your role may not {deed}. That takes at least the role {least}; an owner can give it."
        )
    },
    #[cfg(feature = "ssr")]
    overview: overview::OVERVIEW,
    #[cfg(feature = "ssr")]
    health: health::HEALTH,
    #[cfg(feature = "ssr")]
    decisions: decisions::DECISIONS,
    #[cfg(feature = "ssr")]
    activity: activity::ACTIVITY,
    #[cfg(feature = "ssr")]
    built_in: built_in::BUILT_IN,
    #[cfg(feature = "ssr")]
    team: team::TEAM,
    #[cfg(feature = "ssr")]
    channels: channels::CHANNELS,
    #[cfg(feature = "ssr")]
    channel: channels::CHANNEL,
    duplicates: duplicates::DUPLICATES,
    #[cfg(feature = "ssr")]
    duplicate: duplicates::DUPLICATE,
    #[cfg(feature = "ssr")]
    decide: decide::DECIDE,
    #[cfg(feature = "ssr")]
    message: message::MESSAGE,
    #[cfg(feature = "ssr")]
    keys: frame::KEYS,
    #[cfg(feature = "ssr")]
    me: frame::ME,
};

fn section(section: Section) -> &'static str {
    match section {
        Section::Overview => "Overview",
        Section::Sessions => "Sessions",
        Section::Messages => "Messages",
        Section::Parked => "Parked",
        Section::Operations => "Operations",
        Section::Duplicates => "Duplicates",
        Section::Decisions => "Decisions",
        Section::Channels => "Channels",
        Section::Activity => "Activity",
        Section::Health => "Health",
    }
}

fn paused(pause: Pause) -> String {
    match pause {
        Pause::No | Pause::Asked => "Updates paused".into(),
        Pause::Selected(1) => "Updates paused while 1 row is selected".into(),
        Pause::Selected(rows) => format!("Updates paused while {rows} rows are selected"),
        Pause::Busy => "Updates paused while you are in the list".into(),
    }
}

fn status(word: StatusWord) -> &'static str {
    match word {
        StatusWord::Pending => "Pending",
        StatusWord::Released => "Released",
        StatusWord::Dispatching => "Dispatching",
        StatusWord::Delivered => "Delivered",
        StatusWord::Cancelled => "Cancelled",
        StatusWord::Superseded => "Merged",
        StatusWord::Parked => "Parked",
        StatusWord::Unknown => "Unknown",
        StatusWord::Discarded => "Discarded",
        StatusWord::Expired => "Expired",
    }
}

fn state(word: SessionStateWord) -> &'static str {
    match word {
        SessionStateWord::Stuck => "Stuck",
        SessionStateWord::TakenOver => "Taken over",
        SessionStateWord::Thinking => "Thinking",
        SessionStateWord::Collecting => "Collecting",
        SessionStateWord::Deciding => "Deciding",
        SessionStateWord::Sending => "Sending",
        SessionStateWord::Idle => "Idle",
    }
}

fn hold(why: HoldWhy) -> &'static str {
    match why {
        HoldWhy::NewerMessages => "Held: newer messages",
        HoldWhy::Locked => "Held: locked from outside",
        HoldWhy::TakenOver => "Held: a person took over",
    }
}

fn verdict(word: VerdictWord) -> &'static str {
    match word {
        VerdictWord::ReleaseFirst => "Release",
        VerdictWord::CancelFirst => "Cancel",
        VerdictWord::Merge => "Merge",
    }
}

fn source(source: VerdictSource) -> &'static str {
    match source {
        VerdictSource::Evaluator => "evaluator",
        VerdictSource::Fallback => "fallback",
        VerdictSource::Policy => "policy",
    }
}

fn attempt(result: AttemptResult) -> &'static str {
    match result {
        AttemptResult::Accepted => "accepted",
        AttemptResult::NotSent => "not sent",
        AttemptResult::Refused => "refused",
        AttemptResult::Unknown => "outcome not known",
        AttemptResult::HeldBack => "held back",
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Viewer => "Viewer",
        Role::Support => "Support",
        Role::Operator => "Operator",
        Role::Admin => "Admin",
        Role::Owner => "Owner",
    }
}

fn parked(why: &str) -> &str {
    match why {
        "lock_stuck" => "the lock was never released",
        "channel_refused" => "the channel refused it",
        "channel_failed" => "the channel could not be reached",
        "agent_failed" => "the agent failed",
        "replacement_failed" => "the reply that should replace it failed",
        "human_takeover" => "a person took over",
        "too_old" => "too old to be sent unasked",
        "text_unreadable" => "its stored text could not be read",
        "unknown" => "nobody knows whether it arrived",
        other => other,
    }
}

fn dropped(why: &str) -> &str {
    match why {
        "command" => "a control command dropped it",
        "is_command" => "it is a control command",
        "late" => "it came too late",
        "person" => "a person answers",
        "reaction" => "it is a reaction that answers no open question",
        "rejected" => "the agent was busy, and the channel rejects messages then",
        other => other,
    }
}

/// Events whose stored name is already plain words (`released`, `not_sent`) need no entry here.
fn event(kind: &str) -> &str {
    match kind {
        "arrived" => "message received",
        "rejected" => "message rejected",
        "queued" => "message waits its turn",
        "controlled" => "control command",
        "judged" => "verdict",
        "turn_judged" => "verdict on the running turn",
        "verdict_noted" => "verdict waits for the turn",
        "taken" => "turn started",
        "renewed" => "turn goes on",
        "stopping" => "turn is to stop",
        "committed" => "turn finished",
        "verdict_late" => "verdict came too late",
        "claimed" => "sending",
        "repetition_ended" => "not tried again by itself",
        "requeued" => "sent again by an operator",
        "rerun_requested" => "agent is asked again",
        "rerun_ended" => "agent answered again",
        other => other,
    }
}

fn ago(ms: i64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0 => "now".into(),
        1..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

fn permission(permission: Permission) -> &'static str {
    match permission {
        Permission::See => "see lists and timelines",
        Permission::Reveal => "see texts and contacts",
        Permission::Verdict => "give verdicts",
        Permission::Lab => "try settings out",
        Permission::Export => "export lists",
        Permission::ShareViews => "share views of lists",
        Permission::ActOnOne => "act on a reply or a session",
        Permission::ActOnMany => "act on many replies at once",
        Permission::ReleaseLocks => "release locks and holds",
        Permission::OverrideChecks => "overrule a check",
        Permission::AllowOnce => "let a held tool call pass",
        Permission::SaveSettings => "save settings",
        Permission::ExportTexts => "export texts",
        Permission::Team => "change people and roles",
    }
}

fn trouble(error: &ConsoleError) -> Trouble {
    let (title, text) = match error {
        ConsoleError::NotSignedIn => ("Sign in", "You are not signed in.".into()),
        ConsoleError::Forbidden {
            permission: missing,
        } => (
            "Not allowed for your role",
            format!(
                "Nothing was sent or changed. Your role may not {}. That takes at least the role {}; an owner can give it.",
                permission(*missing),
                role(missing.least())
            ),
        ),
        ConsoleError::NotFound { what } => (
            "Nothing here",
            format!("There is no such {what}, or it is gone."),
        ),
        ConsoleError::Invalid {
            field,
            value,
            allowed,
        } => (
            "This cannot be read",
            format!("“{value}” is not allowed for {field}. Allowed: {allowed}."),
        ),
        ConsoleError::Conflict {
            now, by: Some(by), ..
        } => (
            "It changed meanwhile",
            format!("Nothing was sent or changed: {by} was faster. It is now {now}."),
        ),
        ConsoleError::Conflict { now, .. } => (
            "It changed meanwhile",
            format!("Nothing was sent or changed: it changed meanwhile. It is now {now}."),
        ),
        ConsoleError::Refused { check } => (
            "A check speaks against it",
            format!("Nothing was sent or changed: {}.", check.replace('_', " ")),
        ),
        ConsoleError::TookTooLong => (
            "This takes too long to read",
            "Reading this took longer than 2 seconds and was stopped. Nothing was sent or changed. Ask for less: one channel, a shorter time, or no words to search for.".into(),
        ),
        ConsoleError::Unavailable => (
            "The server cannot answer now",
            "This page could not be read. Nothing was sent or changed by opening it. Try again in a moment.".into(),
        ),
    };
    Trouble { title, text }
}

/// A form that did nothing says so first. Only where the answer was lost nobody can say.
#[cfg(feature = "ssr")]
fn after_form(error: &ConsoleError) -> String {
    match error {
        ConsoleError::TookTooLong => "Nothing was sent: reading what it needs took longer than 2 seconds and was stopped. Send the form again.".into(),
        ConsoleError::Unavailable => "We cannot tell yet whether anything was sent: the server could not answer. What stands below is read from the store; sending the form again does nothing twice.".into(),
        ConsoleError::NotFound { what } => format!("Nothing was sent. There is no such {what}, or it is gone."),
        ConsoleError::Invalid { field, value, allowed } if value.is_empty() => {
            format!("Nothing was sent. Missing: {field} ({allowed}).")
        }
        ConsoleError::Invalid { field, value, allowed } => {
            format!("Nothing was sent. “{value}” is not allowed for {field}. Allowed: {allowed}.")
        }
        ConsoleError::Refused { check } => format!(
            "Nothing was sent: a check speaks against it ({}). Overrule it with a reason, or choose something else.",
            check.replace('_', " ")
        ),
        other => trouble(other).text,
    }
}

#[cfg(test)]
mod tests {
    use super::ago;

    #[test]
    fn ages_change_their_unit_at_its_bound() {
        let words: Vec<_> = [
            0, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000,
        ]
        .map(ago)
        .to_vec();
        let expected = [
            "now",
            "now",
            "1 s ago",
            "59 s ago",
            "1 min ago",
            "59 min ago",
            "1 h ago",
            "1 d ago",
        ];
        assert_eq!(words, expected);
    }
}
