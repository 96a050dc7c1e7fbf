//! What the console reads.

use std::collections::HashMap;

use async_trait::async_trait;
use replygate_gate::{At, Event, MessageId, ReplyId, ReplyStatus, SessionId};
use replygate_ports::store::{Step, StoreError};
use replygate_ports::views::{
    ChannelFigures, JudgedQuery, JudgedStep, Line, MessageQuery, MessageView, ReplyQuery,
    ReplyView, SessionQuery, SessionSummary, Views,
};

use super::MemoryStore;
use super::tables::{SessionRow, Tables, at_most};

#[async_trait]
impl Views for MemoryStore {
    async fn sessions(&self, query: &SessionQuery) -> Result<Vec<SessionSummary>, StoreError> {
        Ok(self.tables().session_list(query))
    }

    async fn session_summaries(
        &self,
        sessions: &[SessionId],
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let tables = self.tables();
        Ok(sessions
            .iter()
            .filter_map(|id| tables.summary(*id))
            .collect())
    }

    async fn conversation(
        &self,
        session: SessionId,
        after: Option<(At, u128)>,
        limit: u32,
    ) -> Result<Vec<Line>, StoreError> {
        Ok(self.tables().lines(session, after, at_most(limit)))
    }

    async fn timeline(
        &self,
        session: SessionId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        let tables = self.tables();
        let steps = tables
            .steps
            .range((session, 0)..(session, before.unwrap_or(u64::MAX)))
            .rev();
        Ok(steps
            .take(at_most(limit))
            .map(|(_, step)| step.clone())
            .collect())
    }

    async fn messages(&self, query: &MessageQuery) -> Result<Vec<MessageView>, StoreError> {
        Ok(self.tables().message_list(query))
    }

    async fn reach(
        &self,
        query: &MessageQuery,
        effort: u32,
    ) -> Result<Option<(At, MessageId)>, StoreError> {
        Ok(self.tables().reach(query, at_most(effort)))
    }

    async fn messages_by_id(&self, messages: &[MessageId]) -> Result<Vec<MessageView>, StoreError> {
        let tables = self.tables();
        Ok(messages
            .iter()
            .filter_map(|id| tables.messages.get(id))
            .map(|row| row.view.clone())
            .collect())
    }

    async fn reply_list(&self, query: &ReplyQuery) -> Result<Vec<ReplyView>, StoreError> {
        Ok(self.tables().reply_list(query))
    }

    async fn replies_by_id(&self, replies: &[ReplyId]) -> Result<Vec<ReplyView>, StoreError> {
        let tables = self.tables();
        Ok(replies
            .iter()
            .filter_map(|id| tables.replies.get(id))
            .map(|row| row.view.clone())
            .collect())
    }

    async fn replies_covering(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let tables = self.tables();
        let covering = tables
            .replies_of(session)
            .filter(|reply| reply.covers.contains(&message))
            .cloned()
            .collect();
        Ok(covering)
    }

    async fn judged(&self, query: &JudgedQuery) -> Result<Vec<JudgedStep>, StoreError> {
        let tables = self.tables();
        let is_judged = |step: &Step| {
            let mut events = step.events.iter();
            events.any(|event| matches!(event, Event::Judged { .. }))
        };
        let key = |found: &JudgedStep| (found.step.at, found.session, found.step.version);
        let mut found: Vec<JudgedStep> = tables
            .steps
            .iter()
            .filter(|(_, step)| is_judged(step))
            .map(|((session, _), step)| JudgedStep {
                session: *session,
                step: step.clone(),
            })
            .filter(|found| {
                let channel = tables.channel_of(found.session);
                query.channel.is_none() || query.channel.as_deref() == channel
            })
            .filter(|found| query.after.is_none_or(|after| key(found) < after))
            .collect();
        found.sort_by_key(|found| std::cmp::Reverse(key(found)));
        found.truncate(at_most(query.limit));
        Ok(found)
    }

    async fn channel_figures(&self, channel: &str) -> Result<ChannelFigures, StoreError> {
        Ok(self.tables().figures(channel))
    }

    async fn open_counts(&self) -> Result<Vec<(ReplyStatus, u64)>, StoreError> {
        let tables = self.tables();
        let count = |status: ReplyStatus| {
            tables
                .replies
                .values()
                .filter(|row| row.view.status == status)
                .count()
        };
        let open = ReplyStatus::ALL.iter().filter(|status| !status.is_final());
        Ok(open
            .map(|status| (*status, count(*status) as u64))
            .filter(|(_, count)| *count > 0)
            .collect())
    }
}

impl Tables {
    fn session_list(&self, query: &SessionQuery) -> Vec<SessionSummary> {
        let mut found: Vec<(At, SessionId)> = self
            .sessions
            .iter()
            .filter(|(_, row)| asked_for(row, query))
            .map(|(id, row)| (row.last_activity, *id))
            .filter(|key| query.after.is_none_or(|after| *key < after))
            .collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
            .into_iter()
            .take(at_most(query.limit))
            .filter_map(|(_, id)| self.summary(id))
            .collect()
    }

