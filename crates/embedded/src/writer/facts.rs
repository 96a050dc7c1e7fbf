//! What the file says about a batch before it is judged. Must never change anything.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use replygate_gate::{At, Event, MessageId, ReplyId, SessionId, SessionKey};
use replygate_ports::draft::{self, shared_order};
use replygate_ports::store::{ActionRecord, NewAction, Stored};
use rusqlite::{Connection, Row, params};

use super::Pending;
use super::fault::Fault;
use crate::cache::{Cache, Known, Look};
use crate::codec::{bytes, id};
use crate::error::corrupt;

const SESSION: &str =
    "SELECT n, version, channel, account, conversation, contact, state FROM session WHERE id = ?";
const MESSAGE: &str = "SELECT message FROM dedupe WHERE key = ?";
const ACTION: &str =
    "SELECT request_id, session_id, at, by, verb, reply, reason FROM action WHERE request_id = ?";
const NUMBER: &str = "SELECT id FROM reply WHERE conversation_id = ? AND seq = ?";

pub(super) type Facts = draft::Facts<Known>;

/// Asks the cache, and the file for the rest.
pub(super) fn read(file: &Connection, cache: &Cache, batch: &[Pending]) -> Result<Facts, Fault> {
    let mut reading = Reading {
        file,
        cache,
        facts: Facts::default(),
    };
    for pending in batch {
        reading.session(pending.append.id)?;
        reading.message(pending)?;
        reading.action(pending)?;
        reading.numbers(pending)?;
    }
    Ok(reading.facts)
}

struct Reading<'a> {
    file: &'a Connection,
    cache: &'a Cache,
    facts: Facts,
}

impl Reading<'_> {
    fn session(&mut self, session: SessionId) -> Result<(), Fault> {
        let Entry::Vacant(place) = self.facts.sessions.entry(session) else {
            return Ok(());
        };
        let known = match self.cache.look(session) {
            Look::Here(known) => Some(known),
            Look::Absent => None,
            Look::Unknown(_) => {
                let mut statement = self.file.prepare_cached(SESSION)?;
                let mut rows = statement.query([bytes(session.0)])?;
                rows.next()?.map(known_session).transpose()?.map(Arc::new)
            }
        };
        if let Some(known) = known {
            place.insert(known);
        }
        Ok(())
    }

    fn message(&mut self, pending: &Pending) -> Result<(), Fault> {
        let Some(key) = pending.dedupe else {
            return Ok(());
        };
        let mut statement = self.file.prepare_cached(MESSAGE)?;
        let mut rows = statement.query([bytes(key)])?;
        if let Some(row) = rows.next()? {
            let message = MessageId(identifier(row, 0, "message")?);
            self.facts.messages.insert(key, message);
        }
        Ok(())
    }

    fn action(&mut self, pending: &Pending) -> Result<(), Fault> {
        let Some(action) = &pending.append.action else {
            return Ok(());
        };
        let mut statement = self.file.prepare_cached(ACTION)?;
        let mut rows = statement.query([&action.request_id])?;
        if let Some(row) = rows.next()? {
            let record = action_record(row)?;
            let request = record.action.request_id.clone();
            self.facts.actions.insert(request, record);
        }
        Ok(())
    }

    /// Only groups are asked about: in a direct chat one session gives all numbers.
    fn numbers(&mut self, pending: &Pending) -> Result<(), Fault> {
        let Some(conversation) = shared_order(&pending.append) else {
            return Ok(());
        };
        for event in &pending.append.events {
            let (Event::Replied { seq, .. } | Event::Requeued { seq, .. }) = event else {
                continue;
            };
            let mut statement = self.file.prepare_cached(NUMBER)?;
            let mut rows = statement.query(params![bytes(conversation.0), *seq as i64])?;
            if let Some(row) = rows.next()? {
                let reply = ReplyId(identifier(row, 0, "reply")?);
                self.facts.numbers.insert((conversation, *seq), reply);
            }
        }
        Ok(())
    }
}

fn identifier(row: &Row<'_>, column: usize, what: &str) -> Result<u128, Fault> {
    let bytes = row
        .get_ref(column)?
        .as_blob_or_null()
        .map_err(rusqlite::Error::from)?;
    id(what, bytes.unwrap_or_default()).map_err(Fault::Store)
}

fn known_session(row: &Row<'_>) -> Result<Known, Fault> {
    let key = SessionKey {
        channel: row.get(2)?,
        account: row.get(3)?,
        conversation: row.get(4)?,
        contact: row.get(5)?,
    };
    let state = row.get_ref(6)?.as_str().map_err(rusqlite::Error::from)?;
    let session =
        serde_json::from_str(state).map_err(|error| Fault::Store(corrupt("state", error)))?;
    let stored = Stored {
        key,
        version: row.get::<_, i64>(1)? as u64,
        session,
    };
    Ok(Known {
        n: row.get(0)?,
        stored,
    })
}

fn action_record(row: &Row<'_>) -> Result<ActionRecord, Fault> {
    let reply = row
        .get_ref(5)?
        .as_blob_or_null()
        .map_err(rusqlite::Error::from)?;
    let reply = reply.map(|bytes| id("reply", bytes)).transpose();
    let action = NewAction {
        request_id: row.get(0)?,
        by: row.get(3)?,
        verb: row.get(4)?,
        reply: reply.map_err(Fault::Store)?.map(ReplyId),
        reason: row.get(6)?,
    };
    Ok(ActionRecord {
        action,
        session: SessionId(identifier(row, 1, "session")?),
        at: At(row.get(2)?),
    })
}
