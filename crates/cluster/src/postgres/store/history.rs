//! The conversation as the agent reads it: of one session in a direct chat, of all its authors in a group.

use replygate_gate::{At, Author, MessageId, ReplyId, ReplyStatus, SessionId};
use replygate_ports::store::{HistoryEntry, StoreError};
use sqlx::postgres::PgRow;
use sqlx::types::Uuid;

use super::read::uuids;
use crate::postgres::Postgres;
use crate::postgres::codec::{Columns, uuid};

/// Whose history, and behind which entry it begins.
struct Place {
    id: Uuid,
    is_group: bool,
    begin: i64,
}

macro_rules! history {
    ($replies_of:literal) => {
        concat!(
            "SELECT * FROM (
                (SELECT id, at, entry, text, NULL AS author, NULL AS status, kind, 0::bigint AS sent FROM message
                    WHERE place = $1 AND entry > $2 AND drop_reason IS DISTINCT FROM 'is_command'
                    AND NOT id = ANY($3) ORDER BY at DESC, entry DESC LIMIT $4)
                UNION ALL
                (SELECT id, created_at, entry, parts, author, status, NULL, sent FROM reply
                    WHERE ",
            $replies_of,
            " = $1 AND entry > $2 ORDER BY created_at DESC, entry DESC LIMIT $4)
            ) AS entries ORDER BY at DESC, entry DESC LIMIT $4"
        )
    };
}

const DIRECT: &str = history!("session");
const GROUP: &str = history!("conversation_id");

impl Postgres {
    pub(super) async fn read_history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        let Some(place) = self.place(session).await? else {
            return Ok(Vec::new());
        };
        let sql = if place.is_group { GROUP } else { DIRECT };
        let query = sqlx::query(sql)
            .bind(place.id)
            .bind(place.begin)
            .bind(uuids(except.iter().map(|id| id.0)))
            .bind(i64::from(limit));
        let rows = self.inner.readers.rows(query).await?;
        rows.iter().rev().map(entry).collect()
    }

    async fn place(&self, session: SessionId) -> Result<Option<Place>, StoreError> {
        let sql = "SELECT one.id, one.conversation_id, one.conversation <> one.contact AS is_group,
            CASE WHEN one.conversation <> one.contact
                THEN (SELECT max(history_from) FROM session
                    WHERE conversation_id = one.conversation_id AND conversation <> contact)
                ELSE one.history_from END AS begin
            FROM session AS one WHERE one.id = $1";
        let row = self
            .inner
            .readers
            .row(sqlx::query(sql).bind(uuid(session.0)))
            .await?;
        row.map(|row| {
            let row = Columns(&row);
            let is_group = row.get("is_group")?;
            let id = if is_group { "conversation_id" } else { "id" };
            Ok(Place {
                id: row.get(id)?,
                is_group,
                begin: row.get("begin")?,
            })
        })
        .transpose()
    }
}

fn entry(row: &PgRow) -> Result<HistoryEntry, StoreError> {
    let row = Columns(row);
    let (id, at) = (row.id("id")?, At(row.get("at")?));
    let Some(author) = row.word_or_none("author")? else {
        return Ok(HistoryEntry::Customer {
            message: MessageId(id),
            at,
            kind: row.word("kind")?,
            text: row.text("text")?,
        });
    };
    let (reply, parts) = (ReplyId(id), row.json("text")?);
    Ok(match author {
        Author::Person => HistoryEntry::Person { reply, at, parts },
        Author::Agent => HistoryEntry::Agent {
            reply,
            at,
            parts,
            sent: row.number("sent")?,
            fate: row.word::<ReplyStatus>("status")?.into(),
        },
    })
}
