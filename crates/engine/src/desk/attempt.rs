//! Steps that were handed to the store. An answer can get lost although the step was made, so that whoever made it would
//! take its own claim for somebody else's. Must never take a step for made that is not on record.

use std::sync::Arc;

use replygate_gate::{At, Event, Session, SessionId, SessionKey};
use replygate_ports::store::{Append, AppendError, Step, StoreError, Stored};

use super::patience::PAUSE;
use super::{Cause, Desk, Errand, StepError};
use crate::board::Live;

/// A step that was handed to the store.
pub(super) struct Attempt {
    pub(super) id: SessionId,
    pub(super) expected: u64,
    pub(super) at: At,
    pub(super) events: Vec<Event>,
    pub(super) before: Session,
    pub(super) after: Session,
    pub(super) next_at: Option<At>,
    pub(super) live: Arc<Live>,
}

impl Attempt {
    pub(super) fn new(append: &Append, before: Session, live: Arc<Live>) -> Self {
        Self {
            id: append.id,
            expected: append.expected,
            at: append.at,
            events: append.events.clone(),
            before,
            after: append.session.clone(),
            next_at: append.next_at,
            live,
        }
    }

    /// The session behind this step, once it is stored.
    pub(super) fn led_to(&self, key: &SessionKey) -> Stored {
        Stored {
            key: key.clone(),
            version: self.expected + 1,
            session: self.after.clone(),
        }
    }

    fn is(&self, step: &Step, actor: &str) -> bool {
        step.version == self.expected + 1
            && step.at == self.at
            && step.actor == actor
            && step.events == self.events
    }

    /// Whether the session as it is rules out that this step was made.
    fn is_ruled_out(&self, fresh: &Stored) -> bool {
        fresh.version <= self.expected
            || (fresh.version == self.expected + 1 && fresh.session != self.after)
    }
}

/// What is to be seen after an attempt failed.
pub(super) enum Seen {
    /// The attempt with this index was made, only its answer got lost.
    OnRecord(usize),
    /// None was made, the session is like this now.
    Changed(Box<Stored>),
}

impl Desk {
    /// Looks what the failed attempt came to.
    ///
    /// # Errors
    /// What the attempt failed with, when it was not made and trying again makes no sense.
    pub(super) async fn see(
        &self,
        key: &SessionKey,
        error: AppendError,
        attempts: &[Attempt],
        errand: &Errand<'_>,
    ) -> Result<Seen, StepError> {
        if is_plain(&error, errand.cause) {
            return Err(error.into());
        }
        let seen = self.on_record(key, attempts, errand).await;
        match (seen, error) {
            (Ok(Seen::OnRecord(index)), _) => {
                metrics::counter!("replygate_answers_lost_total").increment(1);
                Ok(Seen::OnRecord(index))
            }
            (seen, AppendError::Conflict { .. }) => {
                metrics::counter!("replygate_conflicts_total").increment(1);
                Ok(seen?)
            }
            (Ok(fresh), AppendError::Store(fault)) if self.waits(errand.patience) => {
                tracing::warn!(%fault, "a step was not stored, it is tried again");
                self.parts.clock.sleep(PAUSE).await;
                Ok(fresh)
            }
            (_, error) => Err(error.into()),
        }
    }

    async fn on_record(
        &self,
        key: &SessionKey,
        attempts: &[Attempt],
        errand: &Errand<'_>,
    ) -> Result<Seen, StoreError> {
        let fresh = self.fresh(errand, key).await?;
        if !self.has_asked(errand).await? {
            return Ok(Seen::Changed(Box::new(fresh)));
        }
        for (index, attempt) in attempts.iter().enumerate() {
            if attempt.is_ruled_out(&fresh) {
                continue;
            }
            let steps = self
                .ask_for(errand, || {
                    self.store().events(errand.id, attempt.expected, 1)
                })
                .await?;
            if steps
                .first()
                .is_some_and(|step| attempt.is(step, &errand.cause.actor))
            {
                return Ok(Seen::OnRecord(index));
            }
        }
        Ok(Seen::Changed(Box::new(fresh)))
    }

    /// Whether the request behind the step is on record; a step without one cannot be told by it. Two pages of one person
    /// may ask for the same thing in the same millisecond: only their requests differ.
    async fn has_asked(&self, errand: &Errand<'_>) -> Result<bool, StoreError> {
        let Some(action) = &errand.cause.action else {
            return Ok(true);
        };
        let record = self
            .ask_for(errand, || self.store().action(&action.request_id))
            .await?;
        Ok(record.is_some())
    }
}

/// Whether the failure leaves no doubt: the message came before, or the store holds something that cannot be read.
fn is_plain(error: &AppendError, cause: &Cause) -> bool {
    match error {
        AppendError::Duplicate { message } => {
            cause.message.as_ref().is_none_or(|own| own.id != *message)
        }
        AppendError::Store(StoreError::Corrupt { .. }) => true,
        _ => false,
    }
}
