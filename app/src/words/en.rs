//! English.

use super::{Columns, Domain, Door, Lost, Measure, Session, Sessions, Shell, Words};
use crate::view::{
    AttemptResult, ConsoleError, Count, HoldWhy, Permission, Role, SessionStateWord, StatusWord,
    VerdictSource, VerdictWord,
};

/// The English texts.
pub(super) static WORDS: Words = Words {
    lang: "en",
    shell: Shell {
        product: "Replygate",
        skip: "Skip to content",
        navigation: "Main",
        sign_out: "Sign out",
        refresh: "Refresh",
        live: |age_s| format!("Live, updated {age_s} s ago"),
        reconnecting: |from| format!("Reconnecting, this screen is from {from}"),
        still: |from| format!("This screen is from {from}"),
        loading: "Loading",
        trouble: "This page could not be shown",
        again: "Try again",
    },
    sessions: Sessions {
        title: "Sessions",
        caption,
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
        id: "Session",
        first_seen: "First seen",
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
        first_run: "Set the first password",
        first_run_why: "This link works once. It sets the password of the account “admin”, which may do everything.",
        new_password: "New password",
        password_rule: "At least 12 characters.",
        repeat: "The same again",
        set: "Set password",
        link_used: "This link was used or is too old. Start the server again for a new one, or ask an admin.",
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
};

fn caption(shown: usize, total: Option<Count>) -> String {
    match total {
        Some(Count::Exactly(total)) => {
            format!("{shown} of {total} sessions, newest activity first")
        }
        Some(Count::MoreThan(total)) => {
            format!("{shown} of more than {total} sessions, newest activity first")
        }
        None => format!("{shown} sessions, newest activity first"),
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
        other => other,
    }
}

fn dropped(why: &str) -> &str {
    match why {
        "command" => "a control command dropped it",
        "is_command" => "it is a control command",
        "late" => "it came too late",
        "person" => "a person answers",
        other => other,
    }
}

/// Events whose stored name is already plain words (`released`, `not_sent`) need no entry here.
fn event(kind: &str) -> &str {
    match kind {
        "arrived" => "message received",
        "controlled" => "control command",
        "judged" => "verdict",
        "verdict_noted" => "verdict waits for the turn",
        "taken" => "turn started",
        "renewed" => "turn goes on",
        "stopping" => "turn is to stop",
        "committed" => "turn finished",
        "verdict_late" => "verdict came too late",
        "claimed" => "sending",
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
        Permission::See => "see this",
        Permission::Reveal => "see texts and contacts",
        Permission::ActOnOne => "act on a reply or a session",
        Permission::ReleaseLocks => "release locks and holds",
        Permission::OverrideChecks => "overrule a check",
        Permission::SaveSettings => "save settings",
    }
}

fn trouble(error: &ConsoleError) -> String {
    match error {
        ConsoleError::NotSignedIn => "You are not signed in.".into(),
        ConsoleError::Forbidden {
            permission: missing,
        } => {
            format!("Your role may not {}. Ask an admin.", permission(*missing))
        }
        ConsoleError::NotFound { what } => format!("There is no such {what}, or it is gone."),
        ConsoleError::Invalid {
            field,
            value,
            allowed,
        } => {
            format!("“{value}” is not allowed for {field}. Allowed: {allowed}.")
        }
        ConsoleError::Conflict {
            now, by: Some(by), ..
        } => {
            format!("Nothing was changed: {by} was faster. It is now {now}.")
        }
        ConsoleError::Conflict { now, .. } => {
            format!("Nothing was changed: it changed meanwhile. It is now {now}.")
        }
        ConsoleError::Refused { check } => format!("Nothing was changed: {check}."),
        ConsoleError::Unavailable => "The server cannot answer now. Try again in a moment.".into(),
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