    fn summary(&self, id: SessionId) -> Option<SessionSummary> {
        let row = self.sessions.get(&id)?;
        let messages = self
            .messages
            .values()
            .map(|row| &row.view)
            .filter(|view| view.session == id);
        Some(SessionSummary {
            id,
            stored: row.stored.clone(),
            last_activity: row.last_activity,
            last_message: messages
                .max_by_key(|view| (view.written_at(), view.id))
                .cloned(),
            last_reply: self
                .replies_of(id)
                .max_by_key(|view| (view.created_at, view.id))
                .cloned(),
        })
    }

    fn replies_of(&self, session: SessionId) -> impl Iterator<Item = &ReplyView> {
        self.replies
            .values()
            .map(|row| &row.view)
            .filter(move |view| view.session == session)
    }

    fn lines(&self, session: SessionId, after: Option<(At, u128)>, limit: usize) -> Vec<Line> {
        let messages = self
            .messages
            .values()
            .map(|row| &row.view)
            .filter(|view| view.session == session);
        let messages = messages.map(|view| Line::Message(view.clone()));
        let replies = self
            .replies_of(session)
            .map(|view| Line::Reply(view.clone()));
        let mut lines: Vec<_> = messages
            .chain(replies)
            .filter(|line| after.is_none_or(|after| line.place() < after))
            .collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.place()));
        lines.truncate(limit);
        lines
    }

    fn message_list(&self, query: &MessageQuery) -> Vec<MessageView> {
        let mut found: Vec<&MessageView> = self
            .messages
            .values()
            .map(|row| &row.view)
            .filter(|view| query.session.is_none_or(|session| session == view.session))
            .filter(|view| {
                query.channel.is_none() || self.channel_of(view.session) == query.channel.as_deref()
            })
            .filter(|view| {
                query
                    .text
                    .as_deref()
                    .is_none_or(|text| contains(&view.text, text))
            })
            .filter(|view| {
                query
                    .above
                    .is_none_or(|above| above < (view.received_at, view.id))
            })
            .filter(|view| query.from.is_none_or(|from| from <= view.received_at))
            .filter(|view| query.to.is_none_or(|to| view.received_at < to))
            .filter(|view| {
                query
                    .after
                    .is_none_or(|after| (view.received_at, view.id) < after)
            })
            .collect();
        found.sort_by_key(|view| std::cmp::Reverse((view.received_at, view.id)));
        found
            .into_iter()
            .take(at_most(query.limit))
            .cloned()
            .collect()
    }

    fn reach(&self, query: &MessageQuery, effort: usize) -> Option<(At, MessageId)> {
        let whole = MessageQuery {
            text: None,
            above: None,
            limit: u32::MAX,
            ..query.clone()
        };
        let mut read: HashMap<Option<&str>, usize> = HashMap::new();
        let list = self.message_list(&whole);
        let left_out = list.iter().find(|view| {
            let channel = self.channel_of(view.session);
            let read = read.entry(channel).or_default();
            *read += 1;
            *read > effort
        });
        left_out.map(|view| (view.received_at, view.id))
    }

    fn reply_list(&self, query: &ReplyQuery) -> Vec<ReplyView> {
        let mut found: Vec<&ReplyView> = self
            .replies
            .values()
            .map(|row| &row.view)
            .filter(|view| query.statuses.is_empty() || query.statuses.contains(&view.status))
            .filter(|view| {
                query.channel.is_none() || self.channel_of(view.session) == query.channel.as_deref()
            })
            .filter(|view| {
                query
                    .after
                    .is_none_or(|after| (view.changed_at, view.id) < after)
            })
            .collect();
        found.sort_by_key(|view| std::cmp::Reverse((view.changed_at, view.id)));
        found
            .into_iter()
            .take(at_most(query.limit))
            .cloned()
            .collect()
    }

    fn figures(&self, channel: &str) -> ChannelFigures {
        let here = |session| self.channel_of(session) == Some(channel);
        let replies = || {
            self.replies
                .values()
                .map(|row| &row.view)
                .filter(|view| here(view.session))
        };
        let inbound = self
            .messages
            .values()
            .map(|row| &row.view)
            .filter(|view| here(view.session));
        let delivered = replies().filter(|view| view.status == ReplyStatus::Delivered);
        let parked = replies()
            .filter(|view| view.status == ReplyStatus::Parked)
            .count();
        ChannelFigures {
            last_inbound: inbound.map(|view| view.received_at).max(),
            last_delivery: delivered.map(|view| view.changed_at).max(),
            parked: u32::try_from(parked).unwrap_or(u32::MAX),
        }
    }
}

fn asked_for(row: &SessionRow, query: &SessionQuery) -> bool {
    let key = &row.stored.key;
    query
        .channel
        .as_ref()
        .is_none_or(|channel| *channel == key.channel)
        && query
            .contact
            .as_deref()
            .is_none_or(|contact| contains(&key.contact, contact))
        && (!query.open_only || row.stored.session.is_open())
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}
