//! What the console shows: plain data that travels from the server to the page and to the browser.
//!
//! These types are the console's own words. They carry ids, times, texts the caller may see and nothing else: no
//! driver type, no engine type, no behaviour beyond putting a value into words. They must never carry a text that the
//! caller may not read; whoever makes one masks it first (see [`Personal`]).

pub mod activity;
#[cfg(feature = "ssr")]
pub mod built_in;
pub mod caller;
pub mod change;
pub mod channel;
pub mod command;
pub mod conversation;
#[cfg(feature = "ssr")]
pub mod decision;
pub mod duplicate;
pub mod error;
#[cfg(feature = "ssr")]
pub mod export;
#[cfg(feature = "ssr")]
pub mod health;
pub mod ids;
pub mod lab;
pub mod lanes;
pub mod message;
pub mod operation;
#[cfg(feature = "ssr")]
pub mod overview;
pub mod page;
pub mod parked;
pub mod person;
pub mod personal;
pub(crate) mod query;
#[cfg(feature = "ssr")]
pub(crate) mod range;
pub mod reply;
#[cfg(feature = "ssr")]
pub(crate) mod said;
pub mod saved;
pub mod section;
pub mod session;
#[cfg(feature = "ssr")]
pub mod sign_in;
pub mod status;
pub(crate) mod stored;
#[cfg(feature = "ssr")]
pub(crate) mod terms;
pub mod time;
pub mod timeline;
pub mod veil;
pub mod viewer;
pub mod zone;

pub use activity::{ActivityFilter, ActivityResult, ActivityRow};
#[cfg(feature = "ssr")]
pub use built_in::{BuiltIn, BuiltInAsked, EventRow, MailRow};
pub use caller::{Caller, Permission, Role, Seeing};
pub use change::{Change, Topic};
pub use channel::{
    Channel, ChannelSettings, RollBack, SaveSettings, SavedVersion, Setting, SettingChange,
    SettingValue, SettingsVersion,
};
pub use command::{Action, Outcome, Override, ReplyAction, SessionAction};
pub use conversation::{Author, Conversation, ConversationItem};
#[cfg(feature = "ssr")]
pub use decision::{DecisionDetail, DecisionFilter, DecisionRow};
pub use duplicate::{
    ArgumentRow, DifferenceWord, DuplicateDeed, DuplicateDetail, DuplicateFilter, DuplicateRow,
    DuplicateVerdict, FirstCall, GuardFigures, OpinionWord, SettledCall, UnknownCall,
    duplicate_address,
};
pub use error::ConsoleError;
#[cfg(feature = "ssr")]
pub use export::{ExportAsked, ExportFormat};
#[cfg(feature = "ssr")]
pub use health::{Ailing, Health, HealthFact, HealthPart, HealthReport, HealthWord};
pub use ids::{
    ChannelId, Cursor, EventId, MessageId, OperationId, ReplyId, RequestId, SessionId, UserId,
};
pub use lab::{
    ChangeWord, ChangedBurst, LAB_KEYS, LabSetting, Line, Measures, Played, Replay, ReplayAsked,
    ReplayRange, fixed, lab_address, play, proposed, script, written,
};
pub use lanes::{Axis, LaneWord, Lanes, Span, SpanWord};
pub use message::{Message, MessageDetail, MessageFate, MessageFilter, MessageKind, MessageRow};
pub use operation::{
    ItemWord, OperationDetail, OperationItem, OperationRow, OperationWord, Pace, PlanAsked,
    PlanSet, PlanSummary, Steer, SteerAsked,
};
#[cfg(feature = "ssr")]
pub use overview::{FlowStation, Need, OutcomePart, Overview, OverviewAsked, TimePart};
pub use page::{Count, Page, PageQuery};
pub use parked::{
    Cause, Check, CheckWord, Choice, Inbox, InboxView, LastDeed, Meanwhile, ParkedDetail,
    ParkedFilter, ParkedRow, Weight,
};
pub use person::{Member, MemberLink, Membership, PasswordAnswer};
pub use personal::Personal;
pub use reply::{Attempt, AttemptResult, Parked, Reply, Verdict, VerdictSource, VerdictWord};
pub use saved::{Around, ViewLink};
#[cfg(feature = "ssr")]
pub use saved::{ListWord, NewView, READY_MADE, SavedRow};
pub use section::Section;
pub use session::{
    ChannelRef, Hold, HoldWhy, InFlight, LastLine, Lock, LockOwner, SessionDetail, SessionFilter,
    SessionRow, SessionState, SessionStateWord, SessionTab, TakenOver, Turn, Window,
};
#[cfg(feature = "ssr")]
pub use sign_in::SignInRow;
pub use status::StatusWord;
pub use time::At;
pub use timeline::{Fact, TimelineEvent};
pub use veil::Veil;
#[cfg(feature = "ssr")]
pub use veil::{Revealed, Veiled, VeiledList};
pub use viewer::{Density, Shortcuts, Theme, Viewer};
pub use zone::{Shift, Zone};
