//! Judging held replies against newer messages. One evaluation per session and epoch, shared by whoever needs it: the
//! early triage on arrival and the turn that follows. Must never let an evaluator's silence hold anything up.

mod running;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use replygate_gate::{
    Command, Decision, Judgement, MessageId, ReplyId, Session, SessionId, Strategy, Usage,
    strategy_verdicts,
};
use replygate_ports::evaluator::{EvaluatorError, Held, Newer, Opinion, Opinions, Question};
use replygate_ports::settings::Timing;
use replygate_ports::store::{Store, StoreError};

use crate::board::Live;
use crate::desk::{Cause, Made, Patience, StepError};
use crate::engine::Inner;
use crate::tokens::{self, Spender};

type Evaluation = Shared<BoxFuture<'static, Arc<Vec<Judgement>>>>;

/// Evaluations under way or just done, one per session.
#[derive(Default)]
pub struct Evaluations(Mutex<HashMap<SessionId, (u64, Evaluation)>>);

impl Evaluations {
    /// The evaluation for that epoch; `make` begins it if it is not known.
    fn get(&self, session: SessionId, epoch: u64, make: impl FnOnce() -> Evaluation) -> Evaluation {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(&session) {
            Some((of, evaluation)) if *of == epoch => evaluation.clone(),
            _ => {
                let evaluation = make();
                known.insert(session, (epoch, evaluation.clone()));
                evaluation
            }
        }
    }

    /// The evaluation is not needed any more.
    pub fn forget(&self, session: SessionId) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(&session);
    }
}

impl Inner {
    /// Judges what is on its way as soon as a newer message is stored, if the channel wants that.
    pub(crate) fn triage_early(&self, made: &Made) {
        let settings = &made.live.settings;
        if settings.strategy != Strategy::Triage || settings.triage.timing != Timing::Early {
            return;
        }
        if settings.abort_on_triage {
            self.judge_turn_early(made);
        }
        if !needs_verdict(&made.after) {
            return;
        }
        let (inner, made) = (self.clone(), made.clone());
        self.crew.start(async move {
            let verdicts = inner.verdicts(made.id, &made.after, &made.live).await;
            match inner
                .judge(made.id, made.after.epoch, &verdicts, Patience::NONE)
                .await
            {
                Ok(()) | Err(StepError::Refused(_)) => {}
                Err(error) => tracing::warn!(session = %made.id, %error, "early triage failed"),
            }
        });
    }

    /// The verdicts on every undelivered reply of `session`, given its messages that wait; never fails and never takes
    /// longer than the channel's hard limit.
    pub(crate) async fn verdicts(
        &self,
        id: SessionId,
        session: &Session,
        live: &Arc<Live>,
    ) -> Arc<Vec<Judgement>> {
        if live.rules.strategy != Strategy::Triage {
            return Arc::new(strategy_verdicts(session, &live.rules));
        }
        if !needs_verdict(session) {
            return Arc::default();
        }
        let evaluation = self.evaluations.get(id, session.epoch, || {
            let (inner, session, live) = (self.clone(), session.clone(), live.clone());
            async move { Arc::new(inner.evaluate(id, &session, &live).await) }
                .boxed()
                .shared()
        });
        evaluation.await
    }

    /// Lets verdicts take what effect they may have before the commit.
    pub(crate) async fn judge(
        &self,
        id: SessionId,
        epoch: u64,
        verdicts: &[Judgement],
        patience: Patience,
    ) -> Result<(), StepError> {
        let made = self
            .desk
            .insist(id, Cause::by("evaluator"), patience, |_| {
                Ok(Command::Judge {
                    epoch,
                    verdicts: verdicts.to_vec(),
                })
            })
            .await?;
        self.after(&made).await;
        Ok(())
    }

    async fn evaluate(&self, id: SessionId, session: &Session, live: &Live) -> Vec<Judgement> {
        let question = || question(&*self.parts.store, id, session);
        let (answer, took_ms) = self.opinions(id, live, question).await;
        let judge = Judge {
            source: live.wired.evaluator.name(),
            took_ms,
        };
        match answer {
            Ok((question, Opinions { opinions, usage })) => {
                let mut judged = judge.judgements(session, &question, &opinions);
                if let Some(first) = judged.first_mut() {
                    first.usage = usage;
                }
                judged
            }
            Err(silence) => {
                let mut judged = judge.unsure(session, &silence.code);
                if let Some(first) = judged.first_mut() {
                    first.usage = silence.usage;
                }
                judged
            }
        }
    }

