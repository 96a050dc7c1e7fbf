//! The area of decisions: verdicts as the steps tell them, each with the reply that it was about.

use std::collections::HashMap;

use async_trait::async_trait;
use replygate_app::console::Decisions;
use replygate_app::view::{
    Caller, ConsoleError, DecisionDetail, DecisionFilter, DecisionRow, Message, Page, PageQuery,
    Permission, ReplyId as SeenReply, StatusWord, VeiledList, VerdictWord,
};
use replygate_gate::{At, Decision, Event, Judgement, ReplyId, SessionId};
use replygate_ports::store::Step;
use replygate_ports::views::{JudgedQuery, Line, MessageView, ReplyView, SessionSummary};

use super::conversation::{covered, message};
use super::masking::Sight;
use super::story::{self, Story};
use super::{ServerConsole, channel, cursor, id, masking, not_found, unavailable};

/// A filter by verdict reads at most so many stretches of the list for one page.
const STRETCHES: usize = 5;
/// So many lines around a reply are looked through for what it was about.
const LINES: u32 = 200;

/// A verdict where it was given.
#[derive(Clone, Debug, PartialEq)]
struct Given {
    session: SessionId,
    at: At,
    judgement: Judgement,
    is_late: bool,
}

#[async_trait]
impl Decisions for ServerConsole {
    async fn decisions(
        &self,
        who: &Caller,
        filter: DecisionFilter,
        page: PageQuery,
    ) -> Result<Page<DecisionRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let limit = cursor::limit(&page) as usize;
        let mut query = JudgedQuery {
            channel: filter.channel.as_ref().map(|own| own.0.clone()),
            after: cursor::step(page.after.as_ref())?,
            limit: cursor::limit(&page),
        };
        let mut found: Vec<Given> = Vec::new();
        let mut is_more = false;
        for _ in 0..STRETCHES {
            let steps = self.service.stores.views.judged(&query).await;
            let steps = steps.map_err(unavailable)?;
            is_more = steps.len() == query.limit as usize;
            for judged in &steps {
                if found.len() >= limit {
                    is_more = true;
                    break;
                }
                query.after = Some((judged.step.at, judged.session, judged.step.version));
                let wanted = given(judged.session, &judged.step)
                    .filter(|given| is_wanted(&filter, given.judgement.decision));
                for given in wanted {
                    if !found.iter().any(|newer| is_same(newer, &given)) {
                        found.push(given);
                    }
                }
            }
            if !is_more || found.len() >= limit {
                break;
            }
        }
        let sight = self.sight(who, VeiledList::Decisions).await?;
        Ok(Page {
            rows: self.decision_rows(sight, &found).await?,
            next: query.after.filter(|_| is_more).map(cursor::behind_step),
            as_of,
            total: None,
        })
    }

    async fn decision(
        &self,
        who: &Caller,
        reply: SeenReply,
    ) -> Result<DecisionDetail, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let reply: ReplyId = id("reply", reply.as_str())?;
        let views = &self.service.stores.views;
        let found = views.replies_by_id(&[reply]).await.map_err(unavailable)?;
        let view = found.first().ok_or_else(|| not_found("reply"))?;
        let sight = self.sight_of(who, view.session).await?;
        let steps = views.timeline(view.session, None, story::STEPS).await;
        let steps = steps.map_err(unavailable)?;
        let mut all: Vec<Given> = Vec::new();
        for step in &steps {
            let own = given(view.session, step).filter(|given| given.judgement.reply == reply);
            for given in own {
                if !all.iter().any(|newer| is_same(newer, &given)) {
                    all.push(given);
                }
            }
        }
        let last = all.iter().map(|given| given.at).max();
        let last = last.ok_or_else(|| not_found("decision"))?;
        let summary = self.summary(&view.session.to_string()).await?;
        let threshold = self.threshold(&summary.stored.key.channel);
        let stories = story::stories(&steps);
        let unheard = Story::default();
        let told = stories.get(&reply).unwrap_or(&unheard);
        let lines = views.conversation(view.session, None, LINES).await;
        let lines = lines.map_err(unavailable)?;
        let answers = self.answers(lines.iter().filter_map(covered)).await?;
        let (asked, newer) = around(sight, view, last, &lines, &answers);
        Ok(DecisionDetail {
            rows: self.decision_rows(sight, &all).await?,
            reply: told.of(view, sight, threshold),
            asked,
            newer,
            as_of,
        })
    }
}

