//! Making a connection: the same settings on each, whatever the server's defaults are. Must never wait without a bound.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{Either, select};
use replygate_ports::clock::Clock;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Row};

use super::error::Trouble;
use super::{PostgresError, PostgresOptions};

/// The oldest PostgreSQL that will do.
const OLDEST: u32 = 15;
/// Retention and erasure may take this long.
const KEEP: Duration = Duration::from_mins(1);
/// Migrations may take this long.
const PREPARE: Duration = Duration::from_mins(10);
/// How much longer than the server we wait: its own "too late" comes first when the network works.
const GRACE: Duration = Duration::from_secs(1);
/// Statements kept prepared on each connection.
const PREPARED: usize = 256;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Reads of one statement.
    Read,
    /// Batches of appends.
    Write,
    /// Retention and erasure.
    Keep,
    /// Counts.
    Count,
    /// Migrations.
    Prepare,
}

/// The way to PostgreSQL.
pub(super) struct Connector {
    options: PgConnectOptions,
    schema: String,
    clock: Arc<dyn Clock>,
    connect_timeout: Duration,
    statement_timeout: Duration,
    count_timeout: Duration,
}

impl Connector {
    pub fn new(options: &PostgresOptions, clock: Arc<dyn Clock>) -> Result<Self, PostgresError> {
        refuse_wrong(options)?;
        let address: PgConnectOptions = options.url.parse().map_err(PostgresError::Address)?;
        let address = address
            .application_name(&options.application_name)
            .statement_cache_capacity(PREPARED)
            .disable_statement_logging();
        Ok(Self {
            options: address,
            schema: options.schema.clone(),
            clock,
            connect_timeout: options.connect_timeout,
            statement_timeout: options.statement_timeout,
            count_timeout: options.count_timeout,
        })
    }

    pub fn schema(&self) -> &str {
        &self.schema
    }

    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Host, port and database; never the password.
    pub fn place(&self) -> String {
        let database = self.options.get_database();
        let database = database.unwrap_or_else(|| self.options.get_username());
        match self.options.get_socket() {
            Some(socket) => format!("{}/{database}", socket.display()),
            None => format!(
                "{}:{}/{database}",
                self.options.get_host(),
                self.options.get_port()
            ),
        }
    }

    /// How long the server may work on one statement.
    fn limit(&self, manner: Manner) -> Duration {
        match manner {
            Manner::Read | Manner::Write => self.statement_timeout,
            Manner::Count => self.count_timeout,
            Manner::Keep => KEEP.max(self.statement_timeout),
            Manner::Prepare => PREPARE,
        }
    }

