//! Saved views.

use async_trait::async_trait;
use replygate_ports::saved::{SavedView, SavedViews};
use replygate_ports::store::StoreError;

use super::MemoryStore;

#[async_trait]
impl SavedViews for MemoryStore {
    async fn saved_views(
        &self,
        person: &str,
        list: Option<&str>,
    ) -> Result<Vec<SavedView>, StoreError> {
        let tables = self.tables();
        let views = tables.saved_views.values();
        let mut found: Vec<SavedView> = views
            .filter(|view| is_for(view, person) && list.is_none_or(|list| view.list == list))
            .cloned()
            .collect();
        found.sort_by(|a, b| (&a.name, &a.slug).cmp(&(&b.name, &b.slug)));
        Ok(found)
    }

    async fn saved_view(&self, person: &str, slug: &str) -> Result<Option<SavedView>, StoreError> {
        let tables = self.tables();
        let view = tables.saved_views.get(slug);
        Ok(view.filter(|view| is_for(view, person)).cloned())
    }

    async fn save_view(&self, view: SavedView) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        if tables.saved_views.contains_key(&view.slug) {
            return Ok(false);
        }
        tables.saved_views.insert(view.slug.clone(), view);
        Ok(true)
    }

    async fn remove_view(&self, slug: &str) -> Result<(), StoreError> {
        self.tables().saved_views.remove(slug);
        Ok(())
    }
}

fn is_for(view: &SavedView, person: &str) -> bool {
    view.is_shared || view.owner == person
}
