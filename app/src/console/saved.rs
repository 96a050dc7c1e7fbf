//! The area of saved views: names for queries of lists.

use crate::view::{Caller, ConsoleError, ListWord, NewView, SavedRow};
use async_trait::async_trait;

/// Saved views. Where nothing else is said a method needs [`Permission::See`](crate::view::Permission::See). A private
/// view is nobody's but its owner's, not even to be found.
#[async_trait]
pub trait Saved: Send + Sync {
    /// The caller's own and the shared ones, of one list or of all, by name.
    async fn saved_views(
        &self,
        who: &Caller,
        list: Option<ListWord>,
    ) -> Result<Vec<SavedRow>, ConsoleError>;

    /// Where the view of this slug leads: a ready-made one, the caller's own, a shared one; or
    /// [`ConsoleError::NotFound`].
    async fn view_address(&self, who: &Caller, slug: String) -> Result<String, ConsoleError>;

    /// Saves a view. A name of 1 to 64 characters and the address of a list, without a place in it, of at most 2,000
    /// bytes; otherwise [`ConsoleError::Invalid`]. A shared one needs
    /// [`Permission::ShareViews`](crate::view::Permission::ShareViews).
    async fn save_view(&self, who: &Caller, view: NewView) -> Result<SavedRow, ConsoleError>;

    /// Removes a view of the caller; a shared one of somebody else needs
    /// [`Permission::Team`](crate::view::Permission::Team). A ready-made one is
    /// [`ConsoleError::Refused`].
    async fn remove_view(&self, who: &Caller, slug: String) -> Result<(), ConsoleError>;
}
