//! Views of lists that people saved: a name for a query. Must never tell a private one to anybody but its owner.

use async_trait::async_trait;
use replygate_gate::At;

use crate::store::StoreError;

/// A saved view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedView {
    /// Its name in addresses, unique: lower-case letters, digits and `-`.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// The list: `messages`.
    pub list: String,
    /// The address of the list with the query: `/messages?status=PARKED`.
    pub address: String,
    /// Whose it is: a user's name.
    pub owner: String,
    /// Whether everybody may use it.
    pub is_shared: bool,
    /// When it was saved.
    pub created_at: At,
}

/// Saved views.
#[async_trait]
pub trait SavedViews: Send + Sync {
    /// Those that this person may use, of one list or of all, by name.
    async fn saved_views(
        &self,
        person: &str,
        list: Option<&str>,
    ) -> Result<Vec<SavedView>, StoreError>;

    /// The view of that slug, if this person may use it.
    async fn saved_view(&self, person: &str, slug: &str) -> Result<Option<SavedView>, StoreError>;

    /// Adds a view; tells whether it was added: a slug that is there stays what it is.
    async fn save_view(&self, view: SavedView) -> Result<bool, StoreError>;

    /// Removes the view of that slug.
    async fn remove_view(&self, slug: &str) -> Result<(), StoreError>;
}
