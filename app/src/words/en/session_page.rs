//! A session's page besides its conversation.

use crate::view::{HoldWhy, LaneWord, SessionTab, SpanWord};
use crate::words::session_page::SessionPage;

pub(super) const SESSION_PAGE: SessionPage = SessionPage {
    tabs: "Ways to look at the session",
    tab: |tab| match tab {
        SessionTab::Conversation => "Conversation",
        SessionTab::Timeline => "Timeline",
        SessionTab::Events => "Events",
    },
    standing: "How it stands",
    since: "since",
    ends_when: |why| match why {
        HoldWhy::NewerMessages => {
            "A verdict on the newer messages lets it go, or the longest hold of the channel."
        }
        HoldWhy::Locked => "Whoever put the lock takes it off, or its time runs out.",
        HoldWhy::TakenOver => {
            "What the agent had written stays here until the session is handed back."
        }
    },
    answers: "Answers",
    window: "Collecting",
    turn: "Agent at work",
    messages: |count| {
        if count == 1 {
            "1 message".into()
        } else {
            format!("{count} messages")
        }
    },
    lock: "Locked by",
    lease_ends: "renewed until",
    in_flight: "Open replies",
    channel: "Channel",
    first_seen: "First seen",
    id: "Session",
    take_over: "Take over",
    take_over_hint: "You answer instead of the agent. Replies that have not left are parked.",
    hand_back: "Hand back to the agent",
    hand_back_hint: "The agent answers again from the next message on.",
    others: |by| format!("{by} answers this customer. Only {by} can write or hand back."),
    release_hold: "Let held replies go",
    unlock: |holder| format!("Take off the lock of {holder}"),
    may_not_act: "Your role may not act on a session. Ask an owner.",
    write: "Write to the customer",
    send: "Send",
    send_hint: "Goes out as it is, at once. A sent message cannot be taken back.",
    decide: "Decide what happens to it",
    timeline: "Timeline",
    timeline_summary: "Who did something when. The same stands below as a table.",
    timeline_hint: "Quiet times over a minute are folded: a dashed line stands for them.",
    as_table: "The same as a table",
    when: "When",
    lane: "Who",
    what: "What",
    length: "How long",
    about: "About",
    lane_of: |lane| match lane {
        LaneWord::Customer => "Customer",
        LaneWord::Debounce => "Debounce",
        LaneWord::Agent => "Agent",
        LaneWord::Evaluator => "Evaluator",
        LaneWord::Outbox => "Outbox",
        LaneWord::Channel => "Channel",
    },
    span_of: |span| match span {
        SpanWord::Message => "message",
        SpanWord::Open => "goes on",
        SpanWord::Done => "done",
        SpanWord::Stopped => "stopped",
        SpanWord::Failed => "failed",
        SpanWord::Release => "verdict: release",
        SpanWord::Cancel => "verdict: cancel",
        SpanWord::Merge => "verdict: merge",
        SpanWord::Delivered => "delivered",
        SpanWord::Cancelled => "cancelled",
        SpanWord::Merged => "merged",
        SpanWord::Parked => "parked",
        SpanWord::Unknown => "outcome not known",
        SpanWord::Dropped => "dropped",
    },
};
