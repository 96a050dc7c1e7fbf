//! Retention and erasure. Must never touch a session with open work in retention, nor leave a trace after erasure.

use async_trait::async_trait;
use replygate_gate::{At, SessionId};
use replygate_ports::store::StoreError;
use replygate_ports::upkeep::{Cutoffs, Forgotten, Pruned, Upkeep};
use sqlx::{Row, SqliteConnection};

use crate::codec::Columns;
use crate::database::Database;
use crate::error::{read_fault, unavailable};
use crate::ledger;

const MESSAGE_TEXTS: &str = "UPDATE message SET text = '' WHERE n IN (
    SELECT message.n FROM message JOIN session ON session.n = message.session
    WHERE message.text <> '' AND message.received_at < ? AND session.open = 0 LIMIT ?)";
const REPLY_TEXTS: &str = "UPDATE reply SET parts = '[]' WHERE n IN (
    SELECT reply.n FROM reply JOIN session ON session.n = reply.session
    WHERE reply.parts <> '[]' AND reply.created_at < ? AND session.open = 0 LIMIT ?)";
const DEDUPE_KEYS: &str = "DELETE FROM dedupe WHERE key IN (
    SELECT dedupe.key FROM dedupe JOIN session ON session.n = dedupe.session
    WHERE dedupe.at < ? AND session.open = 0 LIMIT ?)";
const STEPS: &str = "DELETE FROM step WHERE n IN (
    SELECT step.n FROM step JOIN session ON session.n = step.session
    WHERE step.at < ? AND session.open = 0 LIMIT ?)";

const SIGN_INS: &str = "DELETE FROM sign_in WHERE id IN (
    SELECT id FROM sign_in WHERE expires_at < ? LIMIT ?)";
const TOKENS: &str = "DELETE FROM token WHERE hash IN (
    SELECT hash FROM token WHERE expires_at < ? LIMIT ?)";

/// Each try waits for readers as long as any lock is waited for.
const EMPTY_TRIES: usize = 3;

/// Somebody reads the log for long, a backup for example; erasing again empties it.
#[derive(Debug, thiserror::Error)]
#[error(
    "everything was erased, but the write-ahead log is in use and could not be emptied: erase again later"
)]
struct LogInUse;

/// What a person who is erased cut off by a `/reset` stays cut off for the others of the group.
const KEEP_RESET: &str =
    "UPDATE session SET history_from = max(session.history_from, gone.history_from)
    FROM (SELECT conversation_id, history_from FROM session WHERE n = ?) AS gone
    WHERE session.conversation_id = gone.conversation_id AND gone.history_from > 0";

#[async_trait]
impl Upkeep for Database {
    async fn prune(&self, before: &Cutoffs, limit: u32) -> Result<Pruned, StoreError> {
        let limit = u64::from(limit);
        let messages = self.round(MESSAGE_TEXTS, before.texts, limit).await?;
        let replies = self
            .round(REPLY_TEXTS, before.texts, limit - messages)
            .await?;
        let dedupe_keys = self.round(DEDUPE_KEYS, before.dedupe_keys, limit).await?;
        let steps = self.round(STEPS, before.steps, limit).await?;
        let sign_ins = self.round(SIGN_INS, before.credentials, limit).await?;
        let tokens = self
            .round(TOKENS, before.credentials, limit - sign_ins)
            .await?;
        Ok(Pruned {
            texts: messages + replies,
            dedupe_keys,
            steps,
            credentials: sign_ins + tokens,
        })
    }

    async fn forget(&self, channel: Option<&str>, contact: &str) -> Result<Forgotten, StoreError> {
        let database = self.clone();
        let (channel, contact) = (channel.map(str::to_owned), contact.to_owned());
        // In a task of its own, so that a caller who goes away cannot come between the file and the cache.
        let erasure = tokio::spawn(async move { database.erase(channel, contact).await });
        erasure.await.map_err(unavailable)?
    }
}

impl Database {
    /// One kind of retention in one short transaction; returns how many rows it changed.
    async fn round(&self, sql: &'static str, before: At, limit: u64) -> Result<u64, StoreError> {
        let mut write = self.inner.side.begin().await?;
        let query = sqlx::query(sql).bind(before.0).bind(limit as i64);
        let done = query
            .execute(write.connection())
            .await
            .map_err(unavailable)?;
        write.commit().await.map_err(unavailable)?;
        if done.rows_affected() > 0 {
            self.inner.cache.distrust_texts();
        }
        Ok(done.rows_affected())
    }

    async fn erase(
        &self,
        channel: Option<String>,
        contact: String,
    ) -> Result<Forgotten, StoreError> {
        let mut write = self.inner.side.begin().await?;
        let sessions = sessions_of(write.connection(), channel.as_deref(), &contact).await?;
        let mut forgotten = Forgotten {
            sessions: sessions.len() as u64,
            ..Forgotten::default()
        };
        for (n, _) in &sessions {
            change(write.connection(), KEEP_RESET, *n).await?;
            forgotten.messages += change(
                write.connection(),
                "DELETE FROM message WHERE session = ?",
                *n,
            )
            .await?;
            forgotten.replies += change(
                write.connection(),
                "DELETE FROM reply WHERE session = ?",
                *n,
            )
            .await?;
            change(write.connection(), "DELETE FROM step WHERE session = ?", *n).await?;
            change(
                write.connection(),
                "DELETE FROM action WHERE session = ?",
                *n,
            )
            .await?;
            change(
                write.connection(),
                "DELETE FROM dedupe WHERE session = ?",
                *n,
            )
            .await?;
            change(write.connection(), "DELETE FROM session WHERE n = ?", *n).await?;
        }
        ledger::forget(write.connection(), channel.as_deref(), &contact).await?;
        write.commit().await.map_err(unavailable)?;
        self.inner
            .cache
            .distrust(sessions.into_iter().map(|(_, id)| id));
        drop(write);
        self.empty_log().await?;
        Ok(forgotten)
    }

    /// Empties the write-ahead log, which still holds rows as they were.
    async fn empty_log(&self) -> Result<(), StoreError> {
        for _ in 0..EMPTY_TRIES {
            let rows = self
                .inner
                .side
                .alone("PRAGMA wal_checkpoint(TRUNCATE)")
                .await?;
            let busy: i64 = rows
                .first()
                .map_or(Ok(0), |row| row.try_get(0))
                .map_err(read_fault)?;
            if busy == 0 {
                return Ok(());
            }
        }
        Err(unavailable(LogInUse))
    }
}

async fn sessions_of(
    connection: &mut SqliteConnection,
    channel: Option<&str>,
    contact: &str,
) -> Result<Vec<(i64, SessionId)>, StoreError> {
    let sql = "SELECT n, id FROM session WHERE contact = ? AND channel = coalesce(?, channel)";
    let rows = sqlx::query(sql)
        .bind(contact)
        .bind(channel)
        .fetch_all(connection)
        .await
        .map_err(read_fault)?;
    rows.iter()
        .map(|row| Ok((Columns(row).get("n")?, SessionId(Columns(row).id("id")?))))
        .collect()
}

async fn change(
    connection: &mut SqliteConnection,
    sql: &'static str,
    session: i64,
) -> Result<u64, StoreError> {
    Ok(sqlx::query(sql)
        .bind(session)
        .execute(connection)
        .await
        .map_err(unavailable)?
        .rows_affected())
}
