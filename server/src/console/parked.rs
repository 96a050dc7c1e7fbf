//! The area of the inbox: replies that wait for a person, each with what happened in its session since.

use std::collections::HashMap;

use async_trait::async_trait;
use replygate_app::console::Parked;
use replygate_app::view::{
    Caller, Cause, ConsoleError, Inbox, InboxView, LastDeed, Meanwhile, Page, PageQuery,
    ParkedDetail, ParkedFilter, ParkedRow, Permission, ReplyId, VeiledList,
};
use replygate_gate::{self as gate, Author, Event, ReplyStatus, SessionId};
use replygate_ports::store::Step;
use replygate_ports::views::{Line, ReplyQuery, ReplyView, SessionSummary};

use super::checks::Findings;
use super::masking::Sight;
use super::{ServerConsole, at, channel, cursor, id, masking, not_found, story, unavailable};

/// The statuses in which a reply waits for a person.
pub(super) const WAITING: [ReplyStatus; 2] = [ReplyStatus::Parked, ReplyStatus::Unknown];
/// A filter reads at most so many stretches of the list for one page.
const STRETCHES: usize = 10;
/// What happened in a session since a reply was written is looked for in so many lines.
const LINES: u32 = 100;
/// A channel is judged by so many of its last replies.
const LAST: u32 = 10;
/// One cause is told when it explains at least so many replies, and this share of what was looked at.
const CAUSE_LEAST: u32 = 5;
const CAUSE_PERCENT: u32 = 60;
/// Stands where a reply has no reason because nobody knows its outcome.
const UNKNOWN: &str = "unknown";

#[async_trait]
impl Parked for ServerConsole {
    async fn parked(
        &self,
        who: &Caller,
        filter: ParkedFilter,
        page: PageQuery,
    ) -> Result<Inbox, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let (found, next) = self.waiting(who, &filter, &page).await?;
        let newest = self.newest_waiting().await?;
        let page = Page {
            total: None,
            rows: found,
            next: next.map(|(at, id)| cursor::behind(at, id.0)),
            as_of,
        };
        Ok(Inbox {
            page,
            reasons: reasons(&newest),
            cause: self.cause(&newest).await?,
        })
    }

    async fn parked_rows(
        &self,
        who: &Caller,
        ids: Vec<ReplyId>,
    ) -> Result<Page<ParkedRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let ids: Vec<gate::ReplyId> = ids
            .iter()
            .take(usize::from(PageQuery::MOST))
            .filter_map(|id| id.as_str().parse().ok())
            .collect();
        let sight = self.sight(who, VeiledList::Parked).await?;
        let found = self.service.stores.views.replies_by_id(&ids).await;
        let rows = self
            .parked_lines(sight, &found.map_err(unavailable)?)
            .await?;
        Ok(Page {
            rows,
            next: None,
            as_of,
            total: None,
        })
    }

    async fn parked_reply(
        &self,
        who: &Caller,
        wanted: ReplyId,
    ) -> Result<ParkedDetail, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let wanted: gate::ReplyId = id("reply", wanted.as_str())?;
        let found = self.service.stores.views.replies_by_id(&[wanted]).await;
        let found = found.map_err(unavailable)?;
        let view = found.first().ok_or_else(|| not_found("reply"))?;
        let sight = self.sight_of(who, view.session).await?;
        let summary = self.summary(&view.session.to_string()).await?;
        let findings = self.findings(view, &summary).await?;
        let steps = self.steps(view.session).await?;
        let waits = WAITING.contains(&view.status);
        Ok(ParkedDetail {
            row: line(sight, view, &summary, findings.meanwhile()),
            parts: view
                .parts
                .iter()
                .map(|part| masking::text(sight, part))
                .collect(),
            checks: if waits { findings.checks() } else { Vec::new() },
            usual: findings.usual().filter(|_| waits),
            last_deed: last_deed(&steps, wanted),
            as_of,
        })
    }
}

