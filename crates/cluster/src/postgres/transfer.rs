//! Taking a whole installation over from another store, in one transaction: everything, seen to be everything, or nothing.

mod read;
mod rows;

use futures::stream::{BoxStream, StreamExt as _};
use replygate_ports::store::StoreError;
use replygate_ports::transfer::{Record, Tally};

use super::Postgres;
use super::codec::Columns;
use super::connect::Manner;
use super::error::Trouble;
use super::lines::{Line, Lines};
use rows::write;

/// Records in one statement at most.
const MOST: usize = 256;

/// Nothing was taken over.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// There is something already.
    #[error(
        "the schema holds {what} already; an installation moves into an empty one only, before any server has started there"
    )]
    NotEmpty {
        /// What.
        what: &'static str,
    },
    /// What it came from could not be read.
    #[error("the installation cannot be read")]
    Source(#[source] StoreError),
    /// A record belongs to a session that was not told.
    #[error("{missing} of {told} {kind} belong to no session")]
    Orphans {
        /// What kind of record.
        kind: &'static str,
        /// How many of them.
        missing: u64,
        /// Of how many.
        told: u64,
    },
    /// What was written is not what was told.
    #[error("what arrived is not what was sent: {}", tell(.0))]
    Different(Vec<(&'static str, u64, u64)>),
    /// PostgreSQL did not do it.
    #[error("the records cannot be stored")]
    Store(#[source] StoreError),
}

impl From<Trouble> for TransferError {
    fn from(trouble: Trouble) -> Self {
        Self::Store(trouble.into())
    }
}

fn tell(differences: &[(&'static str, u64, u64)]) -> String {
    let each = differences.iter();
    let each = each.map(|(kind, sent, came)| {
        if sent == came {
            format!("some of {sent} {kind} changed")
        } else {
            format!("{sent} {kind} were sent, {came} came")
        }
    });
    each.collect::<Vec<_>>().join("; ")
}

/// What must be empty, and its name.
const EMPTY: &[(&str, &str)] = &[
    ("SELECT EXISTS (SELECT FROM session) AS there", "sessions"),
    ("SELECT EXISTS (SELECT FROM settings) AS there", "settings"),
    ("SELECT EXISTS (SELECT FROM account) AS there", "users"),
    ("SELECT EXISTS (SELECT FROM token) AS there", "tokens"),
    (
        "SELECT EXISTS (SELECT FROM tool_settings) AS there",
        "settings of tools",
    ),
    (
        "SELECT EXISTS (SELECT FROM tool_call) AS there",
        "tool calls",
    ),
    (
        "SELECT EXISTS (SELECT FROM operation) AS there",
        "operations",
    ),
    (
        "SELECT EXISTS (SELECT FROM activity) AS there",
        "entries of the log",
    ),
    (
        "SELECT EXISTS (SELECT FROM saved_view) AS there",
        "saved views",
    ),
];

/// A server that starts meanwhile waits, and then finds that it is not alone in the schema.
const LOCK: &str = "LOCK TABLE session, settings, account, token, sign_in, tool_settings, tool_call, tool_pass, operation, activity, saved_view IN SHARE ROW EXCLUSIVE MODE";

/// Entries of the log go on behind those that came.
const GO_ON_LOGGING: &str =
    "UPDATE meta SET activities = (SELECT coalesce(max(place), 0) FROM activity)";

/// Messages and replies go on behind those that came.
const GO_ON: &str = "SELECT setval('entry', greatest(
    (SELECT coalesce(max(entry), 0) FROM message), (SELECT coalesce(max(entry), 0) FROM reply),
    (SELECT coalesce(max(history_from), 0) FROM session), 1))";

impl Postgres {
    /// Takes over everything that another store told, in one transaction, and reads it all back before the commit. A few
    /// records at a time are in memory. Returns what came.
    ///
    /// # Errors
    /// When the schema is not empty, the records cannot be read or stored, or what is read back differs; nothing is kept
    /// then.
    pub async fn take_over(
        &self,
        records: BoxStream<'_, Result<Record, StoreError>>,
    ) -> Result<Tally, TransferError> {
        let lines = Lines::new(self.inner.connector.clone(), Manner::Prepare, 1);
        let mut line = lines.take().await?;
        line.change(sqlx::query("BEGIN")).await?;
        line.change(sqlx::query(LOCK)).await?;
        refuse_full(&mut line).await?;
        let sent = store(&mut line, records).await?;
        line.rows(sqlx::query(GO_ON)).await?;
        line.change(sqlx::query(GO_ON_LOGGING)).await?;
        let came = read::tally(&mut line).await?;
        let differences = sent.differences(&came);
        if !differences.is_empty() {
            return Err(TransferError::Different(differences));
        }
        line.change(sqlx::query("COMMIT")).await?;
        Ok(came)
    }
}

async fn refuse_full(line: &mut Line<'_>) -> Result<(), TransferError> {
    for (sql, what) in EMPTY {
        let rows = line.rows(sqlx::query(*sql)).await?;
        let there = rows.first().map(|row| Columns(row).get::<bool>("there"));
        if there
            .transpose()
            .map_err(TransferError::Store)?
            .unwrap_or(false)
        {
            return Err(TransferError::NotEmpty { what });
        }
    }
    Ok(())
}

/// Stores the records as they come, those of one kind together.
async fn store(
    line: &mut Line<'_>,
    mut records: BoxStream<'_, Result<Record, StoreError>>,
) -> Result<Tally, TransferError> {
    let mut tally = Tally::default();
    let mut chunk: Vec<Record> = Vec::new();
    while let Some(record) = records.next().await {
        let record = record.map_err(TransferError::Source)?;
        tally.add(&record);
        let is_of_kind = chunk
            .first()
            .is_none_or(|first| first.kind() == record.kind());
        if !is_of_kind || chunk.len() == MOST {
            write(line, &chunk).await?;
            chunk.clear();
        }
        chunk.push(record);
    }
    write(line, &chunk).await?;
    Ok(tally)
}
