//! The schema's versions. A migration that was released is never changed; a new one is added. While processes of two
//! versions run side by side the older ones work on the newer schema, so a migration must leave them what they use.

use replygate_ports::store::StoreError;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Row};

use super::PostgresError;
use super::codec::Columns;
use super::connect::{Connector, Manner};
use super::error::read_fault;

/// Every migration, oldest first; `meta.schema` counts those that the database has.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../../migrations/postgres/0001_first.sql"),
    include_str!("../../../../migrations/postgres/0002_written_order.sql"),
    include_str!("../../../../migrations/postgres/0003_console.sql"),
    include_str!("../../../../migrations/postgres/0004_tools.sql"),
    include_str!("../../../../migrations/postgres/0005_decisions.sql"),
    include_str!("../../../../migrations/postgres/0006_parts_sent.sql"),
    include_str!("../../../../migrations/postgres/0007_reveals.sql"),
    include_str!("../../../../migrations/postgres/0008_sign_ins.sql"),
    include_str!("../../../../migrations/postgres/0009_saved_views.sql"),
];

/// Brings the schema up to date; of processes that start at once one does it and the others wait.
pub(super) async fn migrate(
    connector: &Connector,
    connection: &mut PgConnection,
) -> Result<(), PostgresError> {
    let known = MIGRATIONS.len() as i64;
    let brought = bring_to(known, connector.schema(), connection);
    let found = connector.within(Manner::Prepare, brought).await;
    let found = found.map_err(|source| PostgresError::Schema {
        place: connector.place(),
        schema: connector.schema().to_owned(),
        source: Box::new(source),
    })?;
    if found > known {
        return Err(PostgresError::Newer {
            place: connector.place(),
            schema: connector.schema().to_owned(),
            found,
            known,
        });
    }
    Ok(())
}

/// Makes the migrations that are missing; returns how many there were.
async fn bring_to(
    known: i64,
    schema: &str,
    connection: &mut PgConnection,
) -> Result<i64, sqlx::Error> {
    let mut transaction = sqlx::Connection::begin(connection).await?;
    lock(&mut transaction, schema).await?;
    let found = version(&mut transaction, schema).await?;
    let missing = MIGRATIONS.iter().zip(1..=known).skip(found.max(0) as usize);
    for (migration, number) in missing {
        let script = format!("{migration}; UPDATE meta SET schema = {number};");
        sqlx::raw_sql(AssertSqlSafe(script))
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(found)
}

/// One process at a time, until the end of the transaction.
async fn lock(connection: &mut PgConnection, schema: &str) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('replygate schema ' || $1, 0))")
        .bind(schema)
        .execute(connection)
        .await?;
    Ok(())
}

/// How many migrations the schema has; makes it when it is missing.
async fn version(connection: &mut PgConnection, schema: &str) -> Result<i64, sqlx::Error> {
    let there = sqlx::query(
        "SELECT to_regnamespace($1) IS NOT NULL AS schema, to_regclass('meta') IS NOT NULL AS meta",
    )
    .bind(format!("\"{schema}\""))
    .fetch_one(&mut *connection)
    .await?;
    if !there.try_get::<bool, _>("schema")? {
        let make = format!("CREATE SCHEMA \"{schema}\"");
        sqlx::raw_sql(AssertSqlSafe(make))
            .execute(&mut *connection)
            .await?;
    }
    if !there.try_get::<bool, _>("meta")? {
        return Ok(0);
    }
    let row = sqlx::query("SELECT schema FROM meta")
        .fetch_one(connection)
        .await?;
    Ok(i64::from(row.try_get::<i32, _>("schema")?))
}

/// The installation's number, drawn when the schema is new.
pub(super) async fn installation(connection: &mut PgConnection) -> Result<u128, StoreError> {
    let row = sqlx::query("SELECT installation FROM meta")
        .fetch_one(connection)
        .await;
    Columns(&row.map_err(read_fault)?).id("installation")
}