impl ServerConsole {
    /// Waiting replies that match, and the place behind the last one.
    pub(super) async fn waiting(
        &self,
        who: &Caller,
        filter: &ParkedFilter,
        page: &PageQuery,
    ) -> Result<(Vec<ParkedRow>, Option<(gate::At, gate::ReplyId)>), ConsoleError> {
        let sight = self.sight(who, VeiledList::Parked).await?;
        let limit = cursor::limit(page) as usize;
        let after = cursor::read(page.after.as_ref())?;
        let mut query = query(
            filter,
            after.map(|(at, id)| (at, gate::ReplyId(id))),
            PageQuery::MOST,
        );
        let mut rows = Vec::new();
        for _ in 0..STRETCHES {
            let stretch = self.service.stores.views.reply_list(&query).await;
            let stretch = stretch.map_err(unavailable)?;
            let is_last = stretch.len() < query.limit as usize;
            // In small portions, so that a first page does not look into two hundred sessions.
            for portion in stretch.chunks(limit) {
                let wanted = self.matching_views(who, filter, portion);
                let lines = self.parked_lines(sight, &wanted).await?;
                let mut lines: HashMap<String, ParkedRow> = lines
                    .into_iter()
                    .map(|line| (line.reply.0.clone(), line))
                    .collect();
                for view in portion {
                    query.after = Some((view.changed_at, view.id));
                    let row = lines.remove(&view.id.to_string());
                    rows.extend(row.filter(|row| fits(filter, row)));
                    if rows.len() == limit {
                        return Ok((rows, query.after));
                    }
                }
            }
            if is_last {
                return Ok((rows, None));
            }
        }
        Ok((rows, query.after))
    }

    /// What of a portion may match by the reply alone.
    fn matching_views(
        &self,
        who: &Caller,
        filter: &ParkedFilter,
        portion: &[ReplyView],
    ) -> Vec<ReplyView> {
        let now = self.service.stores.clock.now();
        let wanted = |view: &&ReplyView| {
            let waited = now.since(view.changed_at) as i64;
            let has_why = filter
                .why
                .as_deref()
                .is_none_or(|why| why == self::why(view));
            let has_waited = filter.waited_ms.is_none_or(|least| waited >= least);
            let has_text = filter.q.as_deref().is_none_or(|q| is_about(who, view, q));
            has_why && has_waited && has_text
        };
        portion.iter().filter(wanted).cloned().collect()
    }

    /// A line for each reply whose session is still there.
    async fn parked_lines(
        &self,
        sight: Sight,
        views: &[ReplyView],
    ) -> Result<Vec<ParkedRow>, ConsoleError> {
        let mut ids: Vec<SessionId> = views.iter().map(|view| view.session).collect();
        ids.sort_unstable();
        ids.dedup();
        let summaries = self.service.stores.views.session_summaries(&ids).await;
        let summaries: HashMap<SessionId, SessionSummary> = summaries
            .map_err(unavailable)?
            .into_iter()
            .map(|summary| (summary.id, summary))
            .collect();
        let mut rows = Vec::with_capacity(views.len());
        for view in views {
            let Some(summary) = summaries.get(&view.session) else {
                continue;
            };
            let meanwhile = self.meanwhile(view, summary).await?;
            rows.push(line(sight, view, summary, meanwhile));
        }
        Ok(rows)
    }

    async fn meanwhile(
        &self,
        view: &ReplyView,
        summary: &SessionSummary,
    ) -> Result<Meanwhile, ConsoleError> {
        // Nothing newer than the reply itself: the session need not be looked into.
        let newest = [
            summary
                .last_message
                .as_ref()
                .map(|message| message.received_at),
            summary.last_reply.as_ref().map(|reply| reply.created_at),
        ];
        let is_quiet = newest.iter().flatten().all(|at| *at <= view.created_at);
        if is_quiet && summary.stored.session.takeover.is_none() {
            return Ok(Meanwhile::Nothing);
        }
        let lines = self.lines_since(view).await?;
        let mut findings = Findings::default();
        since(&mut findings, view, summary, &lines);
        Ok(findings.meanwhile())
    }

    /// Everything that speaks for and against.
    pub(super) async fn findings(
        &self,
        view: &ReplyView,
        summary: &SessionSummary,
    ) -> Result<Findings, ConsoleError> {
        let session = &summary.stored.session;
        let stores = &self.service.stores;
        let answered = stores
            .store
            .answered(view.session, &view.covers, view.id)
            .await
            .map_err(unavailable)?;
        let mut findings = Findings {
            is_unknown: view.status == ReplyStatus::Unknown,
            is_empty: view.parts.is_empty(),
            covers_nothing: view.covers.is_empty(),
            being_rerun: session.is_being_rerun(view.id),
            answered_elsewhere: !answered.is_empty(),
            returns: returns(view),
            channel_failures: self.channel_failures(&summary.stored.key.channel).await?,
            effects: view.effects,
            busy: session.owner.is_some() || session.window.is_some(),
            ..Findings::default()
        };
        let lines = self.lines_since(view).await?;
        since(&mut findings, view, summary, &lines);
        let person = self.person_since(view, &lines).await?;
        findings.person = findings.person.and(person);
        Ok(findings)
    }

