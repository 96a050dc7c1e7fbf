//! The schema's versions. A migration that was released is never changed; a new one is added.

use std::path::Path;

use replygate_ports::clock::Entropy;
use replygate_ports::store::StoreError;
use sqlx::{Row, SqliteConnection};

use super::OpenError;
use crate::codec::{Columns, blob};
use crate::entropy::OsEntropy;
use crate::error::read_fault;

/// Every migration, oldest first; the file's `user_version` counts those that it has.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../../../../migrations/sqlite/0001_first.sql"),
    include_str!("../../../../migrations/sqlite/0002_usage.sql"),
    include_str!("../../../../migrations/sqlite/0003_console.sql"),
    include_str!("../../../../migrations/sqlite/0004_written_order.sql"),
    include_str!("../../../../migrations/sqlite/0005_tools.sql"),
    include_str!("../../../../migrations/sqlite/0006_decisions.sql"),
    include_str!("../../../../migrations/sqlite/0007_parts_sent.sql"),
    include_str!("../../../../migrations/sqlite/0008_reveals.sql"),
    include_str!("../../../../migrations/sqlite/0009_sign_ins.sql"),
    include_str!("../../../../migrations/sqlite/0010_saved_views.sql"),
];

pub(super) async fn migrate(
    connection: &mut SqliteConnection,
    file: &Path,
) -> Result<(), OpenError> {
    let sql = |source| OpenError::Sql {
        file: file.to_owned(),
        source,
    };
    let found: i64 = sqlx::query("PRAGMA user_version")
        .fetch_one(&mut *connection)
        .await
        .and_then(|row| row.try_get(0))
        .map_err(sql)?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(OpenError::Newer {
            file: file.to_owned(),
            found,
            known,
        });
    }
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(found.max(0) as usize) {
        let script = format!(
            "BEGIN IMMEDIATE; {migration}; PRAGMA user_version = {}; COMMIT;",
            index + 1
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(script))
            .execute(&mut *connection)
            .await
            .map_err(sql)?;
    }
    Ok(())
}

/// The installation's number, drawn when the file is new.
pub(super) async fn installation(connection: &mut SqliteConnection) -> Result<u128, StoreError> {
    sqlx::query("INSERT INTO meta (only, installation) VALUES (1, ?) ON CONFLICT DO NOTHING")
        .bind(blob(OsEntropy.bits()))
        .execute(&mut *connection)
        .await
        .map_err(read_fault)?;
    let row = sqlx::query("SELECT installation FROM meta")
        .fetch_one(connection)
        .await
        .map_err(read_fault)?;
    Columns(&row).id("installation")
}
