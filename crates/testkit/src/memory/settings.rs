//! Settings of channels and of tools, and their versions.

use std::collections::BTreeMap;

use async_trait::async_trait;
use replygate_ports::settings::{
    ChannelSettings, Kept, SettingsStore, SettingsVersion, StaleSettings,
};
use replygate_ports::store::StoreError;
use replygate_ports::tools::Tool;

use super::MemoryStore;
use super::tables::{Tables, at_most};

type Versions<S> = BTreeMap<String, Vec<SettingsVersion<S>>>;

/// A kind of settings that has a table here.
trait Tabled: Kept {
    fn table(tables: &mut Tables) -> &mut Versions<Self>;
}

impl Tabled for ChannelSettings {
    fn table(tables: &mut Tables) -> &mut Versions<Self> {
        &mut tables.settings
    }
}

impl Tabled for Tool {
    fn table(tables: &mut Tables) -> &mut Versions<Self> {
        &mut tables.tools
    }
}

#[async_trait]
impl<S: Tabled> SettingsStore<S> for MemoryStore {
    async fn all(&self) -> Result<Vec<SettingsVersion<S>>, StoreError> {
        let mut tables = self.tables();
        let newest = S::table(&mut tables)
            .values()
            .filter_map(|versions| versions.last());
        Ok(newest.cloned().collect())
    }

    async fn version(
        &self,
        id: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion<S>>, StoreError> {
        let mut tables = self.tables();
        let Some(versions) = S::table(&mut tables).get(id) else {
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
        id: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion<S>>, StoreError> {
        let mut tables = self.tables();
        let versions = S::table(&mut tables).get(id).into_iter().flatten().rev();
        let earlier = versions.filter(|saved| before.is_none_or(|before| saved.version < before));
        Ok(earlier.take(at_most(limit)).cloned().collect())
    }

    async fn save(&self, next: SettingsVersion<S>) -> Result<(), StaleSettings<S>> {
        save(S::table(&mut self.tables()), next)
    }
}

fn save<S: Kept>(
    table: &mut Versions<S>,
    next: SettingsVersion<S>,
) -> Result<(), StaleSettings<S>> {
    let versions = table.entry(next.settings.id().to_owned()).or_default();
    if let Some(saved) = saved_by(versions, &next) {
        return Err(StaleSettings::Repeated(Box::new(saved)));
    }
    let present = versions.last().map_or(0, |saved| saved.version);
    if next.version != present + 1 {
        return Err(StaleSettings::Conflict { present });
    }
    versions.push(next);
    Ok(())
}

/// The version that the same request saved before.
fn saved_by<S: Kept>(
    versions: &[SettingsVersion<S>],
    next: &SettingsVersion<S>,
) -> Option<SettingsVersion<S>> {
    let request = next.request_id.as_ref()?;
    versions
        .iter()
        .find(|saved| saved.request_id.as_ref() == Some(request))
        .cloned()
}
