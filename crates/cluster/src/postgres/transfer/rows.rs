//! The rows of a few records of one kind, in one statement.

use std::borrow::Cow;

use replygate_gate::{DropReason, OperationId, ParkReason, SessionId};
use replygate_ports::accounts::{SignIn, Token, User};
use replygate_ports::activity::Entry;
use replygate_ports::changes::MessageState;
use replygate_ports::draft::first_open;
use replygate_ports::operations::{Item, Operation};
use replygate_ports::saved::SavedView;
use replygate_ports::settings::SettingsVersion;
use replygate_ports::store::{ActionRecord, Step, StoreError};
use replygate_ports::transfer::{KeyRecord, Record, SessionRecord};
use replygate_ports::views::{MessageView, ReplyView};
use serde::Serialize;
use sqlx::postgres::PgArguments;
use sqlx::types::Uuid;
use sqlx::{AssertSqlSafe, query_with};

use super::TransferError;
use crate::postgres::codec::{Texts, covers, escaped, uuid};
use crate::postgres::error::{Trouble, corrupt};
use crate::postgres::lines::Line;
use crate::postgres::settings::Tabled;
use crate::postgres::statement::Statement;
use crate::postgres::{calendar, ledger, mailbox};

/// The records of a kind, out of many.
macro_rules! of_kind {
    ($records:expr, $pattern:pat => $value:expr) => {
        $records
            .iter()
            .filter_map(|record| match record {
                $pattern => Some($value),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
}

/// Stores records of one kind.
pub(super) async fn write(line: &mut Line<'_>, records: &[Record]) -> Result<(), TransferError> {
    let Some(first) = records.first() else {
        return Ok(());
    };
    let mut statement = Statement::default();
    let sql = written(&mut statement, first, records).map_err(TransferError::Store)?;
    let (sql, arguments) = statement.finish(&sql).map_err(Trouble::Sql)?;
    let query = query_with::<_, PgArguments>(AssertSqlSafe(sql), arguments);
    let (came, told) = (line.change(query).await?, records.len() as u64);
    // Messages and replies take their channel and conversation from their session.
    if came != told {
        return Err(TransferError::Orphans {
            kind: first.kind(),
            missing: told - came,
            told,
        });
    }
    Ok(())
}

/// The statement that stores records of the kind of `first`.
fn written(
    statement: &mut Statement,
    first: &Record,
    records: &[Record],
) -> Result<String, StoreError> {
    match first {
        Record::Installation(number) => {
            let number = statement.value(uuid(*number));
            Ok(format!("UPDATE meta SET installation = {number}"))
        }
        Record::Session(_) => sessions(
            statement,
            &of_kind!(records, Record::Session(row) => &**row),
        ),
        Record::Step(..) => steps(
            statement,
            &of_kind!(records, Record::Step(id, step) => (*id, step)),
        ),
        Record::Message(..) => Ok(messages(
            statement,
            &of_kind!(records, Record::Message(entry, row) => (*entry, &**row)),
        )),
        Record::Key(_) => Ok(keys(statement, &of_kind!(records, Record::Key(row) => row))),
        Record::Reply(..) => Ok(replies(
            statement,
            &of_kind!(records, Record::Reply(entry, row) => (*entry, &**row)),
        )),
        Record::Action(_) => Ok(actions(
            statement,
            &of_kind!(records, Record::Action(row) => row),
        )),
        Record::Settings(_) => settings(
            statement,
            &of_kind!(records, Record::Settings(row) => &**row),
        ),
        Record::User(_) => Ok(users(
            statement,
            &of_kind!(records, Record::User(row) => row),
        )),
        Record::Token(_) => Ok(tokens(
            statement,
            &of_kind!(records, Record::Token(row) => row),
        )),
        Record::SignIn(_) => Ok(sign_ins(
            statement,
            &of_kind!(records, Record::SignIn(row) => row),
        )),
        Record::Tool(_) => settings(statement, &of_kind!(records, Record::Tool(row) => &**row)),
        Record::Call(_) => {
            ledger::calls_new(statement, &of_kind!(records, Record::Call(row) => &**row))
        }
        Record::Duplicate(_) => ledger::records_new(
            statement,
            &of_kind!(records, Record::Duplicate(row) => &**row),
        ),
        Record::Pass(..) => Ok(ledger::passes_new(
            statement,
            &of_kind!(records, Record::Pass(row, used) => (&**row, *used)),
        )),
        Record::Event(_) => {
            calendar::insert(statement, &of_kind!(records, Record::Event(row) => &**row))
        }
        Record::Mail(_) => {
            mailbox::insert(statement, &of_kind!(records, Record::Mail(row) => &**row))
        }
        Record::Operation(_) => Ok(operations(
            statement,
            &of_kind!(records, Record::Operation(row) => &**row),
        )),
        Record::Item(..) => Ok(items(
            statement,
            &of_kind!(records, Record::Item(id, row) => (*id, row)),
        )),
        Record::Activity(_) => Ok(activities(
            statement,
            &of_kind!(records, Record::Activity(row) => &**row),
        )),
        Record::View(_) => Ok(saved_views(
            statement,
            &of_kind!(records, Record::View(row) => &**row),
        )),
    }
}

fn json(value: &impl Serialize, what: &str) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| corrupt(what, error))
}

fn sessions(statement: &mut Statement, rows: &[&SessionRecord]) -> Result<String, StoreError> {
    let keys = || rows.iter().map(|row| &row.stored.key);
    let states = || rows.iter().map(|row| &row.stored.session);
    let state: Vec<String> = states()
        .map(|state| json(state, "state"))
        .collect::<Result<_, _>>()?;
    let channels = || keys().map(|key| escaped(&key.channel)).collect::<Vec<_>>();
    let ids = || keys().map(|key| uuid(key.session().0)).collect::<Vec<_>>();
    let open = || {
        states()
            .map(replygate_gate::Session::is_open)
            .collect::<Vec<_>>()
    };

    let agenda = statement
        .table()
        .column("session", ids())
        .column("channel", channels())
        .column(
            "next_at",
            rows.iter().map(|row| row.next_at.map(|at| at.0)).collect(),
        )
        .column(
            "last_activity",
            rows.iter().map(|row| row.last_activity.0).collect(),
        )
        .column("open", open())
        .rows();
    statement.with("agendas", &format!("INSERT INTO agenda (session, channel, next_at, last_activity, open) SELECT * FROM {agenda}"));
    let table = statement
        .table()
        .column("id", ids())
        .column(
            "conversation_id",
            keys().map(|key| uuid(key.conversation_id().0)).collect(),
        )
        .column("channel", channels())
        .column("account", keys().map(|key| escaped(&key.account)).collect())
        .column(
            "conversation",
            keys().map(|key| escaped(&key.conversation)).collect(),
        )
        .column("contact", keys().map(|key| escaped(&key.contact)).collect())
        .column(
            "created_at",
            rows.iter().map(|row| row.created_at.0).collect(),
        )
        .column(
            "version",
            rows.iter().map(|row| row.stored.version as i64).collect(),
        )
        .column("open", open())
        .column(
            "last_seq",
            states().map(|state| state.last_seq as i64).collect(),
        )
        .column(
            "first_open",
            states()
                .map(|state| first_open(state).map(|seq| seq as i64))
                .collect(),
        )
        .column(
            "history_from",
            rows.iter().map(|row| row.history_from as i64).collect(),
        )
        .column("state", state)
        .rows();
    // Every later life of a session has a number behind this one.
    Ok(format!(
        "INSERT INTO session (life, id, conversation_id, channel, account, conversation, contact, created_at, version, open,
            last_seq, first_open, history_from, state) SELECT 0, v.* FROM {table}"
    ))
}

