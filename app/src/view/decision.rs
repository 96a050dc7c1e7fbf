//! How a reply was judged against newer messages: a line of the list of decisions, and a decision's page.

use super::query::Query;
use super::{
    At, ChannelId, ChannelRef, Cursor, Message, Personal, Reply, ReplyId, SessionId, StatusWord,
    Verdict, VerdictWord,
};
use serde::{Deserialize, Serialize};

/// One verdict, with what it was about and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRow {
    /// The reply that was judged.
    pub reply: ReplyId,
    /// Its session.
    pub session: SessionId,
    /// Where.
    pub channel: ChannelRef,
    /// Who wrote.
    pub contact: Personal,
    /// What the reply says, cut to 200 characters.
    pub text: Personal,
    /// The verdict.
    pub verdict: Verdict,
    /// Read by a model for it, in tokens.
    pub tokens_in: u64,
    /// Written by a model for it, in tokens.
    pub tokens_out: u64,
    /// Where the reply stands now; nothing where it is gone.
    pub status: Option<StatusWord>,
}

impl DecisionRow {
    /// The address of its page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("/decisions/{}", super::query::segment(&self.reply.0))
    }
}

/// A decision's page: one reply, everything that was decided about it, and the messages that came after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionDetail {
    /// Its verdicts, newest first.
    pub rows: Vec<DecisionRow>,
    /// The reply.
    pub reply: Reply,
    /// What the customer wrote before, so far as it is what the reply answers, oldest first.
    pub asked: Vec<Message>,
    /// What the customer wrote after it and up to the last verdict, oldest first.
    pub newer: Vec<Message>,
    /// The server's time when this was read.
    pub as_of: At,
}

/// Which decisions are wanted. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// On this channel.
    pub channel: Option<ChannelId>,
    /// With this verdict.
    pub verdict: Option<VerdictWord>,
}

impl DecisionFilter {
    /// Whether everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The address of the list with this filter, from `after` on.
    #[must_use]
    pub fn address(&self, after: Option<&Cursor>) -> String {
        let mut query = Query::new();
        query.add("channel", self.channel.as_ref().map(ChannelId::as_str));
        query.add("verdict", self.verdict.map(VerdictWord::stored));
        query.add("after", after.map(Cursor::as_str));
        query.on("/decisions")
    }
}
