//! The connections that answer people. A question that takes too long is stopped, so that a search of everything holds
//! neither a connection nor a core. The pipeline must never use them.

use std::time::Duration;

use replygate_ports::clock::Clock as _;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{Error, SqliteConnection, SqlitePool};

use crate::clock::SystemClock;

/// How long one question may take, the console's statement limit.
pub(super) const LIMIT: Duration = Duration::from_secs(2);
const VIEWERS: u32 = 3;
/// Steps of SQLite's machine between two looks at the clock, about a millisecond's worth.
const STEPS: i32 = 20_000;

/// Connections as `options` say, made when they are needed, each of whose questions ends after `limit`.
pub(super) fn open(options: SqliteConnectOptions, limit: Duration) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(VIEWERS)
        // Who waits behind questions that are stopped still has an answer.
        .acquire_timeout(limit * 2)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(move |connection, _| Box::pin(stop_after(connection, limit)))
        .before_acquire(move |connection, _| {
            Box::pin(async move {
                stop_after(connection, limit).await?;
                Ok(true)
            })
        })
        .connect_lazy_with(options)
}

/// Lets what the connection is asked next run for `limit` from now.
async fn stop_after(connection: &mut SqliteConnection, limit: Duration) -> Result<(), Error> {
    let clock = SystemClock::start();
    let mut handle = connection.lock_handle().await?;
    handle.set_progress_handler(STEPS, move || clock.elapsed() < limit);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use replygate_ports::store::StoreError;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::{VIEWERS, open};
    use crate::error::read_fault;

    const ENDLESS: &str = "WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)
        SELECT count(*) FROM more";

    #[tokio::test]
    async fn an_endless_question_is_stopped_and_its_connection_answers_the_next() {
        let pool = open(
            SqliteConnectOptions::new().in_memory(true),
            Duration::from_millis(50),
        );
        for _ in 0..=VIEWERS {
            let stopped = sqlx::query(ENDLESS).fetch_one(&pool).await;
            assert!(matches!(
                stopped.map_err(read_fault),
                Err(StoreError::TookTooLong(_))
            ));
        }
        let (one,): (i64,) = sqlx::query_as("SELECT 1").fetch_one(&pool).await.unwrap();
        assert_eq!(one, 1);
    }

    #[tokio::test]
    async fn every_question_has_the_whole_time_to_itself() {
        let pool = open(
            SqliteConnectOptions::new().in_memory(true),
            Duration::from_mins(1),
        );
        let short =
            "WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more LIMIT 200000)
            SELECT count(*) FROM more";
        for _ in 0..3 {
            let (count,): (i64,) = sqlx::query_as(short).fetch_one(&pool).await.unwrap();
            assert_eq!(count, 200_000);
        }
    }
}
