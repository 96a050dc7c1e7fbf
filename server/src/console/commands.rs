//! The area of commands: each is one deed of the engine.

use async_trait::async_trait;
use replygate_app::console::{Commands, Parked};
use replygate_app::view::{
    Action, Caller, Choice, ConsoleError, LockOwner, Outcome, Override, Permission, ReplyAction,
    RequestId, SessionAction, StatusWord, Weight,
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

    async fn outcome(
        &self,
        who: &Caller,
        request: RequestId,
    ) -> Result<Option<Outcome>, ConsoleError> {
        who.need(Permission::See)?;
        let found = self.service.stores.store.action(request.as_str()).await;
        let found = found.map_err(unavailable)?;
        Ok(found.as_ref().and_then(done))
    }

    async fn reprocess(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        self.pass(who, &what, Choice::Send).await?;
        let verb = Verb::Reprocess(target(&what)?);
        self.on_reply(who, what, verb, Action::Reprocess).await
    }

    async fn rerun(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        self.pass(who, &what, Choice::Rerun).await?;
        let verb = Verb::Rerun {
            target: target(&what)?,
            overrule: overrule(who, &what)?,
        };
        self.on_reply(who, what, verb, Action::Rerun).await
    }

    async fn discard(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        self.pass(who, &what, Choice::Discard).await?;
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
            holder: Some(owner.name),
        };
        self.on_session(who, what, verb, Action::Unlock).await
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
        let length = text.chars().count();
        if text.trim().is_empty() || length > SessionAction::LONGEST_TEXT {
            let value =
                (length > SessionAction::LONGEST_TEXT).then(|| format!("{length} characters"));
            return Err(ConsoleError::Invalid {
                field: "text".to_owned(),
                value: value.unwrap_or_default(),
                allowed: format!("1 to {} characters", SessionAction::LONGEST_TEXT),
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
        match self.act(who, session, deed, action).await {
            Ok(mut outcome) => {
                outcome.reply.get_or_insert(what.reply);
                Ok(outcome)
            }
            Err(ConsoleError::Conflict { now, by: None, .. }) => {
                let faster = self.last_deed(session, reply).await?;
                Err(ConsoleError::Conflict {
                    now,
                    by: faster.as_ref().map(|deed| deed.by.clone()),
                    at: faster.map(|deed| deed.at),
                })
            }
            Err(error) => Err(error),
        }
    }

    /// Lets a choice pass that nothing speaks against, or whose checks are overruled. A request that was carried out
    /// passes: it does nothing more.
    async fn pass(
        &self,
        who: &Caller,
        what: &ReplyAction,
        choice: Choice,
    ) -> Result<(), ConsoleError> {
        let request = what.request_id.as_str();
        let done = self.service.stores.store.action(request).await;
        if done.map_err(unavailable)?.is_some() {
            return Ok(());
        }
        let detail = self.parked_reply(who, what.reply.clone()).await?;
        let against = detail
            .checks
            .iter()
            .find(|check| check.against.contains(&choice));
        let Some(check) = against else { return Ok(()) };
        let refused = || ConsoleError::Refused {
            check: check.word.stored().to_owned(),
        };
        match check.weight {
            Weight::Fine | Weight::Informs | Weight::Warns => Ok(()),
            Weight::Asks => reason(what, "why it is tried again").map(drop),
            Weight::Refuses if what.checks == Override::Respect => Err(refused()),
            Weight::Refuses => overrule(who, what).map(drop),
            Weight::Blocks => Err(refused()),
        }
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
        self.act(who, session, deed, action).await
    }

    async fn act(
        &self,
        who: &Caller,
        session: gate::SessionId,
        deed: Deed,
        action: Action,
    ) -> Result<Outcome, ConsoleError> {
        let by = deed.by.clone();
        match self.service.act(session, deed, who.role.stored()).await {
            Ok(made) => Ok(Outcome {
                action,
                session: session.to_string().into(),
                reply: made.events.iter().find_map(|event| match event {
                    Event::Replied { reply, .. } => Some(reply.to_string().into()),
                    _ => None,
                }),
                by,
                at: self.time(),
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
    reason(what, "why the check is overruled").map(Some)
}

fn reason(what: &ReplyAction, allowed: &str) -> Result<String, ConsoleError> {
    let reason = what
        .reason
        .clone()
        .filter(|reason| !reason.trim().is_empty());
    reason.ok_or_else(|| ConsoleError::Invalid {
        field: "reason".to_owned(),
        value: String::new(),
        allowed: allowed.to_owned(),
    })
}

/// What the first request of that id did. Its verb may be another than the one that was asked for now.
fn repeated(first: &ActionRecord, asked: Action) -> Outcome {
    done(first).unwrap_or_else(|| outcome(first, asked))
}

/// A recorded deed as an outcome; none for a verb that the console does not offer.
fn done(record: &ActionRecord) -> Option<Outcome> {
    let action = match record.action.verb.as_str() {
        "reprocess" => Action::Reprocess,
        "rerun" => Action::Rerun,
        "discard" => Action::Discard,
        "mark_delivered" => Action::MarkDelivered,
        "release_hold" => Action::ReleaseHold,
        "unlock" => Action::Unlock,
        "take_over" => Action::TakeOver,
        "say" => Action::Say,
        "hand_back" => Action::HandBack,
        _ => return None,
    };
    Some(outcome(record, action))
}

fn outcome(record: &ActionRecord, action: Action) -> Outcome {
    Outcome {
        action,
        session: record.session.to_string().into(),
        reply: record.action.reply.map(|reply| reply.to_string().into()),
        by: record.action.by.clone(),
        at: at(record.at),
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
