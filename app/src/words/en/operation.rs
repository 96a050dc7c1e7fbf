//! Operations.

use crate::view::{Choice, ItemWord, OperationRow, OperationWord, Pace};
use crate::words::operation::{ItemColumns, Operation};
#[cfg(feature = "ssr")]
use crate::words::operation::{OperationColumns, Operations};

pub(super) const OPERATION: Operation = Operation {
    title: |row: &OperationRow| what(row.choice, row.total()),
    state: "State",
    state_of: |state| match state {
        OperationWord::Planned => "Planned",
        OperationWord::Expired => "Plan expired",
        OperationWord::Running => "Running",
        OperationWord::Waiting => "Waiting for the first results",
        OperationWord::Paused => "Paused",
        OperationWord::Halted => "Halted: too many came back",
        OperationWord::Stopped => "Stopped",
        OperationWord::Finished => "Finished",
    },
    by: "By",
    planned: "Planned",
    started: "Started",
    ended: "Ended",
    reason: "Reason",
    pace: "Pace",
    pace_of: |pace: Pace| {
        let first = match pace.first {
            0 => String::new(),
            first => format!(", the first {first} on trial"),
        };
        let halt = match pace.halt_percent {
            100 => ", never halts".to_owned(),
            percent => format!(", halts above {percent} % that come back"),
        };
        format!("{} a minute{first}{halt}", pace.per_minute)
    },
    progress: |row: &OperationRow| {
        let (total, ready) = (row.total(), row.count(ItemWord::Ready));
        format!("{} of {total} done", total - ready)
    },
    behind: "It waits: another operation is carried out first.",
    outcomes: "Outcomes",
    outcome_of: |outcome| match outcome {
        ItemWord::Ready => "To do",
        ItemWord::Queued => "On its way",
        ItemWord::Delivered => "Delivered",
        ItemWord::Dropped => "Dropped",
        ItemWord::CameBack => "Came back",
        ItemWord::Skipped => "Skipped",
        ItemWord::Failed => "Failed",
    },
    all: "All",
    replies: "Replies of this operation",
    columns: ItemColumns {
        reply: "Reply",
        channel: "Channel",
        outcome: "Outcome",
        why: "Why",
        at: "Since",
    },
    why_of,
    none: "No reply has this outcome.",
    question: |choice, ready| format!("{}?", what(choice, ready)),
    customers: |choice, ready, newest, oldest| {
        let who = if ready == 1 {
            "1 customer".to_owned()
        } else {
            format!("{ready} customers")
        };
        let when = if newest == oldest {
            format!("written {oldest}")
        } else {
            format!("written between {oldest} and {newest}")
        };
        match choice {
            Choice::Send => format!("{who} will get a reply that was {when}."),
            Choice::Rerun => {
                format!("The agent will answer again for {who}; the replies were {when}.")
            }
            Choice::Discard | Choice::Delivered => {
                format!("{who} will get nothing; the replies were {when}.")
            }
        }
    },
    skipped: |count, why| format!("{count} skipped: {why}"),
    noticed: |count, why| format!("{count} go although: {why}"),
    by_channel: "By channel:",
    not_included: "Replies that came to wait after this plan was made are not included.",
    no_way_back: |choice| match choice {
        Choice::Send => "Sent replies cannot be taken back. You can stop while it is going.",
        Choice::Rerun => {
            "New answers are sent without another question. You can stop while it is going."
        }
        Choice::Discard | Choice::Delivered => {
            "What is discarded is never sent. You can stop while it is going."
        }
    },
    per_minute: "Replies a minute",
    first: "First so many, then wait for results",
    first_hint: "0 goes straight through.",
    halt: "Halt when more than so many percent come back (at least 5)",
    typed: |count| format!("Type the number of replies ({count}) to go on"),
    start: |choice, ready| what(choice, ready),
    keep: "Keep them parked",
    may_not: "Your role may not act on many replies at once. Ask an owner.",
    pause: "Pause",
    resume: "Resume",
    stop: "Stop",
    wheel: |state| match state {
        OperationWord::Halted => {
            "Resume goes on without halting again. Stop: no more are acted on; what was sent stays sent."
        }
        _ => "Stop: no more are acted on; what was sent stays sent.",
    },
};

#[cfg(feature = "ssr")]
pub(super) const OPERATIONS: Operations = Operations {
    title: "Operations",
    caption: "Deeds on many replies, newest plan first",
    columns: OperationColumns {
        what: "What",
        state: "State",
        by: "By",
        planned: "Planned",
        outcomes: "Outcomes",
        reason: "Reason",
    },
    none_yet: "No operation yet. Select parked replies and choose “Check and reprocess”: every run gets a page here.",
    none_older: "There are no older operations.",
};

fn what(choice: Choice, count: u32) -> String {
    let replies = if count == 1 { "reply" } else { "replies" };
    match choice {
        Choice::Send => format!("Reprocess {count} {replies}"),
        Choice::Rerun => format!("Ask the agent again for {count} {replies}"),
        Choice::Discard => format!("Discard {count} {replies}"),
        Choice::Delivered => format!("Settle {count} {replies}"),
    }
}

fn why_of(word: &str) -> String {
    let known = match word {
        "changed" => "changed since the plan",
        "gone" => "no longer stored",
        "person" => "a person answers or answered",
        "answered_elsewhere" => "another reply answered it",
        "same_text" => "the same text was delivered",
        "newer_reply" => "a newer reply was delivered",
        "newer_messages" => "the customer wrote since",
        "came_back" => "it came back before",
        "channel_fails" => "the channel fails at the moment",
        "outcome_unknown" => "nobody knows whether it arrived",
        "empty" => "there is nothing to send",
        "being_rerun" | "no_answer" => "the agent is or was asked again",
        "superseded" => "a new answer took its place",
        "cancelled" => "newer messages made it wrong",
        other => return other.replace('_', " "),
    };
    known.to_owned()
}
