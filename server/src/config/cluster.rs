//! `[cluster]`: where the services of a cluster are. Addresses may hold passwords, so none is ever shown.

use std::fmt;

use replygate_cluster::{ClusterConfig, QueueKind};
use serde_json::Value;

use super::environment::Environment;
use super::secret;

/// The keys that have to be set, in the order in which they are told.
const ADDRESSES: [(&str, &[&str]); 3] = [
    ("database_url", &["postgres://", "postgresql://"]),
    ("redis_url", &["redis://", "rediss://"]),
    ("amqp_url", &["amqp://", "amqps://"]),
];
/// All keys, for people.
const KEYS: &str = "database_url, redis_url, amqp_url, schema, queue_prefix, queue_kind";

/// `[cluster]`.
#[derive(Clone, Default)]
pub struct ClusterSection {
    /// `postgres://user:password@host:5432/database`.
    pub database_url: String,
    /// `redis://user:password@host:6379/0`, or `rediss://` for TLS.
    pub redis_url: String,
    /// `amqp://user:password@host:5672/%2f`, or `amqps://` for TLS.
    pub amqp_url: String,
    /// The schema in the database; `replygate` unless set.
    pub schema: Option<String>,
    /// Comes first in the names at the broker, for installations that share one.
    pub queue_prefix: String,
    /// How queues are kept: `classic` unless set.
    pub queue_kind: QueueKind,
}

/// The addresses may hold passwords, so they are left out.
impl fmt::Debug for ClusterSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterSection")
            .field("schema", &self.schema)
            .field("queue_prefix", &self.queue_prefix)
            .field("queue_kind", &self.queue_kind)
            .finish_non_exhaustive()
    }
}

impl ClusterSection {
    /// How these services are used.
    #[must_use]
    pub fn services(&self) -> ClusterConfig {
        let mut services = ClusterConfig::new(&self.database_url, &self.redis_url, &self.amqp_url);
        if let Some(schema) = &self.schema {
            services.postgres.schema.clone_from(schema);
        }
        services.queue_prefix.clone_from(&self.queue_prefix);
        services.queue_kind = self.queue_kind;
        services
    }

    /// Takes one key in; else what is wrong with it, in words that do not show an address.
    pub(super) fn take(
        &mut self,
        key: &str,
        value: &Value,
        environment: &Environment,
    ) -> Result<(), String> {
        match key {
            "database_url" => self.database_url = address(key, value, environment)?,
            "redis_url" => self.redis_url = address(key, value, environment)?,
            "amqp_url" => self.amqp_url = address(key, value, environment)?,
            "schema" => self.schema = Some(word(value)?),
            "queue_prefix" => self.queue_prefix = word(value)?,
            "queue_kind" => self.queue_kind = kind(value)?,
            _ => return Err(format!("is no setting, allowed: {KEYS}")),
        }
        Ok(())
    }

    /// The addresses that are not set, each with what is allowed.
    pub(super) fn missing(&self) -> impl Iterator<Item = (&'static str, String)> {
        let values = [&self.database_url, &self.redis_url, &self.amqp_url];
        let missing = ADDRESSES
            .iter()
            .zip(values)
            .filter(|(_, value)| value.is_empty());
        let named: Vec<_> = missing
            .map(|((key, schemes), _)| (*key, allowed(schemes)))
            .collect();
        named.into_iter()
    }
}

fn address(key: &str, value: &Value, environment: &Environment) -> Result<String, String> {
    let schemes = ADDRESSES
        .iter()
        .find(|(name, _)| *name == key)
        .map_or(&[][..], |(_, schemes)| schemes);
    let text = value.as_str().unwrap_or_default();
    let text = if text.starts_with("env:") || text.starts_with("file:") {
        secret::followed(text, environment)?
    } else {
        text.to_owned()
    };
    let text = text.trim();
    if schemes.iter().any(|scheme| text.starts_with(scheme)) {
        return Ok(text.to_owned());
    }
    Err(format!("is no such address, allowed: {}", allowed(schemes)))
}

fn allowed(schemes: &[&str]) -> String {
    format!("{}…, env:NAME, file:PATH", schemes.join("…, "))
}

fn word(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| format!("is `{}`, allowed: a text", super::keys::show(value)))
}

fn kind(value: &Value) -> Result<QueueKind, String> {
    match value.as_str() {
        Some("classic") => Ok(QueueKind::Classic),
        Some("quorum") => Ok(QueueKind::Quorum),
        _ => Err(format!(
            "is `{}`, allowed: classic, quorum",
            super::keys::show(value)
        )),
    }
}
