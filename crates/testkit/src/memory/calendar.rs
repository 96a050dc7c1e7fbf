//! The built-in calendar.

use async_trait::async_trait;
use replygate_gate::{ActionId, At};
use replygate_ports::calendar::{Calendar, CalendarEvent, EventQuery};
use replygate_ports::store::StoreError;

use super::MemoryStore;
use super::tables::at_most;

#[async_trait]
impl Calendar for MemoryStore {
    async fn add_event(&self, event: CalendarEvent) -> Result<(), StoreError> {
        self.tables().events.entry(event.id).or_insert(event);
        Ok(())
    }

    async fn cancel_event(
        &self,
        id: ActionId,
        at: At,
    ) -> Result<Option<CalendarEvent>, StoreError> {
        let mut tables = self.tables();
        let Some(event) = tables.events.get_mut(&id) else {
            return Ok(None);
        };
        event.cancelled_at.get_or_insert(at);
        Ok(Some(event.clone()))
    }

    async fn prune_events(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let old = tables.events.values().filter(|event| event.start < before);
        let old: Vec<ActionId> = old.take(at_most(limit)).map(|event| event.id).collect();
        for id in &old {
            tables.events.remove(id);
        }
        Ok(old.len() as u64)
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<CalendarEvent>, StoreError> {
        let tables = self.tables();
        let mut found: Vec<&CalendarEvent> = tables
            .events
            .values()
            .filter(|event| is_asked_for(event, query))
            .collect();
        found.sort_by_key(|event| (event.start, event.id));
        Ok(found
            .into_iter()
            .take(at_most(query.limit))
            .cloned()
            .collect())
    }
}

fn is_asked_for(event: &CalendarEvent, query: &EventQuery) -> bool {
    let is = |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|one| one == found);
    is(&query.channel, &event.whom.channel)
        && is(&query.contact, &event.whom.contact)
        && query.from.is_none_or(|from| event.start >= from)
        && query.to.is_none_or(|to| event.start < to)
        && !(query.standing_only && event.cancelled_at.is_some())
        && query
            .after
            .is_none_or(|after| (event.start, event.id) > after)
}
