//! Saved views.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::saved::{SavedView, SavedViews};
use replygate_ports::store::StoreError;
use sqlx::postgres::PgRow;

use super::Postgres;
use super::codec::{Columns, escaped};

#[async_trait]
impl SavedViews for Postgres {
    async fn saved_views(
        &self,
        person: &str,
        list: Option<&str>,
    ) -> Result<Vec<SavedView>, StoreError> {
        let sql = "SELECT * FROM saved_view WHERE list = coalesce($1, list)
            AND (shared OR owner = $2) ORDER BY name, slug";
        let query = sqlx::query(sql)
            .bind(list.map(escaped))
            .bind(escaped(person));
        let rows = self.inner.readers.rows(query).await?;
        rows.iter().map(saved_view).collect()
    }

    async fn saved_view(&self, person: &str, slug: &str) -> Result<Option<SavedView>, StoreError> {
        let sql = "SELECT * FROM saved_view WHERE slug = $1 AND (shared OR owner = $2)";
        let query = sqlx::query(sql).bind(escaped(slug)).bind(escaped(person));
        let row = self.inner.readers.row(query).await?;
        row.as_ref().map(saved_view).transpose()
    }

    async fn save_view(&self, view: SavedView) -> Result<bool, StoreError> {
        let sql = "INSERT INTO saved_view (slug, name, list, address, owner, shared, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (slug) DO NOTHING";
        let query = sqlx::query(sql)
            .bind(escaped(&view.slug))
            .bind(escaped(&view.name))
            .bind(escaped(&view.list))
            .bind(escaped(&view.address))
            .bind(escaped(&view.owner))
            .bind(view.is_shared)
            .bind(view.created_at.0);
        Ok(self.inner.readers.change(query).await? > 0)
    }

    async fn remove_view(&self, slug: &str) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM saved_view WHERE slug = $1").bind(escaped(slug));
        self.inner.readers.change(query).await.map(drop)
    }
}

/// A row of the table.
pub(super) fn saved_view(row: &PgRow) -> Result<SavedView, StoreError> {
    let row = Columns(row);
    Ok(SavedView {
        slug: row.text("slug")?,
        name: row.text("name")?,
        list: row.text("list")?,
        address: row.text("address")?,
        owner: row.text("owner")?,
        is_shared: row.get("shared")?,
        created_at: At(row.get("created_at")?),
    })
}
