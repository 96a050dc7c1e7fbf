//! The conversation as the agent reads it: of one session in a direct chat, of all its authors in a group.

use replygate_gate::{At, Author, MessageId, ReplyId, ReplyStatus, SessionId};
use replygate_ports::store::{HistoryEntry, StoreError};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row};

use super::read::Keys;
use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;

/// Whose history, and behind which number it begins.
struct Place {
    n: i64,
    conversation: Option<Vec<u8>>,
    begin: i64,
}

const MESSAGES: &str =
    "SELECT 0 AS reply, id, at, n, text, NULL AS author, NULL AS status, kind, 0 AS sent FROM message
    WHERE place = ? AND n > ? AND drop_reason IS NOT 'is_command' AND id NOT IN";
const DIRECT: &str = "SELECT 1, id, created_at, n, parts, author, status, NULL, sent FROM reply
    WHERE session = ? AND n > ? ORDER BY created_at DESC, n DESC LIMIT ?";
const GROUP: &str = "SELECT 1, id, created_at, n, parts, author, status, NULL, sent FROM reply
    WHERE conversation_id = ? AND n > ? ORDER BY created_at DESC, n DESC LIMIT ?";

impl Database {
    pub(super) async fn read_history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        let Some(place) = self.place(session).await? else {
            return Ok(Vec::new());
        };
        let keys = Keys::new(except.iter().map(|id| id.0));
        let replies = if place.conversation.is_some() {
            GROUP
        } else {
            DIRECT
        };
        let sql = format!(
            "SELECT * FROM (SELECT * FROM ({MESSAGES} {} ORDER BY at DESC, n DESC LIMIT ?)
             UNION ALL SELECT * FROM ({replies})) ORDER BY at DESC, n DESC LIMIT ?",
            keys.list()
        );
        let query = sqlx::query(AssertSqlSafe(sql));
        let query = match place.conversation.clone() {
            Some(conversation) => query.bind(conversation),
            None => query.bind(place.n),
        };
        let query = keys.bind(query.bind(place.begin)).bind(limit);
        let query = match place.conversation {
            Some(conversation) => query.bind(conversation),
            None => query.bind(place.n),
        };
        let query = query.bind(place.begin).bind(limit).bind(limit);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().rev().map(entry).collect()
    }

    async fn place(&self, session: SessionId) -> Result<Option<Place>, StoreError> {
        let sql = "SELECT one.n, one.conversation <> one.contact AS is_group, one.conversation_id,
            CASE WHEN one.conversation <> one.contact
                THEN (SELECT max(history_from) FROM session WHERE conversation_id = one.conversation_id)
                ELSE one.history_from END AS begin
            FROM session AS one WHERE one.id = ?";
        let row = sqlx::query(sql)
            .bind(blob(session.0))
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.map(|row| {
            let row = Columns(&row);
            let conversation = row
                .get::<bool>("is_group")?
                .then(|| row.get("conversation_id"))
                .transpose()?;
            Ok(Place {
                n: row.get("n")?,
                conversation,
                begin: row.get("begin")?,
            })
        })
        .transpose()
    }
}

fn entry(row: &SqliteRow) -> Result<HistoryEntry, StoreError> {
    let is_reply: bool = row.try_get("reply").map_err(read_fault)?;
    let row = Columns(row);
    let (id, at) = (row.id("id")?, At(row.get("at")?));
    if !is_reply {
        return Ok(HistoryEntry::Customer {
            message: MessageId(id),
            at,
            kind: row.word("kind")?,
            text: row.get("text")?,
        });
    }
    let (reply, parts) = (ReplyId(id), row.json("text")?);
    Ok(match row.word("author")? {
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