fn steps(statement: &mut Statement, rows: &[(SessionId, &Step)]) -> Result<String, StoreError> {
    let each = || rows.iter().map(|(_, step)| *step);
    let events: Vec<String> = each()
        .map(|step| json(&step.events, "events"))
        .collect::<Result<_, _>>()?;
    let table = statement
        .table()
        .column("session", rows.iter().map(|(id, _)| uuid(id.0)).collect())
        .column("version", each().map(|step| step.version as i64).collect())
        .column("at", each().map(|step| step.at.0).collect())
        .column("actor", each().map(|step| escaped(&step.actor)).collect())
        .column("events", events)
        .rows();
    Ok(format!(
        "INSERT INTO step (session, version, at, actor, events) SELECT * FROM {table}"
    ))
}

fn messages(statement: &mut Statement, rows: &[(u64, &MessageView)]) -> String {
    let each = || rows.iter().map(|(_, row)| *row);
    let states = || each().map(|row| MessageState::columns(row.state));
    let table = statement
        .table()
        .column("id", each().map(|row| uuid(row.id.0)).collect())
        .column(
            "entry",
            rows.iter().map(|(entry, _)| *entry as i64).collect(),
        )
        .column("session", each().map(|row| uuid(row.session.0)).collect())
        .column(
            "provider_id",
            each().map(|row| escaped(&row.provider_id)).collect(),
        )
        .column("kind", each().map(|row| row.kind.as_str()).collect())
        .column(
            "sent_at",
            each().map(|row| row.sent_at.map(|at| at.0)).collect(),
        )
        .column("received_at", each().map(|row| row.received_at.0).collect())
        .column("state", states().map(|(word, ..)| word).collect())
        .column(
            "covered_by",
            states()
                .map(|(_, by, _)| by.map(|by| uuid(by.0)))
                .collect::<Vec<Option<Uuid>>>(),
        )
        .column(
            "drop_reason",
            states()
                .map(|(.., reason)| reason.map(DropReason::as_str))
                .collect(),
        )
        .column(
            "edit_of",
            each().map(|row| row.edit_of.map(|id| uuid(id.0))).collect(),
        )
        .column("text", each().map(|row| escaped(&row.text)).collect())
        .rows();
    format!(
        "INSERT INTO message (id, entry, session, place, channel, provider_id, kind, sent_at, received_at, at, state,
            covered_by, drop_reason, edit_of, text)
            SELECT v.id, v.entry, v.session,
                CASE WHEN session.conversation = session.contact THEN session.id ELSE session.conversation_id END,
                session.channel, v.provider_id, v.kind, v.sent_at, v.received_at, coalesce(v.sent_at, v.received_at),
                v.state, v.covered_by, v.drop_reason, v.edit_of, v.text
            FROM {table} JOIN session ON session.id = v.session"
    )
}

