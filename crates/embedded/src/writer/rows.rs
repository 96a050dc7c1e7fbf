//! The rows that a batch writes, one prepared statement for each kind of change. Must never write a value that reading
//! does not give back.

use replygate_gate::{MessageId, ParkReason};
use replygate_ports::changes::{MessageState, ReplyRow};
use replygate_ports::draft::{MadeMessage, MadeReply, MovedSession, ReceivedKey, shared_order};
use replygate_ports::store::Append;
use rusqlite::{Connection, ToSql, params};

use super::Pending;
use super::fault::Fault;
use crate::cache::Known;
use crate::codec::{bytes, covers_blob, state_columns};
use crate::error::corrupt;

const SESSION_NEW: &str = "INSERT INTO session (n, id, conversation_id, channel, account, conversation, contact, created_at,
    version, last_activity, next_at, open, last_seq, first_open, history_from, state)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SESSION: &str =
    "UPDATE session SET version = ?2, last_activity = ?3, next_at = ?4, open = ?5, last_seq = ?6,
    first_open = ?7, history_from = coalesce(?8, history_from), state = ?9 WHERE n = ?1";
const STEP: &str =
    "INSERT INTO step (n, session, version, at, actor, events) VALUES (?, ?, ?, ?, ?, ?)";
const MESSAGE_NEW: &str = "INSERT INTO message (n, id, session, place, channel, provider_id, kind, sent_at, received_at, at,
    state, covered_by, drop_reason, edit_of, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const MESSAGE: &str =
    "UPDATE message SET state = ?2, covered_by = ?3, drop_reason = ?4 WHERE id = ?1";
const TEXT: &str = "UPDATE message SET text = ?2 WHERE id = ?1";
const DEDUPE: &str = "INSERT INTO dedupe (key, message, session, at) VALUES (?, ?, ?, ?)";
const REPLY_NEW: &str = "INSERT INTO reply (n, id, session, conversation_id, channel, author, created_at, parts, input_tokens,
    cached_tokens, output_tokens, tokens_estimated, seq, status, effects, due_at, changed_at, generation, attempts,
    park_reason, code, superseded_by, receipt, cut, covers, sent)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const REPLY: &str = "UPDATE reply SET seq = ?2, status = ?3, effects = ?4, due_at = ?5, changed_at = ?6, generation = ?7,
    attempts = ?8, park_reason = ?9, code = coalesce(?10, code), superseded_by = coalesce(?11, superseded_by),
    receipt = coalesce(?12, receipt), cut = max(?13, cut), covers = ?14, sent = ?15 WHERE id = ?1";
const ACTION: &str =
    "INSERT INTO action (request_id, session, session_id, at, by, verb, reply, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

/// A session's row after the batch.
pub(super) struct SessionRow<'a, 'b> {
    pub n: i64,
    pub moved: &'a MovedSession<'b, Pending, Known>,
    pub history_from: Option<i64>,
}

/// The way of rows into the transaction.
pub(super) struct Writing<'c>(pub &'c Connection);

