//! Everything in the file, told record by record, so that an installation of any size can move. Must never change anything.

use futures::stream::{self, BoxStream, StreamExt as _};
use replygate_gate::{ActionId, At, MessageId, OperationId, SessionId};
use replygate_ports::store::StoreError;
use replygate_ports::transfer::{KeyRecord, Record, SessionRecord};
use sqlx::sqlite::SqliteRow;

use crate::accounts::{sign_in, token, user};
use crate::activity::entry;
use crate::calendar::calendar_event;
use crate::codec::Columns;
use crate::database::Database;
use crate::error::read_fault;
use crate::ledger;
use crate::mailbox::mail;
use crate::operations::{item, operation};
use crate::saved::saved_view;
use crate::settings::settings_version;
use crate::store::{action_record, known_session, step};
use crate::views::{message_view, reply_view};

/// The rows of a table, and how one is read.
type Table = (&'static str, fn(&SqliteRow) -> Result<Record, StoreError>);

const TABLES: &[Table] = &[
    ("SELECT installation FROM meta", |row| {
        Ok(Record::Installation(Columns(row).id("installation")?))
    }),
    ("SELECT * FROM session ORDER BY n", session),
    (
        "SELECT step.*, session.id AS session_id FROM step CROSS JOIN session ON session.n = step.session
            ORDER BY step.n",
        |row| Ok(Record::Step(SessionId(Columns(row).id("session_id")?), step(row)?)),
    ),
    (
        "SELECT message.*, session.id AS session_id FROM message CROSS JOIN session ON session.n = message.session
            ORDER BY message.n",
        |row| {
            let view = Box::new(message_view(row)?);
            Ok(Record::Message(Columns(row).number("n")?, view))
        },
    ),
    (
        "SELECT dedupe.*, session.id AS session_id FROM dedupe CROSS JOIN session ON session.n = dedupe.session",
        key,
    ),
    (
        "SELECT reply.*, session.id AS session_id FROM reply CROSS JOIN session ON session.n = reply.session
            ORDER BY reply.n",
        |row| {
            let view = Box::new(reply_view(row)?);
            Ok(Record::Reply(Columns(row).number("n")?, view))
        },
    ),
    ("SELECT * FROM action", |row| Ok(Record::Action(action_record(row)?))),
    ("SELECT * FROM settings", |row| {
        Ok(Record::Settings(Box::new(settings_version(row)?)))
    }),
    ("SELECT * FROM user", |row| Ok(Record::User(user(row)?))),
    ("SELECT * FROM token", |row| Ok(Record::Token(token(row)?))),
    ("SELECT * FROM sign_in", |row| Ok(Record::SignIn(sign_in(row)?))),
    ("SELECT * FROM tool_settings", |row| {
        Ok(Record::Tool(Box::new(settings_version(row)?)))
    }),
    ("SELECT * FROM tool_call ORDER BY n", |row| {
        Ok(Record::Call(Box::new(ledger::call(row)?)))
    }),
    ("SELECT * FROM tool_duplicate ORDER BY n", |row| {
        Ok(Record::Duplicate(Box::new(ledger::record(row)?)))
    }),
    ("SELECT * FROM tool_pass", |row| {
        let used = Columns(row).id_or_none("used_by")?.map(ActionId);
        Ok(Record::Pass(Box::new(ledger::pass(row)?), used))
    }),
    ("SELECT * FROM calendar_event", |row| {
        Ok(Record::Event(Box::new(calendar_event(row)?)))
    }),
    ("SELECT * FROM mail", |row| Ok(Record::Mail(Box::new(mail(row)?)))),
    ("SELECT * FROM operation", |row| {
        Ok(Record::Operation(Box::new(operation(row)?)))
    }),
    ("SELECT * FROM operation_item", |row| {
        let operation = OperationId(Columns(row).id("operation")?);
        Ok(Record::Item(operation, item(row)?))
    }),
    ("SELECT * FROM activity", |row| {
        Ok(Record::Activity(Box::new(entry(row)?)))
    }),
    ("SELECT * FROM saved_view", |row| {
        Ok(Record::View(Box::new(saved_view(row)?)))
    }),
];

impl Database {
    /// Everything in the file; sessions come before what belongs to them. A few records at a time are in memory. Complete
    /// only while nobody writes.
    pub fn records(&self) -> BoxStream<'_, Result<Record, StoreError>> {
        let told = |(sql, record): &'static Table| {
            let rows = sqlx::query(*sql).fetch(&self.inner.readers);
            rows.map(|row| row.map_err(read_fault).and_then(|row| record(&row)))
        };
        stream::iter(TABLES).flat_map(told).boxed()
    }
}

fn session(row: &SqliteRow) -> Result<Record, StoreError> {
    let stored = known_session(row)?.stored;
    let row = Columns(row);
    Ok(Record::Session(Box::new(SessionRecord {
        stored,
        created_at: At(row.get("created_at")?),
        last_activity: At(row.get("last_activity")?),
        next_at: row.get::<Option<i64>>("next_at")?.map(At),
        history_from: row.number("history_from")?,
    })))
}

fn key(row: &SqliteRow) -> Result<Record, StoreError> {
    let row = Columns(row);
    Ok(Record::Key(KeyRecord {
        key: row.id("key")?,
        message: MessageId(row.id("message")?),
        session: SessionId(row.id("session_id")?),
        at: At(row.get("at")?),
    }))
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection, Row, SqliteConnection};

    use super::*;
    use crate::database::MIGRATIONS;

    /// What somebody has shown to them ends with a sign-in at the latest; in the other place it is asked for again.
    const STAYS: &str = "reveal";

    #[tokio::test]
    async fn no_table_is_left_out() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        for migration in MIGRATIONS {
            let made = sqlx::raw_sql(*migration).execute(&mut connection).await;
            made.unwrap();
        }
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
        let rows = sqlx::query(sql).fetch_all(&mut connection).await.unwrap();
        let names: Vec<String> = rows.iter().map(|row| row.get("name")).collect();
        let is_told = |name: &String| {
            TABLES.iter().any(|(sql, _)| {
                let mut words = sql.split_whitespace();
                words.by_ref().any(|word| word == "FROM") && words.next() == Some(name)
            })
        };
        let left_out: Vec<_> = names.iter().filter(|name| !is_told(name)).collect();
        assert_eq!(left_out, [STAYS]);
        assert_eq!(names.len(), TABLES.len() + left_out.len());
    }
}
