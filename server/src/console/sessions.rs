//! The area of sessions.

use async_trait::async_trait;
use replygate_app::console::Sessions;
use replygate_app::view::{
    Caller, ChannelId, ConsoleError, Conversation, Count, Cursor, Lanes, Page, PageQuery,
    Permission, SessionDetail, SessionFilter, SessionId, SessionRow, TimelineEvent, VeiledList,
};
use replygate_gate as gate;
use replygate_ports::views::{SessionQuery, SessionSummary};

use super::{ServerConsole, at, cursor, facts, id, lanes, not_found, state, unavailable};

/// The lanes show so many of the newest steps.
const LANE_STEPS: u32 = 400;

/// A filter by state reads at most so many stretches of the list for one page.
const STRETCHES: usize = 5;

#[async_trait]
impl Sessions for ServerConsole {
    async fn sessions(
        &self,
        who: &Caller,
        filter: SessionFilter,
        page: PageQuery,
    ) -> Result<Page<SessionRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let is_first = page.after.is_none();
        let (found, next) = self.matching(who, &filter, &page).await?;
        let sight = self.sight(who, VeiledList::Sessions).await?;
        let mut rows = Vec::with_capacity(found.len());
        for summary in &found {
            rows.push(self.row(sight, summary).await);
        }
        let total = if is_first && next.is_none() {
            Some(Count::Exactly(rows.len() as u32))
        } else {
            self.session_total(&filter).await
        };
        Ok(Page {
            rows,
            next,
            as_of,
            total,
        })
    }

    async fn session_rows(
        &self,
        who: &Caller,
        ids: Vec<SessionId>,
    ) -> Result<Page<SessionRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let ids: Vec<gate::SessionId> = ids
            .iter()
            .take(usize::from(PageQuery::MOST))
            .filter_map(|id| id.as_str().parse().ok())
            .collect();
        let found = self
            .service
            .stores
            .views
            .session_summaries(&ids)
            .await
            .map_err(unavailable)?;
        let sight = self.sight(who, VeiledList::Sessions).await?;
        let mut rows = Vec::with_capacity(found.len());
        for summary in &found {
            rows.push(self.row(sight, summary).await);
        }
        Ok(Page {
            rows,
            next: None,
            as_of,
            total: None,
        })
    }

    async fn session(&self, who: &Caller, id: SessionId) -> Result<SessionDetail, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let summary = self.summary(id.as_str()).await?;
        let sight = self.sight_of(who, summary.id).await?;
        let first = self
            .service
            .stores
            .store
            .events(summary.id, 0, 1)
            .await
            .map_err(unavailable)?;
        let first_seen = first.first().map_or(summary.last_activity, |step| step.at);
        let head = summary.stored.session.head();
        Ok(SessionDetail {
            row: self.row(sight, &summary).await,
            first_seen: at(first_seen),
            next_reply: head.map(|reply| reply.id.to_string().into()),
            as_of,
        })
    }

    async fn conversation(
        &self,
        who: &Caller,
        id: SessionId,
        page: PageQuery,
    ) -> Result<Conversation, ConsoleError> {
        who.need(Permission::See)?;
        let summary = self.summary(id.as_str()).await?;
        let sight = self.sight_of(who, summary.id).await?;
        self.lines(sight, &summary, &page).await
    }

    async fn timeline(
        &self,
        who: &Caller,
        id: SessionId,
        page: PageQuery,
    ) -> Result<Page<TimelineEvent>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let session = self.summary(id.as_str()).await?.id;
        let before = cursor::number(page.after.as_ref())?;
        let limit = cursor::limit(&page);
        let steps = self.service.stores.views.timeline(session, before, limit);
        let steps = steps.await.map_err(unavailable)?;
        let mut rows: Vec<TimelineEvent> = Vec::new();
        let mut shown = 0;
        for step in &steps {
            let is_full = rows.len() + step.events.len() > limit as usize;
            if is_full && shown > 0 {
                break;
            }
            rows.extend(facts::of_step(step).rev());
            shown += 1;
        }
        let is_more = shown < steps.len() || steps.len() == limit as usize;
        let last = steps
            .get(shown.wrapping_sub(1))
            .filter(|step| is_more && step.version > 1);
        Ok(Page {
            rows,
            next: last.map(|step| Cursor(step.version.to_string())),
            as_of,
            total: None,
        })
    }

    async fn lanes(&self, who: &Caller, id: SessionId) -> Result<Lanes, ConsoleError> {
        who.need(Permission::See)?;
        let now = self.service.stores.clock.now();
        let session = self.summary(id.as_str()).await?.id;
        let views = &self.service.stores.views;
        let steps = views.timeline(session, None, LANE_STEPS).await;
        Ok(lanes::lanes(&steps.map_err(unavailable)?, now))
    }
}

