//! Retention and erasure. Must never touch a session with open work in retention, nor leave a row after erasure.
//!
//! Both lock a session before they touch what belongs to it, as the writers do: retention passes over the sessions that
//! somebody writes to at the moment, erasure waits for them in the order in which writers lock them.

use async_trait::async_trait;
use replygate_gate::{At, SessionId};
use replygate_ports::store::StoreError;
use replygate_ports::upkeep::{Cutoffs, Forgotten, Pruned, Upkeep};
use sqlx::types::Uuid;

use super::Postgres;
use super::codec::{Columns, escaped};
use super::error::Trouble;
use super::ledger;
use super::lines::Line;

const MESSAGE_TEXTS: &str = "WITH old AS MATERIALIZED (
        SELECT message.id FROM message JOIN session ON session.id = message.session
        WHERE message.text <> '' AND message.received_at < $1 AND NOT session.open
        ORDER BY message.received_at LIMIT $2 FOR NO KEY UPDATE OF session SKIP LOCKED)
    UPDATE message SET text = '' FROM old WHERE message.id = old.id";
const REPLY_TEXTS: &str = "WITH old AS MATERIALIZED (
        SELECT reply.id FROM reply JOIN session ON session.id = reply.session
        WHERE reply.parts <> '[]' AND reply.created_at < $1 AND NOT session.open
        ORDER BY reply.created_at LIMIT $2 FOR NO KEY UPDATE OF session SKIP LOCKED)
    UPDATE reply SET parts = '[]' FROM old WHERE reply.id = old.id";
const DEDUPE_KEYS: &str = "WITH old AS MATERIALIZED (
        SELECT dedupe.key FROM dedupe JOIN session ON session.id = dedupe.session
        WHERE dedupe.at < $1 AND NOT session.open
        LIMIT $2 FOR NO KEY UPDATE OF session SKIP LOCKED)
    DELETE FROM dedupe USING old WHERE dedupe.key = old.key";
const STEPS: &str = "WITH old AS MATERIALIZED (
        SELECT step.session, step.version FROM step JOIN session ON session.id = step.session
        WHERE step.at < $1 AND NOT session.open
        LIMIT $2 FOR NO KEY UPDATE OF session SKIP LOCKED)
    DELETE FROM step USING old WHERE step.session = old.session AND step.version = old.version";

const SIGN_INS: &str = "DELETE FROM sign_in WHERE id IN (
    SELECT id FROM sign_in WHERE expires_at < $1 LIMIT $2)";
const TOKENS: &str = "DELETE FROM token WHERE hash IN (
    SELECT hash FROM token WHERE expires_at < $1 LIMIT $2)";

/// The person's sessions, and those of whoever shares a group with them; locked in the order in which writers lock.
const LOCK: &str = "SELECT id, contact = $1 AND channel = coalesce($2, channel) AS is_theirs FROM session
    WHERE (contact = $1 AND channel = coalesce($2, channel))
        OR (conversation <> contact AND conversation_id IN (SELECT conversation_id FROM session
            WHERE contact = $1 AND channel = coalesce($2, channel) AND conversation <> contact AND history_from > 0))
    ORDER BY id FOR UPDATE";

/// What a person who is erased cut off by a `/reset` stays cut off for the others of the group.
const KEEP_RESETS: &str =
    "UPDATE session SET history_from = greatest(session.history_from, gone.history_from)
    FROM (SELECT conversation_id, max(history_from) AS history_from FROM session
        WHERE id = ANY($1) AND conversation <> contact GROUP BY conversation_id) AS gone
    WHERE session.conversation_id = gone.conversation_id AND session.conversation <> session.contact
        AND gone.history_from > session.history_from";

#[async_trait]
impl Upkeep for Postgres {
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
        let mut line = self.inner.keepers.take().await?;
        line.change(sqlx::query("BEGIN")).await?;
        let (sessions, forgotten) = erase(&mut line, channel, contact).await?;
        let committed = line.change(sqlx::query("COMMIT")).await;
        line.end(committed)?;
        for session in sessions {
            self.inner.cache.forget(SessionId(session.as_u128()));
        }
        Ok(forgotten)
    }
}

impl Postgres {
    /// One kind of retention in one short transaction; returns how many rows it changed.
    async fn round(&self, sql: &'static str, before: At, limit: u64) -> Result<u64, StoreError> {
        let query = sqlx::query(sql).bind(before.0).bind(limit as i64);
        self.inner.keepers.change(query).await
    }
}

async fn erase(
    line: &mut Line<'_>,
    channel: Option<&str>,
    contact: &str,
) -> Result<(Vec<Uuid>, Forgotten), Trouble> {
    let locked = sqlx::query(LOCK)
        .bind(escaped(contact))
        .bind(channel.map(escaped));
    let mut theirs: Vec<Uuid> = Vec::new();
    for row in line.rows(locked).await? {
        let row = Columns(&row);
        if row.get("is_theirs")? {
            theirs.push(row.get("id")?);
        }
    }
    let mut forgotten = Forgotten {
        sessions: theirs.len() as u64,
        ..Forgotten::default()
    };
    // Also for someone who never wrote: an agent elsewhere made the calls.
    ledger::forget(line, channel, contact).await?;
    if theirs.is_empty() {
        return Ok((theirs, forgotten));
    }
    let mut change = async |sql: &'static str| line.change(sqlx::query(sql).bind(&theirs)).await;
    change(KEEP_RESETS).await?;
    forgotten.messages = change("DELETE FROM message WHERE session = ANY($1)").await?;
    forgotten.replies = change("DELETE FROM reply WHERE session = ANY($1)").await?;
    for sql in [
        "DELETE FROM step WHERE session = ANY($1)",
        "DELETE FROM action WHERE session = ANY($1)",
        "DELETE FROM dedupe WHERE session = ANY($1)",
        "DELETE FROM agenda WHERE session = ANY($1)",
        "DELETE FROM session WHERE id = ANY($1)",
    ] {
        change(sql).await?;
    }
    Ok((theirs, forgotten))
}
