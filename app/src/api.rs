//! Server functions: how a page asks the server, from either half.
//!
//! Rendered on the server they call the [`Console`](crate::console::Console) at once; in the browser they are a request
//! to `/api/…`. Each has a fixed address, so that a tab that outlives a deployment still reaches it. They hold no rule
//! and check no permission: the seam does both.

#[cfg(feature = "ssr")]
mod around;
#[cfg(feature = "ssr")]
pub(crate) mod asking;
mod duplicates;
mod lab;
mod messages;
mod operations;
mod parked;
mod sessions;
mod told;
#[cfg(feature = "ssr")]
mod veil;

#[cfg(feature = "ssr")]
pub(crate) use around::around;
pub use duplicates::{
    DuplicatesAsked, DuplicatesView, UNJUDGED, again_duplicates, list_duplicates,
    refresh_duplicates,
};
pub use lab::{LabAsked, LabView, open_lab};
#[cfg(feature = "ssr")]
pub(crate) use messages::known_word;
pub use messages::{MessagesAsked, MessagesView, list_messages, refresh_messages};
pub use operations::{OperationAsked, OperationView, open_operation};
pub use parked::{ParkedAsked, ParkedView, WHY, list_parked, refresh_parked};
pub use sessions::{
    SessionAsked, SessionPart, SessionView, SessionsView, list_sessions, open_session,
    refresh_sessions,
};
pub use told::{SaidTerms, Told};
#[cfg(feature = "ssr")]
pub(crate) use veil::veil;
