//! The sweeper: takes up what timers and tickets lost, and rebuilds both at the start. Must never be in a hurry: what it
//! found overdue and took up gets longer and longer time before it is taken up again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use replygate_gate::{At, Command, SessionId, TurnId};
use replygate_ports::store::StoreError;

use crate::desk::{Cause, StepError};
use crate::engine::{Inner, ticket};

/// How many sessions one look into the schedule brings.
const PAGE: u32 = 1_000;
/// How many sessions are seen to at once when many are.
const AT_ONCE: usize = 256;
/// What was taken up in vain is taken up again after at most this many milliseconds.
const LONGEST_PATIENCE_MS: u64 = 60_000;
/// Another process sweeps when this one was not heard of for so many rounds.
const ROUNDS: u32 = 3;

/// A session that was overdue in the last round.
#[derive(Clone, Copy)]
struct Overdue {
    since: At,
    times: u32,
    again_at: At,
}

/// The sessions that were overdue in the last round, and when they are to be taken up again. One whose deadline moved is
/// another matter and has not waited yet.
#[derive(Default)]
struct Patience {
    last: HashMap<SessionId, Overdue>,
    this: Mutex<HashMap<SessionId, Overdue>>,
}

impl Patience {
    fn waits(&self, session: SessionId, since: At, now: At) -> bool {
        let known = self.last.get(&session).copied();
        let Some(overdue) = known.filter(|known| known.since == since && now < known.again_at)
        else {
            return false;
        };
        self.note(session, overdue);
        true
    }

    fn took_up(&self, session: SessionId, since: At, now: At) {
        let known = self.last.get(&session).filter(|known| known.since == since);
        let times = known.map_or(0, |known| known.times + 1);
        let wait = 1_000u64
            .saturating_mul(1 << times.min(16))
            .min(LONGEST_PATIENCE_MS);
        let again_at = now.plus(wait);
        self.note(
            session,
            Overdue {
                since,
                times,
                again_at,
            },
        );
    }

    fn note(&self, session: SessionId, overdue: Overdue) {
        let mut this = self.this.lock().unwrap_or_else(PoisonError::into_inner);
        this.insert(session, overdue);
    }

    fn next_round(&mut self) {
        let this = self.this.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.last = std::mem::take(this);
    }
}

/// What became of taking a session up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TakenUp {
    /// Whatever could be done is done.
    Yes,
    /// Something it needs was not there.
    No,
}

impl Inner {
    /// Takes up what timers and tickets lost.
    pub(crate) async fn sweep(&self) {
        let every = Duration::from_millis(self.tuning.sweep_every_ms);
        let me = TurnId(self.mint());
        let mut patience = Patience::default();
        loop {
            self.parts.clock.sleep(every).await;
            if !self.may_sweep(me, every * ROUNDS).await {
                continue;
            }
            let until = self.parts.clock.now().minus(self.tuning.sweep_grace_ms);
            let round = &patience;
            let taken = self
                .each_scheduled(until, |inner, since, session| async move {
                    let now = inner.parts.clock.now();
                    if round.waits(session, since, now) {
                        return;
                    }
                    if inner.take_up(session).await == TakenUp::Yes {
                        round.took_up(session, since, now);
                    }
                })
                .await;
            patience.next_round();
            if let Err(error) = taken {
                tracing::warn!(%error, "the sweeper cannot read the schedule");
            }
        }
    }

    /// Sees to every session whose next deadline is not after `until`, many at once: their appends share commits.
    async fn each_scheduled<F: Future<Output = ()>>(
        &self,
        until: At,
        see_to: impl Fn(Self, At, SessionId) -> F,
    ) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let page = self.parts.store.scheduled(until, after, PAGE).await?;
            let Some(last) = page.last().copied() else {
                return Ok(());
            };
            futures::stream::iter(page)
                .for_each_concurrent(AT_ONCE, |(at, session)| see_to(self.clone(), at, session))
                .await;
            after = Some(last);
        }
    }

    async fn take_up(&self, session: SessionId) -> TakenUp {
        let Ok(stored) = self.desk.load(session).await else {
            return TakenUp::No;
        };
        let mut taken = TakenUp::Yes;
        let next = stored.session.next_dispatch();
        if next.is_some_and(|(_, due)| due <= self.parts.clock.now()) {
            metrics::counter!("replygate_swept_total").increment(1);
            let ticket = ticket(session, &stored.session, None);
            let published = self.remind(session, &stored.session, None).await;
            if let (Err(_), Some((ticket, _))) = (published, ticket)
                && !self.dispatch_unasked(ticket)
            {
                taken = TakenUp::No;
            }
        }
        self.attend(session).await;
        taken
    }

    /// Rebuilds timers and tickets from the store; ends what a dead process held, if this one is alone.
    pub(crate) async fn recover(&self) -> Result<(), StoreError> {
        self.each_scheduled(At(i64::MAX), |inner, at, session| async move {
            if inner.parts.peers.is_some() {
                // Tickets live in the broker, and whatever else is due is seen when its time has come.
                inner.agenda.arm(session, 0, Some(at));
            } else {
                inner.recover_session(session).await;
            }
        })
        .await
    }

    async fn recover_session(&self, id: SessionId) {
        if self.tuning.alone {
            match self
                .desk
                .step(id, Cause::by("sweeper"), |_| Ok(Command::Recover))
                .await
            {
                Ok(made) => return self.after(&made).await,
                Err(StepError::Refused(_)) => {}
                Err(error) => {
                    tracing::warn!(session = %id, %error, "a session could not be recovered");
                }
            }
        }
        let Ok(stored) = self.desk.load(id).await else {
            return;
        };
        let Ok(live) = self.desk.live(&stored.key) else {
            tracing::warn!(session = %id, channel = stored.key.channel, "open work on a channel that is not configured");
            return;
        };
        self.agenda
            .arm(id, stored.version, stored.session.next_timer(&live.rules));
        // The sweeper publishes what could not be published now.
        let _ = self.remind(id, &stored.session, None).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: SessionId = SessionId(7);

    #[test]
    fn what_was_taken_up_in_vain_gets_longer_and_longer_time() {
        let mut patience = Patience::default();
        let mut taken_up_at = Vec::new();
        for second in 0..200 {
            let now = At(second * 1_000);
            if !patience.waits(SESSION, At(-5), now) {
                patience.took_up(SESSION, At(-5), now);
                taken_up_at.push(second);
            }
            patience.next_round();
        }
        assert_eq!(taken_up_at, [0, 1, 3, 7, 15, 31, 63, 123, 183]);
    }

    #[test]
    fn a_deadline_that_moved_has_not_waited_yet() {
        let mut patience = Patience::default();
        patience.took_up(SESSION, At(1), At(10));
        patience.next_round();
        assert!(patience.waits(SESSION, At(1), At(11)));
        assert!(!patience.waits(SESSION, At(2), At(11)));
    }

    #[test]
    fn a_session_that_came_to_rest_is_forgotten() {
        let mut patience = Patience::default();
        patience.took_up(SESSION, At(1), At(10));
        patience.next_round();
        patience.next_round();
        assert!(patience.last.is_empty());
    }
}
