//! Settings of channels and of tools, and their versions.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::settings::{
    ChannelSettings, Kept, SettingsStore, SettingsVersion, StaleSettings,
};
use replygate_ports::store::StoreError;
use replygate_ports::tools::Tool;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::codec::Columns;
use crate::database::Database;
use crate::error::{corrupt, read_fault, unavailable};

/// A kind of settings that has a table.
trait Tabled: Kept {
    const TABLE: &'static str;
    /// The column with the id.
    const ID: &'static str;
}

impl Tabled for ChannelSettings {
    const TABLE: &'static str = "settings";
    const ID: &'static str = "channel";
}

impl Tabled for Tool {
    const TABLE: &'static str = "tool_settings";
    const ID: &'static str = "tool";
}

const COLUMNS: &str = "version, settings, by, at, reason, request_id";

#[async_trait]
impl<S: Tabled> SettingsStore<S> for Database {
    async fn all(&self) -> Result<Vec<SettingsVersion<S>>, StoreError> {
        let (table, id) = (S::TABLE, S::ID);
        let sql = format!(
            "SELECT {COLUMNS} FROM {table} AS one
             WHERE version = (SELECT max(version) FROM {table} WHERE {id} = one.{id}) ORDER BY {id}"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(settings_version).collect()
    }

    async fn version(
        &self,
        id: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion<S>>, StoreError> {
        let (table, column) = (S::TABLE, S::ID);
        let sql = format!(
            "SELECT {COLUMNS} FROM {table} WHERE {column} = ?1
             AND version = coalesce(?2, (SELECT max(version) FROM {table} WHERE {column} = ?1))"
        );
        let version = version.map(|version| i64::try_from(version).unwrap_or(i64::MAX));
        let query = sqlx::query(AssertSqlSafe(sql)).bind(id).bind(version);
        let row = query
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(settings_version).transpose()
    }

    async fn versions(
        &self,
        id: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion<S>>, StoreError> {
        let (table, column) = (S::TABLE, S::ID);
        let sql = format!(
            "SELECT {COLUMNS} FROM {table} WHERE {column} = ? AND version < ?
             ORDER BY version DESC LIMIT ?"
        );
        let before = before
            .and_then(|before| i64::try_from(before).ok())
            .unwrap_or(i64::MAX);
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(id)
            .bind(before)
            .bind(limit);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(settings_version).collect()
    }

    async fn save(&self, next: SettingsVersion<S>) -> Result<(), StaleSettings<S>> {
        let mut write = self.inner.side.begin().await?;
        if let Err(refusal) = save(write.connection(), next).await {
            write.rollback().await;
            return Err(refusal);
        }
        Ok(write.commit().await.map_err(unavailable)?)
    }
}

async fn save<S: Tabled>(
    connection: &mut SqliteConnection,
    next: SettingsVersion<S>,
) -> Result<(), StaleSettings<S>> {
    let (table, column, id) = (S::TABLE, S::ID, next.settings.id());
    let sql = format!("SELECT {COLUMNS} FROM {table} WHERE {column} = ? AND request_id = ?");
    let query = sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .bind(&next.request_id);
    if let Some(row) = query
        .fetch_optional(&mut *connection)
        .await
        .map_err(read_fault)?
    {
        return Err(StaleSettings::Repeated(Box::new(settings_version(&row)?)));
    }
    let sql =
        format!("SELECT coalesce(max(version), 0) AS version FROM {table} WHERE {column} = ?");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .fetch_one(&mut *connection)
        .await
        .map_err(read_fault)?;
    let present: u64 = Columns(&row).number("version")?;
    if next.version != present + 1 {
        return Err(StaleSettings::Conflict { present });
    }
    let settings = serde_json::to_string(&next.settings)
        .map_err(|error| corrupt(format!("settings of {} {id}", S::KIND), error))?;
    let sql = format!("INSERT INTO {table} ({column}, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)");
    let query = sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .bind(next.version as i64)
        .bind(settings)
        .bind(&next.by);
    let query = query
        .bind(next.at.0)
        .bind(&next.reason)
        .bind(&next.request_id);
    query.execute(connection).await.map_err(unavailable)?;
    Ok(())
}

/// A row of the table.
pub(crate) fn settings_version<S: Kept>(row: &SqliteRow) -> Result<SettingsVersion<S>, StoreError> {
    let row = Columns(row);
    Ok(SettingsVersion {
        version: row.number("version")?,
        settings: row.json("settings")?,
        by: row.get("by")?,
        at: At(row.get("at")?),
        reason: row.get("reason")?,
        request_id: row.get("request_id")?,
    })
}
