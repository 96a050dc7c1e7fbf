//! The pages about decisions.

use crate::view::{StatusWord, VerdictWord};
use crate::words::decisions::{DecisionColumns, Decisions};

pub(super) const DECISIONS: Decisions = Decisions {
    title: "Decisions",
    caption: "How replies that had not left were judged against newer messages, newest first",
    columns: DecisionColumns {
        at: "Decided",
        verdict: "Decision",
        reply: "Reply",
        contact: "Contact",
        by: "By",
        sure: "Sure",
        took: "Took",
        tokens: "Tokens",
        became: "Now",
    },
    percent: |percent| format!("{percent} %"),
    took: |ms| {
        if ms < 1_000 {
            format!("{ms} ms")
        } else {
            format!("{}.{} s", ms / 1_000, ms % 1_000 / 100)
        }
    },
    tokens: |read, written| match (read, written) {
        (0, 0) => "none".into(),
        (read, written) => format!("{read} in, {written} out"),
    },
    none_yet: "Nothing was decided yet. A decision is made when a customer writes again before a reply has left.",
    none_match: "No decision matches these filters.",
    none_older: "There are no older decisions.",
    title_one: "Decision",
    story,
    verdicts: "What was decided",
    reason: "Reason",
    gap: |gap| format!("{gap} after the reply was written"),
    said: "What it was about",
    asked: "The customer had written",
    nothing_asked: "Nothing that is still kept.",
    reply: "The reply that waited",
    newer: "Then the customer wrote",
    nothing_newer: "Nothing that is still kept.",
    whole: "See it in the conversation",
};

fn story(verdict: Option<VerdictWord>, status: StatusWord) -> &'static str {
    match (verdict, status) {
        (_, StatusWord::Cancelled) => {
            "The newer messages made the reply wrong. The customer never saw it."
        }
        (_, StatusWord::Superseded) => {
            "A later reply answers its messages as well and took its place."
        }
        (Some(VerdictWord::ReleaseFirst), StatusWord::Delivered) => {
            "The newer messages did not touch the reply. The customer got it."
        }
        (_, StatusWord::Delivered) => {
            "The reply had left before the decision could stop it. The customer got it."
        }
        (Some(VerdictWord::ReleaseFirst), _) => {
            "The newer messages do not touch the reply: it may leave."
        }
        (Some(_), _) => "The decision takes effect when the new answer is there.",
        (None, _) => "",
    }
}
