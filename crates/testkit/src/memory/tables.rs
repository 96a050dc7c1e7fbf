//! The tables. Must never enforce anything: that is the operations' business.

use std::collections::{BTreeMap, BTreeSet};

use replygate_gate::tools::Fingerprint;
use replygate_gate::{
    ActionId, At, ConversationId, DuplicateId, MessageId, OperationId, ReplyId, Session, SessionId,
    SessionKey,
};
use replygate_ports::accounts::{Reveal, SignIn, Token, User};
use replygate_ports::activity::Entry;
use replygate_ports::calendar::CalendarEvent;
use replygate_ports::ledger::{Call, NewDuplicate, NewPass, Verdict};
use replygate_ports::mailbox::Mail;
use replygate_ports::operations::{Item, Operation};
use replygate_ports::saved::SavedView;
use replygate_ports::settings::SettingsVersion;
use replygate_ports::store::{ActionRecord, DedupeKey, Step, Stored};
use replygate_ports::tools::Tool;
use replygate_ports::views::{MessageView, ReplyView};

/// A session's row.
#[derive(Clone, Debug)]
pub(super) struct SessionRow {
    pub stored: Stored,
    pub conversation: ConversationId,
    pub next_at: Option<At>,
    pub last_activity: At,
}

impl SessionRow {
    pub fn new(key: SessionKey) -> Self {
        let conversation = key.conversation_id();
        let stored = Stored {
            key,
            version: 0,
            session: Session::default(),
        };
        Self {
            stored,
            conversation,
            next_at: None,
            last_activity: At::default(),
        }
    }
}

/// A message's row.
#[derive(Clone, Debug)]
pub(super) struct MessageRow {
    /// Grows with every message and reply: the order of arrival.
    pub row: u64,
    pub conversation: ConversationId,
    pub view: MessageView,
}

/// A reply's row.
#[derive(Clone, Debug)]
pub(super) struct ReplyRecord {
    /// Grows with every message and reply: the order of arrival.
    pub row: u64,
    pub conversation: ConversationId,
    pub view: ReplyView,
}

/// What is known under a dedupe key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Received {
    pub message: MessageId,
    pub session: SessionId,
    pub at: At,
}

/// A record of a call that was not carried out.
#[derive(Clone, Debug)]
pub(super) struct DuplicateRow {
    pub call: NewDuplicate,
    pub said: Option<ReplyId>,
    pub verdict: Option<Verdict>,
}

/// Leave for one more call, and the call that used it.
#[derive(Clone, Debug)]
pub(super) struct PassRow {
    pub pass: NewPass,
    pub used_by: Option<ActionId>,
}

#[derive(Debug, Default)]
pub(super) struct Tables {
    pub sessions: BTreeMap<SessionId, SessionRow>,
    pub scheduled: BTreeSet<(At, SessionId)>,
    pub steps: BTreeMap<(SessionId, u64), Step>,
    pub messages: BTreeMap<MessageId, MessageRow>,
    pub replies: BTreeMap<ReplyId, ReplyRecord>,
    pub dedupe: BTreeMap<DedupeKey, Received>,
    pub actions: BTreeMap<String, ActionRecord>,
    /// The last row that a `/reset` cut off, by conversation.
    pub history_ends: BTreeMap<ConversationId, u64>,
    /// The last row number given.
    pub last_row: u64,
    pub settings: BTreeMap<String, Vec<SettingsVersion>>,
    pub tools: BTreeMap<String, Vec<SettingsVersion<Tool>>>,
    pub calls: BTreeMap<ActionId, Call>,
    /// The call that stands for a fingerprint.
    pub standing: BTreeMap<Fingerprint, ActionId>,
    pub duplicates: BTreeMap<DuplicateId, DuplicateRow>,
    /// By request id.
    pub passes: BTreeMap<String, PassRow>,
    pub events: BTreeMap<ActionId, CalendarEvent>,
    pub mails: BTreeMap<ActionId, Mail>,
    /// By case-folded name.
    pub users: BTreeMap<String, User>,
    pub tokens: BTreeMap<String, Token>,
    pub sign_ins: BTreeMap<String, SignIn>,
    pub reveals: Vec<Reveal>,
    /// By slug.
    pub saved_views: BTreeMap<String, SavedView>,
    pub operations: BTreeMap<OperationId, (Operation, Vec<Item>)>,
    pub activity: Vec<Entry>,
}

impl Tables {
    pub fn next_row(&mut self) -> u64 {
        self.last_row += 1;
        self.last_row
    }

    /// The channel of a session; nothing for an unknown one.
    pub fn channel_of(&self, session: SessionId) -> Option<&str> {
        self.sessions
            .get(&session)
            .map(|row| row.stored.key.channel.as_str())
    }
}

/// How many a list may hold.
pub(super) fn at_most(limit: u32) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}
