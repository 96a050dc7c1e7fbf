//! What each step does. Every step that touches the session goes through `decide` and `evolve`, except where a mutant goes around
//! them on purpose. Time stands still; a lease, claim, hold or lock ends when its own step says so.

use replygate_gate::debounce::{Signal, Windows};
use replygate_gate::{
    Admission, Arrival, At, ClaimToken, Command, Commit, Decision, DeliveredBy, Draft, Event,
    Guarantee, Judgement, Late, MessageId, Neighbours, Outcome, Refusal, ReplyId, ReplyStatus,
    Rules, Scene, Session, TurnId, decide,
};

use crate::choices::{Says, Step};
use crate::mutant::Mutant;
use crate::world::{Budget, Consumer, Worker, World};

/// The present instant of every step.
pub const NOW: At = At(0);
/// The token of a claim until [`Gate::forget`] gives it its reply's.
const NEW_TOKEN: ClaimToken = ClaimToken(u128::MAX);

/// One protocol, honest or with one guard removed.
#[derive(Clone, Debug)]
pub struct Gate {
    pub rules: Rules,
    pub budget: Budget,
    pub mutant: Option<Mutant>,
    /// Whether another system's lock, whose holder is silent, lies on the session at the start.
    pub locked: Locked,
}

/// An outside lock at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locked {
    No,
    Stuck,
}

impl Gate {
    /// The protocol with every wait set to nothing, so that only order matters.
    pub fn new(guarantee: Guarantee, budget: Budget) -> Self {
        let rules = Rules {
            windows: Windows {
                enabled: false,
                ..Windows::default()
            },
            operational_delay_ms: 0,
            ladder_ms: vec![0],
            channel_ladder_ms: vec![0, 0],
            guarantee,
            lease_ms: 1,
            claim_ms: 1,
            claim_ahead_ms: 0,
            max_hold_ms: 1,
            ..Rules::default()
        };
        Self {
            rules,
            budget,
            mutant: None,
            locked: Locked::No,
        }
    }

