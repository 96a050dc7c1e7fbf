//! A console with two sessions and no server behind it.

mod activity;
mod built_in;
mod changes;
mod channels;
mod commands;
mod decisions;
mod duplicates;
mod lab;
mod messages;
mod operations;
mod parked;
mod people;
mod places;
mod reveals;
mod sessions;
mod taken;
mod whole;

use replygate_app::console::ConsoleHandle;
use replygate_app::view::*;
use std::sync::Arc;

/// The time at which everything was read.
pub const NOW: At = At(1_709_251_200_000);

/// The one zone that is known: three hours behind UTC.
pub const ZONE: &str = "America/Sao_Paulo";

/// What the customer wrote: harmless as text, harmful as HTML.
pub const NASTY: &str = "<script>alert('x')</script> & \"quotes\"";

/// The fake.
pub struct Fake;

/// The fake behind its handle.
pub fn console() -> ConsoleHandle {
    ConsoleHandle(Arc::new(Fake))
}

pub fn ago(seconds: i64) -> At {
    At(NOW.0 - seconds * 1_000)
}

fn text(who: &Caller, text: &str) -> Personal {
    if who.may(Permission::Reveal) {
        return Personal::Shown(text.to_owned());
    }
    Personal::Masked(format!("{} characters", text.chars().count()))
}

fn page<T>(rows: Vec<T>, next: Option<&str>) -> Page<T> {
    let total = Some(Count::Exactly(rows.len() as u32));
    Page {
        rows,
        next: next.map(Cursor::from),
        as_of: NOW,
        total,
    }
}

/// The delivered one was cut short behind its first part.
fn parts(who: &Caller, status: StatusWord) -> Vec<Personal> {
    let more = (status == StatusWord::Delivered).then_some("It comes by bicycle.");
    let words = std::iter::once("Your order is on its way.").chain(more);
    words.map(|words| text(who, words)).collect()
}

fn replies(who: &Caller) -> impl Iterator<Item = Reply> + use<'_> {
    StatusWord::ALL
        .into_iter()
        .zip(1..)
        .map(|(status, seq)| Reply {
            id: format!("rep_{seq}").into(),
            session: "ses_1".into(),
            seq,
            generation: 0,
            author: Author::Agent,
            status,
            written: ago(60 - seq as i64),
            due: ago(50),
            delivered: None,
            parts: parts(who, status),
            parts_sent: u32::from(status == StatusWord::Delivered),
            cut: status == StatusWord::Delivered,
            covers: vec!["msg_1".into()],
            replaced_by: None,
            had_effects: false,
            parked: (status == StatusWord::Parked).then(|| replygate_app::view::Parked {
                why: "agent_failed".to_owned(),
                since: ago(5),
            }),
            verdicts: vec![Verdict {
                word: VerdictWord::CancelFirst,
                source: VerdictSource::Evaluator,
                evaluator: "rules".to_owned(),
                confidence_percent: 94,
                reason: text(who, "the order is withdrawn"),
                at: ago(4),
                latency_ms: 3,
                too_late: false,
            }],
            attempts: Vec::new(),
        })
}

/// The one channel.
fn shop() -> ChannelRef {
    ChannelRef {
        id: "shop".into(),
        name: "Shop".to_owned(),
    }
}
