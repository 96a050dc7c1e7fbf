//! What each step does. Every step that touches the session goes through `decide` and `evolve`, except where a mutant goes around
//! them on purpose. Time stands still; a lease, claim, hold or lock ends when its own step says so.

use replygate_gate::debounce::{Signal, Windows};
use replygate_gate::{
    Admission, Arrival, At, Command, Decision, Event, Guarantee, Judgement, MessageId, Neighbours,
    Refusal, ReplyId, Rules, Scene, Sender, Session, Strategy, Usage, decide,
};

use crate::choices::Step;
use crate::hand_overs;
use crate::mutant::Mutant;
use crate::world::{Budget, Consumer, Worker, World};

/// The present instant of every step.
pub const NOW: At = At(0);

/// One protocol, honest or with one guard removed.
#[derive(Clone, Debug)]
pub struct Gate {
    pub rules: Rules,
    /// The strategy at the start.
    pub strategy: Strategy,
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
            strategy: Strategy::Triage,
            budget,
            mutant: None,
            locked: Locked::No,
        }
    }

    pub fn is(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// The rules under a strategy.
    pub fn rules(&self, strategy: Strategy) -> Rules {
        Rules {
            strategy,
            ..self.rules.clone()
        }
    }

    /// What `decide` says at the one instant there is.
    pub fn ask(&self, world: &World, command: &Command) -> Result<Vec<Event>, Refusal> {
        self.ask_of(&world.session, world.strategy, command)
    }

    /// What it would say of another session.
    pub fn ask_of(
        &self,
        session: &Session,
        strategy: Strategy,
        command: &Command,
    ) -> Result<Vec<Event>, Refusal> {
        let scene = Scene {
            now: NOW,
            rules: &self.rules(strategy),
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
            Step::Reserve { worker } => self.reserve(&mut world, *worker)?,
            Step::Abort => self.abort(&mut world)?,
            Step::KeepPartial => self.keep_partial(&mut world)?,
            Step::Switch { strategy } => {
                world.left.switches -= 1;
                world.strategy = *strategy;
            }
            Step::Reword { worker } => self.reword(&mut world, *worker)?,
            Step::Fail { worker } => self.fail(&mut world, *worker)?,
            Step::WorkerDies { worker } => {
                world.left.crashes -= 1;
                world.workers[*worker] = Worker::Idle;
            }
            Step::LeaseEnds => self.lease_ends(&mut world)?,
            Step::Claim { consumer, reply } => self.claim(&mut world, *consumer, *reply)?,
            Step::LookAgain { consumer } => self.look_again(&mut world, *consumer)?,
            Step::Send { consumer } => hand_overs::send(&mut world, *consumer)?,
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
            awaits_ms: None,
            admission: Admission::Turn,
            sender: Sender::Reads,
        };
        let seen = self.what_arrivals_see(&world.session);
        let command = Command::Arrive(arrival);
        let events = self.ask_of(&seen, world.strategy, &command).ok()?;
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
        let events = self.ask(world, &command).ok()?;
        world.apply(&events, read);
        Some(())
    }

    /// What an arrival reads of the turn, where that is not the truth.
    fn what_arrivals_see(&self, session: &Session) -> Session {
        let mut seen = session.clone();
        if let Some(owner) = seen
            .owner
            .as_mut()
            .filter(|_| self.is(Mutant::BlindInterrupt))
        {
            owner.effects = false;
        }
        seen
    }

    pub fn apply(&self, world: &mut World, mut events: Vec<Event>) {
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
}

/// Whether a step uses its budget up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    Yes,
    No,
}

impl Spent {
    /// A lease that ends while its holder lives is a fault; one whose holder died is not.
    pub fn if_lives(holder: Option<usize>) -> Self {
        holder.map_or(Self::No, |_| Self::Yes)
    }
}

pub fn spend(budget: &mut u8, spent: Spent) -> Option<()> {
    if spent == Spent::Yes {
        *budget = budget.checked_sub(1)?;
    }
    Some(())
}

pub fn judgement(reply: ReplyId, decision: Decision) -> Judgement {
    Judgement {
        reply,
        decision,
        confidence: 1.0,
        reason: String::new(),
        source: String::new(),
        took_ms: 0,
        usage: Usage::default(),
    }
}
