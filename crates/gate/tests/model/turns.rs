//! Turns: take, commit, fail, and the leases that end.

use replygate_gate::{
    Command, Commit, Decision, Draft, Event, Late, Refusal, ReplyId, ReplyStatus, Session, TurnId,
    TurnJudgement, Usage,
};

use crate::choices::Says;
use crate::mutant::Mutant;
use crate::steps::{Gate, NOW, Spent, judgement, spend};
use crate::world::{Worker, World};

impl Gate {
    pub fn take(
        &self,
        world: &mut World,
        worker: usize,
        verdicts: &[(ReplyId, Decision)],
    ) -> Option<()> {
        let turn = TurnId(u128::from(world.session.last_fence + 1));
        let events = self.ask(world, &Command::Take { turn }).ok()?;
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

    pub fn commit(&self, world: &mut World, worker: usize, says: Says) -> Option<()> {
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
        let seen = read.as_ref().unwrap_or(&world.session);
        match self.ask_of(seen, world.strategy, &command) {
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

    pub fn reserve(&self, world: &mut World, worker: usize) -> Option<()> {
        let Worker::Running { fence, .. } = world.workers[worker] else {
            return None;
        };
        if world.session.owner.as_ref()?.effects {
            return None;
        }
        let command = Command::ReserveEffect {
            fence,
            tool: None,
            action: None,
        };
        let events = self.ask(world, &command).ok()?;
        world.left.effects -= 1;
        self.apply(world, events);
        Some(())
    }

    /// An evaluator says that the running turn answers what is not asked any more.
    pub fn abort(&self, world: &mut World) -> Option<()> {
        let command = Command::Abort {
            epoch: world.session.epoch,
            judgement: TurnJudgement {
                turn: world.session.owner.as_ref()?.turn,
                decision: Decision::Merge,
                confidence: 1.0,
                reason: String::new(),
                source: String::new(),
                took_ms: 0,
                usage: Usage::default(),
            },
        };
        let events = self.ask(world, &command).ok()?;
        self.apply(world, events);
        Some(())
    }

    /// The interrupted turn says what it had written.
    pub fn keep_partial(&self, world: &mut World) -> Option<()> {
        let draft = Draft {
            reply: next_reply(world),
            parts: 1,
        };
        let turn = world.session.interrupted?;
        let events = self
            .ask(world, &Command::KeepPartial { turn, draft })
            .ok()?;
        self.apply(world, events);
        Some(())
    }

    /// The agent is told that a verdict came too late, and answers again without it.
    pub fn reword(&self, world: &mut World, worker: usize) -> Option<()> {
        let Worker::Running { fence, verdicts } = &world.workers[worker] else {
            return None;
        };
        let draft = Draft {
            reply: next_reply(world),
            parts: 1,
        };
        let command = Command::Commit(commit(*fence, verdicts, Some(draft), Late::Refuse));
        let Err(Refusal::TooLate { replies }) = self.ask(world, &command) else {
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

    pub fn fail(&self, world: &mut World, worker: usize) -> Option<()> {
        let Worker::Running { fence, verdicts } = std::mem::take(&mut world.workers[worker]) else {
            return None;
        };
        world.left.agent_failures -= 1;
        let command = Command::Fail {
            fence,
            reply: next_reply(world),
            verdicts: verdicts
                .iter()
                .map(|(reply, decision)| judgement(*reply, *decision))
                .collect(),
            usage: Usage::default(),
            code: String::new(),
        };
        let events = self.ask(world, &command).ok()?;
        self.apply(world, events);
        Some(())
    }

    pub fn lease_ends(&self, world: &mut World) -> Option<()> {
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
        let events = self.ask_of(&over, world.strategy, &Command::Expire).ok()?;
        self.apply(world, events);
        Some(())
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

fn next_reply(world: &World) -> ReplyId {
    ReplyId(world.book.len() as u128 + 1)
}

fn waits(session: &Session, reply: ReplyId) -> bool {
    session
        .reply(reply)
        .is_some_and(|reply| reply.status.is_waiting())
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
        usage: Usage::default(),
        late,
    }
}
