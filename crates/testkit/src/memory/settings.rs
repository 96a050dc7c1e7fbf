//! Settings and their versions.

use async_trait::async_trait;
use replygate_ports::settings::{SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::StoreError;

use super::MemoryStore;
use super::tables::{Tables, at_most};

#[async_trait]
impl SettingsStore for MemoryStore {
    async fn all(&self) -> Result<Vec<SettingsVersion>, StoreError> {
        Ok(self
            .tables()
            .settings
            .values()
            .filter_map(|versions| versions.last())
            .cloned()
            .collect())
    }

    async fn version(
        &self,
        channel: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion>, StoreError> {
        let tables = self.tables();
        let Some(versions) = tables.settings.get(channel) else {
            return Ok(None);
        };
        let found = match version {
            Some(number) => versions.iter().find(|saved| saved.version == number),
            None => versions.last(),
        };
        Ok(found.cloned())
    }

    async fn versions(
        &self,
        channel: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion>, StoreError> {
        let tables = self.tables();
        let versions = tables.settings.get(channel).into_iter().flatten().rev();
        let earlier = versions.filter(|saved| before.is_none_or(|before| saved.version < before));
        Ok(earlier.take(at_most(limit)).cloned().collect())
    }

    async fn save(&self, next: SettingsVersion) -> Result<(), StaleSettings> {
        self.tables().save_settings(next)
    }
}

impl Tables {
    fn save_settings(&mut self, next: SettingsVersion) -> Result<(), StaleSettings> {
        if let Some(saved) = self.saved_by(&next) {
            return Err(StaleSettings::Repeated(Box::new(saved)));
        }
        let versions = self.settings.entry(next.settings.id.clone()).or_default();
        let present = versions.last().map_or(0, |saved| saved.version);
        if next.version != present + 1 {
            return Err(StaleSettings::Conflict { present });
        }
        versions.push(next);
        Ok(())
    }

    /// The version that the same request saved before.
    fn saved_by(&self, next: &SettingsVersion) -> Option<SettingsVersion> {
        let request = next.request_id.as_ref()?;
        let versions = self.settings.get(&next.settings.id)?;
        versions
            .iter()
            .find(|saved| saved.request_id.as_ref() == Some(request))
            .cloned()
    }
}
