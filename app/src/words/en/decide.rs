//! The page on which one waiting reply is decided.

use crate::view::{Action, Check, CheckWord, Choice, LastDeed, Outcome, Weight};
use crate::words::decide::Decide;

pub(super) const DECIDE: Decide = Decide {
    title: "Reprocess this reply?",
    title_over: "This reply no longer waits",
    text: "What the customer would get",
    status: "Status",
    why: "Why it waits",
    since: "Waits since",
    written: "Written",
    contact: "Contact",
    channel: "Channel",
    attempts: "Attempts",
    reply: "Reply",
    checks: "Checks",
    nothing_against: "Nothing speaks against sending it: no newer message, no newer reply, nobody took over.",
    check,
    weight: |weight| match weight {
        Weight::Fine => "Fine",
        Weight::Informs => "To know",
        Weight::Warns => "Warning",
        Weight::Asks => "Needs a reason",
        Weight::Refuses => "Against it",
        Weight::Blocks => "Not possible",
    },
    choices: "What now?",
    choice: |choice| match choice {
        Choice::Send => "Send as written",
        Choice::Rerun => "Ask the agent again",
        Choice::Discard => "Discard",
        Choice::Delivered => "It was delivered",
    },
    usual: |choice| format!("Usual here: {choice}."),
    reason: "Reason",
    reason_hint: "Kept in the activity. Needed where a check asks for it.",
    overrule: "Do it although a check speaks against it; the reason above says why",
    keep: "Keep parked",
    no_way_back: "A sent reply cannot be taken back. Asking the agent again starts a new turn with the whole conversation; its answer replaces this reply.",
    done,
    now: "It is now",
    not_done: "Nothing was sent: this request did nothing. The page below shows how it stands.",
    over: "Nothing to decide",
    last_deed: |deed: &LastDeed| {
        let what = match deed.kind.as_str() {
            "requeued" => "sent it again",
            "rerun_requested" => "asked the agent again",
            "discarded" => "discarded it",
            "delivered" => "said that it was delivered",
            _ => "decided it",
        };
        format!("{} {what}", deed.by)
    },
    back: "Back to the parked replies",
};

fn done(outcome: &Outcome) -> String {
    let by = &outcome.by;
    match outcome.action {
        Action::Reprocess => format!("{by} put it back in line as it is written"),
        Action::Rerun => format!("{by} asked the agent again"),
        Action::Discard => format!("{by} discarded it; nothing is sent"),
        Action::MarkDelivered => format!("{by} recorded that it was delivered"),
        Action::ReleaseHold => format!("{by} let held replies go"),
        Action::Unlock => format!("{by} took the lock off"),
        Action::TakeOver => format!("{by} took the session over"),
        Action::Say => format!("{by} wrote to the customer"),
        Action::HandBack => format!("{by} handed the session back to the agent"),
    }
}

fn check(check: &Check) -> String {
    let count = check.count.unwrap_or_default();
    let by = check.by.as_deref().unwrap_or_default();
    match check.word {
        CheckWord::OutcomeUnknown => {
            "It was handed to the channel, and nobody can say whether it arrived. Sending it may show it twice".into()
        }
        CheckWord::Empty if check.against.contains(&Choice::Send) => {
            "It has no text: the agent did not answer".into()
        }
        CheckWord::Empty => "It answers no message, so there is nothing to ask the agent".into(),
        CheckWord::BeingRerun => "The agent is answering its messages again at this moment".into(),
        CheckWord::Person if check.at.is_none() => {
            format!("{by} answers this customer instead of the agent")
        }
        CheckWord::Person if by.is_empty() => "A person answered this customer".into(),
        CheckWord::Person => format!("{by} answered this customer"),
        CheckWord::AnsweredElsewhere => {
            "Another reply has answered at least one of its messages".into()
        }
        CheckWord::SameText => "The same text reached this customer".into(),
        CheckWord::NewerReply => "A newer reply was delivered".into(),
        CheckWord::NewerMessages if count == 1 => {
            "The customer wrote 1 message after this reply was written".into()
        }
        CheckWord::NewerMessages => {
            format!("The customer wrote {count} messages after this reply was written")
        }
        CheckWord::CameBack if count == 1 => "It was sent again once and came back".into(),
        CheckWord::CameBack => format!("It was sent again {count} times and came back each time"),
        CheckWord::ChannelFails => {
            format!("The channel failed {count} of its last {by} replies")
        }
        CheckWord::Effects => {
            "Its turn did something outside; sending the reply does not repeat that".into()
        }
        CheckWord::Busy => {
            "The session is busy; the reply is sent in its order, after what runs now".into()
        }
    }
}