    pub fn is(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// What `decide` says at the one instant there is.
    pub fn ask(&self, session: &Session, command: &Command) -> Result<Vec<Event>, Refusal> {
        let scene = Scene {
            now: NOW,
            rules: &self.rules,
            neighbours: Neighbours::default(),
        };
        decide(session, command, &scene)
    }

    /// How many faults a path has used up.
    pub fn faults(&self, world: &World) -> usize {
        usize::from(self.budget.crashes - world.left.crashes)
            + usize::from(self.budget.expiries - world.left.expiries)
    }

    /// The state after a step; `None` when it changes nothing.
    pub fn step(&self, last: &World, step: &Step) -> Option<World> {
        let mut world = last.clone();
        match step {
            Step::Arrive => self.arrive(&mut world)?,
            Step::Judge {
                reply,
                read,
                decision,
            } => self.judge(&mut world, *reply, *read, *decision)?,
            Step::Take { worker, verdicts } => self.take(&mut world, *worker, verdicts)?,
            Step::Commit { worker, says } => self.commit(&mut world, *worker, *says)?,
            Step::Reword { worker } => self.reword(&mut world, *worker)?,
            Step::Fail { worker } => self.fail(&mut world, *worker)?,
            Step::WorkerDies { worker } => {
                world.left.crashes -= 1;
                world.workers[*worker] = Worker::Idle;
            }
            Step::LeaseEnds => self.lease_ends(&mut world)?,
            Step::Claim { consumer, reply } => self.claim(&mut world, *consumer, *reply)?,
            Step::LookAgain { consumer } => self.look_again(&mut world, *consumer)?,
            Step::Send { consumer } => send(&mut world, *consumer)?,
            Step::ChannelRefuses { consumer } => self.channel_refuses(&mut world, *consumer)?,
            Step::Settle { consumer } => self.settle(&mut world, *consumer)?,
            Step::ConsumerDies { consumer } => {
                world.left.crashes -= 1;
                world.consumers[*consumer] = Consumer::Idle;
            }
            Step::ClaimEnds { reply } => self.claim_ends(&mut world, *reply)?,
            Step::HoldEnds { reply } => self.hold_ends(&mut world, *reply)?,
            Step::LockEnds => self.lock_ends(&mut world)?,
        }
        self.forget(&mut world);
        // The processes are alike: which of two does something makes no difference.
        world.workers.sort_unstable();
        world.consumers.sort_unstable();
        (world != *last).then_some(world)
    }

    fn arrive(&self, world: &mut World) -> Option<()> {
        world.left.arrivals -= 1;
        world.arrived += 1;
        let arrival = Arrival {
            message: MessageId(u128::from(world.arrived)),
            signal: Signal::Closed,
            edit_of: None,
            admission: Admission::Turn,
        };
        let events = self.ask(&world.session, &Command::Arrive(arrival)).ok()?;
        self.apply(world, events);
        Some(())
    }

    fn judge(
        &self,
        world: &mut World,
        reply: ReplyId,
        read: u64,
        decision: Decision,
    ) -> Option<()> {
        let command = Command::Judge {
            epoch: world.session.epoch,
            verdicts: vec![judgement(reply, decision)],
        };
        if decision != Decision::ReleaseFirst {
            spend(&mut world.left.objections, Spent::Yes)?;
        }
        let events = self.ask(&world.session, &command).ok()?;
        world.apply(&events, read);
        Some(())
    }

    fn take(
        &self,
        world: &mut World,
        worker: usize,
        verdicts: &[(ReplyId, Decision)],
    ) -> Option<()> {
        let turn = TurnId(u128::from(world.session.last_fence + 1));
        let events = self.ask(&world.session, &Command::Take { turn }).ok()?;
        self.apply(world, events);
        let fence = world.session.last_fence;
        if self.is(Mutant::EarlySupersede) {
            for (reply, decision) in verdicts {
                if *decision == Decision::Merge && waits(&world.session, *reply) {
                    let by = next_reply(world);
                    self.apply(world, vec![Event::Superseded { reply: *reply, by }]);
                }
            }
        }
        world.workers[worker] = Worker::Running {
            fence,
            verdicts: verdicts.to_vec(),
        };
        Some(())
    }

    fn commit(&self, world: &mut World, worker: usize, says: Says) -> Option<()> {
        let Worker::Running { fence, verdicts } = std::mem::take(&mut world.workers[worker]) else {
            return None;
        };
        if says == Says::Nothing {
            world.left.silences -= 1;
        }
        let live = world.turn == Some(fence);
        let draft = (says == Says::Something).then(|| Draft {
            reply: next_reply(world),
            parts: 1,
        });
        let command = Command::Commit(Commit {
            fence: self.shown_fence(world, fence),
            ..commit(fence, &verdicts, draft, Late::Accept)
        });
        let read = self.verdict_view(&world.session);
        match self.ask(read.as_ref().unwrap_or(&world.session), &command) {
            Ok(events) => {
                if !live {
                    world.breaks("I7");
                }
                self.apply(world, events);
            }
            Err(Refusal::Fenced { .. }) => {}
            Err(other) => panic!("a commit that accepts lateness is only ever fenced: {other}"),
        }
        Some(())
    }

    /// The agent is told that a verdict came too late, and answers again without it.
    fn reword(&self, world: &mut World, worker: usize) -> Option<()> {
        let Worker::Running { fence, verdicts } = &world.workers[worker] else {
            return None;
        };
        let draft = Draft {
            reply: next_reply(world),
            parts: 1,
        };
        let command = Command::Commit(commit(*fence, verdicts, Some(draft), Late::Refuse));
        let Err(Refusal::TooLate { replies }) = self.ask(&world.session, &command) else {
            return None;
        };
        let kept = verdicts
            .iter()
            .copied()
            .filter(|(reply, _)| !replies.contains(reply));
        world.workers[worker] = Worker::Running {
            fence: *fence,
            verdicts: kept.collect(),
        };
        Some(())
    }

    fn fail(&self, world: &mut World, worker: usize) -> Option<()> {
        let Worker::Running { fence, verdicts } = std::mem::take(&mut world.workers[worker]) else {
            return None;
        };
        world.left.agent_failures -= 1;
        let command = Command::Fail {
            fence,
            reply: next_reply(world),
            usage: replygate_gate::Usage::default(),
            verdicts: verdicts
                .iter()
                .map(|(reply, decision)| judgement(*reply, *decision))
                .collect(),
            code: String::new(),
        };
        let events = self.ask(&world.session, &command).ok()?;
        self.apply(world, events);
        Some(())
    }

    fn lease_ends(&self, world: &mut World) -> Option<()> {
        let fence = world.session.owner.as_ref()?.fence;
        let alive = world.workers.iter().position(
            |worker| matches!(worker, Worker::Running { fence: own, .. } if *own == fence),
        );
        if self.is(Mutant::EndlessLease) && alive.is_none() {
            return None;
        }
        spend(&mut world.left.expiries, Spent::if_lives(alive))?;
        let mut over = world.session.clone();
        over.owner.as_mut()?.until = NOW;
        let events = self.ask(&over, &Command::Expire).ok()?;
        self.apply(world, events);
        Some(())
    }

    fn claim(&self, world: &mut World, consumer: usize, reply: ReplyId) -> Option<()> {
        let token = NEW_TOKEN;
        let mut seen = world.session.clone();
        if self.is(Mutant::NoFifo) {
            seen.replies.retain(|other| other.id == reply);
        }
        let events = self.ask(&seen, &Command::Claim { reply, token }).ok()?;
        let claimed = events
            .iter()
            .any(|event| matches!(event, Event::Claimed { .. }));
        if !(self.is(Mutant::CheckThenSend) && claimed) {
            self.apply(world, events);
        }
        if claimed {
            world.consumers[consumer] = Consumer::Claimed {
                reply,
                token,
                epoch: world.session.epoch,
            };
        }
        Some(())
    }

    /// Just before it sends, the consumer sees a newer epoch and gives the claim back.
    fn look_again(&self, world: &mut World, consumer: usize) -> Option<()> {
        let Consumer::Claimed { token, epoch, .. } = std::mem::take(&mut world.consumers[consumer])
        else {
            return None;
        };
        if epoch == world.session.epoch {
            return None;
        }
        self.tell(world, token, Outcome::NotSent);
        Some(())
    }

    fn channel_refuses(&self, world: &mut World, consumer: usize) -> Option<()> {
        let Consumer::Claimed { token, .. } = std::mem::take(&mut world.consumers[consumer]) else {
            return None;
        };
        world.left.refusals -= 1;
        let outcome = Outcome::Failed {
            code: String::new(),
            retry_after_ms: None,
        };
        self.tell(world, token, outcome);
        Some(())
    }

    fn settle(&self, world: &mut World, consumer: usize) -> Option<()> {
        let Consumer::Sent { reply, token } = std::mem::take(&mut world.consumers[consumer]) else {
            return None;
        };
        if self.is(Mutant::CheckThenSend) {
            if world.session.reply(reply).is_some() {
                let how = DeliveredBy::Channel;
                let receipt = None;
                self.apply(
                    world,
                    vec![Event::Delivered {
                        reply,
                        receipt,
                        how,
                    }],
                );
            }
            return Some(());
        }
        self.tell(world, token, Outcome::Accepted { receipt: None });
        Some(())
    }

    fn tell(&self, world: &mut World, token: ClaimToken, outcome: Outcome) {
        match self.ask(&world.session, &Command::Settle { token, outcome }) {
            Ok(events) => self.apply(world, events),
            Err(Refusal::StaleClaim) => {}
            Err(other) => panic!("a settle is only ever stale: {other}"),
        }
    }

    fn claim_ends(&self, world: &mut World, reply: ReplyId) -> Option<()> {
        let token = world.session.reply(reply)?.claim.as_ref()?.token;
        let holder = world
            .consumers
            .iter()
            .position(|consumer| consumer.token() == Some(token));
        spend(&mut world.left.expiries, Spent::if_lives(holder))?;
        let mut over = world.session.clone();
        let found = over.replies.iter_mut().find(|open| open.id == reply)?;
        found.claim.as_mut()?.until = NOW;
        let events = self.ask(&over, &Command::Expire).ok()?;
        self.apply(world, events);
        // Its own deadline ends before the claim does: it sends nothing any more.
        let gives_up = holder.filter(|consumer| {
            matches!(world.consumers[*consumer], Consumer::Claimed { .. })
                && !self.is(Mutant::NoDeadline)
        });
        if let Some(consumer) = gives_up {
            world.consumers[consumer] = Consumer::Idle;
        }
        Some(())
    }

    fn hold_ends(&self, world: &mut World, reply: ReplyId) -> Option<()> {
        let mut over = world.session.clone();
        let found = over.replies.iter_mut().find(|open| open.id == reply)?;
        found.held_since = Some(NOW.minus(self.rules.max_hold_ms));
        let events = self.ask(&over, &Command::Expire).ok()?;
        self.apply(world, events);
        Some(())
    }

    fn lock_ends(&self, world: &mut World) -> Option<()> {
        let mut over = world.session.clone();
        over.lock.as_mut()?.expires = NOW;
        let events = self.ask(&over, &Command::Expire).ok()?;
        self.apply(world, events);
        Some(())
    }

    fn apply(&self, world: &mut World, mut events: Vec<Event>) {
        if self.is(Mutant::LostClaimIsPending) {
            for event in &mut events {
                if let Event::OutcomeUnknown { reply, .. } = event {
                    *event = Event::NotSent {
                        reply: *reply,
                        at: NOW,
                    };
                }
            }
        }
        world.apply(&events, u64::MAX);
    }

    /// The fencing token that a commit shows.
    fn shown_fence(&self, world: &World, own: u64) -> u64 {
        let present = world.session.owner.as_ref().map(|owner| owner.fence);
        present.filter(|_| self.is(Mutant::NoFence)).unwrap_or(own)
    }

    /// What a commit reads of the replies, where that is not the truth.
    fn verdict_view(&self, session: &Session) -> Option<Session> {
        if !self.is(Mutant::BlindVerdicts) {
            return None;
        }
        let mut view = session.clone();
        for reply in &mut view.replies {
            if reply.status == ReplyStatus::Dispatching {
                reply.status = ReplyStatus::Pending;
            }
        }
        Some(view)
    }
}

fn send(world: &mut World, consumer: usize) -> Option<()> {
    let Consumer::Claimed { reply, token, .. } = world.consumers[consumer] else {
        return None;
    };
    world.hands_over(reply);
    world.consumers[consumer] = Consumer::Sent { reply, token };
    Some(())
}

/// Whether a step uses its budget up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spent {
    Yes,
    No,
}

