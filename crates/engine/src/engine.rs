//! The engine: its loops, and what follows from every step. Must never know a driver, a route or a page.

mod attention;
mod news;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use replygate_gate::{At, Event, Session, SessionId, TurnId};
use replygate_ports::channel::Inbound;
use replygate_ports::store::StoreError;
use replygate_ports::tickets::{Ticket, TicketsUnavailable};
use replygate_ports::wakes::Wake;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::agenda::Agenda;
use crate::board::Board;
use crate::claim_time::ClaimTime;
use crate::crew::Crew;
use crate::desk::{Desk, Made, StepError};
use crate::intake::Received;
use crate::mint::Mint;
use crate::parts::{Parts, Role, Tuning};
use crate::tools::{Guard, Toolbox};
use crate::triage::Evaluations;

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
    /// The turns that this process runs.
    pub(crate) running: Arc<Mutex<HashMap<SessionId, OwnTurn>>>,
    /// Turns that reserved an effect and are not over.
    pub(crate) reserved: Arc<Mutex<HashSet<TurnId>>>,
    /// No new turns.
    pub(crate) stopping: CancellationToken,
    /// Running turns give their session back.
    pub(crate) drained: CancellationToken,
}

/// A turn that this process runs.
pub(crate) struct OwnTurn {
    pub(crate) turn: TurnId,
    /// Ends it.
    pub(crate) lost: CancellationToken,
    /// Tells that it has ended.
    pub(crate) ended: CancellationToken,
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
            parts.feed.clone(),
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
            biased;
            () = inner.crew.killed() => return Ok(()),
            () = stop.cancelled() => {}
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
        if news::has_lost_turn(&made.events) {
            self.end_turn_of_another(made.id, made.after.owner.as_ref());
            self.end_typing_of_the_dead(made);
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
            if made.after.is_ripe(self.parts.clock.now(), rules) {
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

fn count(events: &[Event]) {
    for event in events {
        metrics::counter!("replygate_events_total", "event" => event.name()).increment(1);
        if let Event::TurnLost { reason, .. } = event {
            metrics::counter!("replygate_turns_lost_total", "reason" => reason.as_str())
                .increment(1);
        }
    }
}
