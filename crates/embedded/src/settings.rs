//! Settings and their versions.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::settings::{SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::StoreError;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use crate::codec::Columns;
use crate::database::Database;
use crate::error::{corrupt, read_fault, unavailable};

#[async_trait]
impl SettingsStore for Database {
    async fn all(&self) -> Result<Vec<SettingsVersion>, StoreError> {
        let sql = "SELECT version, settings, by, at, reason, request_id FROM settings AS one
            WHERE version = (SELECT max(version) FROM settings WHERE channel = one.channel) ORDER BY channel";
        let rows = sqlx::query(sql)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(settings_version).collect()
    }

    async fn version(
        &self,
        channel: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion>, StoreError> {
        let sql = "SELECT version, settings, by, at, reason, request_id FROM settings
            WHERE channel = ?1 AND version = coalesce(?2, (SELECT max(version) FROM settings WHERE channel = ?1))";
        let version = version.map(|version| i64::try_from(version).unwrap_or(i64::MAX));
        let query = sqlx::query(sql).bind(channel).bind(version);
        let row = query
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(settings_version).transpose()
    }

    async fn versions(
        &self,
        channel: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion>, StoreError> {
        let sql = "SELECT version, settings, by, at, reason, request_id FROM settings
            WHERE channel = ? AND version < ? ORDER BY version DESC LIMIT ?";
        let before = before
            .and_then(|before| i64::try_from(before).ok())
            .unwrap_or(i64::MAX);
        let query = sqlx::query(sql).bind(channel).bind(before).bind(limit);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(settings_version).collect()
    }

    async fn save(&self, next: SettingsVersion) -> Result<(), StaleSettings> {
        let mut write = self.inner.side.begin().await?;
        if let Err(refusal) = save(write.connection(), next).await {
            write.rollback().await;
            return Err(refusal);
        }
        Ok(write.commit().await.map_err(unavailable)?)
    }
}

async fn save(
    connection: &mut SqliteConnection,
    next: SettingsVersion,
) -> Result<(), StaleSettings> {
    let channel = &next.settings.id;
    let sql = "SELECT version, settings, by, at, reason, request_id FROM settings
        WHERE channel = ? AND request_id = ?";
    let query = sqlx::query(sql).bind(channel).bind(&next.request_id);
    if let Some(row) = query
        .fetch_optional(&mut *connection)
        .await
        .map_err(read_fault)?
    {
        return Err(StaleSettings::Repeated(Box::new(settings_version(&row)?)));
    }
    let sql = "SELECT coalesce(max(version), 0) AS version FROM settings WHERE channel = ?";
    let row = sqlx::query(sql)
        .bind(channel)
        .fetch_one(&mut *connection)
        .await
        .map_err(read_fault)?;
    let present: u64 = Columns(&row).number("version")?;
    if next.version != present + 1 {
        return Err(StaleSettings::Conflict { present });
    }
    let settings = serde_json::to_string(&next.settings)
        .map_err(|error| corrupt(format!("settings of {channel}"), error))?;
    let sql = "INSERT INTO settings (channel, version, settings, by, at, reason, request_id)
        VALUES (?, ?, ?, ?, ?, ?, ?)";
    let query = sqlx::query(sql)
        .bind(channel)
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
pub(crate) fn settings_version(row: &SqliteRow) -> Result<SettingsVersion, StoreError> {
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
