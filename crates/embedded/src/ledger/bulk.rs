//! Many rows in one statement. A statement costs a hop to the connection's thread; a row costs next to nothing.

use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments};
use sqlx::{AssertSqlSafe, SqliteConnection};

/// Rows in one statement at most. Smaller sizes are padded to a power of two, so that few statements have to be prepared.
const MOST: usize = 128;

/// A value of a row.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Null,
    Int(i64),
    Text(String),
    Word(&'static str),
    Blob(Vec<u8>),
}

impl Cell {
    pub fn at(at: replygate_gate::At) -> Self {
        Self::Int(at.0)
    }

    pub fn or_null<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Null, cell)
    }

    pub fn bind(
        query: Query<'_, Sqlite, SqliteArguments>,
        cell: Self,
    ) -> Query<'_, Sqlite, SqliteArguments> {
        match cell {
            Self::Null => query.bind(None::<i64>),
            Self::Int(value) => query.bind(value),
            Self::Text(value) => query.bind(value),
            Self::Word(value) => query.bind(value),
            Self::Blob(value) => query.bind(value),
        }
    }
}

/// A statement over many rows: `head`, the rows, `tail`. Rows whose first column is NULL must change nothing.
pub(super) struct Shape {
    pub head: &'static str,
    pub columns: usize,
    pub tail: &'static str,
}

/// Rows for one statement.
pub(super) struct Bulk {
    shape: &'static Shape,
    cells: Vec<Cell>,
}

impl Bulk {
    pub fn new(shape: &'static Shape) -> Self {
        Self {
            shape,
            cells: Vec::new(),
        }
    }

    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.cells.extend(row);
    }

    /// Writes the rows; returns how many were changed.
    pub async fn write(self, connection: &mut SqliteConnection) -> Result<u64, sqlx::Error> {
        let mut changed = 0;
        let Shape {
            head,
            columns,
            tail,
        } = *self.shape;
        let mut cells = self.cells.into_iter().peekable();
        while cells.peek().is_some() {
            let rows = padded(cells.len() / columns).min(MOST);
            let sql = format!("{head} (VALUES {}) {tail}", marks(rows, columns));
            let mut query = sqlx::query(AssertSqlSafe(sql));
            for _ in 0..rows * columns {
                query = Cell::bind(query, cells.next().unwrap_or(Cell::Null));
            }
            changed += query.execute(&mut *connection).await?.rows_affected();
        }
        Ok(changed)
    }
}

/// The number of rows in a statement for `rows` rows.
pub(super) fn padded(rows: usize) -> usize {
    rows.next_power_of_two()
}

/// `(?,?),(?,?)`
pub(super) fn marks(rows: usize, columns: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(","));
    vec![row; rows].join(",")
}
