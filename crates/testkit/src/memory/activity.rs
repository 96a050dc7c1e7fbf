//! The log of what people did.

use async_trait::async_trait;
use replygate_ports::activity::{Activity, ActivityLog, ActivityQuery, Entry};
use replygate_ports::store::StoreError;

use super::MemoryStore;
use super::tables::at_most;

#[async_trait]
impl ActivityLog for MemoryStore {
    async fn record(&self, activity: Activity) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let place = tables.activity.len() as u64 + 1;
        tables.activity.push(Entry { place, activity });
        Ok(place)
    }

    async fn entries(&self, query: &ActivityQuery) -> Result<Vec<Entry>, StoreError> {
        let tables = self.tables();
        let is = |wanted: &Option<String>, value: &str| {
            wanted.as_deref().is_none_or(|wanted| wanted == value)
        };
        let wanted = tables.activity.iter().rev().filter(|entry| {
            is(&query.by, &entry.activity.by)
                && is(&query.verb, &entry.activity.verb)
                && is(&query.object, &entry.activity.object)
                && query.before.is_none_or(|before| entry.place < before)
        });
        Ok(wanted.take(at_most(query.limit)).cloned().collect())
    }
}