    /// Waits for a statement's answer as long as the server may take, and a little for the way.
    pub async fn within<T>(
        &self,
        manner: Manner,
        answer: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, Trouble> {
        self.bounded(self.limit(manner) + GRACE, answer).await
    }

    /// Waits for a turn as long as a statement may take.
    pub async fn turn<T>(&self, turn: impl Future<Output = T>) -> Result<T, Trouble> {
        let wait = self.statement_timeout;
        match select(pin!(turn), self.clock.sleep(wait)).await {
            Either::Left((turn, _)) => Ok(turn),
            Either::Right(_) => Err(Trouble::Busy(wait)),
        }
    }

    async fn bounded<T>(
        &self,
        wait: Duration,
        answer: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, Trouble> {
        match select(pin!(answer), self.clock.sleep(wait)).await {
            Either::Left((answer, _)) => Ok(answer?),
            Either::Right(_) => Err(Trouble::Silent(wait)),
        }
    }

    pub async fn connect(&self, manner: Manner) -> Result<PgConnection, Trouble> {
        let opened = async {
            let mut connection = self.options.connect().await?;
            let settings = self.settings(manner);
            let (names, values): (Vec<_>, Vec<_>) = settings.into_iter().unzip();
            sqlx::query(
                "SELECT set_config(name, value, false) FROM unnest($1, $2) AS v (name, value)",
            )
            .bind(names)
            .bind(values)
            .execute(&mut connection)
            .await?;
            Ok(connection)
        };
        self.bounded(self.connect_timeout, opened).await
    }

    fn settings(&self, manner: Manner) -> Vec<(&'static str, String)> {
        let limit = self.limit(manner).as_millis().to_string();
        let mut settings = vec![
            ("search_path", format!("\"{}\"", self.schema)),
            ("statement_timeout", limit.clone()),
            ("idle_in_transaction_session_timeout", limit),
            ("default_transaction_isolation", "read committed".to_owned()),
            ("jit", "off".to_owned()),
        ];
        if matches!(manner, Manner::Write | Manner::Keep) {
            // A batch, and a round of retention, find their rows by an index, however large the tables are and whatever the
            // statistics say.
            settings.push(("enable_seqscan", "off".to_owned()));
        }
        if manner == Manner::Write {
            let off = ["enable_hashjoin", "enable_mergejoin"];
            settings.extend(off.map(|name| (name, "off".to_owned())));
            settings.push(("plan_cache_mode", "force_generic_plan".to_owned()));
        }
        settings
    }
}

fn refuse_wrong(options: &PostgresOptions) -> Result<(), PostgresError> {
    let wrong = |option, value: &dyn ToString, allowed| PostgresError::Option {
        option,
        value: value.to_string(),
        allowed,
    };
    let name = &options.schema;
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit();
    let first_is_digit = name.as_bytes().first().is_none_or(u8::is_ascii_digit);
    if name.len() > 63 || first_is_digit || !name.bytes().all(letter) || name.starts_with("pg_") {
        let allowed = "1 to 63 of a-z, 0-9 and _, not beginning with a digit or pg_";
        return Err(wrong("schema", &format!("`{name}`"), allowed));
    }
    if !(1..=100).contains(&options.readers) {
        return Err(wrong("readers", &options.readers, "1 to 100"));
    }
    if !(1..=16).contains(&options.writers) {
        return Err(wrong("writers", &options.writers, "1 to 16"));
    }
    if !(1..=4_096).contains(&options.batch) {
        return Err(wrong("batch", &options.batch, "1 to 4096"));
    }
    Ok(())
}

/// Refuses a server that is too old, or a database that cannot hold every text, and makes sure that a commit is on the disk
/// when it is answered.
pub(super) async fn refuse_unfit(
    connector: &Connector,
    connection: &mut PgConnection,
) -> Result<(), PostgresError> {
    let sql = "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
        current_setting('server_encoding') AS encoding, current_setting('synchronous_commit') AS synchronous,
        current_setting('fsync') AS fsync";
    let asked = connector
        .within(Manner::Prepare, sqlx::query(sql).fetch_one(connection))
        .await;
    let unreachable = |trouble: Trouble| PostgresError::Unreachable {
        place: connector.place(),
        source: Box::new(trouble),
    };
    let row = asked.map_err(unreachable)?;
    let text = |column: &str| row.try_get::<String, _>(column).unwrap_or_default();
    let number: i32 = row.try_get("number").unwrap_or_default();
    judge_fitness(connector.place(), number, text("version"), text("encoding"))?;
    for setting in ["synchronous", "fsync"] {
        if text(setting) == "off" {
            tracing::warn!(
                setting,
                "PostgreSQL answers before a commit is on the disk: what was acknowledged may be lost when the machine dies"
            );
        }
    }
    Ok(())
}

fn judge_fitness(
    place: String,
    number: i32,
    version: String,
    encoding: String,
) -> Result<(), PostgresError> {
    if number / 10_000 < OLDEST as i32 {
        return Err(PostgresError::TooOld {
            place,
            found: version,
            oldest: OLDEST,
        });
    }
    if encoding != "UTF8" {
        return Err(PostgresError::Encoding {
            place,
            found: encoding,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(number: i32, version: &str, encoding: &str) -> String {
        let judged = judge_fitness("db:5432/x".into(), number, version.into(), encoding.into());
        judged
            .err()
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn an_old_postgresql_is_refused_in_plain_words() {
        assert_eq!(
            judged(140_009, "14.9", "UTF8"),
            "PostgreSQL at db:5432/x is version 14.9; replygate needs version 15 or newer"
        );
        assert_eq!(judged(150_000, "15.0", "UTF8"), "");
        assert_eq!(judged(180_001, "18.1", "UTF8"), "");
    }

    #[test]
    fn a_database_that_cannot_hold_every_text_is_refused() {
        assert!(judged(150_000, "15.0", "LATIN1").contains("LATIN1"));
    }

    #[test]
    fn a_schema_that_is_no_plain_name_is_refused() {
        for name in ["", "1a", "Replygate", "a\"b", "pg_own", &"a".repeat(64)] {
            let mut options = PostgresOptions::new("postgres://localhost");
            options.schema = name.to_owned();
            assert!(refuse_wrong(&options).is_err(), "{name}");
        }
        assert!(refuse_wrong(&PostgresOptions::new("postgres://localhost")).is_ok());
    }
}
