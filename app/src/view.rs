//! What the console shows: plain data that travels from the server to the page and to the browser.
//!
//! These types are the console's own words. They carry ids, times, texts the caller may see and nothing else: no
//! driver type, no engine type, no behaviour beyond putting a value into words. They must never carry a text that the
//! caller may not read; whoever makes one masks it first (see [`Personal`]).

pub mod caller;
pub mod change;
pub mod channel;
pub mod command;
pub mod conversation;
pub mod error;
pub mod ids;
pub mod message;
pub mod page;
pub mod personal;
pub(crate) mod query;
pub mod reply;
pub mod session;
pub mod status;
pub mod time;
pub mod timeline;

pub use caller::{Caller, Permission, Role};
pub use change::{Change, Topic};
pub use channel::{
    Channel, ChannelSettings, RollBack, SaveSettings, Setting, SettingValue, SettingsVersion,
};
pub use command::{Action, Outcome, Override, ReplyAction, SessionAction};
pub use conversation::{Author, Conversation, ConversationItem};
pub use error::ConsoleError;
pub use ids::{ChannelId, Cursor, EventId, MessageId, ReplyId, RequestId, SessionId, UserId};
pub use message::{Message, MessageDetail, MessageFate, MessageFilter, MessageKind, MessageRow};
pub use page::{Count, Page, PageQuery};
pub use personal::Personal;
pub use reply::{Attempt, AttemptResult, Parked, Reply, Verdict, VerdictSource, VerdictWord};
pub use session::{
    ChannelRef, Hold, HoldWhy, InFlight, LastLine, Lock, LockOwner, SessionDetail, SessionFilter,
    SessionRow, SessionState, SessionStateWord, TakenOver, Turn, Window,
};
pub use status::StatusWord;
pub use time::At;
pub use timeline::{Fact, TimelineEvent};
