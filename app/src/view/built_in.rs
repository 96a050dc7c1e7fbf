//! What agents' calls put into the built-in calendar and mailbox.

use super::query::Query;
use super::{At, ChannelRef, Cursor, Page, Personal, SessionId};

/// An event in the built-in calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// The call that made it: `act_01J…`.
    pub id: String,
    /// When it begins.
    pub start: At,
    /// When it ends, where that was said.
    pub end: Option<At>,
    /// What it is.
    pub title: Personal,
    /// On which channel.
    pub channel: ChannelRef,
    /// For whom.
    pub contact: Personal,
    /// In which session, where it is still known.
    pub session: Option<SessionId>,
    /// Who else comes.
    pub guests: Vec<Personal>,
    /// When it was made.
    pub made: At,
    /// When it was cancelled.
    pub cancelled: Option<At>,
}

/// A mail in the built-in mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailRow {
    /// The call that sent it: `act_01J…`.
    pub id: String,
    /// When it was sent.
    pub sent: At,
    /// To whom.
    pub to: Vec<Personal>,
    /// What it is about.
    pub subject: Personal,
    /// What it says, its beginning where it is long.
    pub body: Personal,
    /// On which channel.
    pub channel: ChannelRef,
    /// In whose conversation.
    pub contact: Personal,
    /// In which session, where it is still known.
    pub session: Option<SessionId>,
}

/// Which of them. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuiltInAsked {
    /// On this channel.
    pub channel: Option<String>,
    /// Of this contact, exactly.
    pub contact: Option<String>,
    /// Events behind this place.
    pub events: Option<Cursor>,
    /// Mails behind this place.
    pub mails: Option<Cursor>,
}

/// Both lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Events, earliest beginning first.
    pub events: Page<EventRow>,
    /// Mails, newest first.
    pub mails: Page<MailRow>,
}

impl BuiltInAsked {
    /// Whether everything matches.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.channel.is_none() && self.contact.is_none()
    }

    /// The address of the page.
    #[must_use]
    pub fn address(&self) -> String {
        let mut query = Query::new();
        query.add("channel", self.channel.as_deref());
        query.add("contact", self.contact.as_deref());
        query.add("events", self.events.as_ref().map(Cursor::as_str));
        query.add("mails", self.mails.as_ref().map(Cursor::as_str));
        query.on("/built-in")
    }
}
