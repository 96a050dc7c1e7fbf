//! What the file says about a batch before it is judged: with few questions, however large the batch is.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use replygate_gate::{ConversationId, Event, MessageId, ReplyId, SessionId};
use replygate_ports::store::ActionRecord;
use sqlx::{SqliteConnection, query::Query, sqlite::SqliteArguments, sqlite::SqliteRow};

use super::bulk::{Cell, marks, padded};
use super::{Fault, Pending};
use crate::cache::{Cache, Known, Look};
use crate::codec::{Columns, blob};
use crate::store::{action_record, known_session};

/// A sequence number in a group conversation.
pub(super) type Number = (ConversationId, u64);

#[derive(Default)]
pub(super) struct Facts {
    pub sessions: HashMap<SessionId, Arc<Known>>,
    pub messages: HashMap<Vec<u8>, MessageId>,
    pub actions: HashMap<String, ActionRecord>,
    pub numbers: HashMap<Number, ReplyId>,
}

impl Facts {
    pub async fn read(
        connection: &mut SqliteConnection,
        cache: &Cache,
        batch: &[Pending],
    ) -> Result<Self, Fault> {
        let mut facts = Self::default();
        facts.read_sessions(connection, cache, batch).await?;
        facts.read_messages(connection, batch).await?;
        facts.read_actions(connection, batch).await?;
        facts.read_numbers(connection, batch).await?;
        Ok(facts)
    }

    async fn read_sessions(
        &mut self,
        connection: &mut SqliteConnection,
        cache: &Cache,
        batch: &[Pending],
    ) -> Result<(), Fault> {
        let mut missing = HashSet::new();
        for id in batch.iter().map(|pending| pending.append.id) {
            if self.sessions.contains_key(&id) {
                continue;
            }
            match cache.look(id) {
                Look::Here(known) => drop(self.sessions.insert(id, known)),
                Look::Unknown(_) => drop(missing.insert(id)),
                Look::Absent => {}
            }
        }
        let ids = missing.iter().map(|id| Cell::Blob(blob(id.0))).collect();
        let sql = "SELECT n, id, channel, account, conversation, contact, version, state FROM session WHERE id IN";
        for row in ask(connection, sql, 1, ids).await? {
            let known = known_session(&row).map_err(Fault::Store)?;
            self.sessions
                .insert(known.stored.key.session(), Arc::new(known));
        }
        Ok(())
    }

    async fn read_messages(
        &mut self,
        connection: &mut SqliteConnection,
        batch: &[Pending],
    ) -> Result<(), Fault> {
        let keys = batch
            .iter()
            .filter_map(|pending| pending.dedupe.clone())
            .map(Cell::Blob)
            .collect();
        for row in ask(
            connection,
            "SELECT key, message FROM dedupe WHERE key IN",
            1,
            keys,
        )
        .await?
        {
            let row = Columns(&row);
            let key = row.get("key").map_err(Fault::Store)?;
            self.messages
                .insert(key, MessageId(row.id("message").map_err(Fault::Store)?));
        }
        Ok(())
    }

    async fn read_actions(
        &mut self,
        connection: &mut SqliteConnection,
        batch: &[Pending],
    ) -> Result<(), Fault> {
        let actions = batch
            .iter()
            .filter_map(|pending| pending.append.action.as_ref());
        let ids = actions
            .map(|action| Cell::Text(action.request_id.clone()))
            .collect();
        let sql = "SELECT request_id, session_id, at, by, verb, reply, reason FROM action WHERE request_id IN";
        for row in ask(connection, sql, 1, ids).await? {
            let record = action_record(&row).map_err(Fault::Store)?;
            self.actions
                .insert(record.action.request_id.clone(), record);
        }
        Ok(())
    }

    /// Only groups are asked about: in a direct chat one session gives all numbers.
    async fn read_numbers(
        &mut self,
        connection: &mut SqliteConnection,
        batch: &[Pending],
    ) -> Result<(), Fault> {
        let mut cells = Vec::new();
        for pending in batch.iter().filter(|pending| pending.append.key.is_group()) {
            let conversation = pending.append.key.conversation_id();
            for event in &pending.append.events {
                if let Event::Replied { seq, .. } | Event::Requeued { seq, .. } = event {
                    cells.extend([Cell::Blob(blob(conversation.0)), Cell::Int(*seq as i64)]);
                }
            }
        }
        let sql = "SELECT conversation_id, seq, id FROM reply WHERE (conversation_id, seq) IN";
        for row in ask(connection, sql, 2, cells).await? {
            let row = Columns(&row);
            let conversation = ConversationId(row.id("conversation_id").map_err(Fault::Store)?);
            let number = (conversation, row.number("seq").map_err(Fault::Store)?);
            self.numbers
                .insert(number, ReplyId(row.id("id").map_err(Fault::Store)?));
        }
        Ok(())
    }
}

/// Asks for the rows whose key is among the `cells`, `columns` of which make a key; asks nothing when there are none.
async fn ask(
    connection: &mut SqliteConnection,
    sql: &'static str,
    columns: usize,
    cells: Vec<Cell>,
) -> Result<Vec<SqliteRow>, Fault> {
    if cells.is_empty() {
        return Ok(Vec::new());
    }
    let keys = padded(cells.len() / columns);
    let list = match columns {
        1 => format!("({})", vec!["?"; keys].join(",")),
        _ => format!("(VALUES {})", marks(keys, columns)),
    };
    let missing = keys * columns - cells.len();
    let query: Query<'_, _, SqliteArguments> =
        sqlx::query(sqlx::AssertSqlSafe(format!("{sql} {list}")));
    let query = cells
        .into_iter()
        .chain(std::iter::repeat_n(Cell::Null, missing))
        .fold(query, Cell::bind);
    query.fetch_all(connection).await.map_err(Fault::Sql)
}
