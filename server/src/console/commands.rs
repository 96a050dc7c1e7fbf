//! The area of commands: each is one deed of the engine.

use async_trait::async_trait;
use replygate_app::console::Commands;
use replygate_app::view::{
    Action, Caller, ConsoleError, LockOwner, Outcome, Override, Permission, ReplyAction, RequestId,
    SessionAction, StatusWord,
};
use replygate_engine::{Deed, StepError, Verb};
use replygate_gate::{self as gate, Event, Refusal, Target};
use replygate_ports::store::ActionRecord;

use super::{ServerConsole, at, id, not_found, unavailable};
use crate::http::refusal_word;

#[async_trait]
impl Commands for ServerConsole {
    fn mint(&self) -> RequestId {
        RequestId(format!("req_{:032x}", self.service.stores.entropy.bits()))
    }

    async fn reprocess(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        let verb = Verb::Reprocess(target(&what)?);
        self.on_reply(who, what, verb, Action::Reprocess).await
    }

    async fn rerun(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        let verb = Verb::Rerun {
            target: target(&what)?,
            overrule: overrule(who, &what)?,
        };
        self.on_reply(who, what, verb, Action::Rerun).await
    }

    async fn discard(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        let verb = Verb::Discard(target(&what)?);
        self.on_reply(who, what, verb, Action::Discard).await
    }

    async fn mark_delivered(
        &self,
        who: &Caller,
        what: ReplyAction,
    ) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        let verb = Verb::MarkDelivered(target(&what)?);
        self.on_reply(who, what, verb, Action::MarkDelivered).await
    }

    async fn release_hold(
        &self,
        who: &Caller,
        what: SessionAction,
    ) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ReleaseLocks)?;
        self.on_session(who, what, Verb::ReleaseHold, Action::ReleaseHold)
            .await
    }

    async fn unlock(
        &self,
        who: &Caller,
        what: SessionAction,
        owner: LockOwner,
    ) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ReleaseLocks)?;
        let summary = self.summary(what.session.as_str()).await?;
        let lock = match &summary.stored.session.lock {
            Some(lock) => Some(self.lock(summary.id, lock).await),
            None => None,
        };
        let is_same = lock
            .as_ref()
            .is_some_and(|lock| lock.owner.token == owner.token);
        let was_done = self
            .service
            .stores
            .store
            .action(what.request_id.as_str())
            .await
            .map_err(unavailable)?;
        if !is_same && was_done.is_none() {
            return Err(ConsoleError::Conflict {
                now: lock.as_ref().map_or("unlocked", |_| "locked").to_owned(),
                by: lock.as_ref().map(|lock| lock.owner.name.clone()),
                at: lock.map(|lock| lock.since),
            });
        }
        // By name, so that somebody else's lock that came in between stays.
        let verb = Verb::Unlock {
            holder: Some(owner.name.clone()),
        };
        self.on_session(who, what, verb, Action::Unlock { owner })
            .await
    }

    async fn take_over(&self, who: &Caller, what: SessionAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        self.on_session(who, what, Verb::TakeOver, Action::TakeOver)
            .await
    }

    async fn say(
        &self,
        who: &Caller,
        what: SessionAction,
        text: String,
    ) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        if text.trim().is_empty() {
            return Err(ConsoleError::Invalid {
                field: "text".to_owned(),
                value: String::new(),
                allowed: "words".to_owned(),
            });
        }
        self.on_session(who, what, Verb::Say { parts: vec![text] }, Action::Say)
            .await
    }

    async fn hand_back(&self, who: &Caller, what: SessionAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        self.on_session(who, what, Verb::HandBack, Action::HandBack)
            .await
    }
}

impl ServerConsole {
    async fn on_reply(
        &self,
        who: &Caller,
        what: ReplyAction,
        verb: Verb,
        action: Action,
    ) -> Result<Outcome, ConsoleError> {
        let reply: gate::ReplyId = id("reply", what.reply.as_str())?;
        let session = self
            .service
            .stores
            .store
            .find_reply(reply)
            .await
            .map_err(unavailable)?;
        let session = session.ok_or_else(|| not_found("reply"))?;
        let deed = deed(who, verb, what.reason, &what.request_id);
        let mut outcome = self.act(session, deed, action).await?;
        outcome.reply.get_or_insert(what.reply);
        Ok(outcome)
    }

