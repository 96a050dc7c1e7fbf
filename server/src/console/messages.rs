//! The area of messages.

use std::collections::HashMap;

use async_trait::async_trait;
use replygate_app::console::Messages;
use replygate_app::view::{
    Caller, ConsoleError, Count, MessageDetail, MessageFilter, MessageId, MessageRow, Page,
    PageQuery, Permission, Personal, StatusWord, TimelineEvent, VeiledList, VerdictWord,
};
use replygate_gate::{self as gate, ReplyId, SessionId};
use replygate_ports::changes::MessageState;
use replygate_ports::views::{MessageQuery, MessageView, ReplyView, SessionSummary};

use super::conversation::{answer, message};
use super::masking::Sight;
use super::story::{self, Story};
use super::{ServerConsole, channel, cursor, facts, id, masking, not_found, unavailable};

/// A filter by reply reads at most so many stretches of the list for one page.
const STRETCHES: usize = 5;
/// A search for words looks at so many messages of each channel for one page: a fifth of a million takes well under a second.
const EFFORT: u32 = 200_000;
/// How far back a line of the list looks for what was decided.
const LIST_STEPS: u32 = 60;

#[async_trait]
impl Messages for ServerConsole {
    async fn messages(
        &self,
        who: &Caller,
        filter: MessageFilter,
        page: PageQuery,
    ) -> Result<Page<MessageRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let limit = cursor::limit(&page) as usize;
        let mut query = query(who, &filter, &page)?;
        let sight = self.sight(who, VeiledList::Messages).await?;
        if query.text.is_some() {
            let reach = self.service.stores.views.reach(&query, EFFORT);
            query.above = reach.await.map_err(unavailable)?;
        }
        let mut rows = Vec::new();
        let mut next = None;
        for _ in 0..STRETCHES {
            let stretch = self
                .service
                .stores
                .views
                .messages(&query)
                .await
                .map_err(unavailable)?;
            let is_last = stretch.len() < query.limit as usize;
            let read = self.rows_of(sight, &stretch).await?;
            for (view, row) in stretch.iter().zip(read) {
                query.after = Some((view.received_at, view.id));
                if rows.len() < limit {
                    rows.extend(row.filter(|row| is_wanted(&filter, row)));
                    next = query.after;
                }
            }
            if is_last && rows.len() < limit {
                next = None;
            }
            if is_last || rows.len() == limit {
                break;
            }
        }
        let total = self.message_total(&filter, &query).await;
        // What a search left out comes first in the next stretch.
        let left_out = query
            .above
            .map(|(at, id)| (at, gate::MessageId(id.0.saturating_add(1))));
        let next = next.or(left_out);
        Ok(Page {
            rows,
            next: next.map(|(at, id)| cursor::behind(at, id.0)),
            as_of,
            total,
        })
    }

    async fn message_rows(
        &self,
        who: &Caller,
        ids: Vec<MessageId>,
    ) -> Result<Page<MessageRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let ids: Vec<gate::MessageId> = ids
            .iter()
            .take(usize::from(PageQuery::MOST))
            .filter_map(|id| id.as_str().parse().ok())
            .collect();
        let sight = self.sight(who, VeiledList::Messages).await?;
        let found = self.service.stores.views.messages_by_id(&ids).await;
        let rows = self.rows_of(sight, &found.map_err(unavailable)?).await?;
        Ok(Page {
            rows: rows.into_iter().flatten().collect(),
            next: None,
            as_of,
            total: None,
        })
    }

    async fn message(
        &self,
        who: &Caller,
        wanted: MessageId,
    ) -> Result<MessageDetail, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let views = &self.service.stores.views;
        let wanted: gate::MessageId = id("message", wanted.as_str())?;
        let found = views.messages_by_id(&[wanted]).await.map_err(unavailable)?;
        let view = found.first().ok_or_else(|| not_found("message"))?;
        let sight = self.sight_of(who, view.session).await?;
        let mut rows = self.rows_of(sight, &found).await?;
        let mut row = rows.pop().flatten().ok_or_else(|| not_found("message"))?;
        row.message.text = masking::text(sight, &view.text);
        let replies = views
            .replies_covering(view.session, view.id)
            .await
            .map_err(unavailable)?;
        let steps = views
            .timeline(view.session, None, story::STEPS)
            .await
            .map_err(unavailable)?;
        let stories = story::stories(&steps);
        let threshold = self.threshold(row.channel.id.as_str());
        let names: Vec<String> = std::iter::once(view.id.to_string())
            .chain(replies.iter().map(|reply| reply.id.to_string()))
            .collect();
        let mut events: Vec<TimelineEvent> = steps.iter().rev().flat_map(facts::of_step).collect();
        events.retain(|event| is_about(event, &names));
        let mut replies = replies;
        replies.sort_by_key(|reply| (reply.created_at, reply.id));
        let avoided = self.avoided_for(sight, view, &replies).await?;
        let unheard = Story::default();
        let told = |reply: &ReplyView| {
            stories
                .get(&reply.id)
                .unwrap_or(&unheard)
                .of(reply, sight, threshold)
        };
        Ok(MessageDetail {
            row,
            replies: replies.iter().map(told).collect(),
            avoided,
            events,
            as_of,
        })
    }
}

