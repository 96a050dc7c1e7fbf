//! Saved views.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::saved::{SavedView, SavedViews};
use replygate_ports::store::StoreError;
use sqlx::sqlite::SqliteRow;

use crate::codec::Columns;
use crate::database::Database;
use crate::error::read_fault;

#[async_trait]
impl SavedViews for Database {
    async fn saved_views(
        &self,
        person: &str,
        list: Option<&str>,
    ) -> Result<Vec<SavedView>, StoreError> {
        let sql = "SELECT * FROM saved_view WHERE list = coalesce(?1, list)
            AND (shared OR owner = ?2) ORDER BY name, slug";
        let query = sqlx::query(sql).bind(list).bind(person);
        let rows = query
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(saved_view).collect()
    }

    async fn saved_view(&self, person: &str, slug: &str) -> Result<Option<SavedView>, StoreError> {
        let sql = "SELECT * FROM saved_view WHERE slug = ? AND (shared OR owner = ?)";
        let query = sqlx::query(sql).bind(slug).bind(person);
        let row = query
            .fetch_optional(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(saved_view).transpose()
    }

    async fn save_view(&self, view: SavedView) -> Result<bool, StoreError> {
        let sql = "INSERT OR IGNORE INTO saved_view
            (slug, name, list, address, owner, shared, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)";
        let query = sqlx::query(sql)
            .bind(view.slug)
            .bind(view.name)
            .bind(view.list)
            .bind(view.address)
            .bind(view.owner)
            .bind(view.is_shared)
            .bind(view.created_at.0);
        self.change(query).await.map(|added| added > 0)
    }

    async fn remove_view(&self, slug: &str) -> Result<(), StoreError> {
        self.change(sqlx::query("DELETE FROM saved_view WHERE slug = ?").bind(slug))
            .await
            .map(drop)
    }
}

/// A row of the table.
pub(crate) fn saved_view(row: &SqliteRow) -> Result<SavedView, StoreError> {
    let row = Columns(row);
    Ok(SavedView {
        slug: row.get("slug")?,
        name: row.get("name")?,
        list: row.get("list")?,
        address: row.get("address")?,
        owner: row.get("owner")?,
        is_shared: row.get("shared")?,
        created_at: At(row.get("created_at")?),
    })
}
