//! What a batch is judged on: what this process remembers, and where it does not, what the database says, with few
//! questions however large the batch is.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use replygate_gate::{ConversationId, Event, MessageId, ReplyId, SessionId};
use replygate_ports::draft::{self, shared_order};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::types::Uuid;

use super::Pending;
use crate::postgres::cache::{Cache, Known};
use crate::postgres::codec::{Columns, escaped, uuid};
use crate::postgres::error::Trouble;
use crate::postgres::store::{action_record, known_session};

pub(super) type Facts = draft::Facts<Known>;

/// What the steps of a batch are judged on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Belief {
    /// What this process remembers, if it fits; then only acceptance counts, for the store proves it.
    Memory,
    /// What the database says now; then refusals count too.
    Database,
}

pub(super) async fn look(
    connection: &mut PgConnection,
    cache: &Cache,
    batch: &[Pending],
    belief: Belief,
) -> Result<Facts, Trouble> {
    let mut facts = Facts::default();
    let asked = match belief {
        Belief::Memory => remember(&mut facts, cache, batch),
        Belief::Database => batch.iter().map(|pending| pending.append.id).collect(),
    };
    read_sessions(&mut facts, connection, asked).await?;
    if belief == Belief::Database {
        read_messages(&mut facts, connection, batch).await?;
        read_actions(&mut facts, connection, batch).await?;
        read_numbers(&mut facts, connection, batch).await?;
    }
    Ok(facts)
}

/// Takes from memory what fits the batch; returns the sessions that it does not fit.
fn remember(facts: &mut Facts, cache: &Cache, batch: &[Pending]) -> HashSet<SessionId> {
    let mut first = HashMap::new();
    for pending in batch {
        first
            .entry(pending.append.id)
            .or_insert(pending.append.expected);
    }
    let mut asked = HashSet::new();
    for (id, expected) in first {
        match cache.get(id) {
            Some(known) if known.stored.version == expected => {
                facts.sessions.insert(id, known);
            }
            None if expected == 0 => {}
            _ => drop(asked.insert(id)),
        }
    }
    asked
}

async fn read_sessions(
    facts: &mut Facts,
    connection: &mut PgConnection,
    asked: HashSet<SessionId>,
) -> Result<(), Trouble> {
    let ids: Vec<Uuid> = asked.into_iter().map(|id| uuid(id.0)).collect();
    let sql = "SELECT id, life, channel, account, conversation, contact, version, state FROM session WHERE id = ANY($1)";
    for row in ask(connection, sql, ids).await? {
        let known = known_session(&row)?;
        facts
            .sessions
            .insert(known.stored.key.session(), Arc::new(known));
    }
    Ok(())
}

async fn read_messages(
    facts: &mut Facts,
    connection: &mut PgConnection,
    batch: &[Pending],
) -> Result<(), Trouble> {
    let messages = batch
        .iter()
        .filter_map(|pending| pending.append.message.as_ref());
    let keys: Vec<Uuid> = messages
        .map(|message| uuid(message.dedupe.digest()))
        .collect();
    let sql = "SELECT key, message FROM dedupe WHERE key = ANY($1)";
    for row in ask(connection, sql, keys).await? {
        let row = Columns(&row);
        facts
            .messages
            .insert(row.id("key")?, MessageId(row.id("message")?));
    }
    Ok(())
}

async fn read_actions(
    facts: &mut Facts,
    connection: &mut PgConnection,
    batch: &[Pending],
) -> Result<(), Trouble> {
    let actions = batch
        .iter()
        .filter_map(|pending| pending.append.action.as_ref());
    let requests: Vec<_> = actions.map(|action| escaped(&action.request_id)).collect();
    if requests.is_empty() {
        return Ok(());
    }
    let sql = "SELECT request_id, session, at, by, verb, reply, reason FROM action WHERE request_id = ANY($1)";
    let rows = sqlx::query(sql)
        .bind(requests)
        .fetch_all(connection)
        .await?;
    for row in rows {
        let record = action_record(&row)?;
        facts
            .actions
            .insert(record.action.request_id.clone(), record);
    }
    Ok(())
}

/// Only groups are asked about: in a direct chat one session gives all numbers.
async fn read_numbers(
    facts: &mut Facts,
    connection: &mut PgConnection,
    batch: &[Pending],
) -> Result<(), Trouble> {
    let (mut conversations, mut numbers): (Vec<Uuid>, Vec<i64>) = (Vec::new(), Vec::new());
    for pending in batch {
        let Some(conversation) = shared_order(&pending.append) else {
            continue;
        };
        for event in &pending.append.events {
            if let Event::Replied { seq, .. } | Event::Requeued { seq, .. } = event {
                conversations.push(uuid(conversation.0));
                numbers.push(*seq as i64);
            }
        }
    }
    if numbers.is_empty() {
        return Ok(());
    }
    let sql = "SELECT reply.conversation_id, reply.seq, reply.id FROM unnest($1, $2) AS v (conversation_id, seq)
        JOIN reply ON reply.conversation_id = v.conversation_id AND reply.seq = v.seq";
    let query = sqlx::query(sql).bind(conversations).bind(numbers);
    for row in query.fetch_all(connection).await? {
        let row = Columns(&row);
        let conversation = ConversationId(row.id("conversation_id")?);
        let number = (conversation, row.number("seq")?);
        facts.numbers.insert(number, ReplyId(row.id("id")?));
    }
    Ok(())
}

/// The rows whose key is among `ids`; asks nothing when there are none.
async fn ask(
    connection: &mut PgConnection,
    sql: &'static str,
    ids: Vec<Uuid>,
) -> Result<Vec<PgRow>, Trouble> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(sqlx::query(sql).bind(ids).fetch_all(connection).await?)
}
