//! The server under test: a schema for each test, dropped behind it. `DATABASE_URL` says where, by default the local one.

use std::sync::Arc;

use replygate_cluster::{Postgres, PostgresError, PostgresOptions};
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::Missing;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::runtime::Builder;

/// A schema of its own.
pub struct Schema {
    pub name: String,
}

#[expect(
    clippy::disallowed_methods,
    reason = "where the tests' server is, only the environment can say"
)]
pub fn address() -> String {
    let local = "postgres://postgres@127.0.0.1:5432/postgres";
    std::env::var("DATABASE_URL").unwrap_or_else(|_| local.to_owned())
}

/// Host and port of the server, as the address has them.
pub fn host() -> String {
    let address = address();
    let rest = address
        .split_once("://")
        .map_or(&*address, |(_, rest)| rest);
    let place = rest.split('/').next().unwrap_or_default();
    place.rsplit('@').next().unwrap_or_default().to_owned()
}

impl Schema {
    pub fn new() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "tests in many processes share a server"
        )]
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        Self { name }
    }

    pub fn options(&self) -> PostgresOptions {
        PostgresOptions {
            schema: self.name.clone(),
            application_name: "replygate tests".to_owned(),
            readers: 4,
            ..PostgresOptions::new(address())
        }
    }

    /// A process on this schema.
    ///
    /// # Errors
    /// `Missing` when there is no server.
    pub async fn open(&self) -> Result<Postgres, Missing> {
        let opened = Postgres::open(&self.options(), Arc::new(SimClock::start())).await;
        match opened {
            Ok(postgres) => Ok(postgres),
            Err(PostgresError::Unreachable { place, .. }) => {
                Err(Missing(format!("no PostgreSQL at {place}")))
            }
            Err(error) => panic!("{error}: {:?}", std::error::Error::source(&error)),
        }
    }

    /// A process on this schema; says so when there is no server, and fails then in CI.
    pub async fn begin(&self) -> Option<Postgres> {
        replygate_testkit::contract::there(self.open().await)
    }

    /// Runs a script in a transaction that stays open until the connection is dropped.
    pub async fn hold(&self, script: &str) -> PgConnection {
        let mut connection = PgConnection::connect(&address()).await.unwrap();
        let script = format!("SET search_path = {}; BEGIN; {script}", self.name);
        sqlx::raw_sql(AssertSqlSafe(script))
            .execute(&mut connection)
            .await
            .unwrap();
        connection
    }

    /// Runs a script in the schema, beside every process.
    pub async fn run(&self, script: &str) {
        let mut connection = PgConnection::connect(&address()).await.unwrap();
        let script = format!("SET search_path = {}; {script}", self.name);
        sqlx::raw_sql(AssertSqlSafe(script))
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        let script = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.name);
        let gone = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                // Without a server there is nothing to drop.
                let Ok(mut connection) = PgConnection::connect(&address()).await else {
                    return;
                };
                let dropped = sqlx::raw_sql(AssertSqlSafe(script))
                    .execute(&mut connection)
                    .await;
                drop(dropped);
            });
        });
        drop(gone.join());
    }
}