impl ServerConsole {
    /// How many messages match in all; left out where only reading every one of them would tell.
    async fn message_total(&self, filter: &MessageFilter, query: &MessageQuery) -> Option<Count> {
        if filter.status.is_some() || filter.decision.is_some() || query.text.is_some() {
            return None;
        }
        let figures = &self.service.stores.figures;
        self.counted(|most| figures.count_messages(query, most))
            .await
    }

    /// A line for each message; none where its session is gone meanwhile.
    async fn rows_of(
        &self,
        sight: Sight,
        views: &[MessageView],
    ) -> Result<Vec<Option<MessageRow>>, ConsoleError> {
        let mut ids: Vec<SessionId> = views.iter().map(|view| view.session).collect();
        ids.sort_unstable();
        ids.dedup();
        let summaries = self
            .service
            .stores
            .views
            .session_summaries(&ids)
            .await
            .map_err(unavailable)?;
        let summaries: HashMap<SessionId, SessionSummary> = summaries
            .into_iter()
            .map(|summary| (summary.id, summary))
            .collect();
        let mut stories: HashMap<ReplyId, Story> = HashMap::new();
        for id in &ids {
            stories.extend(self.recent_stories(*id, LIST_STEPS).await?);
        }
        let covered = views.iter().filter_map(|view| match view.state {
            MessageState::Covered(reply) => reply,
            _ => None,
        });
        let answers = self.answers(covered).await?;
        let row = |view: &MessageView| {
            let summary = summaries.get(&view.session)?;
            Some(row(sight, view, summary, &answers, &stories))
        };
        Ok(views.iter().map(row).collect())
    }
}

fn row(
    sight: Sight,
    view: &MessageView,
    summary: &SessionSummary,
    answers: &HashMap<ReplyId, ReplyView>,
    stories: &HashMap<ReplyId, Story>,
) -> MessageRow {
    let reply = answer(view, answers);
    let story = reply.and_then(|reply| stories.get(&reply.id));
    let mut message = message(sight, view, answers, &view.text);
    if let Personal::Shown(text) = &message.text {
        message.text = if text.is_empty() {
            message.text
        } else {
            masking::cut(sight, text)
        };
    }
    let delivered = reply.and_then(|reply| story.cloned().unwrap_or_default().delivered(reply));
    MessageRow {
        message,
        version: summary.stored.version,
        channel: channel(&summary.stored.key.channel),
        contact: masking::contact(sight, &summary.stored.key.contact),
        decision: story.and_then(Story::decision).map(VerdictWord::from),
        reply_time_ms: delivered.map(|at| at.since(view.received_at)),
        attempts: reply.map_or(0, |reply| reply.attempts),
    }
}

fn query(
    who: &Caller,
    filter: &MessageFilter,
    page: &PageQuery,
) -> Result<MessageQuery, ConsoleError> {
    let after = cursor::read(page.after.as_ref())?;
    let by_session = filter
        .q
        .as_deref()
        .and_then(|q| q.trim().parse::<SessionId>().ok());
    let text = filter.q.clone().filter(|_| by_session.is_none());
    if text.is_some() && !who.may(Permission::Reveal) {
        return Err(ConsoleError::Invalid {
            field: "q".to_owned(),
            value: String::new(),
            allowed: "a session's id, without the permission to see texts".to_owned(),
        });
    }
    let filters = filter.status.is_some() || filter.decision.is_some();
    Ok(MessageQuery {
        channel: filter
            .channel
            .as_ref()
            .map(|channel| channel.as_str().to_owned()),
        session: by_session,
        text,
        from: filter.from.map(|at| gate::At(at.0)),
        to: filter.to.map(|at| gate::At(at.0)),
        after: after.map(|(at, id)| (at, gate::MessageId(id))),
        above: None,
        limit: if filters {
            u32::from(PageQuery::MOST)
        } else {
            cursor::limit(page)
        },
    })
}

fn is_wanted(filter: &MessageFilter, row: &MessageRow) -> bool {
    let status = match &row.message.fate {
        replygate_app::view::MessageFate::Answered { status, .. } => Some(*status),
        _ => None,
    };
    let has_status = filter
        .status
        .is_none_or(|wanted: StatusWord| status == Some(wanted));
    let has_decision = filter
        .decision
        .is_none_or(|wanted| row.decision == Some(wanted));
    has_status && has_decision
}

fn is_about(event: &TimelineEvent, names: &[String]) -> bool {
    event
        .facts
        .iter()
        .any(|fact| names.iter().any(|name| fact.value.contains(name.as_str())))
}
