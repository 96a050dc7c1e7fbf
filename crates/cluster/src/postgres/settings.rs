//! Settings of channels and of tools, and their versions.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::settings::{
    ChannelSettings, Kept, SettingsStore, SettingsVersion, StaleSettings,
};
use replygate_ports::store::StoreError;
use replygate_ports::tools::Tool;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgRow;

use super::Postgres;
use super::codec::{Columns, escaped};
use super::error::corrupt;

/// A kind of settings that has a table.
pub(super) trait Tabled: Kept {
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
impl<S: Tabled> SettingsStore<S> for Postgres {
    async fn all(&self) -> Result<Vec<SettingsVersion<S>>, StoreError> {
        let (table, id) = (S::TABLE, S::ID);
        let sql =
            format!("SELECT DISTINCT ON ({id}) {COLUMNS} FROM {table} ORDER BY {id}, version DESC");
        let rows = self
            .inner
            .readers
            .rows(sqlx::query(AssertSqlSafe(sql)))
            .await?;
        rows.iter().map(settings_version).collect()
    }

    async fn version(
        &self,
        id: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion<S>>, StoreError> {
        let (table, column) = (S::TABLE, S::ID);
        let sql = format!(
            "SELECT {COLUMNS} FROM {table}
             WHERE {column} = $1 AND version = coalesce($2, version) ORDER BY version DESC LIMIT 1"
        );
        let version = version.map(|version| i64::try_from(version).unwrap_or(i64::MAX));
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(escaped(id))
            .bind(version);
        let row = self.inner.readers.row(query).await?;
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
            "SELECT {COLUMNS} FROM {table}
             WHERE {column} = $1 AND version < $2 ORDER BY version DESC LIMIT $3"
        );
        let before = before
            .and_then(|before| i64::try_from(before).ok())
            .unwrap_or(i64::MAX);
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(escaped(id))
            .bind(before);
        let rows = self
            .inner
            .readers
            .rows(query.bind(i64::from(limit)))
            .await?;
        rows.iter().map(settings_version).collect()
    }

    async fn save(&self, next: SettingsVersion<S>) -> Result<(), StaleSettings<S>> {
        loop {
            self.refuse_repeated(&next).await?;
            let present = self.present::<S>(next.settings.id()).await?;
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
    async fn refuse_repeated<S: Tabled>(
        &self,
        next: &SettingsVersion<S>,
    ) -> Result<(), StaleSettings<S>> {
        let Some(request) = &next.request_id else {
            return Ok(());
        };
        let (table, column) = (S::TABLE, S::ID);
        let sql = format!("SELECT {COLUMNS} FROM {table} WHERE {column} = $1 AND request_id = $2");
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(escaped(next.settings.id()))
            .bind(escaped(request));
        match self.inner.readers.row(query).await? {
            Some(row) => Err(StaleSettings::Repeated(Box::new(settings_version(&row)?))),
            None => Ok(()),
        }
    }

    /// The version in force, 0 for a new one.
    async fn present<S: Tabled>(&self, id: &str) -> Result<u64, StoreError> {
        let (table, column) = (S::TABLE, S::ID);
        let sql =
            format!("SELECT coalesce(max(version), 0) AS version FROM {table} WHERE {column} = $1");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(escaped(id));
        let row = self.inner.readers.row(query).await?;
        row.map_or(Ok(0), |row| Columns(&row).number("version"))
    }

    /// Whether it was saved: not, when its version or its request is there already.
    async fn insert<S: Tabled>(&self, next: &SettingsVersion<S>) -> Result<bool, StoreError> {
        let (table, column, id) = (S::TABLE, S::ID, next.settings.id());
        let settings = serde_json::to_string(&next.settings)
            .map_err(|error| corrupt(format!("settings of {} {id}", S::KIND), error))?;
        let sql = format!(
            "INSERT INTO {table} ({column}, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT DO NOTHING"
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(escaped(id))
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
pub(super) fn settings_version<S: Kept>(row: &PgRow) -> Result<SettingsVersion<S>, StoreError> {
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
