//! The services under test: a schema and a prefix for each test, both gone behind it.

use std::sync::Arc;

use replygate_cluster::{Cluster, ClusterConfig, ClusterError, Rabbit, RabbitOptions};
use replygate_gate::At;
use replygate_ports::clock::Clock;
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::Missing;
use replygate_testkit::entropy::SeededEntropy;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::runtime::Builder;

#[expect(
    clippy::disallowed_methods,
    reason = "where the tests' services are, only the environment can say"
)]
fn url(variable: &str, local: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| local.to_owned())
}

/// An installation of its own.
pub struct Place {
    name: String,
    clock: Arc<SimClock>,
}

impl Place {
    pub fn new() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "tests in many processes share the services"
        )]
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        Self {
            name,
            clock: Arc::new(SimClock::start()),
        }
    }

    pub fn now(&self) -> At {
        self.clock.now()
    }

    pub fn config(&self) -> ClusterConfig {
        let mut config = ClusterConfig::new(
            &url(
                "DATABASE_URL",
                "postgres://postgres@127.0.0.1:5432/postgres",
            ),
            &url("REDIS_URL", "redis://127.0.0.1:6379/"),
            &url("AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2f"),
        );
        config.postgres.schema.clone_from(&self.name);
        config.postgres.readers = 2;
        config.queue_prefix.clone_from(&self.name);
        config
    }

    /// A process of this installation.
    ///
    /// # Errors
    /// `Missing` when a service is not there.
    pub async fn connect(&self) -> Result<Cluster, Missing> {
        let cluster = match self.connect_with(&self.config()).await {
            Ok(cluster) => cluster,
            Err(error) => return Err(Missing(error.to_string())),
        };
        let away = cluster
            .health()
            .into_iter()
            .find(|(_, health)| !health.is_up());
        match away {
            Some((service, health)) => Err(Missing(format!("{service} is {health:?}"))),
            None => Ok(cluster),
        }
    }

    pub async fn connect_with(&self, config: &ClusterConfig) -> Result<Cluster, ClusterError> {
        let entropy = Arc::new(SeededEntropy::new(1));
        Cluster::connect(config, self.clock.clone(), entropy).await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let config = self.config();
        let (clock, schema) = (self.clock.clone(), self.name.clone());
        let gone = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                // Without a service there is nothing to clean up.
                let rabbit = RabbitOptions::new(&config.amqp_url, &config.queue_prefix);
                let entropy = Arc::new(SeededEntropy::new(1));
                drop(Rabbit::delete(&rabbit, clock, entropy).await);
                if let Ok(mut connection) = PgConnection::connect(&config.postgres.url).await {
                    let script = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
                    let script = sqlx::raw_sql(AssertSqlSafe(script));
                    drop(script.execute(&mut connection).await);
                }
            });
        });
        drop(gone.join());
    }
}
