//! An installation of its own on the services under test: a schema and a prefix for each test, both gone behind it.

use std::path::PathBuf;
use std::sync::Arc;

use replygate_cluster::{Cluster, ClusterConfig, Postgres, Rabbit, RabbitOptions};
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_ports::clock::Entropy as _;
use replygate_testkit::contract::{Missing, there};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use tokio::runtime::Builder;

#[expect(
    clippy::disallowed_methods,
    reason = "where the tests' services are, only the environment can say"
)]
fn url(variable: &str, local: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| local.to_owned())
}

/// Where an installation's services are, and its configuration file.
pub struct Place {
    pub name: String,
    pub database_url: String,
    pub redis_url: String,
    pub amqp_url: String,
    folder: TempDir,
}

impl Place {
    /// A place with these channels; `None` where a service is missing, which is an error in CI.
    pub async fn with(channels: &str) -> Option<Self> {
        let database = "postgres://postgres@127.0.0.1:5432/postgres";
        let place = Self {
            name: format!("test_{:032x}", OsEntropy.bits()),
            database_url: url("DATABASE_URL", database),
            redis_url: url("REDIS_URL", "redis://127.0.0.1:6379/"),
            amqp_url: url("AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2f"),
            folder: tempfile::tempdir().unwrap(),
        };
        there(place.is_there().await)?;
        place.configure(channels);
        Some(place)
    }

    async fn is_there(&self) -> Result<(), Missing> {
        let missing = |error: &dyn std::fmt::Display| Missing(error.to_string());
        let cluster = self.connect().await.map_err(|error| missing(&error))?;
        for (service, health) in cluster.health() {
            if !health.is_up() {
                return Err(missing(&format!("{service} is {health:?}")));
            }
        }
        cluster.close().await;
        Ok(())
    }

    async fn connect(&self) -> Result<Cluster, replygate_cluster::ClusterError> {
        let clock = Arc::new(SystemClock::start());
        Cluster::connect(&self.services(), clock, Arc::new(OsEntropy)).await
    }

    /// How the installation uses its services.
    pub fn services(&self) -> ClusterConfig {
        let mut services = ClusterConfig::new(&self.database_url, &self.redis_url, &self.amqp_url);
        services.postgres.schema.clone_from(&self.name);
        services.postgres.readers = 2;
        services.queue_prefix.clone_from(&self.name);
        services
    }

    /// The store, beside the installation's processes.
    pub async fn store(&self) -> Postgres {
        let clock = Arc::new(SystemClock::start());
        Postgres::open(&self.services().postgres, clock)
            .await
            .unwrap()
    }

    /// Deletes every key of the installation in Redis, as a restart without persistence would.
    pub async fn flush_redis(&self) {
        let store = self.store().await;
        let pattern = format!("replygate-{:032x}*", store.installation());
        store.close().await;
        let client = redis::Client::open(self.redis_url.as_str()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let mut keys = redis::cmd("KEYS");
        let keys: Vec<String> = keys
            .arg(pattern)
            .query_async(&mut connection)
            .await
            .unwrap();
        for key in keys {
            let mut delete = redis::cmd("DEL");
            let _: u32 = delete.arg(key).query_async(&mut connection).await.unwrap();
        }
    }

    /// The file's path.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("replygate.toml")
    }

    /// Writes the file with these channels.
    pub fn configure(&self, channels: &str) {
        let direct = [&self.database_url, &self.redis_url, &self.amqp_url];
        self.configure_at(direct.map(String::as_str), channels);
    }

    /// The same for services that are reached at other addresses: PostgreSQL's, Redis's, RabbitMQ's.
    pub fn configure_at(&self, urls: [&str; 3], channels: &str) {
        let [database_url, redis_url, amqp_url] = urls;
        let name = &self.name;
        let text = format!(
            "[server]\nmode = \"cluster\"\nlisten = \"127.0.0.1:0\"\n\n[cluster]\ndatabase_url = \"{database_url}\"\n\
             redis_url = \"{redis_url}\"\namqp_url = \"{amqp_url}\"\nschema = \"{name}\"\nqueue_prefix = \"{name}\"\n\n{channels}"
        );
        std::fs::write(self.file(), text).unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let (services, schema) = (self.services(), self.name.clone());
        let gone = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                // Without a service there is nothing to clean up.
                let rabbit = RabbitOptions::new(&services.amqp_url, &services.queue_prefix);
                let clock = Arc::new(SystemClock::start());
                drop(Rabbit::delete(&rabbit, clock, Arc::new(OsEntropy)).await);
                if let Ok(mut connection) = PgConnection::connect(&services.postgres.url).await {
                    let script = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
                    let script = sqlx::raw_sql(AssertSqlSafe(script));
                    drop(script.execute(&mut connection).await);
                }
            });
        });
        drop(gone.join());
    }
}
