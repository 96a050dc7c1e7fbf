//! Server functions: how a page asks the server, from either half.
//!
//! On the server they call the [`Console`](crate::console::Console) at once; in the browser they are a request to
//! `/api/…`. Each has a fixed address, so that a tab that outlives a deployment still reaches it. They hold no rule
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
#[cfg(feature = "hydrate")]
mod remote;
mod sessions;
mod told;
#[cfg(feature = "ssr")]
mod veil;

#[cfg(feature = "ssr")]
pub(crate) use around::around;
pub use duplicates::{DuplicatesAsked, DuplicatesView, UNJUDGED};
pub use lab::{LabAsked, LabView};
#[cfg(feature = "ssr")]
pub(crate) use messages::known_word;
pub use messages::{MessagesAsked, MessagesView};
pub use operations::{OperationAsked, OperationView};
pub use parked::{ParkedAsked, ParkedView, WHY};
#[cfg(feature = "hydrate")]
pub(crate) use remote::{
    again_duplicates, list_messages, list_parked, list_sessions, open_operation, open_session,
    refresh_duplicates, refresh_messages, refresh_parked, refresh_sessions,
};
pub use sessions::{SessionAsked, SessionPart, SessionView, SessionsView};
pub use told::{SaidTerms, Told};
#[cfg(feature = "ssr")]
pub(crate) use veil::veil;
#[cfg(feature = "ssr")]
pub use {
    duplicates::{again_duplicates, list_duplicates, refresh_duplicates},
    lab::open_lab,
    messages::{list_messages, refresh_messages},
    operations::open_operation,
    parked::{list_parked, refresh_parked},
    sessions::{list_sessions, open_session, refresh_sessions},
};
