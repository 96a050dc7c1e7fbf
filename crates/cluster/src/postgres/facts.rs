//! What the server tells about itself, for checks.

use replygate_ports::store::StoreError;
use sqlx::Row;

use super::Postgres;
use super::error::Trouble;

/// What a server tells about itself.
pub(crate) struct Facts {
    /// Its version, as it tells it.
    pub version: String,
    /// Whether a commit is on its disk when it is answered.
    pub is_durable: bool,
    /// Its clock, in milliseconds since the Unix epoch.
    pub now_ms: i64,
}

impl Postgres {
    /// What the server tells about itself now.
    pub(crate) async fn facts(&self) -> Result<Option<Facts>, StoreError> {
        let sql = "SELECT current_setting('server_version') AS version,
            current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS is_durable,
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms";
        let Some(row) = self.inner.readers.row(sqlx::query(sql)).await? else {
            return Ok(None);
        };
        Ok(Some(Facts {
            version: row.try_get("version").map_err(Trouble::from)?,
            is_durable: row.try_get("is_durable").map_err(Trouble::from)?,
            now_ms: row.try_get("now_ms").map_err(Trouble::from)?,
        }))
    }
}
