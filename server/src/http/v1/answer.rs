//! How sessions, messages, replies and deeds look as JSON.

use axum::Json;
use replygate_engine::{Made, StepError};
use replygate_gate::{Event, Session, SessionId, Strategy};
use replygate_ports::changes::MessageState;
use replygate_ports::store::{ActionRecord, Step};
use replygate_ports::views::{Line, MessageView, ReplyView, SessionSummary};
use serde_json::{Value, json};

use crate::http::failure::Failure;

/// A deed's answer: what happened, or what the first request of that id did.
pub(super) fn deed(done: Result<Made, StepError>) -> Result<Json<Value>, Failure> {
    match done {
        Ok(made) => Ok(Json(made_json(&made))),
        Err(StepError::Repeated(record)) => Ok(Json(repeated(&record))),
        Err(error) => Err(error.into()),
    }
}

fn made_json(made: &Made) -> Value {
    let events: Vec<&str> = made.events.iter().map(Event::name).collect();
    let reply = made.events.iter().find_map(|event| match event {
        Event::Replied { reply, .. } => Some(*reply),
        _ => None,
    });
    let mut answer = json!({
        "session": made.id,
        "version": made.version,
        "events": events,
        "repeated": false,
    });
    if let Some(reply) = reply {
        answer["reply"] = json!(reply);
    }
    answer
}

fn repeated(record: &ActionRecord) -> Value {
    json!({
        "session": record.session,
        "repeated": true,
        "first": { "verb": record.action.verb, "by": record.action.by, "at": record.at, "reply": record.action.reply },
    })
}

pub(super) fn session(summary: &SessionSummary) -> Value {
    let key = &summary.stored.key;
    json!({
        "session": summary.id,
        "version": summary.stored.version,
        "channel": key.channel,
        "account": key.account,
        "conversation": key.conversation,
        "contact": key.contact,
        "last_activity": summary.last_activity,
        "open": summary.stored.session.is_open(),
        "state": state(&summary.stored.session),
        "last_message": summary.last_message.as_ref().map(message),
        "last_reply": summary.last_reply.as_ref().map(reply),
    })
}

fn state(session: &Session) -> Value {
    let replies: Vec<Value> = session
        .replies
        .iter()
        .map(|reply| {
            json!({
                "reply": reply.id, "seq": reply.seq, "status": reply.status, "generation": reply.generation,
                "held": session.is_held(reply), "due_at": reply.not_before, "park_reason": reply.parked,
            })
        })
        .collect();
    json!({
        "epoch": session.epoch,
        "waiting": session.uncovered.iter().map(|message| message.id).collect::<Vec<_>>(),
        "window_due": session.window.map(|window| window.due),
        "turn": session.owner.as_ref().map(|owner| owner.turn),
        "lock": session.lock,
        "takeover": session.takeover,
        "replies": replies,
    })
}

pub(super) fn message(message: &MessageView) -> Value {
    let (state, reply, reason) = match message.state {
        MessageState::Waiting => ("waiting", None, None),
        MessageState::Covered(reply) => ("covered", reply, None),
        MessageState::Dropped(reason) => ("dropped", None, Some(reason)),
    };
    json!({
        "message": message.id,
        "session": message.session,
        "provider_id": message.provider_id,
        "kind": message.kind,
        "text": message.text,
        "sent_at": message.sent_at,
        "received_at": message.received_at,
        "state": state,
        "reply": reply,
        "drop_reason": reason,
        "edit_of": message.edit_of,
    })
}

pub(super) fn reply(reply: &ReplyView) -> Value {
    json!({
        "reply": reply.id,
        "session": reply.session,
        "seq": reply.seq,
        "status": reply.status,
        "generation": reply.generation,
        "parts": reply.parts,
        "covers": reply.covers,
        "author": reply.author,
        "effects": reply.effects,
        "created_at": reply.created_at,
        "due_at": reply.due_at,
        "changed_at": reply.changed_at,
        "attempts": reply.attempts,
        "park_reason": reply.park_reason,
        "code": reply.code,
        "superseded_by": reply.superseded_by,
        "receipt": reply.receipt,
        "cut": reply.cut,
        "parts_sent": reply.sent,
    })
}

pub(super) fn line(line: &Line) -> Value {
    match line {
        Line::Message(view) => message(view),
        Line::Reply(view) => reply(view),
    }
}

pub(super) fn step(step: &Step) -> Value {
    json!({ "version": step.version, "at": step.at, "actor": step.actor, "events": step.events })
}

/// A list with the place where it goes on.
pub(super) fn list(name: &str, rows: &[Value], next: Option<&str>) -> Json<Value> {
    Json(json!({ name: rows, "next": next }))
}

/// What names a row's place in a list.
pub(super) fn place(at: replygate_gate::At, id: impl std::fmt::Display) -> String {
    format!("{at}.{id}")
}

/// A conversation's head, for one session's answer.
pub(super) fn conversation(
    id: SessionId,
    summary: &SessionSummary,
    strategy: Option<Strategy>,
    lines: &[Line],
) -> Json<Value> {
    let mut answer = session(summary);
    answer["strategy"] = json!(strategy);
    answer["session"] = json!(id);
    answer["conversation_lines"] = lines.iter().map(line).collect();
    Json(answer)
}