impl ServerConsole {
    /// How many sessions match in all; left out where only reading every one of them would tell.
    async fn session_total(&self, filter: &SessionFilter) -> Option<Count> {
        if filter.state.is_some() || filter.q.is_some() {
            return None;
        }
        let channel = filter.channel.as_ref().map(ChannelId::as_str);
        let figures = &self.service.stores.figures;
        self.counted(|most| figures.count_sessions(channel, false, most))
            .await
    }

    pub(super) async fn summary(&self, session: &str) -> Result<SessionSummary, ConsoleError> {
        let id: gate::SessionId = id("session", session)?;
        let found = self.service.stores.views.session_summaries(&[id]).await;
        let mut found = found.map_err(unavailable)?;
        found.pop().ok_or_else(|| not_found("session"))
    }

    async fn matching(
        &self,
        who: &Caller,
        filter: &SessionFilter,
        page: &PageQuery,
    ) -> Result<(Vec<SessionSummary>, Option<Cursor>), ConsoleError> {
        if let Some(by_id) = self.by_id(filter).await? {
            return Ok((by_id, None));
        }
        let limit = cursor::limit(page) as usize;
        let mut query = query(who, filter, page)?;
        let mut found: Vec<SessionSummary> = Vec::new();
        for _ in 0..STRETCHES {
            let stretch = self
                .service
                .stores
                .views
                .sessions(&query)
                .await
                .map_err(unavailable)?;
            let is_last = stretch.len() < query.limit as usize;
            for summary in stretch {
                query.after = Some((summary.last_activity, summary.id));
                if self.is_wanted(who, filter, &summary) {
                    found.push(summary);
                }
                if found.len() == limit {
                    return Ok((found, query.after.map(|(at, id)| cursor::behind(at, id.0))));
                }
            }
            if is_last {
                return Ok((found, None));
            }
        }
        Ok((found, query.after.map(|(at, id)| cursor::behind(at, id.0))))
    }

    /// A whole session id in the search field finds that session, whoever searches.
    async fn by_id(
        &self,
        filter: &SessionFilter,
    ) -> Result<Option<Vec<SessionSummary>>, ConsoleError> {
        let id = filter
            .q
            .as_deref()
            .and_then(|q| q.trim().parse::<gate::SessionId>().ok());
        let Some(id) = id else { return Ok(None) };
        let found = self.service.stores.views.session_summaries(&[id]).await;
        found.map(Some).map_err(unavailable)
    }

    fn is_wanted(&self, who: &Caller, filter: &SessionFilter, summary: &SessionSummary) -> bool {
        let now = self.service.stores.clock.now();
        let word = state::word(&summary.stored.session, now, summary.last_activity).word;
        let has_state = filter.state.is_none_or(|wanted| wanted == word);
        let has_id = match &filter.q {
            Some(q) if !who.may(Permission::Reveal) => {
                summary.id.to_string().contains(&q.trim().to_lowercase())
            }
            _ => true,
        };
        has_state && has_id
    }
}

fn query(
    who: &Caller,
    filter: &SessionFilter,
    page: &PageQuery,
) -> Result<SessionQuery, ConsoleError> {
    let after = cursor::read(page.after.as_ref())?;
    let filters = filter.state.is_some() || filter.q.is_some();
    Ok(SessionQuery {
        channel: filter
            .channel
            .as_ref()
            .map(|channel| channel.as_str().to_owned()),
        contact: filter.q.clone().filter(|_| who.may(Permission::Reveal)),
        open_only: filter
            .state
            .is_some_and(|state| state != replygate_app::view::SessionStateWord::Idle),
        after: after.map(|(at, id)| (at, gate::SessionId(id))),
        limit: if filters {
            u32::from(PageQuery::MOST)
        } else {
            cursor::limit(page)
        },
    })
}