fn keys(statement: &mut Statement, rows: &[&KeyRecord]) -> String {
    let table = statement
        .table()
        .column("key", rows.iter().map(|row| uuid(row.key)).collect())
        .column(
            "message",
            rows.iter().map(|row| uuid(row.message.0)).collect(),
        )
        .column(
            "session",
            rows.iter().map(|row| uuid(row.session.0)).collect(),
        )
        .column("at", rows.iter().map(|row| row.at.0).collect())
        .rows();
    format!("INSERT INTO dedupe (key, message, session, at) SELECT * FROM {table}")
}

fn replies(statement: &mut Statement, rows: &[(u64, &ReplyView)]) -> String {
    let each = || rows.iter().map(|(_, row)| *row);
    let parts = each().map(|row| serde_json::Value::from(&row.parts[..]).to_string());
    let table = statement
        .table()
        .column("id", each().map(|row| uuid(row.id.0)).collect())
        .column(
            "entry",
            rows.iter().map(|(entry, _)| *entry as i64).collect(),
        )
        .column("session", each().map(|row| uuid(row.session.0)).collect())
        .column("seq", each().map(|row| row.seq as i64).collect())
        .column("status", each().map(|row| row.status.as_str()).collect())
        .column("author", each().map(|row| row.author.as_str()).collect())
        .column("effects", each().map(|row| row.effects).collect())
        .column("created_at", each().map(|row| row.created_at.0).collect())
        .column("due_at", each().map(|row| row.due_at.0).collect())
        .column("changed_at", each().map(|row| row.changed_at.0).collect())
        .column(
            "generation",
            each().map(|row| i64::from(row.generation)).collect(),
        )
        .column(
            "attempts",
            each().map(|row| i64::from(row.attempts)).collect(),
        )
        .column(
            "park_reason",
            each()
                .map(|row| row.park_reason.map(ParkReason::as_str))
                .collect(),
        )
        .column(
            "code",
            each()
                .map(|row| row.code.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "superseded_by",
            each()
                .map(|row| row.superseded_by.map(|by| uuid(by.0)))
                .collect(),
        )
        .column(
            "receipt",
            each()
                .map(|row| row.receipt.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column("cut", each().map(|row| row.cut).collect())
        .column("sent", each().map(|row| i64::from(row.sent)).collect())
        .column("covers", each().map(|row| covers(&row.covers)).collect())
        .column("parts", parts.collect::<Vec<_>>())
        .column(
            "input_tokens",
            each().map(|row| row.usage.input as i64).collect(),
        )
        .column(
            "cached_tokens",
            each().map(|row| row.usage.cached as i64).collect(),
        )
        .column(
            "output_tokens",
            each().map(|row| row.usage.output as i64).collect(),
        )
        .column(
            "tokens_estimated",
            each().map(|row| row.usage.estimated).collect(),
        )
        .rows();
    format!(
        "INSERT INTO reply (id, entry, session, conversation_id, channel, seq, status, author, effects, created_at, due_at,
            changed_at, generation, attempts, park_reason, code, superseded_by, receipt, cut, covers, sent, parts, input_tokens,
            cached_tokens, output_tokens, tokens_estimated)
            SELECT v.id, v.entry, v.session,
                CASE WHEN session.conversation <> session.contact THEN session.conversation_id END, session.channel, v.seq,
                v.status, v.author, v.effects, v.created_at, v.due_at, v.changed_at, v.generation, v.attempts,
                v.park_reason, v.code, v.superseded_by, v.receipt, v.cut, v.covers, v.sent, v.parts, v.input_tokens,
                v.cached_tokens, v.output_tokens, v.tokens_estimated
            FROM {table} JOIN session ON session.id = v.session"
    )
}

fn actions(statement: &mut Statement, rows: &[&ActionRecord]) -> String {
    let each = || rows.iter().map(|row| &row.action);
    let table = statement
        .table()
        .column(
            "request_id",
            each().map(|action| escaped(&action.request_id)).collect(),
        )
        .column(
            "session",
            rows.iter().map(|row| uuid(row.session.0)).collect(),
        )
        .column("at", rows.iter().map(|row| row.at.0).collect())
        .column("by", each().map(|action| escaped(&action.by)).collect())
        .column("verb", each().map(|action| escaped(&action.verb)).collect())
        .column(
            "reply",
            each()
                .map(|action| action.reply.map(|reply| uuid(reply.0)))
                .collect(),
        )
        .column(
            "reason",
            each()
                .map(|action| action.reason.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .rows();
    format!(
        "INSERT INTO action (request_id, session, at, by, verb, reply, reason) SELECT * FROM {table}"
    )
}

fn settings<S: Tabled>(
    statement: &mut Statement,
    rows: &[&SettingsVersion<S>],
) -> Result<String, StoreError> {
    let (name, id) = (S::TABLE, S::ID);
    let texts: Vec<String> = rows
        .iter()
        .map(|row| json(&row.settings, "settings"))
        .collect::<Result<_, _>>()?;
    let table = statement
        .table()
        .column(
            id,
            rows.iter().map(|row| escaped(row.settings.id())).collect(),
        )
        .column(
            "version",
            rows.iter().map(|row| row.version as i64).collect(),
        )
        .column("settings", texts)
        .column("by", rows.iter().map(|row| escaped(&row.by)).collect())
        .column("at", rows.iter().map(|row| row.at.0).collect())
        .column(
            "reason",
            rows.iter()
                .map(|row| row.reason.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "request_id",
            rows.iter()
                .map(|row| row.request_id.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .rows();
    Ok(format!(
        "INSERT INTO {name} ({id}, version, settings, by, at, reason, request_id) SELECT * FROM {table}"
    ))
}

fn users(statement: &mut Statement, rows: &[&User]) -> String {
    let folded = rows
        .iter()
        .map(|row| escaped(&row.name.to_lowercase()).into_owned());
    let table = statement
        .table()
        .column("folded", folded.collect::<Vec<_>>())
        .column("name", rows.iter().map(|row| escaped(&row.name)).collect())
        .column("role", rows.iter().map(|row| escaped(&row.role)).collect())
        .column(
            "password",
            rows.iter()
                .map(|row| row.password.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "created_at",
            rows.iter().map(|row| row.created_at.0).collect(),
        )
        .rows();
    format!("INSERT INTO account (folded, name, role, password, created_at) SELECT * FROM {table}")
}

fn tokens(statement: &mut Statement, rows: &[&Token]) -> String {
    let table = statement
        .table()
        .column("hash", rows.iter().map(|row| escaped(&row.hash)).collect())
        .column(
            "scope",
            rows.iter().map(|row| escaped(&row.scope)).collect(),
        )
        .column(
            "subject",
            rows.iter().map(|row| escaped(&row.subject)).collect(),
        )
        .column(
            "expires_at",
            rows.iter()
                .map(|row| row.expires_at.map(|at| at.0))
                .collect(),
        )
        .rows();
    format!("INSERT INTO token (hash, scope, subject, expires_at) SELECT * FROM {table}")
}

fn sign_ins(statement: &mut Statement, rows: &[&SignIn]) -> String {
    let table = statement
        .table()
        .column("id", rows.iter().map(|row| escaped(&row.id)).collect())
        .column(
            "person",
            rows.iter().map(|row| escaped(&row.person)).collect(),
        )
        .column("data", rows.iter().map(|row| row.data.as_slice()).collect())
        .column(
            "expires_at",
            rows.iter().map(|row| row.expires_at.0).collect(),
        )
        .rows();
    format!("INSERT INTO sign_in (id, person, data, expires_at) SELECT * FROM {table}")
}

fn saved_views<'r>(statement: &mut Statement, rows: &[&'r SavedView]) -> String {
    let texts = |of: fn(&'r SavedView) -> &'r str| -> Vec<Cow<'r, str>> {
        rows.iter().map(|row| escaped(of(row))).collect()
    };
    let table = statement
        .table()
        .column("slug", texts(|row| &row.slug))
        .column("name", texts(|row| &row.name))
        .column("list", texts(|row| &row.list))
        .column("address", texts(|row| &row.address))
        .column("owner", texts(|row| &row.owner))
        .column("shared", rows.iter().map(|row| row.is_shared).collect())
        .column(
            "created_at",
            rows.iter().map(|row| row.created_at.0).collect(),
        )
        .rows();
    format!(
        "INSERT INTO saved_view (slug, name, list, address, owner, shared, created_at) SELECT * FROM {table}"
    )
}

fn operations(statement: &mut Statement, rows: &[&Operation]) -> String {
    let paces = || rows.iter().map(|row| row.pace);
    let table = statement
        .table()
        .column("id", rows.iter().map(|row| uuid(row.id.0)).collect())
        .column(
            "version",
            rows.iter().map(|row| row.version as i64).collect(),
        )
        .column(
            "request_id",
            rows.iter().map(|row| escaped(&row.request_id)).collect(),
        )
        .column("verb", rows.iter().map(|row| row.verb.as_str()).collect())
        .column("state", rows.iter().map(|row| row.state.as_str()).collect())
        .column("by", rows.iter().map(|row| escaped(&row.by)).collect())
        .column(
            "reason",
            rows.iter()
                .map(|row| row.reason.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "per_minute",
            paces().map(|pace| i64::from(pace.per_minute)).collect(),
        )
        .column("first", paces().map(|pace| i64::from(pace.first)).collect())
        .column(
            "halt_percent",
            paces().map(|pace| i64::from(pace.halt_percent)).collect(),
        )
        .column(
            "planned_at",
            rows.iter().map(|row| row.planned_at.0).collect(),
        )
        .column(
            "started_at",
            rows.iter()
                .map(|row| row.started_at.map(|at| at.0))
                .collect(),
        )
        .column(
            "ended_at",
            rows.iter().map(|row| row.ended_at.map(|at| at.0)).collect(),
        )
        .rows();
    format!(
        "INSERT INTO operation (id, version, request_id, verb, state, by, reason, per_minute, first, halt_percent, planned_at,
            started_at, ended_at) SELECT * FROM {table}"
    )
}

fn items(statement: &mut Statement, rows: &[(OperationId, &Item)]) -> String {
    let each = || rows.iter().map(|(_, item)| *item);
    let table = statement
        .table()
        .column("operation", rows.iter().map(|(id, _)| uuid(id.0)).collect())
        .column("place", each().map(|item| i64::from(item.place)).collect())
        .column("reply", each().map(|item| uuid(item.reply.0)).collect())
        .column(
            "generation",
            each().map(|item| i64::from(item.generation)).collect(),
        )
        .column("session", each().map(|item| uuid(item.session.0)).collect())
        .column(
            "channel",
            each().map(|item| escaped(&item.channel)).collect(),
        )
        .column("state", each().map(|item| item.state.as_str()).collect())
        .column(
            "code",
            each()
                .map(|item| item.code.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column("at", each().map(|item| item.at.0).collect())
        .rows();
    format!(
        "INSERT INTO operation_item (operation, place, reply, generation, session, channel, state, code, at)
            SELECT * FROM {table}"
    )
}

fn activities(statement: &mut Statement, rows: &[&Entry]) -> String {
    let each = || rows.iter().map(|row| &row.activity);
    let table = statement
        .table()
        .column("place", rows.iter().map(|row| row.place as i64).collect())
        .column("at", each().map(|done| done.at.0).collect())
        .column("by", each().map(|done| escaped(&done.by)).collect())
        .column("role", each().map(|done| escaped(&done.role)).collect())
        .column("verb", each().map(|done| escaped(&done.verb)).collect())
        .column("object", each().map(|done| escaped(&done.object)).collect())
        .column(
            "before",
            each()
                .map(|done| done.before.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "after",
            each()
                .map(|done| done.after.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "reason",
            each()
                .map(|done| done.reason.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "request_id",
            each()
                .map(|done| done.request_id.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column("result", each().map(|done| done.result.as_str()).collect())
        .rows();
    format!(
        "INSERT INTO activity (place, at, by, role, verb, object, before, after, reason, request_id, result)
            SELECT * FROM {table}"
    )
}