impl Writing<'_> {
    pub fn session(&self, row: &SessionRow<'_, '_>) -> Result<(), Fault> {
        let (moved, last) = (row.moved, row.moved.last);
        let Append {
            key,
            id,
            at,
            session,
            next_at,
            ..
        } = &last.append;
        let first_open = moved.first_open().map(|seq| seq as i64);
        let (version, last_seq) = (moved.version() as i64, session.last_seq as i64);
        let next_at = next_at.map(|at| at.0);
        if moved.known.is_some() {
            let changed = self.0.prepare_cached(SESSION)?.execute(params![
                row.n,
                version,
                at.0,
                next_at,
                session.is_open(),
                last_seq,
                first_open,
                row.history_from,
                last.state
            ])?;
            // A session that was known is gone: whoever believed in it must look again.
            return if changed == 1 {
                Ok(())
            } else {
                Err(Fault::Gone)
            };
        }
        self.0.prepare_cached(SESSION_NEW)?.execute(params![
            row.n,
            bytes(id.0),
            bytes(key.conversation_id().0),
            key.channel,
            key.account,
            key.conversation,
            key.contact,
            moved.first.append.at.0,
            version,
            at.0,
            next_at,
            session.is_open(),
            last_seq,
            first_open,
            row.history_from.unwrap_or(0),
            last.state
        ])?;
        Ok(())
    }

    pub fn step(&self, n: i64, session: i64, pending: &Pending) -> Result<(), Fault> {
        let append = &pending.append;
        self.0.prepare_cached(STEP)?.execute(params![
            n,
            session,
            append.expected as i64 + 1,
            append.at.0,
            append.actor,
            pending.events
        ])?;
        Ok(())
    }

    pub fn new_message(
        &self,
        n: i64,
        session: i64,
        made: &MadeMessage<'_, Pending>,
    ) -> Result<(), Fault> {
        let (append, content) = (&made.step.append, made.content);
        let (word, reply, reason) = state_columns(made.state);
        let group = shared_order(append).map(|conversation| bytes(conversation.0));
        let place: &dyn ToSql = match &group {
            Some(conversation) => conversation,
            None => &session,
        };
        self.0.prepare_cached(MESSAGE_NEW)?.execute(params![
            n,
            bytes(content.id.0),
            session,
            place,
            append.key.channel,
            content.dedupe.provider_id,
            content.kind.as_str(),
            content.sent_at.map(|at| at.0),
            append.at.0,
            made.written_at().0,
            word,
            reply,
            reason,
            content.edit_of.map(|edited| bytes(edited.0)),
            made.text
        ])?;
        Ok(())
    }

    pub fn message(&self, id: MessageId, state: MessageState) -> Result<(), Fault> {
        let (word, reply, reason) = state_columns(state);
        self.0
            .prepare_cached(MESSAGE)?
            .execute(params![bytes(id.0), word, reply, reason])?;
        Ok(())
    }

    pub fn text(&self, id: MessageId, text: &str) -> Result<(), Fault> {
        self.0
            .prepare_cached(TEXT)?
            .execute(params![bytes(id.0), text])?;
        Ok(())
    }

    pub fn key(&self, session: i64, received: &ReceivedKey<'_, Pending>) -> Result<(), Fault> {
        self.0.prepare_cached(DEDUPE)?.execute(params![
            bytes(received.key),
            bytes(received.message.0),
            session,
            received.step.append.at.0
        ])?;
        Ok(())
    }

    pub fn new_reply(
        &self,
        n: i64,
        session: i64,
        made: &MadeReply<'_, Pending>,
    ) -> Result<(), Fault> {
        let (append, row, usage) = (&made.step.append, &made.row, made.row.usage);
        let parts = serde_json::to_string(made.parts)
            .map_err(|error| Fault::Store(corrupt("parts", error)))?;
        self.0.prepare_cached(REPLY_NEW)?.execute(params![
            n,
            bytes(row.id.0),
            session,
            shared_order(append).map(|conversation| bytes(conversation.0)),
            append.key.channel,
            row.author.as_str(),
            append.at.0,
            parts,
            usage.input as i64,
            usage.cached as i64,
            usage.output as i64,
            usage.estimated,
            row.seq as i64,
            row.status.as_str(),
            row.effects,
            row.due_at.0,
            row.changed_at.0,
            row.generation,
            row.attempts,
            row.park_reason.map(ParkReason::as_str),
            row.code,
            row.superseded_by.map(|reply| bytes(reply.0)),
            row.receipt,
            row.cut,
            covers_blob(&row.covers),
            row.sent
        ])?;
        Ok(())
    }

    pub fn reply(&self, row: &ReplyRow) -> Result<(), Fault> {
        self.0.prepare_cached(REPLY)?.execute(params![
            bytes(row.id.0),
            row.seq as i64,
            row.status.as_str(),
            row.effects,
            row.due_at.0,
            row.changed_at.0,
            row.generation,
            row.attempts,
            row.park_reason.map(ParkReason::as_str),
            row.code,
            row.superseded_by.map(|reply| bytes(reply.0)),
            row.receipt,
            row.cut,
            covers_blob(&row.covers),
            row.sent
        ])?;
        Ok(())
    }

    pub fn action(&self, session: i64, append: &Append) -> Result<(), Fault> {
        let Some(action) = &append.action else {
            return Ok(());
        };
        self.0.prepare_cached(ACTION)?.execute(params![
            action.request_id,
            session,
            bytes(append.id.0),
            append.at.0,
            action.by,
            action.verb,
            action.reply.map(|reply| bytes(reply.0)),
            action.reason
        ])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::MIGRATIONS;

    fn plan(connection: &Connection, sql: &str) -> String {
        let mut statement = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap();
        let marks = statement.parameter_count();
        for mark in 1..=marks {
            statement.raw_bind_parameter(mark, 0).unwrap();
        }
        let mut rows = statement.raw_query();
        let mut steps = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            steps.push(row.get::<_, String>("detail").unwrap());
        }
        steps.join("; ")
    }

    #[test]
    fn no_change_of_a_row_reads_a_whole_table() {
        let connection = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            connection.execute_batch(migration).unwrap();
        }
        for sql in [SESSION, MESSAGE, TEXT, REPLY] {
            let plan = plan(&connection, sql);
            let table = sql.split_whitespace().nth(1).unwrap();
            assert!(plan.contains(&format!("SEARCH {table} USING")), "{plan}");
            assert!(!plan.contains("SCAN"), "{plan}");
        }
    }
}