impl ServerConsole {
    async fn decision_rows(
        &self,
        sight: Sight,
        found: &[Given],
    ) -> Result<Vec<DecisionRow>, ConsoleError> {
        let views = &self.service.stores.views;
        let replies: Vec<ReplyId> = found.iter().map(|given| given.judgement.reply).collect();
        let replies = views.replies_by_id(&replies).await.map_err(unavailable)?;
        let replies: HashMap<ReplyId, ReplyView> =
            replies.into_iter().map(|view| (view.id, view)).collect();
        let mut sessions: Vec<SessionId> = found.iter().map(|given| given.session).collect();
        sessions.sort_unstable();
        sessions.dedup();
        let summaries = views.session_summaries(&sessions).await;
        let summaries: HashMap<SessionId, SessionSummary> = summaries
            .map_err(unavailable)?
            .into_iter()
            .map(|summary| (summary.id, summary))
            .collect();
        let row = |given: &Given| {
            // A session that is gone meanwhile has no decisions any more.
            let summary = summaries.get(&given.session)?;
            let threshold = self.threshold(&summary.stored.key.channel);
            let view = replies.get(&given.judgement.reply);
            Some(row(sight, given, summary, view, threshold))
        };
        Ok(found.iter().filter_map(row).collect())
    }
}

fn row(
    sight: Sight,
    given: &Given,
    summary: &SessionSummary,
    view: Option<&ReplyView>,
    threshold: f32,
) -> DecisionRow {
    let judgement = &given.judgement;
    let text = view.map_or_else(String::new, |view| view.parts.join("\n"));
    DecisionRow {
        reply: judgement.reply.to_string().into(),
        session: given.session.to_string().into(),
        channel: channel(&summary.stored.key.channel),
        contact: masking::contact(sight, &summary.stored.key.contact),
        text: masking::cut(sight, &text),
        verdict: story::verdict(sight, given.at, judgement, threshold, given.is_late),
        tokens_in: judgement.usage.input,
        tokens_out: judgement.usage.output,
        status: view.map(|view| StatusWord::from(view.status)),
    }
}

/// The verdicts of a step, the last one first.
fn given(session: SessionId, step: &Step) -> impl Iterator<Item = Given> {
    let late: Vec<(ReplyId, Decision)> = step
        .events
        .iter()
        .filter_map(|event| match event {
            Event::VerdictLate {
                reply, decision, ..
            } => Some((*reply, *decision)),
            _ => None,
        })
        .collect();
    step.events.iter().rev().filter_map(move |event| {
        let Event::Judged { judgement, .. } = event else {
            return None;
        };
        Some(Given {
            session,
            at: step.at,
            is_late: late.contains(&(judgement.reply, judgement.decision)),
            judgement: judgement.clone(),
        })
    })
}

/// A verdict that is told again at the commit is the same verdict.
fn is_same(newer: &Given, older: &Given) -> bool {
    newer.judgement == older.judgement
}

fn is_wanted(filter: &DecisionFilter, decision: Decision) -> bool {
    let verdict = VerdictWord::from(decision);
    filter.verdict.is_none_or(|wanted| wanted == verdict)
}

/// What the reply answers, and what came after it up to the last verdict; both oldest first.
fn around(
    sight: Sight,
    reply: &ReplyView,
    last: At,
    lines: &[Line],
    answers: &HashMap<ReplyId, ReplyView>,
) -> (Vec<Message>, Vec<Message>) {
    let messages = || {
        lines.iter().rev().filter_map(|line| match line {
            Line::Message(view) => Some(view),
            Line::Reply(_) => None,
        })
    };
    let told = |view: &MessageView| message(sight, view, answers, &view.text);
    let is_asked = |view: &&MessageView| reply.covers.contains(&view.id);
    let is_newer = |view: &&MessageView| {
        view.received_at > reply.created_at && view.received_at <= last && !is_asked(view)
    };
    (
        messages().filter(is_asked).map(told).collect(),
        messages().filter(is_newer).map(told).collect(),
    )
}

#[cfg(test)]
mod tests {
    use replygate_gate as gate;

    use super::*;

    fn judged(reply: u128, decision: Decision) -> Event {
        Event::Judged {
            epoch: 1,
            judgement: Judgement {
                reply: ReplyId(reply),
                decision,
                confidence: 0.9,
                reason: "withdrawn".to_owned(),
                source: "rules".to_owned(),
                took_ms: 3,
                usage: gate::Usage::default(),
            },
            early: true,
        }
    }

    #[test]
    fn a_verdict_that_met_a_reply_on_its_way_is_late_and_no_other() {
        let step = Step {
            version: 3,
            at: At(7),
            actor: "triage".to_owned(),
            events: vec![
                judged(1, Decision::CancelFirst),
                judged(2, Decision::Merge),
                Event::VerdictLate {
                    reply: ReplyId(1),
                    decision: Decision::CancelFirst,
                    epoch: 1,
                    successor: None,
                    by: gate::CancelledBy::Verdict,
                },
            ],
        };
        let told: Vec<_> = given(SessionId(9), &step)
            .map(|given| (given.judgement.reply, given.is_late))
            .collect();
        assert_eq!(told, [(ReplyId(2), false), (ReplyId(1), true)]);
    }
}