    /// What the evaluator says to a question, or why it says nothing, and how many milliseconds that took: never more than
    /// the channel's hard limit.
    async fn opinions<F>(
        &self,
        id: SessionId,
        live: &Live,
        question: impl Fn() -> F + Send + Sync,
    ) -> (Result<(Question, Opinions), Silence>, u64)
    where
        F: Future<Output = Result<Question, StoreError>> + Send,
    {
        let began = self.parts.clock.elapsed();
        let hard = Duration::from_millis(live.settings.triage.hard_ms);
        let answer = async {
            // The hard limit ends this too.
            let question = self.desk.ask(Patience::ENDLESS, question).await;
            let question = question.map_err(|_| Silence::free("store"))?;
            let opinions = live.wired.evaluator.judge(&question).await;
            Ok((question, opinions.map_err(Silence::from)?))
        };
        let answer = tokio::select! {
            biased;
            answer = answer => answer,
            () = self.parts.clock.sleep(hard) => Err(Silence::free("timeout")),
        };
        let usage = match &answer {
            Ok((_, opinions)) => opinions.usage,
            Err(silence) => silence.usage,
        };
        tokens::count(&live.settings.id, Spender::Evaluator, usage);
        let took = self.parts.clock.elapsed().saturating_sub(began);
        if took > Duration::from_millis(live.settings.triage.soft_ms) {
            // Counted, and told in detail only to who asks: under load there would be a line for every message.
            metrics::counter!("replygate_evaluator_slow_total", "channel" => live.settings.id.clone())
                .increment(1);
            tracing::debug!(session = %id, took_ms = took.as_millis() as u64, "the evaluator is slow");
        }
        (answer, took.as_millis() as u64)
    }
}

/// Why an evaluator says nothing, and what a model was asked all the same.
struct Silence {
    code: String,
    usage: Usage,
}

impl Silence {
    /// Nobody was asked, or nobody answered.
    fn free(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            usage: Usage::default(),
        }
    }
}

impl From<EvaluatorError> for Silence {
    fn from(error: EvaluatorError) -> Self {
        Self {
            code: error.code,
            usage: error.usage,
        }
    }
}

/// Whether a reply waits that newer messages may concern.
fn needs_verdict(session: &Session) -> bool {
    !session.uncovered.is_empty() && session.undelivered().next().is_some()
}

struct Judge<'a> {
    source: &'a str,
    took_ms: u64,
}

impl Judge<'_> {
    fn judgement(
        &self,
        reply: ReplyId,
        decision: Decision,
        confidence: f32,
        reason: &str,
    ) -> Judgement {
        Judgement {
            reply,
            decision,
            confidence,
            reason: reason.to_owned(),
            source: self.source.to_owned(),
            took_ms: self.took_ms,
            usage: Usage::default(),
        }
    }

    fn judgements(
        &self,
        session: &Session,
        question: &Question,
        opinions: &[Opinion],
    ) -> Vec<Judgement> {
        let judged = session.undelivered().map(|reply| {
            // A correction by the channel's own edit function needs no opinion.
            if question
                .newer
                .iter()
                .any(|newer| newer.edits == Some(reply.id))
            {
                return self.judgement(reply.id, Decision::Merge, 1.0, "edited");
            }
            match opinions.iter().find(|opinion| opinion.reply == reply.id) {
                Some(opinion) => Judge {
                    source: opinion.by.as_deref().unwrap_or(self.source),
                    ..*self
                }
                .judgement(
                    reply.id,
                    opinion.decision,
                    opinion.confidence,
                    &opinion.reason,
                ),
                None => self.judgement(reply.id, Decision::ReleaseFirst, 0.0, "no_opinion"),
            }
        });
        judged.collect()
    }

    fn unsure(&self, session: &Session, code: &str) -> Vec<Judgement> {
        session
            .undelivered()
            .map(|reply| self.judgement(reply.id, Decision::ReleaseFirst, 0.0, code))
            .collect()
    }
}

async fn question(
    store: &dyn Store,
    id: SessionId,
    session: &Session,
) -> Result<Question, StoreError> {
    let replies: Vec<ReplyId> = session.undelivered().map(|reply| reply.id).collect();
    let texts = store.replies(&replies).await?;
    let mut wanted: Vec<MessageId> = session
        .undelivered()
        .flat_map(|reply| reply.covers.iter().copied())
        .collect();
    wanted.extend(session.uncovered.iter().map(|waiting| waiting.id));
    let messages = store.texts(&wanted).await?;
    let text = |id: MessageId| {
        messages
            .iter()
            .find(|message| message.id == id)
            .map(|message| message.text.clone())
            .unwrap_or_default()
    };
    let held = session.undelivered().map(|reply| Held {
        reply: reply.id,
        messages: reply.covers.iter().map(|id| text(*id)).collect(),
        parts: texts
            .iter()
            .find(|found| found.id == reply.id)
            .map(|found| found.parts.clone())
            .unwrap_or_default(),
        effects: reply.effects,
    });
    let newer = session.uncovered.iter().map(|waiting| Newer {
        id: waiting.id,
        text: text(waiting.id),
        edits: waiting.edit_of.and_then(|edited| {
            session
                .undelivered()
                .find(|reply| reply.covers.contains(&edited))
                .map(|reply| reply.id)
        }),
    });
    Ok(Question {
        session: id,
        held: held.collect(),
        newer: newer.collect(),
    })
}
