//! The engine: its loops, and what follows from every step. Must never know a driver, a route or a page.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use replygate_gate::{At, Command, Event, Owner, ReplyId, SessionId, TurnId};
use replygate_ports::channel::Inbound;
use replygate_ports::feed::News;
use replygate_ports::store::{StoreError, Stored};
use replygate_ports::tickets::Ticket;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::agenda::Agenda;
use crate::board::Board;
use crate::claim_time::ClaimTime;
use crate::crew::Crew;
use crate::desk::{Cause, Desk, Made, StepError};
use crate::intake::Received;
use crate::mint::Mint;
use crate::parts::{Parts, Tuning};
use crate::triage::Evaluations;

/// How many sessions one look into the schedule brings.
const PAGE: u32 = 1_000;
/// How many sessions are seen to at once when many are.
const AT_ONCE: usize = 256;
/// A session that needed attention but gave nothing to do is looked at again after this many milliseconds.
const AGAIN_MS: u64 = 250;

/// What all of the engine's tasks share.
#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) parts: Parts,
    pub(crate) tuning: Arc<Tuning>,
    pub(crate) board: Arc<Board>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) agenda: Arc<Agenda>,
    pub(crate) crew: Crew,
    pub(crate) evaluations: Arc<Evaluations>,
    pub(crate) claim_time: Arc<ClaimTime>,
    pub(crate) mint: Arc<Mint>,
    pub(crate) dispatches: Arc<Semaphore>,
    pub(crate) turns: Arc<Semaphore>,
    /// Sessions whose turn waits for its permit.
    pub(crate) queued: Arc<Mutex<HashSet<SessionId>>>,
    /// The turns that this process runs, each with what ends it.
    pub(crate) running: Arc<Mutex<HashMap<SessionId, (TurnId, CancellationToken)>>>,
    /// Turns that reserved an effect and are not over.
    pub(crate) reserved: Arc<Mutex<HashSet<TurnId>>>,
    /// No new turns.
    pub(crate) stopping: CancellationToken,
    /// Running turns give their session back.
    pub(crate) drained: CancellationToken,
}

/// What an engine has under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Sessions that wait for a time.
    pub timers: usize,
    /// Turns, hand-overs and what belongs to them.
    pub tasks: usize,
}

/// The pipeline. Clones share one engine.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Inner,
}

impl Engine {
    /// An engine on these ports; nothing runs before [`Engine::run`].
    #[must_use]
    pub fn new(parts: Parts, tuning: Tuning) -> Self {
        let board = Arc::new(Board::new(parts.settings.clone(), parts.wiring.clone()));
        let inner = Inner {
            desk: Arc::new(Desk::new(parts.clone(), board.clone())),
            agenda: Arc::new(Agenda::new(parts.clock.clone())),
            board,
            crew: Crew::default(),
            evaluations: Arc::default(),
            claim_time: Arc::default(),
            mint: Arc::default(),
            dispatches: Arc::new(Semaphore::new(tuning.dispatches)),
            turns: Arc::new(Semaphore::new(tuning.turns)),
            queued: Arc::default(),
            running: Arc::default(),
            reserved: Arc::default(),
            stopping: CancellationToken::new(),
            drained: CancellationToken::new(),
            tuning: Arc::new(tuning),
            parts,
        };
        Self { inner }
    }

