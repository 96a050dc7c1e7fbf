//! A conversation's lines, each reply with what happened to it.

use std::collections::HashMap;

use replygate_app::view::{
    ConsoleError, Conversation, ConversationItem, Message, MessageFate, MessageKind, Page,
    PageQuery,
};
use replygate_gate::{self as gate, DropReason, ReplyId};
use replygate_ports::changes::MessageState;
use replygate_ports::views::{Line, MessageView, ReplyView, SessionSummary};

use super::masking::Sight;
use super::story::{self, Story};
use super::{ServerConsole, at, cursor, masking, unavailable};

/// A chain of replies that took each other's place is followed so far.
const CHAIN: usize = 8;

impl ServerConsole {
    pub(super) async fn lines(
        &self,
        sight: Sight,
        summary: &SessionSummary,
        page: &PageQuery,
    ) -> Result<Conversation, ConsoleError> {
        let as_of = self.time();
        let limit = cursor::limit(page);
        let after = cursor::read(page.after.as_ref())?;
        let lines = self
            .service
            .stores
            .views
            .conversation(summary.id, after, limit);
        let lines = lines.await.map_err(unavailable)?;
        let answers = self.answers(lines.iter().filter_map(covered)).await?;
        let stories = self.stories(summary.id).await?;
        let threshold = self.threshold(&summary.stored.key.channel);
        let next = lines
            .last()
            .filter(|_| lines.len() == limit as usize)
            .map(place);
        let rows = lines
            .iter()
            .map(|line| match line {
                Line::Message(view) => {
                    ConversationItem::Message(message(sight, view, &answers, &view.text))
                }
                Line::Reply(view) => {
                    let unheard = Story::default();
                    let story = stories.get(&view.id).unwrap_or(&unheard);
                    ConversationItem::Reply(story.of(view, sight, threshold))
                }
            })
            .collect();
        Ok(Conversation {
            items: Page {
                rows,
                next,
                as_of,
                total: None,
            },
        })
    }

    /// What happened to the replies of a session lately.
    pub(super) async fn stories(
        &self,
        session: gate::SessionId,
    ) -> Result<HashMap<ReplyId, Story>, ConsoleError> {
        self.recent_stories(session, story::STEPS).await
    }

    /// What happened to the replies of a session in its last steps.
    pub(super) async fn recent_stories(
        &self,
        session: gate::SessionId,
        steps: u32,
    ) -> Result<HashMap<ReplyId, Story>, ConsoleError> {
        let views = &self.service.stores.views;
        let steps = views.timeline(session, None, steps).await;
        Ok(story::stories(&steps.map_err(unavailable)?))
    }

    /// Below this confidence a verdict of this channel is no verdict.
    pub(super) fn threshold(&self, channel: &str) -> f32 {
        let live = self.service.engine.board().live(channel);
        live.map_or(gate::triage::SURE, |live| live.rules.threshold)
    }

    /// These replies and those that took their place.
    pub(super) async fn answers(
        &self,
        replies: impl Iterator<Item = ReplyId>,
    ) -> Result<HashMap<ReplyId, ReplyView>, ConsoleError> {
        let mut wanted: Vec<ReplyId> = replies.collect();
        let mut found = HashMap::new();
        for _ in 0..CHAIN {
            wanted.sort_unstable();
            wanted.dedup();
            wanted.retain(|reply| !found.contains_key(reply));
            if wanted.is_empty() {
                break;
            }
            let views = self
                .service
                .stores
                .views
                .replies_by_id(&wanted)
                .await
                .map_err(unavailable)?;
            wanted = views.iter().filter_map(|view| view.superseded_by).collect();
            found.extend(views.into_iter().map(|view| (view.id, view)));
        }
        Ok(found)
    }
}

/// A message, with the reply that answers it looked up in `answers`.
pub(super) fn message(
    sight: Sight,
    view: &MessageView,
    answers: &HashMap<ReplyId, ReplyView>,
    text: &str,
) -> Message {
    Message {
        id: view.id.to_string().into(),
        session: view.session.to_string().into(),
        written: at(view.written_at()),
        received: at(view.received_at),
        kind: kind(view),
        text: match (text.is_empty(), view.kind) {
            // An attachment without words was never pruned.
            (true, kind) if kind.may_be_empty() => {
                replygate_app::view::Personal::Shown(String::new())
            }
            _ => masking::text(sight, text),
        },
        edited: view.edit_of.is_some(),
        fate: fate(view, answers),
    }
}

/// The newest reply that answers a message.
pub(super) fn answer<'a>(
    view: &MessageView,
    answers: &'a HashMap<ReplyId, ReplyView>,
) -> Option<&'a ReplyView> {
    let MessageState::Covered(Some(reply)) = view.state else {
        return None;
    };
    let mut found = answers.get(&reply)?;
    for _ in 0..CHAIN {
        match found.superseded_by.and_then(|next| answers.get(&next)) {
            Some(next) => found = next,
            None => break,
        }
    }
    Some(found)
}

fn fate(view: &MessageView, answers: &HashMap<ReplyId, ReplyView>) -> MessageFate {
    match view.state {
        MessageState::Waiting => MessageFate::Waiting,
        MessageState::Covered(None) => MessageFate::Silent,
        MessageState::Covered(Some(reply)) => match answer(view, answers) {
            Some(found) => MessageFate::Answered {
                by: found.id.to_string().into(),
                seq: Some(found.seq),
                status: found.status.into(),
            },
            None => MessageFate::Answered {
                by: reply.to_string().into(),
                seq: None,
                status: gate::ReplyStatus::Pending.into(),
            },
        },
        MessageState::Dropped(DropReason::Person) => MessageFate::Person,
        MessageState::Dropped(reason) => MessageFate::Dropped {
            why: reason.as_str().to_owned(),
        },
    }
}

fn kind(view: &MessageView) -> MessageKind {
    if view.state == MessageState::Dropped(DropReason::IsCommand) {
        return MessageKind::Command;
    }
    match view.kind {
        gate::debounce::MessageKind::Text => MessageKind::Text,
        gate::debounce::MessageKind::Media => MessageKind::Media,
        gate::debounce::MessageKind::Voice => MessageKind::Voice,
        gate::debounce::MessageKind::Reaction => MessageKind::Reaction,
    }
}

/// The reply that a turn wrote for a message.
pub(super) fn covered(line: &Line) -> Option<ReplyId> {
    match line {
        Line::Message(view) => match view.state {
            MessageState::Covered(reply) => reply,
            _ => None,
        },
        Line::Reply(_) => None,
    }
}

fn place(line: &Line) -> replygate_app::view::Cursor {
    let (at, id) = line.place();
    cursor::behind(at, id)
}
