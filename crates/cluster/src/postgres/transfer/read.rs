//! Reading everything back, to see that it came.

use futures::TryStreamExt as _;
use replygate_gate::{At, MessageId, OperationId, SessionId};
use replygate_ports::store::StoreError;
use replygate_ports::transfer::{KeyRecord, Record, SessionRecord, Tally};
use sqlx::postgres::PgRow;

use super::TransferError;
use crate::postgres::accounts::{sign_in, token, user};
use crate::postgres::activity::entry;
use crate::postgres::calendar::calendar_event;
use crate::postgres::codec::Columns;
use crate::postgres::error::read_fault;
use crate::postgres::ledger;
use crate::postgres::lines::Line;
use crate::postgres::mailbox::mail;
use crate::postgres::operations::{item, operation};
use crate::postgres::saved::saved_view;
use crate::postgres::settings::settings_version;
use crate::postgres::store::{action_record, known_session, step};
use crate::postgres::views::{message_view, reply_view};

/// The rows of a table, and how one is read.
type Table = (&'static str, fn(&PgRow) -> Result<Record, StoreError>);

const TABLES: &[Table] = &[
    ("SELECT installation FROM meta", |row| {
        Ok(Record::Installation(Columns(row).id("installation")?))
    }),
    (
        "SELECT session.*, agenda.last_activity, agenda.next_at FROM session
            LEFT JOIN agenda ON agenda.session = session.id",
        session,
    ),
    ("SELECT * FROM step", |row| {
        Ok(Record::Step(
            SessionId(Columns(row).id("session")?),
            step(row)?,
        ))
    }),
    ("SELECT * FROM message", |row| {
        let view = Box::new(message_view(row)?);
        Ok(Record::Message(Columns(row).number("entry")?, view))
    }),
    ("SELECT * FROM dedupe", key),
    ("SELECT * FROM reply", |row| {
        let view = Box::new(reply_view(row)?);
        Ok(Record::Reply(Columns(row).number("entry")?, view))
    }),
    ("SELECT * FROM action", |row| {
        Ok(Record::Action(action_record(row)?))
    }),
    ("SELECT * FROM settings", |row| {
        Ok(Record::Settings(Box::new(settings_version(row)?)))
    }),
    ("SELECT * FROM account", |row| Ok(Record::User(user(row)?))),
    ("SELECT * FROM token", |row| Ok(Record::Token(token(row)?))),
    ("SELECT * FROM sign_in", |row| {
        Ok(Record::SignIn(sign_in(row)?))
    }),
    ("SELECT * FROM tool_settings", |row| {
        Ok(Record::Tool(Box::new(settings_version(row)?)))
    }),
    ("SELECT * FROM tool_call", |row| {
        Ok(Record::Call(Box::new(ledger::call(row)?)))
    }),
    ("SELECT * FROM tool_duplicate", |row| {
        Ok(Record::Duplicate(Box::new(ledger::record(row)?)))
    }),
    ("SELECT * FROM tool_pass", |row| {
        let (pass, used) = ledger::pass_with_use(row)?;
        Ok(Record::Pass(Box::new(pass), used))
    }),
    ("SELECT * FROM calendar_event", |row| {
        Ok(Record::Event(Box::new(calendar_event(row)?)))
    }),
    ("SELECT * FROM mail", |row| {
        Ok(Record::Mail(Box::new(mail(row)?)))
    }),
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

/// What there is, as this connection sees it. A few rows at a time are in memory.
pub(super) async fn tally(line: &mut Line<'_>) -> Result<Tally, TransferError> {
    let mut tally = Tally::default();
    for (sql, record) in TABLES {
        let mut rows = sqlx::query(*sql).fetch(line.connection());
        let fault = |error| TransferError::Store(read_fault(error));
        while let Some(row) = rows.try_next().await.map_err(fault)? {
            tally.add(&record(&row).map_err(TransferError::Store)?);
        }
    }
    Ok(tally)
}

fn session(row: &PgRow) -> Result<Record, StoreError> {
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

fn key(row: &PgRow) -> Result<Record, StoreError> {
    let row = Columns(row);
    Ok(Record::Key(KeyRecord {
        key: row.id("key")?,
        message: MessageId(row.id("message")?),
        session: SessionId(row.id("session")?),
        at: At(row.get("at")?),
    }))
}
