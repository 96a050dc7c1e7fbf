//! What this process tells others that share the work, and hears from them. Must never be needed: whoever hears nothing
//! asks the store, and the sweeper finds what nobody was told.

use std::time::Duration;

use futures::StreamExt;
use replygate_gate::{Owner, ReplyStatus, SessionId, TurnId};
use replygate_ports::leases::Leave;
use replygate_ports::mirror::Glance;
use replygate_ports::parked::Parked;
use replygate_ports::tickets::Ticket;
use replygate_ports::wakes::Wake;

use crate::desk::Made;
use crate::engine::Inner;
use crate::parts::Peers;

/// Life of the lease on a session that is looked after. A turn renews it every third of its own lease, which is earlier.
const ATTENTION: Duration = Duration::from_secs(6);
/// Whoever finds a session leased looks once more after this time: the other one may have looked at an older state.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Leave to look after a session.
pub(crate) struct Lease {
    session: SessionId,
    /// `None` where nobody else could have it.
    holder: Option<TurnId>,
}

impl Lease {
    /// The turn that may be taken under it; its own id serves as the lease's token.
    pub(crate) const fn turn(&self) -> Option<TurnId> {
        self.holder
    }
}

impl Inner {
    /// Leave to look after the session; `None` while another one has it.
    pub(crate) async fn lease(&self, session: SessionId) -> Option<Lease> {
        let Some(peers) = &self.parts.peers else {
            return Some(Lease {
                session,
                holder: None,
            });
        };
        let turn = TurnId(self.mint());
        if peers.leases.acquire(session, turn, ATTENTION).await == Leave::Taken {
            self.parts.clock.sleep(LOOK_AGAIN).await;
            if peers.leases.acquire(session, turn, ATTENTION).await == Leave::Taken {
                metrics::counter!("replygate_lease_taken_total").increment(1);
                return None;
            }
        }
        Some(Lease {
            session,
            holder: Some(turn),
        })
    }

    /// Gives the leave back.
    pub(crate) async fn release(&self, lease: &Lease) {
        if let (Some(peers), Some(holder)) = (&self.parts.peers, lease.holder) {
            peers.leases.release(lease.session, holder).await;
        }
    }

    /// Ends the lease of a turn that is over.
    pub(crate) async fn release_turn(&self, session: SessionId, turn: TurnId) {
        let holder = Some(turn);
        self.release(&Lease { session, holder }).await;
    }

    /// Keeps others away from a running turn's session. What they would meet is its fencing token.
    pub(crate) async fn extend_lease(&self, session: SessionId, owner: &Owner, life: Duration) {
        if let Some(peers) = &self.parts.peers {
            peers.leases.acquire(session, owner.turn, life).await;
        }
    }

    /// Whether nobody else sweeps. One sweeper is enough: it finds whatever any process lost.
    pub(crate) async fn may_sweep(&self, me: TurnId, life: Duration) -> bool {
        // No session has this id: they are digests.
        let sweep = SessionId(0);
        match &self.parts.peers {
            None => true,
            Some(peers) => peers.leases.acquire(sweep, me, life).await == Leave::Granted,
        }
    }

    /// Tells what others could use of a step: that its turn is over, what tickets lead to now, and what was parked.
    pub(crate) async fn tell_peers(&self, made: &Made) {
        let Some(peers) = &self.parts.peers else {
            return;
        };
        if let Some(turn) = ended_turn(made) {
            peers.leases.release(made.id, turn).await;
        }
        if let Some(glance) = changed_glance(made) {
            peers.mirror.tell(made.id, glance).await;
        }
        self.tell_parked(peers, made).await;
    }

    async fn tell_parked(&self, peers: &Peers, made: &Made) {
        for reply in &made.after.replies {
            let Some(reason) = reply.parked.filter(|_| reply.status == ReplyStatus::Parked) else {
                continue;
            };
            let before = made.before.reply(reply.id);
            if before.is_some_and(|before| before.status == ReplyStatus::Parked) {
                continue;
            }
            let parked = Parked {
                reply: reply.id,
                session: made.id,
                channel: made.key.channel.clone(),
                reason,
                generation: reply.generation,
                at: self.parts.clock.now(),
            };
            peers.parked.tell(parked).await;
        }
    }

    /// Tells processes that work when the session needs attention.
    pub(crate) async fn wake_others(&self, wake: Wake) {
        if let Some(peers) = &self.parts.peers {
            peers.wakes.tell(wake).await;
        }
    }

    /// Takes over the timers of processes that do not keep any.
    pub(crate) async fn follow_wakes(&self) {
        let Some(peers) = &self.parts.peers else {
            return;
        };
        let mut wakes = peers.wakes.listen();
        while let Some(Wake {
            session,
            version,
            at,
        }) = wakes.next().await
        {
            self.agenda.arm(session, version, Some(at));
        }
    }

    /// Leaves this process's timers to others.
    pub(crate) async fn hand_agenda_over(&self) {
        if self.parts.peers.is_none() {
            return;
        }
        for wake in self.agenda.drain() {
            self.wake_others(wake).await;
        }
    }

    /// Whether the ticket leads nowhere, as far as can be told without the store.
    pub(crate) async fn is_in_vain(&self, ticket: Ticket) -> bool {
        let (Some(peers), Some(issued)) = (&self.parts.peers, ticket.version) else {
            return false;
        };
        let glance = peers.mirror.look(ticket.session).await;
        let Some(vain) = glance.and_then(|glance| glance.refuses(ticket.reply, issued)) else {
            return false;
        };
        metrics::counter!("replygate_tickets_refused_total", "reason" => vain.as_str())
            .increment(1);
        true
    }
}

/// The turn that the step ended.
fn ended_turn(made: &Made) -> Option<TurnId> {
    let before = made.before.owner.as_ref()?.turn;
    let after = made.after.owner.as_ref().map(|owner| owner.turn);
    (after != Some(before)).then_some(before)
}

/// What tickets lead to since the step, if some may be under way that lead nowhere now.
fn changed_glance(made: &Made) -> Option<Glance> {
    made.before.undelivered().next()?;
    let before = Glance::of(&made.before, made.version);
    let after = Glance::of(&made.after, made.version);
    (before != after).then_some(after)
}
