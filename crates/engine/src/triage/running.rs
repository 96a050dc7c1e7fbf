//! Judging the running turn against newer messages, so that one whose answer would be thrown away stops before it costs
//! more. Must never stop a turn for want of an opinion.

use replygate_gate::{
    Command, Decision, MessageId, Owner, ReplyId, Session, SessionId, TurnJudgement,
};
use replygate_ports::evaluator::{Held, Newer, Opinion, Question};
use replygate_ports::store::{Store, StoreError};

use crate::desk::{Cause, Made, StepError};
use crate::engine::Inner;

impl Inner {
    /// Has the running turn judged if a message waits that it does not know.
    pub(super) fn judge_turn_early(&self, made: &Made) {
        let session = &made.after;
        let may_stop = session.owner.as_ref().is_some_and(|owner| !owner.effects);
        if !may_stop || session.fresh().next().is_none() {
            return;
        }
        let (inner, made) = (self.clone(), made.clone());
        self.crew.start(async move {
            match inner.judge_turn(&made).await {
                Ok(()) | Err(StepError::Refused(_)) => {}
                Err(error) => {
                    tracing::warn!(session = %made.id, %error, "a turn could not be judged");
                }
            }
        });
    }

    async fn judge_turn(&self, made: &Made) -> Result<(), StepError> {
        let (session, live) = (&made.after, &made.live);
        let Some(owner) = &session.owner else {
            return Ok(());
        };
        let question = || question(&*self.parts.store, made.id, session, owner);
        let (answer, took_ms) = self.opinions(made.id, live, question).await;
        let Ok((question, opinions)) = answer else {
            return Ok(());
        };
        let usage = opinions.usage;
        let Some(opinion) = opinion(owner, &question, opinions.opinions) else {
            return Ok(());
        };
        let judgement = TurnJudgement {
            turn: owner.turn,
            decision: opinion.decision,
            confidence: opinion.confidence,
            reason: opinion.reason,
            source: opinion
                .by
                .unwrap_or_else(|| live.wired.evaluator.name().to_owned()),
            took_ms,
            usage,
        };
        let step = self
            .desk
            .step(made.id, Cause::by("evaluator"), |_| {
                Ok(Command::Abort {
                    epoch: session.epoch,
                    judgement: judgement.clone(),
                })
            })
            .await?;
        self.after(&step).await;
        Ok(())
    }
}

/// The number under which a turn that has no reply yet stands in a question; no reply ever has it, for both come from one mint.
fn stand_in(owner: &Owner) -> ReplyId {
    ReplyId(owner.turn.0)
}

/// What the evaluator says to the answer that is being written; a correction by the channel's own edit function needs nobody.
fn opinion(owner: &Owner, question: &Question, opinions: Vec<Opinion>) -> Option<Opinion> {
    let reply = stand_in(owner);
    if question
        .newer
        .iter()
        .any(|newer| newer.edits == Some(reply))
    {
        return Some(Opinion {
            reply,
            decision: Decision::Merge,
            confidence: 1.0,
            reason: "edited".to_owned(),
            by: None,
        });
    }
    opinions.into_iter().find(|opinion| opinion.reply == reply)
}

async fn question(
    store: &dyn Store,
    id: SessionId,
    session: &Session,
    owner: &Owner,
) -> Result<Question, StoreError> {
    let fresh: Vec<_> = session.fresh().collect();
    let mut wanted = owner.burst.clone();
    wanted.extend(fresh.iter().map(|waiting| waiting.id));
    let texts = store.texts(&wanted).await?;
    let text = |id: MessageId| {
        let found = texts.iter().find(|message| message.id == id);
        found
            .map(|message| message.text.clone())
            .unwrap_or_default()
    };
    let newer = fresh.iter().map(|waiting| Newer {
        id: waiting.id,
        text: text(waiting.id),
        edits: waiting
            .edit_of
            .filter(|edited| owner.burst.contains(edited))
            .map(|_| stand_in(owner)),
    });
    Ok(Question {
        session: id,
        newer: newer.collect(),
        held: vec![Held {
            reply: stand_in(owner),
            messages: owner.burst.iter().map(|id| text(*id)).collect(),
            parts: Vec::new(),
            effects: false,
        }],
    })
}
