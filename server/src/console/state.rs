//! What a session is doing, in the console's words. Pure: a state and a time in, words out.

use replygate_app::view::{
    Hold, HoldWhy, InFlight, SessionState, SessionStateWord, StatusWord, TakenOver, Turn, Window,
};
use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{Sample, classify};
use replygate_gate::text::Languages;
use replygate_gate::{At, ReplyStatus, Session};
use replygate_ports::views::MessageView;

use super::at;

/// The one word, and since when.
pub(super) fn word(session: &Session, now: At, last_activity: At) -> SessionState {
    let (word, since) = doing(session, now, last_activity);
    SessionState {
        word,
        since: at(since.min(now)),
    }
}

fn doing(session: &Session, now: At, last: At) -> (SessionStateWord, At) {
    if let Some(lock) = session.lock.as_ref().filter(|lock| lock.is_stuck(now)) {
        return (SessionStateWord::Stuck, lock.lease_until);
    }
    let needs_person = |status| matches!(status, ReplyStatus::Parked | ReplyStatus::Unknown);
    if session
        .replies
        .iter()
        .any(|reply| needs_person(reply.status))
    {
        return (SessionStateWord::Stuck, last);
    }
    if let Some(takeover) = &session.takeover {
        return (SessionStateWord::TakenOver, takeover.since);
    }
    if let Some(owner) = &session.owner {
        return (SessionStateWord::Thinking, owner.base);
    }
    if let Some(first) = session.fresh().next() {
        return (SessionStateWord::Collecting, first.at);
    }
    if let Some(held) = session.undelivered().find(|reply| session.is_held(reply)) {
        return (
            SessionStateWord::Deciding,
            held.held_since.unwrap_or(held.queued_at),
        );
    }
    if let Some(reply) = session.undelivered().next() {
        return (SessionStateWord::Sending, reply.queued_at);
    }
    (SessionStateWord::Idle, last)
}

/// The running window.
pub(super) fn window(session: &Session, newest: Option<&MessageView>) -> Option<Window> {
    let window = session.window?;
    let first = session.fresh().next()?;
    let rule = newest.map_or("neutral", |message| {
        let sample = Sample {
            text: &message.text,
            kind: message.kind,
        };
        classify(sample, &ControlCommands::default(), Languages::all()).as_str()
    });
    Some(Window {
        opened: at(first.at),
        ends: at(window.due),
        messages: session.fresh().count() as u32,
        rule: rule.to_owned(),
    })
}

/// Why undelivered replies are held.
pub(super) fn hold(session: &Session, now: At) -> Option<Hold> {
    session.undelivered().next()?;
    if let Some(takeover) = &session.takeover {
        return Some(Hold {
            why: HoldWhy::TakenOver,
            since: at(takeover.since),
        });
    }
    let held = session.undelivered().find(|reply| session.is_held(reply));
    if let Some(reply) = held {
        return Some(Hold {
            why: HoldWhy::NewerMessages,
            since: at(reply.held_since.unwrap_or(reply.queued_at)),
        });
    }
    let lock = session.lock.as_ref().filter(|lock| lock.holds(now))?;
    Some(Hold {
        why: HoldWhy::Locked,
        since: at(lock.lease_until.min(now)),
    })
}

/// The running turn.
pub(super) fn turn(session: &Session) -> Option<Turn> {
    session.owner.as_ref().map(|owner| Turn {
        since: at(owner.base),
        messages: owner.burst.len() as u32,
    })
}

/// Who answers instead of the agent.
pub(super) fn taken_over(session: &Session) -> Option<TakenOver> {
    session.takeover.as_ref().map(|takeover| TakenOver {
        by: takeover.by.clone(),
        since: at(takeover.since),
    })
}

/// Open replies by status.
pub(super) fn in_flight(session: &Session) -> Vec<InFlight> {
    let count = |status: ReplyStatus| {
        let count = session
            .replies
            .iter()
            .filter(|reply| reply.status == status)
            .count();
        InFlight {
            status: StatusWord::from(status),
            count: count as u32,
        }
    };
    let counted = ReplyStatus::ALL.iter().copied().map(count);
    counted.filter(|row| row.count > 0).collect()
}
