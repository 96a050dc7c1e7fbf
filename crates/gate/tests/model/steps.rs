//! What may happen next. Every step that touches the session goes through `decide` and `evolve`, except where a mutant goes around
//! them on purpose. Time stands still; a lease, claim, hold or lock ends when its own step says so.

use replygate_gate::debounce::{Signal, Windows};
use replygate_gate::{
    Admission, Arrival, At, ClaimToken, Command, Commit, Decision, DeliveredBy, Draft, Event,
    Guarantee, Judgement, Late, MessageId, Neighbours, Outcome, Refusal, ReplyId, ReplyStatus,
    Rules, Scene, Session, TurnId, decide,
};

use crate::mutant::Mutant;
use crate::world::{Budget, Consumer, Fate, Worker, World};

/// The present instant of every step.
const NOW: At = At(0);

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

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Arrive,
    Judge {
        reply: ReplyId,
        read: u64,
        decision: Decision,
    },
    Take {
        worker: usize,
        verdicts: Vec<(ReplyId, Decision)>,
    },
    Commit {
        worker: usize,
        says: Says,
    },
    Reword {
        worker: usize,
    },
    Fail {
        worker: usize,
    },
    WorkerDies {
        worker: usize,
    },
    LeaseEnds,
    Claim {
        consumer: usize,
        reply: ReplyId,
    },
    LookAgain {
        consumer: usize,
    },
    Send {
        consumer: usize,
    },
    ChannelRefuses {
        consumer: usize,
    },
    Settle {
        consumer: usize,
    },
    ConsumerDies {
        consumer: usize,
    },
    ClaimEnds {
        reply: ReplyId,
    },
    HoldEnds {
        reply: ReplyId,
    },
    LockEnds,
}

