//! The services of a cluster as a run uses them: a schema and queues of its own, and what the services count.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use replygate_cluster::{Rabbit, RabbitOptions};
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_ports::clock::Entropy as _;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

/// Where the services are, and the run's name in them. Clones are the same run.
#[derive(Clone)]
pub(crate) struct Services(Rc<Addresses>);

struct Addresses {
    name: String,
    database_url: String,
    redis_url: String,
    amqp_url: String,
}

/// What the services counted up to now. They count everybody who uses them: nobody else should.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Transactions of the database.
    pub(crate) transactions: i64,
    /// Commands of Redis.
    pub(crate) commands: i64,
}

#[expect(
    clippy::disallowed_methods,
    reason = "where the services are, only the environment can say"
)]
fn url(variable: &str, local: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| local.to_owned())
}

impl Services {
    /// A run of its own.
    pub(crate) fn new() -> Self {
        let database = "postgres://postgres@127.0.0.1:5432/postgres";
        Self(Rc::new(Addresses {
            name: format!("bench_{:016x}", OsEntropy.bits() as u64),
            database_url: url("DATABASE_URL", database),
            redis_url: url("REDIS_URL", "redis://127.0.0.1:6379/"),
            amqp_url: url("AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2f"),
        }))
    }

    /// The first lines of a configuration that uses them.
    pub(crate) fn section(&self) -> String {
        let Addresses {
            name,
            database_url,
            redis_url,
            amqp_url,
        } = &*self.0;
        format!(
            "[server]\nmode = \"cluster\"\n\n[cluster]\ndatabase_url = \"{database_url}\"\nredis_url = \"{redis_url}\"\n\
             amqp_url = \"{amqp_url}\"\nschema = \"{name}\"\nqueue_prefix = \"{name}\"\n\n"
        )
    }

    /// The broker's address, and the first part of this run's names there.
    pub(crate) fn broker(&self) -> (&str, &str) {
        (&self.0.amqp_url, &self.0.name)
    }

    /// Removes whatever the run has stored.
    pub(crate) async fn clean(&self) -> Result<()> {
        let rabbit = RabbitOptions::new(&self.0.amqp_url, &self.0.name);
        let clock = Arc::new(SystemClock::start());
        Rabbit::delete(&rabbit, clock, Arc::new(OsEntropy)).await?;
        let mut connection = self.database().await?;
        let script = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.0.name);
        let script = sqlx::raw_sql(AssertSqlSafe(script));
        script.execute(&mut connection).await?;
        Ok(())
    }

    /// The size of everything in the schema, in megabytes.
    pub(crate) async fn stored_mb(&self) -> Result<f64> {
        let mut connection = self.database().await?;
        let bytes: i64 = sqlx::query_scalar(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
             JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'",
        )
        .bind(&self.0.name)
        .fetch_one(&mut connection)
        .await?;
        Ok(bytes as f64 / 1_048_576.0)
    }

    /// What they counted up to now.
    pub(crate) async fn counts(&self) -> Result<Counts> {
        let mut connection = self.database().await?;
        let transactions = sqlx::query_scalar(
            "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()",
        )
        .fetch_one(&mut connection)
        .await?;
        let client = redis::Client::open(self.0.redis_url.as_str())?;
        let mut connection = client.get_multiplexed_async_connection().await?;
        let mut info = redis::cmd("INFO");
        let info: String = info.arg("stats").query_async(&mut connection).await?;
        let line = info
            .lines()
            .find_map(|line| line.strip_prefix("total_commands_processed:"));
        let commands = line
            .context("Redis does not count commands")?
            .trim()
            .parse()?;
        Ok(Counts {
            transactions,
            commands,
        })
    }

    async fn database(&self) -> Result<PgConnection> {
        Ok(PgConnection::connect(&self.0.database_url).await?)
    }
}
