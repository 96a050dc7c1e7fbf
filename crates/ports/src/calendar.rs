//! The built-in calendar: one for each installation, for demonstrations, tests, and whoever has no other. Must never
//! decide whether two events are the same: that is the guard's business.

use async_trait::async_trait;
use replygate_gate::{ActionId, At, SessionKey};
use serde::{Deserialize, Serialize};

use crate::store::StoreError;

/// An event in the calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarEvent {
    /// The call that made it, so that a call that is repeated makes none twice.
    pub id: ActionId,
    /// For whom.
    pub whom: SessionKey,
    /// What it is.
    pub title: String,
    /// When it begins.
    pub start: At,
    /// When it ends.
    pub end: Option<At>,
    /// Who else comes.
    pub guests: Vec<String>,
    /// When it was made.
    pub created_at: At,
    /// When it was cancelled.
    pub cancelled_at: Option<At>,
}

/// Which events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// Only on this channel.
    pub channel: Option<String>,
    /// Only of this contact.
    pub contact: Option<String>,
    /// Beginning at or after.
    pub from: Option<At>,
    /// Beginning before.
    pub to: Option<At>,
    /// Only those that stand.
    pub standing_only: bool,
    /// Only behind this key: beginning and id of the last row seen.
    pub after: Option<(At, ActionId)>,
    /// At most so many.
    pub limit: u32,
}

/// The built-in calendar.
#[async_trait]
pub trait Calendar: Send + Sync {
    /// Adds an event durably; one whose id is known changes nothing.
    async fn add_event(&self, event: CalendarEvent) -> Result<(), StoreError>;

    /// Cancels an event durably; the event, `None` when there is none. One that was cancelled before stays as it is.
    async fn cancel_event(&self, id: ActionId, at: At)
    -> Result<Option<CalendarEvent>, StoreError>;

    /// Removes events that began before `before`, at most `limit`; how many.
    async fn prune_events(&self, before: At, limit: u32) -> Result<u64, StoreError>;

    /// Events, earliest beginning first.
    async fn events(&self, query: &EventQuery) -> Result<Vec<CalendarEvent>, StoreError>;
}
