//! The services behind the ports, as far as the server has to know them: whether they answer, and their end. Must never be
//! a way around a port.

use replygate_cluster::{Cluster, Health};
use replygate_embedded::Database;

/// The services behind the ports. Clones share them.
#[derive(Clone)]
pub enum Backing {
    /// One SQLite file.
    Embedded(Database),
    /// PostgreSQL, Redis and RabbitMQ.
    Cluster(Cluster),
}

impl Backing {
    /// How the services are that may be away while the server goes on.
    #[must_use]
    pub fn health(&self) -> Vec<(&'static str, Health)> {
        match self {
            Self::Embedded(_) => Vec::new(),
            Self::Cluster(cluster) => cluster.health().to_vec(),
        }
    }

    /// Whether this process hears what others tell.
    #[must_use]
    pub fn hears_others(&self) -> bool {
        match self {
            Self::Embedded(_) => true,
            Self::Cluster(cluster) => cluster.redis.health().is_up(),
        }
    }

    /// Ends the connections, after what was asked for before is stored.
    pub async fn close(&self) {
        match self {
            Self::Embedded(database) => database.close().await,
            Self::Cluster(cluster) => cluster.clone().close().await,
        }
    }
}
