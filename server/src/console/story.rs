//! What a session's steps tell about its replies: verdicts, attempts, who wrote them, when they were delivered.

use std::collections::HashMap;

use replygate_app::view as seen;
use replygate_app::view::{Attempt, AttemptResult, Author, Verdict, VerdictSource};
use replygate_gate::{At, Decision, Event, ReplyId, ReplyStatus};
use replygate_ports::store::Step;
use replygate_ports::views::ReplyView;

use super::masking::Sight;
use super::{at, masking};

/// How far back a page looks for what happened to its replies.
pub(super) const STEPS: u32 = 500;

/// What happened to one reply.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    verdicts: Vec<(At, replygate_gate::Judgement)>,
    late: Vec<(At, Decision)>,
    attempts: Vec<Attempt>,
    by: Option<String>,
    delivered: Option<At>,
    parked: Option<At>,
}

/// What happened to every reply in these steps, whatever their order.
pub(super) fn stories(steps: &[Step]) -> HashMap<ReplyId, Story> {
    let mut steps: Vec<&Step> = steps.iter().collect();
    steps.sort_by_key(|step| step.version);
    let mut stories = HashMap::new();
    for step in steps {
        for event in &step.events {
            tell(&mut stories, step, event);
        }
    }
    stories
}

fn tell(stories: &mut HashMap<ReplyId, Story>, step: &Step, event: &Event) {
    let attempt = |result, detail: &str| Attempt {
        at: at(step.at),
        result,
        detail: detail.to_owned(),
    };
    match event {
        Event::Judged { judgement, .. } => {
            of(stories, judgement.reply).judged(step.at, judgement);
        }
        Event::VerdictLate {
            reply, decision, ..
        } => of(stories, *reply).late.push((step.at, *decision)),
        Event::Replied { reply, .. } => {
            of(stories, *reply).by = step.actor.strip_prefix("user:").map(str::to_owned);
        }
        Event::Delivered { reply, receipt, .. } => {
            let story = of(stories, *reply);
            story.delivered = Some(step.at);
            let receipt = receipt.as_deref().unwrap_or_default();
            story
                .attempts
                .push(attempt(AttemptResult::Accepted, receipt));
        }
        Event::NotSent { reply, .. } => of(stories, *reply)
            .attempts
            .push(attempt(AttemptResult::NotSent, "")),
        Event::AttemptFailed { reply, code, .. } => {
            of(stories, *reply)
                .attempts
                .push(attempt(AttemptResult::Refused, code));
        }
        Event::AttemptBlocked { reply, .. } => {
            of(stories, *reply)
                .attempts
                .push(attempt(AttemptResult::HeldBack, "locked"));
        }
        Event::OutcomeUnknown { reply, code, .. } => {
            of(stories, *reply)
                .attempts
                .push(attempt(AttemptResult::Unknown, code));
        }
        Event::Parked { reply, code, .. } => {
            let story = of(stories, *reply);
            story.parked = Some(step.at);
            if let Some(code) = code {
                story.attempts.push(attempt(AttemptResult::Refused, code));
            }
        }
        _ => {}
    }
}

fn of(stories: &mut HashMap<ReplyId, Story>, reply: ReplyId) -> &mut Story {
    stories.entry(reply).or_default()
}

impl Story {
    /// Takes a verdict into account; one that is told again at the commit is the same verdict.
    fn judged(&mut self, at: At, judgement: &replygate_gate::Judgement) {
        let again = self
            .verdicts
            .last()
            .is_some_and(|(_, last)| last == judgement);
        if !again {
            self.verdicts.push((at, judgement.clone()));
        }
    }

    /// The newest verdict.
    pub(super) fn decision(&self) -> Option<Decision> {
        self.verdicts
            .last()
            .map(|(_, judgement)| judgement.decision)
    }

    /// When the channel accepted the reply.
    pub(super) fn delivered(&self, view: &ReplyView) -> Option<At> {
        let known = self.delivered;
        known.or_else(|| (view.status == ReplyStatus::Delivered).then_some(view.changed_at))
    }

    /// The reply with what happened to it.
    pub(super) fn of(&self, view: &ReplyView, sight: Sight, threshold: f32) -> seen::Reply {
        seen::Reply {
            id: view.id.to_string().into(),
            session: view.session.to_string().into(),
            seq: view.seq,
            generation: view.generation,
            author: self.author(view),
            status: view.status.into(),
            written: at(view.created_at),
            due: at(view.due_at),
            delivered: self.delivered(view).map(at),
            parts: view
                .parts
                .iter()
                .map(|part| masking::text(sight, part))
                .collect(),
            parts_sent: view.sent,
            cut: view.cut,
            covers: view.covers.iter().map(|id| id.to_string().into()).collect(),
            replaced_by: view.superseded_by.map(|id| id.to_string().into()),
            had_effects: view.effects,
            parked: view.park_reason.map(|reason| seen::Parked {
                why: reason.as_str().to_owned(),
                since: at(self.parked.unwrap_or(view.changed_at)),
            }),
            verdicts: self.verdicts(sight, threshold),
            attempts: self.attempts.clone(),
        }
    }

    fn author(&self, view: &ReplyView) -> Author {
        match view.author {
            replygate_gate::Author::Agent => Author::Agent,
            replygate_gate::Author::Person => Author::Person {
                name: self.by.clone().unwrap_or_default(),
            },
        }
    }

    fn verdicts(&self, sight: Sight, threshold: f32) -> Vec<Verdict> {
        let told = |(when, judgement): &(At, replygate_gate::Judgement)| {
            let mut late = self.late.iter();
            let is_late =
                late.any(|(late, decision)| late == when && *decision == judgement.decision);
            verdict(sight, *when, judgement, threshold, is_late)
        };
        self.verdicts.iter().map(told).collect()
    }
}

/// A verdict as pages show it. Its reason is an evaluator's stable phrase and never a customer's words, but an evaluator
/// that is somebody else's program is not trusted to keep to that.
pub(super) fn verdict(
    sight: Sight,
    when: At,
    judgement: &replygate_gate::Judgement,
    threshold: f32,
    is_late: bool,
) -> Verdict {
    Verdict {
        word: judgement.decision.into(),
        source: source(judgement, threshold),
        evaluator: judgement.source.clone(),
        confidence_percent: (judgement.confidence.clamp(0.0, 1.0) * 100.0).round() as u8,
        reason: masking::text(sight, &judgement.reason),
        at: at(when),
        latency_ms: judgement.took_ms.min(u64::from(u32::MAX)) as u32,
        too_late: is_late,
    }
}

fn source(judgement: &replygate_gate::Judgement, threshold: f32) -> VerdictSource {
    if judgement.source.is_empty() || judgement.source == "policy" {
        return VerdictSource::Policy;
    }
    if judgement.confidence < threshold {
        return VerdictSource::Fallback;
    }
    VerdictSource::Evaluator
}