    /// The settings in force.
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.inner.board
    }

    /// Stores a message that came in, durably, before it returns.
    ///
    /// # Errors
    /// `NoChannel` for a channel that is not configured, `Store` when it is not stored.
    pub async fn receive(&self, inbound: Inbound) -> Result<Received, StepError> {
        self.inner.receive(inbound).await
    }

    /// Runs until `stop`, then lets turns and hand-overs finish, at most as long as the tuning says; turns that are not
    /// done by then are handed back.
    ///
    /// # Errors
    /// When the store cannot be read at the start.
    pub async fn run(&self, stop: CancellationToken) -> Result<(), StoreError> {
        let inner = &self.inner;
        inner.board.reload().await?;
        inner.recover().await?;
        let loops = Crew::default();
        let (agenda, sweeper, tickets, news) =
            (inner.clone(), inner.clone(), inner.clone(), inner.clone());
        loops.start(async move { agenda.keep_agenda().await });
        loops.start(async move { sweeper.sweep().await });
        loops.start(async move { tickets.take_tickets().await });
        loops.start(async move { news.follow_news().await });
        tokio::select! {
            () = stop.cancelled() => {}
            () = inner.crew.killed() => {}
        }
        inner.stopping.cancel();
        loops.kill();
        loops.finished().await;
        inner.drain().await;
        Ok(())
    }

    /// What is under way, for metrics.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures {
            timers: self.inner.agenda.len(),
            tasks: self.inner.crew.len(),
        }
    }

    /// Drops everything where it stands, as the death of the process would. For simulations.
    pub fn kill(&self) {
        self.inner.crew.kill();
    }
}

impl Inner {
    /// A new identifier that sorts behind every earlier one of this process.
    pub(crate) fn mint(&self) -> u128 {
        self.mint.next(&*self.parts.clock, &*self.parts.entropy)
    }

    /// What follows from every step: timers, tickets, turns.
    pub(crate) async fn after(&self, made: &Made) {
        let rules = &made.live.rules;
        self.agenda
            .arm(made.id, made.version, made.after.next_timer(rules));
        if made.after.is_ripe(self.parts.clock.now()) {
            self.start_turn(made.id);
        }
        let next = made.after.next_dispatch();
        if next.is_some() && next != made.before.next_dispatch() {
            self.remind(made.id, next).await;
        }
        if made.after.owner.is_none() && made.before.owner.is_some() {
            self.forget_turn(made);
        }
        if has_lost_turn(&made.events) {
            self.end_turn_of_another(made.id, made.after.owner.as_ref());
        }
        if made.after.uncovered.is_empty() && !made.before.uncovered.is_empty() {
            self.evaluations.forget(made.id);
        }
        count(&made.events);
    }

    fn forget_turn(&self, made: &Made) {
        if let Some(owner) = &made.before.owner {
            let mut reserved = self
                .reserved
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            reserved.remove(&owner.turn);
        }
    }

    /// Ends this process's turn of that session if another one, or nobody, owns the session now.
    fn end_turn_of_another(&self, session: SessionId, owner: Option<&Owner>) {
        let running = self
            .running
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((turn, lost)) = running.get(&session)
            && owner.is_none_or(|owner| owner.turn != *turn)
        {
            lost.cancel();
        }
    }

    async fn remind(&self, session: SessionId, next: Option<(ReplyId, At)>) {
        let Some((reply, due)) = next else { return };
        let ticket = Ticket {
            reply,
            session,
            attempt: 0,
        };
        self.publish(ticket, due.minus(self.claim_time.ahead_ms()))
            .await;
    }

    /// Gives sessions attention when their time has come.
    async fn keep_agenda(&self) {
        loop {
            for session in self.agenda.due().await {
                let inner = self.clone();
                self.crew.start(async move { inner.attend(session).await });
            }
        }
    }

    /// Does whatever a session needs without anybody asking.
    async fn attend(&self, id: SessionId) {
        let Ok(mut stored) = self.desk.load(id).await else {
            return;
        };
        if let Some(made) = self.expire(id).await {
            stored = Stored {
                key: made.key.clone(),
                version: made.version,
                session: made.after,
            };
        }
        if stored.session.is_ripe(self.parts.clock.now()) {
            self.start_turn(id);
        }
        let Ok(live) = self.desk.live(&stored.key) else {
            return;
        };
        let soonest = self.parts.clock.now().plus(AGAIN_MS);
        let next = stored
            .session
            .next_timer(&live.rules)
            .map(|at| at.max(soonest));
        self.agenda.arm(id, stored.version, next);
    }

