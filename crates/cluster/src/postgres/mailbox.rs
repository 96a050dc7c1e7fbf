//! The built-in mailbox, for every process the same.

use async_trait::async_trait;
use replygate_gate::{ActionId, At};
use replygate_ports::mailbox::{Mail, MailQuery, Mailbox};
use replygate_ports::store::StoreError;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{AssertSqlSafe, QueryBuilder, query_with};

use super::Postgres;
use super::codec::{Columns, escaped, uuid};
use super::error::{Trouble, corrupt};
use super::statement::Statement;

const COLUMNS: &str =
    "id, channel, account, conversation, contact, recipients, subject, body, sent_at";

#[async_trait]
impl Mailbox for Postgres {
    async fn send_mail(&self, mail: Mail) -> Result<(), StoreError> {
        let mut statement = Statement::default();
        let sql = insert(&mut statement, &[&mail])?;
        let sql = format!("{sql} ON CONFLICT DO NOTHING");
        let (sql, arguments) = statement.finish(&sql).map_err(Trouble::Sql)?;
        let query = query_with::<_, PgArguments>(AssertSqlSafe(sql), arguments);
        self.inner.readers.change(query).await.map(drop)
    }

    async fn prune_mails(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let sql = "DELETE FROM mail WHERE id IN (
            SELECT id FROM mail WHERE sent_at < $1 ORDER BY sent_at, id LIMIT $2)";
        let query = sqlx::query(sql).bind(before.0).bind(i64::from(limit));
        self.inner.keepers.change(query).await
    }

    async fn mails(&self, query: &MailQuery) -> Result<Vec<Mail>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {COLUMNS} FROM mail WHERE true"));
        for (column, wanted) in [("channel", &query.channel), ("contact", &query.contact)] {
            if let Some(wanted) = wanted {
                sql.push(format!(" AND {column} = "))
                    .push_bind(escaped(wanted).into_owned());
            }
        }
        if let Some((at, id)) = query.after {
            sql.push(" AND (sent_at, id) < (").push_bind(at.0);
            sql.push(", ").push_bind(uuid(id.0)).push(")");
        }
        sql.push(" ORDER BY sent_at DESC, id DESC LIMIT ")
            .push_bind(i64::from(query.limit));
        let rows = self.inner.readers.rows(sql.build()).await?;
        rows.iter().map(mail).collect()
    }
}

/// The insertion of these mails.
pub(super) fn insert(statement: &mut Statement, mails: &[&Mail]) -> Result<String, StoreError> {
    let each = || mails.iter().copied();
    let recipients: Result<Vec<String>, StoreError> = each()
        .map(|mail| serde_json::to_string(&mail.to).map_err(|error| corrupt("recipients", error)))
        .collect();
    let table = statement
        .table()
        .column("id", each().map(|mail| uuid(mail.id.0)).collect())
        .whom(each().map(|mail| &mail.whom))
        .column("recipients", recipients?)
        .column(
            "subject",
            each().map(|mail| escaped(&mail.subject)).collect(),
        )
        .column("body", each().map(|mail| escaped(&mail.body)).collect())
        .column("sent_at", each().map(|mail| mail.sent_at.0).collect())
        .rows();
    Ok(format!(
        "INSERT INTO mail ({COLUMNS}) SELECT * FROM {table}"
    ))
}

/// A row of the table.
pub(super) fn mail(row: &PgRow) -> Result<Mail, StoreError> {
    let row = Columns(row);
    Ok(Mail {
        id: ActionId(row.id("id")?),
        whom: row.session_key()?,
        to: row.json("recipients")?,
        subject: row.text("subject")?,
        body: row.text("body")?,
        sent_at: At(row.get("sent_at")?),
    })
}
