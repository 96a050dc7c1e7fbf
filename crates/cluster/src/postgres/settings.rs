//! Settings and their versions.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::settings::{SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::StoreError;
use sqlx::postgres::PgRow;

use super::Postgres;
use super::codec::{Columns, escaped};
use super::error::corrupt;

#[async_trait]
impl SettingsStore for Postgres {
    async fn all(&self) -> Result<Vec<SettingsVersion>, StoreError> {
        let sql = "SELECT DISTINCT ON (channel) version, settings, by, at, reason, request_id FROM settings
            ORDER BY channel, version DESC";
        let rows = self.inner.readers.rows(sqlx::query(sql)).await?;
        rows.iter().map(settings_version).collect()
    }

    async fn version(
        &self,
        channel: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion>, StoreError> {
        let sql = "SELECT version, settings, by, at, reason, request_id FROM settings
            WHERE channel = $1 AND version = coalesce($2, version) ORDER BY version DESC LIMIT 1";
        let version = version.map(|version| i64::try_from(version).unwrap_or(i64::MAX));
        let query = sqlx::query(sql).bind(escaped(channel)).bind(version);
        let row = self.inner.readers.row(query).await?;
        row.as_ref().map(settings_version).transpose()
    }

    async fn versions(
        &self,
        channel: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion>, StoreError> {
        let sql = "SELECT version, settings, by, at, reason, request_id FROM settings
            WHERE channel = $1 AND version < $2 ORDER BY version DESC LIMIT $3";
        let before = before
            .and_then(|before| i64::try_from(before).ok())
            .unwrap_or(i64::MAX);
        let query = sqlx::query(sql).bind(escaped(channel)).bind(before);
        let rows = self
            .inner
            .readers
            .rows(query.bind(i64::from(limit)))
            .await?;
        rows.iter().map(settings_version).collect()
    }

    async fn save(&self, next: SettingsVersion) -> Result<(), StaleSettings> {
        loop {
            self.refuse_repeated(&next).await?;
            let present = self.present(&next.settings.id).await?;
            if next.version != present + 1 {
                return Err(StaleSettings::Conflict { present });
            }
            if self.insert(&next).await? {
                return Ok(());
            }
            // Another process was faster: it saved this version, or carried out this request.
        }
    }
}

impl Postgres {
    async fn refuse_repeated(&self, next: &SettingsVersion) -> Result<(), StaleSettings> {
        let Some(request) = &next.request_id else {
            return Ok(());
        };
        let sql = "SELECT version, settings, by, at, reason, request_id FROM settings
            WHERE channel = $1 AND request_id = $2";
        let query = sqlx::query(sql)
            .bind(escaped(&next.settings.id))
            .bind(escaped(request));
        match self.inner.readers.row(query).await? {
            Some(row) => Err(StaleSettings::Repeated(Box::new(settings_version(&row)?))),
            None => Ok(()),
        }
    }

    /// The version in force, 0 for a new channel.
    async fn present(&self, channel: &str) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(max(version), 0) AS version FROM settings WHERE channel = $1";
        let row = self
            .inner
            .readers
            .row(sqlx::query(sql).bind(escaped(channel)))
            .await?;
        row.map_or(Ok(0), |row| Columns(&row).number("version"))
    }

    /// Whether it was saved: not, when its version or its request is there already.
    async fn insert(&self, next: &SettingsVersion) -> Result<bool, StoreError> {
        let channel = &next.settings.id;
        let settings = serde_json::to_string(&next.settings)
            .map_err(|error| corrupt(format!("settings of {channel}"), error))?;
        let sql = "INSERT INTO settings (channel, version, settings, by, at, reason, request_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
        let query = sqlx::query(sql)
            .bind(escaped(channel))
            .bind(next.version as i64)
            .bind(settings)
            .bind(escaped(&next.by))
            .bind(next.at.0)
            .bind(next.reason.as_deref().map(escaped))
            .bind(next.request_id.as_deref().map(escaped));
        Ok(self.inner.readers.change(query).await? > 0)
    }
}

/// A row of the table.
pub(super) fn settings_version(row: &PgRow) -> Result<SettingsVersion, StoreError> {
    let row = Columns(row);
    Ok(SettingsVersion {
        version: row.number("version")?,
        settings: row.json("settings")?,
        by: row.text("by")?,
        at: At(row.get("at")?),
        reason: row.text_or_none("reason")?,
        request_id: row.text_or_none("request_id")?,
    })
}
