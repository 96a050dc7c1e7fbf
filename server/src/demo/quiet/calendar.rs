//! The built-in calendar, watched.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::{ActionId, At};
use replygate_ports::calendar::{Calendar, CalendarEvent, EventQuery};
use replygate_ports::store::StoreError;

use super::Watch;

/// A calendar whose calls are watched.
pub(in crate::demo) struct WatchedCalendar {
    calendar: Arc<dyn Calendar>,
    watch: Arc<Watch>,
}

impl WatchedCalendar {
    pub(in crate::demo) const fn new(calendar: Arc<dyn Calendar>, watch: Arc<Watch>) -> Self {
        Self { calendar, watch }
    }
}

#[async_trait]
impl Calendar for WatchedCalendar {
    async fn add_event(&self, event: CalendarEvent) -> Result<(), StoreError> {
        let _call = self.watch.call();
        self.calendar.add_event(event).await
    }

    async fn cancel_event(
        &self,
        id: ActionId,
        at: At,
    ) -> Result<Option<CalendarEvent>, StoreError> {
        let _call = self.watch.call();
        self.calendar.cancel_event(id, at).await
    }

    async fn prune_events(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let _call = self.watch.call();
        self.calendar.prune_events(before, limit).await
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<CalendarEvent>, StoreError> {
        let _call = self.watch.call();
        self.calendar.events(query).await
    }
}
