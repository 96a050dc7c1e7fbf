//! Everything that a store holds, as records which one store tells and another takes, so that an installation can move
//! with nothing lost. Must never leave anything out: a store that keeps more tells more.

use std::collections::BTreeMap;
use std::fmt;

use replygate_gate::{ActionId, At, MessageId, OperationId, SessionId};
use sha2::{Digest, Sha256};

use crate::accounts::{SignIn, Token, User};
use crate::activity::Entry;
use crate::calendar::CalendarEvent;
use crate::ledger::{Call, Duplicate, NewPass};
use crate::mailbox::Mail;
use crate::operations::{Item, Operation};
use crate::saved::SavedView;
use crate::settings::SettingsVersion;
use crate::store::{ActionRecord, Step, Stored};
use crate::tools::Tool;
use crate::views::{MessageView, ReplyView};

/// One thing that a store holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// The installation's number.
    Installation(u128),
    /// A session, without what belongs to it; told before that.
    Session(Box<SessionRecord>),
    /// A step of a session.
    Step(SessionId, Step),
    /// A message; the number is its place in the order of arrival, which it shares with replies.
    Message(u64, Box<MessageView>),
    /// A dedupe key.
    Key(KeyRecord),
    /// A reply, with its place in the order of arrival.
    Reply(u64, Box<ReplyView>),
    /// An operator's deed.
    Action(ActionRecord),
    /// A version of a channel's settings.
    Settings(Box<SettingsVersion>),
    /// A person who may use the console.
    User(User),
    /// A token.
    Token(Token),
    /// A browser's sign-in.
    SignIn(SignIn),
    /// A version of a tool's settings.
    Tool(Box<SettingsVersion<Tool>>),
    /// A tool call with an effect.
    Call(Box<Call>),
    /// The record of a call that was not carried out, without the call that did the work.
    Duplicate(Box<Duplicate>),
    /// Leave for one more call, and the call that used it.
    Pass(Box<NewPass>, Option<ActionId>),
    /// An event of the built-in calendar.
    Event(Box<CalendarEvent>),
    /// A mail of the built-in mailbox.
    Mail(Box<Mail>),
    /// An operation; its counts are not told, for its items are.
    Operation(Box<Operation>),
    /// An item of an operation.
    Item(OperationId, Item),
    /// An entry of the log of what people did.
    Activity(Box<Entry>),
    /// A saved view of a list.
    View(Box<SavedView>),
}

/// A session as it lies in a store.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRecord {
    /// Key, version and state.
    pub stored: Stored,
    /// When its first message came.
    pub created_at: At,
    /// When something last happened.
    pub last_activity: At,
    /// When it needs attention next.
    pub next_at: Option<At>,
    /// Messages and replies up to this place in the order of arrival are no history any more.
    pub history_from: u64,
}

/// A dedupe key as it lies in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    /// The key's [`digest`](crate::store::DedupeKey::digest).
    pub key: u128,
    /// The message that it names.
    pub message: MessageId,
    /// The session that received it.
    pub session: SessionId,
    /// When.
    pub at: At,
}

impl Record {
    /// What kind of thing it is, in words for a list of counts.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Installation(_) => "installation",
            Self::Session(_) => "sessions",
            Self::Step(..) => "steps",
            Self::Message(..) => "messages",
            Self::Key(_) => "dedupe keys",
            Self::Reply(..) => "replies",
            Self::Action(_) => "deeds",
            Self::Settings(_) => "settings",
            Self::User(_) => "users",
            Self::Token(_) => "tokens",
            Self::SignIn(_) => "sign-ins",
            Self::Tool(_) => "settings of tools",
            Self::Call(_) => "tool calls",
            Self::Duplicate(_) => "duplicates",
            Self::Pass(..) => "passes",
            Self::Event(_) => "calendar events",
            Self::Mail(_) => "mails",
            Self::Operation(_) => "operations",
            Self::Item(..) => "items of operations",
            Self::Activity(_) => "entries of the log",
            Self::View(_) => "saved views",
        }
    }
}

/// What was told, in numbers: how many records of each kind, and the sum of their hashes, which does not depend on their
/// order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    kinds: BTreeMap<&'static str, (u64, u128)>,
}

impl Tally {
    /// Counts a record. Its hash is the first half of SHA-256 over its debug form, which names every field.
    pub fn add(&mut self, record: &Record) {
        let bytes = Sha256::digest(format!("{record:?}"));
        let half = bytes.iter().take(16);
        let hash = half.fold(0, |value, byte| (value << 8) | u128::from(*byte));
        let (count, sum) = self.kinds.entry(record.kind()).or_default();
        *count += 1;
        *sum = sum.wrapping_add(hash);
    }

    /// How many records of this kind there were.
    #[must_use]
    pub fn count(&self, kind: &str) -> u64 {
        self.kinds.get(kind).map_or(0, |(count, _)| *count)
    }

    /// The kinds in which two tallies differ, with both counts.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<(&'static str, u64, u64)> {
        let kinds = self.kinds.keys().chain(other.kinds.keys());
        let mut kinds: Vec<&'static str> = kinds.copied().collect();
        kinds.sort_unstable();
        kinds.dedup();
        let differ = kinds
            .into_iter()
            .filter(|kind| self.kinds.get(kind) != other.kinds.get(kind));
        differ
            .map(|kind| (kind, self.count(kind), other.count(kind)))
            .collect()
    }
}

/// The counts, kind by kind.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.kinds.iter();
        let counts = counts.map(|(kind, (count, _))| format!("{count} {kind}"));
        f.write_str(&counts.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> Record {
        Record::User(User {
            name: name.to_owned(),
            role: "admin".to_owned(),
            password: None,
            created_at: At(1),
        })
    }

    fn tally(records: &[Record]) -> Tally {
        let mut tally = Tally::default();
        for record in records {
            tally.add(record);
        }
        tally
    }

    #[test]
    fn a_tally_does_not_depend_on_the_order() {
        let (ana, rui) = (user("ana"), user("rui"));
        let forth = tally(&[ana.clone(), rui.clone()]);
        assert_eq!(forth, tally(&[rui, ana]));
        assert_eq!(forth.to_string(), "2 users");
    }

    #[test]
    fn a_changed_and_a_missing_record_are_told() {
        let whole = tally(&[user("ana"), Record::Installation(7)]);
        let changed = tally(&[user("anna"), Record::Installation(7)]);
        assert_eq!(whole.differences(&changed), [("users", 1, 1)]);
        let missing = tally(&[user("ana")]);
        assert_eq!(whole.differences(&missing), [("installation", 1, 0)]);
        assert_eq!(whole.differences(&whole), []);
    }
}
