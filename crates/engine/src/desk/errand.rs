//! Somebody with a step to make, at the place that was queued for. Must never keep the place while the store does not
//! answer: whoever pauses lets the others try.

use std::time::Duration;

use replygate_gate::{SessionId, SessionKey};
use replygate_ports::store::{StoreError, Stored};

use super::queue::{Left, Place};
use super::{Cause, Desk, Patience, StepError, unwritten};

/// So many messages wait for one session at most: beyond that its people are told to come again.
const MOST_WAITING: usize = 1_024;

/// A message that waited longer than this behind a step that the store did not answer is not tried as well: its sender has
/// the answer about as soon as if it had been alone.
const LONGEST_BEFORE_FAULT: Duration = Duration::from_millis(500);

/// So many steps are made in a row before another process gets its chance, and how long that is.
const STEPS_IN_A_ROW: u32 = 16;
const CHANCE: Duration = Duration::from_millis(10);

/// The first conflict is met at once, the next ones after up to 1, 2, 4 ms, and so on up to this many.
const LONGEST_BACK_OFF_MS: u64 = 8;

/// Somebody with a step to make.
pub(super) struct Errand<'a> {
    pub(super) id: SessionId,
    pub(super) cause: &'a Cause,
    pub(super) patience: Patience,
    place: Place,
}

/// A session from which to decide.
pub(super) struct Start {
    pub(super) stored: Stored,
    /// Whether it was left by the one before. It was true then: a step from it is safe, for the store compares versions,
    /// but no refusal may rest on it.
    pub(super) is_left: bool,
}

impl Errand<'_> {
    /// Gives the place up: the step was stored and led to this.
    pub(super) fn is_done(&self, stored: impl FnOnce() -> Stored) {
        let row = match self.place.left() {
            Left::State(_, row) => *row,
            Left::Nothing | Left::Fault => 0,
        };
        self.place
            .leave(|| Left::State(Box::new(stored()), row + 1));
    }

    /// Gives the place up: the store did not answer.
    pub(super) fn is_stuck(&self) {
        self.place.leave(|| Left::Fault);
    }
}

impl Desk {
    /// Queues for a step on that session.
    pub(super) async fn errand<'a>(
        &self,
        id: SessionId,
        cause: &'a Cause,
        patience: Patience,
    ) -> Result<Errand<'a>, StepError> {
        let place = self.queues.enter(id, usize::MAX).await;
        Ok(Errand {
            id,
            cause,
            patience,
            place: place.ok_or(StepError::Busy)?,
        })
    }

    /// The same for a message that comes in, of which there may be any number.
    pub(super) async fn errand_in_crowd<'a>(
        &self,
        id: SessionId,
        cause: &'a Cause,
    ) -> Result<Errand<'a>, StepError> {
        let began = self.parts.clock.elapsed();
        let place = self.queues.enter(id, MOST_WAITING).await;
        let place = place.ok_or(StepError::Busy)?;
        let waited = self.parts.clock.elapsed().saturating_sub(began);
        if matches!(place.left(), Left::Fault) && waited > LONGEST_BEFORE_FAULT {
            place.leave(|| Left::Fault);
            return Err(StepError::Busy);
        }
        Ok(Errand {
            id,
            cause,
            patience: Patience::NONE,
            place,
        })
    }

    /// The session as the one before left it, else as the store has it.
    pub(super) async fn start(&self, errand: &Errand<'_>) -> Result<Option<Start>, StoreError> {
        if let Left::State(stored, row) = errand.place.left() {
            if self.parts.peers.is_none() || row % STEPS_IN_A_ROW != 0 {
                let stored = Stored::clone(stored);
                let is_left = true;
                return Ok(Some(Start { stored, is_left }));
            }
            self.parts.clock.sleep(CHANCE).await;
        }
        let stored = self
            .ask_for(errand, || self.store().load(errand.id))
            .await?;
        let is_left = false;
        Ok(stored.map(|stored| Start { stored, is_left }))
    }

    /// The session as the store has it now.
    pub(super) async fn fresh(
        &self,
        errand: &Errand<'_>,
        key: &SessionKey,
    ) -> Result<Stored, StoreError> {
        let fresh = self
            .ask_for(errand, || self.store().load(errand.id))
            .await?;
        Ok(fresh.unwrap_or_else(|| unwritten(key)))
    }

    /// Waits a moment of chance length before a step is decided again, longer with each conflict.
    pub(super) async fn back_off(&self, conflicts: u32) {
        let Some(doublings) = conflicts.checked_sub(2) else {
            return;
        };
        let most = 1_u64
            .checked_shl(doublings)
            .map_or(LONGEST_BACK_OFF_MS, |ms| ms.min(LONGEST_BACK_OFF_MS));
        // The remainder is below 8,000.
        let micros = self.parts.entropy.bits() % u128::from(most * 1_000 + 1);
        let wait = Duration::from_micros(u64::try_from(micros).unwrap_or_default());
        self.parts.clock.sleep(wait).await;
    }
}
