//! Lists, one stretch at a time, by key set: a stretch stays where it is when rows arrive above it.

use super::{At, Cursor};
use serde::{Deserialize, Serialize};

/// Which stretch of a list is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PageQuery {
    /// Begin behind this place; the newest rows without it. A cursor the server did not make is
    /// [`Invalid`](super::ConsoleError::Invalid) with field `after`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Cursor>,
    /// At most this many rows; the server may give fewer, never more than [`PageQuery::MOST`].
    #[serde(default = "PageQuery::usual")]
    pub limit: u16,
}

impl PageQuery {
    /// No page holds more rows than this.
    pub const MOST: u16 = 200;

    /// The first stretch, 50 rows.
    #[must_use]
    pub fn first() -> Self {
        Self {
            after: None,
            limit: Self::usual(),
        }
    }

    /// The stretch behind `after`, 50 rows; the first one without it.
    #[must_use]
    pub fn behind(after: Option<Cursor>) -> Self {
        Self {
            after,
            limit: Self::usual(),
        }
    }

    fn usual() -> u16 {
        50
    }
}

impl Default for PageQuery {
    fn default() -> Self {
        Self::first()
    }
}

impl Cursor {
    /// The time of the place, in a list that is ordered by time; everything newer was looked at.
    #[must_use]
    pub fn at(&self) -> Option<At> {
        let (at, _) = self.as_str().split_once('.')?;
        at.parse().ok().map(At)
    }
}

/// One stretch of a list, newest first unless the method says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The rows, in the order of the list.
    pub rows: Vec<T>,
    /// Where the list goes on; `None` at its end.
    pub next: Option<Cursor>,
    /// The server's time when the rows were read. All ages on the page are counted from it.
    pub as_of: At,
    /// How many rows match in all; `None` when counting took too long (300 ms). A count never blocks a list.
    pub total: Option<Count>,
}

/// A number of rows, exact up to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// Exactly so many.
    Exactly(u32),
    /// More than so many; counting stopped there (at 10,000).
    MoreThan(u32),
}