impl Spent {
    /// A lease that ends while its holder lives is a fault; one whose holder died is not.
    fn if_lives(holder: Option<usize>) -> Self {
        holder.map_or(Self::No, |_| Self::Yes)
    }
}

fn spend(budget: &mut u8, spent: Spent) -> Option<()> {
    if spent == Spent::Yes {
        *budget = budget.checked_sub(1)?;
    }
    Some(())
}

fn next_reply(world: &World) -> ReplyId {
    ReplyId(world.book.len() as u128 + 1)
}

fn waits(session: &Session, reply: ReplyId) -> bool {
    session
        .reply(reply)
        .is_some_and(|reply| reply.status.is_waiting())
}

fn judgement(reply: ReplyId, decision: Decision) -> Judgement {
    Judgement {
        reply,
        decision,
        confidence: 1.0,
        reason: String::new(),
        source: String::new(),
        took_ms: 0,
        usage: replygate_gate::Usage::default(),
    }
}

fn commit(
    fence: u64,
    verdicts: &[(ReplyId, Decision)],
    draft: Option<Draft>,
    late: Late,
) -> Commit {
    Commit {
        fence,
        verdicts: verdicts
            .iter()
            .map(|(reply, decision)| judgement(*reply, *decision))
            .collect(),
        draft,
        effects: false,
        run_ms: 0,
        usage: replygate_gate::Usage::default(),
        late,
    }
}
