//! The statement that stores a batch. It locks the batch's sessions in the order of their identifiers, sees which of them
//! are as they were believed to be, and writes the rows of those and of no others. Whatever two processes could both insert
//! comes in the same order from both, so that neither waits for the other in a circle.

mod messages;
mod replies;
mod sessions;
mod verdict;

use std::collections::HashMap;
use std::sync::Arc;

use replygate_gate::SessionId;
use replygate_ports::draft::{self, MovedSession};
use replygate_ports::store::Append;
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::{AssertSqlSafe, query_with};

use super::Pending;
use crate::postgres::cache::Known;
use crate::postgres::codec::Columns;
use crate::postgres::error::Trouble;
use crate::postgres::statement::Statement;

pub(super) type Rows<'a> = draft::Rows<'a, Pending, Known>;
type Session<'a> = MovedSession<'a, Pending, Known>;

/// What became of a batch's sessions.
#[derive(Default)]
pub(super) struct Written {
    /// Those whose steps are stored.
    pub kept: Vec<(SessionId, Arc<Known>)>,
    /// Those that were not as they were believed to be; nothing of theirs is stored.
    pub lost: Vec<SessionId>,
}

/// Whether the row's session is one of those that are as they were believed to be.
const WON: &str = "(SELECT won FROM verdict)[v.s]";

/// Stores the rows; returns when they are durable.
pub(super) async fn store(
    connection: &mut PgConnection,
    rows: &Rows<'_>,
) -> Result<Written, Trouble> {
    let places = Places::of(rows);
    let (sql, arguments) = statement(rows, &places)?;
    let query = query_with::<_, PgArguments>(AssertSqlSafe(sql), arguments);
    // To the very end of the answer: the rows come before the commit, the end of the answer after it.
    let answer = query.fetch_all(connection).await?;
    let answer = answer.first().ok_or(sqlx::Error::RowNotFound)?;
    let won: Vec<bool> = Columns(answer).get("won")?;
    let numbers: Vec<i64> = Columns(answer).get("numbers")?;

    let mut written = Written::default();
    for (session, won) in places.sessions.iter().zip(won) {
        let id = session.last.append.id;
        if !won {
            written.lost.push(id);
            continue;
        }
        let number = || {
            numbers
                .get(places.birth(id) - 1)
                .copied()
                .unwrap_or_default()
        };
        let life = session
            .known
            .as_ref()
            .map_or_else(number, |known| known.life);
        let stored = session.stored();
        written.kept.push((id, Arc::new(Known { life, stored })));
    }
    Ok(written)
}

/// Where each session stands in the statement.
struct Places<'r, 'a> {
    /// In the order of their identifiers, in which they are locked.
    sessions: Vec<&'r Session<'a>>,
    /// From 1, as SQL counts.
    numbers: HashMap<SessionId, i32>,
    /// How many entries the batch has; births draw theirs behind them.
    entries: usize,
}

impl<'r, 'a> Places<'r, 'a> {
    fn of(rows: &'r Rows<'a>) -> Self {
        let mut sessions: Vec<&Session<'a>> = rows.sessions.iter().collect();
        sessions.sort_unstable_by_key(|session| session.last.append.id);
        let ids = sessions.iter().map(|session| session.last.append.id);
        let numbers = ids.zip(1..).collect();
        Self {
            sessions,
            numbers,
            entries: rows.entries,
        }
    }

    fn number(&self, session: SessionId) -> i32 {
        self.numbers.get(&session).copied().unwrap_or_default()
    }

    /// The entry from which a session that is made takes the number of its life.
    fn birth(&self, session: SessionId) -> usize {
        self.entries + self.number(session).unsigned_abs() as usize
    }

    /// The places of the sessions that these steps belong to.
    fn column<'x>(&self, steps: impl Iterator<Item = &'x Append>) -> Vec<i32> {
        steps.map(|append| self.number(append.id)).collect()
    }
}

fn statement(
    rows: &Rows<'_>,
    places: &Places<'_, '_>,
) -> Result<(String, PgArguments), sqlx::Error> {
    let mut statement = Statement::default();
    verdict::verdict(&mut statement, rows, places);
    numbers(&mut statement, places);
    sessions::sessions(&mut statement, places);
    sessions::steps(&mut statement, rows, places);
    messages::messages(&mut statement, rows, places);
    messages::keys(&mut statement, rows, places);
    replies::replies(&mut statement, rows, places);
    replies::actions(&mut statement, rows, places);
    statement
        .finish("SELECT (SELECT won FROM verdict) AS won, (SELECT numbers FROM numbers) AS numbers")
}

/// The numbers that this batch's entries get, and those of the lives that it begins.
fn numbers(statement: &mut Statement, places: &Places<'_, '_>) {
    let births = places
        .sessions
        .iter()
        .rev()
        .find(|session| session.known.is_none());
    let most = births.map_or(places.entries, |last| places.birth(last.last.append.id));
    let most = statement.value(most as i64);
    let sql = format!(
        "SELECT coalesce(array_agg(number), '{{}}') AS numbers
            FROM (SELECT nextval('entry') AS number FROM generate_series(1, {most})) AS drawn"
    );
    statement.with("numbers", &sql);
}

/// The number of the entry in this column.
fn drawn(column: &str) -> String {
    format!("(SELECT numbers FROM numbers)[v.{column}]")
}