    async fn on_session(
        &self,
        who: &Caller,
        what: SessionAction,
        verb: Verb,
        action: Action,
    ) -> Result<Outcome, ConsoleError> {
        let session: gate::SessionId = id("session", what.session.as_str())?;
        let deed = deed(who, verb, what.reason, &what.request_id);
        self.act(session, deed, action).await
    }

    async fn act(
        &self,
        session: gate::SessionId,
        deed: Deed,
        action: Action,
    ) -> Result<Outcome, ConsoleError> {
        let by = deed.by.clone();
        match self.service.engine.act(session, deed).await {
            Ok(made) => Ok(Outcome {
                action,
                session: session.to_string().into(),
                reply: made.events.iter().find_map(|event| match event {
                    Event::Replied { reply, .. } => Some(reply.to_string().into()),
                    _ => None,
                }),
                by,
                at: self.now(),
            }),
            Err(StepError::Repeated(first)) => Ok(repeated(&first, action)),
            Err(error) => Err(refused(error)),
        }
    }
}

fn target(what: &ReplyAction) -> Result<Target, ConsoleError> {
    Ok(Target {
        reply: id("reply", what.reply.as_str())?,
        generation: what.generation,
    })
}

fn deed(who: &Caller, verb: Verb, reason: Option<String>, request: &RequestId) -> Deed {
    Deed {
        verb,
        by: who.name.clone(),
        reason,
        request_id: Some(request.as_str().to_owned()),
    }
}

/// The reason for which a check is overruled, if it is.
fn overrule(who: &Caller, what: &ReplyAction) -> Result<Option<String>, ConsoleError> {
    if what.checks == Override::Respect {
        return Ok(None);
    }
    who.need(Permission::OverrideChecks)?;
    let reason = what
        .reason
        .clone()
        .filter(|reason| !reason.trim().is_empty());
    reason.map(Some).ok_or_else(|| ConsoleError::Invalid {
        field: "reason".to_owned(),
        value: String::new(),
        allowed: "why the check is overruled".to_owned(),
    })
}

/// What the first request of that id did. Its verb may be another than the one that was asked for now.
fn repeated(first: &ActionRecord, asked: Action) -> Outcome {
    let action = match first.action.verb.as_str() {
        "reprocess" => Action::Reprocess,
        "rerun" => Action::Rerun,
        "discard" => Action::Discard,
        "mark_delivered" => Action::MarkDelivered,
        "release_hold" => Action::ReleaseHold,
        "take_over" => Action::TakeOver,
        "say" => Action::Say,
        "hand_back" => Action::HandBack,
        _ => asked,
    };
    Outcome {
        action,
        session: first.session.to_string().into(),
        reply: first.action.reply.map(|reply| reply.to_string().into()),
        by: first.action.by.clone(),
        at: at(first.at),
    }
}

fn refused(error: StepError) -> ConsoleError {
    let conflict = |now: String, by: Option<String>| ConsoleError::Conflict { now, by, at: None };
    match error {
        StepError::Refused(refusal) => match refusal {
            Refusal::AnsweredElsewhere { .. } => ConsoleError::Refused {
                check: "another_reply_delivered".to_owned(),
            },
            Refusal::Changed {
                status, present, ..
            } => conflict(
                format!(
                    "{}, generation {present}",
                    StatusWord::from(status).stored()
                ),
                None,
            ),
            Refusal::NotParked { status } => {
                conflict(StatusWord::from(status).stored().to_owned(), None)
            }
            Refusal::TakenOver { by } => conflict("taken_over".to_owned(), Some(by)),
            Refusal::LockHeld { holder } => conflict("locked".to_owned(), Some(holder)),
            other => conflict(refusal_word(&other).to_owned(), None),
        },
        StepError::NoSession => not_found("session"),
        StepError::NoChannel { .. } => not_found("channel"),
        StepError::Store(error) => unavailable(error),
        StepError::Busy | StepError::Duplicate { .. } | StepError::Repeated(_) => {
            ConsoleError::Unavailable
        }
    }
}
