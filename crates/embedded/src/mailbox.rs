//! The built-in mailbox in the file.

use async_trait::async_trait;
use replygate_gate::{ActionId, At};
use replygate_ports::mailbox::{Mail, MailQuery, Mailbox};
use replygate_ports::store::StoreError;
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::{corrupt, read_fault};

const COLUMNS: &str =
    "id, channel, account, conversation, contact, recipients, subject, body, sent_at";

#[async_trait]
impl Mailbox for Database {
    async fn send_mail(&self, mail: Mail) -> Result<(), StoreError> {
        let to = serde_json::to_string(&mail.to).map_err(|error| corrupt("recipients", error))?;
        let sql = "INSERT INTO mail (id, channel, account, conversation, contact, recipients, subject, body, sent_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
        let query = sqlx::query(sql)
            .bind(blob(mail.id.0))
            .bind(mail.whom.channel)
            .bind(mail.whom.account)
            .bind(mail.whom.conversation)
            .bind(mail.whom.contact)
            .bind(to)
            .bind(mail.subject)
            .bind(mail.body)
            .bind(mail.sent_at.0);
        self.change(query).await.map(drop)
    }

    async fn prune_mails(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let sql = "DELETE FROM mail WHERE id IN (
            SELECT id FROM mail WHERE sent_at < ? ORDER BY sent_at, id LIMIT ?)";
        self.change(sqlx::query(sql).bind(before.0).bind(limit))
            .await
    }

    async fn mails(&self, query: &MailQuery) -> Result<Vec<Mail>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {COLUMNS} FROM mail WHERE true"));
        for (column, wanted) in [("channel", &query.channel), ("contact", &query.contact)] {
            if let Some(wanted) = wanted {
                sql.push(format!(" AND {column} = "))
                    .push_bind(wanted.clone());
            }
        }
        if let Some((at, id)) = query.after {
            sql.push(" AND (sent_at, id) < (").push_bind(at.0);
            sql.push(", ").push_bind(blob(id.0)).push(")");
        }
        sql.push(" ORDER BY sent_at DESC, id DESC LIMIT ")
            .push_bind(query.limit);
        let rows = sql.build().fetch_all(&self.inner.readers).await;
        rows.map_err(read_fault)?.iter().map(mail).collect()
    }
}

/// A row of the table.
pub(crate) fn mail(row: &SqliteRow) -> Result<Mail, StoreError> {
    let row = Columns(row);
    Ok(Mail {
        id: ActionId(row.id("id")?),
        whom: row.session_key()?,
        to: row.json("recipients")?,
        subject: row.get("subject")?,
        body: row.get("body")?,
        sent_at: At(row.get("sent_at")?),
    })
}