/// Whether a turn brings an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Something,
    Nothing,
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

    /// The steps to try; those that change nothing are dropped by [`Gate::step`].
    pub fn steps(&self, world: &World, steps: &mut Vec<Step>) {
        if world.left.arrivals > 0 {
            steps.push(Step::Arrive);
        }
        self.judgements(world, steps);
        self.turns(world, steps);
        self.hand_overs(world, steps);
        self.endings(world, steps);
    }

    fn judgements(&self, world: &World, steps: &mut Vec<Step>) {
        let session = &world.session;
        // A judgement of an earlier epoch changes nothing, which is what `Mutant::StaleJudge` gives up.
        let oldest = if self.is(Mutant::StaleJudge) {
            1
        } else {
            session.epoch
        };
        for reply in session.undelivered() {
            for read in oldest.max(1)..=session.epoch {
                steps.extend(
                    [Decision::ReleaseFirst, Decision::CancelFirst].map(|decision| Step::Judge {
                        reply: reply.id,
                        read,
                        decision,
                    }),
                );
            }
        }
    }

    fn turns(&self, world: &World, steps: &mut Vec<Step>) {
        let idle = world
            .workers
            .iter()
            .position(|worker| *worker == Worker::Idle);
        if let Some(worker) = idle.filter(|_| world.session.is_ripe(NOW)) {
            let all = verdict_sets(&world.session);
            steps.extend(
                all.into_iter()
                    .map(|verdicts| Step::Take { worker, verdicts }),
            );
        }
        for (worker, state) in world.workers.iter().enumerate() {
            if *state == Worker::Idle {
                continue;
            }
            steps.push(Step::Commit {
                worker,
                says: Says::Something,
            });
            steps.push(Step::Reword { worker });
            if world.left.silences > 0 {
                steps.push(Step::Commit {
                    worker,
                    says: Says::Nothing,
                });
            }
            if world.left.agent_failures > 0 {
                steps.push(Step::Fail { worker });
            }
            if world.left.crashes > 0 {
                steps.push(Step::WorkerDies { worker });
            }
        }
    }

    fn hand_overs(&self, world: &World, steps: &mut Vec<Step>) {
        let idle = world
            .consumers
            .iter()
            .position(|consumer| *consumer == Consumer::Idle);
        if let Some(consumer) = idle {
            steps.extend(world.session.replies.iter().map(|reply| Step::Claim {
                consumer,
                reply: reply.id,
            }));
        }
        for (consumer, state) in world.consumers.iter().enumerate() {
            match state {
                Consumer::Idle => continue,
                Consumer::Claimed { .. } => {
                    steps.push(Step::Send { consumer });
                    steps.push(Step::LookAgain { consumer });
                    if world.left.refusals > 0 {
                        steps.push(Step::ChannelRefuses { consumer });
                    }
                }
                Consumer::Sent { .. } => steps.push(Step::Settle { consumer }),
            }
            if world.left.crashes > 0 {
                steps.push(Step::ConsumerDies { consumer });
            }
        }
    }

    fn endings(&self, world: &World, steps: &mut Vec<Step>) {
        if world.session.owner.is_some() {
            steps.push(Step::LeaseEnds);
        }
        if world.session.lock.is_some() {
            steps.push(Step::LockEnds);
        }
        for reply in &world.session.replies {
            if reply.claim.is_some() {
                steps.push(Step::ClaimEnds { reply: reply.id });
            }
            if reply.held_since.is_some() && world.left.expiries > 0 {
                steps.push(Step::HoldEnds { reply: reply.id });
            }
        }
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
                    let by = ReplyId(u128::from(fence));
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
            reply: ReplyId(u128::from(fence)),
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
            reply: ReplyId(u128::from(*fence)),
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
            reply: ReplyId(u128::from(fence)),
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
        let alive = world
            .workers
            .iter()
            .any(|worker| matches!(worker, Worker::Running { fence: own, .. } if *own == fence));
        if self.is(Mutant::EndlessLease) && !alive {
            return None;
        }
        spend(&mut world.left.expiries, alive)?;
        let mut over = world.session.clone();
        over.owner.as_mut()?.until = NOW;
        let events = self.ask(&over, &Command::Expire).ok()?;
        self.apply(world, events);
        Some(())
    }

    fn claim(&self, world: &mut World, consumer: usize, reply: ReplyId) -> Option<()> {
        let token = ClaimToken(reply.0 * 16 + u128::from(world.booked(reply)?.claims));
        let mut seen = world.session.clone();
        if self.is(Mutant::NoFifo) {
            seen.replies.retain(|other| other.id == reply);
        }
        let events = self.ask(&seen, &Command::Claim { reply, token }).ok()?;
        let claimed = events
            .iter()
            .any(|event| matches!(event, Event::Claimed { .. }));
        if self.is(Mutant::CheckThenSend) && claimed {
            world.booked_mut(reply).claims += 1;
        } else {
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
        self.tell(world, token, Outcome::NotSent)
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
        self.tell(world, token, outcome)
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
        self.tell(world, token, Outcome::Accepted { receipt: None })
    }

    fn tell(&self, world: &mut World, token: ClaimToken, outcome: Outcome) -> Option<()> {
        match self.ask(&world.session, &Command::Settle { token, outcome }) {
            Ok(events) => self.apply(world, events),
            Err(Refusal::StaleClaim) => {}
            Err(other) => panic!("a settle is only ever stale: {other}"),
        }
        Some(())
    }

    fn claim_ends(&self, world: &mut World, reply: ReplyId) -> Option<()> {
        let token = world.session.reply(reply)?.claim.as_ref()?.token;
        let holder = world
            .consumers
            .iter()
            .position(|consumer| consumer.token() == Some(token));
        spend(&mut world.left.expiries, holder.is_some())?;
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
        spend(&mut world.left.expiries, true)?;
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
        present
            .filter(|_| self.is(Mutant::NoFence))
            .unwrap_or(own)
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
    world.handed.push(reply);
    world.consumers[consumer] = Consumer::Sent { reply, token };
    Some(())
}

fn spend(budget: &mut u8, is_fault: bool) -> Option<()> {
    if is_fault {
        *budget = budget.checked_sub(1)?;
    }
    Some(())
}

fn waits(session: &Session, reply: ReplyId) -> bool {
    session
        .reply(reply)
        .is_some_and(|reply| reply.status.is_waiting())
}

/// Every way to judge the undelivered replies.
fn verdict_sets(session: &Session) -> Vec<Vec<(ReplyId, Decision)>> {
    session
        .undelivered()
        .fold(vec![Vec::new()], |sets, reply| {
            sets.into_iter()
                .flat_map(|set| {
                    Decision::ALL.iter().map(move |decision| {
                        let mut more = set.clone();
                        more.push((reply.id, *decision));
                        more
                    })
                })
                .collect()
        })
}

fn judgement(reply: ReplyId, decision: Decision) -> Judgement {
    Judgement {
        reply,
        decision,
        confidence: 1.0,
        reason: String::new(),
        source: String::new(),
        took_ms: 0,
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
        late,
    }
}

/// Whether nothing is left to do but for people.
pub fn at_rest(world: &World) -> bool {
    world.left.arrivals == 0
        && world.session.uncovered.is_empty()
        && world.session.owner.is_none()
        && world.session.replies.iter().all(|reply| match reply.status {
            ReplyStatus::Parked => true,
            ReplyStatus::Unknown => reply.retry_at.is_none(),
            _ => false,
        })
        && world.book.iter().all(|booked| {
            booked.fate != Fate::Open || world.session.reply(booked.id).is_some()
        })
}