    async fn lines_since(&self, view: &ReplyView) -> Result<Vec<Line>, ConsoleError> {
        let views = &self.service.stores.views;
        let lines = views.conversation(view.session, None, LINES).await;
        lines.map_err(unavailable)
    }

    /// Who wrote the newest reply of a person, by the step that brought it.
    async fn person_since(
        &self,
        view: &ReplyView,
        lines: &[Line],
    ) -> Result<Option<(String, replygate_app::view::At)>, ConsoleError> {
        let Some((id, when)) = persons_reply(view, lines) else {
            return Ok(None);
        };
        let steps = self.steps(view.session).await?;
        let step = steps.iter().find(|step| {
            let brought =
                |event: &Event| matches!(event, Event::Replied { reply, .. } if *reply == id);
            step.events.iter().any(brought)
        });
        let by = step.and_then(|step| step.actor.strip_prefix("user:"));
        Ok(Some((by.unwrap_or_default().to_owned(), at(when))))
    }

    /// The newest deed of an operator on a reply.
    pub(super) async fn last_deed(
        &self,
        session: SessionId,
        reply: gate::ReplyId,
    ) -> Result<Option<LastDeed>, ConsoleError> {
        Ok(last_deed(&self.steps(session).await?, reply))
    }

    async fn steps(&self, session: SessionId) -> Result<Vec<Step>, ConsoleError> {
        let views = &self.service.stores.views;
        let steps = views.timeline(session, None, story::STEPS).await;
        steps.map_err(unavailable)
    }

    /// Of the channel's last settled replies, how many it failed, of how many.
    pub(super) async fn channel_failures(&self, channel: &str) -> Result<(u32, u32), ConsoleError> {
        let query = ReplyQuery {
            channel: Some(channel.to_owned()),
            statuses: vec![
                ReplyStatus::Delivered,
                ReplyStatus::Parked,
                ReplyStatus::Unknown,
            ],
            after: None,
            limit: LAST,
        };
        let last = self.service.stores.views.reply_list(&query).await;
        let last = last.map_err(unavailable)?;
        let failed = |view: &&ReplyView| {
            use gate::ParkReason::{ChannelFailed, ChannelRefused};
            let by_channel = matches!(view.park_reason, Some(ChannelFailed | ChannelRefused));
            by_channel || view.status == ReplyStatus::Unknown
        };
        Ok((last.iter().filter(failed).count() as u32, last.len() as u32))
    }

    pub(super) async fn newest_waiting(&self) -> Result<Vec<ReplyView>, ConsoleError> {
        let query = query(&ParkedFilter::default(), None, PageQuery::MOST);
        let found = self.service.stores.views.reply_list(&query).await;
        found.map_err(unavailable)
    }

    /// The one cause that explains most of what waits, if there is one.
    async fn cause(&self, newest: &[ReplyView]) -> Result<Option<Cause>, ConsoleError> {
        let sessions: Vec<SessionId> = newest.iter().map(|view| view.session).collect();
        let summaries = self.service.stores.views.session_summaries(&sessions).await;
        let channels: HashMap<SessionId, String> = summaries
            .map_err(unavailable)?
            .into_iter()
            .map(|summary| (summary.id, summary.stored.key.channel))
            .collect();
        Ok(cause(newest, &channels))
    }
}

fn query(
    filter: &ParkedFilter,
    after: Option<(gate::At, gate::ReplyId)>,
    limit: u16,
) -> ReplyQuery {
    let statuses = match filter.why.as_deref() {
        Some(UNKNOWN) => vec![ReplyStatus::Unknown],
        Some(_) => vec![ReplyStatus::Parked],
        None => WAITING.to_vec(),
    };
    ReplyQuery {
        channel: filter
            .channel
            .as_ref()
            .map(|channel| channel.as_str().to_owned()),
        statuses,
        after,
        limit: u32::from(limit),
    }
}

/// The stored word for why a reply waits.
fn why(view: &ReplyView) -> &'static str {
    view.park_reason.map_or(UNKNOWN, gate::ParkReason::as_str)
}

/// How often it was put back in line: its generation grows when it comes to wait and when it is put back.
fn returns(view: &ReplyView) -> u32 {
    view.generation.saturating_sub(1) / 2
}

fn is_about(who: &Caller, view: &ReplyView, q: &str) -> bool {
    let q = q.trim().to_lowercase();
    let ids = [view.id.to_string(), view.session.to_string()];
    if ids.iter().any(|id| id.contains(&q)) {
        return true;
    }
    who.may(Permission::Reveal)
        && view
            .parts
            .iter()
            .any(|part| part.to_lowercase().contains(&q))
}

