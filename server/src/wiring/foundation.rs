//! What an installation stands on: every port of one process, and the services behind them. Whoever starts a server may
//! put something of its own before a port; must never be changed once the server runs.

use std::sync::Arc;

use replygate_cluster::{Cluster, Finding, Level};
use replygate_embedded::{Database, LocalBudgets, OsEntropy, SystemClock};
use replygate_engine::{Peers, Role as EngineRole, Tuning};
use replygate_ports::budgets::Budgets;
use replygate_ports::clock::Clock;

use super::backing::Backing;
use crate::config::{ClusterSection, Config, Role};
use crate::server::StartError;
use crate::service::Stores;

/// Every port of one process.
pub struct Foundation {
    /// What the whole server uses.
    pub stores: Stores,
    /// How often chats may be written to.
    pub budgets: Arc<dyn Budgets>,
    /// What processes tell each other; `None` for a process that is alone.
    pub peers: Option<Peers>,
    /// How the engine works.
    pub tuning: Tuning,
    /// The services behind the ports.
    pub backing: Backing,
}

impl Foundation {
    /// Opens what the configuration names, and looks whether it will do. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// When the data directory or a service cannot be used; that Redis or RabbitMQ is away is no such error.
    pub async fn open(config: &Config) -> Result<Self, StartError> {
        match &config.cluster {
            None => Ok(Self::embedded(
                Database::open(&config.server.data_dir).await?,
            )),
            Some(section) => Self::on_services(config, section).await,
        }
    }

    /// One SQLite file and in-process queues.
    #[must_use]
    pub fn embedded(database: Database) -> Self {
        let stores = Stores::embedded(&database);
        Self {
            budgets: Arc::new(LocalBudgets::new(stores.clock.clone())),
            peers: None,
            tuning: Tuning::default(),
            backing: Backing::Embedded(database),
            stores,
        }
    }

    /// PostgreSQL, Redis and RabbitMQ, shared with other processes.
    #[must_use]
    pub fn cluster(cluster: Cluster, clock: Arc<dyn Clock>, role: Role) -> Self {
        let (redis, rabbit) = (&cluster.redis, &cluster.rabbit);
        Self {
            budgets: redis.budgets(),
            peers: Some(Peers {
                leases: redis.leases(),
                mirror: redis.mirror(),
                wakes: redis.wakes(),
                parked: Arc::new(rabbit.clone()),
            }),
            tuning: Tuning {
                alone: false,
                role: if role.works() {
                    EngineRole::Worker
                } else {
                    EngineRole::Web
                },
                ..Tuning::default()
            },
            stores: Stores::cluster(&cluster, clock),
            backing: Backing::Cluster(cluster),
        }
    }

    async fn on_services(config: &Config, section: &ClusterSection) -> Result<Self, StartError> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let mut services = section.services();
        services.rungs.extend(config.rungs());
        let cluster = Cluster::connect(&services, clock.clone(), Arc::new(OsEntropy)).await?;
        let found = cluster.check().await;
        tell(&found);
        let fatal: Vec<Finding> = found
            .into_iter()
            .filter(|found| found.level == Level::Bad)
            .collect();
        if !fatal.is_empty() {
            cluster.close().await;
            return Err(StartError::Unfit(fatal));
        }
        Ok(Self::cluster(cluster, clock, config.server.role))
    }
}

/// Says what was found. What is as it should be is said as well: whoever reads the log later wants to know.
fn tell(found: &[Finding]) {
    for finding in found {
        match finding.level {
            Level::Good => tracing::info!("{finding}"),
            Level::Warning => tracing::warn!("{finding}"),
            Level::Bad => tracing::error!("{finding}"),
        }
    }
}