    async fn expire(&self, id: SessionId) -> Option<Made> {
        match self
            .desk
            .step(id, Cause::by("sweeper"), |_| Ok(Command::Expire))
            .await
        {
            Ok(made) => {
                self.after(&made).await;
                Some(made)
            }
            Err(StepError::Refused(_)) => None,
            Err(error) => {
                tracing::warn!(session = %id, %error, "a session could not be looked after");
                None
            }
        }
    }

    /// Takes up what timers and tickets lost.
    async fn sweep(&self) {
        let every = Duration::from_millis(self.tuning.sweep_every_ms);
        loop {
            self.parts.clock.sleep(every).await;
            let until = self.parts.clock.now().minus(self.tuning.sweep_grace_ms);
            let taken = self
                .each_scheduled(until, |inner, session| async move {
                    inner.take_up(session).await;
                })
                .await;
            if let Err(error) = taken {
                tracing::warn!(%error, "the sweeper cannot read the schedule");
            }
        }
    }

    /// Sees to every session whose next deadline is not after `until`, many at once: their appends share commits.
    async fn each_scheduled<F: Future<Output = ()>>(
        &self,
        until: At,
        see_to: impl Fn(Self, SessionId) -> F,
    ) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let page = self.parts.store.scheduled(until, after, PAGE).await?;
            let Some(last) = page.last().copied() else {
                return Ok(());
            };
            futures::stream::iter(page)
                .for_each_concurrent(AT_ONCE, |(_, session)| see_to(self.clone(), session))
                .await;
            after = Some(last);
        }
    }

    async fn take_up(&self, session: SessionId) {
        let Ok(stored) = self.desk.load(session).await else {
            return;
        };
        if stored
            .session
            .next_dispatch()
            .is_some_and(|(_, due)| due <= self.parts.clock.now())
        {
            metrics::counter!("replygate_swept_total").increment(1);
            self.remind(session, stored.session.next_dispatch()).await;
        }
        self.attend(session).await;
    }

    /// Rebuilds timers and tickets from the store; ends what a dead process held, if this one is alone.
    async fn recover(&self) -> Result<(), StoreError> {
        self.each_scheduled(At(i64::MAX), |inner, session| async move {
            inner.recover_session(session).await;
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
        self.remind(id, stored.session.next_dispatch()).await;
    }

    /// Takes settings into force that another process saved, and ends turns that another process took away.
    async fn follow_news(&self) {
        let mut news = self.parts.feed.subscribe();
        while let Some(news) = news.next().await {
            match news {
                News::Session {
                    session, events, ..
                } if events.iter().any(|event| event == LOST_TURN) => {
                    self.see_whose_turn(session).await;
                }
                News::Session { .. } => {}
                News::Settings { .. } | News::Skipped => {
                    if let Err(error) = self.board.reload().await {
                        tracing::warn!(%error, "settings could not be read again");
                    }
                }
            }
        }
    }

    async fn see_whose_turn(&self, session: SessionId) {
        let runs = self
            .running
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .contains_key(&session);
        if !runs {
            return;
        }
        // Without an answer the lease tells it a little later.
        if let Ok(stored) = self.desk.load(session).await {
            self.end_turn_of_another(session, stored.session.owner.as_ref());
        }
    }

    async fn drain(&self) {
        let limit = Duration::from_millis(self.tuning.drain_ms);
        tokio::select! {
            biased;
            () = self.crew.finished() => return,
            () = self.parts.clock.sleep(limit) => self.drained.cancel(),
        }
        let rest = Duration::from_secs(2);
        tokio::select! {
            biased;
            () = self.crew.finished() => {}
            () = self.parts.clock.sleep(rest) => {
                tracing::warn!(tasks = self.crew.len(), "some tasks did not end in time");
                self.crew.kill();
            }
        }
    }
}

/// The name of the event by which a turn loses its session.
const LOST_TURN: &str = "turn_lost";

fn has_lost_turn(events: &[Event]) -> bool {
    events.iter().any(|event| event.name() == LOST_TURN)
}

fn count(events: &[Event]) {
    for event in events {
        metrics::counter!("replygate_events_total", "event" => event.name()).increment(1);
    }
}
