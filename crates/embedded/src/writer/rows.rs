//! The rows that a batch writes, one prepared statement for each kind of change. Must never write a value that reading
//! does not give back.

use replygate_gate::At;
use replygate_ports::changes::{MessageState, ReplyRow};
use replygate_ports::store::{ActionRecord, Append};
use rusqlite::{Connection, params};

use super::Pending;
use super::batch::{MessageDraft, ReplyDraft, Tip};
use super::fault::Fault;
use crate::codec::{bytes, covers_blob, state_columns};

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
    park_reason, code, superseded_by, receipt, cut, covers)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const REPLY: &str = "UPDATE reply SET seq = ?2, status = ?3, effects = ?4, due_at = ?5, changed_at = ?6, generation = ?7,
    attempts = ?8, park_reason = ?9, code = coalesce(?10, code), superseded_by = coalesce(?11, superseded_by),
    receipt = coalesce(?12, receipt), cut = max(?13, cut), covers = ?14 WHERE id = ?1";
const ACTION: &str =
    "INSERT INTO action (request_id, session, session_id, at, by, verb, reply, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

/// The rows go through here into the transaction.
pub(super) struct Rows<'c>(pub &'c Connection);

impl Rows<'_> {
    pub fn session(&self, tip: &Tip<'_>) -> Result<(), Fault> {
        let Append {
            key,
            id,
            expected,
            at,
            session,
            next_at,
            ..
        } = &tip.last.append;
        let in_line = session
            .replies
            .iter()
            .filter(|reply| session.is_in_line(reply));
        let first_open = in_line.map(|reply| reply.seq as i64).min();
        let version = *expected as i64 + 1;
        let (last_seq, state) = (session.last_seq as i64, &tip.last.state);
        let next_at = next_at.map(|at| at.0);
        if !tip.is_new {
            let changed = self.0.prepare_cached(SESSION)?.execute(params![
                tip.n,
                version,
                at.0,
                next_at,
                session.is_open(),
                last_seq,
                first_open,
                tip.history_from,
                state
            ])?;
            // A session that was known is gone: whoever believed in it must look again.
            return if changed == 1 {
                Ok(())
            } else {
                Err(Fault::Gone)
            };
        }
        self.0.prepare_cached(SESSION_NEW)?.execute(params![
            tip.n,
            bytes(id.0),
            bytes(key.conversation_id().0),
            key.channel,
            key.account,
            key.conversation,
            key.contact,
            tip.created_at,
            version,
            at.0,
            next_at,
            session.is_open(),
            last_seq,
            first_open,
            tip.history_from.unwrap_or(0),
            state
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

    pub fn new_message(&self, draft: &MessageDraft<'_>) -> Result<(), Fault> {
        let (append, content) = (draft.append, draft.content);
        let (word, reply, reason) = state_columns(draft.state);
        let in_group = append.key.is_group();
        let group = in_group.then(|| bytes(append.key.conversation_id().0));
        let place: &dyn rusqlite::ToSql = match &group {
            Some(conversation) => conversation,
            None => &draft.session,
        };
        self.0.prepare_cached(MESSAGE_NEW)?.execute(params![
            draft.n,
            bytes(content.id.0),
            draft.session,
            place,
            append.key.channel,
            content.dedupe.provider_id,
            content.kind.as_str(),
            content.sent_at.map(|at| at.0),
            append.at.0,
            content.sent_at.unwrap_or(append.at).0,
            word,
            reply,
            reason,
            content.edit_of.map(|edited| bytes(edited.0)),
            draft.text
        ])?;
        Ok(())
    }

    pub fn message(&self, id: u128, state: MessageState) -> Result<(), Fault> {
        let (word, reply, reason) = state_columns(state);
        self.0
            .prepare_cached(MESSAGE)?
            .execute(params![bytes(id), word, reply, reason])?;
        Ok(())
    }

    pub fn text(&self, id: u128, text: &str) -> Result<(), Fault> {
        self.0
            .prepare_cached(TEXT)?
            .execute(params![bytes(id), text])?;
        Ok(())
    }

    pub fn dedupe(&self, key: u128, message: u128, session: i64, at: At) -> Result<(), Fault> {
        self.0.prepare_cached(DEDUPE)?.execute(params![
            bytes(key),
            bytes(message),
            session,
            at.0
        ])?;
        Ok(())
    }

    pub fn new_reply(&self, draft: &ReplyDraft<'_>) -> Result<(), Fault> {
        let (append, row) = (draft.append, &draft.row);
        let usage = row.usage;
        let in_group = append.key.is_group();
        let parts = serde_json::to_string(draft.parts())
            .map_err(|error| Fault::Store(crate::error::corrupt("parts", error)))?;
        self.0.prepare_cached(REPLY_NEW)?.execute(params![
            draft.n,
            bytes(row.id.0),
            draft.session,
            in_group.then(|| bytes(append.key.conversation_id().0)),
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
            row.park_reason.map(replygate_gate::ParkReason::as_str),
            row.code,
            row.superseded_by.map(|reply| bytes(reply.0)),
            row.receipt,
            row.cut,
            covers_blob(&row.covers)
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
            row.park_reason.map(replygate_gate::ParkReason::as_str),
            row.code,
            row.superseded_by.map(|reply| bytes(reply.0)),
            row.receipt,
            row.cut,
            covers_blob(&row.covers)
        ])?;
        Ok(())
    }

    pub fn action(&self, session: i64, record: &ActionRecord) -> Result<(), Fault> {
        let action = &record.action;
        self.0.prepare_cached(ACTION)?.execute(params![
            action.request_id,
            session,
            bytes(record.session.0),
            record.at.0,
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
