//! Messages and control commands coming in.

use super::double_texting;
use crate::command::{Admission, Arrival, Scene};
use crate::control::Control;
use crate::debounce::{self, Signal};
use crate::event::{CancelledBy, Event, TurnLoss};
use crate::ids::{At, MessageId};
use crate::session::Session;
use crate::status::{Author, Decision, DropReason, ReplyStatus};

pub(super) fn arrive(session: &Session, arrival: &Arrival, scene: &Scene<'_>) -> Vec<Event> {
    let no_turn = match arrival.admission {
        Admission::Late => Some(DropReason::Late),
        Admission::Reaction => Some(DropReason::Reaction),
        Admission::Turn => session.takeover.as_ref().map(|_| DropReason::Person),
    };
    if let Some(reason) = no_turn {
        let messages = vec![arrival.message];
        return vec![Event::Dropped { messages, reason }];
    }
    double_texting::meet(session, arrival, joined(session, arrival, scene), scene)
}

/// How the message joins the burst.
fn joined(session: &Session, arrival: &Arrival, scene: &Scene<'_>) -> Event {
    let message = arrival.message;
    let (at, signal) = (scene.now, arrival.signal);
    let dangles = matches!(signal, Signal::Dangling | Signal::Media | Signal::Greeting);
    let edited = arrival
        .edit_of
        .filter(|edited| session.fresh().any(|waiting| waiting.id == *edited));
    if let Some(edited) = edited {
        return Event::Edited {
            message: edited,
            edit: message,
            at,
            signal,
            dangles,
            due: window_due(session, Newest::Changes(edited), signal, scene),
        };
    }
    let awaited = arrival.awaits_ms.map(|ms| at.plus(ms));
    Event::Arrived {
        message,
        at,
        signal,
        dangles,
        edit_of: arrival.edit_of,
        due: window_due(session, Newest::Joins(awaited), signal, scene),
        awaited,
    }
}

/// What the newest message does to the burst.
#[derive(Clone, Copy)]
enum Newest {
    /// It joins; until then its transcript is waited for.
    Joins(Option<At>),
    /// It changes this one, whose transcript it may be.
    Changes(MessageId),
}

/// When the burst becomes a turn, counted from its newest message and bounded by its first and by their number; while a
/// transcript is on its way, not before it is there. Messages whose turn was stopped for newer ones had their window before.
fn window_due(session: &Session, newest: Newest, signal: Signal, scene: &Scene<'_>) -> At {
    let windows = &scene.rules.windows;
    let (own, changed) = match newest {
        Newest::Joins(awaited) => (Some(awaited), None),
        Newest::Changes(message) => (None, Some(message)),
    };
    let burst = || session.fresh().filter(|waiting| !waiting.reopened);
    let first = burst().next().map_or(scene.now, |waiting| waiting.at);
    let count = burst().count() + usize::from(own.is_some());
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let due = At(debounce::due(first.0, scene.now.0, count, signal, windows));
    let awaited = burst()
        .filter(|waiting| Some(waiting.id) != changed)
        .filter_map(|waiting| waiting.awaited)
        .chain(own.flatten())
        .max();
    let due = match awaited.filter(|_| count < windows.max_messages) {
        Some(awaited) => due.max(awaited.min(At(debounce::latest(first.0, windows)))),
        None => due,
    };
    // An operator's rerun waits for nobody.
    match session.window {
        Some(window) if session.rerun.is_some() => window.due.min(due),
        _ => due,
    }
}

pub(super) fn control(session: &Session, control: Control, message: MessageId) -> Vec<Event> {
    let mut events = vec![
        Event::Controlled { control, message },
        Event::Dropped {
            messages: vec![message],
            reason: DropReason::IsCommand,
        },
    ];
    let mut dropped: Vec<MessageId> = session.fresh().map(|waiting| waiting.id).collect();
    match &session.owner {
        Some(owner) if owner.effects => events.push(Event::Stopping { fence: owner.fence }),
        Some(owner) => {
            dropped = session.uncovered.iter().map(|waiting| waiting.id).collect();
            events.push(Event::TurnLost {
                turn: owner.turn,
                fence: owner.fence,
                reason: TurnLoss::Command,
                effects: false,
                due: None,
            });
        }
        None => {}
    }
    if !dropped.is_empty() {
        events.push(Event::Dropped {
            messages: dropped,
            reason: DropReason::Command,
        });
    }
    if let Some(reply) = session.rerun {
        events.push(Event::RerunEnded { reply });
    }
    events.extend(withdraw(session));
    events
}

/// What a control command does to undelivered replies: those without effects are cancelled, those with effects are let go.
fn withdraw(session: &Session) -> impl Iterator<Item = Event> {
    let epoch = session.epoch + 1;
    session.undelivered().map(move |reply| {
        let id = reply.id;
        if reply.author == Author::Person || reply.effects || reply.maybe_sent {
            return Event::Released { reply: id, epoch };
        }
        match (reply.status, reply.sent) {
            (ReplyStatus::Dispatching, _) => Event::VerdictLate {
                reply: id,
                decision: Decision::CancelFirst,
                epoch,
                successor: None,
                by: CancelledBy::Command,
            },
            (_, 0) => Event::Cancelled {
                reply: id,
                by: CancelledBy::Command,
            },
            _ => Event::Cut { reply: id },
        }
    })
}
