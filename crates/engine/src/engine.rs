//! The engine: its loops, and what follows from every step. Must never know a driver, a route or a page.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use replygate_gate::{At, Command, Event, Owner, Session, SessionId, TurnId};
use replygate_ports::channel::Inbound;
use replygate_ports::feed::News;
use replygate_ports::store::{StoreError, Stored};
use replygate_ports::tickets::{Ticket, TicketsUnavailable};
use replygate_ports::wakes::Wake;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::agenda::Agenda;
use crate::board::Board;
use crate::claim_time::ClaimTime;
use crate::crew::Crew;
use crate::desk::{Cause, Desk, Made, StepError};
use crate::intake::Received;
use crate::mint::Mint;
use crate::parts::{Parts, Role, Tuning};
use crate::peers::Lease;
use crate::tools::{Guard, Toolbox};
use crate::triage::Evaluations;

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
    pub(crate) toolbox: Arc<Toolbox>,
    pub(crate) guard: Guard,
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
        let mint: Arc<Mint> = Arc::default();
        let guard = Guard::new(
            parts.ledger.clone(),
            parts.clock.clone(),
            parts.entropy.clone(),
            mint.clone(),
        );
        let inner = Inner {
            toolbox: Arc::new(Toolbox::new(parts.tools.clone(), parts.wiring.clone())),
            guard,
            desk: Arc::new(Desk::new(parts.clone(), board.clone())),
            agenda: Arc::new(Agenda::new(parts.clock.clone())),
            board,
            crew: Crew::default(),
            evaluations: Arc::default(),
            claim_time: Arc::default(),
            mint,
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

    /// The tools in force.
    #[must_use]
    pub fn toolbox(&self) -> &Arc<Toolbox> {
        &self.inner.toolbox
    }

    /// The guard of calls with an effect.
    #[must_use]
    pub fn guard(&self) -> &Guard {
        &self.inner.guard
    }

    /// Stores a message that came in, durably, before it returns.
    ///
    /// # Errors
    /// `NoChannel` for a channel that is not configured, `Store` when it is not stored.
    pub async fn receive(&self, inbound: Inbound) -> Result<Received, StepError> {
        self.inner.receive(inbound).await
    }

    /// Runs until `stop`, then lets turns and hand-overs finish, at most as long as the tuning says; turns that are not
    /// done by then are handed back. Processes that share the work take over timers and tickets at once.
    ///
    /// # Errors
    /// When the store cannot be read at the start.
    pub async fn run(&self, stop: CancellationToken) -> Result<(), StoreError> {
        let inner = &self.inner;
        inner.board.reload().await?;
        inner.toolbox.reload().await?;
        let loops = Crew::default();
        let _end = loops.guard();
        let news = inner.clone();
        loops.start(async move { news.follow_news().await });
        if inner.tuning.role == Role::Worker {
            inner.work(&loops).await?;
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = inner.crew.killed() => return Ok(()),
        }
        inner.stopping.cancel();
        loops.kill();
        loops.finished().await;
        if inner.tuning.role == Role::Worker {
            inner.parts.tickets.leave().await;
            inner.hand_agenda_over().await;
        }
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

    /// Starts what works on sessions without anybody asking.
    async fn work(&self, loops: &Crew) -> Result<(), StoreError> {
        // Before the schedule is read, so that no wake-up falls between the two.
        let wakes = self.clone();
        loops.start(async move { wakes.follow_wakes().await });
        if self.tuning.alone {
            self.guard.recover().await?;
        }
        self.recover().await?;
        let (agenda, sweeper, tickets, calls) =
            (self.clone(), self.clone(), self.clone(), self.clone());
        loops.start(async move { calls.end_leases_of_calls().await });
        loops.start(async move { agenda.keep_agenda().await });
        loops.start(async move { sweeper.sweep().await });
        loops.start(async move { tickets.take_tickets().await });
        Ok(())
    }

    /// What follows from every step: timers, tickets, turns.
    pub(crate) async fn after(&self, made: &Made) {
        self.tell_peers(made).await;
        self.schedule(made).await;
        let next = made.after.next_dispatch();
        if next.is_some() && next != made.before.next_dispatch() {
            // The sweeper publishes what could not be published now.
            let _ = self.remind(made.id, &made.after, Some(made.version)).await;
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

    /// Sees to it that the session gets attention in time, here or in a process that works on sessions.
    async fn schedule(&self, made: &Made) {
        let rules = &made.live.rules;
        let next = made.after.next_timer(rules);
        let works_here = self.tuning.role == Role::Worker && !self.stopping.is_cancelled();
        if works_here {
            self.agenda.arm(made.id, made.version, next);
            if made.after.is_ripe(self.parts.clock.now()) {
                self.start_turn(made.id, None);
            }
        } else if let Some(at) = next.filter(|_| next != made.before.next_timer(rules)) {
            let (session, version) = (made.id, made.version);
            self.wake_others(Wake {
                session,
                version,
                at,
            })
            .await;
        }
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

    /// Queues a reminder of the session's next hand-over, as of `version`; `None` when only the store may answer it.
    pub(crate) async fn remind(
        &self,
        id: SessionId,
        session: &Session,
        version: Option<u64>,
    ) -> Result<(), TicketsUnavailable> {
        let Some((ticket, due)) = ticket(id, session, version) else {
            return Ok(());
        };
        self.publish(ticket, due.minus(self.claim_time.ahead_ms()))
            .await
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

    /// Does whatever a session needs without anybody asking, unless another process does.
    pub(crate) async fn attend(&self, id: SessionId) {
        let Some(lease) = self.lease(id).await else {
            return;
        };
        if let Some(lease) = self.look_after(id, lease).await {
            self.release(&lease).await;
        }
    }

    /// Does whatever the session needs; returns the lease unless a turn keeps it.
    async fn look_after(&self, id: SessionId, lease: Lease) -> Option<Lease> {
        let Ok(mut stored) = self.desk.load(id).await else {
            return Some(lease);
        };
        if let Some(made) = self.expire(id).await {
            stored = Stored {
                key: made.key.clone(),
                version: made.version,
                session: made.after,
            };
        }
        let mut lease = Some(lease);
        if stored.session.is_ripe(self.parts.clock.now()) {
            lease = self.start_turn(id, lease);
        }
        if let Ok(live) = self.desk.live(&stored.key) {
            let soonest = self.parts.clock.now().plus(AGAIN_MS);
            let next = stored
                .session
                .next_timer(&live.rules)
                .map(|at| at.max(soonest));
            self.agenda.arm(id, stored.version, next);
        }
        lease
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
                News::Settings { .. } => self.reload_channels().await,
                News::Tool { .. } => self.reload_tools().await,
                News::Skipped => {
                    self.reload_channels().await;
                    self.reload_tools().await;
                }
            }
        }
    }

    async fn reload_channels(&self) {
        if let Err(error) = self.board.reload().await {
            tracing::warn!(%error, "settings could not be read again");
        }
    }

    async fn reload_tools(&self) {
        if let Err(error) = self.toolbox.reload().await {
            tracing::warn!(%error, "tools could not be read again");
        }
    }

    /// Makes tool calls unknown whose lease is over.
    async fn end_leases_of_calls(&self) {
        let every = Duration::from_millis(self.tuning.calls_every_ms);
        loop {
            self.parts.clock.sleep(every).await;
            self.guard.expire().await;
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

/// The ticket for the session's next hand-over, and when that is due.
pub(crate) fn ticket(
    id: SessionId,
    session: &Session,
    version: Option<u64>,
) -> Option<(Ticket, At)> {
    let (reply, due) = session.next_dispatch()?;
    let tries = session.reply(reply).map_or(0, |reply| {
        u32::from(reply.attempts) + u32::from(reply.failures)
    });
    let ticket = Ticket {
        reply,
        session: id,
        attempt: tries,
        version,
    };
    Some((ticket, due))
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
