//! The ports on PostgreSQL, Redis and RabbitMQ, for many processes. PostgreSQL is the only authority; Redis and RabbitMQ
//! carry speed and transport and may lose everything at any moment. Must never know the engine or another adapter.

mod postgres;

pub use postgres::{Postgres, PostgresError, PostgresOptions};
