//! The pages, one file or folder each. A page reads its address, asks and shows; it decides nothing.
//!
//! Live pages ask through [`api`](crate::api) and are in both halves. [Plain](crate::plain) pages ask the console and
//! are made on the server only.

mod duplicates;
mod lab;
mod messages;
mod operation;
mod parked;
mod session;
mod sessions;

#[cfg(feature = "ssr")]
pub(crate) mod plain;

pub(crate) use duplicates::DuplicatesPage;
pub(crate) use lab::LabPage;
pub(crate) use messages::MessagesPage;
pub(crate) use operation::OperationPage;
pub(crate) use parked::ParkedPage;
pub(crate) use session::SessionPage;
pub(crate) use sessions::SessionsPage;
