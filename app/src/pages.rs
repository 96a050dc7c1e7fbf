//! The pages, one file or folder each. A page reads its address, asks and shows; it decides nothing.
//!
//! What a live page shows, [opened](opened::Opened) on the server, is in both halves. Reading addresses, refusals and
//! [plain](crate::plain) pages are on the server only.

mod duplicates;
mod lab;
mod messages;
mod opened;
mod operation;
mod parked;
mod session;
mod sessions;

#[cfg(feature = "ssr")]
pub(crate) mod live;
#[cfg(feature = "ssr")]
pub(crate) mod plain;

use duplicates::DuplicateList;
use lab::LabSheet;
use messages::MessageList;
use operation::OperationSheet;
use parked::ParkedList;
use session::SessionSheet;
use sessions::{SessionList, Wanted};

pub(crate) use opened::{CARRIER, Opened};
