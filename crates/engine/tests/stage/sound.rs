//! What has to be true at the end of every story, whatever it was about.

use std::collections::{BTreeMap, BTreeSet};

use replygate_gate::{Event, MessageId, ReplyId, ReplyStatus, SessionId};
use replygate_ports::changes::MessageState;
use replygate_ports::channel::Show;
use replygate_ports::store::{HistoryEntry, Store};
use replygate_ports::views::{MessageQuery, MessageView, ReplyQuery, ReplyView, Views};

use super::{Stage, key};

const ALL: u32 = 100_000;

impl Stage {
    /// Every message of every contact.
    pub async fn all_messages(&self) -> Vec<MessageView> {
        let query = MessageQuery {
            limit: ALL,
            ..MessageQuery::default()
        };
        let mut messages = self.world.store.messages(&query).await.unwrap();
        messages.sort_by_key(|message| message.id);
        messages
    }

    /// Every reply to every contact.
    pub async fn all_replies(&self) -> Vec<ReplyView> {
        let query = ReplyQuery {
            limit: ALL,
            ..ReplyQuery::default()
        };
        self.world.store.reply_list(&query).await.unwrap()
    }

    /// Every reply that waits for a person.
    pub async fn inbox(&self) -> Vec<ReplyView> {
        let query = ReplyQuery {
            statuses: vec![ReplyStatus::Parked, ReplyStatus::Unknown],
            limit: ALL,
            ..ReplyQuery::default()
        };
        self.world.store.reply_list(&query).await.unwrap()
    }

    /// The conversation as the agent reads it: the customer's texts, the agent's in square and a person's in round brackets.
    pub async fn history(&self, contact: &str) -> Vec<String> {
        let session = key("webchat", contact).session();
        let entries = self.world.store.history(session, &[], ALL).await.unwrap();
        entries
            .into_iter()
            .map(|entry| match entry {
                HistoryEntry::Customer { text, .. } => text,
                HistoryEntry::Agent { parts, .. } => format!("[{}]", parts.join(" ")),
                HistoryEntry::Person { parts, .. } => format!("({})", parts.join(" ")),
            })
            .collect()
    }

    /// No message without an end that is on record, every reply in an end state or with a person, nothing sent twice or out of order, one
    /// turn at a time, nothing of one contact before another, no typing that never ends.
    pub async fn sound(&self) {
        self.sound_but_typing().await;
        self.no_typing_left();
    }

    /// The same, for a channel where typing ends by itself.
    pub async fn sound_but_typing(&self) {
        let messages = self.all_messages().await;
        let replies = self.all_replies().await;
        for message in &messages {
            assert_ne!(message.state, MessageState::Waiting, "{message:?}");
        }
        ended(&replies);
        answered_once(&replies);
        self.handed_over_once_and_in_order();
        self.private(&messages);
        self.one_turn_at_a_time(&messages).await;
    }

    fn handed_over_once_and_in_order(&self) {
        let mut seen = BTreeSet::new();
        let mut last: BTreeMap<(String, String), u64> = BTreeMap::new();
        let all = self.world.props.channel.hand_overs();
        for one in all.iter().filter(|one| one.reached) {
            let part = &one.part;
            assert!(seen.insert((part.reply, part.part)), "twice: {part:?}");
            let chat = (part.key.channel.clone(), part.key.conversation.clone());
            let before = last.insert(chat, part.seq);
            assert!(before.is_none_or(|before| before <= part.seq), "{part:?}");
        }
    }

    fn private(&self, messages: &[MessageView]) {
        let owner: BTreeMap<MessageId, SessionId> = messages
            .iter()
            .map(|message| (message.id, message.session))
            .collect();
        for run in self.world.props.agent.runs() {
            for message in &run.turn.messages {
                assert_eq!(owner[&message.id], run.turn.session);
            }
        }
    }

    async fn one_turn_at_a_time(&self, messages: &[MessageView]) {
        let sessions: BTreeSet<SessionId> =
            messages.iter().map(|message| message.session).collect();
        for session in sessions {
            let steps = self.world.store.events(session, 0, ALL).await.unwrap();
            let mut running = None;
            for event in steps.iter().flat_map(|step| &step.events) {
                match event {
                    Event::Taken { fence, .. } => assert_eq!(running.replace(*fence), None),
                    Event::Committed { fence, .. }
                    | Event::TurnFailed { fence, .. }
                    | Event::TurnLost { fence, .. } => assert_eq!(running.take(), Some(*fence)),
                    _ => {}
                }
            }
            assert_eq!(running, None, "a turn never ended");
        }
    }

    fn no_typing_left(&self) {
        let mut last = BTreeMap::new();
        for (_, to, show) in self.world.props.channel.typing_shown() {
            last.insert(to.session(), show);
        }
        assert!(last.values().all(|show| *show == Show::Off));
    }
}

fn ended(replies: &[ReplyView]) {
    for reply in replies {
        let status = reply.status;
        let waits = matches!(status, ReplyStatus::Parked | ReplyStatus::Unknown);
        assert!(status.is_final() || waits, "{reply:?}");
    }
    let by_id: BTreeMap<ReplyId, &ReplyView> =
        replies.iter().map(|reply| (reply.id, reply)).collect();
    for old in replies
        .iter()
        .filter(|reply| reply.status == ReplyStatus::Superseded)
    {
        let new = by_id[&old.superseded_by.unwrap()];
        assert!(old.covers.iter().all(|id| new.covers.contains(id)));
    }
}

fn answered_once(replies: &[ReplyView]) {
    let mut answered = BTreeSet::new();
    for reply in replies
        .iter()
        .filter(|reply| reply.status == ReplyStatus::Delivered)
    {
        for message in &reply.covers {
            assert!(answered.insert(*message), "answered twice: {message}");
        }
    }
}
