//! Connections for statements that need no company, each for one caller at a time. A connection in doubt is closed, and
//! whoever needs one next opens another. Must never hand out a connection that was left in the middle of something.
//!
//! Not the driver's own pool, which asks the server once more after every statement whether it is still there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use replygate_ports::store::StoreError;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{Connection, Postgres};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::connect::{Connector, Manner};
use super::error::{Remedy, Trouble};

/// A connection that rested longer is asked whether it is still there before it is used.
pub(super) const RESTED: Duration = Duration::from_secs(1);

struct Idle {
    connection: PgConnection,
    since: Duration,
}

pub(super) struct Lines {
    connector: Arc<Connector>,
    manner: Manner,
    turns: Semaphore,
    /// The most recently used last.
    idle: Mutex<Vec<Idle>>,
}

/// A connection for one caller. Dropped before it is given back, it is closed.
pub(super) struct Line<'a> {
    lines: &'a Lines,
    connection: PgConnection,
    _turn: SemaphorePermit<'a>,
}

impl Lines {
    pub fn new(connector: Arc<Connector>, manner: Manner, most: usize) -> Self {
        Self {
            connector,
            manner,
            turns: Semaphore::new(most),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// The rows of a statement.
    pub async fn rows(
        &self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<Vec<PgRow>, StoreError> {
        let mut line = self.take().await?;
        let asked = query.fetch_all(&mut line.connection);
        let answer = self.connector.within(self.manner, asked).await;
        Ok(line.end(answer)?)
    }

    /// The row of a statement that has at most one.
    pub async fn row(
        &self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<Option<PgRow>, StoreError> {
        Ok(self.rows(query).await?.pop())
    }

    /// Carries one statement out durably; returns how many rows it changed.
    pub async fn change(&self, query: Query<'_, Postgres, PgArguments>) -> Result<u64, StoreError> {
        let mut line = self.take().await?;
        // Waits until the server is ready again, which it is only after the commit.
        let asked = query.execute(&mut line.connection);
        let answer = self.connector.within(self.manner, asked).await;
        Ok(line.end(answer)?.rows_affected())
    }

    /// A connection for several statements.
    pub async fn take(&self) -> Result<Line<'_>, Trouble> {
        let turn = self.connector.turn(self.turns.acquire()).await?;
        let turn = turn.map_err(|_| Trouble::Closed)?;
        let rested = self.idle().pop();
        let connection = match rested {
            Some(idle) => self.awake(idle).await?,
            None => self.connector.connect(self.manner).await?,
        };
        Ok(Line {
            lines: self,
            connection,
            _turn: turn,
        })
    }

    async fn awake(&self, idle: Idle) -> Result<PgConnection, Trouble> {
        let mut connection = idle.connection;
        let now = self.connector.clock().elapsed();
        if now.saturating_sub(idle.since) < RESTED {
            return Ok(connection);
        }
        match self.connector.within(self.manner, connection.ping()).await {
            Ok(()) => Ok(connection),
            Err(_) => self.connector.connect(self.manner).await,
        }
    }

    pub async fn close(&self) {
        self.turns.close();
        let idle = std::mem::take(&mut *self.idle());
        for idle in idle {
            // It only tells the server; the connection ends anyway.
            let _ = self
                .connector
                .within(self.manner, idle.connection.close())
                .await;
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line<'_> {
    pub fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Waits for a statement's answer.
    pub async fn rows(
        &mut self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<Vec<PgRow>, Trouble> {
        let asked = query.fetch_all(&mut self.connection);
        self.lines.connector.within(self.lines.manner, asked).await
    }

    /// Carries a statement out; returns how many rows it changed.
    pub async fn change(
        &mut self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<u64, Trouble> {
        let asked = query.execute(&mut self.connection);
        let done = self
            .lines
            .connector
            .within(self.lines.manner, asked)
            .await?;
        Ok(done.rows_affected())
    }

    /// Gives the connection back if the answer says that it is still good.
    pub fn end<T>(self, answer: Result<T, Trouble>) -> Result<T, Trouble> {
        let is_good = answer
            .as_ref()
            .err()
            .is_none_or(|trouble| trouble.remedy() != Remedy::Reconnect);
        let Self {
            lines, connection, ..
        } = self;
        let mut idle = lines.idle();
        if is_good {
            let since = lines.connector.clock().elapsed();
            idle.push(Idle { connection, since });
        } else {
            // Whatever broke this one has broken the others.
            idle.clear();
        }
        drop(idle);
        answer
    }
}
