//! The ports on PostgreSQL, Redis and RabbitMQ, for many processes. PostgreSQL is the only authority; Redis and RabbitMQ
//! carry speed and transport and may lose everything at any moment. Must never know the engine or another adapter.

mod backoff;
mod checks;
mod cluster;
mod health;
mod limit;
mod postgres;
mod rabbit;
mod redis;

pub use checks::{About, Finding, Level, clock};
pub use cluster::{Cluster, ClusterConfig, ClusterError};
pub use health::Health;
pub use postgres::{Postgres, PostgresError, PostgresOptions, TransferError};
pub use rabbit::{Conflict, Depth, QueueDuty, QueueKind, Rabbit, RabbitError, RabbitOptions};
pub use redis::{Redis, RedisError, RedisOptions};