fn fits(filter: &ParkedFilter, row: &ParkedRow) -> bool {
    match filter.view {
        None => true,
        Some(InboxView::Safe) => row.meanwhile == Meanwhile::Nothing,
        Some(InboxView::Late) => row.meanwhile != Meanwhile::Nothing,
        Some(InboxView::CameBack) => row.returns > 0,
    }
}

fn line(
    sight: Sight,
    view: &ReplyView,
    summary: &SessionSummary,
    meanwhile: Meanwhile,
) -> ParkedRow {
    ParkedRow {
        reply: view.id.to_string().into(),
        session: view.session.to_string().into(),
        version: summary.stored.version,
        generation: view.generation,
        status: view.status.into(),
        channel: channel(&summary.stored.key.channel),
        contact: masking::contact(sight, &summary.stored.key.contact),
        text: masking::cut(sight, &view.parts.join("\n")),
        why: why(view).to_owned(),
        code: view.code.clone(),
        attempts: view.attempts,
        written: at(view.created_at),
        since: at(view.changed_at),
        returns: returns(view),
        meanwhile,
    }
}

/// What happened in the session since the reply was written.
fn since(findings: &mut Findings, view: &ReplyView, summary: &SessionSummary, lines: &[Line]) {
    let takeover = summary.stored.session.takeover.as_ref();
    findings.taken_over = takeover.map(|takeover| takeover.by.clone());
    for line in lines {
        match line {
            Line::Message(message) if message.received_at > view.created_at => {
                findings.newer_messages += 1;
            }
            Line::Reply(reply) if reply.id != view.id && reply.status == ReplyStatus::Delivered => {
                let when = at(reply.changed_at);
                if !view.parts.is_empty() && reply.parts == view.parts {
                    findings.same_text.get_or_insert(when);
                }
                if reply.created_at > view.created_at && reply.author == Author::Agent {
                    findings.newer_reply.get_or_insert(when);
                }
            }
            _ => {}
        }
    }
    findings.person = persons_reply(view, lines).map(|(_, when)| (String::new(), at(when)));
}

/// The newest reply that a person wrote since.
fn persons_reply(view: &ReplyView, lines: &[Line]) -> Option<(gate::ReplyId, gate::At)> {
    lines.iter().find_map(|line| match line {
        Line::Reply(reply)
            if reply.author == Author::Person && reply.created_at > view.created_at =>
        {
            Some((reply.id, reply.created_at))
        }
        _ => None,
    })
}

/// The newest step in which an operator did something with a reply. Newest steps first.
fn last_deed(steps: &[Step], wanted: gate::ReplyId) -> Option<LastDeed> {
    steps.iter().find_map(|step| {
        let by = step.actor.strip_prefix("user:")?;
        let event = step.events.iter().find(|event| match event {
            Event::Requeued { reply, .. }
            | Event::RerunRequested { reply, .. }
            | Event::Discarded { reply }
            | Event::Delivered { reply, .. } => *reply == wanted,
            _ => false,
        })?;
        Some(LastDeed {
            kind: event.name().to_owned(),
            by: by.to_owned(),
            at: at(step.at),
        })
    })
}

fn reasons(newest: &[ReplyView]) -> Vec<(String, u32)> {
    let mut counts: Vec<(String, u32)> = Vec::new();
    for view in newest {
        let why = why(view);
        match counts.iter_mut().find(|(known, _)| known == why) {
            Some((_, count)) => *count += 1,
            None => counts.push((why.to_owned(), 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn cause(newest: &[ReplyView], channels: &HashMap<SessionId, String>) -> Option<Cause> {
    let mut groups: HashMap<(&str, &str, Option<&str>), Vec<gate::At>> = HashMap::new();
    for view in newest {
        let channel = channels.get(&view.session)?;
        let key = (channel.as_str(), why(view), view.code.as_deref());
        groups.entry(key).or_default().push(view.changed_at);
    }
    let (key, times) = groups.into_iter().max_by_key(|(_, times)| times.len())?;
    let (count, of) = (times.len() as u32, newest.len() as u32);
    if count < CAUSE_LEAST || count * 100 < of * CAUSE_PERCENT {
        return None;
    }
    let (from, to) = (times.iter().min()?, times.iter().max()?);
    Some(Cause {
        channel: channel(key.0),
        why: key.1.to_owned(),
        code: key.2.map(str::to_owned),
        count,
        of,
        from: at(*from),
        to: at(*to),
    })
}
